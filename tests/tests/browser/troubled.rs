//! When the server is away or refuses: the list stays usable, nothing is lost or sent twice.
//!
//! The server is really killed and really comes back, on the same directory and port.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

#[test]
fn a_tick_made_while_the_server_is_away_survives_a_reload_and_is_sent_once() {
    let mut stage = Stage::ask_and_build();
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
    let mut stage = Stage::ask_and_build();
    stage.control("").shows(&["Ask", "Build"]);
    stage.server.kill();
    {
        let control = stage.browser.control("#list");
        control.tick("Ask");
        control.tick("Build");
        control.becomes("offline");
        assert!(!control.completed(), "the server has nothing of it");
        assert_eq!(control.property("pendingCount"), json!(2));
    }
    stage.server.start_again();
    let control = stage.browser.control("#list");
    control.settles();
    // Its stream comes back by itself, sooner or later than the answers to what waited.
    control.until("!__probe.state(§, 'offline')");
    assert!(stage.bob().list().completed());
}

#[test]
fn a_list_that_cannot_be_loaded_says_so_and_is_not_completed() {
    let mut stage = Stage::ask_and_build();
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
fn a_tick_of_an_item_that_is_gone_is_taken_back_and_says_why() {
    let stage = Stage::ask_and_build();
    let control = stage.control_that_hears_nothing();
    control.shows(&["Ask", "Build"]);
    stage.bob().delete("Ask");
    control.tick("Ask");
    control.settles();
    control.shows(&["Build"]);
    control.says("no longer in the checklist");
    stage.browser.is_untroubled();
}

#[test]
fn a_text_that_cannot_be_added_stays_in_its_field() {
    let stage = Stage::ask_and_build();
    let control = stage.control_that_hears_nothing();
    control.shows(&["Ask", "Build"]);
    let many: Vec<_> = (0..198)
        .map(|n| json!({ "Text": format!("Bob's {n}") }))
        .collect();
    stage.bob().add_items(json!(many));
    control.open_the_add_field();
    stage.browser.keys("long text that took a while");
    stage.browser.press(Keys::Enter);
    control.says("This checklist is full");
    control.until("[...__probe.root(§).querySelectorAll('.add input')].some((one) => one.value === 'long text that took a while')");
    assert!(!stage.bob().list().has("long text that took a while"));
}

#[test]
fn a_text_typed_into_a_list_that_was_locked_meanwhile_is_kept_until_it_is_open_again() {
    let stage = Stage::ask_and_build();
    let control = stage.control_that_hears_nothing();
    control.shows(&["Ask", "Build"]);
    stage.bob().lock("closed for an hour");
    control.open_the_add_field();
    stage.browser.keys("long text that took a while");
    stage.browser.press(Keys::Enter);
    control.says("closed for an hour");
    control.shows(&["Ask", "Build"]);
    stage.bob().unlock();
    control.until(
        "(window.dispatchEvent(new Event('focus')), [...__probe.root(§).querySelectorAll('.add input')].some((one) => one.value === 'long text that took a while'))",
    );
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

/// Takes hold of the WASM's memory, so that a test can ruin it; what comes later has none of its own.
const HOLD: &str = "{ const real = WebAssembly.instantiateStreaming;\
   WebAssembly.instantiateStreaming = async (...all) => { const made = await real(...all); window.memory = made.instance.exports.memory ?? window.memory; return made; }; }";

#[test]
fn a_control_that_breaks_off_says_so_and_can_be_loaded_again() {
    let stage = Stage::ask_and_build();
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' {}></checklist-control>\
             <checklist-control id='other' {}></checklist-control>",
            stage.bound_to("1"),
            stage.bound_to("2")
        ),
        &format!("{HOLD} window.told = []; addEventListener('checklist-error', (event) => told.push(event.detail.code));"),
    );
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    let other = stage.browser.control("#other");
    other.shows(&["Ask", "Build"]);
    // In one turn: what a control does by itself in between would break off before the click.
    control.value("(new Uint8Array(memory.buffer).fill(255), __probe.checkbox(§, 'Ask').click())");
    control.says("The checklist has stopped");
    other.says("The checklist has stopped");
    control.becomes("error");
    assert_eq!(
        stage.browser.value("told"),
        json!(["stopped", "stopped"]),
        "each control tells it once"
    );
    control.click("Load again");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.settles();
    assert!(!control.is("error"));
    other.click("Load again");
    other.shows(&["Ask", "Build"]);
}

#[test]
fn a_control_that_breaks_off_when_the_page_calls_it_says_so() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after(HOLD);
    control.shows(&["Ask", "Build"]);
    // The page catches what its call throws, as careful pages do.
    let thrown = control.value(
        "(() => { new Uint8Array(memory.buffer).fill(1);\
           try { return document.querySelector(§).items.length; } catch (error) { return error.constructor.name; } })()",
    );
    assert_eq!(thrown, json!("RuntimeError"));
    control.says("The checklist has stopped");
}
