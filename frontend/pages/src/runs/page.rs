//! One run: its progress, what has to be confirmed, the result for each computer.

use checklist_shared::wire::workflow::{RunState, RunStep};

use super::state::RunPage;
use super::{actions, call, computers, confirm, follow, labels, progress};
use crate::computers::labels::field_name;
use crate::connections::format::problem_sentence;
use crate::kit::*;
use crate::route::Filter;

/// The page of a run.
pub fn page(app: App, id: String) -> AnyView {
    load_from(call(&id, "?Limit=1"), move |answer| {
        RunPage::new(app, id.clone(), answer).view()
    })
}

impl RunPage {
    fn view(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.runs());
        let is_going_on = Memo::new(move |_| self.run.with(|run| !run.state.is_final()));
        Effect::new(move |_| {
            if is_going_on.get() {
                follow::follow(self);
            }
        });
        let title = self.run.with_untracked(|run| labels::title(app, run));
        let to_computers = Route::Computers(Filter::default());
        view! {
            <BackLink to=Route::Runs label=app.language.frame().runs />
            <PageHead title>{actions::buttons(self)}</PageHead>
            <div class="run-state">{move || self.run.with(|run| labels::pills(app, run))}</div>
            {move || self.alerts()}
            {progress::panel(self)}
            {confirm::panel(self)}
            {computers::panel(self)}
            {self.details()}
            {self.step_list()}
            <p><PageLink to=to_computers class="quiet-link">{words.to_computers}</PageLink></p>
        }
        .into_any()
    }

    /// Why the run or an action failed.
    fn alerts(self) -> AnyView {
        let app = self.app;
        let problem = self.run.with(|run| {
            let problem = run.problem.clone();
            problem.filter(|_| run.state == RunState::Failed)
        });
        let problem = problem.map(|problem| {
            let sentence = problem_sentence(app, problem.code);
            let sentence = sentence.map(|text| view! { <p><strong>{text}</strong></p> });
            let text = server_text(app, "", problem.detail.unwrap_or(problem.title));
            let hint = problem.site.and_then(|site| site.hint);
            let hint = hint.map(|hint| server_text(app, "", hint));
            view! { <div class="notice danger" role="alert">{sentence}{text}{hint}</div> }
        });
        let error = self.error.get();
        let error = error.map(|error| actions::error_alert(app, &error));
        let text = app.language.runs().disconnected;
        let disconnected = self.is_disconnected.get().then(|| view! { <Alert text /> });
        view! { {problem}{error}{disconnected} }.into_any()
    }

    fn details(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.runs());
        let run = self.run.get_untracked();
        let map = run.field_map.iter().map(|line| {
            let line = [field_name(app, line.field), " → ", &line.column].concat();
            view! { <li>{line}</li> }
        });
        let fields = run.match_fields.iter().map(|field| field_name(app, *field));
        let fields = match fields.collect::<Vec<_>>() {
            fields if fields.is_empty() => "–".to_owned(),
            fields => fields.join(", "),
        };
        let ended = move || match self.run.with(|run| run.ended_at) {
            Some(at) => time(at),
            None => "–".into_any(),
        };
        let connection = Route::Connection(run.service_connection);
        let facts = facts([
            (
                words.list,
                external_link(run.list_url.as_deref(), "", None, view! { <bdi>{run.list}</bdi> }),
            ),
            (
                words.connection,
                view! { <PageLink to=connection class="quiet-link"><bdi>{run.connection_name}</bdi></PageLink> }.into_any(),
            ),
            (words.by, view! { <bdi>{run.started_by}</bdi> }.into_any()),
            (words.when, time(run.created_at)),
            (words.ended, ended.into_any()),
            (words.key_column, view! { <code class="long">{run.key_column}</code> }.into_any()),
            (words.match_fields, fields.into_any()),
            (words.map, view! { <ul>{map.collect::<Vec<_>>()}</ul> }.into_any()),
        ]);
        view! { <details class="card folded"><summary>{words.details}</summary>{facts}</details> }
            .into_any()
    }

    fn step_list(self) -> AnyView {
        let words = self.app.language.runs();
        let steps = move || {
            let is_going_on = self.run.with(|run| !run.state.is_final());
            let steps = self.steps.get();
            let last = steps.len().saturating_sub(1);
            let steps = steps.iter().enumerate();
            let steps = steps.map(|(index, step)| {
                let is_current = is_going_on && index == last;
                step_item(self.app, step, is_current)
            });
            steps.collect::<Vec<_>>()
        };
        view! {
            <details class="card folded">
                <summary>{words.steps}</summary>
                <ol class="run-steps">{steps}</ol>
            </details>
        }
        .into_any()
    }
}

fn step_item(app: App, step: &RunStep, is_current: bool) -> AnyView {
    let words = app.language.runs();
    let duration = match step.ended_at {
        Some(end) => {
            let millis = end.as_millis().saturating_sub(step.started_at.as_millis());
            let seconds = format!("{}.{}", millis / 1_000, millis % 1_000 / 100);
            Some(fill(words.seconds, &[("n", &seconds)]))
        }
        None => (!is_current).then(|| words.step_interrupted.to_owned()),
    };
    let duration = duration.map(|duration| view! { <span class="hint">{duration}</span> });
    view! {
        <li class="run-step">
            <div class="step-head">{labels::step(app, "step-name", step)}{duration}</div>
            {labels::step_detail(app, &step.detail)}
        </li>
    }
    .into_any()
}
