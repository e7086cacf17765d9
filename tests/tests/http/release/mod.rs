//! A release is installed from the files that `cargo xtask dist` makes, with the commands of
//! docs/OPERATION.md and SECURITY.md: the archives, the Debian package in a root that is thrown away,
//! the image in podman, the npm package.
//!
//! The files come from the server that is tested everywhere, or, with `cargo xtask dist --check`, are
//! the release itself.

mod archive;
mod container;
mod debian;
mod npm;
mod signature;

use std::env;
use std::fs;
use std::path::PathBuf;

/// The version that the documents name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of the release.
fn folder() -> PathBuf {
    let folder = env::var_os("CHECKLIST_RELEASE");
    PathBuf::from(folder.expect("`cargo xtask test` or `cargo xtask dist --check` names a release"))
}

/// The names of its files that end like this.
fn files(ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("a release");
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    assert!(!names.is_empty(), "the release has no {ending}");
    names
}

/// The one that ends like this.
#[track_caller]
fn file(ending: &str) -> String {
    let mut names = files(ending);
    assert_eq!(names.len(), 1, "{names:?}");
    names.remove(0)
}

/// The first commands below a heading of a document.
#[track_caller]
fn commands(document: &str, heading: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", document]
        .iter()
        .collect();
    let page = fs::read_to_string(path).unwrap();
    let (_, below) = page
        .split_once(&format!("{heading}\n"))
        .unwrap_or_else(|| panic!("{document} has no {heading:?}"));
    let (_, fence) = below.split_once("```sh\n").expect("commands");
    let (commands, _) = fence.split_once("```").expect("their end");
    commands.to_owned()
}
