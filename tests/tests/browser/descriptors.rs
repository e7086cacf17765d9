//! The brief's descriptors, and the properties that mirror them.
//!
//! Disable Check, Disable Edit, Log In Journal, Purpose in; Completed out. Each test says what a
//! person sees of it and what reaches the server.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::{in_german, item};
use serde_json::json;

#[track_caller]
fn nothing_but_ticking_is_offered(control: &Control<'_>) {
    let offered = control.buttons();
    for name in ["Add", "Edit", "Delete", "Move"] {
        assert!(
            !offered.iter().any(|button| button.starts_with(name)),
            "{name} is offered: {offered:?}"
        );
    }
}

#[test]
fn disable_check_renders_no_checkbox_and_still_tells_the_status() {
    let stage = Stage::ask_and_build();
    stage.bob().tick("Ask");
    let control = stage.control("disable-check");
    control.shows(&["Ask", "Build"]);
    assert!(
        control.rows().iter().all(|row| row["Checkbox"] == false),
        "{:?}",
        control.rows()
    );
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('input[type=checkbox]').length"),
        json!(0)
    );
    let told = |text: &str| {
        control
            .rows()
            .iter()
            .find(|row| row["Text"] == text)
            .unwrap()["All"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(told("Ask").contains("Done"), "{}", told("Ask"));
    assert!(!told("Build").contains("Done"), "{}", told("Build"));
    control.property("removeAttribute('disable-check')");
    control.until("__probe.rows(§).every((row) => row.Checkbox)");
    stage.browser.is_untroubled();
}

#[test]
fn disable_edit_leaves_ticking_and_nothing_else() {
    let stage = Stage::ask_and_build();
    let control = stage.control("disable-edit");
    control.shows(&["Ask", "Build"]);
    nothing_but_ticking_is_offered(&control);
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn the_string_false_is_false() {
    let stage = Stage::ask_and_build();
    let control = stage.control("disable-check='false' disable-edit='FALSE' required='false'");
    control.until("__probe.rows(§).every((row) => row.Checkbox)");
    assert_eq!(control.property("disableCheck"), json!(false));
    assert_eq!(control.property("disableEdit"), json!(false));
    assert_eq!(control.property("validity.valid"), json!(true));
}

#[test]
fn properties_and_attributes_are_the_same_thing() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.value("document.querySelector(§).disableCheck = true");
    assert_eq!(
        control.property("hasAttribute('disable-check')"),
        json!(true)
    );
    control.until("__probe.rows(§).every((row) => !row.Checkbox)");
    control.value("document.querySelector(§).disableCheck = false");
    control.until("__probe.rows(§).every((row) => row.Checkbox)");
    assert_eq!(control.property("objectId"), json!("1"));
    assert_eq!(control.property("objectType"), json!("incident"));
}

#[test]
fn a_plain_object_becomes_json_and_any_other_one_its_own_text() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let plain = "{ site: 'north' }";
    for facts in [
        plain,
        &format!("Object.assign(Object.create(null), {plain})"),
    ] {
        let preview = "Object.assign(document.createElement('checklist-preview'), { facts })";
        let text = format!("((facts) => {preview}.getAttribute('facts'))({facts})");
        let text = stage.browser.value(&text);
        assert_eq!(text, json!(r#"{"site":"north"}"#), "{facts}");
    }
    let set =
        "(document.querySelector(§).baseUrl = new URL(document.querySelector(§).baseUrl)).href";
    let address = control.value(set);
    assert_eq!(control.property("baseUrl"), address);
    control.tick("Ask");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn log_in_journal_asks_for_it_with_every_write() {
    let stage = Stage::ask_and_build();
    let control = stage.control("log-in-journal");
    control.tick("Ask");
    control.settles();
    let entries = stage.bob().journal();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["Text"], "1 checked, 1 of 2 done");
}

#[test]
fn why_nothing_was_written_to_the_journal_is_shown_once() {
    let stage = Stage::ask_and_build();
    let admin = stage.server.as_admin().on(&stage.place());
    let lacking =
        json!({ "Name": "incident", "Classes": ["ChecklistItem"], "Templates": { "": "f" } });
    admin.put("Types/incident", &lacking).ok();
    let control = stage.control("log-in-journal");
    control.tick("Ask");
    control.says("Nothing was written to the journal.");
    control
        .until("__probe.root(§).querySelector('.notice p[title]')?.title.includes('UnitOfWork')");
    stage.browser.is_untroubled();
}

#[test]
fn without_log_in_journal_nothing_is_written_there() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.tick("Ask");
    control.settles();
    assert!(stage.bob().journal().is_empty());
}

#[test]
fn purpose_chooses_the_list() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<checklist-control id='one' {bound} purpose='one'></checklist-control>\
         <checklist-control id='two' {bound} purpose='two'></checklist-control>"
    ));
    let (one, two) = (stage.browser.control("#one"), stage.browser.control("#two"));
    one.says("No items yet");
    one.add("Of one");
    one.settles();
    two.shows(&[]);
    two.value("document.querySelector(§).purpose = 'one'");
    two.shows(&["Of one"]);
    stage.browser.is_untroubled();
}

#[test]
fn two_controls_on_one_list_warn_in_the_console() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<checklist-control id='one' {bound}></checklist-control><checklist-control id='two' {bound}></checklist-control>"
    ));
    stage.browser.control("#two").shows(&["Ask", "Build"]);
    stage
        .browser
        .until("__probe.troubles.some((one) => one.startsWith('warn') && /purpose/i.test(one))");
}

#[test]
fn completed_changed_fires_on_change_only() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after("window.told = []; addEventListener('completed-changed', (event) => told.push([event.detail.completed, event.target.completed, event.bubbles, event.composed]));");
    control.shows(&["Ask", "Build"]);
    let told = || stage.browser.value("told");
    control.tick("Ask");
    control.settles();
    assert_eq!(told(), json!([]), "false stayed false");
    control.tick("Build");
    control.becomes_completed();
    control.settles();
    assert_eq!(told(), json!([[true, true, true, true]]));
    control.becomes("completed");
    control.property("refresh()");
    control.settles();
    assert_eq!(
        told(),
        json!([[true, true, true, true]]),
        "true stayed true"
    );
    control.tick("Ask");
    control.until("document.querySelector(§).completed === false");
    assert_eq!(told().as_array().map(Vec::len), Some(2));
    assert!(!control.is("completed"));
}

#[test]
fn what_the_token_does_not_allow_is_not_offered() {
    let stage = Stage::for_people_who_may(&["Read", "Check"], [item("a", "Ask")]);
    let control = stage.control("");
    control.shows(&["Ask"]);
    nothing_but_ticking_is_offered(&control);
    control.tick("Ask");
    control.becomes_completed();

    let reader = Stage::for_people_who_may(&["Read"], [item("a", "Ask")]);
    let control = reader.control("");
    control.shows(&["Ask"]);
    let row = &control.rows()[0];
    assert!(
        row["Checkbox"] == false || row["Disabled"] == true,
        "a reader can tick: {row}"
    );
}

#[test]
fn a_locked_list_says_why_and_takes_no_change() {
    let stage = Stage::ask_and_build();
    stage.bob().lock("incident closed");
    let control = stage.control("");
    control.says("incident closed");
    control.says("Bob Backoffice");
    assert!(
        control
            .rows()
            .iter()
            .all(|row| row["Checkbox"] == false || row["Disabled"] == true)
    );
    let offered = control.buttons();
    assert!(
        !offered.iter().any(|button| button.starts_with("Add")),
        "{offered:?}"
    );
    stage.browser.is_untroubled();
}

#[test]
fn the_language_follows_the_attribute_else_the_page() {
    let stage = Stage::with([in_german(item("a", "Ask"), "Fragen")]);
    let control = stage.control("");
    control.shows(&["Ask"]);
    control.value("document.querySelector(§).lang = 'de'");
    control.shows(&["Fragen"]);
    control.says("0 von 1");
    stage.browser.is_untroubled();
}
