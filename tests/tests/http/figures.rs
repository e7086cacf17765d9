//! What an operator watches: the figures on their listener, and the log as JSON.
//!
//! The listener and the log say where and what; the tests count and compare.

use std::collections::{HashMap, HashSet};

use checklist_tests::client::Http;
use checklist_tests::{HostKey, Server, Setup, incident, until};
use serde_json::{Value, json};

/// A server with figures, and where they are.
fn watched(setup: Setup) -> (Server, Http) {
    let server = setup
        .argument("--metrics-listen=127.0.0.1:0")
        .argument("--log-format=json")
        .start();
    let address = until("the server to say where its figures are", || {
        log(&server)
            .iter()
            .find(|line| line["message"] == "figures at /metrics")
            .and_then(|line| line["address"].as_str().map(str::to_owned))
    });
    let figures = Http::to(&format!("http://{address}"));
    (server, figures)
}

/// The whole lines of the log so far.
fn log(server: &Server) -> Vec<Value> {
    let text = server.errors();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect()
}

/// The value of the line that begins with this name and holds these labels.
#[track_caller]
fn figure(figures: &Http, name: &str, labels: &[&str]) -> f64 {
    let answer = figures.get("/metrics");
    let text = answer.text();
    let line = text
        .lines()
        .find(|line| line.starts_with(name) && labels.iter().all(|label| line.contains(label)));
    let value = line
        .and_then(|line| line.rsplit_once(' '))
        .map(|(_, value)| value);
    value.map_or(0.0, |value| {
        value.parse().unwrap_or_else(|_| panic!("{line:?}"))
    })
}

#[test]
fn requests_are_counted_by_route_and_refusals_by_code() {
    let (server, figures) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna.list();
    anna.list();
    let strangers = anna.with_token("nonsense");
    assert_eq!(strangers.call("GetItems", json!({})).status, 401);
    let reads = ["method=\"POST\"", "GetItems\"", "status=\"200\""];
    assert_eq!(
        figure(&figures, "checklist_http_requests_total", &reads),
        2.0
    );
    let times = figure(
        &figures,
        "checklist_http_request_duration_seconds_count",
        &reads[..2],
    );
    assert_eq!(times, 3.0);
    let refused = figure(
        &figures,
        "checklist_problems_total",
        &["code=\"Unauthenticated\""],
    );
    assert_eq!(refused, 1.0);
    server.http().get("/nowhere/INC-1/secret");
    let none = ["route=\"none\"", "status=\"404\""];
    assert_eq!(
        figure(&figures, "checklist_http_requests_total", &none),
        1.0
    );
    let answer = figures.get("/metrics");
    let text = answer.text();
    for private in ["INC-1", "north", "Ask", "secret", "nonsense"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
}

#[test]
fn the_process_and_the_database_are_looked_at_when_somebody_asks() {
    let (server, figures) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    assert_eq!(figure(&figures, "checklist_database_up", &[]), 1.0);
    assert!(figure(&figures, "process_resident_memory_bytes", &[]) > 1e6);
    assert!(figure(&figures, "process_open_fds", &[]) > 5.0);
    let memory = server.memory() as f64;
    let told = figure(&figures, "process_resident_memory_bytes", &[]);
    assert!((0.5..2.0).contains(&(told / memory)), "{told} of {memory}");
    if server.postgres().is_none() {
        let size = std::fs::metadata(server.database()).unwrap().len() as f64;
        assert_eq!(figure(&figures, "checklist_database_file_bytes", &[]), size);
    }
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let stream = anna.follow();
    assert_eq!(figure(&figures, "checklist_live_streams ", &[]), 1.0);
    drop(stream);
    until("the stream to be counted off", || {
        (figure(&figures, "checklist_live_streams ", &[]) == 0.0).then_some(())
    });
}

#[test]
fn figures_are_not_told_on_the_address_of_everybody_else_and_nothing_else_on_theirs() {
    let (server, figures) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    assert_eq!(server.http().get("/metrics").status, 404);
    assert_eq!(figures.get("/healthz").status, 404);
    let request = figures.request(reqwest::Method::GET, "/metrics").header(
        "accept",
        "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
    );
    let answer = checklist_tests::client::send(request);
    let kind = answer.header("content-type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    assert!(answer.text().ends_with("# EOF\n"));
}

/// What `promtool check metrics` looks at: the text format of Prometheus, a help text and a type for
/// every sample, known types, and names that end as their types ask for.
#[test]
fn the_figures_pass_the_rules_of_promtool_check_metrics() {
    let (server, figures) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    server.editor_on(&incident("1").for_purpose("x")).list();
    let answer = figures.get("/metrics");
    let kind = answer.header("content-type");
    assert!(kind.starts_with("text/plain; version=0.0.4"), "{kind}");
    let (mut helped, mut types) = (HashSet::new(), HashMap::new());
    for line in answer.text().lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').expect("words");
            assert!(!words.is_empty() && helped.insert(name), "{line}");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a type");
            let known = ["counter", "gauge", "histogram", "summary", "untyped"];
            assert!(known.contains(&kind) && helped.contains(name), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            assert!(types.insert(name, kind).is_none(), "{line} a second time");
        } else {
            assert!(!line.starts_with('#') && !line.is_empty(), "{line:?}");
            let name = line.split(['{', ' ']).next().unwrap_or_default();
            let family = ["_bucket", "_sum", "_count"].iter().find_map(|ending| {
                let family = name.strip_suffix(ending)?;
                (types.get(family) == Some(&"histogram")).then_some(family)
            });
            assert!(
                family.is_some() || types.contains_key(name),
                "{line} has no type"
            );
            assert!(!name.contains(char::is_uppercase), "{line}");
        }
    }
    assert!(types.len() > 10, "{types:?}");
}

#[test]
fn each_line_of_a_log_for_programs_is_an_object_with_the_requests_id() {
    let (server, _figures) = watched(
        Setup::for_hosts(&[HostKey::of("north")]).argument("--log=info,checklist_server=debug"),
    );
    let answer = server.http().get("/healthz");
    let id = answer.header("x-request-id").to_owned();
    let line = until("the request to be logged", || {
        log(&server).into_iter().find(|line| line["id"] == id)
    });
    assert_eq!(line["path"], "/healthz");
    assert_eq!(line["status"], 200);
    assert_eq!(line["level"], "DEBUG");
}
