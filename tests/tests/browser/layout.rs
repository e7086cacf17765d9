//! The page around the control: nothing leaks in or out, nothing jumps.
//!
//! Style sheets of a platform come as files, because its policy allows nothing inline.

use checklist_tests::browser::Stage;
use checklist_tests::template::item;
use serde_json::json;

#[test]
fn a_hostile_style_sheet_of_the_page_does_not_reach_in() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.host.serve("/hostile.css", "text/css", "* { display: none !important } html, head, body, main, checklist-control { display: block !important } li { color: red !important; font-size: 90px !important }");
    stage.open(&format!("<link rel='stylesheet' href='/hostile.css'><checklist-control id='list' {bound}></checklist-control>"));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    stage.browser.is_untroubled();
}

#[test]
fn a_host_restyles_it_through_tokens_and_parts() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.host.serve(
        "/host.css",
        "text/css",
        "checklist-control::part(text) { text-decoration-line: overline }",
    );
    stage.open(&format!("<link rel='stylesheet' href='/host.css'><checklist-control id='list' {bound}></checklist-control>"));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.until("getComputedStyle(__probe.row(§, 'Ask').querySelector('[part~=text], .text')).textDecorationLine.includes('overline')");
}

#[test]
fn a_list_that_scrolls_in_a_box_does_not_make_the_page_longer() {
    let stage = Stage::with((0..40).map(|n| item(&format!("k{n}"), &format!("Step {n}"))));
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<div id='box'><checklist-control id='list' {bound}></checklist-control></div>"
    ));
    stage.browser.script(
        "Object.assign(document.querySelector('#box').style, { height: '200px', overflow: 'auto' })",
        &[],
    );
    let control = stage.browser.control("#list");
    control.shows_item("Step 39");
    let heights = stage.browser.value(
        "[document.querySelector('#box').scrollHeight > 1000, document.documentElement.scrollHeight <= innerHeight]",
    );
    assert_eq!(heights, json!([true, true]));
}

#[test]
fn slots_take_a_label_a_description_and_what_empty_says() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<checklist-control id='list' {bound} purpose='none'><span slot='label'>My steps</span><span slot='description'>Read first</span><span slot='empty'>All quiet</span></checklist-control>"
    ));
    let control = stage.browser.control("#list");
    control.until("document.querySelector(§).state === 'Empty'");
    for slot in ["label", "description", "empty"] {
        let seen = control.value(&format!(
            "__probe.seen(document.querySelector('#list [slot={slot}]'))"
        ));
        assert_eq!(seen, json!(true), "the slot {slot} is not shown");
    }
}

#[test]
fn a_blocked_script_leaves_the_fallback_and_a_form_that_posts() {
    let stage = Stage::ask_and_build();
    stage.host.serve(
        "/blocked",
        "text/html",
        "<!DOCTYPE html><html lang='en'><title>x</title><main><form id='form'><checklist-control id='list' name='list'><p id='fallback'>The list needs its script.</p></checklist-control><input name='other' value='1'></form></main></html>",
    );
    stage
        .browser
        .open(&format!("{}/blocked", stage.host.origin));
    assert_eq!(
        stage
            .browser
            .value("__probe.seen(document.querySelector('#fallback'))"),
        json!(true)
    );
    assert_eq!(
        stage
            .browser
            .value("new FormData(document.querySelector('#form')).get('other')"),
        json!("1")
    );
}

#[test]
fn the_page_does_not_jump_while_the_list_loads() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after("window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });");
    control.shows(&["Ask", "Build"]);
    assert!(
        stage.browser.value("shift").as_f64().unwrap() < 0.02,
        "{}",
        stage.browser.value("shift")
    );
}

#[test]
fn motion_is_left_out_for_who_asks_for_it() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    stage.browser.prefer_reduced_motion();
    let longest = control.value(
        "Math.max(...[...__probe.root(§).querySelectorAll('*')].map((one) => { const style = getComputedStyle(one);\
           const longest = (text) => Math.max(...text.split(',').map(parseFloat)); return Math.max(longest(style.transitionDuration), longest(style.animationDuration)); }))",
    );
    assert!(longest.as_f64().unwrap() <= 0.01, "{longest} s of motion");
}
