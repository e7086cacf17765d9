//! One run: its progress, and what became of each checklist. It is read again every second while it
//! goes on.

use checklist_shared::wire::apply::{AppliedList, ApplyOutcome, TemplateRun, TemplateRunState};

use super::{list_item, outcome_name, outcomes, reason, runs_call, state, state_pill};
use crate::kit::*;
use crate::lists;
use crate::runs::answer::quarters;

/// How often a run that goes on is read again, in milliseconds.
const POLL_INTERVAL: u32 = 1_000;

#[derive(Clone, Copy)]
struct RunPage {
    app: App,
    id: StoredValue<String>,
    run: RwSignal<TemplateRun>,
    /// The name of the outcome of the lists that are shown; empty shows all.
    outcome: RwSignal<String>,
    busy: RwSignal<bool>,
}

/// The page of a run.
pub fn page(app: App, id: String) -> AnyView {
    load_from(call(&id, "?Limit=1"), move |run: TemplateRun| {
        let page = RunPage {
            app,
            id: StoredValue::new(id.clone()),
            run: RwSignal::new(run),
            outcome: RwSignal::new(String::new()),
            busy: RwSignal::new(false),
        };
        page.view()
    })
}

fn call(id: &str, rest: &str) -> String {
    runs_call(&["/", &encoded(id), rest].concat())
}

impl RunPage {
    fn call(self, rest: &str) -> String {
        self.id.with_value(|id| call(id, rest))
    }

    fn view(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.apply());
        let run = self.run.get_untracked();
        let list = PagedList::<AppliedList>::new(
            move |after| {
                let mut query = "?Limit=100".to_owned();
                for (name, value) in [
                    ("&After=", after.unwrap_or("")),
                    ("&Outcome=", &self.outcome.get()),
                ] {
                    if !value.is_empty() {
                        query.push_str(name);
                        query.push_str(value);
                    }
                }
                self.call(&query)
            },
            "Lists",
        )
        .filtered_when(move || !self.outcome.with(String::is_empty));
        let is_due = move || self.run.try_with_untracked(|run| run.ended_at.is_none());
        poll(POLL_INTERVAL, is_due, move || self.read_again(*list));
        let title = fill(words.title, &[("template", &run.template)]);
        let each =
            ApplyOutcome::ALL.map(|outcome| (outcome.name(), outcome_name(app, outcome, false)));
        let shown = options([("", app.language.runs().show_all)].into_iter().chain(each));
        let lists = Columns::list("applied", move |list: &AppliedList| {
            list_item(app, list, false)
        });
        view! {
            <BackLink to=Route::Apply label=app.language.frame().apply />
            <PageHead title>{self.buttons()}</PageHead>
            <div class="run-state">{move || self.run.with(|run| state_pill(app, run))}</div>
            {move || self.problem()}
            {self.progress()}
            <Panel id="apply-lists-title" title=app.language.frame().of_lists is_bare=true>
                <div class="panel-body"><Select bind=Binding::signal("apply-outcome", self.outcome) label=app.language.runs().show options=shown /></div>
                <ResourceList list columns=lists empty=(words.no_lists, "") />
            </Panel>
            {self.details(run)}
        }
        .into_any()
    }

    async fn read_again(self, list: List) {
        let Some(call) = self.id.try_with_value(|id| call(id, "?Limit=1")) else {
            return;
        };
        if let Ok(run) = api::get::<TemplateRun>(self.app, &call).await {
            self.run.try_set(run);
            list.refresh().await;
        }
    }

    fn buttons(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.apply());
        // Memos, so that a button keeps the focus while the counts grow.
        let can_stop =
            Memo::new(move |_| self.run.with(|run| run.ended_at.is_none() && !run.stopping));
        let can_resume = Memo::new(move |_| {
            self.run.with(|run| {
                matches!(
                    run.state,
                    TemplateRunState::Stopped | TemplateRunState::Failed
                )
            })
        });
        let act = move |action: &'static str| {
            let request = api::act::<TemplateRun>(app, Method::POST, &self.call(action));
            app.send_once(self.busy, request, move |answer| match answer {
                Ok(run) => {
                    app.say(state(app, &run).1);
                    self.run.set(run);
                }
                Err(error) => app.say(error_sentence(app, &error)),
            });
        };
        let stop = move || {
            can_stop.get().then(
                || view! { <Button label=words.stop class="outlined" click=move || act("/Stop") /> },
            )
        };
        let resume = move || {
            can_resume.get().then(
                || view! { <Button label=words.resume class="primary" click=move || act("/Resume") /> },
            )
        };
        view! { {stop}{resume} }.into_any()
    }

    fn problem(self) -> AnyView {
        let problem = self.run.with(|run| run.problem.clone());
        let problem = problem.map(|problem| {
            let reason = reason(self.app, &problem);
            view! { <div class="notice danger" role="alert">{reason}</div> }
        });
        problem.into_any()
    }

    fn progress(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.runs());
        let settled = move || {
            self.run.with(|run| {
                let (n, total) = (run.settled.to_string(), run.total.to_string());
                fill(
                    app.language.apply().settled,
                    &[("n", &n), ("total", &total)],
                )
            })
        };
        let mark = Memo::new(move |_| {
            self.run
                .with(|run| (state(app, run).1, quarters(run.settled, run.total)))
        });
        let first = mark.get_untracked();
        let announcement = move || match mark.get() == first {
            true => String::new(),
            false => [mark.get().0, ": ", &untrack(settled)].concat(),
        };
        let done = move || self.run.with(|run| outcomes(app, &run.counts, false));
        view! {
            <Panel id="apply-progress-title" title=words.progress>
                <div class="run-progress">
                    <progress
                        class="run-bar"
                        class:bad=move || self.run.with(|run| run.state == TemplateRunState::Failed)
                        aria-labelledby="apply-progress-title"
                        max=move || self.run.with(|run| run.total.max(1))
                        value=move || self.run.with(|run| run.settled)
                    ></progress>
                    <p class="run-number">{settled}</p>
                </div>
                <p class="quiet">{done}</p>
                <p class="sr" role="status">{announcement}</p>
            </Panel>
        }
        .into_any()
    }

    fn details(self, run: TemplateRun) -> AnyView {
        let (app, of_runs) = (self.app, self.app.language.runs());
        let template = lists::template(app, Some(&run.template), Some(run.template_version));
        let facts = facts([
            (app.language.lists().template, template),
            (of_runs.by, view! { <bdi>{run.started_by}</bdi> }.into_any()),
            (of_runs.when, time(run.created_at)),
        ]);
        view! { <Panel id="apply-details-title" title=of_runs.details>{facts}</Panel> }.into_any()
    }
}
