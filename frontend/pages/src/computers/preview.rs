//! What an import would change: the counts, the rows with errors, and the changes.

use checklist_shared::wire::computers::{FieldChange, ImportAnswer, ImportChange, ImportOutcome};

use super::labels;
use crate::kit::*;

/// How many rows of a kind are drawn.
const MAX_ROWS: usize = 200;

/// What an import would change.
pub fn view(app: App, answer: &ImportAnswer) -> AnyView {
    let words = app.language.computers();
    let counts = [
        (words.would_create, answer.created),
        (words.would_update, answer.updated),
        (words.unchanged, answer.unchanged),
        (words.with_errors, answer.failed),
    ];
    let counts = counts.map(|(name, count)| {
        view! { <div class="count"><dt>{name}</dt><dd>{count}</dd></div> }.into_any()
    });
    let part = |title, is_open, outcome, count, row| {
        let rows = answer.changes.iter();
        let rows = rows.filter(|change| change.outcome == outcome);
        part(app, title, is_open, count, rows.take(MAX_ROWS), row)
    };
    let is_valid = answer.failed == 0;
    view! {
        <dl class="counts">{Vec::from(counts)}</dl>
        {verdict(app, answer)}
        {part(words.rows_with_errors, true, ImportOutcome::Failed, answer.failed, errors)}
        {part(words.changed_rows, is_valid, ImportOutcome::Updated, answer.updated, changes)}
        {part(words.new_rows, false, ImportOutcome::Created, answer.created, |_, _| ().into_any())}
    }
    .into_any()
}

fn verdict(app: App, answer: &ImportAnswer) -> AnyView {
    let words = app.language.computers();
    if answer.failed > 0 {
        let failed = answer.failed.into();
        let text = counted(app.language, failed, words.errors);
        view! { <p class="notice danger" role="alert">{text}</p> }.into_any()
    } else if answer.created + answer.updated == 0 {
        view! { <p class="notice">{words.nothing_changes}</p> }.into_any()
    } else {
        view! { <p class="notice fine">{words.no_errors}</p> }.into_any()
    }
}

/// What was imported, in a sentence.
#[must_use]
pub fn imported(app: App, answer: &ImportAnswer) -> String {
    let (created, updated) = (answer.created.to_string(), answer.updated.to_string());
    let text = app.language.computers().imported;
    fill(text, &[("created", &created), ("updated", &updated)])
}

/// Rows of one kind, folded away unless they matter most.
fn part<'a>(
    app: App,
    title: &'static str,
    is_open: bool,
    count: u32,
    rows: impl Iterator<Item = &'a ImportChange>,
    details: fn(App, &ImportChange) -> AnyView,
) -> Option<AnyView> {
    let words = app.language.computers();
    let rows: Vec<_> = rows
        .map(|row| {
            let number = fill(words.row, &[("n", &row.row.to_string())]);
            view! {
                <li>
                    <p class="import-row">
                        <strong><bdi>{row.name.clone()}</bdi></strong>
                        <span class="id">{row.id.clone()}</span>
                        <span class="quiet">{number}</span>
                    </p>
                    {details(app, row)}
                </li>
            }
        })
        .collect();
    let rest = (count as usize).saturating_sub(rows.len());
    let rest = (rest > 0).then(|| {
        let text = fill(words.and_more, &[("n", &rest.to_string())]);
        view! { <p class="quiet">{text}</p> }
    });
    (count > 0).then(|| {
        view! {
            <details class="import-part" open=is_open>
                <summary>{format!("{title} ({count})")}</summary>
                <ul class="import-faults">{rows}</ul>
                {rest}
            </details>
        }
        .into_any()
    })
}

fn errors(app: App, row: &ImportChange) -> AnyView {
    let errors = row.errors.iter().map(|error| {
        let field = labels::error_field(app, error);
        let field = field.map(|field| view! { <strong>{field}": "</strong> });
        view! { <p>{field}<span>{labels::error_text(app, error)}</span></p> }
    });
    errors.collect::<Vec<_>>().into_any()
}

fn changes(app: App, row: &ImportChange) -> AnyView {
    let value = |change: &FieldChange, value: &Option<String>| match value {
        Some(text) => labels::field_value(app, change.field, text),
        None => app.language.computers().empty_value.to_owned(),
    };
    let changes = row.fields.iter().map(|change| {
        let (before, after) = (value(change, &change.before), value(change, &change.after));
        view! {
            <dt>{labels::field_name(app, change.field)}</dt>
            <dd><del>{before}</del>" "<ins>{after}</ins></dd>
        }
    });
    view! { <dl class="changes">{changes.collect::<Vec<_>>()}</dl> }.into_any()
}
