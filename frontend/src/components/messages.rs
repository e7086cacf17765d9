//! Messages about the list as a whole: deleted, rejected, not in the journal.
//!
//! Each remains until it is dismissed or acted upon; there are no timeouts.

use leptos::prelude::*;

use super::at::{ViewContext, nothing};
use super::button::action;
use super::late::late;
use crate::i18n::{fill, plural};
use crate::model::message::UserAction;

/// All messages, what needs something done first.
#[component]
pub fn Messages(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(|at| {
        at.follow_card();
        if at.card(|card| card.messages == Default::default()) {
            return nothing();
        }
        late(|views| (views.messages)(at))
    })
}

pub(super) fn messages(at: ViewContext) -> AnyView {
    let messages = at.card(|card| card.messages.clone());
    let texts = at.texts();
    let mut notices = Vec::new();
    if messages.sign_in {
        let sentence = texts.error_sign_in().to_owned();
        let again = action(at, "button", texts.try_again(), |at, _| {
            at.controller.does(UserAction::TryAgain);
        });
        notices.push(notice("notice danger", sentence, vec![again]));
    }
    if let Some(refusal) = &messages.refused {
        let sentence = refusal.sentence(texts);
        let actions = vec![dismiss(at.number(REFUSED))];
        notices.push(notice("notice danger", sentence, actions));
    }
    if let Some(left) = &messages.left_out {
        let actions = vec![dismiss(at.number(LEFT_OUT))];
        notices.push(notice(
            "notice warn",
            left.sentence(at.mode().words),
            actions,
        ));
    }
    if let Some((gone, _)) = &messages.deleted {
        let sentence = match gone.as_slice() {
            [text] => fill(texts.deleted(), &[("text", text)]),
            gone => {
                let count = u32::try_from(gone.len()).unwrap_or(u32::MAX);
                plural(at.mode().words, texts.many_deleted(), count, &[])
            }
        };
        let undo = action(at, "button", texts.undo(), |at, _| undo_deletion(at));
        notices.push(notice(
            "notice",
            sentence,
            vec![undo, dismiss(at.number(DELETED))],
        ));
    }
    if let Some(reason) = &messages.journal {
        let sentence = fill(texts.not_journaled(), &[("reason", reason)]);
        let (reason, dismiss) = (reason.clone(), dismiss(at.number(JOURNAL)));
        let journal = view! {
            <div class="notice warn" part="notice">
                <p title=reason>{sentence}</p>
                <div class="actions">{dismiss}</div>
            </div>
        };
        notices.push(journal.into_any());
    }
    if notices.is_empty() {
        return nothing();
    }
    view! { <div class="messages" part="messages">{notices}</div> }.into_any()
}

/// `At::number` of a message.
const REFUSED: u32 = 0;
const DELETED: u32 = 1;
const JOURNAL: u32 = 2;
const LEFT_OUT: u32 = 3;

fn undo_deletion(at: ViewContext) {
    let deleted = at.card(|card| card.messages.deleted.clone());
    if let Some((_, operation)) = deleted {
        at.controller.does(UserAction::Undo(Some(operation)));
        // The offer goes with its button; the focus needs another place.
        at.controller.focus_on(".undo");
    }
}

fn notice(class: &'static str, sentence: String, actions: Vec<AnyView>) -> AnyView {
    view! {
        <div class=class part="notice">
            <p>{sentence}</p>
            <div class="actions">{actions}</div>
        </div>
    }
    .into_any()
}

fn dismiss(at: ViewContext) -> AnyView {
    action(at, "button plain", at.texts().dismiss(), |at, _| {
        at.show(|card| {
            let messages = &mut card.messages;
            match at.number {
                REFUSED => messages.refused = None,
                DELETED => messages.deleted = None,
                LEFT_OUT => messages.left_out = None,
                _ => messages.journal = None,
            }
        });
        at.controller.focus_on(".box, .row button");
    })
}
