//! Adoptions and deletions that wait for a confirmation: a box for each of the two, and the entries.

use checklist_shared::wire::workflow::{Candidate, Confirmation, PlannedAction, RunComputer};

use crate::kit::*;
use crate::runs::answer::Answer;
use crate::runs::labels;

/// How many entries are listed.
const MAX_ENTRIES: usize = 200;
/// How many entries are listed without being asked for.
const MAX_OPEN_ENTRIES: usize = 5;

/// The two boxes.
pub fn writes(
    app: App,
    answer: RwSignal<Answer>,
    confirmation: Confirmation,
    rows: &[RunComputer],
) -> AnyView {
    let words = app.language.runs();
    let intro = if confirmation.first_run {
        words.confirm_first
    } else {
        words.confirm_rest
    };
    let box_of = |count: u32, action, bind, one, many, hints| {
        let label = counted(app.language, count.into(), one, many);
        let rows = rows.iter().filter(|row| row.planned == Some(action));
        (count > 0).then(|| group(app, bind, label, hints, &rows.collect::<Vec<_>>()))
    };
    let adopt = Flag::new(
        move || answer.with(|answer| answer.adopt),
        move |is_on| answer.update(|answer| answer.adopt = is_on),
    );
    let delete = Flag::new(
        move || answer.with(|answer| answer.delete),
        move |is_on| answer.update(|answer| answer.delete = is_on),
    );
    let own = confirmation.own_entries.to_string();
    let adopted = confirmation.adopted_deletes;
    let hints = [
        Some(fill(words.delete_hint, &[("own", &own)])),
        (adopted > 0).then(|| fill(words.delete_adopted, &[("n", &adopted.to_string())])),
        Some(words.delete_recycled.to_owned()),
    ];
    let adopt = box_of(
        confirmation.adoptions,
        PlannedAction::Adopt,
        adopt,
        words.adopt_one,
        words.adopt_many,
        vec![words.adopt_hint.to_owned()],
    );
    let delete = box_of(
        confirmation.deletes,
        PlannedAction::Delete,
        delete,
        words.delete_one,
        words.delete_many,
        hints.into_iter().flatten().collect(),
    );
    view! { <div class="form-fields"><p>{intro}</p>{adopt}{delete}</div> }.into_any()
}

fn group(
    app: App,
    bind: Flag,
    label: String,
    hints: Vec<String>,
    rows: &[&RunComputer],
) -> AnyView {
    let words = app.language.runs();
    let hints = hints
        .into_iter()
        .map(|hint| view! { <p class="hint">{hint}</p> });
    let entries = rows.iter().take(MAX_ENTRIES).map(|row| entry(app, row));
    let rest = rows.len().saturating_sub(MAX_ENTRIES);
    let rest = (rest > 0).then(|| {
        let text = fill(words.and_more, &[("n", &rest.to_string())]);
        view! { <li class="quiet">{text}</li> }
    });
    let is_open = rows.len() <= MAX_OPEN_ENTRIES;
    view! {
        <div class="run-group">
            <CheckBox bind label />
            <div class="radio-about">
                {hints.collect::<Vec<_>>()}
                <details open=is_open>
                    <summary>{words.which}</summary>
                    <ul class="run-named">{entries.collect::<Vec<_>>()}{rest}</ul>
                </details>
            </div>
        </div>
    }
    .into_any()
}

fn entry(app: App, row: &RunComputer) -> AnyView {
    let entry = match (row.candidates.first(), row.item_id) {
        (Some(candidate), _) => Some(candidate_link(app, candidate, &row.name)),
        (None, Some(number)) => {
            let text = labels::entry_number(app, number);
            Some(external_link(row.web_url.as_deref(), "", None, text))
        }
        (None, None) => None,
    };
    let name = row.name.clone();
    view! { <li><bdi class="run-name">{name}</bdi>{entry}</li> }.into_any()
}

/// The title of the entry is repeated only where it is not the computer's name.
fn candidate_link(app: App, candidate: &Candidate, computer: &str) -> AnyView {
    let text = if candidate.title.trim() == computer {
        labels::entry_number(app, candidate.item_id)
    } else {
        labels::entry_name(app, candidate)
    };
    let text = view! { <bdi>{text}</bdi> };
    let matched_by = labels::matched_by(app, candidate);
    view! {
        <span class="run-entry">
            {external_link(candidate.web_url.as_deref(), "long", None, text)}
            <small class="quiet">{matched_by}</small>
        </span>
    }
    .into_any()
}
