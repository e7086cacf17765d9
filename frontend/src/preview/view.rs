//! Renders a preview: static checkboxes, sections, hints, help.
//!
//! The only rendering of a template, in the browser and on the server. `style/preview.css` lists the
//! class names and parts.

use leptos::prelude::*;

use super::model::{Group, Preview, Row};
use super::wording;
use crate::i18n::{Words, plural};
use crate::item_text::item_text;
use crate::markdown::markdown;
use checklist_shared::item::Kind;

/// What the title and the sections of a preview are headings of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingScope {
    /// One thing among others on a page.
    Part,
    /// The page itself.
    Page,
}

/// Renders a complete preview.
#[component]
pub fn PreviewView(
    /// Its content.
    preview: Preview,
    /// Where the preview is shown; determines the level of its headings.
    place: HeadingScope,
) -> impl IntoView {
    let words = preview.words;
    let items = preview.items();
    let count = plural(words, words.texts.preview_count(), items, &[]);
    let description = (!preview.description.is_empty())
        .then(|| words_in("description", preview.description.clone()));
    let empty = (items == 0).then(|| {
        view! { <p class="empty" part="empty">{words.texts.preview_empty()}</p> }.into_any()
    });
    let groups = preview.groups();
    let groups = groups.iter().map(|group| group_view(group, place, words));
    let groups: Vec<_> = groups.collect();
    view! {
        <section
            class="card preview"
            part="card"
            lang=words.language.tag()
            dir=words.language.direction()
            aria-labelledby="preview-title"
        >
            <header class="header" part="header">
                <div class="top">
                    {title(place, preview.title.clone())}
                    <p class="count" part="count">{count}</p>
                </div>
                {description}
            </header>
            {empty}
            {groups}
        </section>
    }
    .into_any()
}

fn title(place: HeadingScope, text: String) -> AnyView {
    match place {
        HeadingScope::Part => view! {
            <h2 class="title" part="title" id="preview-title" dir="auto">
                {text}
            </h2>
        }
        .into_any(),
        HeadingScope::Page => view! {
            <h1 class="title" part="title" id="preview-title" dir="auto">
                {text}
            </h1>
        }
        .into_any(),
    }
}

fn section_title(place: HeadingScope, text: String) -> AnyView {
    let text = view! { <span class="section-text" dir="auto">{text}</span> }.into_any();
    match place {
        HeadingScope::Part => {
            view! { <h3 class="section-title" part="section-title">{text}</h3> }.into_any()
        }
        HeadingScope::Page => {
            view! { <h2 class="section-title" part="section-title">{text}</h2> }.into_any()
        }
    }
}

fn group_view(group: &Group<'_>, place: HeadingScope, words: Words) -> AnyView {
    let rows: Vec<_> = group.rows.iter().map(|row| row_view(row, words)).collect();
    let list =
        (!rows.is_empty()).then(|| view! { <ul class="list" part="list">{rows}</ul> }.into_any());
    let title = group
        .section
        .map(|section| section_title(place, section.text.clone()));
    let when = group.section.and_then(|section| meta(Vec::new(), section));
    let help = group.section.and_then(help);
    view! { <div class="group" part="section">{title} {when} {help} {list}</div> }.into_any()
}

fn row_view(row: &Row, words: Words) -> AnyView {
    let text = item_text(&row.text);
    let text = view! { <p class="text" part="text" dir="auto">{text}</p> }.into_any();
    let help = help(row);
    if row.kind == Kind::Info {
        let when = meta(Vec::new(), row);
        return view! {
            <li class="row info" part="row">
                <div class="body">{text} {when} {help}</div>
            </li>
        }
        .into_any();
    }
    let mut hints = Vec::new();
    match row.required {
        Some(true) => hints.push(hint("required", words.texts.required().to_owned())),
        Some(false) => hints.push(hint("optional", words.texts.optional().to_owned())),
        None => {}
    }
    if !row.assignee.is_empty() {
        hints.push(hint(
            "assignee",
            wording::assignee_line(words, &row.assignee),
        ));
    }
    if !row.due.is_empty() {
        hints.push(hint("due", row.due.clone()));
    }
    hints.extend((row.needs.iter()).map(|need| hint("needs", (*need).to_owned())));
    let hints = meta(hints, row);
    let signal = line("reason signal", "signal", &row.signal);
    let answer = line("reason asked", "answer", &row.answer);
    view! {
        <li class="row" part="row">
            <span class="box" aria-hidden=TRUE></span>
            <div class="body">{text} {hints} {signal} {answer} {help}</div>
        </li>
    }
    .into_any()
}

/// A line as in the row of a list; nothing without words.
fn line(class: &'static str, part: &'static str, text: &str) -> Option<AnyView> {
    (!text.is_empty()).then(|| {
        view! {
            <p class=class part=part>
                <bdi>{text.to_owned()}</bdi>
            </p>
        }
        .into_any()
    })
}

/// By a name, because Leptos makes an element of which nothing can change by an HTML string, which
/// a page's policy may forbid.
const TRUE: &str = "true";

/// Somebody's words, in whichever direction they are written.
fn words_in(class: &'static str, text: String) -> AnyView {
    view! { <p class=class part=class dir="auto">{text}</p> }.into_any()
}

/// The line of hints of a row; its condition is the last one.
fn meta(mut hints: Vec<AnyView>, row: &Row) -> Option<AnyView> {
    if !row.when.is_empty() {
        hints.push(hint("when", row.when.clone()));
    }
    (!hints.is_empty()).then(|| view! { <p class="meta" part="meta">{hints}</p> }.into_any())
}

fn hint(class: &'static str, text: String) -> AnyView {
    view! {
        <span class=class part=class>
            <bdi>{text}</bdi>
        </span>
    }
    .into_any()
}

fn help(row: &Row) -> Option<AnyView> {
    (!row.help.is_empty()).then(|| {
        let help = markdown(&row.help);
        view! { <div class="help" part="help" dir="auto">{help}</div> }.into_any()
    })
}
