//! An hour without a network, and back: what was done meanwhile waits, survives a reload, is sent
//! once and in order; what others did is seen beside it, nothing is overwritten unseen.
//!
//! The hour is the page's clock put forward, and the token provider's with it.

use checklist_tests::browser::{Browser, Control, Stage};
use checklist_tests::template::{item, optional_to_apply};
use serde_json::json;

/// A token provider that counts what it gives, on a page whose clock can be put forward.
const PAGE: &str = "const real = Date.now; window.__later = 0; Date.now = () => real() + __later; window.__given = 0;\
    addEventListener('DOMContentLoaded', () => { for (const list of document.querySelectorAll('checklist-control'))\
      list.tokenProvider = async ({ contexts }) => {\
        const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
        const { Token } = await answer.json();\
        __given += 1;\
        return { token: Token, expiresAt: Date.now() + 300000 }; }; });";

/// What the server's web services are called by.
const SERVICES: &str = "*/api/Vendor/*";

fn stage() -> Stage {
    Stage::with([
        item("a", "Ask"),
        item("b", "Build"),
        optional_to_apply(item("c", "Check")),
        item("d", "Deliver"),
    ])
}

fn here(stage: &Stage) -> Control<'_> {
    let body = format!(
        "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
        stage.server.base_url()
    );
    stage.open_with_script(&body, PAGE);
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build", "Check", "Deliver"]);
    control
}

fn elsewhere(stage: &Stage) -> Browser {
    let browser = Browser::start();
    browser.open(&format!("{}/", stage.host.origin));
    browser.control("#list").shows_item("Deliver");
    browser
}

/// How often the audit trail tells that something was done, by whom it was.
fn times(stage: &Stage, what: &str, who: &str) -> usize {
    let rows = stage.server.as_admin().on(&stage.place()).audit();
    let of_them = rows
        .iter()
        .filter(|row| row["Event"]["What"] == what && row["Actor"]["Name"] == who);
    of_them.count()
}

fn reword(control: &Control<'_>, text: &str, new_text: &str) {
    control.edit(text);
    control.fill("Text of the item", new_text);
    control.click("Save");
    control.shows_item(new_text);
}

#[test]
fn after_an_hour_offline_everything_is_sent_once_and_what_others_did_is_told_at_its_row() {
    let stage = stage();
    let control = here(&stage);
    let other = elsewhere(&stage);
    let there = other.control("#list");
    assert_eq!(
        stage.browser.value("__given"),
        json!(1),
        "one token is enough for list and stream"
    );

    stage.browser.offline(true);
    control.becomes("offline");
    control.tick("Ask");
    reword(&control, "Build", "Build it");
    control.tick("Check");
    control.add("Clean up");
    control.tick("Clean up");
    assert_eq!(control.property("pendingCount"), json!(5));
    stage.browser.value("__later = 3600000");

    let bob = stage.bob();
    bob.reword("Build", "Build all of it");
    bob.change(
        "Check",
        json!({ "Status": "NotApplicable", "Reason": "gone" }),
    );
    bob.tick("Deliver");
    bob.add("Write it down");
    there.shows_item("Write it down");
    assert!(!there.checked("Ask"), "nothing can have come from here");

    stage.browser.offline(false);
    control.settles();
    control.until("!__probe.state(§, 'offline')");
    assert_eq!(
        stage.browser.value("__given"),
        json!(2),
        "the token that had ended is renewed once"
    );
    control.says("Bob Backoffice changed this text");
    control.says("Build all of it");
    control.says("Bob Backoffice marked this as not applicable");
    let list = bob.list();
    assert_eq!(
        [
            list.status("Ask"),
            list.status("Deliver"),
            list.status("Clean up")
        ],
        ["Done", "Done", "Done"]
    );
    assert_eq!(list.status("Check"), "NotApplicable");
    assert!(
        list.has("Build all of it"),
        "the other text was overwritten"
    );
    for what in ["Added", "Checked"] {
        let expected = if what == "Added" { 1 } else { 2 };
        assert_eq!(times(&stage, what, "Petra Page"), expected, "{what}");
    }

    control.click("Keep mine");
    for control in [&control, &there] {
        control.until("__probe.rows(§).map((row) => row.Text).includes('Build it')");
        control.becomes_checked("Ask", true);
        control.becomes_checked("Clean up", true);
        control.becomes_checked("Deliver", true);
        control.until("!!__probe.row(§, 'Write it down')");
    }
    control.settles();
    let texts = control.value("__probe.rows(§).map((row) => row.Text)");
    assert_eq!(there.value("__probe.rows(§).map((row) => row.Text)"), texts);
    assert_eq!(json!(bob.list().texts()), texts);
}

#[test]
fn what_waits_survives_a_reload_and_a_text_that_others_changed_meanwhile_is_not_lost() {
    let stage = stage();
    let control = here(&stage);
    stage.browser.cut_off(&[SERVICES]);
    control.tick("Ask");
    control.becomes("offline");
    reword(&control, "Build", "Build it");
    reword(&control, "Deliver", "Deliver it");
    assert_eq!(control.property("pendingCount"), json!(3));
    let bob = stage.bob();
    bob.reword("Build", "Build all of it");
    bob.delete("Deliver");

    stage.browser.reload();
    let control = stage.browser.control("#list");
    control.says("could not be loaded");
    stage.browser.cut_off(&[]);
    control.click("Try again");
    control.shows_item("Check");
    control.settles();
    control.becomes_checked("Ask", true);
    control.says("Bob Backoffice changed this text");
    control.says("Build it");
    control.says("no longer in the checklist");
    control.until("[...__probe.root(§).querySelectorAll('.add input')].some((one) => one.value === 'Deliver it')");
    assert_eq!(times(&stage, "Checked", "Petra Page"), 1, "sent once");
    control.click("Keep mine");
    control.settles();
    assert!(bob.list().has("Build it"));
}

#[test]
fn whoever_was_away_for_longer_than_is_told_step_by_step_reads_the_list_anew() {
    let stage = stage();
    let control = here(&stage);
    stage.browser.offline(true);
    control.becomes("offline");
    control.tick("Ask");
    let bob = stage.bob();
    let ids: Vec<String> = ["Build", "Check", "Deliver"]
        .iter()
        .map(|text| bob.id(text))
        .collect();
    for round in 0..700 {
        let status = if round % 2 == 0 { "Done" } else { "Open" };
        let items: Vec<_> = ids
            .iter()
            .map(|id| json!({ "Id": id, "Status": status }))
            .collect();
        bob.update(json!(items));
    }
    bob.tick("Deliver");
    bob.delete("Build");
    stage.browser.offline(false);
    control.shows(&["Ask", "Check", "Deliver"]);
    control.becomes_checked("Ask", true);
    control.becomes_checked("Deliver", true);
    control.settles();
    assert_eq!(bob.list().status("Ask"), "Done");
    bob.tick("Check");
    control.becomes_completed();
}
