//! A row keeps its place and its height whatever happens to it, and its menu is never cut.
//!
//! Measured where people do not look first: in a narrow view, at the window's edge, in a box that
//! cuts what stands out of it.

use checklist_tests::browser::{Control, Keys, Pointer, Spot, Stage};
use checklist_tests::template::{
    fragment, item, optional_to_apply, publish, required, section, under, with,
};
use serde_json::{Value, json};

const LONG: &str =
    "Ask the owner of the service whether the maintenance window on Saturday may be used";

/// Rows with and without a second line, in a template that requires some of them.
fn stage() -> Stage {
    let stage = Stage::with([item("a", "Old")]);
    let items = [
        section("s", "Before"),
        under(
            "s",
            with(
                required(item("a", "Ask")),
                json!({ "Help": { "en": "*See* the wiki" } }),
            ),
        ),
        under("s", optional_to_apply(item("b", "Build"))),
        with(item("i", "Read this first"), json!({ "Kind": "Info" })),
        item("c", LONG),
        item("d", "Deploy"),
    ];
    let template = with(
        fragment("f", items),
        json!({ "CompletionRule": "Required" }),
    );
    publish(&stage.server, &template);
    stage
}

/// Rows without a second line, as in most lists.
fn plain() -> Stage {
    Stage::with(["A", "B", "C", "D"].map(|text| optional_to_apply(item(text, text))))
}

/// Where each row begins and how high it is.
fn places(control: &Control<'_>) -> Value {
    control.value(
        "[...__probe.root(§).querySelectorAll('.row')].map((row) => {\
           const { top, height } = row.getBoundingClientRect(); return [top + scrollY, height]; })",
    )
}

fn spot(control: &Control<'_>, text: &str) -> Spot {
    let found = control.value(&format!(
        "(() => {{ const {{ left, top, width, height }} = __probe.checkbox(§, {}).getBoundingClientRect();\
           return [left + width / 2, top + height / 2]; }})()",
        json!(text)
    ));
    let number = |at: usize| found[at].as_f64().expect("a place");
    Spot {
        x: number(0),
        y: number(1),
    }
}

#[test]
fn a_tick_moves_no_row_and_makes_none_higher() {
    let stage = stage();
    for width in [1280, 320] {
        stage.browser.resize(width, 900);
        let control = stage.control("required");
        control.shows(&["Ask", "Build", "Read this first", LONG, "Deploy"]);
        let before = places(&control);
        for text in ["Ask", "Build", LONG, "Deploy"] {
            control.tick(text);
            control.becomes_checked(text, true);
            assert_eq!(places(&control), before, "{width} px: {text} is ticked");
            control.settles();
            control.until("!__probe.root(§).querySelector('.pending')");
            assert_eq!(places(&control), before, "{width} px: {text} is saved");
        }
        for text in ["Ask", "Build", LONG, "Deploy"] {
            control.tick(text);
            control.becomes_checked(text, false);
        }
        control.settles();
        assert_eq!(places(&control), before, "{width} px: nothing is ticked");
        control.choose("Build", "Not applicable");
        control.click("Not applicable");
        control.until("!!__probe.root(§).querySelector('.row.na') && !__probe.root(§).querySelector('.editor')");
        control.settles();
        assert_eq!(places(&control), before, "{width} px: not applicable");
        control.choose("Build", "Mark as applicable again");
        control.until("!__probe.root(§).querySelector('.row.na')");
        control.settles();
        assert_eq!(places(&control), before, "{width} px: applicable again");
    }
    stage.browser.is_untroubled();
}

#[test]
fn a_row_is_40_pixels_high_and_66_with_a_second_line() {
    let stage = plain();
    stage.bob().change(
        "B",
        json!({ "Assignee": "Carla", "Due": "2031-02-03T16:05:00Z" }),
    );
    for width in [1280, 320] {
        stage.browser.resize(width, 700);
        let control = stage.control("");
        control.shows(&["A", "B", "C", "D"]);
        let heights = control.value(
            "[...__probe.root(§).querySelectorAll('.row')].map((row) => Math.round(row.getBoundingClientRect().height))",
        );
        assert_eq!(heights, json!([40, 66, 40, 40]), "{width} px");
    }
}

#[test]
fn three_quick_clicks_at_remembered_places_tick_three_items() {
    let stage = plain();
    for width in [1280, 320] {
        stage.browser.resize(width, 700);
        let control = stage.control("");
        control.shows(&["A", "B", "C", "D"]);
        let spots = ["A", "B", "C"].map(|text| spot(&control, text));
        let ticked = width == 1280;
        for spot in spots {
            stage.browser.drag(Pointer::Mouse, &[spot]);
        }
        for (text, is_clicked) in [("A", true), ("B", true), ("C", true), ("D", false)] {
            control.becomes_checked(text, is_clicked && ticked);
        }
        control.settles();
    }
    stage.browser.is_untroubled();
}

#[test]
fn the_menu_of_a_row_is_whole_in_a_box_that_cuts_and_at_the_windows_edge() {
    let stage = plain();
    let bound = stage.bound_to("1");
    for (width, lang) in [(1280, "en"), (320, "en"), (320, "ar")] {
        stage.browser.resize(width, 420);
        stage.open(&format!(
            "<div id='before'></div><div id='box'><checklist-control id='list' lang='{lang}' {bound}></checklist-control></div><div id='after'></div>"
        ));
        // The last row stands at the lower edge of the window and of a box that cuts.
        stage.browser.script(
            "document.querySelector('#before').style.height = document.querySelector('#after').style.height = '700px';\
             Object.assign(document.querySelector('#box').style, { overflow: 'hidden', contain: 'paint' });",
            &[],
        );
        let control = stage.browser.control("#list");
        control.shows(&["A", "B", "C", "D"]);
        for row in ["A", "D"] {
            control.value(&format!(
                "__probe.row(§, '{row}').scrollIntoView({{ block: 'end' }})"
            ));
            stage.browser.click(&format!(
                "__probe.row('#list', '{row}').querySelector('.more')"
            ));
            control.until("__probe.deepActive()?.getAttribute('role') === 'menuitem'");
            // Every entry can be hit where it is seen.
            let hit = control.value(
                "(() => { const menu = __probe.root(§).querySelector('[role=menu]');\
                   return [...menu.children].filter((one) => { const { left, top, width, height } = one.getBoundingClientRect();\
                     const [x, y] = [left + width / 2, top + height / 2];\
                     if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true;\
                     return !one.contains(__probe.root(§).elementFromPoint(x, y)); }).map((one) => one.textContent); })()",
            );
            assert_eq!(
                hit,
                json!([]),
                "{width} px, {lang}, row {row}: out of reach"
            );
            stage.browser.press(Keys::Escape);
            control.until("!__probe.root(§).querySelector('[role=menu]')");
            control.until("__probe.deepActive()?.matches('.more')");
        }
    }
    stage.browser.is_untroubled();
}

#[test]
fn in_a_narrow_view_the_title_stands_above_the_tools_and_words_stay_whole() {
    let words = "Zusammenfassung der Wartungsarbeiten am Kundenverwaltungssystem";
    let stage = Stage::with([item("a", words)]);
    let template = with(
        fragment("f", [item("a", words)]),
        json!({ "Name": { "en": "Decommissioning of the order management" } }),
    );
    publish(&stage.server, &template);
    stage.browser.resize(320, 700);
    let control = stage.control("");
    control.shows(&[words]);
    let stands = control.value(
        "(() => { const [title, tools] = ['.title', '.tools'].map((one) => __probe.root(§).querySelector(one).getBoundingClientRect());\
           return title.bottom <= tools.top + 1; })()",
    );
    assert_eq!(stands, json!(true), "the title stands beside the tools");
    // A word that fits into a line stands in one.
    let broken = control.value(
        "(() => { const words = []; for (const part of ['.title bdi', '.text bdi']) {\
           const text = __probe.root(§).querySelector(part).firstChild; const range = document.createRange();\
           for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) { range.setStart(text, index); range.setEnd(text, index + word.length);\
             if (range.getClientRects().length > 1 && word.length < 20) words.push(word); } } return words; })()",
    );
    assert_eq!(broken, json!([]), "words are broken");
    let share = control.value(
        "__probe.root(§).querySelector('.row > .actions').getBoundingClientRect().width / __probe.root(§).querySelector('.row').getBoundingClientRect().width",
    );
    assert!(share.as_f64().is_some_and(|share| share < 0.15), "{share}");
    let buttons = control.value("__probe.root(§).querySelectorAll('.row button').length");
    assert_eq!(buttons, json!(1), "one button a row");
}

#[test]
fn a_double_click_on_the_text_edits_it_and_leaves_the_status_alone() {
    let stage = plain();
    let control = stage.control("");
    control.shows(&["A", "B", "C", "D"]);
    let at = stage
        .browser
        .middle_of("__probe.row('#list', 'B').querySelector('.text bdi')");
    for clicks in [1, 2] {
        for kind in ["mousePressed", "mouseReleased"] {
            stage.browser.command(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": at.x, "y": at.y, "button": "left", "clickCount": clicks }),
            );
        }
    }
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    stage.browser.press(Keys::Escape);
    control.settles();
    assert_eq!(stage.bob().list().status("B"), "Open");
    stage.browser.is_untroubled();
}

#[test]
fn an_open_menu_outlives_the_answer_to_what_was_done_before_and_what_others_do() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    let bound = stage.bound_to("1");
    let slow = "const real = fetch; window.fetch = async (address, options) => {\
        if (/UpdateItems/.test(address.url ?? address)) await new Promise((done) => setTimeout(done, 600));\
        return real(address, options); };";
    let body = format!("<checklist-control id='list' {bound}></checklist-control>");
    stage.open_with_script(&body, slow);
    let control = stage.browser.control("#list");
    control.edit("Build");
    control.fill("Text of the item", "Build it");
    control.click("Save");
    control.shows(&["Ask", "Build it"]);
    control.click_of("Build it", "More for");
    let is_open = "__probe.deepActive()?.getAttribute('role') === 'menuitem'";
    control.until(is_open);
    control.settles();
    let stays_open = |what: &str| {
        for _ in 0..10 {
            assert_eq!(control.value(is_open), json!(true), "{what}");
        }
    };
    stays_open("the answer closes the menu");
    stage
        .bob()
        .change("Build it", json!({ "Note": "by phone" }));
    control.says("by phone");
    stays_open("what somebody else does to the item closes the menu");
    stage.bob().add("Check");
    control.shows(&["Ask", "Build it", "Check"]);
    stays_open("a new row closes the menu");
    control.click("Delete");
    control.shows(&["Ask", "Check"]);
    stage.browser.is_untroubled();
}
