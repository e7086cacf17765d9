//! Two versions of a template side by side: what is new, different, gone or elsewhere, and which
//! words changed.
//!
//! Colour only supports: every difference is said in words, and marked words are `ins` and `del`.

use checklist_control::preview::condition::{condition_text, number_text};
use checklist_shared::answer::{AnswerFormat, AnswerType};
use checklist_shared::calendar::Calendar;
use checklist_shared::date::Date;
use checklist_shared::definition::DefinitionField;
use checklist_shared::facts::FactNumber;
use checklist_shared::item::Kind;
use checklist_shared::signal::SignalBinding;
use checklist_shared::template::{
    CompletionRule, CountedIn, OnTextChange, RefreshPolicy, Template, TemplateItem,
};
use checklist_shared::text::LanguageMap;
use checklist_shared::wire::admin::TemplateHistory;

use super::calendar_form::weekday;
use crate::compare::{
    Case, Difference, Piece, differences, languages, side_by_side, words as compare_words,
};
use crate::duration::{counted_in_words, in_words};
use crate::kit::*;

/// The draft, in a choice of versions by their numbers.
const DRAFT: &str = "0";

/// The page.
pub fn page(app: App, id: String) -> AnyView {
    let path = ["Templates/", &encoded(&id)].concat();
    let title = app.language.templates().compare;
    view! {
        <p class="crumbs">
            <PageLink to=Route::Template(id.clone()) class="quiet-link">{["← ", &id].concat()}</PageLink>
        </p>
        <PageHead title />
        {load_from(path, move |history| choice(app, history))}
    }
    .into_any()
}

/// The choice of two versions, the newest first, and what differs between them.
fn choice(app: App, history: TemplateHistory) -> AnyView {
    let words = app.language.templates();
    let draft = history.draft.as_ref().map(|draft| {
        let number = draft.version.to_string();
        (DRAFT.to_owned(), fill(words.draft_of, &[("n", &number)]))
    });
    let published = history.versions.iter().map(|version| {
        let number = version.version.to_string();
        let label = fill(words.version, &[("n", &number)]);
        (number, label)
    });
    let versions: Vec<(String, String)> = draft.into_iter().chain(published).collect();
    let [(newest, _), (previous, _), ..] = versions.as_slice() else {
        return view! { <Empty title=words.compare hint=words.compare_one /> }.into_any();
    };
    let from = RwSignal::new(previous.clone());
    let to = RwSignal::new(newest.clone());
    let with_unchanged = RwSignal::new(false);
    let unchanged = Flag::new(
        move || with_unchanged.get(),
        move |on| with_unchanged.set(on),
    );
    let read = move || {
        let (from, to, history) = (from.get(), to.get(), history.clone());
        async move {
            let before = read_version(app, &history, &from).await?;
            Ok((before, read_version(app, &history, &to).await?))
        }
    };
    view! {
        <div class="card compare-bar">
            <Select bind=Binding::signal("compare-from", from) label=words.compare_from options=versions.clone() />
            <Select bind=Binding::signal("compare-to", to) label=words.compare_to options=versions />
            <Switch bind=unchanged label=words.show_same />
        </div>
        {load(read, move |(before, after): (Template, Template)| {
            move || comparison(app, &before, &after, with_unchanged.get())
        })}
    }
    .into_any()
}

async fn read_version(
    app: App,
    history: &TemplateHistory,
    number: &str,
) -> Result<Template, ApiError> {
    let draft = history.draft.as_ref().filter(|_| number == DRAFT);
    let published = history.published.as_ref();
    let published = published.filter(|published| published.version.to_string() == number);
    if let Some(template) = draft.or(published) {
        return Ok(template.clone());
    }
    let call = format!("Template/{}?Version={number}", encoded(&history.id));
    api::get(app, &call).await
}

fn comparison(app: App, before: &Template, after: &Template, with_unchanged: bool) -> AnyView {
    let words = app.language.templates();
    let rows = differences(before, after);
    let changes = template_changes(app, before, after);
    let is_same = changes.is_empty() && rows.iter().all(|row| row.case == Case::Same);
    if is_same && !with_unchanged {
        return view! { <p class="card nothing quiet" role="status">{words.compare_same}</p> }
            .into_any();
    }
    let items = rows
        .iter()
        .filter(|row| with_unchanged || row.case != Case::Same)
        .map(|row| difference(app, before, after, row));
    let items: Vec<AnyView> = items.collect();
    let settings = (!changes.is_empty()).then(|| {
        view! {
            <section class="card panel">
                <h2 class="panel-title padded">{words.settings}</h2>
                <dl class="changes">{changes}</dl>
            </section>
        }
    });
    view! {
        <p class="tally" role="status">{summary(app, &rows, false)}</p>
        <div>{settings}</div>
        <ol class="differences card">{items}</ol>
    }
    .into_any()
}

/// The most names of a case that are shown.
const MOST_NAMES: usize = 3;

/// For example "2 added, 1 changed"; with names "1 changed: “Call the team”".
pub fn summary(app: App, rows: &[Difference<'_>], with_names: bool) -> String {
    let words = app.language.templates();
    let cases = [
        (Case::Added, words.added_one),
        (Case::Changed, words.changed_one),
        (Case::Removed, words.removed_one),
        (Case::Moved, words.moved_one),
    ];
    let cases = cases.into_iter().filter_map(|(case, text)| {
        let of_case: Vec<_> = rows.iter().filter(|row| row.case == case).collect();
        let count = fill(text, &[("n", &of_case.len().to_string())]);
        let names = of_case.iter().take(MOST_NAMES).filter_map(|row| {
            let text = text_of(app, row.after.or(row.before)?);
            Some(fill(words.quoted, &[("text", &text)]))
        });
        let names = names.collect::<Vec<_>>().join(", ");
        let more = if of_case.len() > MOST_NAMES {
            " …"
        } else {
            ""
        };
        match (of_case.is_empty(), with_names) {
            (true, _) => None,
            (false, false) => Some(count),
            (false, true) => Some([&count, ": ", &names, more].concat()),
        }
    });
    let cases: Vec<String> = cases.collect();
    if cases.is_empty() {
        words.compare_same.to_owned()
    } else {
        cases.join(if with_names { "; " } else { ", " })
    }
}

fn template_changes(app: App, before: &Template, after: &Template) -> Vec<AnyView> {
    let words = app.language.templates();
    let completion = |template: &Template| match template.completion_rule {
        CompletionRule::All => words.completion_all.to_owned(),
        CompletionRule::Required => words.completion_required.to_owned(),
    };
    let refresh = |template: &Template| match template.refresh_policy {
        RefreshPolicy::Manual => words.refresh_manual.to_owned(),
        RefreshPolicy::Auto => words.refresh_auto.to_owned(),
    };
    let notice = |template: &Template| {
        let notice = template.due_notice.as_ref();
        notice.map_or_else(
            || words.none.to_owned(),
            |notice| in_words(app.language.tag(), notice),
        )
    };
    let from = |template: &Template| {
        let from = template.due_from.clone();
        from.unwrap_or_else(|| words.none.to_owned())
    };
    let calendar = |template: &Template| {
        let calendar = template.calendar.as_ref();
        calendar.map_or_else(
            || words.none.to_owned(),
            |calendar| calendar_text(app, calendar),
        )
    };
    let changeable = |template: &Template| {
        let names = template.changeable.iter().map(|field| match field {
            DefinitionField::Kind => words.changeable_kind,
            DefinitionField::Required => words.changeable_required,
            DefinitionField::Help => words.changeable_help,
        });
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            words.none.to_owned()
        } else {
            names.join("; ")
        }
    };
    let descriptions = (before.description.as_ref(), after.description.as_ref());
    let mut changes = text_changes(words.name, Some(&before.name), Some(&after.name));
    changes.extend(text_changes(
        words.description,
        descriptions.0,
        descriptions.1,
    ));
    changes.extend(value_changes(
        app,
        [
            (words.completion, completion(before), completion(after)),
            (words.refresh, refresh(before), refresh(after)),
            (words.notice, notice(before), notice(after)),
            (words.due_from, from(before), from(after)),
            (words.calendar, calendar(before), calendar(after)),
            (words.changeable, changeable(before), changeable(after)),
        ],
    ));
    changes
}

/// What the time until an item is due is counted in.
pub fn counted_in(app: App, counted_in: CountedIn) -> &'static str {
    let words = app.language.templates();
    match counted_in {
        CountedIn::Time => words.in_time,
        CountedIn::Days => words.in_days,
        CountedIn::WorkingTime => words.in_working_time,
        CountedIn::WorkingDays => words.in_working_days,
    }
}

/// A calendar in one line: zone, days, hours, holidays.
fn calendar_text(app: App, calendar: &Calendar) -> String {
    let days = (calendar.working_days.iter()).map(|day| weekday(app, *day));
    let days = days.collect::<Vec<_>>().join(", ");
    let hours = calendar.working_hours;
    let hours = hours.map(|hours| format!("{}–{}", hours.start, hours.end));
    let holidays = calendar.holidays.iter().map(Date::to_string);
    let holidays = holidays.collect::<Vec<_>>().join(", ");
    let parts = [
        Some(calendar.time_zone.clone()),
        Some(days),
        hours,
        Some(holidays),
    ];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("; ")
}

fn difference(app: App, before: &Template, after: &Template, row: &Difference<'_>) -> AnyView {
    let words = app.language.templates();
    let (class, case) = match row.case {
        Case::Added => ("difference added", words.case_added),
        Case::Removed => ("difference removed", words.case_removed),
        Case::Changed => ("difference differs", words.case_changed),
        Case::Moved => ("difference moved", words.case_moved),
        Case::Same => ("difference", words.case_same),
    };
    let moved = row.moved && row.case == Case::Changed;
    let text = row.after.or(row.before);
    let text = text.map_or_else(String::new, |item| text_of(app, item));
    let changes = match (row.before, row.after) {
        (Some(old), Some(new)) => item_changes(app, (before, old), (after, new)),
        _ => Vec::new(),
    };
    let key = row.key().to_owned();
    view! {
        <li class=class>
            <div class="difference-head">
                {pill("", case)}
                {moved.then(|| pill("", words.case_moved))}
                <span class="difference-text" dir="auto">{text}</span>
                <code class="id">{key}</code>
            </div>
            {(!changes.is_empty()).then(|| view! { <dl class="changes">{changes}</dl> })}
        </li>
    }
    .into_any()
}

fn text_of(app: App, item: &TemplateItem) -> String {
    let text = item.text.resolve(&[app.language.tag()]);
    text.map_or_else(String::new, |(_, text)| text.to_owned())
}

/// What changed of an item, each with the template that it is in.
fn item_changes(
    app: App,
    before: (&Template, &TemplateItem),
    after: (&Template, &TemplateItem),
) -> Vec<AnyView> {
    let words = app.language.templates();
    let (old, new) = (before.1, after.1);
    let mut changes = text_changes(words.text, Some(&old.text), Some(&new.text));
    changes.extend(text_changes(
        words.help,
        old.help.as_ref(),
        new.help.as_ref(),
    ));
    let none = || words.none.to_owned();
    let values = |(template, item): (&Template, &TemplateItem)| {
        let yes = |on: bool| if on { words.yes } else { words.no }.to_owned();
        let section = item.parent_key.as_ref().and_then(|key| template.item(key));
        let on_change = match item.on_text_change {
            OnTextChange::Keep => words.on_change_keep,
            OnTextChange::Flag => words.on_change_flag,
            OnTextChange::Reopen => words.on_change_reopen,
        };
        let kind = match item.kind {
            Kind::Item => words.kind_item,
            Kind::Section => words.kind_section,
            Kind::Info => words.kind_info,
        };
        [
            (
                words.section,
                section.map_or_else(none, |section| text_of(app, section)),
            ),
            (words.required, yes(item.required)),
            (words.allow_na, yes(item.allow_not_applicable)),
            (words.na_reason, yes(item.not_applicable_needs_reason)),
            (words.needs_person, yes(item.needs_person)),
            (words.second_person, yes(item.second_person)),
            (words.requires_evidence, yes(item.requires_evidence)),
            (
                words.answer,
                (item.answer_format.as_ref()).map_or_else(none, |format| answer_text(app, format)),
            ),
            (
                words.signal,
                (item.signal.as_ref()).map_or_else(none, |signal| signal_text(app, signal)),
            ),
            (
                words.when,
                (item.when.as_ref()).map_or_else(none, |when| condition_text(app.language, when)),
            ),
            (words.on_change, on_change.to_owned()),
            (words.role, item.assignee_role.clone().unwrap_or_else(none)),
            (
                words.due,
                (item.due_offset.as_ref()).map_or_else(none, |due| {
                    counted_in_words(app.language.tag(), due, item.due_counted_in)
                }),
            ),
            (
                words.counted_in,
                counted_in(app, item.due_counted_in).to_owned(),
            ),
            (words.kind, kind.to_owned()),
        ]
    };
    let pairs = values(before).into_iter().zip(values(after));
    changes.extend(value_changes(
        app,
        pairs.map(|((label, old), (_, new))| (label, old, new)),
    ));
    let formats = (old.answer_format.as_ref(), new.answer_format.as_ref());
    changes.extend(answer_changes(app, formats.0, formats.1));
    changes
}

/// The unit and the choices that differ, in each language.
fn answer_changes(
    app: App,
    before: Option<&AnswerFormat>,
    after: Option<&AnswerFormat>,
) -> Vec<AnyView> {
    let words = app.language.templates();
    let units = |format: Option<&AnswerFormat>| {
        side_by_side(format.and_then(|format| format.unit.as_ref()).into_iter())
    };
    let choices = |format: Option<&AnswerFormat>| {
        let choices = format.map_or(&[][..], |format| &format.choices);
        side_by_side(choices.iter().map(|choice| &choice.text))
    };
    let mut changes = text_changes(words.unit, Some(&units(before)), Some(&units(after)));
    let (before, after) = (choices(before), choices(after));
    changes.extend(text_changes(words.choices, Some(&before), Some(&after)));
    changes
}

/// What is asked for in one line: the type and the bounds.
fn answer_text(app: App, format: &AnswerFormat) -> String {
    let words = app.language.templates();
    let kind = match format.kind {
        AnswerType::Text => words.answer_text,
        AnswerType::Number => words.answer_number,
        AnswerType::Choice => words.answer_choice,
    };
    let bound = |sign: &str, number: Option<FactNumber>| {
        number.map(|number| [sign, " ", &number_text(app.language, number)].concat())
    };
    let bounds = [bound("≥", format.min), bound("≤", format.max)];
    let bounds = bounds.into_iter().flatten();
    let parts: Vec<String> = std::iter::once(kind.to_owned()).chain(bounds).collect();
    parts.join(" · ")
}

/// A signal in one line: the system, its key and the time until it is out of date.
fn signal_text(app: App, signal: &SignalBinding) -> String {
    let stale_after = signal.stale_after.as_ref();
    let stale_after = stale_after.map(|time| in_words(app.language.tag(), time));
    let parts = [signal.source.clone(), signal.key.clone()];
    let parts: Vec<String> = parts.into_iter().chain(stale_after).collect();
    parts.join(" · ")
}

/// A text in each language that differs, with its words marked; one of no language in particular is
/// labelled with none.
fn text_changes(
    label: &'static str,
    before: Option<&LanguageMap>,
    after: Option<&LanguageMap>,
) -> Vec<AnyView> {
    let changes = languages(before, after);
    let change = |(tag, old, new): (&str, &str, &str)| {
        let label = match tag {
            "" => label.to_owned(),
            tag => format!("{label} ({tag})"),
        };
        let pieces = compare_words(old, new);
        let pieces = pieces.into_iter().map(|(piece, text)| match piece {
            Piece::Same => view! { <span>{text}</span> }.into_any(),
            Piece::Gone => view! { <del>{text}</del> }.into_any(),
            Piece::New => view! { <ins>{text}</ins> }.into_any(),
        });
        let pieces: Vec<AnyView> = pieces.collect();
        view! {
            <dt>{label}</dt>
            <dd lang=tag.to_owned() dir="auto" class="marked">{pieces}</dd>
        }
        .into_any()
    };
    changes.into_iter().map(change).collect()
}

/// Values that differ: label, before, after.
fn value_changes(
    app: App,
    values: impl IntoIterator<Item = (&'static str, String, String)>,
) -> Vec<AnyView> {
    let words = app.language.templates();
    let changes = values
        .into_iter()
        .filter(|(_, before, after)| before != after);
    let change = |(label, before, after): (&'static str, String, String)| {
        view! {
            <dt>{label}</dt>
            <dd>
                <span class="quiet">{[words.was, " "].concat()}</span>
                <del>{before}</del>
                <span class="quiet">{[", ", words.is, " "].concat()}</span>
                <ins>{after}</ins>
            </dd>
        }
        .into_any()
    };
    changes.map(change).collect()
}
