//! The pages about who may call: keys of programs, keys of host platforms, people.

pub mod api_keys;
mod contexts;
pub mod embed_keys;
mod expiry;
pub mod people;
mod roles;
pub mod secret;

use crate::app::App;
use crate::element::{El, el};
use crate::navigation::link;
use crate::route::Route;
use crate::wording::Wording;

/// The tabs over both kinds of keys.
pub fn tabs(app: App, here: &Route) -> El {
    let words = app.language.keys();
    let tab = |route: Route, name: &'static str| {
        let current = route == *here;
        let link = link("tab", &route).text(name);
        el("li").el(if current {
            link.attr("aria-current", "page")
        } else {
            link
        })
    };
    el("nav")
        .attr("aria-label", app.language.frame().keys)
        .el(el("ul")
            .class("tabs")
            .el(tab(Route::ApiKeys, words.api))
            .el(tab(Route::EmbedKeys, words.embed)))
}

/// Whether a key is in force, as a pill.
pub fn state(app: App, expires: Option<checklist_shared::Timestamp>, revoked: bool) -> El {
    let words = app.language.keys();
    let ended =
        expires.is_some_and(|expires| expires.as_millis() <= checklist_control::browser::now());
    let (class, text) = match (revoked, ended) {
        (true, _) => ("pill bad", words.revoked),
        (_, true) => ("pill warm", words.expired),
        _ => ("pill", words.active),
    };
    el("span").class(class).text(text)
}
