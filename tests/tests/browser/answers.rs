//! Items that ask for an answer, in the control: asked for by keyboard, read and typed in the reader's
//! language, changed by the menu, left out of what is checked in passing; and asked for in the editor.

use checklist_tests::Server;
use checklist_tests::browser::{Control, Keys, Pages, Stage};
use checklist_tests::template::{fragment, item, publish, section, under, with};
use serde_json::{Value, json};

fn asking(key: &str, text: &str, format: Value) -> Value {
    with(item(key, text), json!({ "AnswerFormat": format }))
}

fn cold() -> Value {
    let format = json!({ "Type": "Number", "Unit": "°C", "Min": 2, "Max": 8 });
    asking("cold", "Measure", format)
}

fn door() -> Value {
    let choices = json!([
        { "Key": "shut", "Text": { "en": "Shut", "de": "Zu" } },
        { "Key": "ice", "Text": { "en": "Iced up", "de": "Vereist" } },
    ]);
    asking(
        "door",
        "Look",
        json!({ "Type": "Choice", "Choices": choices }),
    )
}

fn in_a_form(control: &Control<'_>) {
    control.until("!!__probe.deepActive()?.closest('.editor')");
}

#[test]
fn a_german_answers_with_a_comma_by_keyboard_and_is_told_the_bounds() {
    let stage = Stage::with([cold(), item("b", "Call")]);
    let control = stage.control("required lang='de'");
    control.says("Von 2 bis 8 °C");
    control.focus_item("Measure");
    stage.browser.press(Keys::Space);
    in_a_form(&control);
    assert!(!control.checked("Measure"));
    stage.browser.keys("9");
    stage.browser.press(Keys::Enter);
    control.says("Bitte eine Zahl eingeben. Von 2 bis 8 °C");
    in_a_form(&control);
    stage
        .browser
        .is_accessible("#list", "the form with an error");
    stage.browser.press_with(Keys::Control, 'a');
    stage.browser.keys("4,5");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Measure", true);
    control.says("Antwort: 4,5 °C");
    control.until("__probe.deepActive()?.closest('.row')?.textContent.includes('Measure')");
    control.settles();
    let answer = stage.bob().list().item("Measure")["Answer"].clone();
    assert_eq!(answer, json!({ "Value": 4.5, "Label": "°C" }));
    stage.browser.is_untroubled();
}

#[test]
fn a_choice_is_made_by_arrow_keys_and_changed_by_the_menu() {
    let stage = Stage::with([door(), item("b", "Call")]);
    let control = stage.control("");
    control.tick("Look");
    in_a_form(&control);
    stage.browser.press(Keys::Enter);
    control.says("This item needs an answer.");
    in_a_form(&control);
    stage.browser.press(Keys::Space);
    stage.browser.press(Keys::Down);
    stage.browser.is_accessible("#list", "the choices");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Look", true);
    control.says("Answer: Iced up");
    control.choose("Look", "Change answer");
    control.until("__probe.deepActive()?.matches('.editor input:checked')");
    stage.browser.press(Keys::Up);
    stage.browser.press(Keys::Enter);
    control.says("Answer: Shut");
    control.settles();
    assert_eq!(stage.bob().list().item("Look")["Answer"]["Value"], "shut");
    stage.browser.is_untroubled();
}

#[test]
fn an_answer_of_somebody_else_comes_into_the_open_list_and_goes_when_the_item_is_opened() {
    let stage = Stage::with([door(), item("b", "Call")]);
    let control = stage.control("lang='de'");
    control.shows(&["Look", "Call"]);
    stage
        .bob()
        .change("Look", json!({ "Answer": "ice" }))
        .only("Updated");
    control.says("Antwort: Vereist");
    control.tick("Look");
    control.becomes_checked("Look", false);
    control.until("!__probe.root(§).textContent.includes('Antwort:')");
    control.settles();
    assert_eq!(stage.bob().list().item("Look")["Answer"], Value::Null);
    stage.browser.is_untroubled();
}

#[test]
fn a_section_that_is_checked_leaves_out_what_asks_and_says_so() {
    let stage = Stage::with([
        section("s", "Rounds"),
        under("s", cold()),
        under("s", item("b", "Call")),
    ]);
    let control = stage.control("");
    control.shows_item("Measure");
    let heading = "__probe.root('#list').querySelector('.section-box')";
    stage.browser.click(heading);
    control.becomes_checked("Call", true);
    assert!(!control.checked("Measure"));
    assert!(control.tells("Measure"), "it is named");
    stage.browser.is_untroubled();
}

#[test]
fn what_an_item_asks_for_is_written_in_the_editor_shown_in_the_preview_and_kept() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("ID", "rounds");
    pages.fill("Name", "Rounds");
    pages.click("Add item");
    pages.fill("Text", "Measure");
    pages.choose("Answer", "Number");
    pages.fill("Smallest number", "2.5");
    pages.fill("Largest number", "1");
    pages.fill("Unit", "°C");
    pages.click("Done");
    pages.says("From 2.5 to 1 °C");
    pages.click("Save draft");
    pages.says("less than the smallest");
    pages.fill("Largest number", "8");
    pages.click("Done");
    pages.click("Add item");
    pages.fill("Text", "Look");
    pages.choose("Answer", "Choice");
    pages.fill("Choice 1", "Shut");
    pages.fill("Choice 2", "Open");
    pages.click("Add choice");
    pages.until("document.activeElement.id.includes('-choice-2-')");
    pages.click("Remove choice 3");
    pages.until("document.activeElement.id.includes('-choice-1-')");
    pages.click("Done");
    pages.says("Shut / Open");
    pages.click("Save draft");
    pages.says("Draft of version 1");
    pages.browser.reload();
    pages.is_at("Rounds");
    pages.click("Edit “Look”");
    pages.until("[...document.querySelectorAll('.choice-row input')].map((it) => it.value).join() === 'Shut,Open'");
    pages.browser.is_accessible("main", "an item with choices");
    pages.browser.is_untroubled();
}

#[test]
fn two_tabs_on_one_list_keep_what_is_typed_and_show_the_answer_of_the_other() {
    let stage = Stage::with([cold(), item("b", "Call")]);
    let control = stage.control("");
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("4");
    let first = stage.browser.window();
    let second = stage
        .browser
        .open_window(&format!("{}/", stage.host.origin));
    let other = stage.browser.control("#list");
    other.tick("Measure");
    in_a_form(&other);
    stage.browser.keys("5");
    stage.browser.press(Keys::Enter);
    other.says("Answer: 5 °C");
    other.settles();
    stage.browser.show_window(&first);
    // What is typed is not drawn over; that the other answer is here is known all the same.
    control.until("document.querySelector('#list').items[0].Status === 'Done'");
    control.until("__probe.root(§).querySelector('.editor input')?.value === '4'");
    control.click("Done");
    control.says("Answer: 4 °C");
    control.settles();
    assert_eq!(stage.bob().list().item("Measure")["Answer"]["Value"], 4);
    stage.browser.show_window(&second);
    other.says("Answer: 4 °C");
    stage.browser.is_untroubled();
}

#[test]
fn an_answer_is_shown_at_once_and_kept_when_answers_of_the_server_take_long() {
    let stage = Stage::with([cold(), door()]);
    let control = stage.control("");
    control.shows(&["Measure", "Look"]);
    stage.browser.delay_network(400);
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("4");
    stage.browser.press(Keys::Enter);
    assert!(control.checked("Measure"), "before the server knows");
    control.choose("Measure", "Change answer");
    in_a_form(&control);
    control.fill("Answer in °C", "5");
    stage.browser.press(Keys::Enter);
    control.says("Answer: 5 °C");
    control.settles();
    control.says("Answer: 5 °C");
    assert_eq!(stage.bob().list().item("Measure")["Answer"]["Value"], 5);
    stage.browser.is_untroubled();
}

/// Publishes the template with another format of its first item, and brings the list to it.
fn asks_otherwise(stage: &Stage, format: Value) {
    let items = [asking("cold", "Measure", format), item("b", "Call")];
    publish(&stage.server, &fragment("f", items));
    stage.bob().refresh();
}

#[test]
fn an_answer_that_the_server_refuses_is_taken_back_and_said_so_in_words() {
    let stage = Stage::with([cold(), item("b", "Call")]);
    // So that a refresh has something to change.
    stage.bob().tick("Call");
    let control = stage.control_that_hears_nothing();
    control.shows(&["Measure", "Call"]);
    asks_otherwise(&stage, json!({ "Type": "Number", "Unit": "°C", "Max": 3 }));
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("7");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Measure", false);
    control.says("This item needs an answer.");
    control.settles();
    assert_eq!(stage.bob().list().item("Measure")["Answer"], Value::Null);
    stage.browser.is_untroubled();
}

#[test]
fn another_format_that_comes_while_somebody_types_leaves_what_is_typed_in_sight() {
    let stage = Stage::with([cold(), item("b", "Call")]);
    stage.bob().tick("Call");
    let control = stage.control("");
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("4.5");
    let choices = json!([{ "Key": "low", "Text": "Too low" }, { "Key": "good", "Text": "Good" }]);
    asks_otherwise(&stage, json!({ "Type": "Choice", "Choices": choices }));
    control.until("document.querySelector('#list').items[0].Version > 1");
    stage.browser.press(Keys::Enter);
    control.says("Too low");
    control.says("“4.5”");
    in_a_form(&control);
    stage
        .browser
        .is_accessible("#list", "choices in place of a field");
    stage
        .browser
        .click("__probe.root('#list').querySelector('.editor input[value=good]')");
    control.click("Done");
    control.says("Answer: Good");
    control.settles();
    assert_eq!(
        stage.bob().list().item("Measure")["Answer"]["Value"],
        "good"
    );
    stage.browser.is_untroubled();
}
