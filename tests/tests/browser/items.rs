//! What a person does with items: tick, untick, not applicable, add, edit, delete, move.
//!
//! Every act is done with the pointer on what is seen, and looked up at the server afterwards
//! as somebody else.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::template::{fragment, item, optional_to_apply, publish, section, under, with};
use serde_json::json;

fn two_items() -> Stage {
    Stage::with([item("a", "Ask"), item("b", "Build")])
}

#[test]
fn items_are_shown_with_their_sections_and_help() {
    let helped = with(
        item("b", "Build"),
        json!({ "Help": { "en": "Use the **red** hammer" } }),
    );
    let stage = Stage::with([section("s", "Before"), under("s", item("a", "Ask")), helped]);
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.says("Before");
    assert!(!control.tells("red hammer") || control.tells("Help"));
    control.click_of("Build", "Help");
    control.says("Use the red hammer");
    stage.browser.is_untroubled();
}

#[test]
fn a_tick_is_stored_and_seen_by_others_and_can_be_taken_back() {
    let stage = two_items();
    let control = stage.control("");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    control.settles();
    let list = stage.bob().list();
    assert_eq!(list.status("Ask"), "Done");
    assert_eq!(list.item("Ask")["StatusBy"]["Name"], "Petra Page");
    assert_eq!(
        list.item("Ask")["Attested"]["Basis"],
        "Seen",
        "the control says which wording it showed"
    );
    control.says("1 of 2");
    control.tick("Ask");
    control.becomes_checked("Ask", false);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Open");
    stage.browser.is_untroubled();
}

#[test]
fn an_item_that_does_not_apply_is_resolved_with_a_reason() {
    let reasoned = with(
        optional_to_apply(item("b", "Build")),
        json!({ "NotApplicableNeedsReason": true }),
    );
    let stage = Stage::with([item("a", "Ask"), reasoned]);
    let control = stage.control("");
    control.tick("Ask");
    control.choose("Build", "Not applicable");
    control.click("Not applicable");
    control.says("This item needs a reason");
    control.fill("Why does it not apply?", "no builder there");
    control.click("Not applicable");
    control.becomes_completed();
    control.says("no builder there");
    control.settles();
    let list = stage.bob().list();
    assert_eq!(
        (list.status("Build"), &list.item("Build")["Reason"]),
        ("NotApplicable", &json!("no builder there"))
    );
    control.choose("Build", "Mark as applicable again");
    control.until("document.querySelector(§).completed === false");
    stage.browser.is_untroubled();
}

#[test]
fn an_item_is_added_and_several_in_a_row() {
    let stage = two_items();
    let control = stage.control("");
    control.open_the_add_field();
    for text in ["Clean", "Deliver"] {
        stage.browser.keys(text);
        stage.browser.press(Keys::Enter);
        control.shows_item(text);
    }
    control.settles();
    control.shows(&["Ask", "Build", "Clean", "Deliver"]);
    assert_eq!(
        stage.bob().list().texts(),
        ["Ask", "Build", "Clean", "Deliver"]
    );
    stage.browser.is_untroubled();
}

#[test]
fn an_empty_item_is_not_added() {
    let stage = two_items();
    let control = stage.control("");
    control.open_the_add_field();
    stage.browser.keys("   ");
    stage.browser.press(Keys::Enter);
    control.settles();
    control.shows(&["Ask", "Build"]);
    assert_eq!(stage.bob().list().revision(), 0);
}

#[test]
fn text_note_assignee_and_due_date_are_edited() {
    let stage = two_items();
    let control = stage.control("");
    control.edit("Ask");
    control.fill("Text of the item", "Ask Bob");
    control.click("Save");
    control.shows(&["Ask Bob", "Build"]);
    control.choose("Ask Bob", "Edit details");
    control.fill("Note", "by phone");
    control.click("Save");
    control.says("by phone");
    control.choose("Ask Bob", "Edit details");
    control.fill("Assignee", "Carla");
    control.click("Save");
    control.says("Carla");
    control.settles();
    let list = stage.bob().list();
    let item = list.item("Ask Bob");
    assert_eq!(
        (&item["Note"], &item["Assignee"]["Name"]),
        (&json!("by phone"), &json!("Carla"))
    );
    assert_eq!(item["TextOverridden"], true);
    stage.browser.is_untroubled();
}

#[test]
fn a_deleted_item_comes_back_on_undo_without_time_pressure() {
    let stage = two_items();
    let control = stage.control("");
    control.tick("Ask");
    control.settles();
    control.choose("Ask", "Delete");
    control.shows(&["Build"]);
    control.settles();
    assert!(!stage.bob().list().has("Ask"));
    control.says("“Ask” was deleted");
    control.click("Undo");
    control.shows(&["Ask", "Build"]);
    control.becomes_checked("Ask", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn items_move_up_down_and_to_a_position() {
    let stage = Stage::with([
        item("a", "A"),
        item("b", "B"),
        item("c", "C"),
        item("d", "D"),
    ]);
    let control = stage.control("");
    control.shows(&["A", "B", "C", "D"]);
    control.choose("C", "Move up");
    control.shows(&["A", "C", "B", "D"]);
    control.choose("A", "Move down");
    control.shows(&["C", "A", "B", "D"]);
    control.choose("D", "Move to position");
    control.fill("Position", "1");
    control.click("Move");
    control.shows(&["D", "C", "A", "B"]);
    control.settles();
    assert_eq!(stage.bob().list().texts(), ["D", "C", "A", "B"]);
    stage.browser.is_untroubled();
}

#[test]
fn a_list_without_items_says_so_and_is_not_completed() {
    let stage = two_items();
    let control = stage.control("purpose='nothing'");
    control.says("No items yet");
    assert_eq!(
        (control.property("state"), control.completed()),
        (json!("Empty"), false)
    );
    control.add("First");
    control.shows(&["First"]);
    // What the server has confirmed, and no earlier.
    control.until("document.querySelector(§).state === 'Open'");
    stage.browser.is_untroubled();
}

#[test]
fn the_properties_tell_tools_what_the_list_is() {
    let stage = two_items();
    let control = stage.control("");
    control.tick("Ask");
    control.settles();
    assert_eq!(control.property("state"), json!("Open"));
    assert_eq!(control.property("counts.Done"), json!(1));
    assert_eq!(control.property("blockers[0].Text"), json!("Build"));
    assert_eq!(
        control.property("items.map((item) => item.Text).join()"),
        json!("Ask,Build")
    );
    assert_eq!(
        control.property("items.map((item) => item.Status).join()"),
        json!("Done,Open")
    );
}

#[test]
fn two_hundred_items_are_shown_and_ticked() {
    let stage = two_items();
    publish(
        &stage.server,
        &fragment(
            "long",
            (0..200).map(|n| item(&format!("k{n}"), &format!("Item {n}"))),
        ),
    );
    let control = stage.control("template='long'");
    control.shows_item("Item 199");
    control.tick("Item 150");
    control.becomes_checked("Item 150", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Item 150"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn hostile_texts_are_shown_as_what_they_are() {
    let nasty = "<img src=x onerror=alert(1)> \"quoted\" & <script>alert(2)</script>";
    let help = "[link](javascript:alert(3)) <b onclick=alert(4)>bold</b>";
    let stage = Stage::with([with(item("a", nasty), json!({ "Help": { "en": help } }))]);
    let control = stage.control("");
    control.shows(&[nasty]);
    control.click_of(nasty, "Help");
    assert_eq!(control.value("__probe.root(§).querySelectorAll('script, img, [onclick], a[href^=\"javascript\"]').length"), json!(0));
    stage.browser.is_untroubled();
}
