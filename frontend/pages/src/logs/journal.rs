//! The journal: readable entries, each with what happened one by one.

use checklist_shared::event::Event;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};
use leptos::prelude::*;

use super::rows::{Kind, Piece, only, opening, piece, rows};
use super::search::{Log, form};
use super::told::{happened, list, who};
use crate::api::address;
use crate::app::App;
use crate::element::{El, all, el};
use crate::parts::head::head;
use crate::wording::{Wording, fill};

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.logs();
    let file = el("a")
        .class("button outlined")
        .attr("download", "")
        .follow("href", move || {
            Some(address(
                &Log::Journal.file(&Log::Journal.search(&app.route.get())),
            ))
        })
        .text(words.csv);
    let kind = Kind {
        log: Log::Journal,
        read: |app, call| {
            Box::pin(piece(app, call, |page: JournalPage| Piece {
                rows: page.entries,
                cursor: page.cursor,
                more: page.more,
            }))
        },
        id: |entry: &JournalEntry| entry.cursor,
        row,
        heads: vec![words.when, words.who, words.told, words.list, words.details],
        empty: (words.journal_empty, words.journal_empty_hint),
    };
    all(vec![
        head(
            app,
            app.language.frame().journal,
            Some(words.journal_intro),
            vec![file],
        )
        .view(),
        form(app, Log::Journal).view(),
        rows(app, kind),
    ])
}

fn row(app: App, entry: &JournalEntry) -> El {
    let words = app.language.logs();
    let cells = vec![
        el("td")
            .attr("data-label", words.who)
            .el(who(app, &entry.actor)),
        el("td")
            .class("told")
            .attr("data-label", words.told)
            .el(el("span")
                .class("happened")
                .attr("lang", "en")
                .text(entry.text.clone())),
        el("td")
            .attr("data-label", words.list)
            .el(list(app, &entry.context)),
    ];
    let number = entry.id.to_string();
    let own = entry.clone();
    opening(
        app,
        entry.until,
        fill(words.details_of_entry, &[("n", &number)]),
        cells,
        move || details(app, &own),
    )
}

fn details(app: App, entry: &JournalEntry) -> El {
    let words = app.language.logs();
    let told = |event: &Event| {
        let text = if event.text.is_empty() {
            words.whole_list.to_owned()
        } else {
            event.text.clone()
        };
        let change = event
            .after
            .as_ref()
            .filter(|after| **after != event.text)
            .map(|after| {
                let before = event.before.clone().unwrap_or_default();
                el("small").attr("dir", "auto").text(if before.is_empty() {
                    after.clone()
                } else {
                    format!("{before} → {after}")
                })
            });
        el("li")
            .el(el("span").class("happened").text(happened(app, event.what)))
            .el(el("span").attr("dir", "auto").text(text))
            .maybe(change)
    };
    el("div")
        .class("details")
        .el(el("ul").class("events").els(entry.events.iter().map(told)))
        .el(only(app, Log::Journal, &entry.context))
}
