//! RefreshItemsOnTemplateChange, case by case: a template of the test's own in two versions.
//!
//! One test for each row of the table in the product's description; what holds for all of them
//! is tested in `refresh_whole`.

use checklist_tests::template::{
    fragment, item, optional_to_apply, publish, required, section, under, with,
};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

/// A list made from the first version, then the second version is published.
pub(crate) fn list_between<const OLD: usize, const NEW: usize>(
    old: [Value; OLD],
    touch: impl FnOnce(&Person),
    new: [Value; NEW],
) -> (Server, Person) {
    let server = Server::demo();
    publish(&server, &fragment("f", old));
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("f"));
    // Without a write there is no list yet that could be behind its template.
    anna.add("local");
    touch(&anna);
    publish(&server, &fragment("f", new));
    (server, anna)
}

#[test]
fn an_untouched_item_takes_the_new_text_help_and_flags() {
    let new = with(
        required(optional_to_apply(item("a", "Ask the owner"))),
        json!({ "Help": { "en": "new" } }),
    );
    let (_server, anna) = list_between([item("a", "Ask")], |_| {}, [new]);
    let id = anna.id("Ask");
    assert_eq!(anna.refresh().cases(), [("Updated", "a")]);
    let list = anna.list();
    let item = list.by_key("a");
    assert_eq!(item["Id"], json!(id));
    assert_eq!(
        (&item["Text"], &item["Help"]),
        (&json!("Ask the owner"), &json!("new"))
    );
    assert_eq!(
        (&item["Required"], &item["AllowNotApplicable"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(item["TextOverridden"], false);
    assert_eq!(list.0["TemplateVersion"], 2);
}

#[test]
fn a_checked_item_stays_checked_keeps_its_wording_and_says_that_it_changed() {
    let (_server, anna) = list_between(
        [item("a", "Ask")],
        |anna| drop(anna.tick("Ask")),
        [item("a", "Ask twice")],
    );
    assert_eq!(anna.refresh().cases(), [("ChangedSinceChecked", "a")]);
    let list = anna.list();
    let item = list.by_key("a");
    assert_eq!(
        (&item["Status"], &item["ChangedSinceChecked"]),
        (&json!("Done"), &json!(true))
    );
    assert_eq!(item["Attested"]["Text"], "Ask");
    assert_eq!(item["Attested"]["TemplateVersion"], 1);
}

#[test]
fn a_checked_item_is_reopened_where_the_template_says_so() {
    let again = with(item("a", "Ask twice"), json!({ "OnTextChange": "Reopen" }));
    let (_server, anna) = list_between([item("a", "Ask")], |anna| drop(anna.tick("Ask")), [again]);
    assert_eq!(anna.refresh().cases(), [("Reopened", "a")]);
    assert_eq!(anna.list().by_key("a")["Status"], "Open");
}

#[test]
fn a_mere_matter_of_wording_raises_no_flag_where_the_template_says_keep() {
    let kept = with(item("a", "Ask."), json!({ "OnTextChange": "Keep" }));
    let (_server, anna) = list_between([item("a", "Ask")], |anna| drop(anna.tick("Ask")), [kept]);
    anna.refresh();
    let list = anna.list();
    let item = list.by_key("a");
    assert_eq!(
        (&item["Status"], &item["ChangedSinceChecked"]),
        (&json!("Done"), &json!(false))
    );
    assert_eq!(item["Text"], "Ask.");
}

#[test]
fn a_persons_text_stays_and_the_templates_is_on_offer() {
    let (_server, anna) = list_between(
        [item("a", "Ask")],
        |anna| drop(anna.reword("Ask", "Ask Bob")),
        [item("a", "Ask twice")],
    );
    assert_eq!(anna.refresh().cases(), [("TextKept", "a")]);
    let list = anna.list();
    let item = list.by_key("a");
    assert_eq!(
        (&item["Text"], &item["TemplateText"]),
        (&json!("Ask Bob"), &json!("Ask twice"))
    );
    assert_eq!(item["TextOverridden"], true);
}

#[test]
fn an_item_added_locally_is_never_touched_and_stays_after_its_neighbour() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B"), item("c", "C")],
        |anna| {
            let after = anna.id("A");
            anna.add_items(json!([{ "Text": "mine", "AfterId": after }]));
        },
        [item("c", "C"), item("b", "B"), item("a", "A")],
    );
    let before = anna.list().item("mine").clone();
    anna.refresh();
    let list = anna.list();
    assert_eq!(list.texts(), ["C", "local", "B", "A", "mine"]);
    assert_eq!(list.item("mine")["Text"], before["Text"]);
    assert_eq!(list.item("mine")["Origin"], "Local");
}

#[test]
fn an_item_new_in_the_template_is_added_open_after_its_predecessor() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("c", "C")],
        |anna| {
            for text in ["A", "C", "local"] {
                anna.tick(text);
            }
        },
        [item("a", "A"), item("b", "B"), item("c", "C")],
    );
    assert!(anna.list().completed());
    let written = anna.refresh();
    assert_eq!(written.cases(), [("Added", "b")]);
    assert!(!written.completed(), "a new open item takes Completed back");
    assert_eq!(written.0["Blockers"][0]["Text"], "B");
    assert_eq!(anna.list().texts(), ["A", "B", "C", "local"]);
}

#[test]
fn an_untouched_item_removed_from_the_template_is_deleted() {
    let (_server, anna) = list_between([item("a", "A"), item("b", "B")], |_| {}, [item("a", "A")]);
    assert_eq!(anna.refresh().cases(), [("Removed", "b")]);
    assert_eq!(anna.list().texts(), ["A", "local"]);
}

#[test]
fn every_kind_of_touch_keeps_an_item_from_being_removed() {
    let touches: [(&str, Value); 5] = [
        ("a checked", json!({ "Status": "Done" })),
        ("a reworded", json!({ "Text": "other", "BaseVersion": 1 })),
        ("a noted", json!({ "Note": "n" })),
        ("an assigned", json!({ "Assignee": "bob" })),
        ("a dated", json!({ "Due": "2030-01-01T00:00:00Z" })),
    ];
    for (name, fields) in touches {
        let (_server, anna) = list_between(
            [item("a", "A"), item("b", "B")],
            |anna| drop(anna.change("B", fields)),
            [item("a", "A")],
        );
        assert_eq!(anna.refresh().cases(), [("Retired", "b")], "{name} item");
        let list = anna.list();
        assert!(
            list.by_key("b")["RetiredAt"].is_string(),
            "{name} item is kept, read-only"
        );
        assert_eq!(list.counts()[0], 2, "{name} item no longer counts");
    }
}

#[test]
fn a_retired_item_is_read_only() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.tick("B")),
        [item("a", "A")],
    );
    anna.refresh();
    assert_eq!(anna.untick("B").problem("Failed"), "ItemRetired");
    assert_eq!(
        anna.change("B", json!({ "Note": "n" })).problem("Failed"),
        "ItemRetired"
    );
}

#[test]
fn a_retired_item_comes_back_with_its_state_when_its_key_returns() {
    let (server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.tick("B")),
        [item("a", "A")],
    );
    anna.refresh();
    publish(&server, &fragment("f", [item("a", "A"), item("b", "B")]));
    assert_eq!(anna.refresh().cases(), [("Returned", "b")]);
    let list = anna.list();
    let item = list.by_key("b");
    assert_eq!(
        (&item["Status"], &item["RetiredAt"]),
        (&json!("Done"), &json!(null))
    );
}

#[test]
fn not_applicable_that_is_no_longer_allowed_is_reopened_and_says_why() {
    let (_server, anna) = list_between(
        [optional_to_apply(item("a", "A"))],
        |anna| drop(anna.set("A", "NotApplicable")),
        [item("a", "A")],
    );
    assert_eq!(
        anna.refresh().cases(),
        [("NotApplicableNoLongerAllowed", "a")]
    );
    assert_eq!(anna.list().by_key("a")["Status"], "Open");
}

#[test]
fn what_a_person_has_deleted_does_not_come_back() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.delete("B")),
        [item("a", "A"), item("b", "B!")],
    );
    assert_eq!(anna.refresh().cases(), [] as [(&str, &str); 0]);
    assert!(!anna.list().has_key("b"));
}

#[test]
fn what_a_person_has_deleted_comes_back_when_it_is_newly_required() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.delete("B")),
        [item("a", "A"), required(item("b", "B"))],
    );
    assert_eq!(anna.refresh().cases(), [("Resurrected", "b")]);
    assert_eq!(anna.list().by_key("b")["Status"], "Open");
}

#[test]
fn the_templates_order_is_followed() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B"), item("c", "C")],
        |_| {},
        [item("c", "C"), item("a", "A"), item("b", "B")],
    );
    anna.refresh();
    assert_eq!(anna.list().texts(), ["C", "local", "A", "B"]);
}

#[test]
fn a_list_that_a_person_has_reordered_keeps_its_order_and_only_new_items_are_placed() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B"), item("c", "C")],
        |anna| {
            let version = anna.list().item("C")["Version"].clone();
            anna.change("C", json!({ "AfterId": null, "BaseVersion": version }))
                .only("Updated");
        },
        [
            item("a", "A"),
            item("n", "N"),
            item("b", "B"),
            item("c", "C"),
        ],
    );
    anna.refresh();
    assert_eq!(anna.list().texts(), ["C", "A", "N", "B", "local"]);
}

#[test]
fn an_item_follows_into_another_section() {
    let (_server, anna) = list_between(
        [section("s", "S"), item("a", "A")],
        |_| {},
        [section("s", "S"), under("s", item("a", "A"))],
    );
    anna.refresh();
    let list = anna.list();
    assert_eq!(list.by_key("a")["ParentId"], list.by_key("s")["Id"]);
}

#[test]
fn another_template_keeps_the_state_of_shared_keys_and_removes_the_rest() {
    let server = Server::demo();
    publish(
        &server,
        &fragment("f", [item("a", "A"), item("b", "B"), item("c", "C")]),
    );
    publish(&server, &fragment("g", [item("a", "A"), item("d", "D")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    anna.tick("A");
    anna.tick("B");
    let moved = anna.at(&incident("1").from_template("g"));
    assert_eq!(
        moved.refresh().cases(),
        [("Added", "d"), ("Removed", "c"), ("Retired", "b")]
    );
    let list = anna.list();
    assert_eq!(list.0["TemplateId"], "g");
    assert_eq!(list.by_key("a")["Status"], "Done");
}
