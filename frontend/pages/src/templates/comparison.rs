//! Two versions of a template side by side: what is new, different, gone or elsewhere, and which
//! words changed.
//!
//! Colour only supports: every difference is told in words, and marked words are `ins` and `del`.

use checklist_shared::template::{OnTextChange, Template, TemplateItem};
use checklist_shared::wire::admin::TemplateHistory;
use leptos::prelude::*;

use crate::api;
use crate::app::App;
use crate::compare::{
    Case, Difference, Piece, Tally, differences, languages, tally, words as compared,
};
use crate::element::{El, all, el, live};
use crate::navigation::link;
use crate::parts::field::{Field, switch};
use crate::parts::head::{empty, head};
use crate::parts::load::loaded;
use crate::route::{Route, encoded};
use crate::wording::{Wording, counted, fill};

/// The draft, among versions that have numbers.
const DRAFT: u32 = 0;

/// The page.
pub fn page(app: App, id: String) -> AnyView {
    let words = app.language.templates();
    let path = ["Templates/", &encoded(&id)].concat();
    let read = move || {
        let path = path.clone();
        async move { api::get::<TemplateHistory>(app, &path).await }
    };
    let crumbs = el("p")
        .class("crumbs")
        .el(link("quiet-link", &Route::Template(id.clone())).text(["← ", &id].concat()));
    all(vec![
        crumbs.view(),
        head(app, words.compare, None, Vec::new()).view(),
        loaded(app, read, move |history| choose(app, history)),
    ])
}

/// Which versions there are, newest first; the draft stands before them.
fn choose(app: App, history: TemplateHistory) -> AnyView {
    let words = app.language.templates();
    let draft = history.draft.as_ref().map(|draft| {
        (
            DRAFT,
            fill(words.draft_of, &[("n", &draft.version.to_string())]),
        )
    });
    let published = history.versions.iter().map(|version| {
        (
            version.version,
            fill(words.version, &[("n", &version.version.to_string())]),
        )
    });
    let versions: Vec<(u32, String)> = draft.into_iter().chain(published).collect();
    let (Some((newest, _)), Some((before, _))) = (versions.first(), versions.get(1)) else {
        return empty(words.compare, words.compare_one, Vec::new()).view();
    };
    let (from, to, same) = (
        RwSignal::new(*before),
        RwSignal::new(*newest),
        RwSignal::new(false),
    );
    let options = move |versions: &[(u32, String)]| {
        versions
            .iter()
            .map(|(number, name)| (number.to_string(), name.clone()))
            .collect::<Vec<_>>()
    };
    let pick = |id: &'static str, label: &'static str, chosen: RwSignal<u32>| {
        Field::new(id, label).choice(
            options(&versions),
            &chosen.get_untracked().to_string(),
            move |number| {
                chosen.set(number.parse().unwrap_or(DRAFT));
            },
        )
    };
    let choices = el("div")
        .class("card compare-bar")
        .el(pick("compare-from", words.compare_from, from))
        .el(pick("compare-to", words.compare_to, to))
        .el(switch(
            words.show_same,
            None,
            move || same.get(),
            move |on| same.set(on),
        ));
    let shown = live(move || {
        let (from, to, history) = (from.get(), to.get(), history.clone());
        let read = move || {
            let history = history.clone();
            async move {
                Ok((
                    version(app, &history, from).await?,
                    version(app, &history, to).await?,
                ))
            }
        };
        loaded(app, read, move |(before, after)| {
            live(move || table(app, &before, &after, same.get()))
        })
    });
    all(vec![choices.view(), shown])
}

async fn version(
    app: App,
    history: &TemplateHistory,
    number: u32,
) -> Result<Template, api::ApiError> {
    let here = [
        history.draft.as_ref().filter(|_| number == DRAFT),
        history
            .published
            .as_ref()
            .filter(|published| published.version == number),
    ];
    if let Some(template) = here.into_iter().flatten().next() {
        return Ok(template.clone());
    }
    api::get(
        app,
        &format!("Template/{}?Version={number}", encoded(&history.id)),
    )
    .await
}

fn table(app: App, before: &Template, after: &Template, same: bool) -> AnyView {
    let words = app.language.templates();
    let rows = differences(before, after);
    let about = template_changes(app, before, after);
    if about.is_empty() && rows.iter().all(|row| row.case == Case::Same) && !same {
        return el("p")
            .class("card nothing quiet")
            .attr("role", "status")
            .text(words.compare_same)
            .view();
    }
    let items = rows
        .iter()
        .filter(|row| same || row.case != Case::Same)
        .map(|row| difference(app, before, after, row));
    let about = (!about.is_empty()).then(|| {
        el("section")
            .class("card panel")
            .el(el("h2").class("panel-title padded").text(words.settings))
            .el(el("dl").class("changes").els(about))
    });
    all(vec![
        summary(app, tally(&rows)).attr("role", "status").view(),
        el("div").maybe(about).view(),
        el("ol").class("differences card").els(items).view(),
    ])
}

/// For example "2 added, 1 changed".
pub fn summary(app: App, tally: Tally) -> El {
    let (language, words) = (app.language, app.language.templates());
    let told = [
        (tally.added, words.added_one),
        (tally.changed, words.changed_one),
        (tally.removed, words.removed_one),
        (tally.moved, words.moved_one),
    ];
    let parts: Vec<String> = told
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, text)| counted(language, u64::from(count), text, text))
        .collect();
    let text = if parts.is_empty() {
        words.compare_same.to_owned()
    } else {
        parts.join(", ")
    };
    el("p").class("tally").text(text)
}

fn template_changes(app: App, before: &Template, after: &Template) -> Vec<El> {
    let words = app.language.templates();
    let mut changes: Vec<El> = Vec::new();
    for (label, was, is) in [
        (words.name, Some(&before.name), Some(&after.name)),
        (
            words.description,
            before.description.as_ref(),
            after.description.as_ref(),
        ),
    ] {
        changes.extend(
            languages(was, is)
                .into_iter()
                .flat_map(|(tag, was, is)| texts(label, tag, was, is)),
        );
    }
    if before.completion_rule != after.completion_rule {
        let said = |rule| {
            if rule == checklist_shared::template::CompletionRule::All {
                words.completion_all
            } else {
                words.completion_required
            }
        };
        changes.extend(values(
            app,
            words.completion,
            said(before.completion_rule),
            said(after.completion_rule),
        ));
    }
    if before.refresh_policy != after.refresh_policy {
        let said = |policy| {
            if policy == checklist_shared::template::RefreshPolicy::Manual {
                words.refresh_manual
            } else {
                words.refresh_auto
            }
        };
        changes.extend(values(
            app,
            words.refresh,
            said(before.refresh_policy),
            said(after.refresh_policy),
        ));
    }
    changes
}

fn difference(app: App, before: &Template, after: &Template, row: &Difference<'_>) -> El {
    let words = app.language.templates();
    let (class, case) = match row.case {
        Case::Added => ("difference added", words.case_added),
        Case::Removed => ("difference removed", words.case_removed),
        Case::Changed => ("difference differs", words.case_changed),
        Case::Moved => ("difference moved", words.case_moved),
        Case::Same => ("difference", words.case_same),
    };
    let also = (row.moved && row.case == Case::Changed)
        .then(|| el("span").class("pill").text(words.case_moved));
    let item = row.after.or(row.before);
    let text = item
        .and_then(|item| item.text.resolve(&[app.language.tag()]))
        .map_or("", |(_, text)| text);
    let details = match (row.before, row.after) {
        (Some(was), Some(is)) => item_changes(app, before, after, was, is),
        _ => Vec::new(),
    };
    let details = (!details.is_empty()).then(|| el("dl").class("changes").els(details));
    el("li")
        .class(class)
        .el(el("div")
            .class("difference-head")
            .el(el("span").class("pill").text(case))
            .maybe(also)
            .el(el("span")
                .class("difference-text")
                .attr("dir", "auto")
                .text(text.to_owned()))
            .el(el("code").class("id").text(row.key().to_owned())))
        .maybe(details)
}

fn item_changes(
    app: App,
    before: &Template,
    after: &Template,
    was: &TemplateItem,
    is: &TemplateItem,
) -> Vec<El> {
    let words = app.language.templates();
    let mut changes: Vec<El> = Vec::new();
    for (label, was, is) in [
        (words.text, Some(&was.text), Some(&is.text)),
        (words.help, was.help.as_ref(), is.help.as_ref()),
    ] {
        changes.extend(
            languages(was, is)
                .into_iter()
                .flat_map(|(tag, was, is)| texts(label, tag, was, is)),
        );
    }
    let yes = |on: bool| if on { words.yes } else { words.no };
    let change = |rule| match rule {
        OnTextChange::Keep => words.on_change_keep,
        OnTextChange::Flag => words.on_change_flag,
        OnTextChange::Reopen => words.on_change_reopen,
    };
    let kind = |kind| match kind {
        checklist_shared::item::Kind::Item => words.kind_item,
        checklist_shared::item::Kind::Section => words.kind_section,
        checklist_shared::item::Kind::Info => words.kind_info,
    };
    let section = |template: &Template, item: &TemplateItem| {
        let section = item.parent_key.as_ref().and_then(|key| template.item(key));
        section
            .and_then(|section| section.text.resolve(&[app.language.tag()]))
            .map_or_else(|| words.none.to_owned(), |(_, text)| text.to_owned())
    };
    let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| words.none.to_owned());
    let fields = [
        (words.section, section(before, was), section(after, is)),
        (
            words.required,
            yes(was.required).to_owned(),
            yes(is.required).to_owned(),
        ),
        (
            words.allow_na,
            yes(was.allow_not_applicable).to_owned(),
            yes(is.allow_not_applicable).to_owned(),
        ),
        (
            words.na_reason,
            yes(was.not_applicable_needs_reason).to_owned(),
            yes(is.not_applicable_needs_reason).to_owned(),
        ),
        (
            words.on_change,
            change(was.on_text_change).to_owned(),
            change(is.on_text_change).to_owned(),
        ),
        (
            words.role,
            or_none(&was.assignee_role),
            or_none(&is.assignee_role),
        ),
        (words.due, or_none(&was.due_offset), or_none(&is.due_offset)),
        (
            words.items,
            kind(was.kind).to_owned(),
            kind(is.kind).to_owned(),
        ),
    ];
    changes.extend(
        fields
            .into_iter()
            .filter(|(_, was, is)| was != is)
            .flat_map(|(label, was, is)| values(app, label, &was, &is)),
    );
    changes
}

/// A text with its words marked.
fn texts(label: &'static str, tag: &str, was: &str, is: &str) -> [El; 2] {
    let pieces = compared(was, is)
        .into_iter()
        .map(|(kind, text)| match kind {
            Piece::Same => el("span").text(text),
            Piece::Gone => el("del").text(text),
            Piece::New => el("ins").text(text),
        });
    let marked = el("dd")
        .attr("lang", tag.to_owned())
        .attr("dir", "auto")
        .class("marked")
        .els(pieces);
    [el("dt").text(format!("{label} ({tag})")), marked]
}

fn values(app: App, label: &'static str, was: &str, is: &str) -> [El; 2] {
    let words = app.language.templates();
    let value = el("dd")
        .el(el("span").class("quiet").text([words.was, " "].concat()))
        .el(el("del").text(was.to_owned()))
        .el(el("span")
            .class("quiet")
            .text([", ", words.is, " "].concat()))
        .el(el("ins").text(is.to_owned()));
    [el("dt").text(label), value]
}
