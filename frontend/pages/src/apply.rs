//! The pages that apply a template to many checklists: the form with its preview, all runs, and one
//! that is followed.

mod form;
pub mod page;
pub mod run;

use checklist_shared::problem::Problem;
use checklist_shared::wire::apply::{
    AppliedList, ApplyCounts, ApplyOutcome, TemplateRun, TemplateRunState,
};

use crate::kit::*;

/// The call that begins a run.
const CALL: &str = "ApplyTemplate";

/// The call about runs; `rest` starts with `/` or `?`, or is empty.
fn runs_call(rest: &str) -> String {
    [CALL, "/Runs", rest].concat()
}

/// The state of a run as a pill.
fn state_pill(app: App, run: &TemplateRun) -> AnyView {
    let (class, text) = state(app, run);
    pill(class, text)
}

fn state(app: App, run: &TemplateRun) -> (&'static str, &'static str) {
    let words = app.language.runs();
    match run.state {
        _ if run.stopping => ("warm", words.stopping),
        TemplateRunState::Queued => ("plain", words.queued),
        TemplateRunState::Running => ("", words.running),
        TemplateRunState::Stopped => ("plain", words.stopped),
        TemplateRunState::Completed if run.counts.skipped > 0 => ("warm", words.completed),
        TemplateRunState::Completed => ("", words.completed),
        TemplateRunState::Failed => ("bad", words.failed),
    }
}

fn outcome_name(app: App, outcome: ApplyOutcome, is_preview: bool) -> &'static str {
    let words = app.language.apply();
    match (outcome, is_preview) {
        (ApplyOutcome::Appended, false) => words.appended,
        (ApplyOutcome::Appended, true) => words.would_append,
        (ApplyOutcome::Begun, false) => words.begun,
        (ApplyOutcome::Begun, true) => words.would_begin,
        (ApplyOutcome::Unchanged, _) => words.unchanged,
        (ApplyOutcome::Skipped, false) => words.skipped,
        (ApplyOutcome::Skipped, true) => words.would_skip,
    }
}

const fn count(counts: &ApplyCounts, outcome: ApplyOutcome) -> u32 {
    match outcome {
        ApplyOutcome::Appended => counts.appended,
        ApplyOutcome::Begun => counts.begun,
        ApplyOutcome::Unchanged => counts.unchanged,
        ApplyOutcome::Skipped => counts.skipped,
    }
}

/// How many lists there are of each outcome: "Items added: 12, Skipped: 1".
fn outcomes(app: App, counts: &ApplyCounts, is_preview: bool) -> String {
    let counts = ApplyOutcome::ALL.into_iter().filter_map(|outcome| {
        let count = count(counts, outcome);
        (count > 0).then(|| format!("{}: {count}", outcome_name(app, outcome, is_preview)))
    });
    let counts: Vec<String> = counts.collect();
    match counts.is_empty() {
        true => "–".to_owned(),
        false => counts.join(", "),
    }
}

/// A list with its outcome, as an item of a list.
fn list_item(app: App, list: &AppliedList, is_preview: bool) -> AnyView {
    let words = app.language.apply();
    let context = list.context.clone();
    let purpose = (!context.purpose.is_empty())
        .then(|| view! { <small class="under"><bdi>{context.purpose.clone()}</bdi></small> });
    let (id, kind) = (context.object_id.clone(), context.object_type.clone());
    let to = Route::List(checklist_shared::Context {
        template_id: None,
        ..context
    });
    let outcome = match list.outcome {
        Some(outcome) => {
            let class = match outcome {
                ApplyOutcome::Appended | ApplyOutcome::Begun => "",
                ApplyOutcome::Unchanged => "plain",
                ApplyOutcome::Skipped => "warm",
            };
            pill(class, outcome_name(app, outcome, is_preview))
        }
        None => pill("plain", app.language.runs().pending),
    };
    let items = (list.items > 0).then(|| {
        let items = counted(app.language, list.items.into(), words.items);
        view! { <span class="quiet">{items}</span> }
    });
    let reason = list.problem.as_ref().map(|problem| reason(app, problem));
    view! {
        <li>
            <span class="applied-object">
                <PageLink to class="row-link"><bdi>{id}</bdi></PageLink>
                " "<span class="id"><bdi>{kind}</bdi></span>
                {purpose}
            </span>
            {outcome}{items}{reason}
        </li>
    }
    .into_any()
}

/// Why a list was skipped, or why a run failed.
fn reason(app: App, problem: &Problem) -> AnyView {
    let words = app.language.apply();
    let text = match problem.code {
        ProblemCode::Locked => words.why_locked,
        ProblemCode::LimitExceeded => words.why_limit,
        ProblemCode::TemplateNotFound => words.why_template,
        ProblemCode::ContextNotFound => words.why_foreign,
        ProblemCode::PermissionDenied => words.why_permission,
        _ => {
            let text = problem.detail.as_ref().unwrap_or(&problem.title);
            return server_text(app, "applied-reason", text.clone());
        }
    };
    view! { <p class="applied-reason">{text}</p> }.into_any()
}
