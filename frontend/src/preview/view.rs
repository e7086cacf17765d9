//! Draws a preview: quiet boxes that invite no click, sections, hints, help.
//!
//! The one drawing of a template, in the browser and on the server. Class names and parts are
//! listed at the head of `style/preview.css`. Called by `component` and `page`.

use checklist_shared::item::Kind;
use leptos::prelude::*;

use super::model::{Group, Preview, Row};
use super::wording::Wording;
use crate::components::element::{El, el};
use crate::markdown::markdown;

/// What the title and the sections of a preview are headings of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One thing among others on a page.
    Part,
    /// The page itself.
    Page,
}

/// A whole preview.
#[must_use]
pub fn preview(preview: &Preview, place: Place) -> AnyView {
    let words = Wording::of(&preview.language);
    let items = preview.items();
    let top = el("div")
        .class("top")
        .el(el(place.title())
            .class("title")
            .part("title")
            .attr("id", "preview-title")
            .attr("dir", "auto")
            .text(preview.title.clone()))
        .el(el("p")
            .class("count")
            .part("count")
            .text(words.counted(items)));
    let description =
        (!preview.description.is_empty()).then(|| words_in("description", &preview.description));
    let empty = (items == 0).then(|| {
        el("p")
            .class("empty")
            .part("empty")
            .text(words.empty)
            .view()
    });
    el("section")
        .class("card preview")
        .part("card")
        .attr("lang", words.language.tag())
        .attr("aria-labelledby", "preview-title")
        .el(el("header")
            .class("header")
            .part("header")
            .el(top)
            .maybe(description))
        .maybe(empty)
        .children(
            preview
                .groups()
                .iter()
                .map(|group| group_view(group, place, words))
                .collect(),
        )
        .view()
}

impl Place {
    const fn title(self) -> &'static str {
        match self {
            Self::Part => "h2",
            Self::Page => "h1",
        }
    }

    const fn section(self) -> &'static str {
        match self {
            Self::Part => "h3",
            Self::Page => "h2",
        }
    }
}

fn group_view(group: &Group<'_>, place: Place, words: &'static Wording) -> AnyView {
    let rows: Vec<_> = group.rows.iter().map(|row| row_view(row, words)).collect();
    let list =
        (!rows.is_empty()).then(|| el("ul").class("list").part("list").children(rows).view());
    let view = el("div").class("group").part("section");
    match group.section {
        Some(section) => view
            .el(el(place.section())
                .class("section-title")
                .part("section-title")
                .el(el("span")
                    .class("section-text")
                    .attr("dir", "auto")
                    .text(section.text.clone())))
            .maybe(help(section)),
        None => view,
    }
    .maybe(list)
    .view()
}

fn row_view(row: &Row, words: &'static Wording) -> AnyView {
    let body = el("div").class("body").child(words_in("text", &row.text));
    if row.kind == Kind::Info {
        let body = body.maybe(help(row));
        return el("li").class("row info").part("row").el(body).view();
    }
    let mut hints = Vec::new();
    if row.required {
        hints.push(hint("required", words.language.texts().required.to_owned()));
    }
    if !row.assignee.is_empty() {
        hints.push(hint("assignee", words.assigned(&row.assignee)));
    }
    if let Some(due) = words.due(&row.due) {
        hints.push(hint("due", due));
    }
    let hints =
        (!hints.is_empty()).then(|| el("p").class("meta").part("meta").children(hints).view());
    el("li")
        .class("row")
        .part("row")
        .el(el("span").class("box").attr("aria-hidden", "true"))
        .el(body.maybe(hints).maybe(help(row)))
        .view()
}

/// Somebody's words, in whichever direction they are written.
fn words_in(class: &'static str, text: &str) -> AnyView {
    let words: El = el("p").class(class).part(class).attr("dir", "auto");
    words.text(text.to_owned()).view()
}

fn hint(class: &'static str, text: String) -> AnyView {
    el("span")
        .class(class)
        .part(class)
        .el(el("bdi").text(text))
        .view()
}

fn help(row: &Row) -> Option<AnyView> {
    let help = el("div").class("help").part("help").attr("dir", "auto");
    (!row.help.is_empty()).then(|| help.children(markdown(&row.help)).view())
}
