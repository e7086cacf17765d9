//! Due dates without a time: a day, wherever the reader is.
//!
//! What a moment is stays in `updating`; here it is told apart from a day on every way.

use checklist_shared::date::Date;
use checklist_tests::client::field_errors;
use checklist_tests::host::now;
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn list_of(server: &Server) -> Person {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "Ask" }, { "Text": "Build", "Due": "2026-11-30" }]));
    anna
}

#[test]
fn a_day_stays_a_day_until_it_is_cleared() {
    let server = Server::demo();
    let anna = list_of(&server);
    assert_eq!(anna.list().item("Build")["Due"], "2026-11-30");
    anna.change("Ask", json!({ "Due": "2027-02-28" }))
        .only("Updated");
    anna.change("Ask", json!({ "Due": "2027-02-28" }))
        .only("Unchanged");
    assert_eq!(anna.list().item("Ask")["Due"], "2027-02-28");
    anna.change("Ask", json!({ "Note": "n" })).only("Updated");
    anna.tick("Ask");
    assert_eq!(anna.list().item("Ask")["Due"], "2027-02-28");
    anna.change("Ask", json!({ "Due": "2027-02-28T00:00:00Z" }))
        .only("Updated");
    assert_eq!(anna.list().item("Ask")["Due"], "2027-02-28T00:00:00Z");
    anna.change("Ask", json!({ "Due": "2027-03-01" }))
        .only("Updated");
    anna.change("Ask", json!({ "Due": null })).only("Updated");
    assert_eq!(anna.list().item("Ask")["Due"], Value::Null);
}

#[test]
fn a_day_is_there_after_a_restart_in_the_trail_and_after_an_undo() {
    let mut server = Server::demo();
    let anna = list_of(&server);
    let change = json!({ "OperationId": "op", "Items": [{ "Id": anna.id("Build"), "Due": "2026-12-24T18:00:00Z" }] });
    anna.call("UpdateItems", change).ok();
    assert_eq!(anna.list().item("Build")["Due"], "2026-12-24T18:00:00Z");
    anna.undo("op").ok();
    server.restart();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    assert_eq!(anna.list().item("Build")["Due"], "2026-11-30");
    let rows = server.as_admin().on(&anna.place).audit_of_lists();
    let row = rows.iter().find(|row| row["Event"]["What"] == "DueChanged");
    let event = &row.expect("a row of the change")["Event"];
    assert_eq!(
        (&event["Before"], &event["After"]),
        (&json!("2026-11-30"), &json!("2026-12-24T18:00:00Z"))
    );
}

#[test]
fn what_is_no_date_is_refused_at_its_field_and_changes_nothing() {
    let server = Server::demo();
    let anna = list_of(&server);
    let id = anna.id("Ask");
    for due in [
        "2026-02-29",
        "2026-13-01",
        "30.11.2026",
        "tomorrow",
        "",
        "2026-11-30T09:00",
    ] {
        let items = json!({ "Items": [{ "Id": id, "Note": "n" }, { "Id": id, "Due": due }] });
        let problem = anna
            .call("UpdateItems", items)
            .refused(422, "InvalidRequest");
        assert_eq!(
            field_errors(&problem),
            [("/Items/1/Due".to_owned(), "Invalid".to_owned())],
            "{due}"
        );
        let detail = problem["Errors"][0]["Detail"].as_str().unwrap_or_default();
        assert!(detail.contains("2026-11-30 or"), "{due}: {detail}");
        let items = json!({ "Items": [{ "Text": "New", "Due": due }] });
        let problem = anna.call("AddItems", items).refused(422, "InvalidRequest");
        assert_eq!(
            field_errors(&problem),
            [("/Items/0/Due".to_owned(), "Invalid".to_owned())],
            "{due}"
        );
    }
    assert_eq!(anna.list().item("Ask")["Note"], Value::Null);
}

#[test]
fn whether_a_day_is_overdue_is_decided_where_the_reader_is() {
    let server = Server::demo();
    let anna = list_of(&server);
    // Its day comes, and is a "today" too.
    anna.delete("Build");
    let seconds = now();
    // The last place where this day still is; 26 hours further east it is over.
    let west = i64::try_from(seconds).expect("a time") - 12 * 3_600;
    let day = Date::from_days(west.div_euclid(86_400)).to_string();
    anna.change("Ask", json!({ "Due": day }));
    let drawn = |zone: &str| anna.call("Render", json!({ "Language": "en", "TimeZone": zone }));
    let (west, east) = (drawn("Etc/GMT+12"), drawn("Pacific/Kiritimati"));
    assert!(west.text().contains("Due today"), "{}", west.text());
    assert!(!east.text().contains("Due today"), "{}", east.text());
    let is_late = |html: &str| html.contains("row open late");
    assert_eq!(
        (is_late(west.text()), is_late(east.text())),
        (false, true),
        "{}",
        east.text()
    );
}
