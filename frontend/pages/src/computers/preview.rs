//! What an import would do: the counts, what is wrong row by row, and what changes.

use checklist_shared::wire::computers::{FieldChange, ImportAnswer, ImportChange, ImportOutcome};
use leptos::prelude::*;

use super::told;
use crate::app::App;
use crate::element::{El, all, el};
use crate::wording::{Wording, counted, fill};

/// How many rows of a kind are drawn.
const DRAWN: usize = 200;

/// Everything that is told before an import.
pub fn view(app: App, answer: &ImportAnswer) -> AnyView {
    let words = app.language.computers();
    let of = |outcome: ImportOutcome| -> Vec<&ImportChange> {
        let changes = answer.changes.iter();
        changes.filter(|change| change.outcome == outcome).collect()
    };
    let counts = [
        (words.would_create, answer.created),
        (words.would_update, answer.updated),
        (words.stays, answer.unchanged),
        (words.is_wrong, answer.failed),
    ];
    let facts = counts.map(|(name, count)| {
        el("div")
            .class("count")
            .el(el("dt").text(name))
            .el(el("dd").text(count.to_string()))
    });
    let verdict = if answer.failed > 0 {
        el("p")
            .class("notice danger")
            .attr("role", "alert")
            .text(counted(
                app.language,
                answer.failed.into(),
                words.wrong_one,
                words.wrong_other,
            ))
    } else if answer.created + answer.updated == 0 {
        el("p").class("notice").text(words.nothing_changes)
    } else {
        el("p").class("notice fine").text(words.all_well)
    };
    all(vec![
        el("dl").class("counts").els(facts).view(),
        verdict.view(),
        part(
            app,
            words.wrong_rows,
            true,
            answer.failed,
            &of(ImportOutcome::Failed),
            fault,
        )
        .view(),
        part(
            app,
            words.changed_rows,
            answer.failed == 0,
            answer.updated,
            &of(ImportOutcome::Updated),
            change,
        )
        .view(),
        part(
            app,
            words.new_rows,
            false,
            answer.created,
            &of(ImportOutcome::Created),
            new,
        )
        .view(),
    ])
}

/// What was imported, in a sentence.
#[must_use]
pub fn done(app: App, answer: &ImportAnswer) -> String {
    fill(
        app.language.computers().imported,
        &[
            ("created", &answer.created.to_string()),
            ("updated", &answer.updated.to_string()),
        ],
    )
}

/// Rows of one kind, folded away unless they matter most.
fn part(
    app: App,
    title: &'static str,
    open: bool,
    count: u32,
    rows: &[&ImportChange],
    draw: fn(App, &ImportChange) -> El,
) -> El {
    if count == 0 {
        return el("span").flag("hidden", true);
    }
    let words = app.language.computers();
    let drawn = rows.len().min(DRAWN);
    let rest = usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_sub(drawn);
    let more = (rest > 0).then(|| {
        el("p")
            .class("quiet")
            .text(fill(words.and_more, &[("n", &rest.to_string())]))
    });
    el("details")
        .class("import-part")
        .flag("open", open)
        .el(el("summary").text(format!("{title} ({count})")))
        .el(el("ul")
            .class("import-faults")
            .els(rows.iter().take(DRAWN).map(|row| draw(app, row))))
        .maybe(more)
}

/// A row by its number, its name and its id.
fn title(app: App, row: &ImportChange) -> El {
    let words = app.language.computers();
    let number = fill(words.row, &[("n", &row.row.to_string())]);
    el("p")
        .class("import-row")
        .el(el("strong").el(el("bdi").text(row.name.clone())))
        .el(el("span").class("id").text(row.id.clone()))
        .el(el("span").class("quiet").text(number))
}

fn fault(app: App, row: &ImportChange) -> El {
    let faults = row.errors.iter().map(|error| {
        let place = told::place(app, error);
        let place = (!place.is_empty()).then(|| el("strong").text([&place, ": "].concat()));
        el("p")
            .maybe(place)
            .el(el("span").text(told::wrong(app, error)))
    });
    el("li").el(title(app, row)).els(faults)
}

fn change(app: App, row: &ImportChange) -> El {
    let value = |change: &FieldChange, value: &Option<String>| match value {
        Some(text) => told::field_value(app, change.field, text),
        None => app.language.computers().nothing.to_owned(),
    };
    let changes = row.fields.iter().flat_map(|change| {
        [
            el("dt").text(told::field_name(app, change.field)),
            el("dd")
                .el(el("del").text(value(change, &change.before)))
                .text(" ")
                .el(el("ins").text(value(change, &change.after))),
        ]
    });
    el("li")
        .el(title(app, row))
        .el(el("dl").class("changes").els(changes))
}

fn new(app: App, row: &ImportChange) -> El {
    el("li").el(title(app, row))
}
