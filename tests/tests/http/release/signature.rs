//! Checksums and signature, verified with Debian's minisign and coreutils as SECURITY.md says.

use std::fs;
use std::path::Path;
use std::process::Command;

use checklist_tests::process::{Ended, Process};
use tempfile::TempDir;

use super::{VERSION, commands, folder};

fn verify(place: &Path, key: &str) -> Ended {
    let commands = commands("SECURITY.md", "## Verify a release");
    let mut shell = Command::new("sh");
    shell.args(["-euc", &commands]).env("PUBLIC_KEY", key);
    Process::start(shell.current_dir(place)).ended()
}

/// What somebody has downloaded: the release, as links.
fn downloaded() -> TempDir {
    let place = TempDir::new().unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let entry = entry.unwrap();
        std::os::unix::fs::symlink(entry.path(), place.path().join(entry.file_name())).unwrap();
    }
    place
}

/// Puts another file in the place of a link.
fn replace(place: &Path, name: &str, content: &str) {
    fs::remove_file(place.join(name)).unwrap();
    fs::write(place.join(name), content).unwrap();
}

#[test]
fn the_signature_covers_every_file_and_names_the_version() {
    let sums = fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_summed = sums.contains(&format!("  {name}\n"));
        assert_eq!(is_summed, !name.starts_with("SHA256SUMS"), "{name}");
    }
    let Ok(key) = std::env::var("CHECKLIST_RELEASE_KEY") else {
        // Checked by hand before anybody has signed it: then nothing may look like a signature.
        assert!(!folder().join("SHA256SUMS.minisig").exists());
        return;
    };
    let verified = verify(downloaded().path(), &key);
    assert!(verified.status.success(), "{}", verified.said);
    let comment = format!("Trusted comment: checklist-server {VERSION}");
    assert!(verified.said.contains(&comment), "{}", verified.said);
}

#[test]
fn changed_checksums_and_changed_files_are_noticed() {
    let Ok(key) = std::env::var("CHECKLIST_RELEASE_KEY") else {
        return;
    };
    let sums = fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    let place = downloaded();
    replace(place.path(), "SHA256SUMS", &sums.replace('a', "b"));
    let said = verify(place.path(), &key);
    assert!(!said.status.success(), "{}", said.said);
    assert!(
        said.said.contains("Signature verification failed"),
        "{}",
        said.said
    );

    let place = downloaded();
    replace(place.path(), &super::file(".tgz"), "something else");
    let said = verify(place.path(), &key);
    assert!(!said.status.success(), "{}", said.said);
    assert!(said.said.contains("did NOT match"), "{}", said.said);
}
