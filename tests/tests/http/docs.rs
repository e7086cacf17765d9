//! The documentation under `/docs/`: finished pages under one strict policy, in the form that the
//! client takes, and samples of calls that are parsed or compiled and, some of them, run as they stand.

mod csharp;

use std::collections::BTreeMap;
use std::process::Command;

use checklist_tests::Server;
use checklist_tests::client::{Answer, send};
use checklist_tests::process::feed;
use reqwest::Method;
use serde_json::{Value, json};

fn encoded(server: &Server, path: &str, encoding: &str) -> Answer {
    let request = server.http().request(Method::GET, path);
    send(request.header("accept-encoding", encoding))
}

#[test]
fn a_page_is_sent_compressed_plain_or_not_again() {
    let server = Server::demo();
    let packed = encoded(&server, "/docs/operation", "gzip");
    assert_eq!(
        (packed.status, packed.header("content-encoding")),
        (200, "gzip")
    );
    let plain = encoded(&server, "/docs/operation", "identity");
    assert_eq!((plain.status, plain.header("content-encoding")), (200, ""));
    assert!(plain.header("content-type").starts_with("text/html"));
    assert!(plain.text().contains("<h1>Operation"), "{}", plain.text());
    assert!(packed.body.len() * 2 < plain.body.len());
    let tag = plain.header("etag").to_owned();
    let request = server.http().request(Method::GET, "/docs/operation");
    let again = send(
        request
            .header("accept-encoding", "identity")
            .header("if-none-match", &tag),
    );
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn folders_have_a_page_and_what_is_not_there_is_a_problem() {
    let server = Server::demo();
    for path in [
        "/docs/",
        "/docs/api/",
        "/docs/adr/",
        "/docs/guides/api-developer",
    ] {
        assert_eq!(server.http().get(path).status, 200, "{path}");
    }
    for (path, target) in [
        ("/docs", "/docs/"),
        ("/llms.txt", "/docs/llms.txt"),
        ("/docs/api", "/docs/api/"),
        ("/demo/gallery", "/docs/gallery"),
    ] {
        let answer = encoded(&server, path, "identity");
        assert_eq!(answer.status, 308, "{path}");
        assert!(answer.header("location").ends_with(target), "{path}");
    }
    for path in ["/docs/nowhere", "/docs/api/nowhere/", "/docs/manifest.json"] {
        server.http().get(path).refused(404, "NotFound");
    }
}

#[test]
fn no_page_relaxes_the_policy() {
    let server = Server::demo();
    let index: Value = server.http().get("/docs/search.json").ok();
    let mut pages: Vec<String> = index
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            entry[2]
                .as_str()
                .unwrap()
                .split('#')
                .next()
                .unwrap()
                .to_owned()
        })
        .collect();
    pages.dedup();
    pages.sort();
    pages.dedup();
    assert!(pages.len() > 50, "{pages:?}");
    for page in pages {
        let answer = server.http().get(&format!("/docs/{page}"));
        assert_eq!(answer.status, 200, "{page}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{page}: {policy}");
        assert!(
            policy.contains("require-trusted-types-for 'script'"),
            "{page}"
        );
        assert!(!policy.contains("unsafe-inline"), "{page}: {policy}");
        assert_eq!(
            policy.contains("wasm-unsafe-eval"),
            page == "gallery",
            "{page}"
        );
        for inline in ["<style", " style=\"", " onclick="] {
            assert!(!answer.text().contains(inline), "{page} has {inline}");
        }
    }
}

/// The samples of all pages: language, call, code.
fn samples(server: &Server) -> Vec<(String, String, String)> {
    let start = encoded(server, "/docs/api/", "identity");
    let mut topics: Vec<&str> = start
        .text()
        .split("<h2><a href=\"")
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    topics.dedup();
    assert!(topics.len() >= 10, "{topics:?}");
    let mut found = Vec::new();
    for topic in topics {
        let page = encoded(server, &format!("/docs/api/{topic}"), "identity");
        for section in page.text().split("data-call=\"").skip(1) {
            let call = section.split('"').next().unwrap();
            for sample in section.split("data-sample=\"").skip(1) {
                let language = sample.split('"').next().unwrap();
                let code = sample.split("<code>").nth(1).unwrap();
                let code = code.split("</code>").next().unwrap();
                let code = code
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&amp;", "&");
                found.push((language.to_owned(), call.to_owned(), code));
            }
        }
    }
    found
}

/// Runs a program with a text as its input, and returns what it says.
fn fed(mut command: Command, input: &str) -> (bool, String) {
    let output = feed(&mut command, input.as_bytes());
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn every_sample_is_sound_in_its_language() {
    let server = Server::demo();
    let mut of: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (language, call, code) in samples(&server) {
        of.entry(language).or_default().push((call, code));
    }
    for (language, program, parse) in [
        ("javascript", "node", "const { readFileSync } = require('fs'); const Async = (async () => {}).constructor;
            for (const [call, code] of JSON.parse(readFileSync(0))) try { new Async(code); } catch (error) { console.log(call, error.message); process.exitCode = 1; }"),
        ("python", "python3", "import json, sys\nfor call, code in json.load(sys.stdin): compile(code, call, 'exec')"),
    ] {
        let all = &of[language];
        assert!(all.len() > 60, "{language}: {}", all.len());
        let mut command = Command::new(program);
        command.args([if program == "node" { "-e" } else { "-c" }, parse]);
        let (sound, said) = fed(command, &json!(all).to_string());
        assert!(sound, "{language}: {said}");
    }
    for (call, code) in &of["sh"] {
        let mut bash = Command::new("bash");
        bash.arg("-n");
        let (sound, said) = fed(bash, code);
        assert!(sound, "{call}: {said}");
    }
    assert_eq!(of["csharp"].len(), of["python"].len());
}

/// Calls with a sample in every language, and what each says when it has run.
const RUN: [(&str, &str); 7] = [
    ("GetItems", "Completed"),
    ("AddItems", "Results"),
    ("ListTypes", "incident"),
    ("GetTemplate", "incident-standard"),
    ("ReadAudit", "Rows"),
    ("CreateApiKey", "Secret"),
    ("Healthz", "200"),
];

/// A call's sample in a language, for this server: the page itself puts its address there.
fn sample_for(
    server: &Server,
    samples: &[(String, String, String)],
    of: &str,
    call: &str,
) -> String {
    let found = samples
        .iter()
        .find(|(language, name, _)| language == of && name == call);
    let (_, _, code) = found.unwrap_or_else(|| panic!("{call} has no {of}"));
    code.replace("http://127.0.0.1:8080", &server.base_url())
}

fn token_of_the_demo(server: &Server) -> String {
    let answer = server.http().post("/demo/token", &json!({})).ok();
    answer["Token"].as_str().unwrap().to_owned()
}

/// Calls whose samples need what a demo's person does not have: an API key, a remote site, an id of
/// theirs, a run, somebody's earlier act.
const NEED_MORE: [&str; 15] = [
    "SendSignals",
    "MintEmbedToken",
    "OfferTemplate",
    "DiscardTemplateDraft",
    "ListComputers",
    "ImportComputers",
    "GetComputer",
    "ListRuns",
    "StartComputerExport",
    "GetSiteLists",
    "GetSiteColumns",
    "TestServiceConnection",
    "EstablishSiteConnection",
    "ProveAudit",
    "FollowEvents",
];

#[test]
fn the_samples_of_each_page_can_be_pasted_one_after_the_other() {
    let server = Server::demo();
    let start = encoded(&server, "/docs/api/", "identity");
    let code = start
        .text()
        .split("<code>")
        .find(|code| code.starts_with("export TOKEN"));
    let code = code
        .expect("how to get a token")
        .split("</code>")
        .next()
        .unwrap();
    let code = code
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    let mut token = Command::new("bash");
    token.arg("-s");
    let code = code.replace("http://127.0.0.1:8080", &server.base_url());
    let (_, token) = fed(token, &format!("{code}\nprintf %s \"$TOKEN\""));
    let mut failed = Vec::new();
    let mut ran = 0;
    for (language, call, code) in samples(&server) {
        let is_about_others = code.contains("/Vendor/SiteActivities/") && code.contains("SiteItem")
            || code.contains("018f5a00-0000-7000-8000-000000000001");
        if language != "sh" || is_about_others || NEED_MORE.contains(&call.as_str()) {
            continue;
        }
        let code = code.replace("http://127.0.0.1:8080", &server.base_url());
        let mut bash = Command::new("bash");
        bash.arg("-s").env("TOKEN", &token);
        let (_, said) = fed(
            bash,
            &format!("{code} --write-out '\n%{{http_code}}' --max-time 5"),
        );
        let status = said.trim_end().rsplit('\n').next().unwrap_or_default();
        if !status.starts_with('2') {
            failed.push(format!("{call}: {said}"));
        }
        ran += 1;
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(ran > 50, "{ran}");
}

#[test]
fn samples_run_as_they_stand_in_three_languages() {
    let server = Server::demo();
    let token = token_of_the_demo(&server);
    let samples = samples(&server);
    for (wanted, says) in RUN {
        for (language, program, option) in [
            ("sh", "bash", "-s"),
            ("javascript", "node", "--input-type=module"),
            ("python", "python3", "-"),
        ] {
            let code = sample_for(&server, &samples, language, wanted);
            let code = match (language, wanted) {
                ("sh", "Healthz") => format!("{code} --write-out '%{{http_code}}'"),
                _ => code,
            };
            let mut command = Command::new(program);
            command.arg(option).env("TOKEN", &token);
            let (done, said) = fed(command, &code);
            assert!(
                done && said.contains(says),
                "{wanted} in {language}: {said}\n{code}"
            );
        }
    }
}
