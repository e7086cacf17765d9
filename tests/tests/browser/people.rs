//! People to choose assignees from, and for mentions: a combobox, and what a host may do to it.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::{Value, json};

const NAMES: &str = "[{ id: 'c-1', name: 'Carla Diaz', detail: 'carla@example.com' }, { id: 2, name: 'Carl Ek' }, 'Dora']";

/// A list whose page offers people by that script.
fn offering<'a>(stage: &'a Stage, people: &str) -> Control<'a> {
    let control = stage.control("");
    control.shows_item("Ask");
    control.value(&format!("(document.querySelector(§).people = {people}, 0)"));
    control
}

/// A typed name as an assignee.
fn text(name: &str) -> Value {
    json!({ "Id": name, "Name": name })
}

fn open(stage: &Stage, control: &Control<'_>) {
    open_of(stage, control, "Ask");
}

fn open_of(stage: &Stage, control: &Control<'_>, item: &str) {
    control.focus_item(item);
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
}

fn to_assignee(control: &Control<'_>) {
    control.value("(__probe.root(§).querySelector('.editor input[type=text]').focus(), 0)");
}

fn offers(control: &Control<'_>, names: &[&str]) {
    control.until(&format!(
        "JSON.stringify([...__probe.root(§).querySelectorAll('[role=option]')].map((one) => one.querySelector('bdi').textContent)) === {}",
        json!(json!(names).to_string())
    ));
}

fn assignee(control: &Control<'_>) -> Value {
    control.value("__probe.root(§).querySelector('.editor input[type=text]').value")
}

#[test]
fn an_assignee_is_chosen_by_keys_and_any_other_name_can_be_typed() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = offering(&stage, NAMES);
    open(&stage, &control);
    to_assignee(&control);
    stage.browser.keys("car");
    offers(&control, &["Carla Diaz", "Carl Ek"]);
    stage.browser.is_accessible("#list", "people on offer");
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Down);
    control.until(
        "(() => { const active = __probe.deepActive(); const one = __probe.root(§).getElementById(active.getAttribute('aria-activedescendant')); \
          return active.role === 'combobox' && one?.ariaSelected === 'true' && one.textContent.includes('Carl Ek'); })()",
    );
    // Escape closes the list and nothing else.
    stage.browser.press(Keys::Escape);
    offers(&control, &[]);
    assert_eq!(assignee(&control), json!("car"));
    stage.browser.press(Keys::Down);
    offers(&control, &["Carla Diaz", "Carl Ek"]);
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Enter);
    offers(&control, &[]);
    assert_eq!(assignee(&control), json!("Carla Diaz"));
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(
        stage.bob().list().item("Ask")["Assignee"],
        json!({ "Id": "c-1", "Name": "Carla Diaz" })
    );

    open(&stage, &control);
    control.fill("Assignee", "Nobody known");
    control.says("No matches");
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(
        stage.bob().list().item("Ask")["Assignee"],
        text("Nobody known")
    );
    stage.browser.is_untroubled();
}

#[test]
fn several_items_are_assigned_to_somebody_on_offer_by_keys() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build"), item("c", "Check")]);
    let control = offering(&stage, NAMES);
    control.choose("Ask", "Select");
    control.focus_item("Ask");
    stage.browser.press_with(Keys::Control, 'a');
    control.click("Assign");
    let field = "__probe.root(§).querySelector('.selection input')";
    control.until(&format!("{field} === __probe.deepActive()"));
    stage.browser.keys("do");
    offers(&control, &["Dora"]);
    stage
        .browser
        .is_accessible("#list", "people on offer for several");
    // Escape closes the list, and only then the field.
    stage.browser.press(Keys::Escape);
    offers(&control, &[]);
    control.until(&format!("{field} === __probe.deepActive()"));
    stage.browser.press(Keys::Down);
    offers(&control, &["Dora"]);
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Enter);
    offers(&control, &[]);
    control.until(&format!("{field}.value === 'Dora'"));
    stage.browser.press(Keys::Enter);
    control.settles();
    let list = stage.bob().list();
    for one in ["Ask", "Build", "Check"] {
        assert_eq!(list.item(one)["Assignee"], text("Dora"));
    }
    stage.browser.is_untroubled();
}

#[test]
fn a_mention_in_a_note_offers_the_same_people() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = offering(&stage, NAMES);
    open(&stage, &control);
    stage.browser.keys("call @do");
    offers(&control, &["Dora"]);
    stage.browser.is_accessible("#list", "people to mention");
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Enter);
    stage.browser.keys("today");
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(stage.bob().list().item("Ask")["Note"], "call @Dora today");
    stage.browser.is_untroubled();
}

#[test]
fn a_function_is_asked_once_for_what_was_typed_and_late_answers_count_for_nothing() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = offering(
        &stage,
        "(window.__asked = [], (prefix, { signal }) => new Promise((resolve, reject) => { \
           __asked.push({ prefix, resolve, reject, get aborted() { return signal.aborted; } }); }))",
    );
    open(&stage, &control);
    // Made anew at each render: nothing is asked because of it.
    control.value("(() => { const element = document.querySelector(§); const source = element.people; element.people = (...all) => source(...all); })()");
    to_assignee(&control);
    stage.browser.keys("c");
    control.until("__asked.length === 1 && __asked[0].prefix === 'c'");
    control.says("Loading people");
    stage.browser.keys("a");
    control.until("__asked.length === 2 && __asked[1].prefix === 'ca' && __asked[0].aborted");
    control.value("(__asked[1].resolve([{ name: 'Carla' }]), 0)");
    offers(&control, &["Carla"]);
    control.value("(__asked[0].resolve([{ name: 'Cecil' }]), 0)");
    stage.browser.keys("r");
    control.until("__asked.length === 3");
    control.value("(__asked[2].reject(new Error('gone')), 0)");
    control.says("People could not be loaded.");
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(stage.bob().list().item("Ask")["Assignee"], text("car"));
    stage.browser.is_untroubled();
}

#[test]
fn without_people_the_field_is_plain() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = stage.control("");
    control.shows_item("Ask");
    open(&stage, &control);
    to_assignee(&control);
    stage.browser.keys("car");
    assert_eq!(
        control.value("__probe.deepActive().getAttribute('role')"),
        json!(null)
    );
    stage.browser.is_untroubled();
}

#[test]
fn people_with_one_name_are_told_apart_where_both_are_and_stay_two() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build"), item("c", "Check")]);
    let control = offering(
        &stage,
        "[{ id: 'u 1 <😀>', name: 'מרים כהן' }, { id: 'u2', name: 'מרים כהן' }, \
          { id: 'u3', name: 'Carla Diaz', detail: 'Purchasing' }, { id: 'u4', name: 'Carla Diaz', detail: 'IT' }]",
    );
    let hints = |expected: Value| {
        control.until(&format!(
            "JSON.stringify([...__probe.root(§).querySelectorAll('[role=option] .hint')].map((one) => one.textContent)) === {}",
            json!(expected.to_string())
        ));
    };
    let told = |expected: Value| {
        control.until(&format!(
            "JSON.stringify([...__probe.root(§).querySelectorAll('.assignee')].map((one) => [...one.querySelectorAll('bdi')].map((part) => part.textContent))) === {}",
            json!(expected.to_string())
        ));
    };
    for (text, downs) in [("Ask", 1), ("Build", 2)] {
        open_of(&stage, &control, text);
        to_assignee(&control);
        stage.browser.keys("מרים");
        hints(json!(["u 1 <😀>", "u2"]));
        stage.browser.is_accessible("#list", "two of one name");
        for _ in 0..downs {
            stage.browser.press(Keys::Down);
        }
        stage.browser.press(Keys::Enter);
        stage.browser.press(Keys::Enter);
        control.settles();
    }
    told(json!([["מרים כהן", "u 1 <😀>"], ["מרים כהן", "u2"]]));
    stage
        .browser
        .is_accessible("#list", "rows of two of one name");
    open_of(&stage, &control, "Check");
    to_assignee(&control);
    stage.browser.keys("carla");
    hints(json!(["Purchasing", "IT"]));
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Enter);
    stage.browser.press(Keys::Enter);
    control.settles();
    told(json!([
        ["מרים כהן", "u 1 <😀>"],
        ["מרים כהן", "u2"],
        ["Carla Diaz"]
    ]));
    let bob = stage.bob();
    assert_eq!(
        bob.list().item("Build")["Assignee"],
        json!({ "Id": "u2", "Name": "מרים כהן" })
    );

    // Saved again without another choice it is the same person; a typed name is nobody's id.
    open_of(&stage, &control, "Build");
    control.fill("Note", "soon");
    stage.browser.press(Keys::Enter);
    control.settles();
    assert_eq!(bob.list().item("Build")["Assignee"]["Id"], "u2");
    // Somebody else changes it: who is left needs no id any more.
    bob.change("Build", json!({ "Assignee": "Carla Diaz" }));
    told(json!([["מרים כהן"], ["Carla Diaz"], ["Carla Diaz", "u3"]]));
    stage.browser.is_untroubled();
}

#[test]
fn whoever_cannot_be_stored_is_not_offered_and_the_longest_id_is() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = offering(
        &stage,
        "[{ id: 'x'.repeat(201), name: 'Carla' }, { id: '😀'.repeat(200), name: 'Carl' }, { name: ' ' }, null, 7]",
    );
    open(&stage, &control);
    to_assignee(&control);
    stage.browser.keys("car");
    offers(&control, &["Carl"]);
    stage.browser.press(Keys::Down);
    stage.browser.press(Keys::Enter);
    stage.browser.press(Keys::Enter);
    control.settles();
    let id = "😀".repeat(200);
    let expected = json!({ "Id": id, "Name": "Carl" });
    assert_eq!(stage.bob().list().item("Ask")["Assignee"], expected);
    stage.browser.is_untroubled();
}
