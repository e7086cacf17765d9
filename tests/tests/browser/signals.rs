//! Items that another system sets, as the control shows them: what is reported, whether it is out of
//! date, and how a person overrides it by keyboard. And how an administrator sets that up.

use checklist_tests::Person;
use checklist_tests::browser::{Control, Keys, Pages, Stage};
use checklist_tests::host::now;
use checklist_tests::template::{author, item, section, under, with};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

fn bound(fields: Value) -> Value {
    let signal = json!({ "Source": "CI", "Key": "build" });
    let signal = with(signal, fields);
    with(item("a", "Build it"), json!({ "Signal": signal }))
}

fn stage() -> Stage {
    Stage::with([bound(json!({})), item("b", "Tell the team")])
}

/// A system with an API key for its signals.
fn ci(stage: &Stage) -> Person {
    let admin = stage.server.as_admin().on(&stage.place());
    let wish = json!({ "Name": "Jenkins", "Roles": ["checker"], "Sources": ["CI"] });
    admin.program_as(&wish)
}

fn report(ci: &Person, status: &str, as_of: &str) {
    let report = json!({ "Context": ci.place.context(), "Source": "CI", "Key": "build", "Status": status, "AsOf": as_of });
    let answer = ci.send("Signals", &json!({ "Signals": [report] })).ok();
    assert_eq!(answer["Results"][0]["Outcome"], "Updated", "{answer}");
}

/// What describes the box of the first row to a screen reader.
fn description(control: &Control<'_>) -> String {
    let read = "(() => { const box = __probe.root(§).querySelector('li.row input'); \
        return __probe.tidy(box.getRootNode().getElementById(box.getAttribute('aria-describedby')).textContent); })()";
    control.value(read).as_str().unwrap_or_default().to_owned()
}

#[test]
fn what_is_reported_appears_by_itself_and_describes_the_box() {
    let stage = stage();
    let control = stage.control("");
    control.says("Set by CI; no report yet");
    let ci = ci(&stage);
    report(&ci, "Done", "2026-01-01T10:00:00Z");
    control.becomes_checked("Build it", true);
    control.says("Reported by CI: Done, as of");
    let described = description(&control);
    assert!(described.contains("Reported by CI: Done"), "{described}");
    assert!(described.contains("Jenkins"), "{described}");
    report(&ci, "Open", "2026-01-01T11:00:00Z");
    control.becomes_checked("Build it", false);
    stage.browser.is_accessible("#list", "a reported status");
    stage.browser.is_untroubled();
}

#[test]
fn a_report_that_is_out_of_date_says_since_when() {
    let stage = Stage::with([bound(json!({ "StaleAfter": "PT1H" }))]);
    report(&ci(&stage), "Done", "2026-01-01T10:00:00Z");
    let control = stage.control("");
    control.becomes_checked("Build it", true);
    control.says("Reported by CI: Done. Out of date since");
    assert!(control.completed(), "it says so, and counts");
    stage
        .browser
        .is_accessible("#list", "a report that is out of date");
}

#[test]
fn on_an_open_page_a_report_goes_out_of_date_by_itself() {
    let stage = Stage::with([bound(json!({ "StaleAfter": "PT1H" }))]);
    let ci = ci(&stage);
    let nearly_an_hour_ago = i64::try_from(now()).expect("a time") - 3_592;
    let as_of = jiff::Timestamp::from_second(nearly_an_hour_ago).expect("a time");
    report(&ci, "Done", &as_of.to_string());
    let control = stage.control("");
    control.says("Reported by CI: Done, as of");
    control.says("Reported by CI: Done. Out of date since");
    stage.browser.is_untroubled();
}

#[test]
fn whoever_ticks_it_is_asked_why_and_the_reason_stands_there_until_the_override_ends() {
    let stage = stage();
    let control = stage.control("");
    control.says("Set by CI; no report yet");
    control.focus_item("Build it");
    stage.browser.press(Keys::Space);
    control.until("!!__probe.deepActive()?.closest('.editor')");
    control.says("Why override CI?");
    stage.browser.press(Keys::Escape);
    control.until("__probe.focusRow() === 'Build it'");
    assert!(!control.checked("Build it"), "nothing has happened");

    stage.browser.press(Keys::Space);
    control.until("!!__probe.deepActive()?.closest('.editor')");
    stage.browser.press(Keys::Enter);
    control.says("This item needs a reason.");
    stage.browser.is_accessible("#list", "the question why");
    stage.browser.keys("Built by hand");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Build it", true);
    control.says("Overridden: Built by hand");
    control.settles();
    let override_ = stage.bob().list().item("Build it").clone();
    assert_eq!(override_["StatusBy"]["Name"], "Petra Page");
    report(&ci(&stage), "Open", "2026-01-01T10:00:00Z");
    control.says("Reported by CI: Open, as of");
    assert!(control.checked("Build it"));

    // What the signal says needs no reason.
    control.focus_item("Build it");
    stage.browser.press(Keys::Space);
    control.becomes_checked("Build it", false);
    control.until("!__probe.root(§).textContent.includes('Overridden')");
    control.settles();
    assert_eq!(stage.bob().list().item("Build it")["Reason"], Value::Null);
    stage.browser.is_untroubled();
}

#[test]
fn a_tick_before_the_code_of_the_question_is_there_asks_all_the_same() {
    let stage = stage();
    let control = stage.control("");
    control.focus_item("Build it");
    stage.browser.press(Keys::Space);
    control.until("!!__probe.deepActive()?.closest('.editor')");
    control.says("Why override CI?");
    stage.browser.is_untroubled();
}

#[test]
fn where_it_takes_evidence_too_one_form_asks_for_both() {
    let proved = with(bound(json!({})), json!({ "RequiresEvidence": true }));
    let stage = Stage::with([proved]);
    let control = stage.control("");
    control.tick("Build it");
    control.until("!!__probe.deepActive()?.closest('.editor')");
    control.fill("Name of the evidence", "Run 7");
    control.fill("Web address", "https://ci.example/7");
    stage.browser.press(Keys::Enter);
    control.until("__probe.root(§).querySelectorAll('.editor .danger').length === 1");
    assert!(!control.checked("Build it"), "the reason is missing");
    control.fill("Why override CI?", "Built by hand");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Build it", true);
    control.settles();
    let item = stage.bob().list().item("Build it").clone();
    assert_eq!(item["Reason"], "Built by hand");
    assert_eq!(item["Proposal"]["Evidence"]["Name"], "Run 7");
}

#[test]
fn ticking_a_whole_section_leaves_out_what_a_signal_sets() {
    let stage = Stage::with([
        section("s", "Release"),
        under("s", bound(json!({}))),
        under("s", item("b", "Tell the team")),
    ]);
    let control = stage.control("");
    control.shows(&["Build it", "Tell the team"]);
    let heading = "__probe.root('#list').querySelector('.section-box')";
    stage.browser.click(heading);
    control.becomes_checked("Tell the team", true);
    control.settles();
    let list = stage.bob().list();
    assert_eq!(list.status("Build it"), "Open");
    assert_eq!(list.status("Tell the team"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn an_undo_of_an_override_is_offered_and_needs_no_reason() {
    let stage = stage();
    let control = stage.control("");
    control.tick("Build it");
    control.until("!!__probe.deepActive()?.closest('.editor')");
    stage.browser.keys("Built by hand");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Build it", true);
    control.settles();
    stage.browser.press_with(Keys::Control, 'z');
    control.becomes_checked("Build it", false);
    control.settles();
    let item = stage.bob().list().item("Build it").clone();
    assert_eq!(
        (&item["Status"], &item["Reason"]),
        (&json!("Open"), &Value::Null)
    );
    stage.browser.is_untroubled();
}

#[test]
fn a_german_page_says_it_in_german() {
    let stage = stage();
    report(&ci(&stage), "Done", "2026-01-01T10:00:00Z");
    let control = stage.control("lang='de'");
    control.says("Gemeldet von CI: Erledigt, Stand");
    control.tick("Build it");
    control.says("Warum CI übersteuern?");
    stage.browser.is_untroubled();
}

#[test]
fn a_template_binds_an_item_to_a_signal_and_a_key_may_send_it() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.is_at("New template");
    pages.fill("ID", "release");
    pages.fill("Name", "Release");
    pages.click("Add item");
    pages.fill("Text", "Build it");
    let switch = |label: &str| {
        let switches = "[...document.querySelectorAll('label.switch')]";
        let found = format!(
            "{switches}.find((one) => one.textContent.includes({}))",
            json!(label)
        );
        pages.browser.click(&found);
    };
    switch("Needs a person");
    switch("Set by a signal");
    pages.until("!document.body.innerText.includes('Needs a person')");
    pages.fill("Key at the source", "build");
    pages.fill("Out of date after", "an hour");
    pages.click("Done");
    pages.click("Save draft");
    pages.says("Enter 1 to 200 characters.");
    pages.browser.is_accessible("body", "a signal with errors");
    pages.fill("Source", "CI");
    pages.fill("Out of date after", "PT1H");
    pages.click("Save draft");
    pages.is_at("Release");
    let draft = author(&server).get("Templates/release").ok()["Draft"].clone();
    let signal = json!({ "Source": "CI", "Key": "build", "StaleAfter": "PT1H" });
    assert_eq!(draft["Items"][0]["Signal"], signal);
    assert_eq!(draft["Items"][0]["NeedsPerson"], Value::Null);

    pages.open("/keys");
    pages.click("New API key");
    pages.fill("Name", "Jenkins");
    pages.click("Checker: checks items off");
    pages.fill("Sources of signals", "CI\nMonitor");
    pages.click("Create key");
    pages.says("You won't be able to see it again");
    pages.click("Done");
    pages.says("CI, Monitor");
    let admin = server.as_admin().on(&incident("1"));
    let keys = admin.get("ApiKeys").ok();
    assert_eq!(keys["ApiKeys"][0]["Sources"], json!(["CI", "Monitor"]));
    pages.browser.is_untroubled();
}
