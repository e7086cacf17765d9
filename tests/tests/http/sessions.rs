//! The session of the built-in pages: begun, seen by our own pages alone, ended.
//!
//! Begun in the demo, or, on PostgreSQL, where there is none, at a real identity provider. Requests
//! are made as browsers make them, with what they tell of the page they come from.

use std::ops::{Deref, DerefMut};

use checklist_tests::client::{json as with_json, send};
use checklist_tests::data::on_postgres;
use checklist_tests::follow::{asking_for, listen};
use checklist_tests::host::now;
use checklist_tests::identity_provider::{IdentityProvider, Visitor};
use checklist_tests::promise::held;
use checklist_tests::{API, Answer, HostKey, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

const OWN: [(&str, &str); 1] = [("sec-fetch-site", "same-origin")];

/// A server that an administrator can sign in at with a browser.
struct World {
    server: Server,
    provider: Option<IdentityProvider>,
}

impl Deref for World {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Server {
        &mut self.server
    }
}

fn world() -> World {
    let provider = on_postgres().then(IdentityProvider::start);
    let server = match &provider {
        Some(provider) => provider.trusted_by(Setup::demo()).start(),
        None => Server::demo(),
    };
    if let Some(provider) = &provider {
        let user = json!({ "Issuer": provider.issuer, "Subject": "administrator",
            "Name": "Administrator", "Roles": ["admin"] });
        let admin = server.as_admin().on(&incident("1"));
        admin.put("Users", &user).ok();
    }
    World { server, provider }
}

fn begin(world: &World) -> String {
    let answer = if world.provider.is_some() {
        Visitor::default().sign_in(world, "administrator", "/admin/")
    } else {
        let request = world.http().request(Method::POST, "/demo/session");
        send(request.header("sec-fetch-site", "same-origin"))
    };
    let cookie = cookie_of(&answer);
    let session = ask(world, Method::GET, "/session", &cookie, &OWN).ok();
    assert_eq!(session["Roles"], json!(["admin"]));
    cookie
}

/// `name=value` of the session's cookie that an answer sets.
fn cookie_of(answer: &Answer) -> String {
    let set = answer.headers.get_all("set-cookie").iter();
    let mut set = set.filter_map(|set| set.to_str().ok());
    let set = set.find(|set| set.starts_with("checklist-session="));
    let set = set.expect("a session's cookie is set");
    assert!(
        set.contains("HttpOnly") && set.contains("SameSite=Strict"),
        "{set}"
    );
    set.split(';').next().unwrap_or_default().to_owned()
}

fn ask(
    server: &Server,
    method: Method,
    path: &str,
    cookie: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let mut request = server
        .http()
        .request(method.clone(), path)
        .header("cookie", cookie);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if method == Method::POST {
        request = with_json(request, &json!({ "Context": incident("1").context() }));
    }
    send(request)
}

#[test]
fn who_has_not_signed_in_is_told_how() {
    let server = world();
    let problem = server
        .http()
        .get("/session")
        .refused(401, "Unauthenticated");
    let (oidc, demo) = (server.provider.is_some(), server.provider.is_none());
    assert_eq!(
        problem["SignIn"],
        json!({ "Oidc": oidc, "Demo": demo, "Passkey": false })
    );
    let host = Setup::for_hosts(&[HostKey::of("north")]).start();
    let problem = host.http().get("/session").refused(401, "Unauthenticated");
    assert_eq!(
        problem["SignIn"],
        json!({ "Oidc": false, "Demo": false, "Passkey": false })
    );
    host.http()
        .post("/demo/session", &json!({}))
        .refused(404, "NotFound");
}

#[test]
fn a_session_tells_who_it_is_and_opens_the_web_services() {
    let server = world();
    let cookie = begin(&server);
    let session = ask(&server, Method::GET, "/session", &cookie, &OWN).ok();
    assert_eq!(session["Tenant"], "demo");
    assert_eq!(session["Roles"], json!(["admin"]));
    assert!(
        session["Permissions"]
            .as_array()
            .unwrap()
            .contains(&json!("Admin"))
    );
    assert!(session["ExpiresAt"].is_string());
    for (method, call) in [(Method::GET, "ApiKeys"), (Method::POST, "GetItems")] {
        ask(&server, method, &format!("{API}/{call}"), &cookie, &OWN).ok();
    }
}

#[test]
fn a_session_counts_for_our_own_pages_alone() {
    let server = world();
    let cookie = begin(&server);
    let own = server.base_url();
    let origin = |value| [("origin", value)];
    let site = |value| [("sec-fetch-site", value)];
    let reads = ["Types", "Templates", "Users", "Audit", "Journal", "ApiKeys"];
    let changes = [
        (Method::POST, "GetItems"),
        (Method::POST, "AddItems"),
        (Method::POST, "UpdateItems"),
        (Method::POST, "DeleteItems"),
        (Method::POST, "Lock"),
        (Method::POST, "Waive"),
        (Method::POST, "Revocations"),
        (Method::POST, "ApiKeys"),
        (Method::POST, "EmbedTokens"),
        (Method::POST, "Templates/t/Publish"),
        (Method::PUT, "Templates/t"),
        (Method::PUT, "Types/incident"),
        (Method::PUT, "Users"),
        (Method::PUT, "EmbedKeys/k"),
        (Method::DELETE, "Templates/t"),
        (Method::DELETE, "ApiKeys/k"),
        (Method::DELETE, "EmbedKeys/k"),
    ];
    let call = |method: &Method, path: &str, headers: &[(&str, &str)]| {
        let path = format!("{API}/{path}");
        ask(&server, method.clone(), &path, &cookie, headers)
    };
    let let_in = [
        (Method::GET, "Types", vec![]),
        (Method::GET, "Types", site("none").to_vec()),
        (Method::POST, "GetItems", site("same-origin").to_vec()),
        (Method::POST, "GetItems", origin(own.as_str()).to_vec()),
    ];
    for (method, path, headers) in let_in {
        let answer = call(&method, path, &headers);
        assert_eq!(answer.status, 200, "{method} {headers:?}");
    }
    let never = [
        site("cross-site").to_vec(),
        site("same-site").to_vec(),
        origin("null").to_vec(),
        origin("https://evil.example").to_vec(),
        origin("http://127.0.0.1:1").to_vec(),
        [site("cross-site"), origin(own.as_str())].concat(),
    ];
    // What a browser tells of no page at all may read, and change nothing.
    let no_change = [vec![], site("none").to_vec()];
    let mut tried = 0;
    let mut refused = |method: &Method, path: &str, headers: &[(&str, &str)]| {
        let answer = call(method, path, headers);
        assert_eq!(answer.status, 401, "{method} {path} {headers:?}");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        tried += 1;
    };
    for headers in &never {
        for path in reads {
            refused(&Method::GET, path, headers);
        }
    }
    for headers in never.iter().chain(&no_change) {
        for (method, path) in &changes {
            refused(method, path, headers);
        }
    }
    // Nothing of it had an effect: the session goes on.
    ask(&server, Method::GET, "/session", &cookie, &OWN).ok();
    held(
        "S11",
        format!("{tried} calls with a session's cookie from other pages refused"),
    );
}

#[test]
fn no_page_elsewhere_begins_reads_or_ends_a_session() {
    let server = world();
    let cookie = begin(&server);
    let elsewhere = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let begin = (Method::POST, "/demo/session", 403, "OriginRefused");
    // Where there is no demo, there is nothing to begin.
    let begin = server.provider.is_none().then_some(begin);
    let others = [
        (Method::POST, "/session/sign-out", 403, "OriginRefused"),
        (Method::GET, "/session", 401, "Unauthenticated"),
    ];
    for (method, path, status, code) in begin.into_iter().chain(others) {
        let answer = ask(&server, method, path, &cookie, &elsewhere);
        answer.refused(status, code);
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
    ask(&server, Method::GET, "/session", &cookie, &OWN).ok();
}

#[test]
fn signing_out_ends_the_session_on_the_server_too() {
    let server = world();
    let cookie = begin(&server);
    let other = begin(&server);
    let out = ask(&server, Method::POST, "/session/sign-out", &cookie, &OWN);
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    ask(&server, Method::GET, "/session", &cookie, &OWN).refused(401, "Unauthenticated");
    ask(&server, Method::GET, &format!("{API}/Types"), &cookie, &OWN)
        .refused(401, "Unauthenticated");
    ask(&server, Method::GET, "/session", &other, &OWN).ok();
    let again = ask(&server, Method::POST, "/session/sign-out", &cookie, &OWN);
    assert_eq!(again.status, 204);
}

#[test]
fn a_session_survives_a_restart_and_ends_when_everything_is_revoked() {
    let mut server = world();
    let cookie = begin(&server);
    server.restart();
    ask(&server, Method::GET, "/session", &cookie, &OWN).ok();
    let revoke = server
        .http()
        .request(Method::POST, &format!("{API}/Revocations"));
    let revoke = revoke
        .header("cookie", &cookie)
        .header("sec-fetch-site", "same-origin");
    send(with_json(revoke, &json!({ "Everything": true }))).ok();
    ask(&server, Method::GET, "/session", &cookie, &OWN).refused(401, "Unauthenticated");
}

#[test]
fn a_page_that_is_left_open_does_not_keep_its_session_alive() {
    let server = world();
    let left_open = begin(&server);
    let in_use = begin(&server);
    let body = asking_for(&[incident("1")], None);
    let request = server
        .http()
        .request(Method::POST, &format!("{API}/Events"))
        .header("cookie", &left_open)
        .header("sec-fetch-site", "same-origin");
    let stream = listen(with_json(request, &body).send().expect("a stream"));
    stream.next("list");
    // Nobody has been there for two hours but three seconds.
    let used_at = (now() + 3 - 2 * 60 * 60) * 1_000;
    server.spoil(&format!("UPDATE session SET used_at = {used_at}"));
    ask(&server, Method::GET, "/session", &in_use, &OWN).ok();
    assert_eq!(stream.up_to_end(), Vec::<String>::new());
    ask(&server, Method::GET, "/session", &left_open, &OWN).refused(401, "TokenExpired");
    ask(&server, Method::GET, "/session", &in_use, &OWN).ok();
}

#[test]
fn a_person_who_is_disabled_is_out_with_the_next_request() {
    let server = world();
    let cookie = begin(&server);
    let admin = server.as_admin().on(&incident("1"));
    let user = admin.get("Users").ok()["Users"][0].clone();
    assert_eq!(user["Subject"], "administrator");
    let mut deputy = user.clone();
    deputy["Subject"] = json!("deputy");
    admin.put("Users", &deputy).ok();
    let mut reader = user.clone();
    reader["Roles"] = json!(["reader"]);
    admin.put("Users", &reader).ok();
    let keys = format!("{API}/ApiKeys");
    ask(&server, Method::GET, &keys, &cookie, &OWN).refused(403, "PermissionDenied");
    let mut disabled = user;
    disabled["Disabled"] = json!(true);
    admin.put("Users", &disabled).ok();
    ask(&server, Method::GET, "/session", &cookie, &OWN).refused(401, "Unauthenticated");
    // Being let in again is no signing in.
    disabled["Disabled"] = json!(false);
    admin.put("Users", &disabled).ok();
    ask(&server, Method::GET, "/session", &cookie, &OWN).refused(401, "Unauthenticated");
    ask(&server, Method::GET, "/session", &begin(&server), &OWN).ok();
}

#[test]
fn the_last_administrator_stays_one() {
    let server = world();
    let cookie = begin(&server);
    let admin = server.as_admin().on(&incident("1"));
    let own = admin.get("Users").ok()["Users"][0].clone();
    let put = |user: &Value| {
        let request = server.http().request(Method::PUT, &format!("{API}/Users"));
        let request = request
            .header("cookie", &cookie)
            .header("sec-fetch-site", "same-origin");
        send(with_json(request, user))
    };
    let mut reader = own.clone();
    reader["Roles"] = json!(["reader"]);
    let mut disabled = own.clone();
    disabled["Disabled"] = json!(true);
    for change in [&reader, &disabled] {
        put(change).refused(409, "LastAdministrator");
    }
    // Whoever is kept out is no administrator.
    let mut deputy = disabled;
    deputy["Subject"] = json!("deputy");
    put(&deputy).ok();
    put(&reader).refused(409, "LastAdministrator");
    deputy["Disabled"] = json!(false);
    put(&deputy).ok();
    put(&reader).ok();
}
