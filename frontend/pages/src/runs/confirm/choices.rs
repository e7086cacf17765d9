//! Ambiguous computers: the entries to choose from, a new one, or a later decision.

use checklist_shared::wire::workflow::{Candidate, RunComputer};

use crate::kit::*;
use crate::runs::answer::Answer;
use crate::runs::labels;
use crate::runs::state::RunPage;

/// How many computers are listed at a time.
const PAGE_SIZE: usize = 25;

/// The choices of each computer.
pub fn choices(
    page: RunPage,
    answer: RwSignal<Answer>,
    rows: Vec<RunComputer>,
    has_title: bool,
) -> AnyView {
    let words = page.app.language.runs();
    let title = has_title.then(|| view! { <h3 class="run-sub">{words.ambiguous}</h3> });
    let limit = RwSignal::new(PAGE_SIZE);
    let has_more = {
        let count = rows.len();
        move || limit.get() < count
    };
    let rows = StoredValue::new(rows);
    let each =
        move || rows.with_value(|rows| rows.iter().take(limit.get()).cloned().collect::<Vec<_>>());
    let more = move || {
        let more = move || limit.update(|limit| *limit += PAGE_SIZE);
        let label = page.app.language.frame().load_more;
        has_more().then(|| {
            view! { <div class="buttons"><Button label class="outlined" click=more /></div> }
        })
    };
    view! {
        <div class="form-fields">
            {title}
            <p class="hint">{words.ambiguous_hint}</p>
            <For each key=|row| row.index children=move |row| choice(page, answer, &row) />
            {more}
        </div>
    }
    .into_any()
}

fn choice(page: RunPage, answer: RwSignal<Answer>, row: &RunComputer) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    let is_dry_run = page.run.with_untracked(|run| run.dry_run);
    let option = |choice, label| option(answer, row, choice, label);
    let candidates = row.candidates.iter().map(|entry| {
        let (name, matched_by) = (
            labels::entry_name(app, entry),
            labels::matched_by(app, entry),
        );
        let label = view! { <span><bdi>{name}</bdi><small class="quiet">" "{matched_by}</small></span> };
        view! {
            <div class="run-pick">{option(Some(Some(entry.item_id)), label.into_any())}{arrow(app, entry)}</div>
        }
    });
    let candidates: Vec<_> = candidates.collect();
    let other = |choice, text| {
        let label = view! { <span>{text}</span> }.into_any();
        view! { <div class="run-pick">{option(choice, label)}</div> }
    };
    view! {
        <fieldset class="run-choice">
            <legend><bdi class="run-name">{row.name.clone()}</bdi></legend>
            {labels::reason(app, "hint", is_dry_run, row)}
            {candidates}
            {other(Some(None), words.none_of_them)}
            {other(None, words.later)}
        </fieldset>
    }
    .into_any()
}

/// The link to an entry.
fn arrow(app: App, entry: &Candidate) -> Option<AnyView> {
    let number = entry.item_id.to_string();
    let name = fill(app.language.runs().open_entry, &[("n", &number)]);
    let address = entry.web_url.as_deref()?;
    Some(external_link(Some(address), "quiet-link", Some(name), "↗"))
}

/// A choice: an entry, a new one (`Some(None)`), or a later decision (`None`).
fn option(
    answer: RwSignal<Answer>,
    row: &RunComputer,
    choice: Option<Option<i64>>,
    label: AnyView,
) -> AnyView {
    let (id, own) = (row.computer_id.clone(), row.computer_id.clone());
    let is_chosen = move || answer.with(|answer| answer.choices.get(&id).copied() == choice);
    let choose = move |_| {
        answer.update(|answer| {
            match choice {
                Some(choice) => answer.choices.insert(own.clone(), choice),
                None => answer.choices.remove(&own),
            };
        });
    };
    let name = format!("choice-{}", row.index);
    view! {
        <label class="tick">
            <input type="radio" name=name class="box" prop:checked=is_chosen on:change=choose />
            {label}
        </label>
    }
    .into_any()
}
