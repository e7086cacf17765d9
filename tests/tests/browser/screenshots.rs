//! Pictures of every chapter of the gallery, held against those that were kept: light, dark, and in
//! the colours of the reader's system.
//!
//! `CHECKLIST_BASELINES=update cargo test -p checklist-tests --test browser -- screenshots::` keeps
//! what is seen now; look at it before committing. Each major version of Chromium has pictures of
//! its own.

use checklist_tests::Server;
use checklist_tests::browser::{Baselines, Browser};

/// What the reader's system asks for, besides no motion.
const READERS: [(&str, &[(&str, &str)]); 3] = [
    ("light", &[("prefers-color-scheme", "light")]),
    ("dark", &[("prefers-color-scheme", "dark")]),
    (
        "forced",
        &[
            ("prefers-color-scheme", "light"),
            ("forced-colors", "active"),
        ],
    ),
];

#[test]
fn every_state_looks_as_before_in_light_in_dark_and_in_the_colours_of_the_reader() {
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
    let prefer = |features: &[(&str, &str)]| {
        browser.emulate(&[&[("prefers-reduced-motion", "reduce")], features].concat());
    };
    prefer(READERS[0].1);
    browser.open_gallery(&server);
    // What is written about a state is in letters of this machine, and the bar of the page would lie
    // over what is higher than the window.
    browser.script(
        "for (const one of document.querySelectorAll('.facts, figcaption, .bar')) one.hidden = true;",
        &[],
    );
    for (name, features) in READERS {
        prefer(features);
        for chapter in browser.chapters() {
            browser.show_chapter_alone(&chapter);
            // Whole pixels, and what sticks to the foot of the window stands where it does for whoever
            // has come here.
            browser.value(&format!(
                "((chapter) => {{
                   chapter.style.height = '';
                   chapter.style.height = Math.ceil(chapter.getBoundingClientRect().height) + 'px';
                   chapter.scrollIntoView({{ block: 'end' }});
                 }})(document.querySelector('#{chapter}'))"
            ));
            baselines.hold(&format!("{chapter}-{name}"), || {
                browser.picture(&format!("#{chapter}"))
            });
        }
    }
    baselines.agree();
}
