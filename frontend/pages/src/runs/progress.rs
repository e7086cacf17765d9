//! How far a run is: a bar with its number, what it does now, and each outcome with its count.
//!
//! What is heard is less than what is seen: the state when it changes, and each quarter.

use checklist_shared::wire::workflow::{Outcome, Run, RunState};
use leptos::prelude::*;

use super::answer::{count, quarters};
use super::page::Page;
use super::told;
use crate::element::{El, el, live, nothing};
use crate::parts::panel::head as panel_head;
use crate::wording::{Wording, fill};

/// The panel.
pub fn panel(page: Page) -> El {
    let words = page.app.language.runs();
    let bar = el("progress")
        .class("run-bar")
        .attr("aria-labelledby", "run-progress-title")
        .follow("max", move || {
            page.run.with(|run| Some(run.total.max(1).to_string()))
        })
        .follow("value", move || {
            page.run.with(|run| Some(run.settled.to_string()))
        });
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "run-progress-title")
        .el(panel_head("run-progress-title", words.progress))
        .el(el("div")
            .class("panel-body")
            .el(el("div").class("run-progress").el(bar).el(el("p")
                .class("run-number")
                .follow_text(move || page.run.with(|run| number(page, run)))))
            .live(move || doing(page))
            .child(tally(page)))
        .el(el("p")
            .class("sr")
            .attr("role", "status")
            .follow_text(heard(page)))
}

fn number(page: Page, run: &Run) -> String {
    let words = page.app.language.runs();
    let (n, total) = (run.settled.to_string(), run.total.to_string());
    match (run.settled == run.total, run.total) {
        (true, 1) => words.one_settled.to_owned(),
        (true, _) => fill(words.all_settled, &[("total", &total)]),
        _ => fill(words.settled, &[("n", &n), ("total", &total)]),
    }
}

/// What it does now.
fn doing(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    let (state, dry_run) = page.run.with(|run| (run.state, run.dry_run));
    if let Some(waiting) = page.run.with(|run| run.waiting.clone()) {
        return told::waiting(app, &waiting).view();
    }
    match state {
        RunState::Queued => el("p").class("quiet").text(words.queued_hint).view(),
        RunState::Running => {
            let last = page.steps.with(|steps| {
                let last = steps.last().filter(|step| step.ended_at.is_none());
                last.map(|step| told::step(app, step))
            });
            last.map_or_else(nothing, |step| step.class("quiet").view())
        }
        RunState::Completed if dry_run => el("p").class("quiet").text(words.dry_run_hint).view(),
        _ => nothing(),
    }
}

/// Each outcome with its count; pressing one shows its computers alone.
fn tally(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    // Drawn anew when an outcome comes up, not when its count grows: the focus stays.
    let found = Memo::new(move |_| {
        page.run.with(|run| {
            let found = Outcome::ALL.into_iter();
            found
                .filter(|outcome| count(&run.counts, *outcome) > 0)
                .collect::<Vec<_>>()
        })
    });
    live(move || {
        let found = found.get();
        if found.is_empty() {
            return nothing();
        }
        let dry_run = page.run.with_untracked(|run| run.dry_run);
        let every = choice(page, None, words.show_all.to_owned(), |run| run.total);
        let each = found.into_iter().map(move |outcome| {
            let name = told::outcome(app, outcome, dry_run).to_owned();
            choice(page, Some(outcome), name, move |run| {
                count(&run.counts, outcome)
            })
        });
        el("div")
            .class("run-tally")
            .attr("role", "group")
            .attr("aria-label", words.show)
            .el(every)
            .els(each)
            .view()
    })
}

fn choice(
    page: Page,
    only: Option<Outcome>,
    name: String,
    number: impl Fn(&Run) -> u32 + Send + 'static,
) -> El {
    let class = match only {
        Some(Outcome::Failed) => "tally-choice bad",
        Some(Outcome::Ambiguous | Outcome::Skipped) => "tally-choice warm",
        _ => "tally-choice",
    };
    el("button")
        .attr("type", "button")
        .class(class)
        .follow("aria-pressed", move || {
            Some((page.only.get() == only).to_string())
        })
        .on("click", move |_| page.only.set(only))
        .el(el("strong").follow_text(move || page.run.with(|run| number(run)).to_string()))
        .text(" ")
        .el(el("span").text(name))
}

/// What is said aloud.
fn heard(page: Page) -> impl Fn() -> String + Send + 'static {
    let app = page.app;
    let mark = Memo::new(move |_| {
        page.run.with(|run| {
            let state = told::state(app, run);
            (state, quarters(run.settled, run.total))
        })
    });
    let first = mark.get_untracked();
    move || {
        let now = mark.get();
        if now == first {
            return String::new();
        }
        let (n, total) = page
            .run
            .with_untracked(|run| (run.settled.to_string(), run.total.to_string()));
        let said = [
            ("state", now.0),
            ("n", n.as_str()),
            ("total", total.as_str()),
        ];
        fill(app.language.runs().heard, &said)
    }
}
