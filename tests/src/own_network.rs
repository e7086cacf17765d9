//! A network that is the test's own: no way out, and every address of the world is this machine, so
//! whoever is connected to is seen, whatever was asked for. Names are resolved by a name server of
//! the test's own, through the system's resolver.
//!
//! A test runs itself once more inside (`unshare`, as root or where users may have namespaces). Where
//! that cannot be, the test says so and is left out; with `CI=true` that is a failure.

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

use crate::wait::until;

/// Set inside.
const INSIDE: &str = "CHECKLIST_OWN_NETWORK";
/// Where the system's resolver asks, inside.
pub const RESOLVER: &str = "127.0.0.53:53";

/// Whether this runs inside; where not, runs the test of that name there and gives back how it went.
///
/// # Panics
/// When the test fails inside, or there is no such network where there has to be.
#[must_use]
#[track_caller]
pub fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        furnish();
        return true;
    }
    let unshare = |program: &Path, arguments: &[&str]| {
        Command::new("unshare")
            .args(["--map-root-user", "--mount", "--net", "--"])
            .arg(program)
            .args(arguments)
            .env(INSIDE, "yes")
            .output()
    };
    let possible = unshare(Path::new("ip"), &["link", "set", "lo", "up"]);
    if let Some(why) = refusal(possible) {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "no network of the test's own: {why}"
        );
        // Not by a macro, whose output a test that passes keeps to itself.
        let told = format!("LEFT OUT {test}: no network of the test's own: {why}\n");
        std::io::stderr()
            .write_all(told.as_bytes())
            .expect("stderr");
        return false;
    }
    let this = std::env::current_exe().expect("a running program has a path");
    let ran = unshare(&this, &[test, "--exact", "--nocapture"]).expect("it was possible just now");
    let said = [ran.stdout, ran.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(ran.status.success(), "inside: {said}");
    assert!(said.contains("1 passed"), "no test {test:?}: {said}");
    false
}

fn refusal(tried: std::io::Result<std::process::Output>) -> Option<String> {
    match tried {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(format!("unshare cannot be started: {error}")),
    }
}

/// Makes every address this machine's, and the system's resolver ask the test's name server.
#[track_caller]
fn furnish() {
    for arguments in [
        ["link", "set", "lo", "up"].as_slice(),
        &["route", "add", "local", "0.0.0.0/0", "dev", "lo"],
        &["-6", "route", "add", "local", "::/0", "dev", "lo"],
    ] {
        run("ip", arguments);
    }
    let folder = TempDir::new().expect("a temporary directory");
    let name_server = RESOLVER.split(':').next().unwrap_or_default();
    for (file, text) in [
        (
            "/etc/resolv.conf",
            format!("nameserver {name_server}\noptions timeout:2 attempts:2\n"),
        ),
        ("/etc/nsswitch.conf", "hosts: files dns\n".to_owned()),
        ("/etc/hosts", "127.0.0.1 localhost\n".to_owned()),
    ] {
        if !Path::new(file).exists() {
            continue;
        }
        let own = folder.path().join(file.replace('/', "_"));
        std::fs::write(&own, text).expect("the test's own directory");
        run("mount", &["--bind", &own.display().to_string(), file]);
    }
}

#[track_caller]
fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output();
    if let Some(why) = refusal(output) {
        panic!("{program} {arguments:?}: {why}");
    }
}

/// Listens on a port of every address there is, and writes down which of them was connected to.
#[derive(Clone)]
pub struct Canary {
    ports: Vec<u16>,
    seen: Arc<Mutex<Vec<SocketAddr>>>,
}

/// Connected to by the test itself, to know that everything before was written down.
const LAST: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 99));

impl Canary {
    /// On these ports; whoever connects is given to `host` afterwards.
    ///
    /// # Panics
    /// When a port is taken.
    #[must_use]
    #[track_caller]
    pub fn on(ports: &[u16], host: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let host = Arc::new(host);
        let canary = Self {
            ports: ports.to_vec(),
            seen: Arc::default(),
        };
        for port in ports {
            let listener =
                TcpListener::bind(("::", *port)).expect("a port of the test's own network");
            let seen = Arc::clone(&canary.seen);
            let host = Arc::clone(&host);
            std::thread::spawn(move || {
                for line in listener.incoming().flatten() {
                    if let Ok(at) = line.local_addr() {
                        let at = SocketAddr::new(at.ip().to_canonical(), at.port());
                        seen.lock().unwrap_or_else(PoisonError::into_inner).push(at);
                    }
                    let host = Arc::clone(&host);
                    std::thread::spawn(move || host(line));
                }
            });
        }
        canary
    }

    /// The addresses that were connected to so far.
    ///
    /// # Panics
    /// When the canary itself is dead.
    #[must_use]
    #[track_caller]
    pub fn seen(&self) -> Vec<SocketAddr> {
        let last: Vec<SocketAddr> = self
            .ports
            .iter()
            .map(|port| SocketAddr::new(LAST, *port))
            .collect();
        for last in &last {
            drop(TcpStream::connect(last).expect("the canary lives"));
        }
        until("the canary to have seen everything", || {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let all_there = last.iter().all(|last| seen.contains(last));
            all_there.then(|| {
                seen.retain(|at| at.ip() != LAST);
                seen.clone()
            })
        })
    }
}
