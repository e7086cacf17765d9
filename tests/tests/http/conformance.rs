//! The OpenAPI document as a promise: a client that nobody here wrote reads it from the server and
//! calls everything in it, as it says and as it does not, in single calls and in steps that follow
//! one another. What is held against the answers, and what is taken back, stands in
//! `tests/conformance/schemathesis.toml`.
//!
//! It makes up addresses of sites and webhooks, so all of it happens in a network without a way out
//! (`own_network`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use checklist_site_server::{Options, SiteServer};
use checklist_tests::own_network::is_inside;
use checklist_tests::promise::{held, in_full, times};
use checklist_tests::{Person, Server, Setup, incident};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How many cases there have to be where the promise is tried in full.
const CASES: u64 = 20_000;

/// What is called at the same time: phases, and where random numbers begin, so that nobody meets
/// another one's cases. In every run one client tries little of each. In full one tries single calls,
/// and another calls that follow one another: Python works on one core, and machines have two.
const CLIENTS: [(&str, u32); 1] = [("examples,fuzzing,stateful", 1)];
const CLIENTS_IN_FULL: [(&str, u32); 2] = [("examples,coverage,fuzzing", 1), ("stateful", 2)];

/// Seconds for which clients go on in full, beginning again with other numbers when they are through.
const SECONDS_IN_FULL: u32 = 960;

#[test]
fn every_example_is_valid_by_the_schema_beside_it() {
    let schemathesis = std::env::var_os("CHECKLIST_SCHEMATHESIS")
        .expect("`cargo xtask test` brings schemathesis and names it");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Its validator of JSON schemas is at hand for its own Python.
    let ran = Command::new(Path::new(&schemathesis).with_file_name("python"))
        .arg(here.join("conformance/examples.py"))
        .arg(here.join("../docs/openapi.json"))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    let (last, faults) = match said.trim_end().rsplit_once('\n') {
        Some((faults, last)) => (last, faults),
        None => (said.trim_end(), ""),
    };
    assert_eq!(faults, "");
    let count = last.strip_suffix(" examples").map(str::parse::<u32>);
    assert!(matches!(count, Some(Ok(100..))), "only {last}");
}

#[test]
fn the_server_answers_as_its_document_says() {
    let name = "conformance::the_server_answers_as_its_document_says";
    let program = std::env::var_os("CHECKLIST_SCHEMATHESIS")
        .map(PathBuf::from)
        .expect("`cargo xtask test` brings schemathesis and names it");
    if !is_inside(name) {
        return;
    }
    let world = World::begin();
    // Whoever lists keys and ends them would sooner or later end the one that it calls with; so
    // that call is made by another key, and alone.
    let clients: &[(&str, u32)] = if in_full() {
        &CLIENTS_IN_FULL
    } else {
        &CLIENTS
    };
    let others = ["--exclude-operation-id", REVOKE];
    let calling: Vec<_> = clients
        .iter()
        .map(|&how| world.client(&program, &world.key, how, &others))
        .map(|client| std::thread::spawn(move || client.report()))
        .collect();
    let mut reports: Vec<Value> = calling
        .into_iter()
        .map(|client| client.join().expect("what came out stands above"))
        .collect();
    let only = ["--include-operation-id", REVOKE];
    let alone = world.client(&program, &world.other, CLIENTS[0], &only);
    reports.push(alone.report());
    for key in [&world.key, &world.other] {
        // Without its key everything would have been answered with 401.
        world.program.with_token(key).get("Types").ok();
    }
    let counts = |of: &str, what: &str| -> Vec<u64> {
        let counts = reports.iter().map(|report| report[of][what].as_u64());
        counts.map(|count| count.expect("a number")).collect()
    };
    let generated = counts("test_cases", "generated");
    let cases: u64 = generated.iter().sum();
    let tested = counts("operations", "tested");
    let calls = tested[0] + tested[tested.len() - 1];
    println!("cases of each client: {generated:?}");
    let enough = if in_full() { CASES } else { 300 };
    assert!(cases >= enough, "only {cases} cases");
    let seeds: Vec<String> = clients.iter().map(|(_, seed)| seed.to_string()).collect();
    held(
        "S6",
        format!(
            "{cases} cases of {calls} calls (seeds {}): 0 times 5xx, 0 breaks of the document",
            seeds.join(" and ")
        ),
    );
}

/// The call that ends a key.
const REVOKE: &str = "RevokeApiKey";

/// A server with something of everything, and somebody who may call all of it.
struct World {
    server: Server,
    /// A key for every call, and another one.
    key: String,
    other: String,
    program: Person,
    /// Values for parameters: which calls, which parameter, the value.
    known: Vec<(&'static str, &'static str, String)>,
    _site: SiteServer,
}

impl World {
    fn begin() -> Self {
        let site = SiteServer::start(Options::default()).expect("a site server");
        let server = Setup::demo()
            .with_vault()
            .argument("--allow-origin")
            .argument(&site.origin())
            .argument("--rate-limit")
            .argument("0")
            .argument("--failed-sign-ins")
            .argument("0")
            .start();
        let admin = server.as_admin().on(&incident("INC-20431"));
        let roles = [
            "admin",
            "owner",
            "auditor",
            "template-admin",
            "site-operator",
        ];
        let key_for = |name: &str| {
            let made = admin.send("ApiKeys", &json!({ "Name": name, "Roles": roles }));
            made.ok()
        };
        let key = text(&key_for("Client")["Secret"]);
        let program = admin.with_token(&key);
        let mut known = furnish(&program, &site);
        known.push((REVOKE, "path.id", text(&key_for("To be ended")["Id"])));
        Self {
            other: text(&key_for("Another client")["Secret"]),
            server,
            key,
            program,
            known,
            _site: site,
        }
    }

    /// The program, about to call what is chosen with a key.
    fn client(
        &self,
        program: &Path,
        key: &str,
        (phases, seed): (&str, u32),
        chosen: &[&str],
    ) -> Client {
        let folder = TempDir::new().expect("a temporary directory");
        let config = folder.path().join("schemathesis.toml");
        std::fs::write(&config, self.config()).expect("the test's own directory");
        let report = folder.path().join("report.json");
        let mut command = Command::new(program);
        command
            .current_dir(folder.path())
            .arg("--config-file")
            .arg(&config)
            .arg("run")
            .arg(format!("{}/openapi.json", self.server.base_url()))
            .args(chosen)
            .args(["--header", &format!("Authorization: Bearer {key}")])
            .args(["--phases", phases])
            .args(["--max-examples", &times(4, 40).to_string()])
            // The same cases each time, so that nobody meets another one's failure.
            .args(["--seed", &seed.to_string()])
            .args(["--generation-database", "none"])
            .args(["--workers", "2", "--continue-on-failure", "--no-color"])
            .args(["--report", "json", "--report-json-path"])
            .arg(&report);
        if in_full() && key == self.key {
            command.args(["--max-time", &SECONDS_IN_FULL.to_string()]);
        }
        Client {
            command,
            report,
            _folder: folder,
        }
    }

    /// The configuration, with what is known of this server.
    fn config(&self) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/schemathesis.toml");
        let mut config = std::fs::read_to_string(path).expect("the configuration");
        for (index, (calls, parameter, value)) in self.known.iter().enumerate() {
            // Mostly what is there, and now and then what comes to mind.
            let often = if *calls == REVOKE { 1.0 } else { 0.7 };
            let block = format!(
                "\n[dictionaries.known{index}]\nvalues = [{value:?}]\n\n[[operations]]\n\
                 include-operation-id-regex = {calls:?}\n\
                 parameters = {{ {parameter:?} = {{ dictionary = \"known{index}\", probability = {often:?} }} }}\n"
            );
            config.write_str(&block).expect("a text grows");
        }
        config
    }
}

/// schemathesis with what it is to call.
struct Client {
    command: Command,
    report: PathBuf,
    _folder: TempDir,
}

impl Client {
    /// Lets it call; what it reports.
    #[track_caller]
    fn report(mut self) -> Value {
        let ran = self.command.output().expect("schemathesis starts");
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(ran.status.success(), "{said}");
        let report = std::fs::read_to_string(&self.report).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("a report in JSON");
        let failures = [
            &report["test_cases"]["unique_failures"],
            &report["operations"]["errored"],
        ];
        assert_eq!(failures, [&json!(0), &json!(0)], "{said}");
        report
    }
}

/// Makes a connection, a webhook with a delivery, and a run, and tells their ids.
fn furnish(program: &Person, site: &SiteServer) -> Vec<(&'static str, &'static str, String)> {
    let sites = program.about_sites();
    let wish = json!({ "Name": "Site", "Method": "Anonymous", "Url": site.site_url() });
    let connection = text(&sites.send("ServiceConnections", &wish).ok()["Id"]);
    let wish = json!({ "ServiceConnection": connection });
    let established = sites.send("EstablishSiteConnection", &wish).ok();
    let handle = text(&established["Connection"]["Handle"]);
    let hook = format!("{}/hook", site.origin());
    let wish = json!({ "Name": "Hook", "Url": hook, "Events": ["journal.entry"] });
    let hooks = program.about_webhooks();
    let hook = text(&hooks.send("", &wish).ok()["Webhook"]["Id"]);
    let told = hooks.send(&format!("{hook}/Test"), &json!({}));
    assert_eq!(told.status, 202, "{}", told.text());
    let delivery = text(&told.json()["Id"]);
    let computers = program.about_computers().get("?Limit=1").ok();
    let computer = text(&computers["Computers"][0]["Id"]);
    let wish =
        json!({ "ServiceConnection": connection, "List": "Computers", "ComputerIds": [computer] });
    let workflow = "VENDOR_SITE_Example_ComputerExport/Runs";
    let begun = program.about_workflows().send(workflow, &wish);
    assert_eq!(begun.status, 202, "{}", begun.text());
    let run = text(&begun.json()["Id"]);
    vec![
        (
            "ServiceConnection$|^GetSite(Lists|Columns)$",
            "path.id",
            connection,
        ),
        ("^GetSiteColumns$", "path.list", "Computers".to_owned()),
        ("Site(Item|Items)$", "body.Connection.Handle", handle),
        ("Site(Item|Items)$", "body.List", "Computers".to_owned()),
        ("(Get|Put|Rotate|Test).*Webhook", "path.id", hook),
        ("WebhookDelivery$", "path.id", delivery),
        ("^GetComputer$", "path.id", computer),
        ("Run$", "path.id", run),
        ("Template", "path.fragmentId", "handover".to_owned()),
        ("Template", "path.id", "onboarding".to_owned()),
        ("Type$", "path.name", "incident".to_owned()),
    ]
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
