//! The archives: a program that runs where it was unpacked, and the files of its service.

use std::fs;
use std::path::Path;
use std::process::Command;

use checklist_tests::client::Http;
use checklist_tests::process::Process;
use checklist_tests::setup::without_settings;
use tempfile::TempDir;

use super::{VERSION, commands, files, folder};

/// The target that an archive is for.
fn target(archive: &str) -> &str {
    let start = format!("checklist-server-{VERSION}-");
    let target = archive.strip_prefix(&start);
    target
        .and_then(|rest| rest.strip_suffix(".tar.gz"))
        .unwrap_or_else(|| panic!("{archive} does not say its version and target"))
}

/// A shell that does what the document says to unpack this archive and start a demo.
fn as_documented(archive: &str, folder: &Path) -> Process {
    let commands = commands("docs/OPERATION.md", "### Try it from the archive")
        .replace("x86_64-unknown-linux-gnu", target(archive))
        .replace("serve --demo", "serve --demo --listen 127.0.0.1:0");
    // The shell becomes the server, which then ends with the test.
    let commands = commands.replace("./checklist-server", "exec ./checklist-server");
    let mut shell = Command::new("sh");
    without_settings(&mut shell);
    Process::start(shell.args(["-euc", &commands]).current_dir(folder))
}

#[test]
fn a_demo_starts_where_the_archive_was_unpacked() {
    for archive in files(".tar.gz") {
        let place = TempDir::new().unwrap();
        std::os::unix::fs::symlink(folder().join(&archive), place.path().join(&archive)).unwrap();
        let mut server = as_documented(&archive, place.path());
        let http = Http::to(&server.says("listening on "));
        assert_eq!(http.get("/readyz").status, 200, "{archive}");
        assert_eq!(http.get("/demo/").status, 200, "{archive}");
    }
}

#[test]
fn an_archive_has_what_a_service_needs_and_its_licences() {
    for archive in files(".tar.gz") {
        let listed = Command::new("tar")
            .arg("tzf")
            .arg(folder().join(&archive))
            .output()
            .unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let root = format!("checklist-server-{VERSION}-{}/", target(&archive));
        let names: Vec<&str> = listed
            .lines()
            .map(|line| line.strip_prefix(&root).expect("all is in one folder"))
            .collect();
        let expected = [
            "checklist-server",
            "README.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "checklist-server.service",
            "checklist-replicate.service",
            "checklist.env",
            "nginx.conf",
            "Caddyfile",
        ];
        let (folders, others): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| name.contains('/'));
        assert_eq!(others, expected, "{archive}");
        for folder in ["docs/", "integrations/", "monitoring/"] {
            let is_there = folders.iter().any(|name| name.starts_with(folder));
            assert!(is_there, "{archive}: {folder}");
        }
    }
}

/// An archive, unpacked without the folder that holds everything.
fn unpacked(archive: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    let done = Command::new("tar")
        .arg("xzf")
        .arg(folder().join(archive))
        .arg("--strip-components=1")
        .current_dir(place.path())
        .status()
        .unwrap();
    assert!(done.success(), "{archive}");
    place
}

#[test]
fn links_of_the_documents_lead_to_files_of_the_archive() {
    for archive in files(".tar.gz") {
        let place = unpacked(&archive);
        let mut folders = vec![place.path().to_owned()];
        let mut followed = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                if path.extension().is_none_or(|extension| extension != "md") {
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                for link in text.split("](").skip(1) {
                    let target = link.split([')', '#']).next().unwrap();
                    if target.is_empty()
                        || target.contains(':')
                        || target.contains(char::is_whitespace)
                    {
                        continue;
                    }
                    let is_there = folder.join(target).exists();
                    assert!(is_there, "{archive}: {} has {target}", path.display());
                    followed += 1;
                }
            }
        }
        assert!(followed > 100, "{archive}: {followed}");
    }
}

#[test]
fn an_archive_has_the_extensions_as_their_guides_install_them() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/integrations");
    for archive in files(".tar.gz") {
        let place = unpacked(&archive);
        let differences = Command::new("diff")
            .args(["--recursive", "--brief"])
            .args([&sources, &place.path().join("integrations")])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&differences.stdout);
        assert!(differences.status.success(), "{archive}: {said}");
        for (guide, named) in [
            ("request-tracker.md", "integrations/request-tracker"),
            ("redmine.md", "integrations/redmine/checklist_control"),
        ] {
            let guide = sources.join("../../docs/guides").join(guide);
            let guide = fs::read_to_string(guide).unwrap();
            assert!(guide.contains(&format!("`{named}`")), "{named}");
            assert!(place.path().join(named).is_dir(), "{archive}: {named}");
        }
    }
}
