//! The session of the built-in pages: begun in the demo, seen by our own pages alone, ended.
//!
//! Requests are made as browsers make them, with what they tell of the page they come from.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::{API, Answer, HostKey, Server, Setup, incident};
use reqwest::Method;
use serde_json::json;

const OWN: [(&str, &str); 1] = [("sec-fetch-site", "same-origin")];

fn begin(server: &Server) -> String {
    let request = server.http().request(Method::POST, "/demo/session");
    let answer = send(request.header("sec-fetch-site", "same-origin"));
    assert_eq!(answer.ok()["Roles"], json!(["admin"]));
    cookie_of(&answer)
}

/// `name=value` of the cookie that an answer sets.
fn cookie_of(answer: &Answer) -> String {
    let set = answer.header("set-cookie");
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
    let server = Server::demo();
    let problem = server
        .http()
        .get("/session")
        .refused(401, "Unauthenticated");
    assert_eq!(problem["SignIn"], json!({ "Oidc": false, "Demo": true }));
    let host = Setup::for_hosts(&[HostKey::of("north")]).start();
    let problem = host.http().get("/session").refused(401, "Unauthenticated");
    assert_eq!(problem["SignIn"], json!({ "Oidc": false, "Demo": false }));
    host.http()
        .post("/demo/session", &json!({}))
        .refused(404, "NotFound");
}

#[test]
fn a_session_tells_who_it_is_and_opens_the_web_services() {
    let server = Server::demo();
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
    ask(
        &server,
        Method::GET,
        &format!("{API}/ApiKeys"),
        &cookie,
        &OWN,
    )
    .ok();
    ask(
        &server,
        Method::POST,
        &format!("{API}/GetItems"),
        &cookie,
        &OWN,
    )
    .ok();
}

#[test]
fn a_session_counts_for_our_own_pages_alone() {
    let server = Server::demo();
    let cookie = begin(&server);
    let own = server.base_url();
    let (get, post) = (Method::GET, Method::POST);
    let origin = |value| [("origin", value)];
    let site = |value| [("sec-fetch-site", value)];
    let let_in = [
        (&get, vec![]),
        (&get, site("none").to_vec()),
        (&post, site("same-origin").to_vec()),
        (&post, origin(own.as_str()).to_vec()),
    ];
    let kept_out = [
        (&get, site("cross-site").to_vec()),
        (&get, site("same-site").to_vec()),
        (&get, origin("https://evil.example").to_vec()),
        (&post, vec![]),
        (&post, site("none").to_vec()),
        (&post, site("cross-site").to_vec()),
        (&post, site("same-site").to_vec()),
        (&post, origin("null").to_vec()),
        (&post, origin("https://evil.example").to_vec()),
        (&post, origin("http://127.0.0.1:1").to_vec()),
        (&post, [site("cross-site"), origin(own.as_str())].concat()),
    ];
    let call = |method: &Method, headers: &[(&str, &str)]| {
        let path = if method == get { "Types" } else { "GetItems" };
        ask(
            &server,
            method.clone(),
            &format!("{API}/{path}"),
            &cookie,
            headers,
        )
    };
    for (method, headers) in let_in {
        assert_eq!(call(method, &headers).status, 200, "{method} {headers:?}");
    }
    for (method, headers) in kept_out {
        let answer = call(method, &headers);
        assert_eq!(answer.status, 401, "{method} {headers:?}");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
    }
}

#[test]
fn no_page_elsewhere_begins_reads_or_ends_a_session() {
    let server = Server::demo();
    let cookie = begin(&server);
    let elsewhere = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    for (method, path, status, code) in [
        (Method::POST, "/demo/session", 403, "OriginRefused"),
        (Method::POST, "/session/sign-out", 403, "OriginRefused"),
        (Method::GET, "/session", 401, "Unauthenticated"),
    ] {
        let answer = ask(&server, method, path, &cookie, &elsewhere);
        answer.refused(status, code);
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
    ask(&server, Method::GET, "/session", &cookie, &OWN).ok();
}

#[test]
fn signing_out_ends_the_session_on_the_server_too() {
    let server = Server::demo();
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
    let mut server = Server::demo();
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
fn a_person_who_is_disabled_is_out_with_the_next_request() {
    let server = Server::demo();
    let cookie = begin(&server);
    let admin = server.as_admin().on(&incident("1"));
    let user = admin.get("Users").ok()["Users"][0].clone();
    assert_eq!(user["Subject"], "administrator");
    let mut reader = user.clone();
    reader["Roles"] = json!(["reader"]);
    admin.put("Users", &reader).ok();
    ask(
        &server,
        Method::GET,
        &format!("{API}/ApiKeys"),
        &cookie,
        &OWN,
    )
    .refused(403, "PermissionDenied");
    let mut disabled = user;
    disabled["Disabled"] = json!(true);
    admin.put("Users", &disabled).ok();
    ask(&server, Method::GET, "/session", &cookie, &OWN).refused(401, "Unauthenticated");
}
