//! What outlives a request: the data file, TLS, and the page that shows it all.
//!
//! What real clients rely on, asked over a real connection.

use checklist_site_server::{Options, SiteServer};
use reqwest::blocking::Client;
use serde_json::json;

use crate::caller::{Caller, send};

const ITEMS: &str = "/_api/web/lists/getByTitle('Computers')/items";

#[test]
fn a_data_file_brings_everything_back_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("below/site.json");
    let options = || Options {
        data: Some(path.clone()),
        ..Options::default()
    };
    let before = {
        let site = Caller::of(options());
        site.post(ITEMS, &json!({"Title": "kept", "AssignedToId": 12}))
            .expect(201);
        site.get(&format!("{ITEMS}(1)")).expect(200).json()
    };
    let site = Caller::of(options());
    assert_eq!(site.get(&format!("{ITEMS}(1)")).expect(200).json(), before);
    site.delete(&format!("{ITEMS}(1)")).expect(200);
    drop(site);
    let site = Caller::of(options());
    site.get(&format!("{ITEMS}(1)")).expect(404);
    assert_eq!(
        site.post(ITEMS, &json!({"Title": "new"})).json()["Id"],
        2,
        "numbers are not given twice"
    );
    drop(site);
    std::fs::write(&path, "{}").expect("a file");
    assert!(
        SiteServer::start(options()).is_err(),
        "another file is not taken for a site"
    );
}

#[test]
fn the_port_with_tls_is_trusted_by_whoever_trusts_its_authority() {
    let site = Caller::of(Options::with_tls());
    let pem = site.server.ca_pem().expect("it has an authority");
    let authority = reqwest::Certificate::from_pem(pem.as_bytes()).expect("a certificate");
    let trusting = Client::builder()
        .no_proxy()
        .tls_certs_only([authority])
        .build()
        .expect("a client");
    let origin = site.server.tls_origin().expect("it listens with TLS");
    let url = format!("{origin}/v1.0/sites/localhost:/sites/demo");
    let answer = send(trusting.get(&url)).expect(200).json();
    assert!(
        answer["webUrl"]
            .as_str()
            .unwrap_or_default()
            .starts_with("https://localhost:")
    );
    assert!(
        Client::builder()
            .no_proxy()
            .build()
            .expect("a client")
            .get(&url)
            .send()
            .is_err()
    );
    let file = site
        .server
        .ca_file()
        .expect("it is written down")
        .to_owned();
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), pem);
    drop(site);
    assert!(!file.exists());
}

#[test]
fn the_pages_show_lists_and_items_and_nothing_in_them_runs() {
    let site = Caller::new();
    site.post(
        ITEMS,
        &json!({"Title": "<script>alert(1)</script>", "AssignedToId": 12}),
    )
    .expect(201);
    let get = |path: &str| send(Client::new().get(format!("{}{path}", site.server.origin())));
    let root = get("/").expect(200);
    assert!(root.text.contains("Computers") && root.text.contains("All Types"));
    assert!(!root.text.contains("User Information List"));
    assert!(
        root.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    let list = get("/sites/demo/Lists/Computers").expect(200).text;
    assert!(
        list.contains("&lt;script&gt;") && !list.contains("<script>"),
        "{list}"
    );
    assert!(list.contains("Bob Baker"));
    let item = get("/sites/demo/Lists/Computers/1_.000").expect(200).text;
    assert!(
        item.contains("<dt>Assigned") || item.contains("<dt>AssignedTo</dt>"),
        "{item}"
    );
    get("/sites/demo/Lists/All%20Types/1_.000").expect(200);
    get("/lists/nonsense").expect(404);
    get("/nowhere").expect(404);
    let log = get("/requests").expect(200).json();
    assert_eq!(log["requests"][0]["status"], 201);
}

#[test]
fn etags_carry_the_items_id_where_that_is_asked_for() {
    let site = Caller::of(Options {
        guid_etags: true,
        ..Options::default()
    });
    let made = site.post(ITEMS, &json!({"Title": "x"})).expect(201);
    let etag = made.header("etag").to_owned();
    assert!(
        etag.starts_with('"') && etag.ends_with(",1\"") && etag.len() == 40,
        "{etag}"
    );
    let request = site
        .request("DELETE", &format!("{ITEMS}(1)"))
        .header("if-match", &etag);
    send(request).expect(200);
}
