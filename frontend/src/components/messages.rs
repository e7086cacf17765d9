//! What a person is told about the list as a whole: deleted, refused, not in the journal.
//!
//! Each stays until it is dismissed or acted upon; nothing here runs against a clock. Called by
//! `control::view`.

use leptos::prelude::*;

use super::at::At;
use super::element::{El, button, el, live, nothing};
use crate::i18n::fill;

/// All messages, what needs something done first.
#[must_use]
pub fn messages(at: At) -> AnyView {
    live(at, |at| {
        let texts = at.texts();
        let told = at.screen().messages.get();
        let mut notices = Vec::new();
        if told.sign_in {
            let again = button("button", texts.try_again, at, |at, _| {
                at.controller.resume()
            });
            notices.push(notice(
                "notice danger",
                texts.error_sign_in.to_owned(),
                vec![again.view()],
            ));
        }
        if let Some(refusal) = &told.refused {
            let gone = dismiss(at, |at| {
                at.screen().messages.update(|told| told.refused = None)
            });
            notices.push(notice(
                "notice danger",
                refusal.sentence(texts),
                vec![gone.view()],
            ));
        }
        if let Some((text, _)) = &told.deleted {
            let undo = button("button", texts.undo, at, |at, _| undo_deletion(at));
            let gone = dismiss(at, |at| {
                at.screen().messages.update(|told| told.deleted = None)
            });
            notices.push(notice(
                "notice",
                fill(texts.deleted, &[("text", text)]),
                vec![undo.view(), gone.view()],
            ));
        }
        if let Some(reason) = &told.journal {
            let sentence = fill(texts.not_journaled, &[("reason", reason)]);
            let gone = dismiss(at, |at| {
                at.screen().messages.update(|told| told.journal = None)
            });
            notices.push(notice("notice warn", sentence, vec![gone.view()]));
        }
        if notices.is_empty() {
            return nothing();
        }
        el("div")
            .class("messages")
            .part("messages")
            .children(notices)
            .view()
    })
}

fn undo_deletion(at: At) {
    let deleted = at
        .screen()
        .messages
        .with_untracked(|told| told.deleted.clone());
    if let Some((_, operation)) = deleted {
        at.controller.undo_operation(&operation);
        // The offer goes with its button; the focus needs another place.
        at.controller.focus_on(".undo");
    }
}

fn notice(class: &'static str, sentence: String, actions: Vec<AnyView>) -> AnyView {
    el("div")
        .class(class)
        .part("notice")
        .el(el("p").attr("dir", "auto").text(sentence))
        .el(el("div").class("actions").children(actions))
        .view()
}

fn dismiss(at: At, forget: fn(At)) -> El {
    button(
        "button plain",
        at.texts().dismiss,
        (at, forget),
        |(at, forget), _| {
            forget(at);
            at.controller.focus_on(".box, .row button");
        },
    )
}
