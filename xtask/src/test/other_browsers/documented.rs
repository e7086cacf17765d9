//! Compares `docs/BROWSERS.md` with the existing tests and with what the commands run. It detects a
//! requirement without a test, a renamed test, a wrong mark, and a test that is left out without a
//! reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::firefox::FIREFOX;
use super::webkit::WEBKIT;
use super::{MODULES, OtherBrowser, TESTS};
use crate::check::accessibility::{names, tests_in};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/BROWSERS.md")).expect("the page is there")
}

/// The tests that a name means: `module::test`, `target/module::test`, or all of a module.
fn tests_of(name: &str) -> Vec<String> {
    let (target, rest) = name.split_once('/').unwrap_or(("browser", name));
    let module = rest.split("::").next().unwrap_or_default();
    let file = root().join(format!("tests/tests/{target}/{module}.rs"));
    let source = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut found = tests_in(&source);
    let wanted = rest.rsplit("::").next().unwrap_or_default();
    found.retain(|test| wanted == "*" || *test == wanted);
    assert!(!found.is_empty(), "there is no test {name}");
    let prefix = rest.rsplit_once("::").map_or("", |(prefix, _)| prefix);
    let of = if target == "browser" {
        String::new()
    } else {
        format!("{target}/")
    };
    found
        .into_iter()
        .map(|test| format!("{of}{prefix}::{test}"))
        .collect()
}

fn runs(browser: &OtherBrowser, test: &str) -> bool {
    let chosen = MODULES.iter().any(|module| test.starts_with(module)) || TESTS.contains(&test);
    chosen && !browser.left_out.contains(&test)
}

fn mark(browser: &OtherBrowser, tests: &[String]) -> &'static str {
    match tests.iter().filter(|test| runs(browser, test)).count() {
        0 => "–",
        some if some == tests.len() => "all",
        _ => "some",
    }
}

#[test]
fn every_demand_names_tests_that_are_there_and_says_where_they_run() {
    let page = page();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 33, "one row for each demand");
    for (at, row) in rows.iter().enumerate() {
        let [number, _, tests, firefox, webkit] = row[..] else {
            panic!("a row of five cells: {row:?}");
        };
        assert_eq!(number, (at + 1).to_string());
        let tests: Vec<String> = names(tests).flat_map(tests_of).collect();
        assert!(!tests.is_empty(), "demand {number} has no test");
        assert_eq!(firefox, mark(&FIREFOX, &tests), "demand {number}, Firefox");
        assert_eq!(webkit, mark(&WEBKIT, &tests), "demand {number}, WebKitGTK");
    }
}

#[test]
fn what_is_left_out_in_a_browser_is_there_and_explained() {
    let page = page();
    let (_, reasons) = page
        .split_once("## What is left out, and why")
        .expect("the chapter is there");
    let explained: BTreeSet<&str> = names(reasons).collect();
    let left_out: BTreeSet<&str> = [FIREFOX.left_out, WEBKIT.left_out]
        .concat()
        .into_iter()
        .collect();
    assert_eq!(explained, left_out);
    for test in left_out.iter().chain(&TESTS) {
        assert_eq!(tests_of(test), [*test], "it has another name");
    }
}
