//! What is written: values of every type, people by any of their names, versions, and what is
//! refused before anything is sent.
//!
//! On a server of the test's own, over both protocols.

use std::sync::{Arc, Mutex};

use checklist_site_server::{Kind, Rule};
use serde_json::{Value, json};
use site_lists::{
    ErrorKind, ItemChange, ObjectExpressionParameter, Protocol, SiteFieldType, add_site_item,
    delete_site_item, edit_site_item, get_site_item, get_site_items,
};

use crate::place::{BOTH, all_types, patient, read_item, server, set, site};

fn everything(protocol: Protocol) -> Vec<(&'static str, Value, Value)> {
    let same = |name, value: Value| (name, value.clone(), value);
    let mut all = vec![
        same("Title", json!("It's \"100%\" <b>&amp;</b> ä€😀 / \\ ")),
        same("Note", json!("one\ntwo")),
        same("Number", json!(-0.5)),
        same("Currency", json!(999_999_999_999_999_i64)),
        same("Bool", json!(false)),
        (
            "DateTime",
            json!("2026-06-30T23:30:00-07:00"),
            json!("2026-07-01T06:30:00Z"),
        ),
        same("DateOnly", json!("2026-07-01")),
        same("Choice", json!("Second")),
        same("MultiChoice", json!(["Third", "First"])),
        same("_SpecialField", json!("s")),
        (
            "Lookup",
            json!(2),
            json!({"LookupId": 2, "LookupValue": "Green"}),
        ),
        (
            "LookupMulti",
            json!([3, 1]),
            json!([{"LookupId": 3, "LookupValue": "Blue"}, {"LookupId": 1, "LookupValue": "Red"}]),
        ),
    ];
    if protocol == Protocol::Rest {
        all.push(same("Integer", json!(-7)));
        all.push(same(
            "Url",
            json!({"Url": "https://example.com/?a=1,2", "Description": "A, b"}),
        ));
    }
    all
}

#[tokio::test]
async fn what_is_written_is_read_again_over_both_protocols() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let all = everything(protocol);
        let fields: Vec<ObjectExpressionParameter> = all
            .iter()
            .map(|(name, given, _)| set(name, given.clone()))
            .collect();
        let id = add_site_item(&site, &all_types(), &fields)
            .await
            .unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        let item = read_item(&site, &all_types(), id).await;
        for (name, _, wanted) in &all {
            assert_eq!(
                &item.field(name).expect(name).value,
                wanted,
                "{protocol:?}: {name}"
            );
        }
        // Null clears every one of them.
        let cleared: Vec<_> = all
            .iter()
            .filter(|(name, ..)| *name != "Title")
            .map(|(name, ..)| set(name, Value::Null))
            .collect();
        edit_site_item(&site, &all_types(), id, &cleared)
            .await
            .unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        let item = read_item(&site, &all_types(), id).await;
        for parameter in &cleared {
            let field = item.field(&parameter.name).expect("a field");
            let many = matches!(
                field.field_type,
                SiteFieldType::MultiChoice | SiteFieldType::LookupMulti
            );
            assert_eq!(
                field.value,
                if many { json!([]) } else { Value::Null },
                "{protocol:?}: {}",
                field.internal_name
            );
        }
        delete_site_item(&site, &all_types(), id)
            .await
            .expect("deleted");
        let error = get_site_item(&site, &all_types(), id)
            .await
            .expect_err("gone");
        assert_eq!(error.kind(), ErrorKind::ItemNotFound, "{protocol:?}");
    }
}

#[tokio::test]
async fn people_are_known_by_mail_login_group_and_number_and_keep_their_order() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for (given, title) in [
            (json!("alice@demo.test"), "Alice Archer"),
            (json!("i:0#.f|membership|bob@demo.test"), "Bob Baker"),
            (json!("Demo Members"), "Demo Members"),
            (
                json!({"IsGroup": true, "Title": "Demo Members"}),
                "Demo Members",
            ),
            (
                json!({"IsGroup": false, "Email": "BOB@demo.test"}),
                "Bob Baker",
            ),
            (json!(11), "Alice Archer"),
        ] {
            let id = add_site_item(
                &site,
                &all_types(),
                &[set("Title", "x"), set("User", given.clone())],
            )
            .await;
            let id = id.unwrap_or_else(|error| panic!("{protocol:?}: {given}: {error:?}"));
            let item = read_item(&site, &all_types(), id).await;
            assert_eq!(
                item.field("User")
                    .expect("a field")
                    .get_value::<String>()
                    .expect("a name"),
                title,
                "{protocol:?}: {given}"
            );
        }
        let several = json!(["bob@demo.test", "Demo Members", "alice@demo.test"]);
        let id = add_site_item(&site, &all_types(), &[set("UserMulti", several)])
            .await
            .expect("an item");
        let item = read_item(&site, &all_types(), id).await;
        let names: Vec<String> = item
            .field("UserMulti")
            .expect("a field")
            .get_value()
            .expect("names");
        assert_eq!(
            names,
            ["Bob Baker", "Demo Members", "Alice Archer"],
            "{protocol:?}"
        );
    }
}

#[tokio::test]
async fn a_check_tells_of_each_change_what_is_wrong_and_of_the_site_that_it_cannot_say() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let add = |user: &str| ItemChange::Add {
            fields: vec![set("Title", "x"), set("User", user)],
        };
        let changes = [add("bob@demo.test"), add("nobody@demo.test")];
        let checked = site.check(&all_types(), &changes).await.expect("a check");
        let kinds: Vec<Option<ErrorKind>> = checked
            .iter()
            .map(|one| one.as_ref().err().map(site_lists::SiteError::kind))
            .collect();
        assert_eq!(kinds, [None, Some(ErrorKind::UnknownUser)], "{protocol:?}");
        server.fault(Rule::once(Kind::ServerError));
        let error = site
            .check(&all_types(), &[add("nobody-else@demo.test")])
            .await
            .expect_err("the site does not say who is known");
        assert_eq!(error.status(), Some(500), "{protocol:?}: {error:?}");
        let written = server
            .requests()
            .into_iter()
            .filter(|seen| seen.method == "POST" && seen.target.contains("/items"))
            .count();
        assert_eq!(written, 0, "{protocol:?}");
    }
}

#[tokio::test]
async fn everybody_unknown_is_named_before_anything_is_sent() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let fields = [
            set("Title", "x"),
            set("User", "nobody@demo.test"),
            set("UserMulti", json!(["alice@demo.test", "nobody-else"])),
        ];
        let error = add_site_item(&site, &all_types(), &fields)
            .await
            .expect_err("unknown");
        assert_eq!(
            error.kind(),
            ErrorKind::UnknownUser,
            "{protocol:?}: {error}"
        );
        assert_eq!(
            error.names(),
            ["nobody@demo.test", "nobody-else"],
            "{protocol:?}"
        );
        let found = get_site_items(&site, &all_types(), "Title", &json!("x"))
            .await
            .expect("items");
        assert!(found.result.is_empty(), "{protocol:?}");
    }
}

#[tokio::test]
async fn a_value_that_does_not_fit_is_refused_by_field_and_nothing_is_sent() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        site.columns(&all_types()).await.expect("columns");
        server.forget_requests();
        for (field, value, kind) in [
            ("Number", json!("1234567890123456"), ErrorKind::InvalidValue),
            ("Bool", json!("perhaps"), ErrorKind::InvalidValue),
            (
                "DateTime",
                json!("2026-01-02T03:04:05"),
                ErrorKind::InvalidValue,
            ),
            ("Lookup", json!("Red"), ErrorKind::InvalidValue),
            ("Calculated", json!(1), ErrorKind::UnsupportedFieldType),
            ("Term", json!("English"), ErrorKind::UnsupportedFieldType),
            ("ID", json!(1), ErrorKind::UnsupportedFieldType),
            ("Nothing", json!(1), ErrorKind::FieldNotFound),
        ] {
            let error = edit_site_item(
                &site,
                &all_types(),
                1,
                &[set("Title", "y"), set(field, value)],
            )
            .await
            .expect_err(field);
            assert_eq!(
                (error.kind(), error.field()),
                (kind, Some(field)),
                "{protocol:?}: {error}"
            );
        }
        // The list may be looked at once more, for a field that it did not have.
        let written = server
            .requests()
            .into_iter()
            .find(|seen| seen.method != "GET");
        assert_eq!(written, None, "{protocol:?}");
    }
}

#[tokio::test]
async fn links_over_graph_are_refused_with_the_reason() {
    let server = server();
    let site = site(&server, Protocol::Graph);
    let error = add_site_item(&site, &all_types(), &[set("Url", "https://example.com/")])
        .await
        .expect_err("a link");
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::NotSupported, Some("Url"))
    );
    assert!(
        error
            .hint()
            .is_some_and(|hint| hint.contains("SharePoint REST"))
    );
}

#[tokio::test]
async fn an_edit_based_on_an_old_version_is_a_conflict_that_tells_the_new_one() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let read = read_item(&site, &all_types(), 3).await;
        let etag = read.etag.expect("a version");
        let first = site
            .edit(&all_types(), 3, &[set("Text", "one")], Some(&etag))
            .await;
        first.unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        let error = site
            .edit(&all_types(), 3, &[set("Text", "two")], Some(&etag))
            .await
            .expect_err("old");
        assert_eq!(
            (error.kind(), error.status()),
            (ErrorKind::Conflict, Some(412)),
            "{protocol:?}: {error}"
        );
        let newer = error.current_etag().expect("the new version").to_owned();
        site.edit(&all_types(), 3, &[set("Text", "two")], Some(&newer))
            .await
            .expect("based on what is there");
        // Without a version the last one wins.
        edit_site_item(&site, &all_types(), 3, &[set("Text", "three")])
            .await
            .expect("an edit");
        let error = site
            .delete(&all_types(), 3, Some(&newer))
            .await
            .expect_err("old");
        assert_eq!(error.kind(), ErrorKind::Conflict, "{protocol:?}");
    }
}

#[tokio::test]
async fn two_writes_of_one_item_go_one_after_the_other_and_of_two_items_side_by_side() {
    for protocol in BOTH {
        let server = server();
        let site = patient(&server, protocol, 20);
        site.columns(&all_types()).await.expect("columns");
        let done = Arc::new(Mutex::new(Vec::new()));
        let edit = |id, text: &'static str| {
            let (site, done) = (site.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                let fields = [set("Text", text)];
                edit_site_item(&site, &all_types(), id, &fields)
                    .await
                    .expect("an edit");
                done.lock().expect("a list").push(text);
            })
        };
        // The first write of that item is answered late.
        let item = match protocol {
            Protocol::Rest => "items(3)",
            _ => "items/3/",
        };
        server.fault(Rule::once(Kind::Slow).containing(item));
        let first = edit(3, "first");
        let others = [edit(3, "second"), edit(2, "of another item")];
        first.await.expect("no panic");
        for other in others {
            other.await.expect("no panic");
        }
        let done = done.lock().expect("a list").clone();
        assert_eq!(done, ["of another item", "first", "second"], "{protocol:?}");
    }
}
