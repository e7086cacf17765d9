//! The control's files: one permanent address, the rest hashed, immutable and precompressed.
//!
//! What there is to load is read from the permanent script, as a browser does.

use std::collections::BTreeSet;
use std::io::Read;

use checklist_tests::client::{Answer, send};
use checklist_tests::{HostKey, Server, Setup};
use reqwest::Method;

const SCRIPT: &str = "/control/checklist-control.js";
const WORKLIST_SCRIPT: &str = "/control/checklist-worklist.js";

fn encoded(server: &Server, path: &str, encoding: &str) -> Answer {
    send(
        server
            .http()
            .request(Method::GET, path)
            .header("accept-encoding", encoding),
    )
}

/// The hashed files that the permanent script of the control names.
fn hashed_files(server: &Server) -> BTreeSet<String> {
    files_of(server, SCRIPT)
}

/// The hashed files that a permanent script names.
fn files_of(server: &Server, script: &str) -> BTreeSet<String> {
    let script = server.http().get(script);
    let text = script.text().to_owned();
    text.split(['"', '\'', '`'])
        .filter(|word| {
            [".wasm", ".js", ".css", ".json"]
                .iter()
                .any(|end| word.ends_with(end))
                && !word.contains(' ')
        })
        .map(|word| {
            format!(
                "/control/{}",
                word.trim_start_matches("./").trim_start_matches('/')
            )
        })
        .collect()
}

#[test]
fn the_permanent_script_is_revalidated_and_open_to_every_page() {
    let server = Server::demo();
    for script in [SCRIPT, WORKLIST_SCRIPT] {
        is_revalidated(&server, script);
    }
}

fn is_revalidated(server: &Server, address: &str) {
    let script = server.http().get(address);
    assert_eq!(script.status, 200);
    assert!(
        script.header("content-type").starts_with("text/javascript"),
        "{:?}",
        script.headers
    );
    assert!(
        script.header("cache-control").contains("no-cache"),
        "{:?}",
        script.headers
    );
    assert_eq!(script.header("access-control-allow-origin"), "*");
    assert_eq!(script.header("x-content-type-options"), "nosniff");
    let tag = script.header("etag").to_owned();
    assert!(!tag.is_empty(), "{:?}", script.headers);
    let again = send(
        server
            .http()
            .request(Method::GET, address)
            .header("if-none-match", &tag),
    );
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn what_it_loads_is_hashed_immutable_and_of_the_right_type() {
    let server = Server::demo();
    let files = hashed_files(&server);
    for end in [".wasm", ".js", ".css", ".json"] {
        assert!(
            files.iter().any(|file| file.ends_with(end)),
            "the script names no {end}: {files:?}"
        );
    }
    for file in files {
        let answer = server.http().get(&file);
        assert_eq!(answer.status, 200, "{file}");
        let cache = answer.header("cache-control");
        assert!(
            cache.contains("immutable") && cache.contains("max-age=31536000"),
            "{file}: {cache}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{file}");
        let kind = match file.rsplit_once('.').unwrap().1 {
            "wasm" => "application/wasm",
            "css" => "text/css",
            "json" => "application/json",
            _ => "text/javascript",
        };
        assert!(
            answer.header("content-type").starts_with(kind),
            "{file}: {:?}",
            answer.headers
        );
    }
}

#[test]
fn files_travel_compressed_when_the_browser_takes_it() {
    let server = Server::demo();
    let wasm = hashed_files(&server)
        .into_iter()
        .find(|file| file.ends_with(".wasm"))
        .unwrap();
    for file in [SCRIPT, &wasm] {
        let plain = encoded(&server, file, "identity");
        assert_eq!(plain.header("content-encoding"), "");
        let brotli = encoded(&server, file, "gzip, deflate, br");
        assert_eq!(brotli.header("content-encoding"), "br", "{file}");
        assert!(brotli.body.len() < plain.body.len());
        assert!(
            brotli
                .header("vary")
                .to_lowercase()
                .contains("accept-encoding"),
            "{file}"
        );
        let gzip = encoded(&server, file, "gzip");
        assert_eq!(gzip.header("content-encoding"), "gzip", "{file}");
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(gzip.body.as_slice())
            .read_to_end(&mut unpacked)
            .unwrap();
        assert!(
            unpacked == plain.body,
            "{file} is another file when compressed"
        );
        assert_ne!(
            brotli.header("etag"),
            plain.header("etag"),
            "{file}: two bodies, one tag"
        );
    }
}

/// What is loaded before the first tick may weigh, as it travels: script, glue and the first WASM. 125,000 of
/// it are to be, and 190,000 in all: both are missed (`docs/adr/0019-what-comes-later.md` says by what),
/// and neither may grow unseen.
const FIRST: usize = 222_000;

/// What all code of the control may weigh.
const ALL: usize = 307_500;

/// What comes later: its names in the script, and what each may weigh.
const PARTS: [&str; 3] = ["deeds", "shared", "views"];
const PART: usize = 45_500;

/// What its style sheet may weigh.
const STYLES: usize = 6_600;

/// What the words of one language may weigh.
const WORDS: usize = 4_600;

/// What all code of the worklist may weigh, and its style sheet. It is a WASM of its own: pages with the
/// control load nothing of it (`docs/adr/0042-a-worklist-is-a-module-of-its-own.md`).
const WORKLIST: usize = 136_000;
const WORKLIST_STYLES: usize = 5_200;

/// The address of a part that comes later, as the script has it.
fn part(server: &Server, name: &str) -> String {
    let script = server.http().get(SCRIPT);
    let (_, behind) = script
        .text()
        .split_once(&format!("{name}:new URL("))
        .unwrap_or_else(|| panic!("no {name} in the script"));
    let address = behind.split(['"', '\'', '`']).nth(1).unwrap();
    format!("/control/{}", address.trim_start_matches("./"))
}

#[test]
fn the_control_keeps_its_budget() {
    let server = Server::demo();
    let files = hashed_files(&server);
    // Of the tables of words a page fetches one, or none.
    let (words, files): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.ends_with(".json"));
    let (styles, code): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.ends_with(".css"));
    let weight = |files: &[&String]| -> usize {
        let weights = files
            .iter()
            .map(|file| encoded(&server, file, "br").body.len());
        weights.sum()
    };
    let parts = PARTS.map(|name| part(&server, name));
    let (later, first): (Vec<_>, Vec<_>) = code.into_iter().partition(|file| parts.contains(file));
    assert_eq!(later.len(), PARTS.len(), "{later:?}");
    for file in &later {
        let bytes = weight(&[file]);
        assert!(bytes <= PART, "{file}: {bytes} bytes that come later");
    }
    let first = encoded(&server, SCRIPT, "br").body.len() + weight(&first);
    let all = first + weight(&later);
    let styles = weight(&styles);
    assert!(first <= FIRST, "{first} bytes before the first tick");
    assert!(all <= ALL, "{all} bytes of code in brotli");
    for table in words {
        let bytes = encoded(&server, table, "br").body.len();
        assert!(bytes <= WORDS, "{table}: {bytes} bytes in brotli");
    }
    assert!(styles <= STYLES, "{styles} bytes of styles in brotli");
}

#[test]
fn the_worklist_keeps_its_budget_and_shares_only_words_with_the_control() {
    let server = Server::demo();
    let files = files_of(&server, WORKLIST_SCRIPT);
    let weight = |end: &str| -> usize {
        let files = files.iter().filter(|file| file.ends_with(end));
        files
            .map(|file| encoded(&server, file, "br").body.len())
            .sum()
    };
    let script = encoded(&server, WORKLIST_SCRIPT, "br").body.len();
    let code = script + weight(".js") + weight(".wasm");
    assert!(code <= WORKLIST, "{code} bytes of code in brotli");
    let styles = weight(".css");
    assert!(styles <= WORKLIST_STYLES, "{styles} bytes of styles");
    let of_control = hashed_files(&server);
    let shared: Vec<&String> = files.intersection(&of_control).collect();
    assert!(
        shared.len() == 5 && shared.iter().all(|file| file.ends_with(".json")),
        "{shared:?}"
    );
}

#[test]
fn a_file_that_is_not_there_is_not_found() {
    let server = Server::demo();
    for path in [
        "/control/checklist-control-00000000.wasm",
        "/control/../Cargo.toml",
        "/control/%2e%2e/data",
        "/control/",
    ] {
        let answer = server.http().get(path);
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[test]
fn assets_are_served_without_demo_too() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    assert_eq!(server.http().get(SCRIPT).status, 200);
}
