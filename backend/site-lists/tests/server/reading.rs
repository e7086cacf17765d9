//! What is read: fields with their types, the standard keys, filters of every kind, and lists of
//! more rows than a site searches.
//!
//! On a server of the test's own, over both protocols.

use checklist_site_server::{Kind, Options, Rule, SiteServer};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use site_lists::{
    ErrorKind, ItemFilter, Protocol, STANDARD_KEYS, SiteFieldType, SiteList, SiteListParts,
    SiteLookup, SiteUrl, SiteUserOrGroup, Warnings, get_site_item, get_site_items,
};

use crate::place::{BOTH, all_types, computers, server, set, site};

/// The id of the term that the first row holds.
const ENGLISH: &str = "8246e3c1-19ea-4b22-8ae3-df9cbc150a74";

#[tokio::test]
async fn every_type_is_read_with_its_value_over_both_protocols() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let told = get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item");
        let item = told.result;
        let value = |name: &str| {
            item.field(name)
                .unwrap_or_else(|| panic!("{protocol:?}: {name}"))
                .value
                .clone()
        };
        assert_eq!(value("Text"), json!("It's a / text"), "{protocol:?}");
        assert_eq!(value("Number"), json!(42.5), "{protocol:?}");
        assert_eq!(value("Currency"), json!(19.99), "{protocol:?}");
        assert_eq!(value("Bool"), json!(true), "{protocol:?}");
        assert_eq!(
            value("DateTime"),
            json!("2026-01-02T03:04:05Z"),
            "{protocol:?}"
        );
        assert_eq!(value("DateOnly"), json!("2026-02-01"), "{protocol:?}");
        assert_eq!(value("Choice"), json!("First"), "{protocol:?}");
        assert_eq!(
            value("MultiChoice"),
            json!(["First", "Third"]),
            "{protocol:?}"
        );
        assert_eq!(value("_SpecialField"), json!("special"), "{protocol:?}");
        assert_eq!(
            item.field("Lookup")
                .expect("a field")
                .get_value::<SiteLookup>()
                .expect("a lookup")
                .lookup_value
                .as_deref(),
            Some("Red"),
            "{protocol:?}"
        );
        let several: Vec<SiteLookup> = item
            .field("LookupMulti")
            .expect("a field")
            .get_value()
            .expect("lookups");
        assert_eq!(
            several.iter().map(|one| one.lookup_id).collect::<Vec<_>>(),
            [2, 3],
            "{protocol:?}"
        );
        let link: SiteUrl = item
            .field("Url")
            .expect("a field")
            .get_value()
            .expect("a link");
        assert_eq!(link.url, "https://example.com/a?b=c", "{protocol:?}");
        let term = value("Term");
        assert_eq!(term["TermGuid"], json!(ENGLISH), "{protocol:?}");
        // The number that stands for a term is not shown as its label.
        assert_ne!(term["Label"], json!("1"), "{protocol:?}");
        assert_eq!(value("Terms")[0]["Label"], json!("English"), "{protocol:?}");
        let types: Vec<SiteFieldType> = item.fields.iter().map(|field| field.field_type).collect();
        for kind in SiteFieldType::ALL {
            // Graph knows neither whole numbers nor ids as types of their own.
            let unknown = protocol == Protocol::Graph
                && matches!(kind, SiteFieldType::Integer | SiteFieldType::Guid);
            assert!(unknown || types.contains(&kind), "{protocol:?}: no {kind}");
        }
    }
}

#[tokio::test]
async fn people_are_read_as_users_and_groups_each_asked_for_once() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let item = get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item")
            .result;
        let user: SiteUserOrGroup = item
            .field("User")
            .expect("a field")
            .get_value()
            .expect("a user");
        assert_eq!(
            user.email.as_deref(),
            Some("alice@demo.test"),
            "{protocol:?}"
        );
        assert_eq!(
            (user.first_name.as_deref(), user.last_name.as_deref()),
            (Some("Alice"), Some("Archer"))
        );
        assert!(!user.is_group);
        let all: Vec<SiteUserOrGroup> = item
            .field("UserMulti")
            .expect("a field")
            .get_value()
            .expect("people");
        assert_eq!(
            all.iter().map(|one| one.is_group).collect::<Vec<_>>(),
            [false, true],
            "{protocol:?}"
        );
        server.forget_requests();
        get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item");
        let asked = server
            .requests()
            .iter()
            .filter(|seen| seen.target.to_lowercase().contains("user"))
            .filter(|seen| !seen.target.contains("expand"))
            .count();
        assert_eq!(asked, 0, "{protocol:?}: {:?}", server.requests());
    }
}

#[tokio::test]
async fn empty_fields_are_null_or_empty_arrays_and_never_defaults() {
    let server = server();
    for protocol in BOTH {
        let item = get_site_item(&site(&server, protocol), &all_types(), 2)
            .await
            .expect("an item")
            .result;
        for field in &item.fields {
            let many = matches!(
                field.field_type,
                SiteFieldType::MultiChoice | SiteFieldType::UserMulti | SiteFieldType::LookupMulti
            ) || field.internal_name == "Terms";
            let told = [
                "Title",
                "Text",
                "Number",
                "Currency",
                "DateTime",
                "DateOnly",
                "Choice",
                "MultiChoice",
                "User",
                "UserMulti",
                "Lookup",
                "LookupMulti",
                "Url",
                "Term",
                "Terms",
            ];
            if told.contains(&field.internal_name.as_str()) && field.internal_name != "Title" {
                let empty = if many { json!([]) } else { Value::Null };
                assert_eq!(field.value, empty, "{protocol:?}: {}", field.internal_name);
            }
        }
    }
}

#[tokio::test]
async fn every_item_carries_the_twelve_standard_keys() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let one = get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item")
            .result;
        let all = get_site_items(&site, &all_types(), "", &Value::Null)
            .await
            .expect("items")
            .result;
        for item in [&one, &all[0]] {
            let dictionary = item.dictionary();
            for key in STANDARD_KEYS {
                assert!(dictionary.contains_key(key), "{protocol:?}: {key}");
            }
            assert_eq!(dictionary["_id"], json!(1), "{protocol:?}");
            assert_eq!(dictionary["_title"], json!("Everything"));
            assert_eq!(
                dictionary["_createdBy_email"],
                json!("alice@demo.test"),
                "{protocol:?}"
            );
            assert_eq!(dictionary["_createdBy_displayName"], json!("Alice Archer"));
            assert!(
                dictionary["_createdBy_id"].is_string() && dictionary["_webUrl"].is_string(),
                "{protocol:?}"
            );
            assert!(
                dictionary["_createdDateTime"]
                    .as_str()
                    .is_some_and(|time| time.ends_with('Z'))
            );
            assert!(dictionary["_name"].is_string());
        }
        assert_eq!(one.fields, all[0].fields, "{protocol:?}");
    }
    // Over REST the file's name comes before the title.
    let item = get_site_item(&site(&server, Protocol::Rest), &all_types(), 1)
        .await
        .expect("an item")
        .result;
    assert_eq!(item.standard.name.as_deref(), Some("1_.000"));
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
async fn a_list_is_found_by_name_title_id_and_internal_name() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let id = site
            .list(&computers())
            .await
            .expect("a list")
            .id
            .trim_matches(['{', '}'])
            .parse()
            .expect("an id");
        let parts = |parts: SiteListParts| SiteList::Parts(parts);
        for list in [
            SiteList::from("computers"),
            SiteList::from(format!("{id}").as_str()),
            parts(SiteListParts {
                title: Some("Computers".to_owned()),
                ..SiteListParts::default()
            }),
            parts(SiteListParts {
                id: Some(id),
                ..SiteListParts::default()
            }),
            parts(SiteListParts {
                internal_name: Some("Computers".to_owned()),
                ..SiteListParts::default()
            }),
        ] {
            let found = site
                .list(&list)
                .await
                .unwrap_or_else(|error| panic!("{protocol:?}: {list}: {error}"));
            assert_eq!(found.title, "Computers");
        }
        for list in [
            SiteList::from("No such list"),
            SiteList::from("It's a / 100% \"list\""),
        ] {
            let error = site.list(&list).await.expect_err("no list");
            assert_eq!(
                error.kind(),
                ErrorKind::ListNotFound,
                "{protocol:?}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_by_its_kind() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let error = get_site_item(&site, &computers(), 999)
            .await
            .expect_err("no item");
        assert_eq!(
            (error.kind(), error.status()),
            (ErrorKind::ItemNotFound, Some(404)),
            "{protocol:?}: {error}"
        );
        assert!(
            error.request_id().is_some() && error.service_code().is_some(),
            "{protocol:?}: {error:?}"
        );
        assert_eq!(
            get_site_item(&site, &computers(), 0)
                .await
                .expect_err("no id")
                .kind(),
            ErrorKind::ItemNotFound
        );
        let error = get_site_items(&site, &computers(), "Nothing", &json!(1))
            .await
            .expect_err("no field");
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::FieldNotFound, Some("Nothing"))
        );
    }
}

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

#[tokio::test]
async fn twenty_lookups_are_read_though_a_site_joins_twelve() {
    let server = server();
    server.with_site(|site| {
        let colours = site
            .lists
            .iter()
            .find(|list| list.title == "Colours")
            .expect("the list")
            .id;
        let list = site
            .lists
            .iter_mut()
            .find(|list| list.title == "Computers")
            .expect("the list");
        for number in 0..20 {
            let mut field = checklist_site_server::store::Field::new(
                "",
                &format!("L{number}"),
                checklist_site_server::store::FieldKind::Lookup,
            );
            field
                .own
                .insert("LookupList".to_owned(), json!(format!("{{{colours}}}")));
            field.own.insert("LookupField".to_owned(), json!("Title"));
            list.add_field(field).expect("a column");
        }
    });
    for protocol in BOTH {
        let site = site(&server, protocol);
        let fields: Vec<_> = (0..20)
            .map(|number| set(&format!("L{number}"), number % 3 + 1))
            .collect();
        let id = site_lists::add_site_item(&site, &computers(), &fields)
            .await
            .expect("an item");
        let item = get_site_item(&site, &computers(), id)
            .await
            .unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"))
            .result;
        for number in 0..20 {
            let lookup: SiteLookup = item
                .field(&format!("L{number}"))
                .expect("a field")
                .get_value()
                .expect("a lookup");
            let colour = ["Red", "Green", "Blue"][number % 3];
            assert_eq!(
                lookup.lookup_value.as_deref(),
                Some(colour),
                "{protocol:?}: L{number}"
            );
        }
        let all = get_site_items(&site, &computers(), "", &Value::Null)
            .await
            .expect("items")
            .result;
        assert_eq!(
            all.iter()
                .find(|other| other.id() == i64::from(id))
                .expect("the item")
                .fields,
            item.fields,
            "{protocol:?}"
        );
    }
}

#[tokio::test]
async fn a_site_that_refuses_the_usual_query_is_asked_with_every_column_named() {
    let server = server();
    let usual = get_site_item(&site(&server, Protocol::Rest), &all_types(), 1)
        .await
        .expect("an item")
        .result;
    let site = site(&server, Protocol::Rest);
    site.columns(&all_types()).await.expect("columns");
    server.fault(Rule::once(Kind::BadRequestPage).containing("/items"));
    server.forget_requests();
    let named = get_site_item(&site, &all_types(), 1)
        .await
        .expect("an item")
        .result;
    let last = server
        .requests()
        .into_iter()
        .rfind(|seen| seen.target.contains("/items"))
        .expect("a request");
    assert!(!last.target.contains('*'), "{last:?}");
    for field in usual
        .fields
        .iter()
        .filter(|field| field.value.is_object() || field.internal_name == "Text")
    {
        assert_eq!(
            Some(field),
            named.field(&field.internal_name),
            "{}",
            field.internal_name
        );
    }
    assert_eq!(usual.standard, named.standard);
    let all = get_site_items(&site, &all_types(), "", &Value::Null)
        .await
        .expect("items")
        .result;
    assert_eq!(all[0].fields, named.fields);
}
