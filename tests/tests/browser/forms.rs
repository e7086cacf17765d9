//! The control in a form: it behaves like a native one.
//!
//! Value, validity, labels, reset, disabled and read-only, and the pair of `input` and `change`
//! that a person's action gives, once.

use checklist_tests::browser::{Keys, Stage};
use serde_json::{Value, json};

fn submitted(stage: &Stage) -> Value {
    let text = stage
        .browser
        .value("new FormData(document.querySelector('#form')).get('list')");
    text.as_str()
        .map_or(Value::Null, |text| serde_json::from_str(text).unwrap())
}

#[test]
fn it_has_what_every_native_control_has() {
    let stage = Stage::ask_and_build();
    let control = stage.control("name='list' required");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.property("name"), json!("list"));
    assert_eq!(control.property("type"), json!("checklist-control"));
    assert_eq!(control.property("form.id"), json!("form"));
    assert_eq!(control.property("willValidate"), json!(true));
    assert_eq!(control.property("validity.valueMissing"), json!(true));
    assert_eq!(control.property("checkValidity()"), json!(false));
    let message = control.property("validationMessage");
    assert!(
        message.as_str().is_some_and(|text| text.contains("Ask")),
        "{message} does not say what is open"
    );
    assert_eq!(control.property("labels.length"), json!(0));
    assert_eq!(control.property("matches(':invalid')"), json!(true));
}

#[test]
fn the_form_submits_whether_it_is_completed() {
    let stage = Stage::ask_and_build();
    let control = stage.control("name='list'");
    control.shows(&["Ask", "Build"]);
    assert_eq!(
        submitted(&stage),
        json!({ "Completed": false, "State": "Open", "Revision": 0 })
    );
    control.tick("Ask");
    control.tick("Build");
    control.becomes_completed();
    control.settles();
    assert_eq!(
        submitted(&stage),
        json!({ "Completed": true, "State": "Complete", "Revision": 2 })
    );
    assert_eq!(
        control.property("value"),
        json!("{\"Completed\":true,\"State\":\"Complete\",\"Revision\":2}")
    );
}

#[test]
fn value_and_validity_are_set_before_listeners_run() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!("<form id='form'><checklist-control id='list' name='list' required {bound}></checklist-control></form>"),
        "window.told = [];\
         for (const type of ['checklist-change', 'completed-changed', 'input', 'change'])\
           addEventListener(type, (event) => {\
             const list = document.querySelector('#list');\
             const value = JSON.parse(new FormData(list.form).get('list'));\
             told.push([type, value.Completed, list.validity.valid, list.completed, list.matches(':state(completed)')]);\
           });",
    );
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.settles();
    stage.browser.value("told.length = 0");
    control.tick("Build");
    control.becomes_completed();
    stage.browser.until("told.length >= 4");
    let told = stage.browser.value("told");
    // What the person did is told at once; completed only once the server has it.
    for event in told.as_array().unwrap() {
        let is_confirmed = event[0] == "completed-changed";
        assert_eq!(event.as_array().unwrap()[1..], [is_confirmed; 4], "{event}");
    }
}

#[test]
fn input_and_change_come_from_the_control_once_and_on_user_action_only() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!("<form id='form'><checklist-control id='list' name='list' {bound}></checklist-control></form>"),
        "window.told = []; for (const type of ['input', 'change']) addEventListener(type, (event) => told.push(type + ' ' + event.target.id));",
    );
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    assert_eq!(
        stage.browser.value("told"),
        json!([]),
        "loading is no user action"
    );
    control.open_the_add_field();
    stage.browser.keys("Clean the room");
    assert_eq!(
        stage.browser.value("told"),
        json!([]),
        "keystrokes leak out"
    );
    stage.browser.press(Keys::Enter);
    control.shows_item("Clean the room");
    assert_eq!(
        stage.browser.value("told"),
        json!(["input list", "change list"])
    );
    stage.browser.value("told.length = 0");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    assert_eq!(
        stage.browser.value("told"),
        json!(["input list", "change list"])
    );
    control.settles();
    stage.browser.value("told.length = 0");
    stage.bob().tick("Build");
    control.property("refresh()");
    control.becomes_checked("Build", true);
    assert_eq!(
        stage.browser.value("told"),
        json!([]),
        "somebody else is not this user"
    );
}

#[test]
fn a_required_list_stops_the_submit_at_its_first_open_item() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!(
            "<form id='form'><checklist-control id='list' name='list' required {bound}></checklist-control><button id='send'>Send</button></form>"
        ),
        "window.sent = 0; addEventListener('submit', (event) => { event.preventDefault(); sent += 1; });",
    );
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    assert!(!control.is("user-invalid"), "nobody has tried to submit");
    stage.browser.click("document.querySelector('#send')");
    control.becomes("user-invalid");
    assert_eq!(stage.browser.value("sent"), json!(0));
    control.until("__probe.focusRow() === 'Build'");
    control.tick("Build");
    control.becomes_completed();
    assert!(!control.is("user-invalid"));
    stage.browser.click("document.querySelector('#send')");
    stage.browser.until("sent === 1");
    stage.browser.is_untroubled();
}

#[test]
fn a_form_that_is_submitted_while_the_list_loads_is_stopped_without_an_error() {
    let stage = Stage::ask_and_build();
    stage.open(&format!(
        "<form id='form'><checklist-control id='list' name='list' required {} purpose='never loaded' template='no-such'></checklist-control></form>",
        stage.bound_to("1")
    ));
    stage
        .browser
        .until("!!customElements.get('checklist-control')");
    assert_eq!(
        stage
            .browser
            .value("document.querySelector('#form').reportValidity()"),
        json!(false)
    );
    let troubles = stage.browser.troubles();
    assert!(
        !troubles.to_string().contains("not focusable"),
        "{troubles}"
    );
}

#[test]
fn a_reset_leaves_the_form_and_the_list_in_a_sound_state() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<form id='form'></form><checklist-control id='list' form='form' name='list' required {bound}></checklist-control>"
    ));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.settles();
    control.open_the_add_field();
    stage.browser.keys("half typed");
    stage
        .browser
        .value("document.querySelector('#form').reportValidity()");
    control.becomes("user-invalid");
    stage
        .browser
        .value("document.querySelector('#form').reset()");
    control.until("!__probe.state(§, 'user-invalid')");
    assert!(!control.tells("half typed"));
    assert!(
        control.checked("Ask"),
        "what is stored is not taken back by a reset"
    );
    assert_eq!(
        control.property("form.id"),
        json!("form"),
        "form= from outside"
    );
    stage.browser.is_untroubled();
}

#[test]
fn a_disabled_fieldset_disables_it_and_gives_it_back_as_it_was() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<form id='form'><fieldset id='set'><checklist-control id='list' name='list' {bound}></checklist-control></fieldset></form>"
    ));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.settles();
    for _ in 0..2 {
        stage
            .browser
            .value("document.querySelector('#set').disabled = true");
        control.until("__probe.rows(§).every((row) => !row.Checkbox || row.Disabled)");
        assert_eq!(
            submitted(&stage),
            Value::Null,
            "a disabled control is not submitted"
        );
        assert_eq!(control.property("matches(':disabled')"), json!(true));
        stage
            .browser
            .value("document.querySelector('#set').disabled = false");
        control.until("__probe.rows(§).every((row) => row.Checkbox && !row.Disabled)");
    }
    assert!(control.checked("Ask"));
    assert_eq!(submitted(&stage)["Revision"], 1);
}

#[test]
fn disabled_by_attribute_works_alike() {
    let stage = Stage::ask_and_build();
    let control = stage.control("name='list' disabled");
    control.until("__probe.rows(§).length === 2 && __probe.rows(§).every((row) => !row.Checkbox || row.Disabled)");
    assert_eq!(submitted(&stage), Value::Null);
    control.value("document.querySelector(§).disabled = false");
    control.until("__probe.rows(§).every((row) => row.Checkbox && !row.Disabled)");
}

#[test]
fn readonly_is_focusable_readable_and_unchangeable() {
    let stage = Stage::ask_and_build();
    stage.bob().tick("Ask");
    let control = stage.control("name='list' readonly");
    control.shows(&["Ask", "Build"]);
    control.becomes("readonly");
    control.property("focus()");
    control.until("document.activeElement?.id === 'list'");
    stage.browser.press(Keys::Space);
    stage.browser.press(Keys::Delete);
    stage.browser.press(Keys::F2);
    assert_eq!(control.property("pendingCount"), json!(0));
    let list = stage.bob().list();
    assert_eq!(
        (list.status("Ask"), list.status("Build"), list.revision()),
        ("Done", "Open", 1)
    );
    assert_eq!(
        submitted(&stage)["Revision"],
        1,
        "read-only is submitted, unlike disabled"
    );
    assert_eq!(
        control.property("willValidate"),
        json!(false),
        "as with any read-only field"
    );
}

#[test]
fn a_label_focuses_it_and_is_known_to_it() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<form id='form'><label id='label' for='list'>Steps</label><checklist-control id='list' name='list' {bound}></checklist-control></form>"
    ));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.property("labels[0].id"), json!("label"));
    stage.browser.click("document.querySelector('#label')");
    control.until("__probe.focusRow() === 'Ask'");
}

#[test]
fn focus_goes_to_the_first_open_item_and_a_click_on_nothing_steals_none() {
    let stage = Stage::ask_and_build();
    stage.bob().tick("Ask");
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<input id='field'><checklist-control id='list' {bound}></checklist-control>"
    ));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    stage
        .browser
        .value("document.querySelector('#field').focus()");
    stage
        .browser
        .click("__probe.root('#list').querySelector('.title, [part~=title], [part~=header]')");
    assert_ne!(
        stage.browser.value("document.activeElement.id"),
        json!("list"),
        "a click on the title took the focus"
    );
    control.property("focus()");
    control.until("__probe.focusRow() === 'Build'");
}

#[test]
fn in_form_mode_nothing_is_sent_before_the_submit() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!(
            "<form id='form'><checklist-control id='list' name='list' autosave='off' {bound}></checklist-control><button id='send'>Send</button></form>"
        ),
        "window.sent = []; addEventListener('submit', (event) => { event.preventDefault(); sent.push(new FormData(event.target).get('list')); });",
    );
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.tick("Build");
    assert!(!control.completed(), "nothing of it is stored");
    assert_eq!(control.property("pendingCount"), json!(2));
    assert_eq!(stage.bob().list().revision(), 0);
    stage.browser.click("document.querySelector('#send')");
    stage.browser.until("sent.length === 1");
    assert_eq!(control.property("pendingCount"), json!(0));
    assert!(stage.bob().list().completed());
    let value: Value =
        serde_json::from_str(stage.browser.value("sent[0]").as_str().unwrap()).unwrap();
    assert_eq!(value["Completed"], true);
    assert_ne!(
        value["Revision"], 0,
        "the submitted value is that of the stored list"
    );
}

#[test]
fn flush_sends_what_waits() {
    let stage = Stage::ask_and_build();
    let control = stage.control("autosave='off'");
    control.tick("Ask");
    control.becomes("pending");
    control.property("flush()");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    assert!(!control.is("pending"));
}
