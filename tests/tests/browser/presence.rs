//! Who else is on the list, as the head of the control shows it: quietly, and in words too.
//!
//! The others are pages in a browser of their own, or follow the list by the web services.

use checklist_tests::browser::{Browser, Control, Stage};
use serde_json::json;

/// What stands for the others: the letters, and the words of it.
const LETTERS: &str = "[...(__probe.root(§).querySelector('[part=people]')?.children ?? [])].map((one) => one.textContent)";
const WORDS: &str = "(__probe.root(§).querySelector('[part=people]')?.ariaLabel ?? '')";

#[track_caller]
fn shows(control: &Control<'_>, letters: &[&str], words: &str) {
    control.until(&format!(
        "JSON.stringify({LETTERS}) === {}",
        json!(json!(letters).to_string())
    ));
    assert_eq!(control.value(WORDS), json!(words));
}

fn attend(stage: &Stage, name: &str) -> checklist_tests::follow::Stream {
    stage.server.as_reader(name).on(&stage.place()).attend()
}

#[test]
fn the_head_shows_who_else_is_here_and_nothing_when_nobody_is() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.value(LETTERS), json!([]));
    let _ana = attend(&stage, "Ana Silva");
    shows(&control, &["AS"], "Also here: Ana Silva");
    let _ben = attend(&stage, "Ben Ito");
    shows(&control, &["AS", "BI"], "Also here: Ana Silva, Ben Ito");
    let _more: Vec<_> = ["Cleo", "Dan", "Eva"]
        .map(|name| attend(&stage, name))
        .into();
    control.until(&format!(
        "{WORDS} === 'Also here: Ana Silva, Ben Ito, Cleo, Dan, Eva'"
    ));
    shows(
        &control,
        &["AS", "BI", "C", "+2"],
        "Also here: Ana Silva, Ben Ito, Cleo, Dan, Eva",
    );
    stage.browser.is_accessible("#list", "with others");
    let said = control.value("__probe.said(§).join(' ')");
    assert!(!said.to_string().contains("Ana"), "announced: {said}");
    stage.browser.is_untroubled();
}

#[test]
fn somebody_who_closes_the_page_is_gone_and_the_same_person_elsewhere_is_nobody_else() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let elsewhere = Browser::start();
    elsewhere.open(&format!("{}/", stage.host.origin));
    let there = elsewhere.control("#list");
    there.shows(&["Ask", "Build"]);
    let _ana = attend(&stage, "Ana Silva");
    shows(&control, &["AS"], "Also here: Ana Silva");
    shows(&there, &["AS"], "Also here: Ana Silva");
    let stranger = attend(&stage, "Ben Ito");
    shows(&control, &["AS", "BI"], "Also here: Ana Silva, Ben Ito");
    stranger.until("presence", |told| {
        told["People"].to_string().contains("Petra Page")
    });
    elsewhere.open("about:blank");
    control.value("document.querySelector(§).remove()");
    stranger.until("presence", |told| {
        !told["People"].to_string().contains("Petra Page")
    });
    stage.browser.is_untroubled();
}

#[test]
fn a_host_can_leave_it_out_and_then_nobody_sees_this_person_either() {
    let stage = Stage::ask_and_build();
    let control = stage.control("hide-presence");
    control.shows(&["Ask", "Build"]);
    let ana = attend(&stage, "Ana Silva");
    let ben = attend(&stage, "Ben Ito");
    ana.until("presence", |told| {
        told["People"].to_string().contains("Ben")
    });
    stage.bob().tick("Ask");
    control.becomes_checked("Ask", true);
    assert_eq!(control.value(LETTERS), json!([]));
    assert_eq!(control.property("hidePresence"), json!(true));
    control.value("document.querySelector(§).hidePresence = false");
    shows(&control, &["AS", "BI"], "Also here: Ana Silva, Ben Ito");
    ben.until("presence", |told| {
        told["People"].to_string().contains("Petra Page")
    });
    control.value("document.querySelector(§).hidePresence = true");
    control.until(&format!("{LETTERS}.length === 0"));
    ana.until("presence", |told| {
        told["People"].as_array().map(Vec::len) == Some(1)
            && !told["People"].to_string().contains("Petra Page")
    });
    stage.browser.is_untroubled();
}

#[test]
fn nothing_moves_and_the_focus_stays_when_somebody_comes() {
    for width in [1000, 320] {
        // Those of the last round would still be there.
        let stage = Stage::ask_and_build();
        stage.browser.resize(width, 900);
        let control = stage.control("");
        control.focus_item("Build");
        let top = "__probe.row(§, 'Ask').getBoundingClientRect().top";
        let before = control.value(top);
        let _all: Vec<_> = ["Ana Silva", "Ben Ito", "Cleo", "Dan"]
            .map(|name| attend(&stage, name))
            .into();
        control.until(&format!("{LETTERS}.at(-1) === '+1'"));
        assert_eq!(control.value(top), before, "at {width}");
        assert_eq!(stage.browser.value("__probe.focusRow()"), json!("Build"));
        assert_eq!(
            stage
                .browser
                .value("document.documentElement.scrollWidth <= innerWidth"),
            json!(true)
        );
    }
}
