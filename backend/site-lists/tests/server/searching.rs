//! What is found: by fields of every type, in lists of more rows than a site searches, page by
//! page.
//!
//! On a server of the test's own, over both protocols.

use checklist_site_server::{Options, SiteServer};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use site_lists::{
    ErrorKind, ItemFilter, ItemQuery, Operator, Protocol, SiteItem, Warnings, get_site_items,
};

use crate::place::{BOTH, ENGLISH, all_types, computers, fill, server, site};

/// A server whose sites search no more than a few rows without an index, and a list with more.
fn crowded() -> SiteServer {
    let server = SiteServer::start(Options {
        threshold: 50,
        ..Options::default()
    })
    .expect("a free port");
    let row = |number: u32| {
        let model = if number.is_multiple_of(40) {
            "Rare"
        } else {
            "Usual"
        };
        json!({"Title": format!("PC-{number}"), "Model": model, "SerialNumber": format!("S{number}")})
    };
    fill(&server, (0..120).map(row));
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

/// The ids of what a filter finds in the list with a column of each type.
async fn found(site: &site_lists::Site, filter: ItemFilter) -> Vec<i64> {
    let shown = format!("{filter:?}");
    let query = ItemQuery {
        filter: Some(filter),
        ..ItemQuery::default()
    };
    let page = site.page(&all_types(), &query).await;
    let page = page.unwrap_or_else(|error| panic!("{:?}: {shown}: {error}", site.protocol()));
    page.items.iter().map(SiteItem::id).collect()
}

#[tokio::test]
async fn one_of_several_values_is_what_a_filter_means_on_every_protocol() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for (field, value, ids) in [
            // The first row holds First and Third, Alice (11) and the members (5), 2 and 3.
            ("MultiChoice", json!("Third"), vec![1]),
            ("MultiChoice", json!(["Second", "Third"]), vec![1]),
            ("MultiChoice", json!(["Second"]), vec![]),
            ("UserMulti", json!([11, 12]), vec![1]),
            (
                "UserMulti",
                json!(["bob@demo.test", "Demo Members"]),
                vec![1],
            ),
            ("UserMulti", json!(["bob@demo.test"]), vec![]),
            ("LookupMulti", json!([1, 3]), vec![1]),
            ("LookupMulti", json!([1]), vec![]),
            ("MultiChoice", json!(null), vec![2, 3]),
            ("UserMulti", json!([]), vec![2, 3]),
        ] {
            let equal = ItemFilter::new(field, value.clone());
            let others = equal.clone().with_operator(Operator::NotEquals);
            assert_eq!(
                found(&site, equal).await,
                ids,
                "{protocol:?}: {field} = {value}"
            );
            let rest: Vec<i64> = (1..=3).filter(|id| !ids.contains(id)).collect();
            assert_eq!(
                found(&site, others).await,
                rest,
                "{protocol:?}: {field} ≠ {value}"
            );
        }
    }
}

#[tokio::test]
async fn people_are_found_by_their_ids_in_columns_of_several() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for (id, ids) in [(11, vec![1]), (5, vec![1]), (12, vec![]), (4_711, vec![])] {
            let filter = ItemFilter::new("UserMulti", id);
            assert_eq!(found(&site, filter).await, ids, "{protocol:?}: {id}");
        }
    }
}

#[tokio::test]
async fn every_operator_means_the_same_on_every_protocol() {
    use Operator::{Contains, Greater, GreaterOrEquals, Less, LessOrEquals, NotEquals, StartsWith};
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for (field, operator, value, ids) in [
            ("Number", Less, json!(42.5), vec![3]),
            ("Number", LessOrEquals, json!("42.5"), vec![1, 3]),
            ("Number", Greater, json!(0), vec![1]),
            ("Number", GreaterOrEquals, json!(0), vec![1, 3]),
            ("Number", NotEquals, json!(0), vec![1, 2]),
            ("Number", NotEquals, json!(null), vec![1, 3]),
            ("Title", NotEquals, json!("zero"), vec![1, 2]),
            ("Title", StartsWith, json!("no"), vec![2]),
            ("Title", Contains, json!("THING"), vec![1, 2]),
            ("Title", Contains, json!("'"), vec![]),
            ("Text", Contains, json!("'s a /"), vec![1]),
            ("Text", NotEquals, json!(null), vec![1]),
            ("Note", Contains, json!("two"), vec![1]),
            ("MultiChoice", Contains, json!("thir"), vec![1]),
            ("Lookup", StartsWith, json!("re"), vec![1]),
            ("DateTime", Less, json!("2026-01-02T03:04:06Z"), vec![1]),
            ("DateTime", Greater, json!("2026-01-02T03:04:05Z"), vec![]),
            ("DateOnly", LessOrEquals, json!("2026-02-01"), vec![1]),
            ("DateOnly", Less, json!("2026-02-01"), vec![]),
            ("DateOnly", Greater, json!("2026-01-31"), vec![1]),
            ("DateOnly", NotEquals, json!("2026-02-01"), vec![2, 3]),
            ("Calculated", Greater, json!(1), vec![1]),
            ("ID", Greater, json!(1), vec![2, 3]),
            ("ID", NotEquals, json!(2), vec![1, 3]),
            ("User", NotEquals, json!("bob@demo.test"), vec![1, 2]),
            ("User", NotEquals, json!("nobody@demo.test"), vec![1, 2, 3]),
            ("User", Contains, json!("ali"), vec![1]),
        ] {
            let filter = ItemFilter::new(field, value.clone()).with_operator(operator);
            assert_eq!(
                found(&site, filter).await,
                ids,
                "{protocol:?}: {field} {operator} {value}"
            );
        }
    }
}

#[tokio::test]
async fn a_list_is_read_part_by_part_and_only_what_is_wanted_of_it() {
    let server = crowded();
    for protocol in BOTH {
        let site = site(&server, protocol);
        site.columns(&computers()).await.expect("columns");
        let filters = [
            (None, 120),
            // Has an index; has none, and is searched in parts; is filtered here.
            (
                Some(ItemFilter::new("SerialNumber", "S1").with_operator(Operator::StartsWith)),
                31,
            ),
            (Some(ItemFilter::new("Model", "Usual")), 117),
            (
                Some(ItemFilter::new("Model", "su").with_operator(Operator::Contains)),
                117,
            ),
        ];
        for (filter, count) in filters {
            let shown = format!("{protocol:?}: {filter:?}");
            let mut query = ItemQuery {
                filter,
                select: vec!["SerialNumber".into(), "model".into(), "_id".into()],
                top: Some(25),
                after: None,
            };
            let mut ids: Vec<i64> = Vec::new();
            let mut parts = 0;
            loop {
                server.forget_requests();
                let page = site.page(&computers(), &query).await;
                let page = page.unwrap_or_else(|error| panic!("{shown}: {error}"));
                assert!(page.items.len() <= 25);
                for item in &page.items {
                    let names = item.fields.iter().map(|field| field.internal_name.as_str());
                    assert_eq!(Vec::from_iter(names), ["SerialNumber", "Model"], "{shown}");
                    assert!(item.standard.title.is_some());
                    assert!(item.standard.created_by_display_name.is_some());
                }
                if query.filter.is_none() {
                    let sent = server.requests().len();
                    assert!(sent <= 3, "{shown}: {sent} requests");
                }
                ids.extend(page.items.iter().map(SiteItem::id));
                parts += 1;
                query.after = page.next;
                if query.after.is_none() {
                    break;
                }
            }
            assert_eq!(ids.len(), count, "{shown}");
            assert!(ids.is_sorted_by(|one, other| one < other), "{shown}");
            assert!(parts <= count.div_ceil(25) + 1, "{shown}: {parts}");
        }
    }
}

#[tokio::test]
async fn a_query_that_makes_no_sense_names_its_part() {
    let server = server();
    let site = site(&server, Protocol::Rest);
    let wrong = [
        (
            ItemQuery {
                top: Some(0),
                ..ItemQuery::default()
            },
            "Top",
        ),
        (
            ItemQuery {
                after: Some("x".into()),
                ..ItemQuery::default()
            },
            "After",
        ),
        (
            ItemQuery {
                select: vec!["Nowhere".into()],
                ..ItemQuery::default()
            },
            "Nowhere",
        ),
        (
            ItemQuery {
                filter: Some(ItemFilter::new("Text", "a").with_operator(Operator::Less)),
                ..ItemQuery::default()
            },
            "Text",
        ),
    ];
    for (query, field) in wrong {
        let error = site.page(&all_types(), &query).await.expect_err(field);
        assert!(
            matches!(
                error.kind(),
                ErrorKind::InvalidValue | ErrorKind::FieldNotFound
            ),
            "{error:?}"
        );
        assert_eq!(error.field(), Some(field));
    }
}

#[tokio::test]
async fn a_single_term_has_its_label() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let (item, _) = site.item(&all_types(), 1).await.expect("an item");
        let read = get_site_items(&site, &all_types(), "", &Value::Null).await;
        let read = read.expect("items").result;
        for item in [&item, &read[0]] {
            let term = &item.field("Term").expect("a field").value;
            assert_eq!(term["Label"], "English", "{protocol:?}");
            assert_eq!(term["TermGuid"], ENGLISH, "{protocol:?}");
        }
    }
}
