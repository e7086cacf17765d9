//! Failpoints: named places at which tests stop a run or make a request panic.
//!
//! A run has one before and after each external side effect, for each kind of write in its first, a
//! middle and its last chunk. Other failpoints panic while a request holds a secret. They exist
//! only in development builds and with the feature `failpoints`. A test chooses one with [`arm`]; a run
//! that reaches it reports so on stderr and blocks until the process is killed.

use std::fmt;
use std::sync::OnceLock;

use checklist_shared::wire::workflow::PlannedAction;

/// The position of a chunk among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The first chunk, even if it is the only one.
    First,
    /// A chunk with others before and after it.
    Middle,
    /// The last of several chunks.
    Last,
}

impl Position {
    /// The position of the chunk with this index.
    #[must_use]
    pub const fn of(number: usize, chunks: usize) -> Self {
        if number == 0 {
            Self::First
        } else if number + 1 == chunks {
            Self::Last
        } else {
            Self::Middle
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Middle => "middle",
            Self::Last => "last",
        }
    }
}

/// The names of all failpoints of a run, in the order of a run, one per line. The tests that kill
/// servers read the same file, so every failpoint is tested.
const PLACES: &str = include_str!("failpoints.txt");

/// Whether this build has failpoints.
pub const ARE_BUILT_IN: bool = cfg!(any(feature = "failpoints", debug_assertions));

/// The failpoints at which a request holds a secret.
pub const BREAKDOWNS: [&str; 3] = ["connection.written", "site.opened", "site.asked"];

/// A failpoint of a request: panics with the `Debug` output of what it holds, as a careless
/// `expect` would.
pub fn break_down(place: &str, held: &dyn fmt::Debug) {
    debug_assert!(BREAKDOWNS.contains(&place));
    if ARE_BUILT_IN && ARMED.get().is_some_and(|armed| armed.place == place) {
        #[expect(
            clippy::panic,
            reason = "the test that has armed the place asked for it"
        )]
        {
            panic!("failpoint {place}: {held:?}");
        }
    }
}

/// Armed by tests that only set the chunk size.
const NOWHERE: &str = "nowhere";

fn name_of(action: PlannedAction, position: Position, moment: &str) -> String {
    let action = action.name().to_lowercase();
    format!("write.{action}.{}.{moment}", position.name())
}

static ARMED: OnceLock<ArmedFailpoint> = OnceLock::new();

struct ArmedFailpoint {
    place: String,
    chunk: Option<usize>,
}

/// Selects the failpoint to block at, and the number of computers per chunk. Only the first call
/// has an effect.
///
/// # Panics
/// If there is no such failpoint: a test would wait for it forever.
pub fn arm(place: impl Into<String>, chunk: Option<usize>) {
    let place = place.into();
    assert!(
        is_known(&place) || place == NOWHERE,
        "there is no failpoint {place}"
    );
    let _ = ARMED.set(ArmedFailpoint { place, chunk });
}

fn is_known(place: &str) -> bool {
    PLACES.lines().any(|known| known == place) || BREAKDOWNS.contains(&place)
}

/// The number of computers per chunk, if a test has set it.
#[must_use]
pub fn chunk() -> Option<usize> {
    ARMED.get().and_then(|armed| armed.chunk)
}

/// A failpoint of a run.
pub async fn reach(place: &str) {
    debug_assert!(is_known(place), "{place} is missing in failpoints.txt");
    if ARE_BUILT_IN && ARMED.get().is_some_and(|armed| armed.place == place) {
        stand_still(place).await;
    }
}

/// A failpoint of a chunk.
pub async fn reach_chunk(action: PlannedAction, position: Position, moment: &str) {
    if ARE_BUILT_IN && ARMED.get().is_some() {
        reach(&name_of(action, position, moment)).await;
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the test that has armed the place reads it"
)]
async fn stand_still(place: &str) {
    eprintln!("failpoint {place}");
    std::future::pending::<()>().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_than_forty_places_and_no_two_of_one_name() {
        let mut all: Vec<&str> = PLACES.lines().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn every_moment_of_every_kind_of_chunk_is_a_place() {
        for action in PlannedAction::ALL {
            for position in [Position::First, Position::Middle, Position::Last] {
                for moment in ["chosen", "intended", "sent", "settled"] {
                    let name = name_of(action, position, moment);
                    assert!(is_known(&name), "{name}");
                }
            }
        }
    }

    #[test]
    fn a_lone_chunk_is_the_first() {
        assert_eq!(Position::of(0, 1), Position::First);
        assert_eq!(Position::of(1, 3), Position::Middle);
        assert_eq!(Position::of(2, 3), Position::Last);
    }
}
