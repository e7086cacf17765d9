//! Puts the API's examples into the library: a row for each, by the names of their files.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=build.rs");
    let code = examples(&here.join("src/http/examples"));
    fs::write(out.join("examples.rs"), code).expect("cargo's folder is writable");
}

/// A row for each example of an operation, by the names of the files: `AddItems.request.json`, and
/// `UpdateItems.Answers.request.json` for one with a name.
fn examples(folder: &Path) -> String {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).expect("the examples").flatten();
    let names: BTreeSet<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let stems: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| {
            ["request", "answer", "accepted"]
                .iter()
                .find_map(|part| name.strip_suffix(&format!(".{part}.json")))
        })
        .collect();
    let file = |stem: &str, part: &str| match names.get(&format!("{stem}.{part}.json")) {
        Some(name) => format!("Some(include_str!({:?}))", folder.join(name)),
        None => "None".to_owned(),
    };
    let mut code = "pub static EXAMPLES: &[Example] = &[\n".to_owned();
    for stem in stems {
        let (operation, name) = stem.split_once('.').unwrap_or((stem, "Default"));
        let _never_fails = writeln!(
            code,
            "    Example {{ operation: {operation:?}, name: {name:?}, request: {}, answer: {}, accepted: {} }},",
            file(stem, "request"),
            file(stem, "answer"),
            file(stem, "accepted"),
        );
    }
    code.push_str("];\n");
    code
}
