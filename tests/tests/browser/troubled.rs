//! When the server is away: the list stays usable, nothing is lost, nothing is sent twice.

use checklist_tests::browser::Stage;
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    Stage::with([item("a", "Ask"), item("b", "Build")])
}

#[test]
fn a_tick_made_while_the_server_is_away_survives_a_reload_and_is_sent_once() {
    let mut stage = stage();
    stage.control("").shows(&["Ask", "Build"]);
    stage.server.kill();
    {
        let control = stage.browser.control("#list");
        control.tick("Ask");
        control.becomes_checked("Ask", true);
        control.becomes("pending");
        control.becomes("offline");
        control.says("No connection");
    }
    // The script comes from the server too: it has to be there for the reload, not before.
    stage.server.start_again();
    stage.browser.reload();
    let control = stage.browser.control("#list");
    control.becomes_checked("Ask", true);
    control.settles();
    let list = stage.bob().list();
    assert_eq!((list.status("Ask"), list.revision()), ("Done", 1));
    let rows = stage.server.as_admin().on(&stage.place()).audit();
    assert_eq!(
        rows.iter()
            .filter(|row| row["Event"]["What"] == "Checked")
            .count(),
        1,
        "sent once"
    );
}

#[test]
fn what_waits_is_sent_when_the_server_is_back() {
    let mut stage = stage();
    stage.control("").shows(&["Ask", "Build"]);
    stage.server.kill();
    {
        let control = stage.browser.control("#list");
        control.tick("Ask");
        control.tick("Build");
        control.becomes_completed();
        control.becomes("offline");
        assert_eq!(control.property("pendingCount"), json!(2));
    }
    stage.server.start_again();
    let control = stage.browser.control("#list");
    control.settles();
    assert!(!control.is("offline"));
    assert!(stage.bob().list().completed());
}

#[test]
fn a_list_that_cannot_be_loaded_says_so_and_is_not_completed() {
    let mut stage = stage();
    stage.bob().tick("Ask");
    stage.bob().tick("Build");
    stage.control("").becomes_completed();
    stage.server.kill();
    {
        let control = stage.browser.control("#list");
        control.value("document.querySelector(§).objectId = '2'");
        control.says("could not be loaded");
        control.becomes("error");
        assert_eq!(
            (control.property("state"), control.completed()),
            (json!("Unknown"), false)
        );
    }
    stage.server.start_again();
    let control = stage.browser.control("#list");
    control.click("Try again");
    control.shows(&["Ask", "Build"]);
    assert!(!control.is("error"));
}

#[test]
fn a_change_that_is_refused_for_good_is_taken_back_and_the_text_kept() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    stage.bob().delete("Ask");
    control.tick("Ask");
    control.settles();
    control.shows(&["Build"]);
    stage.bob().lock("closed");
    control.click("Add an item");
    stage.browser.keys("long text that took a while");
    stage.browser.press(checklist_tests::browser::Keys::Enter);
    control.says("closed");
    assert!(!stage.bob().list().has("long text that took a while"));
    let kept = control.value(
        "[...__probe.root(§).querySelectorAll('input, textarea')].some((one) => one.value.includes('took a while')) || __probe.text(§).includes('took a while')",
    );
    assert_eq!(kept, json!(true), "what was typed is lost");
}

#[test]
fn many_quick_ticks_arrive_in_order_and_none_is_lost() {
    let stage = Stage::with((0..20).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    let control = stage.control("");
    control.shows_item("Item 19");
    control.value(
        "__probe.root(§).querySelectorAll('input[type=checkbox]').forEach((box) => box.click())",
    );
    control.becomes_completed();
    control.settles();
    assert!(stage.bob().list().completed());
    stage.browser.is_untroubled();
}
