//! UpdateItems: setting the status, changing fields, moving.
//!
//! What happens when two do it at once is tested in `conflicts`.

use checklist_tests::template::{
    fragment, in_german, item, optional_to_apply, publish, required, with,
};
use checklist_tests::{Server, incident};
use serde_json::json;

fn list_of(server: &Server, texts: &[&str]) -> checklist_tests::Person {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let items: Vec<_> = texts.iter().map(|text| json!({ "Text": text })).collect();
    anna.add_items(json!(items));
    anna
}

#[test]
fn ticking_the_last_item_completes_the_list() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask", "Build"]);
    assert!(!anna.tick("Ask").completed());
    let written = anna.tick("Build");
    assert!(written.completed());
    assert_eq!(written.0["State"], "Complete");
    assert_eq!(written.0["Blockers"], json!([]));
    assert_eq!(written.counts(), [2, 2, 0, 0, 0]);
    assert!(anna.list().completed());
}

#[test]
fn a_tick_says_who_when_and_what_was_confirmed() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    let written = anna.tick("Ask");
    let item = &written.only("Updated")["Item"];
    assert_eq!(item["StatusBy"]["Name"], "Erin Editor");
    assert_eq!(item["StatusBy"]["Kind"], "Person");
    assert!(item["StatusAt"].is_string());
    assert_eq!(item["Attested"]["Text"], "Ask");
    assert_eq!(item["Attested"]["Basis"], "Assumed");
}

#[test]
fn a_tick_that_proves_the_wording_is_recorded_as_seen() {
    let server = Server::demo();
    let hello = in_german(item("a", "Ask"), "Fragen");
    publish(&server, &fragment("f", [hello]));
    let anna = server
        .editor_on(&incident("1").from_template("f"))
        .reading("de");
    let hash = anna.list().item("Fragen")["TextHash"].clone();
    let written = anna.change("Fragen", json!({ "Status": "Done", "SeenTextHash": hash }));
    let attested = &written.only("Updated")["Item"]["Attested"];
    assert_eq!(attested["Basis"], "Seen");
    assert_eq!(attested["Text"], "Fragen");
    assert_eq!(attested["Language"], "de");
    assert_eq!(attested["TemplateVersion"], 1);
}

#[test]
fn a_status_is_set_not_toggled_and_the_first_keeps_the_credit() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    let first = anna.tick("Ask");
    let bob = server.as_editor("Bob").on(&anna.place);
    let again = bob.tick("Ask");
    let item = &again.only("Unchanged")["Item"];
    assert_eq!(item["StatusBy"]["Name"], "Erin Editor");
    assert_eq!(item["StatusAt"], first.only("Updated")["Item"]["StatusAt"]);
    assert_eq!(again.0["Applied"], "All");
    assert_eq!(again.revision(), first.revision(), "nothing happened");
}

#[test]
fn not_applicable_resolves_an_item_and_leaves_the_denominator() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask", "Build"]);
    anna.tick("Ask");
    let written = anna.change(
        "Build",
        json!({ "Status": "NotApplicable", "Reason": "no builder" }),
    );
    assert_eq!(written.only("Updated")["Item"]["Reason"], "no builder");
    assert!(written.completed());
    assert_eq!(written.counts(), [2, 1, 1, 0, 0]);
}

#[test]
fn a_list_of_which_nothing_applies_is_complete() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    assert!(anna.set("Ask", "NotApplicable").completed());
}

#[test]
fn the_template_says_whether_and_with_what_reason_an_item_may_not_apply() {
    let server = Server::demo();
    let reasoned = with(
        optional_to_apply(item("reason", "Needs a reason")),
        json!({ "NotApplicableNeedsReason": true }),
    );
    publish(
        &server,
        &fragment("f", [item("must", "Must apply"), reasoned]),
    );
    let anna = server.editor_on(&incident("1").from_template("f"));
    assert_eq!(
        anna.set("Must apply", "NotApplicable").problem("Failed"),
        "NotApplicableNotAllowed"
    );
    assert_eq!(
        anna.set("Needs a reason", "NotApplicable")
            .problem("Failed"),
        "ReasonRequired"
    );
    let blank = anna.change(
        "Needs a reason",
        json!({ "Status": "NotApplicable", "Reason": "  " }),
    );
    assert_eq!(blank.problem("Failed"), "ReasonRequired");
    anna.change(
        "Needs a reason",
        json!({ "Status": "NotApplicable", "Reason": "closed" }),
    )
    .only("Updated");
    let back = anna.untick("Needs a reason");
    assert_eq!(
        back.only("Updated")["Item"]["Reason"],
        json!(null),
        "the reason goes with the status"
    );
}

#[test]
fn a_template_may_let_optional_items_stay_open() {
    let server = Server::demo();
    let mut template = fragment("f", [required(item("a", "Must")), item("b", "May")]);
    template["CompletionRule"] = json!("Required");
    publish(&server, &template);
    let anna = server.editor_on(&incident("1").from_template("f"));
    let written = anna.tick("Must");
    assert!(written.completed());
    assert_eq!(written.counts(), [2, 1, 0, 1, 0]);
}

#[test]
fn sections_have_no_status() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(
        json!([{ "Text": "Heading", "Kind": "Section" }, { "Text": "Read me", "Kind": "Info" }]),
    );
    assert_eq!(anna.tick("Heading").problem("Failed"), "NoStatus");
    assert_eq!(anna.tick("Read me").problem("Failed"), "NoStatus");
    assert_eq!(anna.list().state(), "Empty");
}

#[test]
fn an_absent_field_leaves_and_null_clears() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    anna.change(
        "Ask",
        json!({ "Note": "n", "Assignee": "bob", "Due": "2030-01-01T00:00:00Z" }),
    );
    anna.change("Ask", json!({ "Note": null })).only("Updated");
    let list = anna.list();
    let item = list.item("Ask");
    assert_eq!(item["Note"], json!(null));
    assert_eq!(item["Assignee"], json!({ "Id": "bob", "Name": "bob" }));
    assert_eq!(item["Due"], "2030-01-01T00:00:00Z");
    anna.change("Ask", json!({ "Assignee": null, "Due": null }));
    let list = anna.list();
    assert_eq!(
        (&list.item("Ask")["Assignee"], &list.item("Ask")["Due"]),
        (&json!(null), &json!(null))
    );
}

#[test]
fn every_change_bumps_the_version_of_its_item_alone() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask", "Build"]);
    anna.tick("Ask");
    anna.change("Ask", json!({ "Note": "n" }));
    let list = anna.list();
    assert_eq!(
        (&list.item("Ask")["Version"], &list.item("Build")["Version"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(list.item("Ask")["ModifiedBy"]["Name"], "Erin Editor");
}

#[test]
fn a_persons_text_replaces_the_templates_until_it_is_cleared() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    anna.reword("Ask", "Ask Bob").only("Updated");
    let list = anna.list();
    assert_eq!(list.item("Ask Bob")["TextOverridden"], true);
    assert_eq!(list.item("Ask Bob")["TemplateText"], "Ask");
    let version = &list.item("Ask Bob")["Version"];
    anna.change("Ask Bob", json!({ "Text": null, "BaseVersion": version }))
        .only("Updated");
    assert_eq!(anna.list().item("Ask")["TextOverridden"], false);
}

#[test]
fn items_move_after_before_and_to_the_ends() {
    let server = Server::demo();
    let anna = list_of(&server, &["A", "B", "C", "D"]);
    let shift = |what: &str, field: &str, to: serde_json::Value| {
        let version = anna.list().item(what)["Version"].clone();
        anna.change(what, json!({ field: to, "BaseVersion": version }))
            .only("Updated");
        anna.list().texts().concat()
    };
    let id = |text: &str| json!(anna.id(text));
    assert_eq!(shift("D", "AfterId", id("A")), "ADBC");
    assert_eq!(shift("A", "BeforeId", id("C")), "DBAC");
    assert_eq!(shift("C", "AfterId", json!(null)), "CDBA");
    assert_eq!(shift("C", "BeforeId", json!(null)), "DBAC");
}

#[test]
fn moving_an_item_to_where_it_stands_changes_nothing() {
    let server = Server::demo();
    let anna = list_of(&server, &["A", "B"]);
    let after = anna.id("A");
    anna.change("B", json!({ "AfterId": after, "BaseVersion": 1 }))
        .only("Unchanged");
}

#[test]
fn an_item_moves_into_a_section_and_out_again() {
    let server = Server::demo();
    let anna = list_of(&server, &["A"]);
    anna.add_items(json!([{ "Text": "S", "Kind": "Section" }]));
    let section = anna.id("S");
    anna.change("A", json!({ "ParentId": section, "BaseVersion": 1 }))
        .only("Updated");
    assert_eq!(anna.list().texts(), ["S", "A"]);
    assert_eq!(anna.list().item("A")["ParentId"], json!(section));
    anna.change("A", json!({ "ParentId": null, "BaseVersion": 2 }))
        .only("Updated");
    assert_eq!(anna.list().item("A")["ParentId"], json!(null));
}

#[test]
fn a_move_next_to_itself_or_to_nowhere_is_refused() {
    let server = Server::demo();
    let anna = list_of(&server, &["A", "B"]);
    let own = json!({ "Id": anna.id("A"), "AfterId": anna.id("A"), "BaseVersion": 1 });
    let answer = anna.call("UpdateItems", json!({ "Items": [own] }));
    let problem = answer.refused(422, "InvalidRequest");
    assert_eq!(
        checklist_tests::client::field_errors(&problem)[0].0,
        "/Items/0/AfterId"
    );
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    for (field, target) in [("AfterId", unknown), ("BeforeId", unknown)] {
        let written = anna.change("A", json!({ field: target, "BaseVersion": 1 }));
        assert_eq!(
            written.problem("Failed"),
            "InvalidPlace",
            "{field} {target}"
        );
    }
}

#[test]
fn an_unknown_and_a_foreign_item_are_the_same_to_the_caller() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    let foreign = server
        .editor_on(&incident("2").for_purpose("x"))
        .add("Other list");
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let written = anna.update(json!([
        { "Id": foreign, "Status": "Done" }, { "Id": unknown, "Status": "Done" }
    ]));
    let [one, other] = written.results() else {
        panic!("{}", written.0)
    };
    for result in [one, other] {
        assert_eq!(result["Outcome"], "Failed");
        assert_eq!(result["Problem"]["Code"], "ItemNotFound");
        assert_eq!(result["Item"], json!(null));
    }
    assert_eq!(one["Problem"], other["Problem"]);
}

#[test]
fn a_batch_is_applied_as_far_as_it_can_be() {
    let server = Server::demo();
    let anna = list_of(&server, &["A", "B"]);
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let written = anna.update(json!([
        { "Id": anna.id("A"), "Status": "Done" },
        { "Id": unknown, "Status": "Done" },
        { "Id": anna.id("B"), "Status": "Open" }
    ]));
    assert_eq!(written.outcomes(), ["Updated", "Failed", "Unchanged"]);
    assert_eq!(written.0["Applied"], "Some");
    assert_eq!(anna.list().status("A"), "Done");
}

#[test]
fn an_atomic_batch_is_applied_whole_or_not_at_all() {
    let server = Server::demo();
    let anna = list_of(&server, &["A", "B"]);
    let before = anna.list();
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let good = json!({ "Id": anna.id("A"), "Status": "Done" });
    let bad = json!({ "Id": unknown, "Status": "Done" });
    let answer = anna.call(
        "UpdateItems",
        json!({ "Atomic": true, "Items": [good, bad] }),
    );
    let problem = answer.refused(409, "NotApplied");
    assert_eq!(
        problem["Results"].as_array().map(Vec::len),
        Some(2),
        "{problem}"
    );
    assert_eq!(problem["Results"][1]["Problem"]["Code"], "ItemNotFound");
    assert_eq!(anna.list(), before, "nothing changed");
    let whole =
        json!({ "Atomic": true, "Items": [good, { "Id": anna.id("B"), "Status": "Done" }] });
    assert_eq!(anna.call("UpdateItems", whole).ok()["Applied"], "All");
    assert!(anna.list().completed());
}

#[test]
fn a_version_that_the_item_has_not_had_yet_overwrites_nothing() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    for fields in [
        json!({ "Text": "Mine" }),
        json!({ "Status": "Done" }),
        json!({ "Note": "n" }),
    ] {
        let late = anna.change("Ask", with(fields, json!({ "BaseVersion": 999 })));
        assert_eq!(late.problem("Conflict"), "BaseVersionAhead");
        assert_eq!(late.only("Conflict")["Item"]["Version"], 1);
    }
    let list = anna.list();
    assert_eq!((list.texts(), list.status("Ask")), (vec!["Ask"], "Open"));
}

#[test]
fn a_reason_with_another_status_is_refused_for_what_it_is() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    let refused = anna.change("Ask", json!({ "Status": "Done", "Reason": "r" }));
    assert_eq!(refused.problem("Failed"), "ReasonNotAllowed");
    let detail = refused.results()[0]["Problem"]["Detail"].to_string();
    assert!(detail.contains("reason"), "{detail}");
}

#[test]
fn a_wording_that_has_changed_since_the_tick_is_confirmed_by_its_hash() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    anna.tick("Ask");
    publish(&server, &fragment("f", [item("a", "Ask twice")]));
    anna.refresh();
    let list = anna.list();
    let changed = list.item("Ask twice");
    assert_eq!(changed["ChangedSinceChecked"], true);
    anna.tick("Ask twice").only("Unchanged");
    let bob = server.as_checker("Bob").on(&anna.place);
    let seen =
        json!([{ "Id": changed["Id"], "Status": "Done", "SeenTextHash": changed["TextHash"] }]);
    let body = json!({ "Items": seen, "LogInJournal": true });
    let confirmed = bob.call("UpdateItems", body).written();
    let now = &confirmed.only("Updated")["Item"];
    assert_eq!(now["ChangedSinceChecked"], false);
    assert_eq!(
        (&now["Attested"]["Text"], &now["Attested"]["Basis"]),
        (&json!("Ask twice"), &json!("Seen"))
    );
    assert_eq!(
        (&now["StatusBy"]["Name"], &now["Status"]),
        (&json!("Bob"), &json!("Done"))
    );
    bob.update(seen).only("Unchanged");
    let rows = server
        .as_admin()
        .on(&anna.place)
        .get("Audit?Limit=500")
        .ok();
    let row = rows["Rows"]
        .as_array()
        .and_then(|rows| rows.iter().find(|row| row["Event"]["What"] == "Confirmed"))
        .expect("a row of the confirmation");
    assert_eq!(row["Event"]["Before"], "Ask");
}

#[test]
fn never_is_a_due_date() {
    let server = Server::demo();
    let anna = list_of(&server, &["Ask"]);
    for due in ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59Z"] {
        anna.change("Ask", json!({ "Due": due })).only("Updated");
        assert_eq!(anna.list().item("Ask")["Due"], due);
    }
}

#[test]
fn a_list_that_is_complete_untouched_says_so_and_so_does_its_template() {
    let server = Server::demo();
    let mut template = fragment("f", [item("a", "May")]);
    template["CompletionRule"] = json!("Required");
    let author = checklist_tests::template::author(&server);
    author.put("Templates/f", &template).ok();
    let impact = author.get("Templates/f/Impact").ok();
    assert_eq!(impact["Warnings"][0]["Code"], "NoRequiredItem");
    let published = author.send("Templates/f/Publish", &json!({})).ok();
    assert_eq!(published["Warnings"], impact["Warnings"]);
    let anna = server.editor_on(&incident("1").from_template("f"));
    let list = anna.list();
    assert!(list.completed());
    assert_eq!(list.0["Warnings"][0]["Code"], "NoRequiredItem");
}
