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
    let own = confirmation.own_entries.to_string();
    let adopted = confirmation.adopted_deletes;
    let hints = [
        Some(fill(words.delete_hint, &[("own", &own)])),
        (adopted > 0).then(|| fill(words.delete_adopted, &[("n", &adopted.to_string())])),
        Some(words.delete_recycled.to_owned()),
    ];
    let adopt = (confirmation.adoptions > 0).then(|| {
        let bind = Flag::new(
            move || answer.with(|answer| answer.adopt),
            move |is_on| answer.update(|answer| answer.adopt = is_on),
        );
        let count = confirmation.adoptions.into();
        let label = counted(app.language, count, words.adopt);
        let hints = vec![words.adopt_hint.to_owned()];
        group(
            app,
            bind,
            label,
            hints,
            &planned(rows, PlannedAction::Adopt),
        )
    });
    let delete = (confirmation.deletes > 0).then(|| {
        let bind = Flag::new(
            move || answer.with(|answer| answer.delete),
            move |is_on| answer.update(|answer| answer.delete = is_on),
        );
        let count = confirmation.deletes.into();
        let label = counted(app.language, count, words.delete);
        let hints = hints.into_iter().flatten().collect();
        group(
            app,
            bind,
            label,
            hints,
            &planned(rows, PlannedAction::Delete),
        )
    });
    view! { <div class="form-fields"><p>{intro}</p>{adopt}{delete}</div> }.into_any()
}

fn planned(rows: &[RunComputer], action: PlannedAction) -> Vec<&RunComputer> {
    let rows = rows.iter();
    rows.filter(|row| row.planned == Some(action)).collect()
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
    let number = row.item_id.map(|number| labels::entry_number(app, number));
    let entry = match row.candidates.first() {
        Some(candidate) => Some(candidate_link(app, candidate, &row.name)),
        None => number.map(|number| external_link(row.web_url.as_deref(), "", None, number)),
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
    let link = external_link(
        candidate.web_url.as_deref(),
        "long",
        None,
        view! { <bdi>{text}</bdi> },
    );
    let matched_by = labels::matched_by(app, candidate);
    view! { <span class="run-entry">{link}<small class="quiet">{matched_by}</small></span> }
        .into_any()
}
