//! Draws a preview: quiet boxes that invite no click, sections, hints, help.
//!
//! The one drawing of a template, in the browser and on the server. Class names and parts are
//! listed at the head of `style/preview.css`. Called by `component` and `page`.

use super::model::{Group, Preview, Row};
use super::wording;
use crate::components::element::{El, View, el};
use crate::i18n::{Words, plural};
use crate::markdown::markdown;
use checklist_shared::item::Kind;

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
pub fn preview(preview: &Preview, place: Place) -> View {
    let words = preview.words;
    let items = preview.items();
    let top = el("div|class=top")
        .el(el(place.title())
            .named("title")
            .fixed("id", "preview-title")
            .fixed("dir", "auto")
            .text(preview.title.clone()))
        .el(el("p|count").text(plural(words, words.texts.preview_count(), items, &[])));
    let description =
        (!preview.description.is_empty()).then(|| words_in("description", &preview.description));
    let empty = (items == 0).then(|| el("p|empty").text(words.texts.preview_empty()));
    el("section|class=card preview|part=card")
        .fixed("lang", words.language.tag())
        .fixed("dir", words.language.direction())
        .fixed("aria-labelledby", "preview-title")
        .el(el("header|header").el(top).maybe(description))
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

fn group_view(group: &Group<'_>, place: Place, words: Words) -> View {
    let rows: Vec<_> = group.rows.iter().map(|row| row_view(row, words)).collect();
    let list = (!rows.is_empty()).then(|| el("ul|list").children(rows));
    let view = el("div|class=group|part=section");
    match group.section {
        Some(section) => view
            .el(el(place.section())
                .named("section-title")
                .el(el("span|class=section-text|dir=auto").text(section.text.clone())))
            .maybe(help(section)),
        None => view,
    }
    .maybe(list)
    .view()
}

fn row_view(row: &Row, words: Words) -> View {
    let body = el("div|class=body").el(words_in("text", &row.text));
    if row.kind == Kind::Info {
        let body = body.maybe(help(row));
        return el("li|class=row info|part=row").el(body).view();
    }
    let mut hints = Vec::new();
    if row.required {
        hints.push(hint("required", words.texts.required().to_owned()));
    }
    if !row.assignee.is_empty() {
        hints.push(hint("assignee", wording::assigned(words, &row.assignee)));
    }
    if let Some(due) = wording::due(words, &row.due) {
        hints.push(hint("due", due));
    }
    let hints = (!hints.is_empty()).then(|| el("p|meta").children(hints));
    el("li|row")
        .el(el("span|class=box|aria-hidden=true"))
        .el(body.maybe(hints).maybe(help(row)))
        .view()
}

/// Somebody's words, in whichever direction they are written.
fn words_in(class: &'static str, text: &str) -> El {
    el("p")
        .named(class)
        .fixed("dir", "auto")
        .text(text.to_owned())
}

fn hint(class: &'static str, text: String) -> View {
    el("span").named(class).el(el("bdi").text(text)).view()
}

fn help(row: &Row) -> Option<El> {
    let help = el("div|help|dir=auto");
    (!row.help.is_empty()).then(|| help.children(markdown(&row.help)))
}
