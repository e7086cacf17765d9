//! `display="compact"`: how far a list is in one line, and the list in place when it is opened.
//!
//! Two hundred such lines are what a table of tickets has; their requests are counted.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

const LINE: &str = "document.querySelector('#list').shadowRoot.querySelector('.compact')";

fn stage() -> Stage {
    Stage::with([item("a", "Ask"), item("b", "Build")])
}

#[test]
fn a_line_says_in_words_how_far_the_list_is() {
    let stage = stage();
    let control = stage.control("display='compact'");
    control.until("__probe.tidy(__probe.root(§).querySelector('.compact .count').textContent) === '0 of 2 done'");
    assert_eq!(control.rows().len(), 0, "the list is closed");
    stage.bob().tick("Ask");
    control.says("1 of 2 done");
    stage.bob().tick("Build");
    control.says("Completed");
    assert!(control.completed());
    stage.browser.is_untroubled();
}

#[test]
fn it_opens_and_closes_by_keyboard_and_the_focus_comes_back() {
    let stage = stage();
    let control = stage.control("display='compact'");
    control.says("0 of 2 done");
    stage.browser.value(&format!("{LINE}.focus()"));
    assert_eq!(
        stage
            .browser
            .value(&format!("{LINE}.getAttribute('aria-expanded')")),
        json!("false")
    );
    stage.browser.press(Keys::Enter);
    control.shows(&["Ask", "Build"]);
    assert_eq!(
        stage
            .browser
            .value(&format!("{LINE}.getAttribute('aria-expanded')")),
        json!("true")
    );
    let named = "document.querySelector('#list').shadowRoot.getElementById(__probe.root('#list').querySelector('.compact').getAttribute('aria-controls')) !== null";
    assert_eq!(stage.browser.value(named), json!(true));
    control.focus_item("Ask");
    stage.browser.keys(" ");
    control.becomes_checked("Ask", true);
    control.says("1 of 2 done");
    // Escape belongs to what is open in the list first.
    control.click_of("Build", "Edit");
    stage
        .browser
        .until("__probe.deepActive().matches('textarea')");
    stage.browser.press(Keys::Escape);
    control.until("!__probe.root(§).querySelector('textarea')");
    control.shows(&["Ask", "Build"]);
    stage.browser.press(Keys::Escape);
    control.until("__probe.root(§).querySelectorAll('.row').length === 0");
    stage
        .browser
        .until("__probe.deepActive().matches('.compact')");
    stage.browser.keys(" ");
    control.shows(&["Ask", "Build"]);
    stage.browser.is_untroubled();
}

#[test]
fn the_form_points_at_the_line_and_focus_opens_it() {
    let stage = stage();
    let control = stage.control("display='compact' required name='list'");
    control.says("0 of 2 done");
    stage
        .browser
        .value("document.querySelector('#form').reportValidity()");
    stage
        .browser
        .until("__probe.deepActive().matches('.compact')");
    control.property("focus()");
    control.shows(&["Ask", "Build"]);
    stage.browser.until("__probe.deepActive().matches('.box')");
    stage.browser.is_untroubled();
}

#[test]
fn a_line_becomes_a_whole_list_and_one_again() {
    let stage = stage();
    let control = stage.control("display='compact'");
    control.says("0 of 2 done");
    control.value("document.querySelector(§).display = null");
    control.shows(&["Ask", "Build"]);
    assert_eq!(stage.browser.value(LINE), json!(null));
    control.value("document.querySelector(§).display = 'compact'");
    control.until("__probe.root(§).querySelectorAll('.row').length === 0");
    stage.browser.is_untroubled();
}

#[test]
fn axe_finds_nothing_closed_and_open() {
    let stage = stage();
    let control = stage.control("display='compact'");
    control.says("0 of 2 done");
    stage.browser.is_accessible("main", "closed");
    stage.browser.click(LINE);
    control.shows(&["Ask", "Build"]);
    stage.browser.is_accessible("main", "open");
}

/// Counts what is asked, and when the last line says how far its list is.
const COUNT: &str = "window.asked = []; window.instances = 0;\
    { const real = window.fetch; window.fetch = (address, init) => { asked.push(String(address).split('?')[0].split('/').pop()); return real(address, init); }; }\
    { const real = WebAssembly.instantiateStreaming; WebAssembly.instantiateStreaming = (...what) => { instances += 1; return real.apply(WebAssembly, what); }; }\
    addEventListener('DOMContentLoaded', () => { const began = performance.now(); const look = () => {\
        const lines = [...document.querySelectorAll('checklist-control')];\
        if (lines.every((line) => line.shadowRoot?.querySelector('.compact .progress'))) window.took = performance.now() - began;\
        else requestAnimationFrame(look); }; look(); });";

#[test]
fn two_hundred_lines_are_one_question_one_stream_and_one_instance() {
    let stage = stage();
    let rows: String = (0..200)
        .map(|n| {
            let bound = stage.bound_to(&format!("T-{n}"));
            format!("<tr><th scope='row'>T-{n}</th><td><checklist-control display='compact' {bound}></checklist-control></td></tr>")
        })
        .collect();
    stage.open_with_script(&format!("<table><tbody>{rows}</tbody></table>"), COUNT);
    stage.browser.until("window.took !== undefined");
    stage.browser.until("asked.includes('Events')");
    println!(
        "200 lines after {} ms",
        stage.browser.value("Math.round(took)")
    );
    // Looking at the page again is no reason for two hundred questions.
    stage
        .browser
        .value("window.dispatchEvent(new Event('focus'))");
    let bob = stage.server.as_owner("Bob Backoffice");
    bob.on(&checklist_tests::incident("T-199")).tick("Ask");
    stage.browser.until(
        "[...document.querySelectorAll('checklist-control')].at(-1).shadowRoot.querySelector('.count').textContent.includes('1 of 2')",
    );
    let count = |call: &str| {
        stage
            .browser
            .value(&format!("asked.filter((one) => one === '{call}').length"))
    };
    assert_eq!(count("GetItems"), json!(1));
    assert_eq!(count("Events"), json!(1));
    assert_eq!(count("token"), json!(1));
    assert_eq!(stage.browser.value("instances"), json!(1));
    stage.browser.is_untroubled();
}
