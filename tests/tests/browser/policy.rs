//! Strict Content Security Policy and Trusted Types: the control needs no exception. Every other
//! test of a stage runs under the same policy and ends untroubled; these say it in so many words.
//! Part of the program `browser`.

use checklist_tests::Server;
use checklist_tests::browser::{Browser, Stage, strict_policy};
use checklist_tests::template::{fragment, item, publish, section, under, with};
use serde_json::json;

#[test]
fn a_whole_day_of_work_violates_nothing() {
    let helped = with(
        item("a", "Ask"),
        json!({ "Help": { "en": "*See* [the wiki](https://wiki.example)\n\n- one\n- two" } }),
    );
    let stage = Stage::with([
        section("s", "Before"),
        under("s", helped),
        item("b", "Build"),
    ]);
    let control = stage.control("required log-in-journal");
    control.shows(&["Ask", "Build"]);
    control.click_of("Ask", "Help");
    control.says("See the wiki");
    control.tick("Ask");
    control.add("Clean");
    control.edit("Clean");
    control.fill("Text of the item", "Clean up");
    control.click("Save");
    control.shows_item("Clean up");
    control.choose("Clean up", "Move up");
    control.choose("Clean up", "Delete");
    control.click("Undo");
    control.settles();
    publish(&stage.server, &fragment("f", [item("a", "Ask twice")]));
    control.property("refresh()");
    control.says("The template has changed");
    control.click("Review");
    control.click("Apply");
    control.shows_item("Ask twice");
    control.settles();
    assert_eq!(stage.browser.violations(), json!([]));
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('style').length"),
        json!(0),
        "no style elements"
    );
}

#[test]
fn the_policy_is_in_force_or_this_suite_proves_nothing() {
    let stage = Stage::with([item("a", "Ask")]);
    stage.browser.breaks_on_purpose("/breach.js");
    stage.open("");
    stage.host.serve("/breach.js", "text/javascript", "try { document.body.innerHTML = '<b>x</b>'; window.breached = true; } catch { window.breached = false; }");
    stage.browser.value("__probe.load('/breach.js')");
    stage.browser.until("window.breached === false");
    assert!(
        stage
            .browser
            .violations()
            .to_string()
            .contains("require-trusted-types-for"),
        "{}",
        stage.browser.violations()
    );
}

#[test]
fn even_a_page_that_allows_no_styles_at_all_is_served() {
    let stage = Stage::with([item("a", "Ask")]);
    let policy = strict_policy(&stage.server.address_as_origin())
        .replace("style-src 'self'", "style-src 'none'");
    stage.host.under(&policy);
    let control = stage.control("");
    control.shows(&["Ask"]);
    control.tick("Ask");
    control.becomes_completed();
    assert_eq!(stage.browser.violations(), json!([]));
}

#[test]
fn the_demo_page_the_gallery_and_the_api_reference_hold_their_policies() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.open_demo(&server);
    browser.is_untroubled();
    browser.open_gallery(&server);
    assert_eq!(browser.violations(), json!([]));
    browser.open(&format!("{}/docs/api/checklists", server.base_url()));
    browser.until("document.querySelector('.try summary') !== null");
    browser.is_untroubled();
}
