//! One run: how far it is, what waits for a person, what became of each computer.
//!
//! What all parts of the page share is a plain copy of a few signals. The newest of what was heard
//! counts, whichever way it came.

use checklist_shared::wire::workflow::{Outcome, Run, RunAnswer, RunComputer, RunState, RunStep};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::answer::Answer;
use super::{actions, call, confirm, follow, progress, rows, told};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::computers::labels::field_name;
use crate::element::{El, all, el, live, nothing};
use crate::logs::told::time;
use crate::navigation::{link, outside};
use crate::parts::head::head;
use crate::parts::load::{alert, loaded};
use crate::route::{Filter, Route};
use crate::wording::{Wording, fill};

/// How many computers are read at first.
pub const SOME: u32 = 100;

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct Page {
    /// What all pages share.
    pub app: App,
    /// The run's id.
    pub id: StoredValue<String>,
    /// The run as it was heard of last.
    pub run: RwSignal<Run>,
    /// What it did.
    pub steps: RwSignal<Vec<RunStep>>,
    /// Its computers as far as they were read.
    pub rows: RwSignal<Vec<RunComputer>>,
    /// Where the next of them begin.
    pub next: RwSignal<Option<u32>>,
    /// Which of them are shown.
    pub only: RwSignal<Option<Outcome>>,
    /// Computers that wait for a person: planned ones, and ambiguous ones.
    pub waiting: RwSignal<Vec<RunComputer>>,
    /// What the person has ticked and chosen.
    pub answer: RwSignal<Answer>,
    /// Whether something was sent and is not answered yet.
    pub busy: RwSignal<bool>,
    /// Why the last thing that was tried did not work.
    pub failure: RwSignal<Option<ApiError>>,
    /// Whether it is being asked whether to stop the run.
    pub stopping: RwSignal<bool>,
    /// Whether nothing was heard for a while.
    pub out_of_touch: RwSignal<bool>,
}

/// The page of a run.
pub fn page(app: App, id: String) -> AnyView {
    let read = {
        let id = id.clone();
        move || {
            let asked = format!("{}?Limit={SOME}", call(&id, ""));
            async move { api::get::<RunAnswer>(app, &asked).await }
        }
    };
    loaded(app, read, move |answer| {
        let page = Page {
            app,
            id: StoredValue::new(id.clone()),
            run: RwSignal::new(answer.run),
            steps: RwSignal::new(answer.steps),
            rows: RwSignal::new(answer.computers),
            next: RwSignal::new(answer.next),
            only: RwSignal::new(None),
            waiting: RwSignal::new(Vec::new()),
            answer: RwSignal::new(Answer::default()),
            busy: RwSignal::new(false),
            failure: RwSignal::new(None),
            stopping: RwSignal::new(false),
            out_of_touch: RwSignal::new(false),
        };
        shown(page)
    })
}

impl Page {
    /// Takes what was heard of the run, unless something newer was heard already.
    pub fn hear(self, heard: Run) {
        let known = self.run.try_with_untracked(|run| run.revision);
        if known.is_some_and(|known| known < heard.revision) {
            self.run.try_set(heard);
        }
    }

    /// Reads the run anew, whatever was heard of it.
    pub fn look_again(self) {
        let asked = self.id.with_value(|id| call(id, "?Limit=1"));
        spawn_local(async move {
            if let Ok(answer) = api::get::<RunAnswer>(self.app, &asked).await {
                self.hear(answer.run);
            }
        });
    }

    /// Whether the run has ended, or the page is not there any more.
    pub fn is_over(self) -> bool {
        self.run
            .try_with_untracked(|run| run.state.is_final())
            .unwrap_or(true)
    }
}

fn shown(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    let goes_on = Memo::new(move |_| page.run.with(|run| !run.state.is_final()));
    Effect::new(move |_| {
        if goes_on.get() {
            follow::follow(page);
        }
    });
    rows::keep_up(page);
    confirm::keep_up(page);
    let title = page.run.with_untracked(|run| told::title(app, run));
    let pills = live(move || page.run.with(|run| told::pills(app, run)).view());
    all(vec![
        el("p")
            .class("crumbs")
            .el(link("quiet-link", &Route::Runs).text(["← ", app.language.frame().runs].concat()))
            .view(),
        head(app, &title, None, vec![actions::buttons(page)]).view(),
        el("div").class("run-state").child(pills).view(),
        live(move || troubles(page)),
        progress::panel(page).view(),
        confirm::panel(page),
        rows::panel(page).view(),
        about(page).view(),
        steps(page).view(),
        el("p")
            .el(link("quiet-link", &Route::Computers(Filter::default())).text(words.to_computers))
            .view(),
        actions::question(page),
    ])
}

/// Why the run failed, and why what was tried did not work.
fn troubles(page: Page) -> AnyView {
    let app = page.app;
    let problem = page.run.with(|run| {
        run.problem
            .clone()
            .filter(|_| run.state == RunState::Failed)
    });
    let failed = problem.map(|problem| {
        el("div")
            .class("notice danger")
            .attr("role", "alert")
            .el(told::problem(app, &problem))
    });
    let refused = page
        .failure
        .get()
        .map(|failure| actions::refused(page, &failure));
    let lost = page
        .out_of_touch
        .get()
        .then(|| alert(app.language.runs().out_of_touch));
    let told: Vec<AnyView> = [failed, refused, lost]
        .into_iter()
        .flatten()
        .map(El::view)
        .collect();
    if told.is_empty() {
        nothing()
    } else {
        all(told)
    }
}

/// Where it goes, who began it and when.
fn about(page: Page) -> El {
    let (app, words) = (page.app, page.app.language.runs());
    let run = page.run.get_untracked();
    let fact = |name: &'static str, value: El| [el("dt").text(name), el("dd").el(value)];
    let list = run
        .list_url
        .as_deref()
        .and_then(outside)
        .unwrap_or_else(|| el("span"))
        .el(el("bdi").text(run.list.clone()));
    let connection = link(
        "quiet-link",
        &Route::Connection(run.service_connection.clone()),
    )
    .el(el("bdi").text(run.connection_name.clone()));
    let map = run.field_map.iter().map(|line| {
        let field = field_name(app, line.field);
        let said = [("field", field), ("column", line.column.as_str())];
        el("li").text(fill(words.map_line, &said))
    });
    let fields: Vec<&str> = run
        .match_fields
        .iter()
        .map(|field| field_name(app, *field))
        .collect();
    let found_by = if fields.is_empty() {
        words.match_nothing.to_owned()
    } else {
        fields.join(", ")
    };
    let ended = move || {
        page.run.with(|run| match run.ended_at {
            Some(at) => time(app, at).view(),
            None => "–".into_any(),
        })
    };
    el("details")
        .class("card folded")
        .el(el("summary").text(words.about))
        .el(el("dl")
            .class("facts")
            .els(fact(words.list, list))
            .els(fact(words.connection, connection))
            .els(fact(words.by, el("bdi").text(run.started_by.clone())))
            .els(fact(words.when, time(app, run.created_at)))
            .els(fact(words.ended, el("span").live(ended)))
            .els(fact(
                words.key_column,
                el("code").class("long").text(run.key_column.clone()),
            ))
            .els(fact(words.match_fields, el("span").text(found_by)))
            .els(fact(words.map, el("ul").els(map))))
}

/// What it did, step by step.
fn steps(page: Page) -> El {
    let (app, words) = (page.app, page.app.language.runs());
    let each = live(move || {
        let goes_on = page.run.with(|run| !run.state.is_final());
        let steps = page.steps.get();
        let last = steps.last().map(|step| step.number);
        let each = steps.iter().map(|one| {
            let took = match one.ended_at {
                Some(end) => Some(took(words.seconds, one, end)),
                None if goes_on && last == Some(one.number) => None,
                None => Some(words.step_interrupted.to_owned()),
            };
            el("li")
                .class("run-step")
                .el(el("div")
                    .class("step-head")
                    .el(told::step(app, one).class("step-name"))
                    .maybe(took.map(|took| el("span").class("hint").text(took))))
                .el(
                    crate::connections::told::from_server(app, one.detail.clone())
                        .class("quiet long"),
                )
        });
        el("ol").class("run-steps").els(each).view()
    });
    el("details")
        .class("card folded")
        .el(el("summary").text(words.steps))
        .child(each)
}

fn took(words: &'static str, step: &RunStep, end: checklist_shared::Timestamp) -> String {
    let millis = end.as_millis().saturating_sub(step.started_at.as_millis());
    let (whole, tenths) = (millis / 1_000, millis % 1_000 / 100);
    fill(words, &[("n", &format!("{whole}.{tenths}"))])
}
