//! One running server: its data directory, its port, and its shutdown.
//!
//! A small shell script supervises it: when this process ends, for whatever reason, the script's
//! stdin is closed, and it stops the server and deletes its files.

use std::fs;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::Programs;
use crate::project::{output_of, shown};
use crate::test::{debian, scratch};

/// How long the server may take to be there.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts what follows, waits until its input ends, and ends what it has started.
const KEEPER: &str = r#"folder=$1; shift; "$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$folder""#;

/// A user that exists everywhere and owns nothing: PostgreSQL refuses to run as root.
const NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

/// A running server, ended when it is dropped.
pub struct Server {
    keeper: Child,
    port: u16,
}

impl Server {
    /// Starts a server. `durable` is one whose data is on the disk and that waits for it; a crash of
    /// the server alone loses nothing either way.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(programs: &Programs, durable: bool) -> Result<Self> {
        let folder = if durable {
            TempDir::with_prefix("checklist-postgres-").context("making a folder")?
        } else {
            scratch::folder()?
        };
        let as_nobody = debian::is_root()?;
        if as_nobody {
            let chown = ["chown", "65534:65534"];
            output_of(Command::new(chown[0]).arg(chown[1]).arg(folder.path()))?;
        }
        let data = folder.path().join("data");
        let mut initdb = command(programs, as_nobody, "initdb");
        initdb.arg("--pgdata").arg(&data).args([
            "--username=admin",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        output_of(&mut initdb)?;
        let port = free_port()?;
        let mut postgres = command(programs, as_nobody, "postgres");
        postgres.arg("-D").arg(&data);
        for setting in settings(folder.path(), port, durable) {
            postgres.arg("-c").arg(setting);
        }
        // From here on the keeper removes the folder.
        let folder = folder.keep();
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(&folder)
            .arg(postgres.get_program())
            .args(postgres.get_args())
            .envs(
                postgres
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("log")).context("making the log")?);
        let keeper = keeper
            .spawn()
            .with_context(|| format!("starting `{}`", shown(&postgres)))?;
        let server = Self { keeper, port };
        server.wait_until_it_is_there(&folder)?;
        Ok(server)
    }

    /// The URL of a role that may make databases.
    pub fn url(&self) -> String {
        format!("postgres://admin@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_it_is_there(&self, folder: &Path) -> Result<()> {
        let start = Instant::now();
        let ready = folder.join("data/postmaster.pid");
        while start.elapsed() < PATIENCE {
            let says_ready = fs::read_to_string(&ready).is_ok_and(|text| {
                text.lines()
                    .nth(7)
                    .is_some_and(|line| line.trim() == "ready")
            });
            if says_ready && TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return Ok(());
            }
            sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        bail!("PostgreSQL did not start: {log}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut input) = self.keeper.stdin.take() {
            // The end of its input says the same.
            let _ = input.write_all(b"end\n");
        }
        let _ = self.keeper.wait();
    }
}

fn settings(folder: &Path, port: u16, durable: bool) -> Vec<String> {
    let mut settings = vec![
        format!("port={port}"),
        format!("unix_socket_directories={}", folder.display()),
        "listen_addresses=127.0.0.1".to_owned(),
        "max_connections=400".to_owned(),
        "shared_buffers=128MB".to_owned(),
    ];
    if !durable {
        settings.extend(["fsync=off".to_owned(), "full_page_writes=off".to_owned()]);
    }
    settings
}

fn command(programs: &Programs, as_nobody: bool, name: &str) -> Command {
    let program = programs.folder.join(name);
    let mut command = if as_nobody {
        let mut command = Command::new(NOBODY[0]);
        command.args(&NOBODY[1..]).arg(program);
        command
    } else {
        Command::new(program)
    };
    if let Some(libraries) = &programs.libraries {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    // Both look at their working directory, which may be closed to that user.
    command.current_dir("/");
    command
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("looking for a free port")?;
    let port = listener.local_addr()?.port();
    ensure!(port > 0, "the system gave no port");
    Ok(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_durable_server_waits_for_the_disk() {
        let has = |durable| settings(Path::new("/x"), 5, durable).contains(&"fsync=off".to_owned());
        assert!(has(false));
        assert!(!has(true));
    }
}
