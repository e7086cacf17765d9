//! What comes later: a list is drawn, ticked and sent without it, and whatever needs it waits, says
//! so, and is not lost when it cannot be had. The page is of another origin than the control.
//!
//! Part of the program `browser`.

use checklist_tests::browser::{Control, Stage};
use serde_json::json;

/// Holds back all WASM but the first: `parts` are the requests, each to be let go or to fail.
const HELD_BACK: &str = "window.parts = []; window.first = ''; { const real = window.fetch;\
     window.fetch = (address, ...rest) => {\
       const text = String(address.href ?? address.url ?? address);\
       if (!text.includes('.wasm') || !first) {\
         if (text.includes('.wasm')) first = text;\
         return real(address, ...rest);\
       }\
       return new Promise((done, fail) => parts.push({\
         go: () => real(address, ...rest).then(done, fail),\
         fail: () => fail(new TypeError('cut off')),\
         lack: () => done(new Response('', { status: 404 })),\
       }));\
     }; }";

/// How many files come later.
const FILES: &str = "parts.length === 3";

fn held_back(stage: &Stage) -> Control<'_> {
    let control = stage.control_after(HELD_BACK);
    control.shows(&["Ask", "Build"]);
    control
}

fn is_open(control: &Control<'_>) {
    control.until("!!__probe.root(§).querySelector('.menu [role=menuitem]')");
}

#[test]
fn the_first_tick_needs_nothing_that_comes_later() {
    let stage = Stage::ask_and_build();
    let control = held_back(&stage);
    // By itself, and nobody has pressed anything.
    stage.browser.until(FILES);
    control.tick("Ask");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    control.tick("Build");
    control.becomes_completed();
    stage.browser.value("parts.forEach((part) => part.go())");
    control.choose("Ask", "Delete");
    control.shows(&["Build"]);
    stage.browser.is_untroubled();
}

#[test]
fn what_is_pressed_too_early_waits_says_so_and_happens() {
    let stage = Stage::ask_and_build();
    let control = held_back(&stage);
    control.click_of("Ask", "More");
    control.says("Loading…");
    control.tick("Build");
    control.settles();
    stage.browser.until(FILES);
    stage.browser.value("parts.forEach((part) => part.go())");
    is_open(&control);
    assert!(!control.tells("Loading…"));
    stage.browser.is_untroubled();
}

#[test]
fn what_cannot_be_had_is_told_and_had_when_it_is_tried_again() {
    let stage = Stage::ask_and_build();
    let control = held_back(&stage);
    stage.browser.until(FILES);
    // The network is away, and after an update the file is gone.
    stage
        .browser
        .value("[parts[0].fail(), parts[1].lack(), parts[2].go()]");
    // Nobody is told of what nobody has asked for.
    stage.browser.until(
        "__probe.troubles.some((one) => one.includes('A part of the control could not be loaded'))",
    );
    assert!(!control.tells("could not be loaded"));
    control.click_of("Ask", "More");
    stage.browser.until("parts.length === 5");
    stage
        .browser
        .value("parts.slice(3).forEach((part) => part.lack())");
    control.says("This part of the checklist could not be loaded.");
    control.tick("Build");
    control.settles();
    control.click("Try again");
    stage.browser.until("parts.length === 7");
    stage
        .browser
        .value("parts.slice(5).forEach((part) => part.go())");
    is_open(&control);
    assert!(!control.tells("could not be loaded"));
}

#[test]
fn two_controls_have_one_of_each_part() {
    let stage = Stage::ask_and_build();
    let (one, other) = (stage.bound_to("1"), stage.bound_to("2"));
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' {one}></checklist-control>\
             <checklist-control id='other' {other}></checklist-control>"
        ),
        HELD_BACK,
    );
    let (list, other) = (
        stage.browser.control("#list"),
        stage.browser.control("#other"),
    );
    list.shows(&["Ask", "Build"]);
    other.shows(&["Ask", "Build"]);
    other.click_of("Ask", "More");
    other.says("Loading…");
    assert!(!list.tells("Loading…"), "nothing was pressed there");
    stage.browser.until(FILES);
    stage.browser.value("parts.forEach((part) => part.go())");
    is_open(&other);
    list.add("Clean");
    list.settles();
    assert_eq!(stage.browser.value("parts.length"), json!(3));
    stage.browser.is_untroubled();
}

#[test]
fn what_comes_later_says_so_too_when_it_breaks_off() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after(
        "{ const real = WebAssembly.instantiateStreaming;\
           WebAssembly.instantiateStreaming = async (...all) => { const made = await real(...all);\
             window.memory = made.instance.exports.memory ?? window.memory; return made; }; }",
    );
    control.shows(&["Ask", "Build"]);
    control.click_of("Ask", "More for");
    is_open(&control);
    stage
        .browser
        .value("void new Uint8Array(memory.buffer).fill(255)");
    control.click("Delete");
    control.says("The checklist has stopped");
    control.click("Load again");
    control.shows(&["Ask", "Build"]);
    control.choose("Ask", "Delete");
    control.shows(&["Build"]);
}
