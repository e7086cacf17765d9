//! The pages about checklists: found by object and state, and looked at.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Server, incident};
use serde_json::json;

fn stage() -> Server {
    let server = Server::demo();
    for number in 1..=60 {
        let place = incident(&format!("INC-{number:02}")).for_purpose("x");
        server.as_editor("Anna").on(&place).add("Call back");
    }
    let anna = server
        .as_editor("Anna")
        .on(&incident("REQ-1").for_purpose("x"));
    anna.add("Call <b>back</b>");
    anna.tick("Call <b>back</b>");
    server
}

#[test]
fn lists_are_found_by_the_keyboard_alone_and_the_search_stays_in_the_address() {
    let server = stage();
    let pages = Pages::of_demo(&server, "/lists");
    pages.is_at("All checklists");
    pages.says("50 entries loaded, more available");
    pages.click("Load more");
    pages.says("61 entries");
    pages.until("document.activeElement.localName !== 'body'");
    pages
        .browser
        .script("document.querySelector('main h1').focus();", &[]);
    pages.browser.press(Keys::Tab);
    pages.browser.keys("REQ");
    pages.browser.press(Keys::Enter);
    pages.says("1 entry");
    pages.until("location.search === '?ObjectId=REQ'");
    pages.browser.reload();
    pages.says("1 entry");
    pages.choose("Status", "Open");
    pages.click("Search");
    pages.says("No matching checklists");
    pages.browser.back();
    pages.says("1 entry");
    pages.click("REQ-1");
    pages.is_at("REQ-1");
    pages.says("Call <b>back</b>");
    pages.says("Completed");
    pages.says("1 of 1");
    pages.browser.is_untroubled();
}

#[test]
fn what_is_searched_for_is_in_sight_also_behind_more_filters() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/lists?Purpose=handover");
    pages.is_at("All checklists");
    let is_open = "document.querySelector('.search-more').open";
    pages.until(is_open);
    pages.until(&format!("{}.value === 'handover'", Pages::field("Purpose")));
    pages.click("Clear filters");
    pages.until(&format!("!{is_open} && location.search === ''"));
    pages.browser.back();
    pages.until(is_open);
    pages.browser.is_untroubled();
}

#[test]
fn a_list_is_looked_at_and_leads_to_its_history() {
    let server = Server::demo();
    let format = json!({ "AnswerFormat": { "Type": "Number", "Unit": "°C" } });
    let rows = [
        item("a", "Ask the owner"),
        item("b", "Wipe the disk"),
        with(item("c", "Measure"), format),
    ];
    publish(&server, &fragment("leaving", rows));
    let place = incident("odd /id?").from_template("leaving");
    let owner = server.as_owner("Olga").on(&place);
    owner.tick("Ask the owner");
    owner.change("Wipe the disk", json!({ "Note": "Ask Ben first" }));
    owner.change("Measure", json!({ "Answer": 4.5 }));
    owner.lock("It is under review");
    let pages = Pages::of_demo(&server, "/lists?ObjectId=odd");
    pages.click("odd /id?");
    pages.is_at("odd /id?");
    pages.says("It is under review");
    pages.says("Note: Ask Ben first");
    pages.says("Answer: 4.5 °C");
    pages.says("Olga");
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();
    pages.browser.resize(1280, 800);
    pages.click("leaving");
    pages.until("location.pathname === '/admin/templates/of/leaving'");
    pages.browser.back();
    pages.is_at("odd /id?");
    pages.browser.click(
        "[...document.querySelectorAll('main a')].find((one) => one.textContent === 'Audit trail')",
    );
    pages.is_at("Audit trail");
    pages.says("Ask the owner");
    pages.open("/lists/of/incident/nobody-was-here");
    pages.says("Nobody has worked on this checklist yet.");
    pages.choose("Language", "Deutsch");
    pages.open("/lists?ObjectId=odd");
    pages.click("odd /id?");
    pages.says("Antwort: 4,5 °C");
    pages.browser.is_untroubled();
}

#[test]
fn german_readers_find_lists_in_german() {
    let server = stage();
    let pages = Pages::of_demo(&server, "/lists?State=Complete");
    pages.choose("Language", "Deutsch");
    pages.is_at("Alle Checklisten");
    pages.says("Abgeschlossen");
    pages.says("1 Eintrag");
    pages.click("REQ-1");
    pages.says("Erledigt");
}
