//! The head of a page: its title, what it is about, what can be done; and pages with nothing on them.
//!
//! The title gets the focus when a page is opened, so that it is read out and Tab goes on from
//! there.

use leptos::web_sys::window;

use crate::app::App;
use crate::element::{El, el};
use crate::wording::Wording;

/// A head.
#[must_use]
pub fn head(app: App, title: &str, intro: Option<&'static str>, actions: Vec<El>) -> El {
    name_tab(app, title);
    let words = el("div")
        .class("page-words")
        .el(el("h1")
            .class("page-title")
            .attr("tabindex", "-1")
            .attr("dir", "auto")
            .text(title.to_owned())
            .focused())
        .maybe(intro.map(|intro| el("p").class("quiet").text(intro)));
    let actions = (!actions.is_empty()).then(|| el("div").class("buttons").els(actions));
    el("header").class("page-head").el(words).maybe(actions)
}

fn name_tab(app: App, title: &str) {
    if let Some(document) = window().and_then(|window| window.document()) {
        document.set_title(&[title, " · ", app.language.frame().product].concat());
    }
}

/// What stands where there is nothing yet, and what can be done about it.
#[must_use]
pub fn empty(title: &'static str, hint: &'static str, actions: Vec<El>) -> El {
    let actions = (!actions.is_empty()).then(|| el("div").class("buttons centre").els(actions));
    el("div")
        .class("card nothing")
        .el(el("p").class("nothing-title").text(title))
        .el(el("p").class("quiet").text(hint))
        .maybe(actions)
}
