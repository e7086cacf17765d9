//! `--demo`: its page, its tokens, its data, and that it opens nothing to strangers.
//!
//! What the page does in a browser is tested there.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::{Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::json;

#[test]
fn a_token_without_wishes_opens_every_list_of_the_demo() {
    let server = Server::demo();
    let answer = server.http().post("/demo/token", &json!({})).ok();
    assert!(
        answer["ExpiresAt"]
            .as_str()
            .is_some_and(|at| at.ends_with('Z')),
        "{answer}"
    );
    let anybody = server
        .as_reader("x")
        .on(&incident("whatever"))
        .with_token(answer["Token"].as_str().unwrap());
    let list = anybody.list();
    let permissions = list.0["Permissions"].as_array().unwrap();
    assert!(
        permissions.contains(&json!("Lock")) && permissions.contains(&json!("Admin")),
        "{permissions:?}"
    );
    let empty = send(server.http().request(Method::POST, "/demo/token"));
    assert!(empty.ok()["Token"].is_string(), "the body may be missing");
}

#[test]
fn wishes_narrow_the_token() {
    let server = Server::demo();
    let wish = json!({ "Roles": ["checker"], "Context": incident("1").context(), "Subject": "carl", "Name": "Carl" });
    let answer = server.http().post("/demo/token", &wish).ok();
    let carl = server
        .as_reader("x")
        .on(&incident("1"))
        .with_token(answer["Token"].as_str().unwrap());
    assert_eq!(carl.list().0["Permissions"], json!(["Read", "Check"]));
    carl.at(&incident("2"))
        .call("GetItems", json!({}))
        .refused(404, "ContextNotFound");
    for wish in [
        json!({ "Role": "admin" }),
        json!({ "Roles": ["king"] }),
        json!({ "Permissions": ["Fly"] }),
        json!({ "Subject": 1 }),
    ] {
        server
            .http()
            .post("/demo/token", &wish)
            .refused(422, "InvalidRequest");
    }
}

#[test]
fn a_token_of_one_start_is_worth_nothing_at_the_next() {
    let mut server = Server::demo();
    let anna = server.editor_on(&incident("1"));
    anna.list();
    server.restart();
    anna.call("GetItems", json!({}))
        .refused(401, "Unauthenticated");
    server.editor_on(&incident("1")).list();
}

#[test]
fn the_demo_lists_are_as_promised() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1"));
    let list = anna.reading("en").list();
    let of_kind = |kind: &str| {
        list.items()
            .iter()
            .filter(|item| item["Kind"] == kind)
            .count()
    };
    assert!(of_kind("Section") >= 2, "sections");
    assert!(
        list.items().iter().any(|item| item["Required"] == true),
        "required items"
    );
    assert!(
        list.items()
            .iter()
            .any(|item| item["Kind"] == "Item" && item["Required"] == false),
        "optional items"
    );
    assert!(
        list.items().iter().any(|item| item["Help"].is_string()),
        "help"
    );
    assert_ne!(
        anna.reading("de").list().texts(),
        list.texts(),
        "German and English"
    );
    assert!(
        !anna
            .at(&incident("1").for_purpose("handover-demo"))
            .list()
            .items()
            .is_empty()
    );
}

#[test]
fn the_page_is_served_under_a_strict_policy() {
    let server = Server::demo();
    let page = server.http().get("/demo/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    for directive in [
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(directive), "no {directive} in {policy:?}");
    }
    assert!(!policy.contains("unsafe-inline"), "{policy}");
    assert!(page.text().contains("<checklist-control"));
    assert!(page.text().contains("<form"));
}

#[test]
fn a_page_that_the_browser_has_kept_keeps_its_policy() {
    let server = Server::demo();
    let page = server.http().get("/demo/");
    let request = server
        .http()
        .request(Method::GET, "/demo/")
        .header("if-none-match", page.header("etag"));
    let again = send(request);
    assert_eq!(again.status, 304);
    assert_eq!(
        again.header("content-security-policy"),
        page.header("content-security-policy")
    );
}

#[test]
fn the_address_without_its_slash_leads_to_the_page() {
    let server = Server::demo();
    let answer = server.http().get("/demo");
    assert!(
        [301, 302, 303, 307, 308].contains(&answer.status),
        "{}",
        answer.status
    );
    assert!(
        answer.header("location").ends_with("/demo/"),
        "{:?}",
        answer.headers
    );
}

#[test]
fn pages_of_other_origins_get_no_token() {
    let server = Server::demo();
    let request = server
        .http()
        .request(Method::POST, "/demo/token")
        .header("origin", "https://evil.example");
    let answer = send(with_json(request, &json!({})));
    answer.refused(403, "OriginRefused");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    let text = answer.text();
    assert!(text.contains("--allow-page https://evil.example"), "{text}");
    // A token that a program gets is for no page to read.
    let answer = server.http().post("/demo/token", &json!({}));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[test]
fn a_name_that_was_rebound_to_this_machine_is_refused() {
    let server = Server::demo();
    for path in ["/demo/", "/healthz", "/control/checklist-control.js"] {
        let request = server
            .http()
            .request(Method::GET, path)
            .header("host", "evil.example:8080");
        let answer = send(request);
        assert_eq!(answer.status, 403, "{path} {}", answer.text());
    }
    let request = server
        .http()
        .request(Method::POST, "/demo/token")
        .header("host", "evil.example");
    send(with_json(request, &json!({}))).refused(403, "OriginRefused");
}

#[test]
fn without_demo_there_is_no_demo() {
    let host = checklist_tests::HostKey::of("north");
    let server = checklist_tests::Setup::for_hosts(&[host]).start();
    server.http().get("/demo/").refused(404, "NotFound");
    server
        .http()
        .post("/demo/token", &json!({}))
        .refused(404, "NotFound");
    let reader = server.as_reader("Anna").on(&incident("1"));
    reader
        .get("Template/onboarding")
        .refused(404, "TemplateNotFound");
}

#[test]
fn passwords_can_be_kept_without_any_preparation() {
    let server = Server::demo();
    let wish = json!({ "Name": "Intranet", "Method": "NTLM", "Url": "https://intranet.example/sites/it",
        "Username": "svc", "Password": "correct horse" });
    let admin = server.as_admin().on(&incident("1")).about_sites();
    let made = admin.send("ServiceConnections", &wish).ok();
    assert_eq!(made["HasPassword"], true);
}

/// A program that may run site activities.
fn program(server: &Server) -> Person {
    let admin = server.as_admin().on(&incident("1"));
    admin
        .program("Inventory", &["site-operator"])
        .about_computers()
}

#[test]
fn the_demo_has_five_hundred_computers_and_keeps_what_became_of_them() {
    let mut server = Server::demo();
    let operator = program(&server);
    assert_eq!(operator.get("").ok()["Total"], 500);
    assert_eq!(operator.get("?Status=Scrapped").ok()["Total"], 25);
    let mut one = operator.get("?Limit=1").ok()["Computers"][0].take();
    let one = one.as_object_mut().expect("a computer");
    one.remove("CreatedAt");
    one.remove("UpdatedAt");
    one["Status"] = json!("Scrapped");
    operator.send("Import", &json!({ "Computers": [one] })).ok();
    server.restart();
    let operator = program(&server);
    assert_eq!(operator.get("").ok()["Total"], 500);
    assert_eq!(operator.get("?Status=Scrapped").ok()["Total"], 26);
}

#[test]
fn the_demo_tells_its_figures_to_this_machine_alone() {
    let said = Setup::demo()
        .argument("--metrics-listen=0.0.0.0:0")
        .refused(2);
    assert!(said.contains("0.0.0.0:0"), "{said}");
}
