//! What the reader's system asks for: colours of its own, less motion, larger letters, paper.
//!
//! How it looks then is held fast by the screenshots; here is what can be measured.

use checklist_tests::browser::Stage;
use checklist_tests::template::{item, optional_to_apply, required, section, under};
use serde_json::{Value, json};

fn stage() -> Stage {
    Stage::with([
        section("s", "Before"),
        under("s", required(item("a", "Ask"))),
        under("s", optional_to_apply(item("b", "Build"))),
        item("c", "Clean"),
    ])
}

#[test]
fn motion_is_shorter_than_150_milliseconds() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build", "Clean"]);
    let longest = control.value(
        "Math.max(...[...__probe.root(§).querySelectorAll('*')].flatMap((one) => [null, '::before', '::after'].map((part) => {\
           const style = getComputedStyle(one, part);\
           return Math.max(...`${style.transitionDuration}, ${style.animationDuration}`.split(',').map(parseFloat)); })))",
    );
    let longest = longest.as_f64().expect("a duration");
    assert!(longest > 0.0 && longest < 0.15, "{longest} s of motion");
}

#[test]
fn in_colours_of_the_reader_boxes_are_native_and_everything_has_an_edge() {
    let stage = stage();
    stage.browser.emulate(&[("forced-colors", "active")]);
    let control = stage.control("");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    let style = |selector: &str, name: &str| {
        control.value(&format!(
            "getComputedStyle(__probe.root(§).querySelector('{selector}'))['{name}']"
        ))
    };
    assert_eq!(style(".box", "appearance"), json!("auto"));
    for part in [".card", ".button", ".progress"] {
        assert_eq!(style(part, "borderTopStyle"), json!("solid"), "{part}");
        assert_ne!(style(part, "borderTopWidth"), json!("0px"), "{part}");
    }
    let bar = style(".progress-bar", "backgroundColor");
    assert_ne!(bar, style(".card", "backgroundColor"), "the bar is seen");
}

#[test]
fn letters_grow_with_the_readers_wish() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build", "Clean"]);
    let size = || {
        control
            .value("parseFloat(getComputedStyle(__probe.root(§).querySelector('.text')).fontSize)")
    };
    let before = size();
    control.value("document.documentElement.style.fontSize = '200%'");
    let after = size();
    let [before, after] = [before, after].map(|size| size.as_f64().expect("a size"));
    assert!(after >= before * 1.9, "{before} px become {after} px");
}

mod printed {
    use std::process::Command;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use checklist_tests::Server;
    use checklist_tests::browser::{Browser, Keys, looks};

    use super::*;

    /// The rows and headings on the screen.
    const SCREEN: &str = "[...__probe.root(§).querySelectorAll('.section-toggle, .row, .done-items')]\
        .filter((one) => one.checkVisibility()).map((one) => one.textContent + one.ariaExpanded).join()";

    /// The text of the open page on paper, without blanks: letters are set one by one there.
    fn paper(browser: &Browser) -> String {
        let printed = browser.print();
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join("page.pdf");
        std::fs::write(&file, STANDARD.decode(printed).expect("base64")).expect("a writable file");
        let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
        let output = Command::new(node)
            .arg(looks().join("pdf-text.mjs"))
            .arg(&file)
            .output()
            .expect("Node reads the PDF");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        let pages: Vec<String> =
            serde_json::from_slice(&output.stdout).expect("the text of each page");
        pages.concat().split_whitespace().collect()
    }

    fn holds(text: &str, wanted: &str) {
        let wanted: String = wanted.split_whitespace().collect();
        assert!(text.contains(&wanted), "{wanted} is not in {text}");
    }

    #[test]
    fn paper_shows_every_item_with_its_state_in_words_and_nothing_to_press() {
        let stage = Stage::with(
            (0..60).map(|n| optional_to_apply(item(&format!("k{n}"), &format!("Item {n}.")))),
        );
        stage.bob().tick("Item 3.");
        let control = stage.control("");
        control.shows_item("Item 59.");
        control.choose("Item 5.", "Not applicable");
        control.fill("Why does it not apply?", "gone");
        control.click("Not applicable");
        control.settles();
        let text = paper(&stage.browser);
        for n in 0..60 {
            let state = match n {
                3 => "Done",
                5 => "Not applicable",
                _ => "Open",
            };
            holds(&text, &format!("{state}: Item {n}."));
        }
        holds(&text, "Not applicable: gone");
        holds(&text, "1 of 59 done");
        for button in ["Additem", "Edit", "Showfirstopenitem", "Undo"] {
            assert!(!text.contains(button), "{button} is on the paper");
        }
        let colours = stage.browser.printed_value(
            "getComputedStyle(document.querySelector('#list').shadowRoot.querySelector('.text')).color",
        );
        assert_eq!(colours, json!("rgb(0, 0, 0)"));
    }

    #[test]
    fn paper_has_what_the_screen_hides_and_the_screen_stays_as_it_is() {
        let of = |n: u32| {
            let item = item(&format!("k{n}"), &format!("Item {n}."));
            if n < 4 { under("first", item) } else { item }
        };
        let stage = Stage::with(
            [section("first", "First")]
                .into_iter()
                .chain((0..40).map(of)),
        );
        for text in ["Item 2.", "Item 13."] {
            stage.bob().tick(text);
        }
        let control = stage.control("hide-completed");
        control.says("2 done hidden");
        control.click("First");
        control.until("__probe.row(§, 'Item 1.') === null");
        let is_complete = |what: &str| {
            let screen = control.value(SCREEN);
            let text = paper(&stage.browser);
            for n in 0..40 {
                let state = if [2, 13].contains(&n) { "Done" } else { "Open" };
                holds(&text, &format!("{state}: Item {n}."));
            }
            assert!(!text.contains("donehidden"), "{what}: {text}");
            control.until(&format!("({SCREEN}) === {screen}"));
            screen
        };
        let folded = is_complete("hidden and collapsed");

        stage
            .browser
            .click("__probe.root('#list').querySelector('.search input')");
        stage.browser.keys("item 30.");
        control.shows(&["Item 30."]);
        is_complete("searched for");
        // A script's `print()` waits for nothing that is drawn later.
        let drawn = stage.browser.script(
            "dispatchEvent(new Event('beforeprint'));\
             const rows = __probe.root('#list').querySelectorAll('.row').length;\
             dispatchEvent(new Event('afterprint'));\
             return rows;",
            &[],
        );
        assert_eq!(drawn, json!(40));
        control.shows(&["Item 30."]);
        assert_eq!(
            control.value("__probe.root(§).activeElement.value"),
            json!("item 30.")
        );
        stage.browser.press(Keys::Escape);
        control.until(&format!("({SCREEN}) === {folded}"));
        stage.browser.is_untroubled();
    }

    #[test]
    fn the_words_on_paper_are_those_of_the_reader() {
        let stage = Stage::with([item("a", "Ask")]);
        let control = stage.control("lang='de'");
        control.shows(&["Ask"]);
        holds(&paper(&stage.browser), "Offen: Ask");
    }

    #[test]
    fn a_preview_page_is_whole_on_paper() {
        let server = Server::demo();
        let browser = Browser::start();
        browser.open(&format!(
            "{}/api/Vendor/ChecklistControl/Preview/onboarding?Language=en",
            server.base_url()
        ));
        let seen = browser.value("[...document.querySelectorAll('.text, .title, .section-text')].map((one) => one.textContent)");
        let text = paper(&browser);
        for words in seen.as_array().map(Vec::as_slice).unwrap_or_default() {
            holds(&text, words.as_str().unwrap_or_default());
        }
        assert!(
            seen.as_array()
                .is_some_and(|seen: &Vec<Value>| seen.len() > 5)
        );
    }
}

#[test]
#[should_panic(expected = "color-contrast")]
fn colours_that_are_hard_to_read_in_dark_alone_are_found_by_axe() {
    let stage = Stage::ask_and_build();
    stage.open("<p id='text'>A sentence</p>");
    stage.browser.script(
        "const sheet = new CSSStyleSheet();
         sheet.replaceSync(`#text { color: #000; background: #fff }
           @media (prefers-color-scheme: dark) { #text { color: #555; background: #444 } }`);
         document.adoptedStyleSheets = [sheet];",
        &[],
    );
    stage.browser.is_accessible_in_every_scheme("#text");
}
