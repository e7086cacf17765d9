//! `display="compact"`: how far a list is in one line, and the list in place when it is opened.
//!
//! Two hundred such lines are what a table of tickets has; their requests are counted.

use checklist_tests::browser::{Keys, Stage};
use serde_json::json;

const LINE: &str = "document.querySelector('#list').shadowRoot.querySelector('.compact')";

#[test]
fn a_line_says_in_words_how_far_the_list_is() {
    let stage = Stage::ask_and_build();
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
    let stage = Stage::ask_and_build();
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
    control.edit("Build");
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
    let stage = Stage::ask_and_build();
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
    let stage = Stage::ask_and_build();
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
    let stage = Stage::ask_and_build();
    let control = stage.control("display='compact'");
    control.says("0 of 2 done");
    stage.browser.is_accessible("main", "closed");
    stage.browser.click(LINE);
    control.shows(&["Ask", "Build"]);
    stage.browser.is_accessible("main", "open");
}

/// Notes what is asked (and of how many lists; of streams those that are open), what the stream says, and when the last line says how
/// far its list is. `held`, a promise, keeps the stream from being opened.
const COUNT: &str = "window.asked = []; window.sizes = []; window.instances = 0; window.streamed = ''; window.drawn = [];\
    { const real = window.fetch; window.fetch = async (address, init) => {\
        const call = (address.url ?? String(address)).split('?')[0].split('/').pop(); asked.push(call);\
        const body = init?.body ?? (address.clone ? await address.clone().text() : '');\
        const contexts = /^\\{/.test(body) ? [JSON.parse(body)].flatMap((call) => call.Contexts ?? call.Context ?? []) : [];\
        const ids = contexts.map(({ ObjectId }) => ObjectId);\
        if (call === 'Render') drawn.push(...ids);\
        if (call === 'GetItems') sizes.push(ids.length || 1);\
        if (call === 'GetItems') drawn = drawn.filter((id) => !ids.includes(id));\
        if (call !== 'Events') return real(address, init);\
        init.signal.addEventListener('abort', () => asked.splice(asked.indexOf('Events'), 1));\
        await window.held;\
        const answer = await real(address, init);\
        answer.clone().body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write(text) { streamed += text; } })).catch(() => {});\
        return answer; }; }\
    { const real = WebAssembly.instantiateStreaming; WebAssembly.instantiateStreaming = async (...what) => { const made = await real.apply(WebAssembly, what);\
      if (made.instance.exports.memory) instances += 1; return made; }; }\
    addEventListener('DOMContentLoaded', () => { const began = performance.now(); const look = () => {\
        const lines = [...document.querySelectorAll('checklist-control')];\
        if (lines.every((line) => line.shadowRoot?.querySelector('.compact .progress'))) window.took = performance.now() - began;\
        else requestAnimationFrame(look); }; look(); });";

/// How many lists each question was about. The first one counts the lists, too, that the server
/// drew before the control was there: those are not asked for again.
fn asked_for(stage: &Stage) -> Vec<u64> {
    let sizes = stage.browser.value("sizes");
    let mut sizes: Vec<u64> = serde_json::from_value(sizes).expect("numbers");
    let drawn = stage.browser.value("drawn.length").as_u64();
    sizes[0] += drawn.expect("a number");
    sizes
}

/// Opens a table of two hundred tickets, each with a compact line, and waits until all say how far
/// they are.
fn open_a_table(stage: &Stage, script: &str) {
    let rows: String = (0..200)
        .map(|n| {
            let bound = stage.bound_to(&format!("T-{n}"));
            format!("<tr><th scope='row'>T-{n}</th><td><checklist-control display='compact' {bound}></checklist-control></td></tr>")
        })
        .collect();
    stage.open_with_script(&format!("<table><tbody>{rows}</tbody></table>"), script);
    stage.browser.until("window.took !== undefined");
    println!(
        "200 lines after {} ms",
        stage.browser.value("Math.round(took)")
    );
}

fn tick_the_last(stage: &Stage) {
    let bob = stage.server.as_owner("Bob Backoffice");
    bob.on(&checklist_tests::incident("T-199")).tick("Ask");
}

fn the_last_line_says_one_of_two(stage: &Stage) {
    stage.browser.until(
        "[...document.querySelectorAll('checklist-control')].at(-1).shadowRoot.querySelector('.count').textContent.includes('1 of 2')",
    );
}

fn count(stage: &Stage, call: &str) -> serde_json::Value {
    stage
        .browser
        .value(&format!("asked.filter((one) => one === '{call}').length"))
}

#[test]
fn two_hundred_lines_are_one_question_one_stream_and_one_instance() {
    let stage = Stage::ask_and_build();
    open_a_table(&stage, COUNT);
    // Only once the stream has said where the last list stands does a change of it come by the
    // stream; before that it is read.
    stage.browser.until(r#"streamed.includes('"T-199"')"#);
    // Looking at the page again is no reason for two hundred questions.
    stage
        .browser
        .value("window.dispatchEvent(new Event('focus'))");
    tick_the_last(&stage);
    the_last_line_says_one_of_two(&stage);
    assert_eq!(asked_for(&stage), [200]);
    assert_eq!(count(&stage, "Events"), json!(1));
    assert_eq!(count(&stage, "token"), json!(1));
    assert_eq!(stage.browser.value("instances"), json!(1));
    stage.browser.is_untroubled();
}

#[test]
fn a_change_between_the_question_and_the_stream_asks_for_that_list_alone() {
    let stage = Stage::ask_and_build();
    let script =
        format!("window.held = new Promise((open) => {{ window.open_stream = open; }}); {COUNT}");
    open_a_table(&stage, &script);
    stage.browser.until("asked.includes('Events')");
    tick_the_last(&stage);
    stage.browser.value("open_stream()");
    the_last_line_says_one_of_two(&stage);
    assert_eq!(asked_for(&stage), [200, 1]);
    assert_eq!(count(&stage, "Events"), json!(1));
    stage.browser.is_untroubled();
}
