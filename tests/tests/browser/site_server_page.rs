//! The pages of the local site server: readable, in light and dark, on a narrow screen, by keyboard.
//!
//! People look there at what was exported, and switch faults on.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::browser::Browser;
use serde_json::json;

#[test]
fn the_site_servers_pages_are_accessible_in_light_and_dark_and_do_not_scroll_sideways() {
    let server = SiteServer::start(Options::default()).expect("a free port");
    let browser = Browser::start();
    for (path, title) in [
        ("/", "Demo"),
        ("/sites/demo/Lists/All%20Types", "All Types"),
        ("/sites/demo/Lists/All%20Types/1_.000", "All Types – item 1"),
        ("/faults", "Faults"),
        ("/nowhere", "Not found"),
    ] {
        browser.open(&format!("{}{path}", server.origin()));
        browser.until(&format!(
            "document.querySelector('h1').textContent === '{title}'"
        ));
        for scheme in ["light", "dark"] {
            browser.prefer(scheme);
            for (width, height) in [(1280, 800), (320, 640)] {
                browser.resize(width, height);
                browser.is_accessible("html", &format!("{path}, {scheme}, {width}"));
                assert_eq!(
                    browser.value("document.documentElement.scrollWidth <= innerWidth"),
                    json!(true),
                    "{path} scrolls sideways on {width}"
                );
            }
        }
    }
}

#[test]
fn a_fault_is_switched_on_and_off_by_its_form() {
    let server = SiteServer::start(Options::default()).expect("a free port");
    let browser = Browser::start();
    browser.open(&format!("{}/faults", server.origin()));
    browser.until("document.querySelector('main').innerText.includes('No fault is switched on.')");
    browser.script(
        "document.querySelector('select[name=fault]').value = '409';
         document.querySelector('input[name=contains]').value = '/items';",
        &[],
    );
    browser.click(
        "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Switch on')",
    );
    browser.until("document.querySelector('tbody th')?.textContent === '409'");
    browser.click("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Switch all off')");
    browser.until("document.querySelector('main').innerText.includes('No fault is switched on.')");
}
