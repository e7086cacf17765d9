//! The one time that a secret is shown: with a button that copies it, and no way to close by
//! accident.
//!
//! Called by the page of API keys.

use leptos::prelude::*;
use leptos::web_sys::{HtmlInputElement, window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::app::App;
use crate::element::{button, el};
use crate::parts::dialog::dialog;
use crate::wording::{Wording, fill};

/// A secret: the key's name and what programs send.
pub type Secret = (String, String);

/// The dialog with the secret.
pub fn shown(app: App, (name, secret): &Secret, kept: impl FnMut() + 'static) -> AnyView {
    let words = app.language.keys();
    let said = RwSignal::new("");
    let copied = secret.clone();
    let copy = move || {
        let secret = copied.clone();
        spawn_local(async move {
            let clipboard = window().map(|window| window.navigator().clipboard());
            let written = match clipboard {
                Some(clipboard) => JsFuture::from(clipboard.write_text(&secret)).await.is_ok(),
                None => false,
            };
            if written {
                said.try_set(app.language.frame().copied);
            } else {
                select();
            }
        });
    };
    let body = el("div")
        .class("dialog-body")
        .el(el("p").text(words.secret_hint))
        .el(el("div")
            .class("secret")
            .el(el("input")
                .class("input")
                .id("secret")
                .attr("type", "text")
                .flag("readonly", true)
                .attr("aria-label", fill(words.secret_title, &[("name", name)]))
                .value(secret.clone())
                .on("focus", |_| select()))
            .el(button("button primary", app.language.frame().copy, copy)))
        .el(el("p")
            .class("hint")
            .attr("role", "status")
            .follow_text(move || said.get().to_owned()))
        .el(el("div")
            .class("buttons end")
            .el(button("button outlined", words.secret_kept, kept)));
    // Escape does nothing: what is closed is gone.
    dialog(
        fill(words.secret_title, &[("name", name)]),
        body.view(),
        || {},
    )
}

fn select() {
    let document = window().and_then(|window| window.document());
    let field = document.and_then(|document| document.get_element_by_id("secret"));
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.select();
    }
}
