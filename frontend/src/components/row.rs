//! One row: box, text, what stands under it, actions, and whatever is open in it.
//!
//! A few functions follow what the row shows, so a tick redraws this row's text and marks and
//! nothing else. The box is a native checkbox, shown as the list says and not as it was
//! clicked, because the host may say no. Called by `list`.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Kind, Status};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::at::At;
use super::element::{button, el, live, nothing};
use super::icon::{CHECK, CIRCLE, DASH, EDIT, icon};
use super::{editor, menu, meta, notice};
use crate::browser;
use crate::control::Controller;
use crate::control::screen::Panel;
use crate::markdown::markdown;
use crate::state::list::{resolve, text_of};
use crate::state::notice::Notice;

/// A row of a list.
#[must_use]
pub fn row(at: At) -> AnyView {
    let Some(id) = at.item else { return nothing() };
    let is_item = read(at, |item| item.kind == Kind::Item).unwrap_or(false);
    el("li")
        .part("row")
        .attr("data-id", id.to_string())
        .live_attr("class", at, classes)
        .maybe(is_item.then(|| mark(at)))
        .el(el("div").class("body").live(at, content).child(help(at)))
        .child(actions(at))
        .live(at, told)
        .live(at, opened)
        .view()
}

/// Reads the item without following it.
fn read<T>(at: At, read: impl FnOnce(&Item) -> T) -> Option<T> {
    at.row().map(|row| row.item.with_untracked(read))
}

fn classes(at: At) -> Option<String> {
    let row = at.row()?;
    let mut names = String::from("row");
    let mut add = |name: &str, there: bool| {
        if there {
            names.push(' ');
            names.push_str(name);
        }
    };
    row.item.with(|item| {
        let is_item = item.kind == Kind::Item;
        add("open", is_item && item.status == Status::Open);
        add("done", is_item && item.status == Status::Done);
        add("na", is_item && item.status == Status::NotApplicable);
        add("info", item.kind == Kind::Info);
        add("late", meta::is_late(item));
        add("retired", item.retired_at.is_some());
    });
    add("pending", row.pending.get());
    add("conflict", row.notice.with(Option::is_some));
    add(
        "editing",
        row.panel.with(|panel| matches!(panel, Panel::Text(..))),
    );
    Some(names)
}

/// The checkbox; without boxes a sign that says the same as the words beside it.
fn mark(at: At) -> AnyView {
    if !at.mode.boxes {
        return live(at, |at| {
            let path = match at.row().map(|row| row.item.with(|item| item.status)) {
                Some(Status::Done) => CHECK,
                Some(Status::NotApplicable) => DASH,
                _ => CIRCLE,
            };
            el("span")
                .class("mark")
                .part("mark")
                .attr("aria-hidden", "true")
                .child(icon(path))
                .view()
        });
    }
    el("input")
        .attr("type", "checkbox")
        .class("box")
        .part("checkbox")
        .attr("id", at.dom_id("c"))
        .attr("aria-describedby", at.dom_id("m"))
        .flag("disabled", at.mode.disabled)
        // Focusable and readable, but not to be changed: a disabled box would be neither.
        .live_attr("aria-disabled", at, |at| {
            at.row()?
                .item
                .with(|item| (!may_check(at, item)).then(|| "true".to_owned()))
        })
        .checked(at, |at| {
            at.row()
                .is_some_and(|row| row.item.with(|item| item.status == Status::Done))
        })
        .on("click", at, |at, event| {
            if read(at, |item| !may_check(at, item)) == Some(true) {
                event.prevent_default();
            }
        })
        .on("change", at, |at, event| {
            at.act(|controller, id| {
                let input = event
                    .target()
                    .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
                let wanted = input.as_ref().is_some_and(HtmlInputElement::checked);
                controller.set_status(id, if wanted { Status::Done } else { Status::Open }, None);
                let shown = read(at, |item| item.status == Status::Done).unwrap_or(false);
                if let Some(input) = input {
                    input.set_checked(shown);
                }
            })
        })
        .view()
}

/// Whether this person may change this item's status.
fn may_check(at: At, item: &Item) -> bool {
    let mine = || {
        let by = item.status_by.as_ref();
        by.is_none_or(|by| at.controller.with_state(|state| state.me.id == by.id))
    };
    at.mode.check
        && item.retired_at.is_none()
        && (item.status == Status::Open || at.mode.uncheck_others || mine())
}

/// The text and what stands under it.
fn content(at: At) -> AnyView {
    let Some(row) = at.row() else {
        return nothing();
    };
    let pending = row.pending.get();
    // While a conflict waits for a choice, the row goes on showing what was typed here.
    let mine = row.notice.with(|notice| match notice {
        Some(Notice::TextTaken { mine, .. }) => Some(mine.clone()),
        _ => None,
    });
    row.item.with(|item| {
        let words = el("bdi").text(mine.unwrap_or_else(|| text_of(item).to_owned()));
        let label = if item.kind == Kind::Item && at.mode.boxes {
            el("label").attr("for", at.dom_id("c"))
        } else {
            el("p")
        };
        let unsaved = pending.then(|| el("span").class("sr").text(at.texts().unsaved).view());
        el("div")
            .class("content")
            .el(label.class("text").part("text").el(words))
            .el(el("div")
                .attr("id", at.dom_id("m"))
                .maybe(meta::meta(item, at.mode))
                .children(meta::remarks(at, item))
                .maybe(unsaved))
            .view()
    })
}

/// The help, behind a button that says whether it is open.
fn help(at: At) -> AnyView {
    let has_help = read(at, |item| {
        item.help
            .as_ref()
            .is_some_and(|help| !resolve(help).trim().is_empty())
    });
    if has_help != Some(true) {
        return nothing();
    }
    let toggle = button("button plain help-toggle", at.texts().help, at, |at, _| {
        if let Some(row) = at.row() {
            row.help.update(|open| *open = !*open);
        }
    });
    el("div")
        .class("help-box")
        .el(toggle.live_attr("aria-expanded", at, |at| {
            Some(at.row()?.help.get().to_string())
        }))
        .live(at, |at| match at.row().filter(|row| row.help.get()) {
            Some(row) => {
                let source = row
                    .item
                    .with(|item| item.help.as_ref().map(|help| resolve(help).to_owned()));
                let help = markdown(&source.unwrap_or_default());
                el("div")
                    .class("help")
                    .part("help")
                    .attr("dir", "auto")
                    .children(help)
                    .view()
            }
            None => nothing(),
        })
        .view()
}

/// Edit and More, always in sight.
pub(super) fn actions(at: At) -> AnyView {
    let useful = read(at, |item| menu::is_useful(item, at.mode));
    if at.mode.disabled || useful != Some(true) {
        return nothing();
    }
    let edit = at.mode.edit.then(|| {
        el("button")
            .attr("type", "button")
            .class("button icon edit")
            .attr("title", at.texts().edit)
            .live_attr("aria-label", at, |at| {
                menu::named(at, at.texts().edit_named)
            })
            .on("click", at, |at, _| {
                at.act(|controller, id| controller.edit_text(id))
            })
            .child(icon(EDIT))
            .view()
    });
    el("div")
        .class("actions")
        .part("actions")
        .maybe(edit)
        .child(menu::more(at))
        .view()
}

/// What the person is told at the row. By itself, so that a notice that comes does not rebuild
/// a field that is typed in.
pub(super) fn told(at: At) -> AnyView {
    match at.row().and_then(|row| row.notice.get()) {
        Some(told) => notice::view(at, &told),
        None => nothing(),
    }
}

/// What is open in the row.
pub(super) fn opened(at: At) -> AnyView {
    match at.row() {
        Some(row) => editor::opened(at, &row.panel.get()),
        None => nothing(),
    }
}

/// The item of the row that an event came from.
#[must_use]
pub(crate) fn of_event(controller: Controller, event: &web_sys::Event) -> Option<ItemId> {
    let element = browser::origin(event)?
        .closest("[data-id]")
        .ok()
        .flatten()?;
    let id = element.get_attribute("data-id")?.parse().ok()?;
    controller.screen().row(id).map(|_| id)
}
