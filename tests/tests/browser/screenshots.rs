//! Pictures of every chapter of the gallery, held against those that were kept: light, dark, and in
//! the colours of the reader's system.
//!
//! `CHECKLIST_BASELINES=update cargo test -p checklist-tests --test browser -- screenshots::` keeps
//! what is seen now; look at it before committing. Each major version of Chromium has pictures of
//! its own.

use checklist_tests::Server;
use checklist_tests::browser::{Baselines, Browser, Picture};

fn look(name: &str, features: &[(&str, &str)]) {
    let browser = Browser::start();
    let Some(mut baselines) = Baselines::of(&browser) else {
        println!(
            "there are no pictures of Chromium {} yet; nothing is compared",
            browser.major()
        );
        return;
    };
    let server = Server::demo();
    browser.holds_still();
    browser.resize(900, 800);
    let still = [("prefers-reduced-motion", "reduce")];
    browser.emulate(&[&still, features].concat());
    browser.open_gallery(&server);
    // What is written about a state is in letters of this machine, and the bar of the page would lie
    // over what is higher than the window. Whole pixels, so that no chapter is drawn otherwise because
    // another one has changed before it.
    browser.script(
        "for (const one of document.querySelectorAll('.facts, figcaption, .bar')) one.hidden = true;
         for (const one of document.querySelectorAll('.chapter'))
             one.style.height = Math.ceil(one.getBoundingClientRect().height) + 'px';",
        &[],
    );
    for chapter in browser.chapters() {
        // What sticks to the foot of the window stands where it does for whoever has come here.
        browser.value(&format!(
            "document.querySelector('#{chapter}').scrollIntoView({{ block: 'end' }})"
        ));
        let picture = settled(&browser, &format!("#{chapter}"));
        baselines.hold(&format!("{chapter}-{name}"), &picture);
    }
    baselines.agree();
}

/// The picture of an element that two in a row agree on: what lies outside of the window may be
/// painted late.
fn settled(browser: &Browser, selector: &str) -> Picture {
    let mut picture = browser.picture(selector);
    for _ in 0..5 {
        let again = browser.picture(selector);
        if again == picture {
            break;
        }
        picture = again;
    }
    picture
}

#[test]
fn every_state_looks_as_before_in_light_colours() {
    look("light", &[("prefers-color-scheme", "light")]);
}

#[test]
fn every_state_looks_as_before_in_dark_colours() {
    look("dark", &[("prefers-color-scheme", "dark")]);
}

#[test]
fn every_state_looks_as_before_in_the_colours_of_the_reader() {
    look(
        "forced",
        &[
            ("prefers-color-scheme", "light"),
            ("forced-colors", "active"),
        ],
    );
}
