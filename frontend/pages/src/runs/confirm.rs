//! What waits for a person: adoptions and deletes to confirm, and computers that could be several
//! entries.
//!
//! What will happen stands there in words before the button is pressed, and the button says it too.

mod choices;
mod entry;
mod will;
mod writes;

use checklist_shared::wire::workflow::{Confirmation, Outcome, RunAnswer, RunComputer, RunState};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::answer::{Answer, InMind};
use super::page::Page;
use super::{actions, call};
use crate::api;
use crate::element::{button, el, live, nothing};
use crate::parts::panel::head as panel_head;
use crate::wording::Wording;

/// The most computers of one answer.
const MOST: u32 = 1_000;

/// What is asked, and of which revision of the run.
type Asked = Option<(bool, u64)>;

/// Reads who waits whenever the run begins to wait, or has ended with something ambiguous.
pub fn keep_up(page: Page) {
    let asked = Memo::new(move |_| {
        page.run.with(|run| -> Asked {
            let waits = run.state == RunState::AwaitingConfirmation;
            let open = run.state.is_final() && run.counts.ambiguous > 0;
            (waits || open).then_some((waits, run.revision))
        })
    });
    Effect::new(move |_| match asked.get() {
        Some((waits, revision)) => spawn_local(read(page, waits, revision)),
        None => page.waiting.set(Vec::new()),
    });
    // Whoever is asked for something else by now has ticked nothing of that yet.
    let confirmation = Memo::new(move |_| page.run.with(|run| run.confirmation));
    Effect::new(move |_| {
        confirmation.with(|_| ());
        let choices = page.answer.with_untracked(|answer| answer.choices.clone());
        page.answer.set(Answer {
            choices,
            ..Answer::default()
        });
    });
}

async fn read(page: Page, waits: bool, revision: u64) {
    let only = if waits {
        String::new()
    } else {
        format!("&Outcome={}", Outcome::Ambiguous.name())
    };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let mut query = format!("?Limit={MOST}{only}");
        if let Some(after) = after {
            query.push_str(&format!("&After={after}"));
        }
        let Some(path) = page.id.try_with_value(|id| call(id, &query)) else {
            return; // the page was left
        };
        let Ok(answer) = api::get::<RunAnswer>(page.app, &path).await else {
            return;
        };
        if page.run.try_with_untracked(|run| run.revision) != Some(revision) {
            return;
        }
        let needed = answer.computers.into_iter().filter(|one| {
            one.outcome == Some(Outcome::Ambiguous)
                || (one.outcome.is_none() && one.planned.is_some())
        });
        found.extend(needed);
        after = answer.next;
        if after.is_none() {
            break;
        }
    }
    page.answer.update(|answer| {
        answer.choices.retain(|id, _| {
            found
                .iter()
                .any(|one| one.computer_id == *id && one.outcome.is_some())
        });
    });
    page.waiting.set(found);
}

/// The panel; nothing where nobody is asked.
pub fn panel(page: Page) -> AnyView {
    let words = page.app.language.runs();
    let asked = Memo::new(move |_| {
        page.run.with(|run| {
            let waits = run.state == RunState::AwaitingConfirmation;
            (waits, run.state.is_final(), run.confirmation)
        })
    });
    live(move || {
        let (waits, is_final, confirmation) = asked.get();
        let waiting = page.waiting.get();
        let open: Vec<RunComputer> = waiting
            .iter()
            .filter(|one| one.outcome == Some(Outcome::Ambiguous) && !one.candidates.is_empty())
            .cloned()
            .collect();
        if !(waits || is_final && !open.is_empty()) {
            return nothing();
        }
        let title = if waits {
            words.confirm
        } else {
            words.ambiguous
        };
        let asked = confirmation.unwrap_or_default();
        let mind = InMind::of(&waiting);
        el("section")
            .class("card panel run-asks")
            .attr("aria-labelledby", "run-asks-title")
            .el(panel_head("run-asks-title", title))
            .el(el("div")
                .class("panel-body")
                .maybe(waits.then(|| writes::writes(page, asked, &waiting)))
                .maybe((!open.is_empty()).then(|| choices::choices(page, open, waits)))
                .child(live(move || {
                    page.answer
                        .with(|answer| will::summary(page, answer, confirmation, mind))
                }))
                .el(el("div").class("buttons").live(move || {
                    let label = page
                        .answer
                        .with(|answer| will::label(page, answer, confirmation));
                    match label {
                        Some(label) => button("button primary", label, move || {
                            send(page, confirmation);
                        })
                        .follow("aria-disabled", move || {
                            page.busy.get().then(|| "true".to_owned())
                        })
                        .view(),
                        None => nothing(),
                    }
                })))
            .view()
    })
}

fn send(page: Page, asked: Option<Confirmation>) {
    let wish = page.answer.with_untracked(|answer| answer.wish(asked));
    let done = page.app.language.runs().confirmed;
    actions::send(page, "/Confirm", wish, done);
}
