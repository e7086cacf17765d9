//! A page on which the control cannot come up: what the page has put inside is seen and posted. And
//! one on which it does: nothing on the page jumps.

use checklist_tests::browser::Stage;
use checklist_tests::frameworks::folder;
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    stage
        .host
        .serve_folder("/plain/", &folder().join("dist/plain"));
    stage
}

fn open(stage: &Stage) {
    stage.browser.open(&format!(
        "{}/plain/?server={}",
        stage.host.origin,
        stage.server.base_url()
    ));
}

const FALLBACK: &str = "document.querySelector('#list input[name=done]')";

#[test]
fn a_form_whose_script_is_blocked_posts_what_stands_in_for_the_control() {
    let stage = stage();
    stage.browser.cut_off(&["*.js"]);
    open(&stage);
    stage.browser.click(FALLBACK);
    stage.browser.click("document.querySelector('#submit')");
    stage
        .browser
        .until("new URLSearchParams(location.search).get('done') === 'on'");
}

#[test]
fn a_form_whose_wasm_is_blocked_posts_what_stands_in_for_the_control() {
    let stage = stage();
    stage.browser.cut_off(&["*.wasm"]);
    open(&stage);
    stage
        .browser
        .until("document.querySelector('#list').matches(':state(error)')");
    stage.browser.click(FALLBACK);
    assert_eq!(
        stage
            .browser
            .value("new FormData(document.querySelector('#form')).get('done')"),
        json!("on")
    );
    assert_eq!(
        stage
            .browser
            .value("document.querySelector('#list').completed"),
        json!(false)
    );
}

#[test]
fn what_stands_in_is_not_seen_once_the_control_is_there() {
    let stage = stage();
    open(&stage);
    stage.browser.control("#list").shows(&["Ask", "Build"]);
    assert_eq!(
        stage.browser.value(&format!("__probe.seen({FALLBACK})")),
        json!(false)
    );
}

#[test]
fn nothing_on_the_page_jumps_when_the_control_comes_up() {
    let stage = stage();
    open(&stage);
    stage.browser.control("#list").shows(&["Ask", "Build"]);
    // Counts from the beginning, whatever has moved before anybody counted.
    stage.browser.script(
        "window.moved = 0;\
         const add = (list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) moved += one.value; });\
         new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });\
         return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)));",
        &[],
    );
    let moved = stage.browser.value("moved");
    assert!(moved.as_f64().is_some_and(|moved| moved < 0.02), "{moved}");
    // And it would have counted a jump.
    stage.browser.script(
        "const pushed = document.createElement('p'); pushed.style.height = '300px';\
         document.querySelector('#page').prepend(pushed);",
        &[],
    );
    stage.browser.until("moved > 0.02");
}
