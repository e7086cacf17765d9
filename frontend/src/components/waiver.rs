//! The waiver of a list: who let it pass and why, and the form that grants or revokes one.
//!
//! What the head says is drawn at once, also by a server; the form comes with the lazy chunk. What is
//! typed is noted without drawing, like in the forms of rows.

use checklist_shared::checklist::ListMark;
use checklist_shared::progress::State;
use leptos::prelude::*;
use web_sys::Event;

use super::at::{ViewContext, nothing};
use super::button::Button;
use super::field::{Field, FormKey, Input, form_key, input_value};
use super::late::late;
use crate::i18n::actor::name_of;
use crate::i18n::fill;
use crate::model::message::UserAction;
use crate::screen::WaiverForm;
use crate::wording::moment;

/// The strip that says who waived the list and why, with a button that revokes it.
pub(super) fn strip(at: ViewContext, waiver: &ListMark) -> AnyView {
    let texts = at.texts();
    let (who, when) = (name_of(&waiver.by, texts), moment(waiver.at, at.mode()));
    let sentence = fill(texts.waived_by(), &[("who", &who), ("when", &when)]);
    let reason = waiver.reason.clone();
    let reason = reason.map(|reason| view! { <p dir="auto">{reason}</p> }.into_any());
    let revoke = at.mode().waive.then(|| opener_or_form(at.number(REVOKE)));
    view! {
        <div class="strip waived" part="strip">
            <div class="strip-text">
                <p>
                    <bdi>{sentence}</bdi>
                </p>
                {reason}
            </div>
            {revoke}
        </div>
    }
    .into_any()
}

/// The button that waives what is open, or its form.
#[component]
pub fn Waive(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(waive)
}

fn waive(at: ViewContext) -> AnyView {
    at.follow_card();
    let can_waive = at.card(|card| {
        let strip = &card.strip;
        card.summary.state == State::Open && strip.waived.is_none() && !strip.draft
    });
    if !can_waive || !at.mode().waive {
        return nothing();
    }
    let content = opener_or_form(at.number(WAIVE));
    view! {
        <div class="waive" part="waive">
            {content}
        </div>
    }
    .into_any()
}

/// `At::number` of a button and its form.
const WAIVE: u32 = 0;
const REVOKE: u32 = 1;

fn opener_or_form(at: ViewContext) -> AnyView {
    let form = at.card(|card| card.waiving.clone());
    if let Some(form) = form.filter(|form| form.revokes == (at.number == REVOKE)) {
        return late(|views| (views.waiver)(at, form));
    }
    let label = if at.number == REVOKE {
        at.texts().revoke_waiver()
    } else {
        at.texts().waive()
    };
    view! { <Button class="button plain waive-button" label at act=|at, _| open(at) /> }.into_any()
}

fn open(at: ViewContext) {
    at.controller.press(Box::new(move || {
        let form = WaiverForm {
            revokes: at.number == REVOKE,
            ..WaiverForm::default()
        };
        at.show(|card| card.waiving = Some(form));
        at.controller.focus_on(FIELD);
    }));
}

/// The field that takes the focus.
const FIELD: &str = ".waiver-form input";

/// The form that asks for the reason.
pub(super) fn form(at: ViewContext, form: WaiverForm) -> AnyView {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.note);
    let (name, label) = if form.revokes {
        (texts.revoke_waiver(), texts.revoke_now())
    } else {
        (texts.waive(), texts.waive_now())
    };
    let hint = form
        .is_missing
        .then(|| at.controller.dom_id("waiver-missing"));
    let complaint = hint.clone().map(|id| {
        view! { <p class="hint danger" id=id>{texts.waiver_reason_needed()}</p> }.into_any()
    });
    view! {
        <div class="editor waiver-form" role="group" aria-label=name on:keydown=at.on(on_key)>
            <Field label=texts.waiver_reason().to_owned()>
                <Input text=form.reason on_input=at.on(note) limit described_by=hint />
            </Field>
            {complaint}
            <div class="actions">
                <Button class="button primary" label at act=|at, _| save(at) />
                <Button
                    class="button plain"
                    label=texts.cancel()
                    at
                    act=|at, _| close(at)
                />
            </div>
        </div>
    }
    .into_any()
}

fn note(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    at.controller.note(|card| {
        if let Some(form) = &mut card.waiving {
            form.reason = typed;
        }
    });
}

fn on_key(at: ViewContext, event: &Event) {
    match form_key(event) {
        Some(FormKey::Save) => save(at),
        Some(FormKey::Leave) => close(at),
        None => return,
    }
    event.prevent_default();
    // A dialog around the list stays.
    event.stop_propagation();
}

fn save(at: ViewContext) {
    let Some(mut form) = at.card(|card| card.waiving.clone()) else {
        return;
    };
    if form.reason.trim().is_empty() {
        form.is_missing = true;
        at.show(|card| card.waiving = Some(form));
        at.controller.focus_on(FIELD);
    } else {
        at.controller
            .does(UserAction::Waive(form.reason, form.revokes));
    }
}

fn close(at: ViewContext) {
    at.show(|card| card.waiving = None);
    at.controller.focus_on(".waive-button");
}
