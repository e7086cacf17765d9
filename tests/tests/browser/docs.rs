//! The documentation in a browser: read, searched and used by keyboard, under its strict policy, in
//! light and dark, at 320 pixels; calls are sent from the API reference.
//! Part of the program `browser`; `docs/BROWSERS.md` says what runs in which.

use checklist_tests::browser::{Browser, Keys};
use checklist_tests::{HostKey, Server, Setup};
use serde_json::json;

/// A page of each kind.
const PAGES: [&str; 7] = [
    "",
    "element",
    "limits",
    "guides/form-designer",
    "adr/",
    "api/",
    "api/types",
];

fn open(path: &str) -> (Server, Browser) {
    let server = Server::demo();
    let browser = Browser::start();
    browser.resize(1280, 900);
    browser.open(&format!("{}/docs/{path}", server.base_url()));
    (server, browser)
}

#[test]
fn every_kind_of_page_holds_the_policy_is_accessible_and_fits_into_320_pixels() {
    let (server, browser) = open("");
    for path in PAGES {
        browser.resize(1280, 900);
        println!("/docs/{path}");
        browser.open(&format!("{}/docs/{path}", server.base_url()));
        browser.until("document.querySelector('#theme input:checked') !== null");
        browser.is_accessible_in_every_scheme("html");
        browser.is_untroubled();
        browser.resize_dense(320, 640, 1);
        browser.until("innerWidth === 320");
        let wide = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert!(
            wide.as_f64().is_some_and(|more| more <= 0.0),
            "/docs/{path} scrolls sideways by {wide}"
        );
    }
}

#[test]
fn a_section_is_found_and_opened_by_keyboard_from_anywhere() {
    let (server, browser) = open("element");
    browser.keys("/");
    browser.until("document.activeElement.id === 'search'");
    browser.keys("three-way merge");
    browser.until("document.querySelectorAll('#search-results [role=option]').length > 0");
    browser.is_accessible(".bar", "results of the search");
    let first = browser.value("document.querySelector('#search-results [aria-selected=true]').id");
    browser.press(Keys::Down);
    browser.until("document.querySelector('#search-results [aria-selected=true]').id === document.activeElement.getAttribute('aria-activedescendant')");
    assert_ne!(
        first,
        browser.value("document.querySelector('#search-results [aria-selected=true]').id")
    );
    browser.press(Keys::Up);
    let target =
        browser.value("document.querySelector('#search-results [aria-selected=true]').href");
    browser.press(Keys::Enter);
    browser.until(&format!("location.href === {target}"));
    assert!(target.as_str().unwrap().starts_with(&server.base_url()));
    // Escape closes the results, and leaves the field when it is pressed again.
    browser.until("document.readyState === 'complete' && document.querySelector('.copy, #theme input:checked') !== null");
    browser.keys("/");
    browser.keys("webhook");
    browser.until("!document.querySelector('#search-results').hidden");
    browser.press(Keys::Escape);
    browser
        .until("document.querySelector('#search-results').hidden && document.activeElement.id === 'search'");
    browser.press(Keys::Escape);
    browser.until("document.activeElement.id !== 'search'");
    browser.is_untroubled();
}

#[test]
fn the_shortcut_of_the_search_can_be_turned_off() {
    let (_server, browser) = open("limits");
    browser.until("document.querySelector('#shortcut') !== null");
    browser.click("document.querySelector('#shortcut')");
    browser.keys("/");
    browser.reload();
    browser.until("document.querySelector('#shortcut').getAttribute('aria-pressed') === 'false'");
    browser.keys("/");
    assert_ne!(browser.value("document.activeElement.id"), json!("search"));
    browser.click("document.querySelector('#shortcut')");
    browser.keys("/");
    browser.until("document.activeElement.id === 'search'");
}

#[test]
fn the_search_finds_pages_calls_and_states_of_the_gallery() {
    let (_server, browser) = open("");
    for (words, address) in [
        ("reverse proxy", "operation"),
        (
            "RefreshItemsOnTemplateChange",
            "api/checklists#RefreshItemsOnTemplateChange",
        ),
        ("Status conflict", "gallery#tick-conflict"),
        ("CSP", "element#content-security-policy"),
        ("SSO", "operation#the-identity-provider"),
        ("CORS", "embedding#origins"),
        (
            "PostgreSQL is written in batches",
            "adr/0006-group-commit-on-postgresql",
        ),
    ] {
        browser.script("const field = document.querySelector('#search'); field.focus(); field.value = arguments[0]; field.dispatchEvent(new Event('input'));", &[json!(words)]);
        browser.until(&format!(
            "[...document.querySelectorAll('#search-results a')].some((one) => one.getAttribute('href').includes('{address}'))"
        ));
    }
    browser.script("const field = document.querySelector('#search'); field.value = 'xyzzy'; field.dispatchEvent(new Event('input'));", &[]);
    browser.until("document.querySelector('#search-results').textContent.includes('No results')");
}

#[test]
fn the_section_that_is_named_like_the_word_comes_first_whatever_its_ending() {
    let (_server, browser) = open("");
    for words in ["upgrade", "upgrading", "upgrades"] {
        browser.script("const field = document.querySelector('#search'); field.focus(); field.value = arguments[0]; field.dispatchEvent(new Event('input'));", &[json!(words)]);
        browser.until("document.querySelector('#search-results a')?.getAttribute('href').endsWith('operation#upgrading')");
        browser.script("const field = document.querySelector('#search'); field.value = ''; field.dispatchEvent(new Event('input')); document.querySelector('#search-results').replaceChildren();", &[]);
    }
}

/// The code of a page that is about the server that shows it.
fn code_for_this_server(browser: &Browser, page: &str) -> String {
    browser.open(page);
    browser.until("document.querySelector('.copy') !== null");
    let code = "document.querySelector('[data-this-server] code').textContent";
    browser.until(&format!("!{code}.includes('127.0.0.1:8080')"));
    browser.value(code).as_str().unwrap().to_owned()
}

#[test]
fn code_to_paste_names_this_server_and_a_token_that_it_gives() {
    let demo = Server::demo();
    let real = Setup::for_hosts(&[HostKey::of("north")]).start();
    let browser = Browser::start();
    for path in ["", "api/", "mcp"] {
        let page = |server: &Server| format!("{}/docs/{path}", server.base_url());
        let code = code_for_this_server(&browser, &page(&demo));
        let token = format!("{}/demo/token", demo.base_url());
        assert!(code.contains(&token), "{path}: {code}");
        browser.until("!document.querySelector('#demo').hidden");
        code_for_this_server(&browser, &page(&real));
        browser.until("document.querySelector('[data-this-server] code').textContent.includes('TOKEN=$(checklist-server key add')");
        let code = code_for_this_server(&browser, &page(&real));
        assert!(!code.contains("/demo/token"), "{path}: {code}");
        assert_eq!(
            browser.value("document.querySelector('#demo').hidden"),
            json!(true)
        );
    }
    browser.is_untroubled();
}

#[test]
fn the_search_puts_what_helps_before_reasons_and_shows_no_markup() {
    let (_server, browser) = open("");
    let results = |words: &str| -> Vec<String> {
        browser.script("const field = document.querySelector('#search'); field.focus(); field.value = arguments[0]; field.dispatchEvent(new Event('input'));", &[json!(words)]);
        browser.until(&format!(
            "[...document.querySelectorAll('#search-results mark')].some((one) => one.textContent.toLowerCase() === '{words}')"
        ));
        let results = browser.value(
            "[...document.querySelectorAll('#search-results a')].map((one) => one.getAttribute('href') + ' ' + one.textContent)",
        );
        serde_json::from_value(results).unwrap()
    };
    let passkeys = results("passkey");
    let first = |address: &str| {
        let found = passkeys.iter().position(|one| one.contains(address));
        found.unwrap_or(passkeys.len())
    };
    assert!(
        first("/guides/") < first("/api/") && first("/api/") <= first("/adr/"),
        "{passkeys:#?}"
    );
    for words in ["getitems", "applytemplate"] {
        for result in results(words) {
            assert!(!result.contains('`'), "{result}");
        }
    }
}

#[test]
fn what_is_copied_and_chosen_stays() {
    let (server, browser) = open("element");
    browser.script(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });",
        &[],
    );
    browser.click("document.querySelector('.code .copy')");
    browser.until("window.copied === document.querySelector('.code code').textContent");
    browser.until("document.querySelector('.code .copy').textContent === 'Copied'");
    browser.click("document.querySelector('#theme input[value=dark]')");
    browser.open(&format!("{}/docs/limits", server.base_url()));
    browser.until("document.documentElement.dataset.theme === 'dark' && document.querySelector('#theme input:checked')?.value === 'dark'");
    let ground = browser.value("getComputedStyle(document.documentElement).backgroundColor");
    assert_eq!(ground, json!("rgb(15, 18, 20)"));
    browser.click("document.querySelector('#theme input[value=auto]')");
}

#[test]
fn the_menu_of_a_narrow_window_opens_by_keyboard_and_leads_on() {
    let (_server, browser) = open("limits");
    browser.resize(390, 800);
    browser.until("getComputedStyle(document.querySelector('#pages')).display === 'none'");
    browser.script("document.querySelector('.menu').focus()", &[]);
    browser.press(Keys::Enter);
    browser.until("getComputedStyle(document.querySelector('#pages')).display !== 'none'");
    browser.press(Keys::Tab);
    browser.script("document.querySelector('#pages a').focus()", &[]);
    browser.press(Keys::Escape);
    browser.until("document.activeElement.matches('.menu')");
    browser.press(Keys::Enter);
    browser.click(
        "[...document.querySelectorAll('#pages a')].find((one) => one.textContent === 'Webhooks')",
    );
    browser.until("location.pathname.endsWith('/docs/webhooks')");
}

#[test]
fn a_call_is_sent_from_the_reference_with_the_token_of_the_demo() {
    let (server, browser) = open("api/types");
    browser.until("document.querySelector('#ListTypes').closest('.call').querySelector('.try summary') !== null");
    // The samples name this server, one language at a time.
    let shown = browser.value(
        "[...document.querySelector('#ListTypes').closest('.call').querySelectorAll('.sample')].filter((one) => !one.hidden).map((one) => one.textContent)",
    );
    let shown = shown.as_array().unwrap();
    assert_eq!(shown.len(), 1);
    assert!(
        shown[0].as_str().unwrap().contains(&server.base_url()),
        "{shown:?}"
    );
    browser.click("document.querySelector('#ListTypes').closest('.call').querySelector('.languages input[value=python]')");
    browser.until("[...document.querySelectorAll('.sample')].every((one) => one.hidden === (one.dataset.sample !== 'python'))");
    browser.click(
        "document.querySelector('#ListTypes').closest('.call').querySelector('.try summary')",
    );
    browser.until("document.querySelector('.try form') !== null");
    browser.is_accessible(".try form", "the form of a call");
    browser.click("document.querySelector('.try form .button')");
    browser.until("document.querySelector('.try .result b')?.textContent.startsWith('200')");
    browser
        .until("document.querySelector('.try .result code').textContent.includes('\"incident\"')");
    browser.is_untroubled();
    // The answer has taken the page down; the languages are above.
    browser.script("document.querySelector('#ListTypes').scrollIntoView()", &[]);
    browser.click("document.querySelector('#ListTypes').closest('.call').querySelector('.languages input[value=sh]')");
}

#[test]
fn the_gallery_shows_what_makes_a_state_and_what_it_fires_and_its_switches_turn_every_element() {
    let (server, browser) = open("gallery");
    browser.open_gallery(&server);
    let html = browser.value("document.querySelector('#no-check .facts code').textContent");
    assert_eq!(
        html,
        json!(
            "<checklist-control\n  object-type=\"incident\"\n  object-id=\"INC-20418\"\n  token-url=\"/checklist-token\"\n  disable-check></checklist-control>"
        )
    );
    let meaning = browser.value("document.querySelector('#no-check .facts dd').textContent");
    assert!(
        meaning.as_str().unwrap().contains("no checkboxes"),
        "{meaning}"
    );
    let fired = browser.value("document.querySelector('#error .events').textContent");
    assert!(
        fired.as_str().unwrap().contains("checklist-error"),
        "{fired}"
    );
    // The index of the search names exactly the states that are here.
    browser.script("fetch('search.json').then((answer) => answer.json()).then((all) => { window.indexed = all.map((one) => one[2]).filter((one) => one.startsWith('gallery#')).map((one) => one.slice(8)); });", &[]);
    browser.until("!!window.indexed");
    let differs = browser.value(
        "(() => { const here = [...document.querySelectorAll('.chapter, .state')].map((one) => one.id); const there = new Set(window.indexed);
           return [...here.filter((one) => !there.has(one)), ...[...there].filter((one) => !here.includes(one))]; })()",
    );
    assert_eq!(differs, json!([]));
    browser.click("document.querySelector('#switch-rtl')");
    browser.until("document.querySelector('#completed checklist-control').shadowRoot.querySelector('.card').dir === 'rtl'");
    // A state with a language of its own keeps it.
    assert_eq!(
        browser.value("document.querySelector('#german checklist-control').lang"),
        json!("de")
    );
    browser.click("document.querySelector('#switch-rtl')");
    browser.click("document.querySelector('#switch-compact')");
    browser.until("document.querySelector('#completed checklist-control').shadowRoot.querySelector('.card.dense') !== null");
}
