//! A text that is there to be copied: a field that cannot be written in, and a button.
//!
//! Where the clipboard is closed, the text is selected instead.

use leptos::prelude::*;
use leptos::web_sys::{HtmlInputElement, window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::app::App;
use crate::element::{El, button, el};
use crate::wording::Wording;

/// The field, named `label`, the button with that class, and what is said after copying.
#[must_use]
pub fn copyable(
    app: App,
    id: &'static str,
    label: impl Into<String>,
    text: String,
    class: &'static str,
) -> El {
    let label: String = label.into();
    let said = RwSignal::new("");
    let copied = text.clone();
    let copy = move || {
        let text = copied.clone();
        spawn_local(async move {
            let clipboard = window().map(|window| window.navigator().clipboard());
            let written = match clipboard {
                Some(clipboard) => JsFuture::from(clipboard.write_text(&text)).await.is_ok(),
                None => false,
            };
            if written {
                said.try_set(app.language.frame().copied);
            } else {
                select(id);
            }
        });
    };
    el("div")
        .class("copyable")
        .el(el("div")
            .class("secret")
            .el(el("input")
                .class("input")
                .id(id)
                .attr("type", "text")
                .flag("readonly", true)
                .attr("aria-label", label)
                .value(text)
                .on("focus", move |_| select(id)))
            .el(button(class, app.language.frame().copy, copy)))
        .el(el("p")
            .class("hint")
            .attr("role", "status")
            .follow_text(move || said.get().to_owned()))
}

fn select(id: &str) {
    let document = window().and_then(|window| window.document());
    let field = document.and_then(|document| document.get_element_by_id(id));
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.select();
    }
}
