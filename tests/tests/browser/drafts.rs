//! A control without `object-id` is a draft: changes wait and are sent once, when there is one.
//!
//! The server is asked afterwards what it has got: nothing before, everything once after.

use checklist_tests::browser::Stage;
use serde_json::json;

#[test]
fn a_draft_shows_the_template_and_sends_its_changes_once_there_is_an_object() {
    let stage = Stage::ask_and_build();
    let unbound = stage.unbound();
    stage.open(&format!("<form id='form'><checklist-control id='list' name='list' {unbound} template='f'></checklist-control></form>"));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.add("Clean");
    control.tick("Clean");
    control.choose("Build", "Delete");
    control.shows(&["Ask", "Clean"]);
    control.becomes_completed();
    let admin = stage.server.as_admin().on(&stage.place());
    assert!(admin.audit_of_lists().is_empty(), "a draft wrote something");

    control.value("document.querySelector(§).objectId = '1'");
    control.settles();
    control.shows(&["Ask", "Clean"]);
    checklist_tests::until("the draft to be stored", || {
        stage.bob().list().completed().then_some(())
    });
    let list = stage.bob().list();
    assert_eq!(list.texts(), ["Ask", "Clean"]);
    assert_eq!(list.item("Clean")["Origin"], "Local");
    let rows = admin.audit();
    let added = rows
        .iter()
        .filter(|row| row["Event"]["What"] == "Added" && row["Event"]["Text"] == "Clean")
        .count();
    assert_eq!(added, 1, "sent once");
    control.property("refresh()");
    control.shows(&["Ask", "Clean"]);
    stage.browser.is_untroubled();
}

#[test]
fn a_draft_of_a_type_shows_the_types_template() {
    let stage = Stage::ask_and_build();
    let unbound = stage.unbound();
    stage.open(&format!(
        "<checklist-control id='list' {unbound}></checklist-control>"
    ));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.says("Not saved yet");
    assert_eq!(control.property("state"), json!("Open"));
    stage.browser.is_untroubled();
}
