//! A notice at a row: a conflict, or a change that was refused.
//!
//! Says who and when, shows what they have and what I typed, and lets the person choose. Called
//! by `row`; `control::sync` says the same sentence aloud.

use checklist_shared::item::Status;

use super::at::At;
use super::element::{El, button, el};
use super::meta::moment;
use crate::control::mode::Mode;
use crate::i18n::fill;
use crate::state::notice::{Deed, Notice, Typed};

/// The sentence of a notice.
#[must_use]
pub fn sentence(notice: &Notice, mode: Mode) -> String {
    let texts = mode.texts();
    match notice {
        Notice::StatusTaken(status, deed) => {
            let text = match status {
                Status::Done => texts.done_by_other(),
                Status::NotApplicable => texts.not_applicable_by_other(),
                Status::Open => texts.opened_by_other(),
            };
            deed_sentence(text, deed, mode)
        }
        Notice::WordingChanged(deed) => deed_sentence(texts.wording_conflict(), deed, mode),
        Notice::TextTaken { deed, .. } => deed_sentence(texts.text_conflict(), deed, mode),
        Notice::FieldTaken(deed, _) => deed_sentence(texts.changed_by_other(), deed, mode),
        Notice::Refused(refusal, _) => refusal.sentence(texts),
    }
}

fn deed_sentence(text: &str, deed: &Deed, mode: Mode) -> String {
    let who = deed
        .who
        .as_deref()
        .filter(|who| !who.is_empty())
        .unwrap_or(mode.texts().somebody());
    let when = deed.at.map(|at| moment(at, mode)).unwrap_or_default();
    fill(text, &[("who", who), ("when", &when)])
}

/// The notice with what can be done about it.
#[must_use]
pub fn view(at: At, notice: &Notice) -> El {
    let texts = at.texts();
    let class = if matches!(notice, Notice::Refused(..)) {
        "notice danger"
    } else {
        "notice warn"
    };
    let mut view = el("div|part=notice")
        .class(class)
        .el(el("p").el(el("strong").text(sentence(notice, at.mode))));
    let mut actions = el("div|class=actions");
    if let Notice::TextTaken { mine, theirs, .. } = notice {
        view = view
            .el(quoted(texts.quoted(), theirs))
            .el(quoted(texts.yours(), mine));
        let keep = button("button", texts.keep_mine(), at, |at, _| {
            at.act(|controller, id| controller.keep_mine(id))
        });
        actions = actions
            .el(dismiss("button", texts.take_theirs(), at))
            .el(keep);
    } else {
        if let Some(Typed::Text(text) | Typed::Reason(text)) = notice.typed() {
            view = view.el(quoted(texts.yours(), text));
        }
        if notice.typed().is_some() {
            actions = actions.el(button("button", texts.edit_again(), at, |at, _| {
                at.act(|controller, id| controller.edit_again(id))
            }));
        }
        actions = actions.el(dismiss("button plain", texts.dismiss(), at));
    }
    view.el(actions)
}

fn quoted(text: &'static str, what: &str) -> El {
    el("p").text(fill(text, &[("text", what)]))
}

fn dismiss(class: &'static str, label: &'static str, at: At) -> El {
    button(class, label, at, |at, _| {
        at.act(|controller, id| controller.dismiss(id))
    })
}
