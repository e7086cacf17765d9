//! A notice at a row: a conflict, or a rejected change.
//!
//! It says who and when, shows both versions, and lets the person choose.

use leptos::prelude::*;
use web_sys::Event;

use super::at::ViewContext;
use super::button::action;
use crate::i18n::fill;
use crate::model::message::UserAction;
use crate::model::notice::{Notice, TypedText};
use crate::wording::sentence;

/// The notice with what can be done about it.
pub(super) fn notice(at: ViewContext, notice: Notice) -> AnyView {
    let texts = at.texts();
    let class = if matches!(notice, Notice::Refused(..)) {
        "notice danger"
    } else {
        "notice warn"
    };
    let mut quotes = Vec::new();
    let mut actions = Vec::new();
    if let Notice::TextTaken { mine, theirs, .. } = &notice {
        quotes.push(quoted_paragraph(texts.quoted(), theirs));
        quotes.push(quoted_paragraph(texts.yours(), mine));
        actions.push(action(at, "button", texts.take_theirs(), dismiss));
        actions.push(action(at, "button", texts.keep_mine(), |at, _| {
            at.does(UserAction::KeepMine);
        }));
    } else {
        if let Some(TypedText::Text(text) | TypedText::Reason(text, _)) = notice.typed_text() {
            quotes.push(quoted_paragraph(texts.yours(), text));
        }
        if notice.typed_text().is_some() {
            actions.push(action(at, "button", texts.edit_again(), |at, _| {
                at.does(UserAction::EditAgain);
            }));
        }
        actions.push(action(at, "button plain", texts.dismiss(), dismiss));
    }
    let sentence = sentence(&notice, at.mode());
    view! {
        <div class=class part="notice">
            <p>
                <strong>{sentence}</strong>
            </p>
            {quotes}
            <div class="actions">{actions}</div>
        </div>
    }
    .into_any()
}

fn quoted_paragraph(text: &'static str, what: &str) -> AnyView {
    let sentence = fill(text, &[("text", what)]);
    view! { <p>{sentence}</p> }.into_any()
}

fn dismiss(at: ViewContext, _: &Event) {
    at.does(UserAction::Dismiss);
}
