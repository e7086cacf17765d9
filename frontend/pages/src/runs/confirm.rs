//! What a run asks: adoptions and deletions to confirm, and ambiguous computers to decide.
//!
//! A summary says what will happen before the button is pressed, and the button says it too.

mod choices;
mod writes;

use checklist_shared::wire::workflow::{
    Confirmation, Outcome, PlannedAction, RunComputer, RunState,
};

use super::actions;
use super::answer::Answer;
use super::state::RunPage;
use crate::kit::*;

/// How many computers are read at a time: the most that the server gives.
const PAGE_SIZE: u32 = 1_000;

/// The panel, where something is asked.
pub fn panel(page: RunPage) -> AnyView {
    let answer = RwSignal::new(Answer::default());
    let undecided = undecided(page, answer);
    let question = Memo::new(move |_| page.run.with(|run| (run.state, run.confirmation)));
    let panel = move || {
        let (state, confirmation) = question.get();
        let rows = undecided.get().unwrap_or_default();
        let is_ambiguous = |row: &&RunComputer| {
            row.outcome == Some(Outcome::Ambiguous) && !row.candidates.is_empty()
        };
        let ambiguous: Vec<RunComputer> = rows.iter().filter(is_ambiguous).cloned().collect();
        let is_awaiting = state == RunState::AwaitingConfirmation;
        (is_awaiting || state.is_final() && !ambiguous.is_empty())
            .then(|| view(page, answer, is_awaiting, confirmation, &rows, ambiguous))
    };
    panel.into_any()
}

/// The computers that wait for an answer. Read whenever the run begins to wait, or has ended with
/// ambiguous computers.
fn undecided(page: RunPage, answer: RwSignal<Answer>) -> LocalResource<Vec<RunComputer>> {
    let filter = Memo::new(move |_| {
        page.run.with(|run| {
            let filter = match run.state {
                RunState::AwaitingConfirmation => "",
                state if state.is_final() && run.counts.ambiguous > 0 => "&Outcome=Ambiguous",
                _ => return None,
            };
            Some((filter, run.revision))
        })
    });
    // Boxes that were ticked for another confirmation do not count for this one.
    let confirmation = Memo::new(move |_| page.run.with(|run| run.confirmation));
    Effect::new(move |_| {
        confirmation.track();
        answer.update(Answer::untick);
    });
    LocalResource::new(move || {
        let call = filter
            .get()
            .map(|(filter, _)| page.call(&format!("?Limit={PAGE_SIZE}{filter}")));
        async move {
            let Some(call) = call else { return Vec::new() };
            let address = |after: Option<&str>| match after {
                Some(after) => [&call, "&After=", after].concat(),
                None => call.clone(),
            };
            let rows = read_all_pages::<RunComputer>(page.app, address, "Computers").await;
            let mut rows = rows.unwrap_or_default();
            rows.retain(|row| match row.outcome {
                Some(outcome) => outcome == Outcome::Ambiguous,
                None => row.planned.is_some(),
            });
            let is_ambiguous =
                |row: &RunComputer, id: &str| row.computer_id == id && row.outcome.is_some();
            answer.try_update(|answer| {
                let choices = &mut answer.choices;
                choices.retain(|id, _| rows.iter().any(|row| is_ambiguous(row, id)));
            });
            rows
        }
    })
}

fn view(
    page: RunPage,
    answer: RwSignal<Answer>,
    is_awaiting: bool,
    confirmation: Option<Confirmation>,
    rows: &[RunComputer],
    ambiguous: Vec<RunComputer>,
) -> AnyView {
    let words = page.app.language.runs();
    let title = if is_awaiting {
        words.confirm
    } else {
        words.ambiguous
    };
    let app = page.app;
    let question = confirmation.unwrap_or_default();
    let writes = is_awaiting.then(|| writes::writes(app, answer, question, rows));
    let choices =
        (!ambiguous.is_empty()).then(|| choices::choices(page, answer, ambiguous, is_awaiting));
    let planned = [PlannedAction::Create, PlannedAction::Update].map(|action| {
        let planned = rows.iter().filter(|row| row.planned == Some(action));
        planned.count() as u32
    });
    let summary = move || answer.with(|answer| summary(app, answer, question, planned));
    let label = Memo::new(move |_| answer.with(|answer| label(app, answer, confirmation)));
    let has_label = Memo::new(move |_| label.with(Option::is_some));
    let confirm = move || {
        let request = answer.with_untracked(|answer| answer.request(confirmation));
        actions::confirm(page, request);
    };
    let button = move || {
        let label = Signal::derive(move || label.get().unwrap_or_default());
        has_label
            .get()
            .then(|| view! { <Button label class="primary" click=confirm /> })
    };
    view! {
        <section class="card panel run-asks" aria-labelledby="run-asks-title">
            <div class="panel-head"><h2 class="panel-title" id="run-asks-title">{title}</h2></div>
            <div class="panel-body">
                {writes}
                {choices}
                {summary}
                <div class="buttons">{button}</div>
            </div>
        </section>
    }
    .into_any()
}

/// What will happen, sentence by sentence.
fn summary(
    app: App,
    answer: &Answer,
    question: Confirmation,
    planned: [u32; 2],
) -> Option<AnyView> {
    let words = app.language.runs();
    let [creates, updates] = planned;
    let adopts = match answer.adopt {
        true => words.will_adopt,
        false => words.will_not_adopt,
    };
    let deletes = match answer.delete {
        true => words.will_delete,
        false => words.will_not_delete,
    };
    let sentences = [
        (creates, words.will_create),
        (updates, words.will_update),
        (question.adoptions, adopts),
        (question.deletes, deletes),
        (answer.choices.len() as u32, words.will_choose),
    ];
    let sentences = sentences.into_iter().filter(|(count, _)| *count > 0);
    let sentences = sentences.map(|(count, forms)| {
        view! { <li>{counted(app.language, count.into(), forms)}</li> }
    });
    let sentences: Vec<_> = sentences.collect();
    (!sentences.is_empty()).then(|| {
        view! {
            <div class="run-will"><p><strong>{words.summary}</strong></p><ul>{sentences}</ul></div>
        }
        .into_any()
    })
}

/// The label of the button; none where there is nothing to send.
fn label(app: App, answer: &Answer, confirmation: Option<Confirmation>) -> Option<String> {
    let words = app.language.runs();
    let request = answer.request(confirmation);
    let text = match (request.adoptions, request.deletes) {
        (Some(_), Some(_)) => words.confirm_both,
        (Some(_), None) => words.confirm_adopt,
        (None, Some(_)) => words.confirm_delete,
        (None, None) if !request.choices.is_empty() => words.confirm_choices,
        (None, None) if confirmation.is_some() => words.confirm_none,
        (None, None) => return None,
    };
    let count = |count: Option<u32>| count.unwrap_or_default().to_string();
    let (adoptions, deletes) = (count(request.adoptions), count(request.deletes));
    Some(fill(text, &[("a", &adoptions), ("d", &deletes)]))
}
