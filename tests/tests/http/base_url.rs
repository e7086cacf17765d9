//! A base URL with a path: every route, page and asset lives under it.
//!
//! And nothing beside it, because something else may live there.

use checklist_tests::client::Http;
use checklist_tests::data::on_postgres;
use checklist_tests::{HostKey, Setup, incident};
use serde_json::json;

use super::mcp::{message, post};

/// The pages there are: `--demo` refuses PostgreSQL, and its page is not served there.
fn pages() -> Vec<&'static str> {
    let demo = (!on_postgres()).then_some("/demo/");
    ["/admin/", "/docs/"].into_iter().chain(demo).collect()
}

#[test]
fn everything_lives_under_the_path() {
    let server = Setup::demo().below("/platform").start();
    let http = server.http();
    let files = [
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/control/checklist-control.js",
    ];
    for path in files.into_iter().chain(pages()) {
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
    let others = [
        "/openapi.json",
        "/control/checklist-control.js",
        "/api/Vendor/ChecklistControl/Types",
        "/platformx/admin/",
        "/platformx/demo/",
    ];
    for path in others.into_iter().chain(pages()) {
        beside.get(path).refused(404, "NotFound");
    }
}

#[test]
fn the_short_address_of_open_items_leads_to_their_page_below_the_path() {
    let server = Setup::demo().below("/platform").start();
    for path in ["/open-items", "/open-items/"] {
        let answer = server.http().get(path);
        assert_eq!(answer.status, 307, "{path}: {}", answer.text());
        assert_eq!(answer.header("location"), "/platform/admin/open-items");
    }
}

#[test]
fn pages_name_their_parts_so_that_they_are_found() {
    let server = Setup::demo().below("/deep/er").start();
    for path in pages() {
        let page = server.http().get(path);
        for leaving in ["src=\"/", "href=\"/"] {
            let mut addresses = page.text().split(leaving).skip(1);
            assert!(
                addresses.all(|address| address.starts_with("deep/er/")),
                "an address that leaves the path: {}",
                page.text()
            );
        }
    }
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
        .call("GetItems", json!({}))
        .refused(401, "Unauthenticated");
}

#[test]
fn assistants_find_their_endpoint_and_its_metadata_under_the_path() {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host))
        .below("/platform")
        .start();
    let list = message("tools/list", json!({}));
    let refused = post(&server, "nonsense", &list);
    refused.refused(401, "Unauthenticated");
    let metadata = "/.well-known/oauth-protected-resource/mcp";
    let challenge = refused.header("www-authenticate");
    let named = format!("{}{metadata}", server.base_url());
    assert!(challenge.contains(&named), "{challenge}");
    let resource = &server.http().get(metadata).ok()["resource"];
    assert_eq!(*resource, format!("{}/mcp", server.base_url()));
    let ada = host.sign(&host.claims(&server.base_url(), "ada", &["Read"]));
    let tools = post(&server, &ada, &list).ok();
    assert!(tools["result"]["tools"].is_array(), "{tools}");
}
