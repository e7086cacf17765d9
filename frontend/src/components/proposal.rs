//! What somebody proposes for a row, with its evidence: to accept or decline while it is open, and
//! beside the status that it led to afterwards. Where it takes a second person, that is what the first one
//! has done: another one confirms it or sends it back, and the first one may take it back.
//!
//! Nothing of it is fetched: the address of the evidence is a link if it is one of the web, else text.

use checklist_shared::change::allowed::{may_confirm, may_set_status};
use checklist_shared::item::Item;
use checklist_shared::proposal::{Decision, Evidence, is_web_address};
use leptos::prelude::*;

use super::at::{ViewContext, nothing};
use super::button::action;
use super::meta;
use crate::i18n::actor::name_of;
use crate::i18n::fill;
use crate::model::answer::answer_text;
use crate::model::message::UserAction;

/// The proposal of the row.
pub(super) fn proposal(at: ViewContext, item: &Item) -> AnyView {
    let Some(proposal) = &item.proposal else {
        return nothing();
    };
    let is_own = proposal.accepted && item.status_by.as_deref() == Some(&proposal.by);
    // The row says what was answered.
    if is_own && proposal.evidence.is_none() {
        return nothing();
    }
    let texts = at.texts();
    let who = name_of(&proposal.by, texts);
    let status = meta::word(proposal.status, at.mode());
    let text = if item.second_person {
        texts.first_person()
    } else if proposal.accepted {
        texts.proposed()
    } else {
        texts.proposes()
    };
    let sentence = if is_own {
        texts.evidence().to_owned()
    } else {
        fill(text, &[("who", &who), ("status", status)])
    };
    let (may_decide, may_confirm) = at.controller.with_state(|state| {
        let may = may_set_status(item, &state.me, state.meta.permissions);
        (may, may_confirm(&proposal.by, &state.me))
    });
    let may_decide = may_decide && !proposal.accepted && at.mode().check;
    let (accept, decline) = match (item.second_person, may_confirm) {
        (false, _) => (Some(texts.accept()), texts.decline()),
        (true, true) => (Some(texts.confirm()), texts.send_back()),
        (true, false) => (None, texts.take_back()),
    };
    let actions = may_decide.then(|| {
        let accept = accept.map(|label| {
            action(at, "button", label, |at, _| {
                at.does(|id| UserAction::Decide(id, Decision::Accept));
            })
        });
        let decline = action(at, "button plain", decline, |at, _| {
            at.does(|id| UserAction::Decide(id, Decision::Decline));
        });
        view! { <div class="actions">{accept} {decline}</div> }.into_any()
    });
    // With "not applicable" the row has it as the item's reason.
    let is_repeated = proposal.accepted && item.reason == proposal.reason;
    let reason = proposal.reason.clone().filter(|_| !is_repeated);
    let reason = reason.map(|reason| view! { <p dir="auto">{reason}</p> }.into_any());
    let answer = proposal.answer.as_ref().filter(|_| !proposal.accepted);
    let answer = answer.map(|answer| {
        let answer = answer_text(answer, at.mode().words);
        let line = fill(texts.answered(), &[("answer", &answer)]);
        view! { <p><bdi>{line}</bdi></p> }.into_any()
    });
    let name = sentence.clone();
    view! {
        <div class="notice proposal" part="proposal" role="group" aria-label=name>
            <p>
                <strong>
                    <bdi>{sentence}</bdi>
                </strong>
            </p>
            {answer}
            {reason}
            {proposal.evidence.as_ref().map(evidence)}
            {actions}
        </div>
    }
    .into_any()
}

/// A link to what supports a status, or its address where it is none of the web.
pub(crate) fn evidence(evidence: &Evidence) -> AnyView {
    let Evidence { name, url, .. } = evidence.clone();
    if is_web_address(&url) {
        view! {
            <p>
                <a href=url target="_blank" rel="noopener noreferrer" dir="auto">
                    {name}
                </a>
            </p>
        }
        .into_any()
    } else {
        view! { <p dir="auto">{name} " " <bdi>{url}</bdi></p> }.into_any()
    }
}
