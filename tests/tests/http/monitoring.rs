//! The files that operators monitor the server with: alert rules, a dashboard, and the metrics that
//! both speak of. The judge is Prometheus' own `promtool`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use checklist_tests::client::Http;
use checklist_tests::process::feed;
use checklist_tests::receiver::{Receiver, Reply};
use checklist_tests::{HostKey, Person, Server, Setup, debian, incident, until};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../backend/service/monitoring"]
        .iter()
        .collect()
}

fn promtool() -> Command {
    debian::program("CHECKLIST_PROMETHEUS", "prometheus", "usr/bin/promtool")
}

/// Runs `promtool`; gives what it said.
#[track_caller]
fn judge(command: &mut Command) -> String {
    let output = command.output().expect("promtool starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// A server with metrics, and where they are.
fn watched(setup: Setup) -> (Server, Http) {
    let address = checklist_tests::setup::free_address();
    let server = setup
        .argument("--metrics-listen")
        .argument(&address)
        .start();
    (server, Http::to(&format!("http://{address}")))
}

fn metric(metrics: &Http, line: &str) -> Option<f64> {
    let answer = metrics.get("/metrics");
    answer.text().lines().find_map(|one| {
        let (name, value) = one.rsplit_once(' ')?;
        (name == line).then(|| value.parse().ok())?
    })
}

#[test]
fn promtool_accepts_the_metrics() {
    let (server, metrics) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    server.editor_on(&incident("1").for_purpose("x")).add("Ask");
    let text = metrics.get("/metrics").body;
    let output = feed(promtool().args(["check", "metrics"]), &text);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn promtool_accepts_the_rules_and_every_case_of_theirs_holds() {
    judge(
        promtool()
            .args(["check", "rules"])
            .arg(folder().join("alerts.yml")),
    );
    judge(
        promtool()
            .args(["test", "rules"])
            .arg(folder().join("alerts.test.yml")),
    );
    let rules = fs::read_to_string(folder().join("alerts.yml")).unwrap();
    let cases = fs::read_to_string(folder().join("alerts.test.yml")).unwrap();
    for name in rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
    {
        let case = format!("alertname: {name}\n        exp_alerts:\n");
        assert!(cases.contains(&case), "{name} has no case that raises it");
    }
}

/// The names of metrics in a text.
fn names_in(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter))
        .filter(|word| word.starts_with("checklist_") || word.starts_with("process_"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_server_has_every_metric_that_rules_and_dashboard_name() {
    let receiver = Receiver::open();
    let setup = Setup::for_hosts(&[HostKey::of("north")]);
    let (server, metrics) = watched(with_webhooks(setup, &receiver));
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna.with_token("nonsense").call("GetItems", json!({}));
    let answer = metrics.get("/metrics");
    let there = names_in(answer.text());

    let rules = fs::read_to_string(folder().join("alerts.yml")).unwrap();
    let mut wanted = names_in(&rules);
    let dashboard = fs::read_to_string(folder().join("dashboard.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).expect("the dashboard is JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    assert!(panels.len() > 10);
    for panel in panels {
        for target in panel["targets"].as_array().expect("targets") {
            let query = target["expr"].as_str().expect("a query");
            wanted.extend(names_in(query));
            // Grafana fills these in before it asks.
            let query = query
                .replace("$__rate_interval", "5m")
                .replace("$instance", ".*");
            parses(&query);
        }
    }
    let missing: Vec<_> = wanted.difference(&there).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let unused: Vec<_> = there
        .iter()
        .filter(|name| name.starts_with("checklist_") && !wanted.contains(*name))
        .filter(|name| !name.ends_with("_sum") && !name.ends_with("_count"))
        .filter(|name| !name.ends_with("duration_seconds") && *name != "checklist_build_info")
        .collect();
    assert!(unused.is_empty(), "nobody looks at {unused:?}");
}

/// Fails unless a query is one of Prometheus.
#[track_caller]
fn parses(query: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let rule =
        json!({ "groups": [{ "name": "panel", "rules": [{ "record": "panel", "expr": query }] }] });
    fs::write(file.path(), rule.to_string()).unwrap();
    judge(promtool().args(["check", "rules"]).arg(file.path()));
}

fn with_webhooks(setup: Setup, receiver: &Receiver) -> Setup {
    let setup = setup.with_vault();
    setup.argument("--allow-origin").argument(&receiver.origin)
}

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("INC-7").for_purpose("x"))
}

#[test]
fn deliveries_that_wait_and_that_were_taken_are_counted() {
    let receiver = Receiver::open();
    receiver.then(Reply::Status(500));
    let setup = Setup::for_hosts(&[HostKey::of("north")]);
    let (server, metrics) = watched(with_webhooks(setup, &receiver));
    let admin = admin(&server);
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["checklist.completed", "checklist.reopened"] });
    admin.about_webhooks().send("", &wish).ok();
    assert_eq!(
        metric(&metrics, "checklist_webhook_deliveries_pending"),
        Some(0.0)
    );
    admin.add("Ask");
    admin.tick("Ask");
    let is = |line: &str, value: f64| {
        until(line, || {
            (metric(&metrics, line) == Some(value)).then_some(())
        })
    };
    is("checklist_webhook_attempts_total{outcome=\"retry\"}", 1.0);
    is("checklist_webhook_deliveries_pending", 1.0);
    is("checklist_webhooks_failing", 1.0);
    until("the delivery to grow older", || {
        metric(&metrics, "checklist_webhook_oldest_pending_age_seconds").filter(|age| *age > 0.0)
    });
    receiver.then(Reply::Status(204));
    admin.untick("Ask");
    is(
        "checklist_webhook_attempts_total{outcome=\"delivered\"}",
        1.0,
    );
    is("checklist_webhooks_failing", 0.0);
    let answer = metrics.get("/metrics");
    for private in ["INC-7", "north", "Desk", &receiver.origin] {
        assert!(!answer.text().contains(private), "{private}");
    }
}

#[test]
fn the_connections_of_the_store_are_told_with_their_limits() {
    let (server, metrics) = watched(Setup::for_hosts(&[HostKey::of("north")]));
    let pools: &[&str] = if server.postgres().is_some() {
        &["connections"]
    } else {
        &["readers", "writer"]
    };
    for pool in pools {
        let of = |name: &str| {
            metric(
                &metrics,
                &format!("checklist_database_pool_{name}{{pool=\"{pool}\"}}"),
            )
        };
        assert!(of("limit") >= Some(1.0), "{pool}");
        assert!(of("in_use") <= of("limit"), "{pool}");
        until("nobody to wait", || {
            (of("waiting") == Some(0.0)).then_some(())
        });
    }
    assert_eq!(
        metric(&metrics, "checklist_workflow_runs{state=\"queued\"}"),
        Some(0.0)
    );
}
