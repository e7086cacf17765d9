//! How far a run is: a bar with its numbers, the current step, and the count of each outcome.
//!
//! Only a new state and each quarter are announced to screen readers.

use checklist_shared::wire::workflow::{Outcome, Run, RunState};

use super::answer::{count, quarters};
use super::labels;
use super::state::RunPage;
use crate::kit::*;

/// The panel.
pub fn panel(page: RunPage) -> AnyView {
    let words = page.app.language.runs();
    let run = page.run;
    view! {
        <section class="card panel" aria-labelledby="run-progress-title">
            <div class="panel-head"><h2 class="panel-title" id="run-progress-title">{words.progress}</h2></div>
            <div class="panel-body">
                <div class="run-progress">
                    <progress
                        class="run-bar"
                        class:bad=move || run.with(|run| run.state == RunState::Failed)
                        aria-labelledby="run-progress-title"
                        max=move || run.with(|run| run.total.max(1))
                        value=move || run.with(|run| run.settled)
                    ></progress>
                    <p class="run-number">{move || run.with(|run| labels::progress(page.app, run))}</p>
                </div>
                {move || activity(page)}
                {outcomes(page)}
            </div>
            <p class="sr" role="status">{announcement(page)}</p>
        </section>
    }
    .into_any()
}

/// What the run does at the moment, or is waiting for.
fn activity(page: RunPage) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    let (state, is_dry_run) = page.run.with(|run| (run.state, run.dry_run));
    if let Some(waiting) = page.run.with(|run| run.waiting.clone()) {
        return labels::waiting(app, waiting);
    }
    let hint = match state {
        RunState::Queued => words.queued_hint,
        RunState::Completed if is_dry_run => words.dry_run_hint,
        RunState::Running => {
            let step = page.steps.with(|steps| steps.last().cloned());
            let step = step.filter(|step| step.ended_at.is_none());
            let step = step.map(|step| labels::step(app, "quiet", &step));
            return step.into_any();
        }
        _ => return ().into_any(),
    };
    view! { <p class="quiet">{hint}</p> }.into_any()
}

/// Each outcome with its count; pressing one lists its computers alone.
fn outcomes(page: RunPage) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    // A memo, so that the buttons keep the focus while the counts grow.
    let outcomes = Memo::new(move |_| {
        page.run.with(|run| {
            let all = Outcome::ALL.into_iter();
            all.filter(|outcome| count(&run.counts, *outcome) > 0)
                .collect::<Vec<_>>()
        })
    });
    let buttons = move || {
        let outcomes = outcomes.get();
        let is_dry_run = page.run.with_untracked(|run| run.dry_run);
        (!outcomes.is_empty()).then(|| {
            let each = outcomes.into_iter().map(|outcome| {
                let name = labels::outcome_name(app, outcome, is_dry_run);
                outcome_button(page, Some(outcome), name)
            });
            let all = outcome_button(page, None, words.show_all);
            view! {
                <div class="run-tally" role="group" aria-label=words.show>{all}{each.collect::<Vec<_>>()}</div>
            }
        })
    };
    buttons.into_any()
}

fn outcome_button(page: RunPage, outcome: Option<Outcome>, name: &'static str) -> AnyView {
    let class = match outcome {
        Some(Outcome::Failed) => "tally-choice bad",
        Some(Outcome::Ambiguous | Outcome::Skipped) => "tally-choice warm",
        _ => "tally-choice",
    };
    let number = move || {
        page.run.with(|run| match outcome {
            Some(outcome) => count(&run.counts, outcome),
            None => run.total,
        })
    };
    view! {
        <button
            type="button"
            class=class
            aria-pressed=move || (page.outcome.get() == outcome).to_string()
            on:click=move |_| page.outcome.set(outcome)
        >
            <strong>{number}</strong>" "<span>{name}</span>
        </button>
    }
    .into_any()
}

fn announcement(page: RunPage) -> impl Fn() -> String + Send + 'static {
    let app = page.app;
    let mark = move |run: &Run| {
        (
            labels::state_name(app, run),
            quarters(run.settled, run.total),
        )
    };
    let mark = Memo::new(move |_| page.run.with(mark));
    let first = mark.get_untracked();
    move || {
        if mark.get() == first {
            return String::new();
        }
        page.run.with_untracked(|run| {
            let (count, total) = (run.settled.to_string(), run.total.to_string());
            let values = [
                ("state", labels::state_name(app, run)),
                ("n", &count),
                ("total", &total),
            ];
            fill(app.language.runs().announcement, &values)
        })
    }
}
