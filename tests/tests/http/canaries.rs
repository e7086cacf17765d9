//! Twelve secrets, each given to the server where one of its kind belongs, and looked for wherever
//! something is written or said: the log at its most talkative, every answer, a live stream, the
//! files of the database; as they stand, in base64, in hex, in UTF-16.
//!
//! The site and its sign-in are real ones on this machine.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use checklist_site_server::{Options, SiteServer};
use checklist_tests::client::{json as with_json, send};
use checklist_tests::promise::held;
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// What each of them is given as.
const KINDS: [&str; 12] = [
    "ntlm",
    "kerberos",
    "digest",
    "forms",
    "online",
    "delegated",
    "application",
    "handed-on",
    "inline",
    "misspelt",
    "in-an-address",
    "not-json",
];

fn canary(kind: &str) -> String {
    format!("cAnary~{kind}~Zq7-horse")
}

/// Everything that would give a secret away.
fn traces(secret: &str) -> Vec<Vec<u8>> {
    let bytes = secret.as_bytes();
    let hex = |upper: bool| -> String {
        bytes
            .iter()
            .map(|byte| {
                if upper {
                    format!("{byte:02X}")
                } else {
                    format!("{byte:02x}")
                }
            })
            .collect()
    };
    let mut traces = vec![
        bytes.to_vec(),
        hex(false).into_bytes(),
        hex(true).into_bytes(),
        secret.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        secret.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        // As a form or an address carries it.
        secret.replace('~', "%7E").into_bytes(),
    ];
    // In base64 it looks different by where it begins among what stands around it.
    for before in 0..3 {
        let shifted = [&b"   "[..before], bytes].concat();
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let text = engine.encode(&shifted);
            let whole = [0, 2, 3][before]..text.len() - text.len() % 4;
            traces.push(text.as_bytes()[whole].to_vec());
        }
    }
    traces
}

fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|part| part == needle)
}

/// What was heard, by where.
#[derive(Default)]
struct Heard(Vec<(String, Vec<u8>)>);

impl Heard {
    fn answer(&mut self, call: &str, answer: Answer) -> Answer {
        let mut heard = format!("{:?}", answer.headers).into_bytes();
        heard.extend_from_slice(&answer.body);
        self.0.push((format!("the answer to {call}"), heard));
        answer
    }

    fn files_of(&mut self, server: &Server) {
        // On PostgreSQL there is no such directory.
        let files = std::fs::read_dir(server.data_dir()).into_iter().flatten();
        for file in files {
            let path = file.expect("a file").path();
            if let Ok(bytes) = std::fs::read(&path) {
                self.0.push((path.display().to_string(), bytes));
            }
        }
        if let Some(database) = server.postgres() {
            let dump = database.dump();
            assert!(holds(&dump, b"service_connection"), "an empty dump");
            self.0.push(("the database, dumped".to_owned(), dump));
        }
    }

    #[track_caller]
    fn gives_nothing_away(&self) {
        for kind in KINDS {
            for trace in traces(&canary(kind)) {
                for (place, heard) in &self.0 {
                    let shown = String::from_utf8_lossy(&trace);
                    assert!(!holds(heard, &trace), "{kind} in {place} as {shown}");
                }
            }
        }
    }
}

fn world() -> (Server, SiteServer) {
    world_that_breaks_down("nowhere")
}

/// A server whose requests panic at that place, and tell all that they know of how they came there.
fn world_that_breaks_down(place: &str) -> (Server, SiteServer) {
    let site = SiteServer::start(Options::default()).expect("a site server");
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&site.origin())
        .argument("--log")
        .argument("trace")
        .environment("CHECKLIST_FAILPOINT", place)
        .environment("RUST_BACKTRACE", "full")
        .start();
    (server, site)
}

fn operator(admin: &Person) -> Person {
    admin.program("Program", &["site-operator"]).about_sites()
}

/// A connection of each kind, with its secret.
fn connections(site: &SiteServer) -> Vec<(&'static str, Value)> {
    let url = site.site_url();
    let with_password = |kind: &'static str, method: &str| {
        let wish = json!({ "Name": kind, "Method": method, "Url": url, "Username": "svc",
            "Password": canary(kind), "Timeout": 5 });
        (kind, wish)
    };
    let with_secret = |kind: &'static str, method: &str| {
        let wish = json!({ "Name": kind, "Method": method, "Url": url, "Issuer": site.origin(),
            "ClientId": "checklists", "ClientSecret": canary(kind), "Timeout": 5 });
        (kind, wish)
    };
    let mut all = vec![
        with_password("ntlm", "NTLM"),
        with_password("kerberos", "Kerberos"),
        with_password("digest", "Digest"),
        with_password("forms", "Forms"),
        with_password("online", "SiteOnline"),
        with_secret("delegated", "Delegated"),
        with_secret("application", "Application"),
    ];
    // By the former dialogue, which is the one that a password travels in.
    all[4].1["TokenService"] = json!(format!("{}/extSTS.srf", site.origin()));
    all[1].1["Kdc"] = json!("tcp://127.0.0.1:9");
    all[1].1["Domain"] = json!("EXAMPLE.TEST");
    all
}

#[test]
fn twelve_secrets_are_nowhere_to_be_found() {
    let (mut server, site) = world();
    let place = incident("1").for_purpose("x");
    let stream = server.as_reader("Rita").on(&place).follow();
    stream.next("list");
    let admin = server.as_admin().on(&place).about_sites();
    let operator = operator(&server.as_admin().on(&place));
    let mut heard = Heard::default();

    for (kind, wish) in connections(&site) {
        let made = heard.answer(kind, admin.send("ServiceConnections", &wish));
        let path = format!(
            "ServiceConnections/{}",
            made.ok()["Id"].as_str().expect("an id")
        );
        heard.answer(
            "Test",
            admin.send(&format!("{path}/Test"), &json!({ "List": "Computers" })),
        );
        heard.answer("Get", admin.get(&path));
        heard.answer(
            "Connect",
            admin.send(&format!("{path}/Connect"), &json!({})),
        );
        let establish = json!({ "ServiceConnection": made.json()["Id"] });
        heard.answer(
            "Establish",
            operator.send("EstablishSiteConnection", &establish),
        );
    }
    heard.answer("the list of connections", admin.get("ServiceConnections"));

    // Handed on, brought along, and what is wrong in all the ways in which it can be.
    let own = json!({ "Name": "Own", "Method": "PassThrough", "Url": site.site_url() });
    let own = admin.send("ServiceConnections", &own).ok();
    let read = json!({ "Connection": { "ServiceConnection": own["Id"] }, "List": "Computers" });
    for scheme in ["Bearer", "Basic", "Negotiate"] {
        let request = operator.request(Method::POST, "GetSiteItems");
        let credential = format!("{scheme} {}", canary("handed-on"));
        let request = request.header("site-authorization", credential);
        heard.answer("GetSiteItems", send(with_json(request, &read)));
    }
    let credentials = json!({ "Url": site.site_url(), "AuthenticationType": "Forms",
        "Username": "svc", "Password": canary("inline") });
    let establish = json!({ "Credentials": credentials });
    heard.answer(
        "inline",
        operator.send("EstablishSiteConnection", &establish),
    );
    let inline = json!({ "Connection": credentials, "List": "Computers", "ItemId": 1 });
    heard.answer("inline", operator.send("GetSiteItem", &inline));
    let misspelt = json!({ "Name": "x", "Method": "NTLM", "Url": site.site_url(),
        "Username": "svc", "Pasword": canary("misspelt"), "Timeout": canary("misspelt") });
    heard
        .answer("misspelt", admin.send("ServiceConnections", &misspelt))
        .refused(422, "InvalidRequest");
    let address = format!("https://svc:{}@intranet.example/", canary("in-an-address"));
    let in_address = json!({ "Name": "y", "Method": "Anonymous", "Url": address });
    heard
        .answer("address", admin.send("ServiceConnections", &in_address))
        .refused(422, "InvalidRequest");
    let torn = admin.request(Method::POST, "ServiceConnections");
    let torn = torn.header("content-type", "application/json");
    let torn = torn.body(format!(
        "{{\"Password\": \"{}\", \"Name\": }}",
        canary("not-json")
    ));
    heard
        .answer("torn", send(torn))
        .refused(400, "MalformedJson");

    server.editor_on(&place).add("The stream goes on");
    let told = stream.until("list", |event| event.to_string().contains("goes on"));
    heard
        .0
        .push(("the live stream".to_owned(), told.to_string().into_bytes()));
    heard.files_of(&server);
    server.stop();
    heard.files_of(&server);
    let log = server.errors();
    assert!(
        log.contains("DEBUG"),
        "the log is not at its most talkative"
    );
    heard.0.push(("the log".to_owned(), log.into_bytes()));
    assert!(heard.0.len() > 40, "{}", heard.0.len());
    heard.gives_nothing_away();
    let database = match server.postgres() {
        Some(_) => "PostgreSQL",
        None => "SQLite",
    };
    held(
        "S3",
        format!(
            "{database}: {} secrets in {} shapes each, looked for in {} answers, files, streams and logs: 0 found",
            KINDS.len(),
            traces(&canary(KINDS[0])).len(),
            heard.0.len()
        ),
    );
}

/// What a connection is made with and used for, whatever becomes of it.
fn make_and_use(admin: &Person, operator: &Person, site: &SiteServer, heard: &mut Heard) {
    for (kind, wish) in connections(site) {
        let made = heard.answer(kind, admin.send("ServiceConnections", &wish));
        if made.status >= 400 {
            made.refused(500, "Internal");
            continue;
        }
        let id = made.json()["Id"].clone();
        let test = format!("ServiceConnections/{}/Test", id.as_str().expect("an id"));
        heard.answer("Test", admin.send(&test, &json!({ "List": "Computers" })));
        let establish = json!({ "ServiceConnection": id });
        heard.answer(
            "Establish",
            operator.send("EstablishSiteConnection", &establish),
        );
    }
    heard.answer("the list of connections", admin.get("ServiceConnections"));
    let own = json!({ "Name": "Own", "Method": "PassThrough", "Url": site.site_url() });
    let own = heard.answer("own", admin.send("ServiceConnections", &own));
    let read =
        json!({ "Connection": { "ServiceConnection": own.json()["Id"] }, "List": "Computers" });
    let request = operator.request(Method::POST, "GetSiteItems");
    let request = request.header(
        "site-authorization",
        format!("Bearer {}", canary("handed-on")),
    );
    heard.answer("GetSiteItems", send(with_json(request, &read)));
    let establish = json!({ "Credentials": { "Url": site.site_url(), "AuthenticationType": "Digest",
        "Username": "svc", "Password": canary("inline") } });
    heard.answer(
        "inline",
        operator.send("EstablishSiteConnection", &establish),
    );
}

#[test]
fn a_request_that_breaks_down_with_a_secret_in_its_hands_gives_nothing_away() {
    let mut panics = 0;
    for (place, least) in [
        ("connection.written", 8),
        ("site.opened", 12),
        ("site.asked", 8),
    ] {
        let (mut server, site) = world_that_breaks_down(place);
        let admin = server.as_admin().on(&incident("1")).about_sites();
        let operator = operator(&server.as_admin().on(&incident("1")));
        let mut heard = Heard::default();
        make_and_use(&admin, &operator, &site, &mut heard);
        heard.files_of(&server);
        server.stop();
        heard.files_of(&server);
        let log = server.errors();
        let broken = log.matches(&format!("failpoint {place}")).count();
        assert!(broken >= least, "{place}: {broken} panics");
        assert!(log.contains("stack backtrace"), "{place}: no backtrace");
        heard.0.push(("the log".to_owned(), log.into_bytes()));
        heard.gives_nothing_away();
        panics += broken;
    }
    held(
        "S3",
        format!("{panics} panics with a secret at hand: 0 found"),
    );
}

#[test]
fn what_is_looked_for_would_be_found() {
    let secret = canary("ntlm");
    let basic = STANDARD_NO_PAD.encode(format!("svc:{secret}"));
    let utf16: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for place in [
        format!("password={secret};").into_bytes(),
        basic.into_bytes(),
        utf16,
    ] {
        assert!(traces(&secret).iter().any(|trace| holds(&place, trace)));
    }
}
