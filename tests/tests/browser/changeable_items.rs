//! Help, *required* and kind of items in the form of details: offered where the template lets people
//! change them, by keyboard, with the state of the list that follows, and told in the history.

use checklist_tests::browser::{Keys, Pages, Stage};
use checklist_tests::template::{fragment, item, publish, required};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

/// A stage whose template lets people change these.
fn stage(changeable: &Value) -> Stage {
    let stage = Stage::for_people_who_may(&["Read", "Check", "Edit", "Add", "DeleteRequired"], []);
    let mut template = fragment("f", [required(item("a", "Ask")), item("b", "Build")]);
    template["CompletionRule"] = json!("Required");
    template["Changeable"] = changeable.clone();
    publish(&stage.server, &template);
    stage
}

#[test]
fn an_item_becomes_optional_by_keyboard_and_the_list_is_completed() {
    let stage = stage(&json!(["Required", "Help", "Kind"]));
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.focus_item("Ask");
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    stage
        .browser
        .is_accessible("#list", "details with what defines the item");
    control.fill("Help (Markdown)", "Ask **twice**");
    stage.browser.press(Keys::Tab);
    control.until("__probe.deepActive()?.matches('input[type=checkbox]:checked')");
    stage.browser.press(Keys::Space);
    stage.browser.press(Keys::Enter);
    control.becomes_completed();
    control.settles();
    let list = stage.bob().list();
    let ask = list.item("Ask");
    assert_eq!(
        (&ask["Required"], &ask["Help"]),
        (&json!(false), &json!("Ask **twice**"))
    );
    control.choose("Ask", "History");
    control.says("made the item optional");
    control.says("changed the help");
    stage.browser.is_untroubled();
}

#[test]
fn an_item_becomes_information_and_an_item_again() {
    let stage = stage(&json!(["Kind"]));
    let control = stage.control("");
    control.choose("Build", "Edit details");
    control.until("!!__probe.deepActive()?.closest('.editor')");
    assert!(!control.tells("Help (Markdown)"), "only what is allowed");
    let info = "__probe.root('#list').querySelector('.editor input[type=checkbox]')";
    stage.browser.click(info);
    control.click("Save");
    control.settles();
    assert_eq!(stage.bob().list().item("Build")["Kind"], "Info");
    control.choose("Build", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor input[type=checkbox]:checked')");
    stage
        .browser
        .is_accessible("#list", "details of an information row");
    stage.browser.press(Keys::Space);
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(stage.bob().list().item("Build")["Kind"], "Item");
    stage.browser.is_untroubled();
}

#[test]
fn where_the_template_allows_nothing_the_form_has_it_for_added_items_alone() {
    let stage = stage(&json!([]));
    let control = stage.control("");
    control.add("Own");
    control.choose("Ask", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    assert!(!control.tells("Help (Markdown)"));
    stage.browser.press(Keys::Escape);
    control.choose("Own", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    control.says("Help (Markdown)");
    control.says("For information only, nothing to check");
    stage.browser.is_untroubled();
}

#[test]
fn an_author_says_in_the_editor_what_people_may_change_and_the_comparison_names_it() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.says("Settings");
    pages
        .browser
        .click("[...document.querySelectorAll('summary')].find((one) => one.textContent.includes('Settings'))");
    let switch = "[...document.querySelectorAll('fieldset label')].find((one) => one.textContent.includes('Change help'))";
    pages.until(&format!("!!{switch}"));
    pages.browser.click(switch);
    pages.browser.is_accessible("body", "the switches");
    pages.click("Save draft");
    let admin = server.as_admin().on(&incident("1"));
    let saved = || admin.get("Templates/f").ok()["Draft"]["Changeable"].clone();
    checklist_tests::until("it is saved", || (saved() == json!(["Help"])).then_some(()));
    pages.open("/templates/of/f/comparison");
    pages.says("Change help");
    pages.browser.is_untroubled();
}
