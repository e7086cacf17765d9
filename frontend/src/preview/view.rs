//! Draws a preview: quiet boxes that invite no click, sections, hints, help.
//!
//! The one drawing of a template, in the browser and on the server. Class names and parts are
//! those of the control, listed at the head of `style/preview.css`.
//!
//! No subtree here is fully static: Leptos would build it through `innerHTML`, which pages with
//! Trusted Types forbid.

use checklist_shared::item::Kind;
use leptos::prelude::*;

use super::model::{Group, Preview, Row};
use super::wording::Wording;
use crate::markdown::markdown;

/// A whole preview.
#[must_use]
pub fn preview(preview: &Preview) -> AnyView {
    let words = Wording::of(&preview.language);
    let items = preview.items();
    let groups: Vec<_> = preview
        .groups()
        .into_iter()
        .map(|group| group_view(&group, words))
        .collect();
    let description = preview.description.clone();
    let description = (!description.is_empty())
        .then(|| view! { <p class="description" part="description" dir="auto">{description}</p> });
    let empty = (items == 0).then(|| view! { <p class="empty" part="empty">{words.empty}</p> });
    view! {
        <section class="card preview" part="card" lang=words.language.tag() aria-labelledby="preview-title">
            <header class="header" part="header">
                <div class="top">
                    <h2 class="title" part="title" id="preview-title" dir="auto">{preview.title.clone()}</h2>
                    <p class="count" part="count">{words.counted(items)}</p>
                </div>
                {description}
            </header>
            {empty}
            {groups}
        </section>
    }
    .into_any()
}

fn group_view(group: &Group<'_>, words: &'static Wording) -> AnyView {
    let rows: Vec<_> = group.rows.iter().map(|row| row_view(row, words)).collect();
    let list = (!rows.is_empty()).then(|| view! { <ul class="list" part="list">{rows}</ul> });
    match group.section {
        Some(section) => {
            let help = help(section);
            view! {
                <div class="group" part="section">
                    <h3 class="section-title" part="section-title" dir="auto">{section.text.clone()}</h3>
                    {help}
                    {list}
                </div>
            }
            .into_any()
        }
        None => view! { <div class="group">{list}</div> }.into_any(),
    }
}

fn row_view(row: &Row, words: &'static Wording) -> AnyView {
    let text = row.text.clone();
    let help = help(row);
    if row.kind == Kind::Info {
        return view! {
            <li class="row info" part="row info">
                <div class="body"><p class="text" part="text" dir="auto">{text}</p>{help}</div>
            </li>
        }
        .into_any();
    }
    let required = words.language.texts().required;
    let required = row
        .required
        .then(|| view! { <span class="required" part="required">{required}</span> });
    let assignee = (!row.assignee.is_empty())
        .then(|| view! { <bdi class="assignee">{words.assigned(&row.assignee)}</bdi> });
    let due = words
        .due(&row.due)
        .map(|due| view! { <span class="due">{due}</span> });
    let hints = (required.is_some() || assignee.is_some() || due.is_some())
        .then(|| view! { <p class="meta" part="meta">{required}{assignee}{due}</p> });
    view! {
        <li class="row" part="row">
            // The value is not written as a literal, so that the row is never one static subtree.
            <span class={"box"} aria-hidden="true"></span>
            <div class="body">
                <p class="text" part="text" dir="auto">{text}</p>
                {hints}
                {help}
            </div>
        </li>
    }
    .into_any()
}

fn help(row: &Row) -> Option<AnyView> {
    (!row.help.is_empty()).then(|| {
        view! { <div class="help" part="help" dir="auto">{markdown(&row.help)}</div> }.into_any()
    })
}
