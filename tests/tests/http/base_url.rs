//! A base URL with a path: every route, page and asset lives under it.
//!
//! And nothing beside it, because something else may live there.

use checklist_tests::client::Http;
use checklist_tests::{HostKey, Setup, incident};

#[test]
fn everything_lives_under_the_path() {
    let server = Setup::demo().below("/platform").start();
    let http = server.http();
    for path in [
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs/",
        "/control/checklist-control.js",
        "/demo/",
    ] {
        let answer = http.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("A");
    assert_eq!(anna.list().texts(), ["A"]);
}

#[test]
fn nothing_lives_beside_the_path() {
    let server = Setup::demo().below("/platform").start();
    let beside = Http::to(&format!("http://{}", server.address));
    for path in [
        "/openapi.json",
        "/control/checklist-control.js",
        "/demo/",
        "/api/Vendor/ChecklistControl/Types",
        "/platformx/demo/",
    ] {
        beside.get(path).refused(404, "NotFound");
    }
}

#[test]
fn pages_name_their_parts_so_that_they_are_found() {
    let server = Setup::demo().below("/deep/er").start();
    let page = server.http().get("/demo/");
    assert!(
        !page.text().contains("src=\"/control"),
        "an address that leaves the path: {}",
        page.text()
    );
    assert!(
        !page.text().contains("href=\"/control"),
        "an address that leaves the path: {}",
        page.text()
    );
    let document = server.http().get("/openapi.json").ok();
    assert_eq!(document["servers"][0]["url"], server.base_url());
}

#[test]
fn tokens_are_for_the_whole_base_url() {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host))
        .below("/platform")
        .start();
    let anna = server.editor_on(&incident("1"));
    anna.list();
    let claims = host.claims(&format!("http://{}", server.address), "anna", &["Read"]);
    let other = anna.with_token(&host.sign(&claims));
    other
        .call("GetItems", serde_json::json!({}))
        .refused(401, "Unauthenticated");
}
