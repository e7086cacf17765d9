//! What a person is told about the list as a whole: deleted, refused, not in the journal.
//!
//! Each stays until it is dismissed or acted upon; nothing here runs against a clock. Called by
//! `control::view`.

use leptos::prelude::*;

use super::element::{button, el, live};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::Messages;
use crate::i18n::fill;

/// All messages, newest business first.
#[must_use]
pub fn messages(controller: &Controller, mode: &Mode) -> AnyView {
    let (signal, controller, mode) = (controller.screen().messages.clone(), controller.clone(), mode.clone());
    live(move || {
        let texts = mode.texts();
        let told = signal.get();
        let mut notices = Vec::new();
        if told.sign_in {
            let going = controller.clone();
            let again = button("button", texts.try_again, move |_| going.resume()).view();
            notices.push(notice("notice danger", texts.error_sign_in.to_owned(), vec![again]));
        }
        if let Some(refusal) = &told.refused {
            let sentence = refusal.sentence(texts);
            notices.push(notice("notice danger", sentence, vec![dismiss(&controller, &mode, |told| told.refused = None)]));
        }
        if let Some((text, operation)) = &told.deleted {
            let (going, operation) = (controller.clone(), operation.clone());
            let undo = button("button", texts.undo, move |_| {
                going.undo_operation(&operation);
                // The offer goes with its button; the focus needs another place.
                going.focus_on(".undo");
            });
            let undo = undo.view();
            let gone = dismiss(&controller, &mode, |told| told.deleted = None);
            notices.push(notice("notice", fill(texts.deleted, &[("text", text)]), vec![undo, gone]));
        }
        if let Some(reason) = &told.journal {
            let sentence = fill(texts.not_journaled, &[("reason", reason)]);
            notices.push(notice("notice warn", sentence, vec![dismiss(&controller, &mode, |told| told.journal = None)]));
        }
        if notices.is_empty() {
            return super::element::nothing();
        }
        el("div").class("messages").part("messages").children(notices).view()
    })
}

fn notice(class: &'static str, sentence: String, actions: Vec<AnyView>) -> AnyView {
    el("div")
        .attr("class", class)
        .part("notice")
        .el(el("p").attr("dir", "auto").text(sentence))
        .el(el("div").class("actions").children(actions))
        .view()
}

fn dismiss(controller: &Controller, mode: &Mode, forget: fn(&mut Messages)) -> AnyView {
    let controller = controller.clone();
    button("button plain", mode.texts().dismiss, move |_| {
        controller.screen().messages.update(forget);
        controller.focus_on(".box, .row button");
    })
    .view()
}
