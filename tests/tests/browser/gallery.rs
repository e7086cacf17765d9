//! The gallery: every state comes about, in elements as they ship, from answers as the
//! server gives them; accessible, in narrow views too, in either scheme and side by side.
//! Part of the program `browser`; `docs/BROWSERS.md` says what runs in which.

use checklist_shared::problem::Problem;
use checklist_shared::wire::find::FoundItems;
use checklist_shared::wire::list::ListAnswer;
use checklist_shared::wire::write::WriteAnswer;
use checklist_tests::Server;
use checklist_tests::browser::{Browser, Keys};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn gallery() -> (Server, Browser) {
    let server = Server::demo();
    let browser = Browser::start();
    browser.resize(1200, 900);
    (server, browser)
}

#[test]
fn every_state_comes_about() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    let ids = "[...document.querySelectorAll('[id]')].map((one) => one.id)";
    let twice = format!("{ids}.filter((id, at, all) => all.indexOf(id) !== at)");
    assert_eq!(
        browser.value(&twice),
        json!([]),
        "an id of the page is a state's, too"
    );
    for (state, sign) in [
        ("incident", ".help"),
        ("completed", ".card.completed"),
        ("pending", ".row.pending"),
        ("no-check", ".mark"),
        ("locked", ".strip.quiet"),
        ("waived", ".strip.waived"),
        ("empty", ".empty"),
        ("loading", ".skeleton"),
        ("error", ".failure"),
        ("unreachable", ".failure"),
        ("offline", ".strip.quiet"),
        ("signed-out", ".notice.danger"),
        ("draft", ".strip.quiet"),
        ("editor", ".editor textarea"),
        ("reason", ".hint.danger"),
        ("adding", ".add.open"),
        ("text-conflict", ".row.conflict"),
        ("tick-conflict", ".row.conflict"),
        ("refused", ".notice.danger"),
        ("deleted", ".messages .notice"),
        ("not-journaled", ".notice.warn"),
        ("changed", ".strip"),
        ("review", ".review .change"),
        ("kept", ".row.retired"),
        ("proposed", ".proposal .actions"),
        ("second-person", ".proposal .actions"),
        ("evidence", ".editor .input"),
        ("supported", ".proposal a"),
        ("gate", ".gate"),
        ("arabic", ".card[dir=rtl]"),
        ("five-hundred", ".row:nth-child(25)"),
        ("preview", ".card.preview"),
        ("preview-loading", ".loading"),
        ("menu", ".menu-item"),
        ("compact-closed", ".compact .progress"),
        ("compact-open", ".compact[aria-expanded=true]"),
        ("compact-completed", ".compact.complete"),
        ("compact-table", ".compact .progress"),
    ] {
        let there = format!(
            "!!document.querySelector('#{state} .stage').querySelector('checklist-control, checklist-preview, checklist-worklist').shadowRoot.querySelector('{sign}')"
        );
        assert_eq!(browser.value(&there), json!(true), "{state}: no {sign}");
    }
    for (state, name) in [
        ("completed", "completed"),
        ("pending", "pending"),
        ("error", "error"),
        ("offline", "offline"),
        ("read-only", "readonly"),
        ("refused-form", "user-invalid"),
    ] {
        let is = format!(
            "document.querySelector('#{state} checklist-control').matches(':state({name})')"
        );
        assert_eq!(
            browser.value(&is),
            json!(true),
            "{state} is not :state({name})"
        );
    }
}

#[test]
fn the_answers_of_the_gallery_are_those_of_the_server() {
    fn is<T: DeserializeOwned>(answer: &Value) {
        if let Err(error) = serde_json::from_value::<T>(answer["Body"].clone()) {
            panic!("{error}: {answer:#}");
        }
    }
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    let answers = browser.value("window.answered");
    let answers = answers.as_array().expect("what the page has answered");
    for answer in answers {
        match answer["Call"].as_str().unwrap_or_default() {
            _ if answer["Status"] != 200 => is::<Problem>(answer),
            "GetItems" => is::<ListAnswer>(answer),
            "FindItems" => is::<FoundItems>(answer),
            "UpdateItems" | "DeleteItems" | "RefreshItemsOnTemplateChange" => {
                is::<WriteAnswer>(answer)
            }
            call => assert!(call.starts_with("Template/"), "{call}"),
        }
    }
    assert!(answers.len() > 40, "{} answers", answers.len());
}

#[test]
fn axe_finds_nothing_in_any_state_in_either_scheme() {
    let (server, browser) = gallery();
    for scheme in ["light", "dark"] {
        browser.emulate(&[
            ("prefers-color-scheme", scheme),
            ("prefers-reduced-motion", "reduce"),
        ]);
        browser.open_gallery(&server);
        // 500 rows of one kind say no more than the 50 others, and take axe as long as all else.
        browser.script("document.querySelector('#many').remove();", &[]);
        // Nor does what stands beside a state, which is the same everywhere.
        browser.script(
            "for (const one of document.querySelectorAll('.chapter:not(#form, #words) .facts')) one.remove();",
            &[],
        );
        browser.is_accessible(".bar", &format!("the bar, {scheme}"));
        for chapter in browser.chapters() {
            browser.is_accessible(&format!("#{chapter}"), &format!("{chapter}, {scheme}"));
        }
    }
}

#[test]
fn a_narrow_view_shows_every_state_without_sideways_scrolling() {
    let (server, browser) = gallery();
    // 320 pixels, as a view of 1280 has left when it is enlarged four times.
    browser.resize_dense(320, 256, 4);
    browser.open_gallery(&server);
    let wide = browser.value(
        "[document.documentElement, ...document.querySelectorAll('checklist-control, checklist-preview, checklist-worklist')]
           .flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll('.card, .row, .notice, .editor, .menu')] : [one])
           .filter((one) => one.scrollWidth > Math.max(one.clientWidth, 1) + 1 && getComputedStyle(one).overflow !== 'clip')
           .map((one) => `${one.getRootNode().host?.closest('.state').id}: ${one.className} ${one.scrollWidth} > ${one.clientWidth}`)",
    );
    assert_eq!(wide, json!([]), "wider than the view");
}

#[test]
fn the_schemes_stand_side_by_side_when_that_is_chosen_by_keyboard() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    browser.script("document.querySelector('#switch-both').focus()", &[]);
    browser.press(Keys::Space);
    browser.gallery_becomes("dataset.ready === 'both'");
    let grounds = browser.value(
        "['light', 'dark'].map((scheme) => getComputedStyle(document.querySelector(`#completed .${scheme} checklist-control`).shadowRoot.querySelector('.card')).backgroundColor)",
    );
    assert_eq!(grounds, json!(["rgb(255, 255, 255)", "rgb(23, 26, 30)"]));
}

#[test]
fn states_come_about_without_taking_the_focus_or_the_place_from_the_reader() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    assert_eq!(
        browser.value("document.activeElement.localName"),
        json!("body")
    );
    browser.script("document.querySelector('#switch-both').focus()", &[]);
    browser.press(Keys::Space);
    browser.gallery_becomes("dataset.ready === 'both'");
    assert_eq!(browser.value("scrollY"), json!(0));
    browser.show_the_rest();
    assert_eq!(
        browser.value("document.activeElement.id"),
        json!("switch-both"),
        "with a menu and an editor open"
    );
    // Who acts on a state has the focus in it, as on any page.
    let state = "document.querySelector('#menu .dark checklist-control').shadowRoot";
    browser.click(&format!(
        "{state}.querySelector('.more[aria-expanded=true]')"
    ));
    browser.until(&format!("{state}.activeElement?.matches('.more')"));
    browser.press(Keys::Enter);
    browser.until(&format!("{state}.activeElement?.matches('.menu-item')"));
}

#[test]
fn facts_of_a_preview_that_go_on_in_the_next_line_begin_without_a_dot() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    browser.script(
        "for (const one of document.querySelectorAll('#preview .stage, #preview-arabic .stage')) one.style.inlineSize = '190px';",
        &[],
    );
    for (state, edge) in [("preview", "left"), ("preview-arabic", "right")] {
        // The dot is part of what it stands before, so the words of a line begin at its edge.
        let lines = browser.value(&format!(
            "[...document.querySelector('.state#{state} checklist-preview').shadowRoot.querySelectorAll('.meta')].map((meta) => {{
               const start = meta.getBoundingClientRect().{edge};
               const words = (one) => {{ const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect(); }};
               const first = [...meta.children].filter((one, place, all) => place === 0 || one.offsetTop > all[place - 1].offsetTop);
               return first.map((one) => Math.round(words(one).{edge} - start));
             }})"
        ));
        let lines: Vec<Vec<i64>> = serde_json::from_value(lines).expect("distances");
        assert!(
            lines.iter().any(|line| line.len() > 1),
            "{state}: {lines:?}"
        );
        assert!(
            lines.iter().flatten().all(|distance| distance.abs() <= 1),
            "{state}: {lines:?}"
        );
    }
}
