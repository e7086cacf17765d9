//! GetItems: what a list is before and after it was first written.
//!
//! A read never writes; a list never written is a projection of its template, with ids that stay.

use checklist_tests::template::{fragment, item, publish, required, section, under, with};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

#[test]
fn a_list_never_written_is_projected_from_its_template() {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "handbook",
            [
                section("s", "Before"),
                under("s", required(item("a", "Ask"))),
                item("b", "Build"),
            ],
        ),
    );
    let list = server
        .editor_on(&incident("1").from_template("handbook"))
        .list();
    assert_eq!(list.texts(), ["Before", "Ask", "Build"]);
    assert_eq!(
        (list.revision(), list.state(), list.completed()),
        (0, "Open", false)
    );
    assert_eq!(list.counts(), [2, 0, 0, 2, 1], "a section does not count");
    assert_eq!(list.0["TemplateId"], "handbook");
    assert_eq!(list.0["TemplateVersion"], 1);
    assert_eq!(list.item("Ask")["ParentId"], list.item("Before")["Id"]);
    assert_eq!(list.item("Ask")["Origin"], "Template");
    assert_eq!(list.item("Ask")["Required"], true);
    let blockers: Vec<_> = list.0["Blockers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["Text"])
        .collect();
    assert_eq!(blockers, ["Ask", "Build"]);
}

#[test]
fn reading_writes_nothing() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").from_template("incident-standard"));
    let first = anna.list();
    let second = anna.list();
    assert_eq!(first.revision(), 0);
    assert_eq!(first.ids(), second.ids());
    let admin = server.as_admin().on(&incident("1"));
    assert_eq!(
        admin.get("Audit?Category=Checklist").ok()["Rows"],
        serde_json::json!([]),
        "a read left a trace in the audit trail"
    );
}

#[test]
fn items_keep_their_ids_through_the_first_write() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").from_template("onboarding"));
    let before = anna.list();
    anna.update(json!([{ "Id": before.ids()[3], "Note": "first" }]))
        .only("Updated");
    let after = anna.list();
    assert_eq!(after.ids(), before.ids());
    assert_eq!(after.revision(), 1);
}

#[test]
fn two_first_writers_give_one_set_of_items() {
    let server = Server::demo();
    let place = incident("1").from_template("onboarding");
    let ids: Vec<String> = server
        .editor_on(&place)
        .list()
        .ids()
        .iter()
        .map(ToString::to_string)
        .collect();
    std::thread::scope(|scope| {
        for id in &ids[..8] {
            let writer = server.editor_on(&place);
            scope.spawn(move || {
                writer
                    .update(json!([{ "Id": id, "Note": "mine" }]))
                    .only("Updated")
                    .clone()
            });
        }
    });
    let list = server.editor_on(&place).list();
    assert_eq!(list.ids(), ids, "the list has exactly the projected items");
    assert_eq!(list.revision(), 8);
    assert_eq!(
        list.items()
            .iter()
            .filter(|item| item["Note"] == "mine")
            .count(),
        8
    );
}

#[test]
fn the_first_write_needs_no_permission_beyond_its_own() {
    let server = Server::demo();
    let place = incident("1").from_template("incident-standard");
    let carl = server.as_checker("Carl Checker").on(&place);
    let list = carl.list();
    let open = list
        .items()
        .iter()
        .find(|item| item["Kind"] == "Item")
        .unwrap();
    carl.update(json!([{ "Id": open["Id"], "Status": "Done" }]))
        .only("Updated");
}

#[test]
fn each_object_and_purpose_has_a_list_of_its_own() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let one = server.editor_on(&incident("1").from_template("f"));
    let other = one.at(&incident("2").from_template("f"));
    let purpose = one.at(&incident("1").for_purpose("x").from_template("f"));
    one.tick("Ask");
    assert!(one.list().completed());
    assert!(!other.list().completed());
    assert!(!purpose.list().completed());
    assert_ne!(one.list().ids(), other.list().ids());
    assert_ne!(one.list().ids(), purpose.list().ids());
}

#[test]
fn a_purpose_is_compared_exactly() {
    let server = Server::demo();
    let list = server.editor_on(&incident("1").for_purpose("Hand over"));
    list.add("here");
    assert!(list.list().has("here"));
    for other in ["hand over", "Hand over ", "Hand  over", ""] {
        let place = incident("1").for_purpose(other).from_template("none");
        let place = checklist_tests::Place {
            template: None,
            ..place
        };
        assert!(
            !list.at(&place).list().has("here"),
            "{other:?} met another purpose's items"
        );
    }
}

#[test]
fn a_purpose_without_a_template_is_empty_and_not_completed() {
    let server = Server::demo();
    let list = server
        .editor_on(&incident("1").for_purpose("nothing here"))
        .list();
    assert_eq!((list.state(), list.completed()), ("Empty", false));
    assert_eq!(list.counts(), [0, 0, 0, 0, 0]);
    assert!(list.items().is_empty());
    assert_eq!(list.0["TemplateId"], json!(null));
}

#[test]
fn the_type_names_the_template_when_the_context_does_not() {
    let server = Server::demo();
    let list = server.editor_on(&incident("1")).list();
    assert_eq!(list.0["TemplateId"], "incident-standard");
    let list = server
        .editor_on(&incident("1").for_purpose("handover-demo"))
        .list();
    assert_eq!(list.0["TemplateId"], "handover");
}

#[test]
fn a_written_list_keeps_its_template() {
    let server = Server::demo();
    publish(&server, &fragment("one", [item("a", "From one")]));
    publish(&server, &fragment("two", [item("a", "From two")]));
    let anna = server.editor_on(&incident("1").from_template("one"));
    anna.tick("From one");
    let list = anna.at(&incident("1").from_template("two")).list();
    assert_eq!(list.0["TemplateId"], "one");
    assert!(list.has("From one"));
}

#[test]
fn a_context_that_names_an_unknown_template_is_told_so() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").from_template("no such template"));
    anna.call("GetItems", json!({}))
        .refused(404, "TemplateNotFound");
}

#[test]
fn a_summary_leaves_the_items_out() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").from_template("onboarding"));
    let full = anna.list();
    let summary = anna.call("GetItems", json!({ "View": "Summary" })).ok();
    assert_eq!(summary.get("Items"), None);
    for member in ["Revision", "State", "Completed", "Counts", "Blockers"] {
        assert_eq!(summary[member], full.0[member], "{member}");
    }
    assert_eq!(full.counts()[0], 40);
    assert_eq!(
        full.0["Blockers"].as_array().map(Vec::len),
        Some(20),
        "the first twenty blockers"
    );
}

#[test]
fn only_what_changed_since_a_revision_is_sent() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    for text in ["Ask", "Build", "Clean"] {
        anna.add(text);
    }
    let known = anna.list();
    anna.tick("Build");
    let gone = known.id("Clean");
    anna.delete("Clean");
    let news = anna
        .call("GetItems", json!({ "SinceRevision": known.revision() }))
        .ok();
    let texts: Vec<_> = news["Items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["Text"])
        .collect();
    assert_eq!(texts, ["Build"]);
    assert_eq!(news["Removed"], json!([gone]));
    let nothing = anna
        .call("GetItems", json!({ "SinceRevision": news["Revision"] }))
        .ok();
    assert_eq!(
        (&nothing["Items"], &nothing["Removed"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn texts_come_in_the_language_asked_for_else_accepted_else_the_templates_first() {
    let server = Server::demo();
    let hello = with(
        item("a", "unused"),
        json!({ "Text": { "en": "Ask", "de": "Fragen" } }),
    );
    publish(&server, &fragment("f", [hello]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let asked = anna
        .reading("en")
        .call("GetItems", json!({ "Language": "de" }))
        .ok();
    assert_eq!(asked["Items"][0]["Text"], "Fragen");
    assert_eq!(anna.reading("de-AT,fr;q=0.5").list().texts(), ["Fragen"]);
    assert_eq!(
        anna.reading("fr, de;q=0.8, en;q=0.3").list().texts(),
        ["Fragen"]
    );
    assert_eq!(
        anna.reading("fr").list().texts(),
        ["Ask"],
        "the template's first language"
    );
}

#[test]
fn writes_and_dry_runs_answer_in_the_language_that_they_name() {
    let server = Server::demo();
    let said = |english: &str, german: &str| json!({ "Text": { "en": english, "de": german } });
    let hello = with(item("a", "unused"), said("Ask", "Fragen"));
    publish(&server, &fragment("f", [hello]));
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("f"));
    // The browser's language is another one than the page's.
    let anna = anna.reading("en");
    let id = anna.id("Ask");
    let text_of = |call: &str, mut body: Value| {
        body["Language"] = json!("de");
        let answer = anna.call(call, body).ok();
        let first = answer["Results"].as_array().and_then(|all| all.first());
        let first = first.cloned().unwrap_or_default();
        (first["Item"]["Text"].clone(), answer)
    };
    let tick = json!({ "OperationId": "u", "Items": [{ "Id": id, "Status": "Done" }] });
    assert_eq!(text_of("UpdateItems", tick).0, "Fragen");
    let untick = text_of("Undo", json!({ "OperationId": "n", "Undoes": "u" }));
    assert_eq!(untick.0, "Fragen");
    assert_eq!(untick.1["Blockers"][0]["Text"], "Fragen");
    let added = text_of("AddItems", json!({ "Items": [{ "Text": "Own" }] })).1;
    assert_eq!(added["Blockers"][0]["Text"], "Fragen");
    let own = added["Results"][0]["Id"].clone();
    let deleted = text_of("DeleteItems", json!({ "Ids": [own] })).1;
    assert_eq!(deleted["Blockers"][0]["Text"], "Fragen");
    let restored = text_of("RestoreItems", json!({ "Ids": [own] })).1;
    assert_eq!(restored["Blockers"][0]["Text"], "Fragen");
    for locked in [true, false] {
        let answer = text_of("Lock", json!({ "Locked": locked })).1;
        assert_eq!(answer["Blockers"][0]["Text"], "Fragen");
    }
    for revoke in [false, true] {
        let body = json!({ "Reason": "urgent", "Revoke": revoke });
        assert_eq!(text_of("Waive", body).1["Blockers"][0]["Text"], "Fragen");
    }
    let twice = with(item("a", "unused"), said("Ask twice", "Zweimal fragen"));
    publish(&server, &fragment("f", [twice]));
    for dry in [true, false] {
        let (text, answer) = text_of("RefreshItemsOnTemplateChange", json!({ "DryRun": dry }));
        let change = &answer["Changes"][0];
        let texts = (&change["Before"], &change["After"], &text);
        let german = json!("Zweimal fragen");
        assert_eq!(texts, (&json!("Fragen"), &german, &german), "dry: {dry}");
    }
}

#[test]
fn a_writing_call_refuses_a_language_that_is_no_tag() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    for (call, body) in [
        ("AddItems", json!({ "Items": [{ "Text": "Ask" }] })),
        ("UpdateItems", json!({ "Items": [] })),
        ("DeleteItems", json!({ "Ids": [] })),
        ("RestoreItems", json!({ "Ids": [] })),
        ("RefreshItemsOnTemplateChange", json!({ "DryRun": true })),
        ("Undo", json!({ "Undoes": "u" })),
        ("Lock", json!({ "Locked": true })),
        ("Waive", json!({ "Reason": "urgent" })),
    ] {
        let mut body = body;
        body["Language"] = json!("kling?on");
        let problem = anna.call(call, body).refused(422, "InvalidRequest");
        let errors = problem["Errors"].as_array().cloned().unwrap_or_default();
        assert!(
            errors.iter().any(|error| error["Pointer"] == "/Language"),
            "{call}: {problem}"
        );
    }
}

#[test]
fn an_answer_carries_permissions_limits_and_the_level_of_the_api() {
    let server = Server::demo();
    let anna = server
        .as_checker("Carl")
        .on(&incident("1").from_template("onboarding"));
    let answer = anna.call("GetItems", json!({}));
    assert!(
        answer
            .header("checklist-api-level")
            .parse::<u32>()
            .is_ok_and(|level| level >= 1)
    );
    let list = answer.ok();
    assert_eq!(list["Permissions"], json!(["Read", "Check"]));
    assert_eq!(
        list["Limits"]["Items"],
        json!({ "Max": 200, "WarnAt": 180, "Used": list["Items"].as_array().unwrap().len() })
    );
    assert_eq!(list["Limits"]["Text"], 1000);
    assert_eq!(list["Limits"]["Batch"], 200);
}

#[test]
fn the_text_hash_is_the_one_that_a_tick_may_send() {
    let server = Server::demo();
    let list = server
        .editor_on(&incident("1").from_template("incident-standard"))
        .list();
    for item in list.items() {
        let text = item["Text"].as_str().unwrap();
        assert_eq!(item["TextHash"], checklist_shared::text::text_hash(text));
    }
}

#[test]
fn times_are_the_servers_clock_in_utc() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    let list = anna.list();
    let at = list.item("Ask")["CreatedAt"].as_str().unwrap();
    let at: checklist_shared::Timestamp =
        at.strip_suffix('Z').map(|_| at).unwrap().parse().unwrap();
    let now = i64::try_from(checklist_tests::host::now()).unwrap() * 1000;
    assert!((now - at.as_millis()).abs() < 60_000, "{at} is not now");
}
