//! What a program proposes, as the control shows it: a person accepts or declines by keyboard, the
//! evidence is a link that tells its target nothing, who may not tick sees it without buttons, and what takes a second
//! person waits for one.

use checklist_tests::Person;
use checklist_tests::browser::{Engine, Keys, Stage};
use checklist_tests::template::{item, optional_to_apply, with};
use serde_json::{Value, json};

fn stage() -> Stage {
    let needs = json!({ "NeedsPerson": true });
    Stage::with([
        with(optional_to_apply(item("a", "Release it")), needs),
        item("b", "Tell the team"),
    ])
}

/// A program with an API key.
fn finch(stage: &Stage) -> Person {
    let admin = stage.server.as_admin().on(&stage.place());
    admin.program("Finch", &["checker"])
}

fn propose(stage: &Stage, mut fields: Value) {
    let finch = finch(stage);
    fields["Id"] = json!(finch.id("Release it"));
    let answer = finch.call("ProposeItems", json!({ "Items": [fields] }));
    assert_eq!(answer.written().outcomes(), ["Updated"]);
}

fn with_evidence() -> Value {
    let evidence = json!({ "Name": "Run 7 of the pipeline", "Url": "https://ci.example/7" });
    json!({ "Status": "Done", "Reason": "The run is green", "Evidence": evidence })
}

#[test]
fn a_person_accepts_by_keyboard_what_was_proposed_while_the_list_was_open() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Release it", "Tell the team"]);
    propose(&stage, with_evidence());
    control.says("Finch proposes: Done");
    control.says("The run is green");
    control.until("__probe.root(§).querySelectorAll('.proposal a').length === 1");
    let link = control.value(
        "(() => { const a = __probe.root(§).querySelector('.proposal a'); return [a.href, a.rel, a.target, a.textContent]; })()",
    );
    let expected = [
        "https://ci.example/7",
        "noopener noreferrer",
        "_blank",
        "Run 7 of the pipeline",
    ];
    assert_eq!(link, json!(expected));
    assert!(!control.checked("Release it"), "nothing is resolved yet");
    stage.browser.is_accessible_in_every_scheme("#list");
    control.tab_to("Accept");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Release it", true);
    control.until("__probe.focusRow() === 'Release it'");
    control.says("Proposed by Finch: Done");
    assert!(!control.buttons().contains(&"Accept".to_owned()));
    control.settles();
    let item = stage.bob().list().item("Release it").clone();
    assert_eq!(item["StatusBy"]["Name"], "Petra Page");
    assert_eq!(item["Attested"]["Basis"], "Seen");
    assert_eq!(item["Proposal"]["Accepted"], true);
    assert_eq!(item["Proposal"]["By"]["Name"], "Finch");
    stage.browser.is_untroubled();
}

#[test]
fn a_person_declines_and_the_item_stays_open() {
    let stage = stage();
    propose(
        &stage,
        json!({ "Status": "NotApplicable", "Reason": "No such release" }),
    );
    let control = stage.control("");
    control.says("Finch proposes: Not applicable");
    control.tab_to("Decline");
    stage.browser.press(Keys::Space);
    control.until("!__probe.root(§).querySelector('.proposal')");
    control.until("__probe.focusRow() === 'Release it'");
    control.until("__probe.said(§).some((text) => text.includes('Proposal declined'))");
    control.settles();
    let item = stage.bob().list().item("Release it").clone();
    assert_eq!(
        (&item["Status"], &item["Proposal"]),
        (&json!("Open"), &Value::Null)
    );
    stage.browser.is_untroubled();
}

#[test]
fn who_may_not_tick_sees_the_proposal_without_buttons_also_on_a_narrow_screen() {
    let stage = stage();
    propose(&stage, with_evidence());
    let control = stage.control("disable-check");
    control.says("Finch proposes: Done");
    control.says("Run 7 of the pipeline");
    let buttons = control.buttons();
    assert!(!buttons.contains(&"Accept".to_owned()), "{buttons:?}");
    assert!(!buttons.contains(&"Decline".to_owned()), "{buttons:?}");
    if stage.browser.engine() != Engine::WebKit {
        stage.browser.resize(320, 640);
        let fits = stage
            .browser
            .value("document.documentElement.scrollWidth <= 320");
        assert_eq!(fits, json!(true));
    }
    stage.browser.is_accessible("#list", "without buttons");
    stage.browser.is_untroubled();
}

#[test]
fn who_ticks_waits_for_a_second_person_and_confirms_by_keyboard_what_somebody_else_did() {
    let second = json!({ "SecondPerson": true });
    let stage = Stage::with([
        with(item("a", "Pay it"), second.clone()),
        with(item("b", "Book it"), second),
        item("c", "Tell the team"),
    ]);
    let control = stage.control("");
    control.tick("Pay it");
    control.says("Waiting for a second person");
    control.says("First person: Petra Page (Done)");
    control.until("__probe.checkbox(§, 'Pay it').indeterminate");
    assert!(!control.checked("Pay it"), "it is not resolved");
    assert!(!control.buttons().contains(&"Confirm".to_owned()));
    control.until("__probe.said(§).some((text) => text.includes('Waiting for a second person'))");
    stage.browser.is_accessible_in_every_scheme("#list");
    control.settles();
    control.tab_to("Take back");
    stage.browser.press(Keys::Enter);
    control.until("!__probe.root(§).querySelector('.proposal')");
    control.until("!__probe.checkbox(§, 'Pay it').indeterminate");
    control.settles();

    stage.bob().tick("Book it");
    control.says("First person: Bob Backoffice (Done)");
    control.tab_to("Confirm");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Book it", true);
    control.until("__probe.focusRow() === 'Book it'");
    control.settles();
    let item = stage.bob().list().item("Book it").clone();
    assert_eq!(item["StatusBy"]["Name"], "Petra Page");
    assert_eq!(item["Proposal"]["Accepted"], true);
    stage.browser.is_untroubled();
}

#[test]
fn whoever_ticks_what_requires_evidence_is_asked_for_it_and_the_row_links_to_it() {
    let evidence = json!({ "RequiresEvidence": true });
    let stage = Stage::with([
        with(item("a", "Test it"), evidence),
        item("b", "Tell the team"),
    ]);
    let control = stage.control("");
    control.tick("Test it");
    control.until("!!__probe.deepActive()?.closest('.editor')");
    assert!(!control.checked("Test it"));
    stage.browser.keys("Run 7");
    stage.browser.press(Keys::Enter);
    control.says("This item needs evidence: a name and a web address.");
    stage
        .browser
        .is_accessible("#list", "the form for evidence");
    // The focus is where something is missing.
    stage.browser.keys("https://ci.example/7");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Test it", true);
    control.until("__probe.root(§).querySelector('.proposal a')?.href === 'https://ci.example/7'");
    control.settles();
    let item = stage.bob().list().item("Test it").clone();
    assert_eq!(item["Proposal"]["Evidence"]["Name"], "Run 7");
    assert_eq!(item["StatusBy"]["Name"], "Petra Page");
    stage.browser.is_untroubled();
}
