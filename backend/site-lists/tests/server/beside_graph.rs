//! What Microsoft Graph cannot do goes over SharePoint REST at the site's own address, where the
//! caller allows it.
//!
//! On a server of the test's own, with TLS, because credentials go to no plain address that an
//! answer names.

use std::sync::Arc;

use checklist_site_server::{Options, SiteServer};
use serde_json::json;
use site_lists::{
    AuthenticationType, DirectTransport, ErrorKind, ItemChange, Site, SiteConnection, SiteOptions,
    SiteUrl, add_site_item,
};

use crate::place::{Token, all_types, read_item, set};

fn open(server: &SiteServer, uses_rest_fallback: bool) -> Site {
    let origin = server.tls_origin().expect("TLS");
    let connection = SiteConnection::new(
        format!("{origin}/v1.0/sites/localhost:/sites/demo"),
        AuthenticationType::ServiceConnection,
    );
    let options = SiteOptions {
        tokens: Some(Arc::new(Token("alice"))),
        uses_rest_fallback,
        ..SiteOptions::default()
    };
    let transport =
        DirectTransport::with_certificates(server.ca_pem().expect("an authority").as_bytes())
            .expect("a transport");
    Site::open(&connection, Arc::new(transport), options).expect("a site")
}

#[tokio::test]
async fn a_link_is_written_beside_graph_and_read_over_it() {
    let server = SiteServer::start(Options::with_tls()).expect("a free port");
    let site = open(&server, true);
    let fields = [
        set("Title", "with a link"),
        set("Url", "https://example.com/x"),
        set("User", "bob@demo.test"),
    ];
    let id = add_site_item(&site, &all_types(), &fields)
        .await
        .expect("an item");
    let item = read_item(&site, &all_types(), id).await;
    let link: SiteUrl = item
        .field("Url")
        .expect("a field")
        .get_value()
        .expect("a link");
    assert_eq!(link.url, "https://example.com/x");
    assert_eq!(item.standard.title.as_deref(), Some("with a link"));
    let asked = |part: &str| {
        server
            .requests()
            .iter()
            .any(|seen| seen.target.contains(part))
    };
    assert!(
        asked("/v1.0/") && asked("/_api/"),
        "{:?}",
        server.requests()
    );
}

#[tokio::test]
async fn of_many_changes_only_those_with_links_go_beside() {
    let server = SiteServer::start(Options::with_tls()).expect("a free port");
    let changes = [
        ItemChange::Add {
            fields: vec![set("Title", "one")],
        },
        ItemChange::Add {
            fields: vec![set("Title", "two"), set("Url", "https://example.com/2")],
        },
        ItemChange::Add {
            fields: vec![set("Title", "three")],
        },
    ];
    let allowed = open(&server, true)
        .change(&all_types(), &changes, None)
        .await
        .expect("a list");
    assert!(allowed.iter().all(Result::is_ok), "{allowed:?}");
    let refused = open(&server, false)
        .change(&all_types(), &changes, None)
        .await
        .expect("a list");
    let kinds: Vec<_> = refused
        .iter()
        .map(|outcome| outcome.as_ref().err().map(|error| error.kind()))
        .collect();
    assert_eq!(kinds, [None, Some(ErrorKind::NotSupported), None]);
}

#[tokio::test]
async fn a_date_is_the_same_date_over_graph_and_over_rest() {
    let server = SiteServer::start(Options::with_tls()).expect("a free port");
    for beside in [true, false] {
        let site = open(&server, beside);
        for date in ["2026-01-31", "2026-07-01", "2026-03-08"] {
            let id = add_site_item(&site, &all_types(), &[set("DateOnly", date)])
                .await
                .expect("an item");
            let over_graph = read_item(&site, &all_types(), id).await;
            assert_eq!(
                over_graph.field("DateOnly").expect("a field").value,
                json!(date),
                "{beside}"
            );
            let rest = crate::place::site(&server, site_lists::Protocol::Rest);
            let over_rest = read_item(&rest, &all_types(), id).await;
            assert_eq!(
                over_rest.field("DateOnly").expect("a field").value,
                json!(date),
                "{beside}"
            );
        }
    }
}
