//! Many changes at once: batches of both protocols, each part with an outcome of its own.
//!
//! On a server of the test's own.

use checklist_site_server::store::{Field, FieldKind};
use checklist_site_server::{Kind, Rule, SiteServer};
use serde_json::{Value, json};
use site_lists::{ErrorKind, ItemChange, Protocol, get_site_items};

use crate::place::{BOTH, computers, fill, patient, read_items, sent, server, set, site};

fn additions(count: usize) -> Vec<ItemChange> {
    (0..count)
        .map(|number| ItemChange::Add {
            fields: vec![
                set("Title", format!("PC-{number}")),
                set("MemoryGB", number),
            ],
        })
        .collect()
}

#[tokio::test]
async fn a_thousand_items_are_added_in_few_requests_and_in_order() {
    let server = server();
    for (protocol, most) in [(Protocol::Rest, 10), (Protocol::Graph, 50)] {
        let site = patient(&server, protocol, 60);
        site.columns(&computers()).await.expect("columns");
        server.forget_requests();
        let outcomes = site
            .change(&computers(), &additions(1_000), None)
            .await
            .expect("a list");
        let ids: Vec<i64> = outcomes
            .into_iter()
            .map(|outcome| outcome.expect("added").id)
            .collect();
        assert_eq!(ids.len(), 1_000);
        assert!(ids.is_sorted(), "{protocol:?}");
        let sent = sent(&server);
        assert!(sent.len() <= most, "{protocol:?}: {sent:?}");
    }
    let all = read_items(&site(&server, Protocol::Rest), &computers()).await;
    assert_eq!(all.len(), 2_000);
}

#[tokio::test]
async fn five_thousand_items_are_read_in_few_requests() {
    let server = server();
    let row = |number: u32| json!({"Title": format!("PC-{number}"), "MemoryGB": number});
    fill(&server, (0..5_000).map(row));
    // Who is signed in, the list with its columns, its items, and who made them come in one trip.
    // Graph takes one for who is signed in, two for the list and one for the site, and gives a
    // thousand items at once.
    for (protocol, most) in [(Protocol::Rest, 1), (Protocol::Graph, 10)] {
        let site = patient(&server, protocol, 60);
        server.forget_requests();
        let told = get_site_items(&site, &computers(), "", &Value::Null)
            .await
            .expect("all");
        assert_eq!(
            (told.result.len(), told.warnings),
            (5_000, Vec::new()),
            "{protocol:?}"
        );
        assert_eq!(
            told.result[4_999].field("MemoryGB").expect("a field").value,
            json!(4_999)
        );
        let sent = sent(&server);
        assert!(sent.len() <= most, "{protocol:?}: {sent:?}");
    }
}

#[tokio::test]
async fn each_part_of_a_batch_has_its_own_outcome() {
    for protocol in BOTH {
        let server = server();
        let site = site(&server, protocol);
        let made = site
            .change(&computers(), &additions(3), None)
            .await
            .expect("a list");
        let id = |index: usize| made[index].as_ref().expect("added").id;
        let outcomes = site
            .change(
                &computers(),
                &[
                    ItemChange::Edit {
                        id: id(0),
                        fields: vec![set("Model", "A")],
                        etag: None,
                    },
                    ItemChange::Edit {
                        id: 999,
                        fields: vec![set("Model", "B")],
                        etag: None,
                    },
                    ItemChange::Edit {
                        id: id(1),
                        fields: vec![set("MemoryGB", "much")],
                        etag: None,
                    },
                    ItemChange::Edit {
                        id: id(1),
                        fields: vec![set("Model", "C")],
                        etag: Some("\"77\"".to_owned()),
                    },
                    ItemChange::Delete {
                        id: id(2),
                        etag: None,
                    },
                    ItemChange::Add {
                        fields: vec![set("Title", "PC-3"), set("AssignedTo", "nobody@demo.test")],
                    },
                    ItemChange::Edit {
                        id: id(0),
                        fields: vec![set("Model", "Z")],
                        etag: None,
                    },
                ],
                None,
            )
            .await
            .expect("a list");
        let kinds: Vec<Option<ErrorKind>> = outcomes
            .iter()
            .map(|outcome| outcome.as_ref().err().map(|error| error.kind()))
            .collect();
        use ErrorKind::{Conflict, InvalidValue, ItemNotFound, UnknownUser};
        assert_eq!(
            kinds,
            [
                None,
                Some(ItemNotFound),
                Some(InvalidValue),
                Some(Conflict),
                None,
                Some(UnknownUser),
                None
            ],
            "{protocol:?}: {outcomes:?}"
        );
        let left = read_items(&site, &computers()).await;
        assert_eq!(left.len(), 2);
        // Two changes of one item keep their order.
        assert_eq!(
            left[0].field("Model").expect("a field").value,
            json!("Z"),
            "{protocol:?}"
        );
    }
}

#[tokio::test]
async fn only_the_parts_that_were_throttled_are_sent_again() {
    for protocol in BOTH {
        let server = server();
        let site = patient(&server, protocol, 20);
        site.columns(&computers()).await.expect("columns");
        server.forget_requests();
        let mut rule = Rule::once(Kind::ThrottledSeconds)
            .of_method("POST")
            .containing("/items");
        rule.skip = 3;
        rule.times = Some(2);
        server.fault(rule);
        let outcomes = site
            .change(&computers(), &additions(10), None)
            .await
            .expect("a list");
        assert!(
            outcomes.iter().all(Result::is_ok),
            "{protocol:?}: {outcomes:?}"
        );
        let parts = server
            .requests()
            .iter()
            .filter(|seen| seen.in_batch)
            .count();
        assert_eq!(parts, 12, "{protocol:?}");
        let all = read_items(&site, &computers()).await;
        assert_eq!(all.len(), 10, "{protocol:?}: none twice");
    }
}

#[tokio::test]
async fn a_batch_whose_answer_is_lost_is_unclear_and_with_a_key_it_is_looked_up() {
    for protocol in BOTH {
        let server = server();
        let site = site(&server, protocol);
        site.ensure_column(
            &computers(),
            &site_lists::NewColumn {
                internal_name: "SyncKey".to_owned(),
                display_name: "Key".to_owned(),
                field_type: site_lists::SiteFieldType::String,
                hidden: true,
                indexed: true,
                unique: true,
            },
        )
        .await
        .expect("a column");
        let changes: Vec<ItemChange> = (0..5)
            .map(|number| ItemChange::Add {
                fields: vec![
                    set("Title", "PC"),
                    set("SyncKey", format!("{protocol:?}-{number}")),
                ],
            })
            .collect();
        server.fault(Rule::once(Kind::ResetAfter).containing("$batch"));
        let unclear = site
            .change(&computers(), &changes, None)
            .await
            .expect("a list");
        assert!(
            unclear.iter().all(|outcome| outcome
                .as_ref()
                .is_err_and(|error| error.kind() == ErrorKind::OutcomeUnknown)),
            "{protocol:?}: {unclear:?}"
        );
        server.fault(Rule::once(Kind::ResetAfter).containing("$batch"));
        let known = site
            .change(&computers(), &changes, Some("SyncKey"))
            .await
            .expect("a list");
        assert!(
            known
                .iter()
                .all(|outcome| outcome.as_ref().is_ok_and(|outcome| outcome.existed)),
            "{protocol:?}: {known:?}"
        );
        let all = read_items(&site, &computers()).await;
        assert_eq!(all.len(), 5, "{protocol:?}");
    }
}

/// The day so many days after the first of January 2025, which takes both ends of summer time in.
fn day(number: i64) -> String {
    let first = jiff::civil::date(2025, 1, 1);
    first
        .saturating_add(jiff::Span::new().days(number))
        .to_string()
}

#[tokio::test]
async fn a_hundred_new_computers_with_two_dates_and_a_person_take_few_requests() {
    let server = server();
    add_date_column(&server, "WarrantyEnd");
    let site = patient(&server, Protocol::Rest, 60);
    let computers_with = |from: i64| -> Vec<ItemChange> {
        (from..from + 100)
            .map(|number| ItemChange::Add {
                fields: vec![
                    set("Title", format!("PC-{number}")),
                    set("PurchaseDate", day(number)),
                    set("WarrantyEnd", day(number + 200)),
                    set("AssignedTo", format!("person{number}@example.org")),
                ],
            })
            .collect()
    };
    let outcomes = site.change(&computers(), &computers_with(0), None).await;
    let outcomes = outcomes.expect("a list");
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert!(sent(&server).len() <= 15, "{:?}", sent(&server));
    // What was asked once is remembered.
    server.forget_requests();
    let same = site.change(&computers(), &computers_with(0), None).await;
    assert!(same.expect("a list").iter().all(Result::is_ok));
    assert_eq!(sent(&server).len(), 1);
    let all = read_items(&site, &computers()).await;
    assert_eq!(all.len(), 200);
    for (number, item) in (0..).zip(&all[..100]) {
        let held = |name: &str| item.field(name).expect("a field").value.clone();
        assert_eq!(held("PurchaseDate"), json!(day(number)));
        assert_eq!(held("WarrantyEnd"), json!(day(number + 200)));
        let email = format!("person{number}@example.org");
        assert_eq!(held("AssignedTo")["Email"], json!(email));
    }
    // Midnight on the site, in winter and in summer.
    let stored = server.with_site(|site| {
        let list = site.list_titled("Computers").expect("the list");
        let of = |day: &str| {
            list.items
                .values()
                .any(|item| item.values["PurchaseDate"] == *day)
        };
        [of("2025-03-09T08:00:00Z"), of("2025-03-10T07:00:00Z")]
    });
    assert_eq!(stored, [true, true]);
}

#[tokio::test]
async fn a_site_without_batches_is_still_asked_for_dates_and_people() {
    let server = server();
    let mut rule = Rule::once(Kind::ServerError).containing("$batch");
    rule.times = None;
    server.fault(rule);
    let site = patient(&server, Protocol::Rest, 60);
    for (number, name) in [(0, "alice@example.org"), (200, "bob@example.org")] {
        let fields = [
            set("Title", "PC"),
            set("PurchaseDate", day(number)),
            set("AssignedTo", name),
        ];
        let made = site.add(&computers(), &fields, None).await.expect("added");
        let (item, _) = site.item(&computers(), made.id).await.expect("an item");
        let held = |name: &str| item.field(name).expect("a field").value.clone();
        assert_eq!(held("PurchaseDate"), json!(day(number)));
        assert_eq!(held("AssignedTo")["Email"], json!(name));
    }
}

fn add_date_column(server: &SiteServer, name: &str) {
    server.with_site(|site| {
        let mut list = site.lists.iter_mut();
        let list = list.find(|list| list.title == "Computers");
        let mut column = Field::new("", name, FieldKind::DateTime);
        column.own.insert("DisplayFormat".to_owned(), json!(0));
        let list = list.expect("the list");
        list.add_field(column).expect("a column");
    });
}
