//! A page in one language, a browser in another: every call's answer speaks the page's.
//! The browser of the tests prefers English; the lists here are in German and French, so that an
//! answer in the browser's language would be seen, if only for a moment.
//! Part of the program `browser`.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::{fragment, item, publish, with};
use serde_json::{Value, json};
use thirtyfour::Key;

/// The same item in three languages.
fn spoken(key: &str, english: &str, german: &str, french: &str) -> Value {
    let text = json!({ "en": english, "de": german, "fr": french });
    with(item(key, english), json!({ "Text": text }))
}

fn first_version() -> Vec<Value> {
    vec![
        spoken("a", "Ask", "Fragen", "Demander"),
        spoken("b", "Build", "Bauen", "Construire"),
        spoken("c", "Clean", "Putzen", "Nettoyer"),
    ]
}

/// Remembers every English text of the template that a list has ever shown.
const OVERHEAR: &str = "window.english = new Set();\
    const looking = setInterval(() => {\
      const root = document.querySelector('checklist-control')?.shadowRoot;\
      if (!root) return;\
      clearInterval(looking);\
      const note = () => { for (const text of root.textContent.match(/Ask|Build|Clean/g) ?? []) english.add(text); };\
      note();\
      new MutationObserver(note).observe(root, { childList: true, characterData: true, subtree: true }); }, 5);";

struct Words {
    tag: &'static str,
    rows: [&'static str; 3],
    asked_twice: &'static str,
    add: &'static str,
    review: &'static str,
    apply: &'static str,
}

const GERMAN: Words = Words {
    tag: "de",
    rows: ["Fragen", "Bauen", "Putzen"],
    asked_twice: "Zweimal fragen",
    add: "Eintrag hinzufügen",
    review: "Ansehen",
    apply: "Übernehmen",
};

const FRENCH: Words = Words {
    tag: "fr-CA",
    rows: ["Demander", "Construire", "Nettoyer"],
    asked_twice: "Demander deux fois",
    add: "Ajouter un élément",
    review: "Examiner",
    apply: "Appliquer",
};

fn opened<'a>(stage: &'a Stage, words: &Words) -> Control<'a> {
    let bound = stage.bound_to("1");
    let body = format!(
        "<checklist-control id='list' lang='{}' {bound}></checklist-control>",
        words.tag
    );
    stage.open_with_script(&body, OVERHEAR);
    stage.browser.control("#list")
}

#[track_caller]
fn nothing_was_english(stage: &Stage, after: &str) {
    let seen = stage.browser.value("[...english]");
    assert_eq!(seen, json!([]), "English after {after}");
}

#[test]
fn what_is_answered_to_a_change_stays_in_the_language_of_the_page() {
    for words in [GERMAN, FRENCH] {
        let stage = Stage::with(first_version());
        let control = opened(&stage, &words);
        control.shows(&words.rows);
        let [first, second, third] = words.rows;

        control.tick(first);
        control.becomes_checked(first, true);
        control.settles();
        nothing_was_english(&stage, "a tick");

        control.focus_item(second);
        stage.browser.press(Key::F2);
        control.until("__probe.deepActive()?.matches('.editor input, .editor textarea')");
        stage.browser.press_with(Key::Control, 'a');
        stage.browser.keys("42");
        stage.browser.press(Key::Enter);
        control.shows(&[first, "42", third]);
        control.settles();
        nothing_was_english(&stage, "an edit");

        // Back to the template's text, which the server alone knows.
        control.property("undo()");
        control.shows(&words.rows);
        control.settles();
        nothing_was_english(&stage, "an undo");

        control.click(words.add);
        control.until("__probe.deepActive()?.matches('.add input')");
        stage.browser.keys("43");
        stage.browser.press(Key::Enter);
        control.shows(&[first, second, third, "43"]);
        control.settles();

        control.focus_item(third);
        stage.browser.press(Key::Delete);
        control.shows(&[first, second, "43"]);
        control.settles();
        control.property("undo()");
        control.shows(&[first, second, third, "43"]);
        control.settles();
        nothing_was_english(&stage, "a delete that was taken back");

        control.property("refresh()");
        control.settles();
        nothing_was_english(&stage, "a read");
        stage.browser.is_untroubled();
    }
}

#[test]
fn a_new_version_is_shown_and_taken_over_in_the_language_of_the_page() {
    for words in [GERMAN, FRENCH] {
        let stage = Stage::with(first_version());
        stage.bob().add("44");
        let mut items = first_version();
        items[0] = spoken("a", "Ask twice", "Zweimal fragen", "Demander deux fois");
        publish(&stage.server, &fragment("f", items));
        let control = opened(&stage, &words);
        let [first, second, third] = words.rows;
        control.shows(&[first, second, third, "44"]);

        control.click(words.review);
        control.says(words.asked_twice);
        nothing_was_english(&stage, "a dry run");

        control.click(words.apply);
        control.shows(&[words.asked_twice, second, third, "44"]);
        control.settles();
        nothing_was_english(&stage, "a refresh");

        control.property("undo()");
        control.shows(&[first, second, third, "44"]);
        control.settles();
        nothing_was_english(&stage, "taking it back");
        stage.browser.is_untroubled();
    }
}

#[test]
fn an_answer_that_is_no_json_is_told_as_such() {
    let stage = Stage::with(first_version());
    let control = stage.control_after("{ const real = window.fetch; window.fetch = async (address, ...rest) =>\
             /\\/(GetItems|Render)$/.test(address.url ?? String(address))\
               ? new Response('<!DOCTYPE html><p>Sign in', { headers: { 'Content-Type': 'text/html' } })\
               : real(address, ...rest); }");
    control.says("the answer is no JSON");
}
