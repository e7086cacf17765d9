//! What is read: fields with their types, the standard keys, filters of every kind, and lists of
//! more rows than a site searches.
//!
//! On a server of the test's own, over both protocols.

use checklist_site_server::{Kind, Rule};
use serde_json::{Value, json};
use site_lists::{
    ErrorKind, Protocol, STANDARD_KEYS, SiteFieldType, SiteList, SiteListParts, SiteLookup,
    SiteUrl, SiteUserOrGroup, get_site_item, get_site_items,
};

use crate::place::{BOTH, ENGLISH, all_types, computers, read_item, read_items, server, set, site};

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
        let item = read_item(&site, &all_types(), 1).await;
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
        let item = read_item(&site(&server, protocol), &all_types(), 2).await;
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
        let one = read_item(&site, &all_types(), 1).await;
        let all = read_items(&site, &all_types()).await;
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
    let item = read_item(&site(&server, Protocol::Rest), &all_types(), 1).await;
    assert_eq!(item.standard.name.as_deref(), Some("1_.000"));
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
        let all = read_items(&site, &computers()).await;
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
    let usual = read_item(&site(&server, Protocol::Rest), &all_types(), 1).await;
    let site = site(&server, Protocol::Rest);
    site.columns(&all_types()).await.expect("columns");
    server.fault(Rule::once(Kind::BadRequestPage).containing("/items"));
    server.forget_requests();
    let named = read_item(&site, &all_types(), 1).await;
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
    let all = read_items(&site, &all_types()).await;
    assert_eq!(all[0].fields, named.fields);
}

#[tokio::test]
async fn graph_gives_whole_numbers_and_ids_although_it_does_not_tell_their_types() {
    let server = crate::place::server();
    let site = crate::place::site(&server, site_lists::Protocol::Graph);
    let list = crate::place::all_types();
    server.with_site(|site| {
        let mut lists = site.lists.iter_mut();
        let list = lists.find(|list| list.title == "All Types");
        let list = list.expect("the list");
        let mut columns = list.custom_fields();
        let column = columns.find(|field| field.title == "Guid");
        let internal = column.expect("a column").internal.clone();
        drop(columns);
        let row = list.items.get_mut(&1).expect("a row");
        let id = json!("00000000-0000-0000-0000-000000000007");
        row.values.insert(internal, id);
    });
    let (item, _) = site.item(&list, 1).await.expect("an item");
    // Its internal name is another one, because every list has a GUID.
    let held = |name: &str| {
        let mut fields = item.fields.iter();
        fields
            .find(|field| field.display_name == name)
            .expect("a field")
            .clone()
    };
    assert_eq!(
        held("Integer").field_type,
        site_lists::SiteFieldType::Integer
    );
    assert_eq!(held("Integer").value, 7);
    assert_eq!(held("Guid").field_type, site_lists::SiteFieldType::Guid);
    assert_eq!(held("Guid").value, "00000000-0000-0000-0000-000000000007");
}

#[tokio::test]
async fn graph_knows_people_who_came_after_the_first_was_looked_for() {
    let server = crate::place::server();
    let site = crate::place::site(&server, site_lists::Protocol::Graph);
    let list = crate::place::computers();
    let set = |name: &str| {
        [
            crate::place::set("Title", "PC"),
            crate::place::set("AssignedTo", name),
        ]
    };
    // By the account alone, as SharePoint REST finds people too.
    site.add(&list, &set("alice"), None).await.expect("added");
    let unknown = site.add(&list, &set("carol@example.org"), None).await;
    let unknown = unknown.expect_err("a stranger");
    assert_eq!(unknown.kind(), site_lists::ErrorKind::UnknownUser);
    let came = server.with_site(|site| site.ensure_person("dora@example.org").is_ok());
    assert!(came);
    let made = site.add(&list, &set("dora@example.org"), None).await;
    let made = made.expect("she is known by now");
    let (item, _) = site.item(&list, made.id).await.expect("an item");
    let held = &item.field("AssignedTo").expect("a field").value;
    assert_eq!(held["Email"], "dora@example.org");
}
