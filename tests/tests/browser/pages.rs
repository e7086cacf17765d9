//! The frame of the built-in pages: signing in and out, finding one's way, languages, policy,
//! what happens to typed text when a session ends or somebody leaves.
//! Part of the program `browser`; the modules `pages_…` beside it are about what stands in the frame.

use checklist_tests::browser::{Browser, Keys, Pages};
use checklist_tests::{Server, Setup};
use serde_json::json;

#[test]
fn the_demo_is_entered_with_one_click_and_left_again() {
    let server = Server::demo();
    let pages = Pages::unknown(&server, "/");
    pages.click("Continue as demo administrator");
    pages.is_at("Overview");
    pages.says("Demo administrator");
    pages.browser.reload();
    pages.is_at("Overview");
    pages.click("Sign out");
    pages.is_at("Checklist Control");
    pages.browser.reload();
    pages.says("Continue as demo administrator");
}

#[test]
fn every_page_is_reached_by_links_and_by_its_address_and_back_leads_back() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/");
    let sections = [
        ("All checklists", "/lists"),
        ("Templates", "/templates"),
        ("Types", "/types"),
        ("Apply a template", "/apply"),
        ("People", "/people"),
        ("Keys", "/keys"),
        ("Webhooks", "/webhooks"),
        ("Connections", "/connections"),
        ("Computers", "/computers"),
        ("Runs", "/runs"),
        ("Journal", "/journal"),
        ("Audit trail", "/audit"),
    ];
    for (name, path) in sections {
        pages.click(name);
        pages.is_at(name);
        pages.until(&format!("location.pathname === '/admin{path}'"));
        pages.until("document.activeElement.localName === 'h1'");
        let current = pages.texts("nav [aria-current=page]");
        assert_eq!(current[0], name);
    }
    pages.browser.back();
    pages.is_at("Journal");
    for (name, path) in sections {
        pages.open(path);
        pages.is_at(name);
    }
    pages.open("/types/of/incident");
    pages.is_at("incident");
    pages.open("/no/such/page");
    pages.is_at("Page not found");
    pages.browser.is_untroubled();
}

#[test]
fn the_pages_live_below_the_path_of_the_base_url() {
    let server = Setup::demo().below("/platform/lists").start();
    let pages = Pages::of_demo(&server, "/types");
    pages.is_at("Types");
    pages.click("incident");
    pages.is_at("incident");
    pages.until("location.pathname === '/platform/lists/admin/types/of/incident'");
    pages.browser.reload();
    pages.is_at("incident");
}

#[test]
fn nothing_is_left_behind_unsaved_without_a_question() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types");
    pages.click("task");
    pages.is_at("task");
    pages.click(
        "Log every change in the journalOtherwise only changes for which a form or a request asks.",
    );
    pages.click("Journal");
    pages.says("Leave without saving?");
    pages.click("Cancel");
    pages.is_at("task");
    pages.browser.back();
    pages.says("Leave without saving?");
    pages.browser.press(Keys::Escape);
    pages.says_no_longer("Leave without saving?");
    pages.is_at("task");
    pages.click("Journal");
    pages.click("Leave without saving");
    pages.is_at("Journal");
    pages.open("/types/of/task");
    pages.until("document.querySelectorAll('[role=switch]')[2]?.checked === false");
}

#[test]
fn a_session_that_ends_asks_again_in_place_and_what_was_typed_is_saved() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("ID", "kept");
    pages.fill("Name", "Kept over a sign-in");
    pages.browser.script(
        "return fetch('/session/sign-out', { method: 'POST' }).then(() => true);",
        &[],
    );
    pages.click("Save draft");
    pages.says("Your session has expired");
    pages.click("Continue as demo administrator");
    pages.is_at("Kept over a sign-in");
    pages.until("location.pathname === '/admin/templates/of/kept'");
}

#[test]
fn german_readers_are_spoken_to_in_german() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types");
    pages.choose("Language", "Deutsch");
    pages.is_at("Typen");
    pages.until("document.documentElement.lang === 'de'");
    pages.click("Vorlagen");
    pages.is_at("Vorlagen");
    pages.says("Standard-Störung");
}

#[test]
fn everything_can_be_done_by_keyboard_and_the_bar_can_be_skipped() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types");
    pages.is_at("Types");
    pages.until("document.activeElement.localName === 'h1'");
    pages.browser.press(Keys::Tab);
    pages.until("__probe.active() === 'a New type'");
    pages.browser.press(Keys::Enter);
    pages.is_at("New type");
    pages.browser.press(Keys::Tab);
    pages.browser.keys("change");
    // Three switches, the purpose, then save.
    for _ in 0..3 {
        pages.browser.press(Keys::Tab);
    }
    pages.browser.press(Keys::Space);
    pages.until("document.activeElement.checked === true");
    pages.browser.press(Keys::Tab);
    pages.until("__probe.active() === 'button Add purpose'");
    pages.browser.press(Keys::Tab);
    pages.browser.press(Keys::Enter);
    pages.is_at("change");
    pages.browser.reload();
    pages.is_at("change");
    pages.browser.press_with(Keys::Shift, Keys::Tab);
    pages.until("document.activeElement.localName === 'a'");
}

#[test]
fn the_pages_hold_their_strict_policy() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/of/incident-standard");
    pages.is_at("Standard incident");
    pages.open("/audit");
    pages.click("Verify the trail");
    pages.says("nothing was altered");
    assert_eq!(pages.browser.violations(), json!([]));
    assert_eq!(
        pages.value("document.querySelectorAll('style, [style]').length"),
        json!(0)
    );
}

#[test]
fn a_server_that_is_gone_is_told_and_nothing_is_lost() {
    let mut server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("ID", "patient");
    pages.fill("Name", "Patient");
    server.stop();
    pages.click("Save draft");
    pages.says("The server did not respond");
    server.start_again();
    pages.click("Save draft");
    pages.is_at("Patient");
}

#[test]
fn a_page_that_cannot_go_on_says_so() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.cut_off(&["*.wasm"]);
    browser.open(&format!("{}/admin/", server.base_url()));
    browser.until("document.querySelector('.stopped')?.textContent.includes('has stopped')");
}
