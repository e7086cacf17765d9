//! Pasted lines: shows what would be added, and asks once, in place.
//!
//! Handles paste in the field for a new item and on rows, never in other fields, which handle it
//! themselves. A single line is pasted by the browser.

use checklist_shared::item::Kind;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::at::{ViewContext, nothing};
use super::button::Button;
use super::keyboard::is_field;
use super::late::{late, views};
use crate::browser;
use crate::effects::Controller;
use crate::i18n::plural;
use crate::model::message::UserAction;
use crate::model::pasting::{LineKind, parse, question};

/// Lines that are shown; those beyond are counted.
const SHOWN: usize = 6;

/// The question; nothing while nothing was pasted.
#[component]
pub fn PastedLines(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(|at| {
        at.follow_card();
        if at.card(|card| card.pasted.is_none()) {
            return nothing();
        }
        late(|views| (views.pasted)(at))
    })
}

/// Whether a text is several lines, and asked about.
pub(super) fn is_lines(text: &str) -> bool {
    parse(text, false).len() >= 2
}

/// Shows the pasted lines and asks for a confirmation.
pub(super) fn pasted_lines(at: ViewContext) -> AnyView {
    let Some(pasted) = at.card(|card| card.pasted.clone()) else {
        return nothing();
    };
    let words = at.mode().words;
    let texts = words.texts;
    let title = at.controller.dom_id("pasted");
    let named = title.clone();
    let lines = pasted.lines.iter().take(SHOWN).map(|line| {
        let inside = line.place == LineKind::Inside;
        let class = if inside {
            "pasted-line inside"
        } else {
            "pasted-line"
        };
        view! { <li class=class><bdi>{line.text.clone()}</bdi></li> }.into_any()
    });
    let lines: Vec<_> = lines.collect();
    let more = pasted.lines.len().saturating_sub(SHOWN);
    let more = (more > 0).then(|| {
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let more = plural(words, texts.paste_more(), more, &[]);
        view! { <p class="hint">{more}</p> }.into_any()
    });
    let can_add = pasted.problem.is_empty();
    let problem = (!can_add)
        .then(|| view! { <p class="hint danger">{pasted.problem.clone()}</p> }.into_any());
    let add = can_add.then(|| {
        let act: fn(ViewContext, &Event) = |at, _| at.controller.add_pasted();
        view! { <Button class="button primary" label=texts.add() at act /> }.into_any()
    });
    view! {
        <div
            class="pasted"
            part="pasted"
            role="group"
            aria-labelledby=named
            on:keydown=at.on(on_key)
        >
            <p class="pasted-title" id=title>
                {question(&pasted, words)}
            </p>
            <ul class="pasted-list">{lines}</ul>
            {more}
            {problem}
            <div class="actions">
                {add}
                <Button
                    class="button"
                    label=texts.paste_as_one()
                    at
                    act=|at, _| at.controller.does(UserAction::PasteAsOne)
                />
                <Button
                    class="button plain"
                    label=texts.cancel()
                    at
                    act=|at, _| at.controller.does(UserAction::DropPaste)
                />
            </div>
        </div>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    if key.as_deref() == Some("Escape") {
        event.prevent_default();
        event.stop_propagation();
        at.controller.does(UserAction::DropPaste);
    }
}

/// Asks about lines that are pasted where items can be added.
pub fn on_paste(controller: Controller, event: &Event) {
    let Some(origin) = browser::origin(event).filter(|_| controller.mode().add) else {
        return;
    };
    let is_new = origin.closest(".add").ok().flatten().is_some();
    if event.default_prevented() || (is_field(&origin) && !is_new) {
        return;
    }
    let text = browser::pasted_text(event);
    // Whoever is faster than the code that reads them is asked about them as soon as it is here.
    let is_asked = views().map_or_else(
        || text.trim().contains('\n'),
        |views| (views.is_lines)(&text),
    );
    if !is_asked {
        return;
    }
    let section = if is_new {
        controller.card(|card| card.adding.flatten())
    } else {
        let item = controller
            .row_of_event(event)
            .and_then(|id| controller.item(id));
        item.and_then(|item| match item.kind {
            Kind::Section => Some(item.id),
            _ => item.parent_id,
        })
    };
    event.prevent_default();
    controller.does(UserAction::Paste(text, section));
}
