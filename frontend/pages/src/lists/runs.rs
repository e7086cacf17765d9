//! The runs of a checklist: which there are, and the start of the next one.

use checklist_control::browser::date_and_time;
use checklist_shared::Context;
use checklist_shared::checklist::FIRST_RUN;
use checklist_shared::wire::list::{ListAnswer, RunView};
use checklist_shared::wire::runs::{GetRuns, RunSummary, Runs, StartAgain};
use checklist_shared::wire::write::WriteAnswer;
use serde_json::{Value, json};

use super::{progress, state_pill};
use crate::kit::*;
use crate::logs::labels::name;

/// Which run the page shows: a number, or the present one.
pub type Shown = RwSignal<Option<u32>>;

/// A sentence about a closed run, with the way back; nothing for the present one.
pub fn closed_notice(app: App, list: &ListAnswer, shown: Shown) -> Option<AnyView> {
    let words = app.language.lists();
    let run = list.run.as_ref()?;
    let closed = run.closed.as_ref()?;
    let time = date_and_time(closed.at, app.language.tag());
    let by = name(app.language.logs(), &closed.by);
    let number = run.number.to_string();
    let values = [("n", number.as_str()), ("name", &by), ("time", &time)];
    let text = fill(words.run_closed, &values);
    let reason = closed.reason.clone();
    let back = move || shown.set(None);
    let view = view! {
        <div class="notice">
            <p>{text}</p>
            <p dir="auto">{reason}</p>
            <div class="buttons"><Button label=words.run_present click=back /></div>
        </div>
    };
    Some(view.into_any())
}

/// All runs of a list that has started again.
pub fn panel(app: App, context: &Context, shown: Shown) -> AnyView {
    let words = app.language.lists();
    let newest = page(app, context.clone(), None, shown);
    view! { <Panel id="runs-title" title=words.runs is_bare=true>{newest}</Panel> }.into_any()
}

/// The runs before a number, and below them a button for those before.
fn page(app: App, context: Context, before: Option<u32>, shown: Shown) -> AnyView {
    let request = GetRuns {
        context: context.clone(),
        before,
    };
    let read = move || api::post::<Runs>(app, "Runs", request.clone());
    load(read, move |runs: Runs| {
        let rows = runs.runs.iter().map(|run| row(app, run, shown));
        let older = runs
            .next
            .map(|next| older(app, context.clone(), next, shown));
        view! { <ul class="list-items">{rows.collect::<Vec<_>>()}</ul>{older} }
    })
}

/// The button that is replaced by older runs. What is around it has the focus then, so that whoever
/// uses the keyboard goes on there.
fn older(app: App, context: Context, before: u32, shown: Shown) -> AnyView {
    let id = format!("runs-before-{before}");
    let around = id.clone();
    let is_open = RwSignal::new(false);
    let open = move || {
        if let Some(around) = element(&around) {
            focus(&around);
        }
        is_open.set(true);
    };
    let content = move || {
        if is_open.get() {
            return page(app, context.clone(), Some(before), shown);
        }
        let (label, click) = (app.language.lists().runs_older, open.clone());
        view! { <div class="buttons padded"><Button label click /></div> }.into_any()
    };
    view! { <div id=id class="older-runs" tabindex="-1">{content}</div> }.into_any()
}

fn row(app: App, summary: &RunSummary, shown: Shown) -> AnyView {
    let words = app.language.lists();
    let RunView {
        number,
        started_at,
        closed,
    } = summary.run.clone();
    let tag = app.language.tag();
    let label = fill(words.run, &[("n", &number.to_string())]);
    let from = date_and_time(started_at, tag);
    let times = match &closed {
        Some(closed) => {
            let to = date_and_time(closed.at, tag);
            fill(words.run_from_to, &[("from", &from), ("to", &to)])
        }
        None => fill(words.run_since, &[("from", &from)]),
    };
    let reason = closed.as_ref().and_then(|closed| closed.reason.clone());
    let wanted = closed.is_some().then_some(number);
    let is_shown = move || shown.get() == wanted;
    let show = move || {
        let label = fill(words.run_show, &[("n", &number.to_string())]);
        (!is_shown()).then(|| {
            view! { <Button label click=move || shown.set(wanted) /> }
        })
    };
    view! {
        <li aria-current=move || is_shown().then_some("true")>
            <span class="pills">{state_pill(app, summary.state, false)}</span>
            <span class="list-item">
                <span>{label}", "{progress(app, summary.counts)}</span>
                <small class="list-details">
                    <span>{times}</span>
                    <span dir="auto">{reason}</span>
                </small>
            </span>
            {show}
        </li>
    }
    .into_any()
}

/// Asks why, and starts the list again; `done` reads it anew.
pub fn ask(app: App, list: &ListAnswer, done: impl Fn() + Clone + Send + Sync + 'static) {
    let context = list.context.clone();
    // Whoever has started it again meanwhile is not overtaken.
    let run = list.run.as_ref().map_or(FIRST_RUN, |run| run.number);
    app.show_dialog(move || {
        let words = app.language.lists();
        let form = Form::new("start-again", &json!({ "Reason": "" }));
        let (context, done) = (context.clone(), done.clone());
        let save = move || {
            let (context, done) = (context.clone(), done.clone());
            form.submit(
                move |draft: Value| {
                    let reason = draft["Reason"].as_str().unwrap_or_default();
                    let request = StartAgain::new(context, reason.to_owned(), Some(run));
                    api::post::<WriteAnswer>(app, "StartAgain", request)
                },
                move |_| {
                    app.close_dialog();
                    app.say(words.started_again);
                    done();
                },
            );
        };
        view! {
            <FormDialog form title=words.start_again_title action=words.start_again submit=save>
                <p>{words.start_again_hint}</p>
                <Field bind=form.at("/Reason") label=words.start_again_reason />
            </FormDialog>
        }
        .into_any()
    });
}
