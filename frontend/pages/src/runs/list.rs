//! All runs, the newest first: where they go, how far they are, what came of them.
//!
//! While one of them goes on, the first page is read again every few seconds.

use checklist_shared::wire::workflow::{Outcome, Run, RunsPage};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::answer::count;
use super::follow::sleep;
use super::{CALLS, told};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::logs::told::time;
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::load::{failed, loaded};
use crate::parts::table;
use crate::route::{Filter, Route, encoded};
use crate::wording::{Wording, fill};

/// How often a list with a run that goes on is read again.
const EVERY: u32 = 4_000;

#[derive(Clone, Copy)]
struct State {
    app: App,
    runs: RwSignal<Vec<Run>>,
    next: RwSignal<Option<String>>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<ApiError>>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.runs();
    all(vec![
        head(
            app,
            app.language.frame().runs,
            Some(words.intro),
            vec![to_computers(app)],
        )
        .view(),
        loaded(
            app,
            move || async move { api::get::<RunsPage>(app, CALLS).await },
            move |answer| {
                if answer.runs.is_empty() {
                    return empty(words.empty, words.empty_hint, vec![to_computers(app)]).view();
                }
                let state = State {
                    app,
                    runs: RwSignal::new(answer.runs),
                    next: RwSignal::new(answer.next),
                    busy: RwSignal::new(false),
                    failure: RwSignal::new(None),
                };
                watch(state);
                shown(state)
            },
        ),
    ])
}

fn to_computers(app: App) -> El {
    link("button outlined", &Route::Computers(Filter::default()))
        .text(app.language.runs().to_computers)
}

fn shown(state: State) -> AnyView {
    let (app, words) = (state.app, state.app.language.runs());
    let heads = [
        words.list,
        words.state,
        words.outcomes,
        words.by,
        words.when,
    ];
    let rows = For(ForProps::builder()
        .each(move || state.runs.get())
        .key(|run| (run.id.clone(), run.revision))
        .children(move |run| row(app, &run).view())
        .build());
    let more = live(move || {
        if let Some(failure) = state.failure.get() {
            return failed(app, &failure, move || {
                state.failure.set(None);
                state.older();
            })
            .view();
        }
        if state.next.with(Option::is_none) {
            return nothing();
        }
        el("div")
            .class("buttons centre")
            .el(button("button outlined", words.older, move || {
                state.older()
            }))
            .view()
    });
    all(vec![
        el("div")
            .class("card table-card")
            .el(el("table")
                .class("table stacking")
                .el(table::heads(&heads))
                .el(el("tbody").child(rows.into_any())))
            .view(),
        more,
    ])
}

impl State {
    fn older(self) {
        let Some(after) = self.next.get_untracked() else {
            return;
        };
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        spawn_local(async move {
            let path = format!("{CALLS}?After={}", encoded(&after));
            let answer = api::get::<RunsPage>(self.app, &path).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(page) => {
                    self.next.set(page.next);
                    self.runs.update(|runs| runs.extend(page.runs));
                }
                Err(failure) => self.failure.set(Some(failure)),
            }
        });
    }

    /// Puts what was read again in the place of what it was, and what is new before it.
    fn take(self, newest: Vec<Run>) {
        self.runs.try_update(|runs| {
            runs.retain(|run| newest.iter().all(|new| new.id != run.id));
            let older = std::mem::replace(runs, newest);
            runs.extend(older);
        });
    }
}

fn watch(state: State) {
    spawn_local(async move {
        loop {
            sleep(EVERY).await;
            let going_on = state
                .runs
                .try_with_untracked(|runs| runs.iter().any(|run| !run.state.is_final()));
            match going_on {
                None => return, // the page was left
                Some(true) if checklist_control::browser::is_visible() => {
                    if let Ok(page) = api::get::<RunsPage>(state.app, CALLS).await {
                        state.take(page.runs);
                    }
                }
                Some(_) => {}
            }
        }
    });
}

fn row(app: App, run: &Run) -> El {
    let words = app.language.runs();
    let route = Route::Run(run.id.clone());
    let progress = (!run.state.is_final()).then(|| {
        let (n, total) = (run.settled.to_string(), run.total.to_string());
        el("small").text(fill(words.settled, &[("n", &n), ("total", &total)]))
    });
    let until = run.waiting.as_ref().map(|waiting| {
        el("small")
            .class("under")
            .text(words.waiting_until)
            .text(" ")
            .el(time(app, waiting.until))
    });
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(link("row-link", &route).el(el("bdi").text(run.list.clone())))
            .el(el("small")
                .class("under")
                .el(el("bdi").text(run.connection_name.clone()))))
        .el(el("td")
            .attr("data-label", words.state)
            .el(told::pills(app, run))
            .maybe(until)
            .maybe(progress.map(|progress| progress.class("under"))))
        .el(el("td")
            .attr("data-label", words.outcomes)
            .text(outcomes(app, run)))
        .el(el("td")
            .attr("data-label", words.by)
            .el(el("bdi").text(run.started_by.clone())))
        .el(el("td")
            .class("when")
            .attr("data-label", words.when)
            .el(time(app, run.created_at)))
}

/// What came of the computers, the most telling first.
fn outcomes(app: App, run: &Run) -> String {
    let told = Outcome::ALL.into_iter().filter_map(|outcome| {
        let n = count(&run.counts, outcome);
        (n > 0).then(|| format!("{n} {}", told::outcome(app, outcome, run.dry_run)))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        "–".to_owned()
    } else {
        told.join(", ")
    }
}
