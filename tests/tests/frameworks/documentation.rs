//! The guide `docs/EMBEDDING.md` shows what the tests run: each example that names a file stands
//! in that file, and every framework has one.
//! Part of the program `frameworks`; needs no browser.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Without what differs between a page and an excerpt of it: blanks at the ends of lines.
fn plain(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n")
}

/// The examples of the guide: the file that each names, and its text.
fn examples() -> Vec<(String, String)> {
    let guide = fs::read_to_string(root().join("docs/EMBEDDING.md")).expect("the guide");
    let marked = guide.split("<!-- file: ").skip(1);
    marked
        .map(|part| {
            let (file, rest) = part.split_once(" -->").expect("the end of a mark");
            let fence = rest
                .split_once("```")
                .expect("an example")
                .1
                .split_once('\n');
            let (_, rest) = fence.expect("a line that opens the example");
            let (example, _) = rest.split_once("```").expect("the end of an example");
            (file.to_owned(), example.to_owned())
        })
        .collect()
}

#[test]
fn every_example_is_what_the_tests_run() {
    let examples = examples();
    assert!(examples.len() > 7, "{examples:?}");
    for (file, example) in examples {
        let text = fs::read_to_string(root().join(&file))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(
            plain(&text).contains(&plain(&example)),
            "the example of {file} is not what is in it"
        );
    }
}

#[test]
fn every_page_that_is_tested_has_an_example() {
    let shown: Vec<String> = examples().into_iter().map(|(file, _)| file).collect();
    let pages = fs::read_dir(root().join("tests/frameworks")).expect("the pages");
    for page in pages.map_while(Result::ok) {
        let name = page.file_name().to_string_lossy().into_owned();
        if !page.path().is_dir() || ["typings", "node_modules"].contains(&name.as_str()) {
            continue;
        }
        assert!(
            shown
                .iter()
                .any(|file| file.starts_with(&format!("tests/frameworks/{name}/"))),
            "the guide has no example for {name}"
        );
    }
}
