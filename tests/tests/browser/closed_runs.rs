//! A closed run in the control: read-only, with what was answered, and apart from the present run.

use checklist_tests::browser::Stage;
use checklist_tests::template::{item, with};
use serde_json::json;

/// A list whose first run was closed with an answer in it; in the present run nothing is done.
fn stage() -> Stage {
    let format = json!({ "Type": "Number", "Unit": "°C" });
    let stage = Stage::with([
        with(item("a", "Measure"), json!({ "AnswerFormat": format })),
        item("b", "Call"),
    ]);
    let bob = stage.bob();
    bob.change("Measure", json!({ "Answer": 4.5 }))
        .only("Updated");
    bob.call("StartAgain", json!({ "Reason": "The night is over" }))
        .ok();
    stage
}

#[test]
fn a_closed_run_is_shown_read_only_with_its_answers_and_who_closed_it() {
    let stage = stage();
    let control = stage.control("run='1'");
    control.shows(&["Measure", "Call"]);
    control.says("(run 1)");
    control.says("This run was closed by Bob Backoffice");
    control.says("The night is over");
    control.says("Answer: 4.5 °C");
    assert!(control.checked("Measure"));
    let is_fixed = "[...__probe.root(§).querySelectorAll('.row .box')].every((box) => box.disabled || box.ariaDisabled === 'true')";
    control.until(is_fixed);
    stage.browser.is_accessible("#list", "a closed run");
    stage.bob().tick("Call");
    control.value("document.querySelector('#list').refresh()");
    control.settles();
    assert!(!control.checked("Call"), "that was the present run");
    stage.browser.is_untroubled();
}

#[test]
fn the_present_run_is_back_once_the_attribute_is_gone() {
    let stage = stage();
    let control = stage.control("run='1'");
    control.says("Answer: 4.5 °C");
    control.value("document.querySelector('#list').removeAttribute('run')");
    control.until("!__probe.root(§).textContent.includes('(run 1)')");
    control.becomes_checked("Measure", false);
    control.tick("Call");
    control.becomes_checked("Call", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Call"), "Done");
    control.value("document.querySelector('#list').setAttribute('run', '1')");
    control.says("(run 1)");
    assert!(!control.checked("Call"));
    stage.browser.is_untroubled();
}

#[test]
fn what_is_no_number_of_a_run_is_said_and_shows_nothing() {
    for (wrong, sentence) in [
        ("last", "1 for the first, or higher"),
        ("7", "has no run 7"),
    ] {
        let stage = stage();
        let control = stage.control(&format!("run='{wrong}'"));
        control.says(sentence);
        assert!(!control.tells("Measure"), "{wrong}");
    }
}

#[test]
fn a_locked_present_run_that_is_named_is_locked_and_not_closed() {
    let stage = stage();
    stage.bob().lock("The door is open");
    let control = stage.control("run='2'");
    control.shows(&["Measure", "Call"]);
    control.says("The door is open");
    control.says("Locked by Bob Backoffice");
    assert!(!control.tells("This run was closed"));
    stage.browser.is_untroubled();
}
