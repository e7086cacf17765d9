//! A notice at a row: a conflict, or a change that was refused.
//!
//! Says who and when, shows what they have and what I typed, and lets the person choose. Called
//! by `row`; `control::sync` says the same sentence aloud.

use checklist_shared::ItemId;
use checklist_shared::item::Status;
use leptos::prelude::*;

use super::element::{button, el};
use super::meta::moment;
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::i18n::fill;
use crate::state::notice::{Deed, Notice, Typed};

/// The sentence of a notice.
#[must_use]
pub fn sentence(notice: &Notice, mode: &Mode) -> String {
    let texts = mode.texts();
    match notice {
        Notice::StatusTaken(status, deed) => {
            let text = match status {
                Status::Done => texts.done_by_other,
                Status::NotApplicable => texts.not_applicable_by_other,
                Status::Open => texts.opened_by_other,
            };
            deed_sentence(text, deed, mode)
        }
        Notice::WordingChanged => texts.wording_conflict.to_owned(),
        Notice::TextTaken { deed, .. } => deed_sentence(texts.text_conflict, deed, mode),
        Notice::FieldTaken(deed, _) => deed_sentence(texts.changed_by_other, deed, mode),
        Notice::Refused(refusal, _) => refusal.sentence(texts),
    }
}

fn deed_sentence(text: &str, deed: &Deed, mode: &Mode) -> String {
    let who = deed.who.as_deref().filter(|who| !who.is_empty()).unwrap_or(mode.texts().somebody);
    let when = deed.at.map(|at| moment(at, mode)).unwrap_or_default();
    fill(text, &[("who", who), ("when", &when)])
}

/// The notice with what can be done about it.
#[must_use]
pub fn view(controller: &Controller, id: ItemId, notice: &Notice, mode: &Mode) -> AnyView {
    let texts = mode.texts();
    let said = el("p").attr("dir", "auto").el(el("strong").text(sentence(notice, mode)));
    let quoted = |text: &'static str, what: &str| el("p").attr("dir", "auto").text(fill(text, &[("text", what)])).view();
    let dismissing = controller.clone();
    let dismiss = move |label: &'static str, class: &'static str| {
        let controller = dismissing.clone();
        button(class, label, move |_| controller.dismiss(id)).view()
    };
    let mut lines = vec![said.view()];
    let mut actions = Vec::new();
    let mut class = "notice warn";
    match notice {
        Notice::TextTaken { mine, theirs, .. } => {
            lines.push(quoted(texts.quoted, theirs));
            lines.push(quoted(texts.yours, mine));
            actions.push(dismiss(texts.take_theirs, "button"));
            let (keeping, mine) = (controller.clone(), mine.clone());
            actions.push(button("button", texts.keep_mine, move |_| keeping.keep_mine(id, &mine)).view());
        }
        Notice::Refused(_, typed) | Notice::FieldTaken(_, typed) => {
            if matches!(notice, Notice::Refused(..)) {
                class = "notice danger";
            }
            if let Some(Typed::Text(text) | Typed::Reason(text)) = typed {
                lines.push(quoted(texts.yours, text));
            }
            if typed.is_some() {
                let again = controller.clone();
                actions.push(button("button", texts.edit_again, move |_| again.edit_again(id)).view());
            }
            actions.push(dismiss(texts.dismiss, "button plain"));
        }
        Notice::StatusTaken(..) | Notice::WordingChanged => actions.push(dismiss(texts.dismiss, "button plain")),
    }
    el("div")
        .attr("class", class)
        .part("notice")
        .children(lines)
        .el(el("div").class("actions").children(actions))
        .view()
}
