//! Every command of this program that the documents show is one that it takes: the README, the
//! pages below `docs`, and the README of the client of site lists. Part of the tests of `cli`.
//! A page that shows an option that is gone, or was never there, fails here.

use std::path::{Path, PathBuf};

use clap::Parser as _;

use super::Command;

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The commands inside fences, with lines that go on put together.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut inside = false;
    let mut found = Vec::new();
    let mut begun = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            continue;
        }
        if !inside {
            continue;
        }
        match line.trim_end().strip_suffix('\\') {
            Some(part) => begun.push_str(part),
            None => found.extend(command(&(std::mem::take(&mut begun) + line))),
        }
    }
    found
}

/// The words of a line from this program's name on, up to what the shell takes for itself.
fn command(line: &str) -> Option<Vec<String>> {
    let line = line.split(" # ").next()?.trim();
    let (before, _) = line.split_once("checklist-server ")?;
    let ours =
        |word: &str| word == "sudo" || word == "-u" || word == "checklist" || word.contains('=');
    if !before.split_whitespace().all(ours) {
        return None;
    }
    let mut words = Vec::new();
    let mut quote = None;
    let mut word = String::new();
    for letter in line[before.len()..].chars().chain([' ']) {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(mark)) if letter == mark => quote = None,
            (' ', None) if !word.is_empty() => words.push(std::mem::take(&mut word)),
            (' ', None) => {}
            ('>' | '|' | '&' | ';', None) => break,
            (letter, _) => word.push(letter),
        }
    }
    Some(words)
}

#[test]
fn every_command_that_the_documents_show_is_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = vec![
        root.join("README.md"),
        root.join("backend/site-lists/README.md"),
    ];
    pages(&root.join("docs"), &mut found);
    let mut count = 0;
    for path in found {
        let page = std::fs::read_to_string(&path).expect("a page");
        for words in commands(&page) {
            if let Err(refused) = Command::try_parse_from(&words) {
                panic!("{}: {words:?}\n{refused}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands were found");
}

#[test]
fn words_are_told_apart_as_a_shell_does() {
    let page = "```\nCHECKLIST_LOG=info checklist-server serve --demo \\\n    --listen '127.0.0.1:0' > log &\n```\nchecklist-server none\n";
    assert_eq!(
        commands(page),
        [[
            "checklist-server",
            "serve",
            "--demo",
            "--listen",
            "127.0.0.1:0"
        ]]
    );
}
