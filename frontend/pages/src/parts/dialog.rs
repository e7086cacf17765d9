//! Dialogs over a page: a question before something that cannot be taken back, or a secret.
//!
//! The browser's own `<dialog>` keeps the focus inside; Escape is the same as cancelling. The focus
//! goes back to where it was.

use leptos::prelude::*;
use leptos::web_sys::{HtmlDialogElement, window};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;

use crate::app::App;
use crate::element::{El, button, el, focus};
use crate::wording::Wording;

/// A dialog that is open as long as it stands on the page. `cancel` is called on Escape.
#[must_use]
pub fn dialog(
    title: impl Into<String>,
    body: AnyView,
    mut cancel: impl FnMut() + 'static,
) -> AnyView {
    let title: String = title.into();
    let before = window()
        .and_then(|window| window.document())
        .and_then(|document| document.active_element());
    let before = SendWrapper::new(before);
    on_cleanup(move || {
        let before = before.take();
        checklist_control::browser::set_timeout(
            0,
            Box::new(move || {
                if let Some(before) = before.filter(|before| before.is_connected()) {
                    focus(&before);
                }
            }),
        );
    });
    el("dialog")
        .class("dialog")
        .attr("aria-label", title.clone())
        .on("cancel", move |event| {
            event.prevent_default();
            cancel();
        })
        .ready(|element| {
            if let Some(dialog) = element.dyn_ref::<HtmlDialogElement>()
                && dialog.is_connected()
                && !dialog.open()
            {
                let _ = dialog.show_modal();
            }
        })
        .el(el("h2").class("dialog-title").text(title))
        .child(body)
        .view()
}

/// What a question asks.
pub struct Question {
    /// What is asked.
    pub title: String,
    /// What follows from it.
    pub hint: El,
    /// What the button says that does it.
    pub action: String,
    /// Whether it takes something away.
    pub takes_away: bool,
}

/// A question with two answers. Both close it.
#[must_use]
pub fn question(
    app: App,
    question: Question,
    act: impl FnMut() + 'static,
    close: impl FnMut() + Clone + 'static,
) -> AnyView {
    let class = if question.takes_away {
        "button solid-danger"
    } else {
        "button primary"
    };
    let (mut act, cancel, mut done) = (act, close.clone(), close.clone());
    let body = el("div")
        .class("dialog-body")
        .el(question.hint)
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, cancel).focused())
            .el(button(class, question.action, move || {
                act();
                done();
            })));
    dialog(question.title, body.view(), close)
}
