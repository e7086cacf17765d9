//! The files with which an operator makes the server and its copy services: the units, as systemd's own judge
//! sees them, the settings, and the word that the server is ready.
//! The judge is `systemd-analyze`.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use checklist_tests::setup::program;
use checklist_tests::{HostKey, Setup};
use tempfile::TempDir;

fn service(file: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../backend/service", file]
        .iter()
        .collect();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The units, each with its command.
const UNITS: [(&str, &str); 2] = [
    ("checklist-server.service", "serve"),
    ("checklist-replicate.service", "replicate"),
];

/// The units in a folder, with a program that this machine has.
fn units(folder: &Path) -> [PathBuf; 2] {
    UNITS.map(|(name, command)| {
        let file = folder.join(name);
        let server = Path::new(program().get_program()).canonicalize().unwrap();
        let text = service(name);
        let start = format!("ExecStart=/usr/bin/checklist-server {command}");
        assert!(text.contains(&start), "{name}");
        fs::write(
            &file,
            text.replace("/usr/bin/checklist-server", &server.display().to_string()),
        )
        .unwrap();
        file
    })
}

#[track_caller]
fn systemd_analyze(arguments: &[&str], unit: &Path) -> String {
    let output = Command::new("systemd-analyze")
        .args(arguments)
        .arg(unit)
        .output();
    let output = output.expect("systemd-analyze starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let folder = TempDir::new().unwrap();
    for unit in units(folder.path()) {
        let said = systemd_analyze(&["verify", "--man=no"], &unit);
        let about_us: Vec<&str> = said
            .lines()
            .filter(|line| line.contains("checklist"))
            .collect();
        assert!(about_us.is_empty(), "{said}");
    }
}

#[test]
fn the_services_may_do_little_beside_their_work() {
    let folder = TempDir::new().unwrap();
    for unit in units(folder.path()) {
        // In tenths of systemd's scale, on which 0 is a service that may do nothing.
        systemd_analyze(&["security", "--offline=true", "--threshold=20"], &unit);
    }
}

#[test]
fn the_samples_on_the_page_are_the_files() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/OPERATION.md");
    let page = fs::read_to_string(page).unwrap();
    for (language, file) in [("nginx", "nginx.conf"), ("caddyfile", "Caddyfile")] {
        let block = format!("```{language}\n{}```\n", service(file));
        assert!(page.contains(&block), "{file} has changed");
    }
}

#[test]
fn every_setting_of_the_example_is_one_of_the_server() {
    let help = program().args(["serve", "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let settings = service("checklist.env");
    let names: Vec<&str> = settings
        .lines()
        .filter_map(|line| line.trim_start_matches('#').split_once('='))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("CHECKLIST_"))
        .collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        assert!(help.contains(&format!("[env: {name}")), "{name}");
    }
}

#[test]
fn whoever_starts_the_service_is_told_when_it_is_ready_and_when_it_stops() {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("notify");
    let listener = UnixDatagram::bind(&socket).unwrap();
    listener
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let said = || {
        let mut bytes = [0; 64];
        let count = listener.recv(&mut bytes).expect("a word");
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    };
    let mut server = Setup::for_hosts(&[HostKey::of("north")])
        .environment("NOTIFY_SOCKET", &socket.display().to_string())
        .start();
    assert_eq!(said(), "READY=1");
    assert_eq!(server.http().get("/readyz").status, 200);
    server.stop();
    // The server drains for nothing here; ten seconds are what a stop takes at most.
    assert_eq!(said(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=9500000");
}
