//! Due dates that a template says: in a calendar, counted from what the host knows of the object, and
//! where they do not slide.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

/// A template whose dates count from the fact `created`, in an office in Berlin.
fn office() -> Value {
    let days = json!({ "DueOffset": "P2D", "DueCountedIn": "WorkingDays" });
    let hours = json!({ "DueOffset": "PT4H", "DueCountedIn": "WorkingTime" });
    let items = [
        with(item("order", "Order it"), days),
        with(item("call", "Call back"), hours),
        item("close", "Close it"),
    ];
    let calendar = json!({
        "TimeZone": "Europe/Berlin", "WorkingHours": { "Start": "08:00", "End": "17:00" },
        "Holidays": ["2026-12-25", "2026-12-26"]
    });
    with(
        fragment("office", items),
        json!({ "DueFrom": "created", "Calendar": calendar }),
    )
}

fn server() -> Server {
    let server = Server::demo();
    publish(&server, &office());
    server
}

/// Somebody whose token says when the object was created.
fn person(server: &Server, id: &str, created: Option<&str>) -> Person {
    let place = incident(id).from_template("*");
    let place = match created {
        Some(created) => place.with_facts(json!({ "created": created })),
        None => place,
    };
    let grant = server.as_owner("Olga").only_for(&[place]);
    grant.on(&incident(id).from_template("office"))
}

fn dues(person: &Person) -> [Value; 3] {
    let list = person.list();
    ["Order it", "Call back", "Close it"].map(|text| list.item(text)["Due"].clone())
}

#[test]
fn the_due_dates_of_a_list_that_nobody_has_touched_count_from_the_object_and_do_not_slide() {
    let server = server();
    let olga = person(&server, "1", Some("2026-12-24T14:30:00Z"));
    let expected = [
        json!("2026-12-29"),
        json!("2026-12-28T09:30:00Z"),
        Value::Null,
    ];
    assert_eq!(dues(&olga), expected);
    let list = olga.list();
    assert_eq!(list.0["Revision"], 0);
    assert_eq!(list.item("Order it").get("DueOffset"), None);
    // The first write stores what everybody has read.
    olga.tick("Close it");
    assert_eq!(dues(&olga), expected);
}

#[test]
fn without_the_fact_they_count_from_the_first_write_and_until_then_there_is_an_offset() {
    let server = server();
    for created in [None, Some("in spring")] {
        let olga = person(&server, "2", created);
        let list = olga.list();
        let order = list.item("Order it");
        assert_eq!(
            (&order["Due"], &order["DueOffset"]),
            (&Value::Null, &json!("P2D"))
        );
    }
    let olga = person(&server, "2", None);
    olga.tick("Close it");
    let due = olga.list().item("Order it")["Due"].clone();
    assert_eq!(
        due.as_str().map(str::len),
        Some("2026-12-29".len()),
        "{due}"
    );
}

#[test]
fn a_date_that_was_corrected_in_the_platform_moves_the_due_dates_with_the_next_refresh() {
    let server = server();
    let olga = person(&server, "3", Some("2026-12-24T14:30:00Z"));
    olga.tick("Close it");
    olga.change("Call back", json!({ "Due": "2027-01-31" }))
        .only("Updated");
    let later = person(&server, "3", Some("2027-01-04T14:30:00Z"));
    later.call("RefreshItemsOnTemplateChange", json!({})).ok();
    // What a person has set stays.
    assert_eq!(
        dues(&later),
        [json!("2027-01-06"), json!("2027-01-31"), Value::Null]
    );
}

#[test]
fn the_next_run_counts_from_its_own_beginning() {
    let server = server();
    let olga = person(&server, "4", Some("2020-01-02"));
    olga.tick("Close it");
    assert_eq!(olga.list().item("Order it")["Due"], "2020-01-06");
    olga.call("StartAgain", json!({ "Reason": "Again" })).ok();
    let due = olga.list().item("Order it")["Due"].clone();
    assert!(due.as_str() > Some("2026-01-01"), "{due}");
}

#[test]
fn who_looks_for_what_is_late_finds_what_counts_from_an_old_object() {
    let server = server();
    let olga = person(&server, "5", Some("2020-01-02"));
    let late = || {
        let found = olga.send("FindItems", &json!({ "Filter": { "Late": true } }));
        let found = found.ok();
        let items = found["Items"].as_array().cloned().unwrap_or_default();
        items.len()
    };
    assert_eq!(late(), 0, "nobody has begun the list");
    olga.tick("Close it");
    assert_eq!(late(), 2);
}

#[test]
fn a_calendar_that_cannot_be_counted_in_is_refused_where_it_is_wrong() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let refused = |change: Value| {
        let template = with(office(), change);
        let path = "Templates/office";
        let problem = admin.put(path, &template).refused(422, "InvalidRequest");
        error_pointers(&problem)
    };
    let calendar =
        |change: Value| json!({ "Calendar": with(office()["Calendar"].clone(), change) });
    assert_eq!(
        refused(calendar(json!({ "TimeZone": "Europe/Atlantis" }))),
        ["/Calendar/TimeZone"]
    );
    assert_eq!(
        refused(calendar(json!({ "WorkingDays": [] }))),
        ["/Calendar/WorkingDays"]
    );
    for (wrong, pointer) in [
        (
            json!({ "WorkingDays": ["Caturday"] }),
            "/Calendar/WorkingDays/0",
        ),
        (
            json!({ "Holidays": ["2026-02-30"] }),
            "/Calendar/Holidays/0",
        ),
        (
            json!({ "WorkingHours": { "Start": "8am", "End": "17:00" } }),
            "/Calendar/WorkingHours/Start",
        ),
        (json!({ "Zone": "UTC" }), "/Calendar/Zone"),
    ] {
        assert_eq!(refused(calendar(wrong)), [pointer]);
    }
    assert_eq!(
        refused(json!({ "Calendar": null })),
        ["/Items/0/DueCountedIn", "/Items/1/DueCountedIn"]
    );
}

#[test]
fn a_draft_and_its_versions_keep_the_calendar_as_it_was_written() {
    let server = server();
    let admin = server.as_admin().on(&incident("1"));
    let template = admin.get("Templates/office").ok();
    assert_eq!(
        template["Published"]["Calendar"],
        with(
            office()["Calendar"].clone(),
            json!({ "WorkingDays": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] }),
        )
    );
    assert_eq!(template["Published"]["DueFrom"], "created");
    assert_eq!(
        template["Published"]["Items"][0]["DueCountedIn"],
        "WorkingDays"
    );
    assert_eq!(template["Published"]["Items"][2].get("DueCountedIn"), None);
}
