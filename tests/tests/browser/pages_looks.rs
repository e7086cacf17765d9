//! The built-in pages for everybody: axe-core, both colour schemes, narrow views, fingers.
//!
//! Every page is looked at; what they do is tested beside this.

use checklist_tests::browser::Pages;
use checklist_tests::{Server, incident};
use serde_json::json;

const ALL: [&str; 23] = [
    "/",
    "/lists",
    "/lists/of/incident/INC-1",
    "/templates",
    "/templates/new",
    "/templates/of/incident-standard",
    "/templates/of/server-decommission/comparison",
    "/templates/of/incident-standard/health",
    "/templates/import",
    "/apply",
    "/types",
    "/types/of/incident",
    "/keys",
    "/keys/embed",
    "/people",
    "/connections",
    "/connections/new",
    "/webhooks",
    "/computers?Status=Scrapped",
    "/computers/export",
    "/runs",
    "/journal",
    "/audit",
];

fn stage() -> (Server, Pages) {
    let server = Server::demo();
    let anna = server.as_editor("Anna").on(&incident("INC-1"));
    let list = anna.list();
    let first = list
        .items()
        .iter()
        .find(|item| item["Kind"] == "Item")
        .unwrap()["Id"]
        .clone();
    anna.call(
        "UpdateItems",
        json!({ "Items": [{ "Id": first, "Status": "Done" }], "LogInJournal": true }),
    )
    .ok();
    let pages = Pages::of_demo(&server, "/templates");
    (server, pages)
}

/// Waits until everything that a page reads is there.
fn settled(pages: &Pages) {
    pages.until("!!document.querySelector('main h1') && !document.querySelector('.skeleton')");
}

#[test]
fn axe_finds_nothing_on_any_page_in_either_scheme() {
    let (_server, pages) = stage();
    for path in ALL {
        pages.open(path);
        settled(&pages);
        println!("{path}");
        pages.browser.is_accessible_in_every_scheme("body");
    }
}

#[test]
fn axe_finds_nothing_in_dialogs_open_rows_and_fields_with_faults() {
    let (_server, pages) = stage();
    let look = |when: &str| {
        settled(&pages);
        pages.browser.is_accessible("body", when);
    };
    pages.open("/templates/of/incident-standard");
    settled(&pages);
    pages.click("Edit “Offer a workaround”");
    look("an open row");
    pages.fill("Text (en)", "");
    pages.fill("Text (de)", "");
    pages.fill("Due after", "soon");
    pages.click("Save draft");
    pages.says("Check the marked fields");
    look("faults");
    pages.click("Types");
    pages.says("Leave without saving?");
    look("the question before leaving");
    pages.click("Leave without saving");
    pages.is_at("Types");
    pages.open("/keys");
    pages.click("New API key");
    pages.says("Allowed contexts");
    look("the form of a key");
    pages.open("/audit");
    pages.click_of("Checked", "Details");
    pages.says("Wording at the time");
    look("an open row of the trail");
}

#[test]
fn the_entrance_is_accessible_in_either_scheme() {
    let server = Server::demo();
    let pages = Pages::unknown(&server, "/");
    pages.says("Continue as demo administrator");
    settled(&pages);
    pages.browser.is_accessible_in_every_scheme("body");
}

#[test]
fn a_view_of_320_pixels_needs_no_horizontal_scrolling() {
    let (_server, pages) = stage();
    pages.browser.resize(320, 720);
    let fits = |place: &str| {
        let root = "document.documentElement";
        let fits = pages.value(&format!("{root}.scrollWidth <= {root}.clientWidth"));
        assert_eq!(fits, json!(true), "{place}");
    };
    for path in ALL {
        pages.open(path);
        settled(&pages);
        fits(path);
    }
    pages.open("/templates/of/incident-standard");
    settled(&pages);
    pages.click("Edit “Offer a workaround”");
    fits("an open row");
    pages.open("/keys");
    settled(&pages);
    pages.click("New API key");
    pages.says("Allowed contexts");
    fits("a dialog");
}

#[test]
fn text_with_the_readers_spacing_is_whole_on_every_page() {
    let (_server, pages) = stage();
    for width in [1280, 320] {
        pages.browser.resize(width, 720);
        for path in ALL {
            pages.open(path);
            settled(&pages);
            pages.browser.space_text();
            let place = format!("{path}, {width} pixels");
            pages.browser.text_is_whole(&place);
        }
    }
}

#[test]
fn on_a_phone_the_bar_is_one_row_and_the_name_stands_beside_the_menu() {
    let (_server, pages) = stage();
    pages.browser.resize(390, 844);
    for language in ["English", "Deutsch"] {
        pages
            .until("[...document.querySelectorAll('.who-name')].filter(__probe.seen).length === 1");
        let rows = pages.value(
            "new Set([...document.querySelectorAll('.brand, .language, .bar button')].map((one) => one.getBoundingClientRect()).map((box) => Math.round((box.top + box.bottom) / 2))).size",
        );
        assert_eq!(rows, json!(1), "{language}");
        pages.until("document.querySelector('.sections .who-name').getBoundingClientRect().left > document.querySelector('#sections-button').getBoundingClientRect().right");
        if language == "English" {
            pages.choose("Language", "Deutsch");
            pages.says("Abmelden");
        }
    }
}

#[test]
fn targets_are_large_enough_for_fingers() {
    let (_server, pages) = stage();
    pages.browser.touch();
    for path in [
        "/",
        "/lists",
        "/people",
        "/templates",
        "/templates/of/handover",
        "/types/of/incident",
        "/connections/new",
        "/computers?Status=Scrapped",
        "/audit",
    ] {
        pages.open(path);
        settled(&pages);
        let small = pages.value(
            "[...document.querySelectorAll('main button, main .button, main .switch, main select, main input:not([type=checkbox]), header a, header button')]\
               .filter((one) => __probe.seen(one) && !one.matches('.chip-cross')).map((one) => [__probe.named(one), one.getBoundingClientRect()])\
               .filter(([, box]) => box.height < 43.5).map(([name, box]) => `${name}: ${box.width} x ${box.height}`)",
        );
        assert_eq!(small, json!([]), "{path}");
    }
}
