//! The page of a list that has started again, and a control that has the list open meanwhile.
//!
//! What a run keeps is tested without a window, in `http/starting_again.rs`.

use checklist_tests::browser::{Browser, Pages};
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

const ADDRESS: &str = "/lists/of/incident/1?Purpose=x";

/// A list of two items, one of them done, and its owner.
fn stage() -> (Server, Person) {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let place = incident("1").for_purpose("x").from_template("f");
    let olga = server.as_owner("Olga Owner").on(&place);
    olga.tick("A");
    (server, olga)
}

#[test]
fn a_list_starts_again_through_its_dialog_and_the_older_run_is_read() {
    let (server, olga) = stage();
    let pages = Pages::of_demo(&server, ADDRESS);
    pages.is_at("1");
    pages.says("1 of 2");
    assert!(!pages.tells("Run 1"), "a list has one run at first");
    pages.click("Start again…");
    pages.asks();
    pages.click_in_dialog("Start again");
    pages.until("document.activeElement.matches('[aria-invalid=true]')");
    assert_eq!(olga.list().0.get("Run"), None, "nothing without a reason");
    pages.fill("Reason", "The monthly check");
    pages.click_in_dialog("Start again");
    pages.says("Run 2, 0 of 2");
    pages.says("Run 1, 1 of 2");
    assert_eq!(olga.list().status("A"), "Open");

    pages.click("Show run 1");
    pages.says("This is run 1, closed by");
    pages.says("The monthly check");
    pages.until("[...document.querySelectorAll('.list-items li')].some((row) => /Done.*A/s.test(row.innerText))");
    pages.says_no_longer("Start again…");
    pages.browser.is_accessible("body", "a closed run");
    pages.click("Show current run");
    pages.says_no_longer("This is run 1");
    pages.says("Start again…");
    pages.browser.is_untroubled();
}

#[test]
fn older_runs_are_added_below_and_the_focus_goes_there() {
    let (server, olga) = stage();
    for _ in 0..52 {
        olga.call("StartAgain", json!({ "Reason": "Once more" }))
            .ok();
    }
    let pages = Pages::of_demo(&server, ADDRESS);
    let rows = "[...document.querySelectorAll('.list-items .list-item')].filter((row) => row.textContent.startsWith('Run ')).length";
    pages.until(&format!("{rows} === 50"));
    pages.click("Older runs");
    pages.until(&format!("{rows} === 53"));
    pages.says("Run 53,");
    pages.says("Run 1,");
    assert_eq!(
        pages.value("!!document.activeElement.closest('.older-runs')"),
        json!(true)
    );
    pages.says_no_longer("Older runs");
    pages.browser.is_untroubled();
}

#[test]
fn a_control_in_another_window_shows_the_run_that_begins() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.open(&format!("{}/demo/?incident=INC-77", server.base_url()));
    let control = browser.control("#list-main");
    control.until("__probe.rows(§).some((row) => row.Checkbox)");
    let rows = control.rows();
    let first = rows.iter().find(|row| row["Checkbox"] == true);
    let first = first.and_then(|row| row["Text"].as_str()).unwrap();
    control.tick(first);
    control.becomes_checked(first, true);
    control.settles();

    let pages = Pages::of_demo(&server, "/lists/of/incident/INC-77");
    pages.click("Start again…");
    pages.fill("Reason", "It came back");
    pages.click_in_dialog("Start again");
    pages.says("Run 2");
    control.becomes_checked(first, false);
    // What is checked now is of the new run.
    control.tick(first);
    control.becomes_checked(first, true);
    control.settles();
    let run = server.editor_on(&incident("INC-77")).list().0["Run"]["Number"].clone();
    assert_eq!(run, Value::from(2));
    pages.browser.is_untroubled();
    browser.is_untroubled();
}
