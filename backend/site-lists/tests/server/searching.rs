//! What is found: by fields of every type, in lists of more rows than a site searches, page by
//! page.
//!
//! On a server of the test's own, over both protocols.

use checklist_site_server::{Options, SiteServer};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use site_lists::{ItemFilter, Protocol, Warnings, get_site_items};

use crate::place::{BOTH, ENGLISH, all_types, computers, server, site};

/// A server whose sites search no more than a few rows without an index, and a list with more.
fn crowded() -> SiteServer {
    let server = SiteServer::start(Options {
        threshold: 50,
        ..Options::default()
    })
    .expect("a free port");
    server.with_site(|site| {
        let list = site.lists.iter_mut().find(|list| list.title == "Computers").expect("the list");
        for number in 0..120 {
            let model = if number % 40 == 0 { "Rare" } else { "Usual" };
            let row = json!({"Title": format!("PC-{number}"), "Model": model, "SerialNumber": format!("S{number}")});
            let row = row.as_object().expect("an object").clone().into_iter().collect();
            list.add(row, 11).expect("a row");
        }
    });
    server
}

#[tokio::test]
async fn items_are_found_by_fields_of_every_type() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for (field, value, ids) in [
            ("Title", json!("Everything"), vec![1]),
            ("Text", json!("It's a / text"), vec![1]),
            ("text", json!("it's A / text"), vec![1]),
            ("Number", json!("42.5"), vec![1]),
            ("Number", json!(0), vec![3]),
            ("Bool", json!(true), vec![1]),
            ("DateTime", json!("2026-01-02T04:04:05+01:00"), vec![1]),
            ("DateOnly", json!("2026-02-01"), vec![1]),
            ("Choice", json!("First"), vec![1]),
            ("MultiChoice", json!("Third"), vec![1]),
            ("User", json!("alice@demo.test"), vec![1]),
            ("User", json!(12), vec![3]),
            ("UserMulti", json!("Demo Members"), vec![1]),
            ("Lookup", json!(1), vec![1]),
            ("Lookup", json!("red"), vec![1]),
            ("LookupMulti", json!(3), vec![1]),
            ("Url", json!("https://example.com/a?b=c"), vec![1]),
            ("Note", json!("One\nTwo"), vec![1]),
            ("Term", json!(ENGLISH), vec![1]),
            ("Terms", json!("english"), vec![1]),
            ("ID", json!(2), vec![2]),
            ("ID", json!(99), vec![]),
            ("Title", json!("nothing of the kind"), vec![]),
            ("User", json!("nobody@demo.test"), vec![]),
        ] {
            let found = get_site_items(&site, &all_types(), field, &value).await;
            let found =
                found.unwrap_or_else(|error| panic!("{protocol:?}: {field} = {value}: {error}"));
            let read: Vec<i64> = found.result.iter().map(site_lists::SiteItem::id).collect();
            assert_eq!(
                read, ids,
                "{protocol:?}: {field} = {value} {:?}",
                found.warnings
            );
        }
    }
}

#[tokio::test]
async fn a_long_list_is_read_to_its_end_and_searched_by_an_index() {
    let server = crowded();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let all = get_site_items(&site, &computers(), "", &Value::Null)
            .await
            .expect("all");
        assert_eq!(all.result.len(), 120, "{protocol:?}");
        assert!(all.warnings.is_empty(), "{protocol:?}: {:?}", all.warnings);
        let found = get_site_items(&site, &computers(), "SerialNumber", &json!("S77"))
            .await
            .expect("one");
        assert_eq!(found.result.len(), 1);
        assert!(
            found.warnings.is_empty(),
            "{protocol:?}: {:?}",
            found.warnings
        );
    }
}

#[tokio::test]
async fn a_search_without_an_index_falls_back_and_names_the_column_to_index() {
    let server = crowded();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let found = get_site_items(&site, &computers(), "Model", &json!("Rare"))
            .await
            .unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        assert_eq!(
            found
                .result
                .iter()
                .map(site_lists::SiteItem::id)
                .collect::<Vec<_>>(),
            [1, 41, 81],
            "{protocol:?}"
        );
        assert!(
            found.warnings.iter().any(|text| text.contains("Model")),
            "{protocol:?}: {:?}",
            found.warnings
        );
    }
}

#[tokio::test]
async fn a_stream_asks_for_a_page_only_when_it_is_read() {
    let server = server();
    let site = site(&server, Protocol::Rest);
    let items = site.items(
        &all_types(),
        Some(ItemFilter::new("Number", 0)),
        &Warnings::default(),
    );
    assert!(server.requests().is_empty());
    let mut items = std::pin::pin!(items);
    assert_eq!(
        items
            .try_next()
            .await
            .expect("an item")
            .map(|item| item.id()),
        Some(3)
    );
    assert!(items.try_next().await.expect("the end").is_none());
}
