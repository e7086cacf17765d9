//! Other facts of an object than those of its list: said in the control, reviewed and applied.

use checklist_tests::browser::Stage;
use checklist_tests::template::{item, with};
use serde_json::{Value, json};

/// Opens a page whose host says these facts of the object.
fn open(stage: &Stage, facts: &Value) {
    let bound = stage.bound_to("1");
    let script = format!(
        "addEventListener('DOMContentLoaded', () => {{ \
           document.querySelector('#list').tokenProvider = async ({{ contexts }}) => {{ \
             const body = JSON.stringify({{ Contexts: contexts, Facts: {facts} }}); \
             const answer = await (await fetch('/token', {{ method: 'POST', body }})).json(); \
             return {{ token: answer.Token, expiresAt: answer.ExpiresAt }}; }}; }});"
    );
    let body = format!("<checklist-control id='list' {bound}></checklist-control>");
    stage.open_with_script(&body, &script);
}

#[test]
fn facts_that_have_changed_are_said_and_bring_what_applies_once_they_are_applied() {
    let vip = json!({ "When": { "Fact": "Vip", "Is": true } });
    let stage = Stage::with([item("a", "Ask"), with(item("b", "Greet"), vip)]);
    open(&stage, &json!({ "Vip": false }));
    let control = stage.browser.control("#list");
    control.shows(&["Ask"]);
    control.tick("Ask");
    control.settles();
    open(&stage, &json!({ "Vip": true }));
    control.says("The details of this record have changed: 1 new.");
    stage.browser.is_accessible("#list", "changed facts");
    control.click("Review");
    control.says("Greet");
    control.click("Apply");
    control.shows(&["Ask", "Greet"]);
    control.until("!__probe.root(§).textContent.includes('have changed')");
    control.settles();
    stage.browser.is_untroubled();
}
