//! How many files and sockets the system lets the server open, and how many of them connections
//! may have.
//!
//! The rest is kept for the database, for requests to other systems and for the log: a server that
//! has none left answers nobody. Called once by `cli::serve`.

/// As many connections as most machines carry; the system may allow fewer.
const MOST: u64 = 65_536;
/// What is kept at least, whatever the system allows.
const LEAST_RESERVE: u64 = 64;
/// What is kept at most.
const MOST_RESERVE: u64 = 512;
/// Fewer than this make no server.
const LEAST: u64 = 16;

/// How many connections there may be: as many as the system allows after the soft limit was raised
/// to the hard one, less what is kept, and no more than `wish`.
pub fn most_connections(wish: Option<usize>) -> usize {
    let open_files = raise_limit().unwrap_or(MOST);
    let allowed = without_reserve(open_files);
    match wish {
        Some(wish) if wish > allowed => {
            tracing::warn!(
                wish,
                allowed,
                open_files,
                "the system does not allow so many connections"
            );
            allowed
        }
        Some(wish) => wish,
        None => allowed,
    }
}

/// How many live streams fit into so many connections: a quarter is left to those who ask.
pub fn most_streams(wish: usize, connections: usize) -> usize {
    let fitting = (connections - connections / 4).max(1);
    if wish > fitting {
        tracing::info!(
            wish,
            fitting,
            connections,
            "fewer live streams, so that connections are left for requests"
        );
    }
    wish.min(fitting)
}

fn without_reserve(open_files: u64) -> usize {
    let open_files = open_files.min(MOST + MOST_RESERVE);
    let reserve = (LEAST_RESERVE + open_files / 8).min(MOST_RESERVE);
    let left = open_files.saturating_sub(reserve).max(LEAST);
    usize::try_from(left).unwrap_or(usize::MAX)
}

/// Raises the number of open files as far as the system lets this process do it.
#[cfg(unix)]
fn raise_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let wanted = before.maximum.unwrap_or(u64::MAX).min(MOST + MOST_RESERVE);
    if before.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit {
            current: Some(wanted),
            maximum: before.maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(%error, "the number of open files stays as it is");
        }
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn raise_limit() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_kept_for_the_database_and_for_requests_to_others() {
        for (open_files, connections) in [(256, 160), (1_024, 832), (65_536, 65_024)] {
            assert_eq!(without_reserve(open_files), connections);
        }
        assert_eq!(without_reserve(u64::MAX), 65_536);
        assert_eq!(without_reserve(20), 16);
    }

    #[test]
    fn streams_leave_connections_to_those_who_ask() {
        assert_eq!(most_streams(4_096, 832), 624);
        assert_eq!(most_streams(100, 832), 100);
    }
}
