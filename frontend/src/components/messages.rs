//! What a person is told about the list as a whole: deleted, refused, not in the journal.
//!
//! Each stays until it is dismissed or acted upon; nothing here runs against a clock. Called by
//! `control::view`.

use super::at::At;
use super::element::{El, View, button, el, nothing};
use crate::control::screen::Messages;
use crate::i18n::fill;

/// All messages, what needs something done first.
#[must_use]
pub fn messages(at: At, told: &Messages) -> View {
    let texts = at.texts();
    let mut notices = Vec::new();
    if told.sign_in {
        let again = button("button", texts.try_again(), at, |at, _| {
            at.controller.resume()
        });
        let actions = el("div|class=actions").el(again);
        notices.push(notice(
            "notice danger",
            texts.error_sign_in().to_owned(),
            actions,
        ));
    }
    if let Some(refusal) = &told.refused {
        let actions = el("div|class=actions").el(dismiss(at.number(REFUSED)));
        notices.push(notice("notice danger", refusal.sentence(texts), actions));
    }
    if let Some((text, _)) = &told.deleted {
        let undo = button("button", texts.undo(), at, |at, _| undo_deletion(at));
        let actions = el("div|class=actions")
            .el(undo)
            .el(dismiss(at.number(DELETED)));
        let sentence = fill(texts.deleted(), &[("text", text)]);
        notices.push(notice("notice", sentence, actions));
    }
    if let Some(reason) = &told.journal {
        let actions = el("div|class=actions").el(dismiss(at.number(JOURNAL)));
        let sentence = fill(texts.not_journaled(), &[("reason", reason)]);
        notices.push(notice("notice warn", sentence, actions));
    }
    if notices.is_empty() {
        return nothing();
    }
    el("div|messages").children(notices).view()
}

/// Which message is meant.
const REFUSED: u32 = 0;
const DELETED: u32 = 1;
const JOURNAL: u32 = 2;

fn undo_deletion(at: At) {
    let deleted = at.face(|face| face.messages.deleted.clone());
    if let Some((_, operation)) = deleted {
        at.controller.undo_operation(&operation);
        // The offer goes with its button; the focus needs another place.
        at.controller.focus_on(".undo");
    }
}

fn notice(class: &'static str, sentence: String, actions: El) -> View {
    el("div|part=notice")
        .class(class)
        .el(el("p").text(sentence))
        .el(actions)
        .view()
}

fn dismiss(at: At) -> El {
    button("button plain", at.texts().dismiss(), at, |at, _| {
        at.show(|face| {
            let told = &mut face.messages;
            match at.number {
                REFUSED => told.refused = None,
                DELETED => told.deleted = None,
                _ => told.journal = None,
            }
        });
        at.controller.focus_on(".box, .row button");
    })
}
