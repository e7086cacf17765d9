//! Lists and previews with their styles inside: they look as with the style sheet, load nothing for
//! it, and leave nothing behind when the element takes over.
//!
//! The pages' policies allow styles by a nonce or not at all, and no style sheet of anybody.

use checklist_tests::browser::Stage;
use serde_json::{Value, json};

use super::{LIST, LIVE, WATCH, drawn, open, stage};

const NONCE: &str = "kX8fVn3tQh0=";

/// A stage whose pages allow these styles.
fn stage_that_allows(styles: &str) -> Stage {
    let stage = stage();
    let server = stage.server.address_as_origin();
    stage.host.under(&format!(
        "default-src 'none'; script-src 'self' {server} 'wasm-unsafe-eval'; style-src {styles}; connect-src 'self' {server}; \
         base-uri 'none'; require-trusted-types-for 'script'"
    ));
    stage
}

fn drawn_inside(stage: &Stage, more: &Value) -> String {
    let mut wish = json!({ "Styles": "Inline", "StyleNonce": NONCE });
    for (name, value) in more.as_object().expect("fields") {
        wish[name] = value.clone();
    }
    drawn(stage, wish)
}

/// The rows stood in one place, from the first frame on.
fn nothing_has_moved(stage: &Stage) {
    stage.browser.until("(window.last = frames_.length, true)");
    stage.browser.until("frames_.length > last + 3");
    let places = super::one_place(stage);
    assert_ne!(places[0], json!(""), "the first frame has no rows");
    let shift = stage.browser.value("shift");
    assert_eq!(shift.as_f64(), Some(0.0), "something jumped: {shift}");
}

/// How every element of a list is styled, before and behind it too.
const LOOKS: &str = "(list) => [...list.shadowRoot.querySelectorAll('*:not(link, style, data)')].flatMap((one) =>\
    ['', '::before', '::after'].map((part) => { const style = getComputedStyle(one, part || null);\
        return [one.className.baseVal ?? one.className, part, ...[...style].map((name) => `${name}: ${style.getPropertyValue(name)}`)]; }))";

#[test]
fn the_rules_inside_style_a_list_as_the_whole_sheet_does() {
    let stage = stage();
    let server = stage.server.address_as_origin();
    stage.host.under(&format!(
        "default-src 'none'; style-src {server} 'nonce-{NONCE}'"
    ));
    let bob = stage.bob();
    bob.tick("Ask");
    bob.change(
        "Build",
        json!({ "Status": "NotApplicable", "Reason": "Bought" }),
    );
    bob.change(
        "Clean",
        json!({ "Due": "2024-11-28T06:30:00Z", "Note": "Mind the cables" }),
    );
    for more in [
        json!({}),
        json!({ "Language": "ar", "Required": true }),
        json!({ "DisableCheck": true, "ReadOnly": true }),
        json!({ "Display": "Compact" }),
    ] {
        let both = [drawn(&stage, more.clone()), drawn_inside(&stage, &more)].concat();
        let page = format!(
            "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Incident</title>{both}"
        );
        stage.host.serve("/", "text/html", &page);
        stage.browser.open(&format!("{}/", stage.host.origin));
        // What is placed in a list is placed in this list, not in the page.
        stage.browser.script(
            "for (const list of document.querySelectorAll('checklist-control')) list.style.position = 'relative'",
            &[],
        );
        // Where the sheet comes late, colours are still on their way to what it says.
        stage.browser.until(
            "[...document.querySelectorAll('checklist-control')].every(({ shadowRoot }) => !shadowRoot.getAnimations().length)",
        );
        let looks = format!("[...document.querySelectorAll('checklist-control')].map({LOOKS})");
        let differing = format!(
            "(([sheet, inside]) => sheet.flatMap((one, at) => {{ const other = inside[at] ?? [];\
                 return one.filter((line) => !other.includes(line)).map((line) => [one[0], one[1], line]); }}))({looks})"
        );
        assert_eq!(stage.browser.value(&differing), json!([]), "{more}");
        let elements = stage
            .browser
            .value(&format!("({looks}).map((one) => one.length)"));
        assert_eq!(elements[0], elements[1], "{more}");
        assert!(elements[0].as_u64() > Some(20), "{more}: {elements}");
    }
    let styled = "getComputedStyle(document.querySelectorAll('checklist-control')[1].shadowRoot.querySelector('.compact')).borderRadius";
    assert_eq!(stage.browser.value(styled), json!("16px"));
}

#[test]
fn styles_inside_are_there_in_the_first_frame_and_leave_with_the_takeover() {
    let stage = stage_that_allows(&format!("'nonce-{NONCE}'"));
    stage.bob().tick("Build");
    open(&stage, &drawn_inside(&stage, &json!({})), WATCH);
    let list = stage.browser.control(LIST);
    stage.browser.until(LIVE);
    list.shows(&["Ask", "Build", "Clean"]);
    nothing_has_moved(&stage);
    let left = list.value(
        "[__probe.root(§).querySelectorAll('style, data, link, .still').length, __probe.root(§).adoptedStyleSheets.length]",
    );
    assert_eq!(left, json!([0, 1]), "one sheet, and none that was drawn");
    list.tick("Ask");
    list.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn where_the_policy_refuses_them_the_list_is_styled_once_the_script_is_there() {
    let stage = stage_that_allows("'none'");
    stage.browser.breaks_on_purpose("style-src");
    let html = drawn(&stage, json!({ "Styles": "Inline" }));
    open(&stage, &html, "");
    let list = stage.browser.control(LIST);
    stage.browser.until(LIVE);
    list.shows(&["Ask", "Build", "Clean"]);
    list.until("getComputedStyle(__probe.root(§).querySelector('.card')).borderRadius === '10px'");
    let refused = stage.browser.violations().to_string();
    assert!(refused.contains("style-src"), "{refused}");
    list.tick("Ask");
    list.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
}

#[test]
fn a_preview_with_styles_inside_stands_still_until_it_changes() {
    let stage = stage_that_allows(&format!("'nonce-{NONCE}'"));
    let petra = stage.server.as_editor("Petra Page").on(&stage.place());
    let path = format!("Preview/f?fragment=1&Language=en&Styles=Inline&StyleNonce={NONCE}");
    let html = petra.get(&path);
    assert_eq!(html.status, 200, "{}", html.text());
    let html = html
        .text()
        .replacen(" template=", " token-url=\"/token\" template=", 1);
    open(&stage, &html, WATCH);
    let preview = stage.browser.control("#host checklist-preview");
    preview.shows(&["Ask", "Build", "Clean"]);
    preview.until("__probe.root(§).adoptedStyleSheets[0]?.cssRules.length > 10");
    nothing_has_moved(&stage);
    stage.browser.script(
        "document.querySelector('#host checklist-preview').lang = 'de'",
        &[],
    );
    preview.says("3 Einträge");
    let left = preview.value("__probe.root(§).querySelectorAll('style, data, link').length");
    assert_eq!(left, json!(0), "what was drawn is gone");
    stage.browser.is_untroubled();
}
