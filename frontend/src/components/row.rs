//! One row: box, text, what stands under it, actions, and whatever is open in it.
//!
//! Four closures follow the row's two signals, so a tick redraws this row's text and marks and
//! nothing else. The box is a native checkbox, shown as the list says and not as it was
//! clicked, because the host may say no. Called by `list`.

use checklist_shared::item::{Item, Kind, Status};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::element::{button, el, live, nothing};
use super::icon::{CHECK, CIRCLE, DASH, EDIT, icon};
use super::{editor, menu, meta, notice};
use crate::browser;
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Panel, Row};
use crate::i18n::fill;
use crate::markdown::markdown;
use crate::state::list::{resolve, text_of};
use crate::state::notice::Notice;

/// A row of a list.
#[must_use]
pub fn row(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let (item, classed) = (row.item.clone(), row.clone());
    let kind = item.with_untracked(|item| item.kind);
    el("li")
        .part("row")
        .attr("data-id", row.id.to_string())
        .live_attr("class", move || Some(classes(&classed)))
        .maybe((kind == Kind::Item).then(|| mark(controller, row, mode)))
        .el(el("div").class("body").child(body(controller, row, mode)).child(help(row, mode)))
        .child(actions(controller, row, mode))
        .child(opened(controller, row, mode))
        .view()
}

fn classes(row: &Row) -> String {
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
    add("editing", row.panel.with(|panel| matches!(panel, Panel::Text(..))));
    names
}

/// The checkbox; without boxes a sign that says the same as the words beside it.
fn mark(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let item = row.item.clone();
    if !mode.boxes {
        return live(move || {
            let path = match item.with(|item| item.status) {
                Status::Open => CIRCLE,
                Status::Done => CHECK,
                Status::NotApplicable => DASH,
            };
            el("span").class("mark").part("mark").attr("aria-hidden", "true").child(icon(path)).view()
        });
    }
    let id = row.id;
    let may = may_check(controller, mode);
    let (checked, clicked, acting) = (row.item.clone(), row.item.clone(), controller.clone());
    let fixed = {
        let (may, item) = (may.clone(), row.item.clone());
        move || item.with(|item| (!may(item)).then(|| "true".to_owned()))
    };
    el("input")
        .attr("type", "checkbox")
        .class("box")
        .part("checkbox")
        .attr("id", dom_id("c", row))
        .attr("aria-describedby", dom_id("m", row))
        .flag("disabled", mode.disabled)
        // Focusable and readable, but not to be changed: a disabled box would be neither.
        .live_attr("aria-disabled", fixed)
        .checked(move || checked.with(|item| item.status == Status::Done))
        .on("click", move |event| {
            if clicked.with_untracked(|item| !may(item)) {
                event.prevent_default();
            }
        })
        .on("change", move |event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let wanted = input.as_ref().is_some_and(HtmlInputElement::checked);
            acting.set_status(id, if wanted { Status::Done } else { Status::Open }, None);
            let shown = acting.item(id).is_some_and(|item| item.status == Status::Done);
            if let Some(input) = input {
                input.set_checked(shown);
            }
        })
        .view()
}

/// Whether this person may change this item's status.
fn may_check(controller: &Controller, mode: &Mode) -> impl Fn(&Item) -> bool + Clone + Send + 'static {
    let (check, others) = (mode.check, mode.uncheck_others);
    let me = controller.with_state(|state| state.me.id.clone());
    move |item: &Item| {
        let mine = item.status_by.as_ref().is_none_or(|by| by.id == me);
        check && item.retired_at.is_none() && (item.status == Status::Open || mine || others)
    }
}

fn dom_id(prefix: &str, row: &Row) -> String {
    [prefix, "-", &row.id.to_string()].concat()
}

/// The text and what stands under it.
fn body(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let (item, pending, notice) = (row.item.clone(), row.pending.clone(), row.notice.clone());
    let (box_id, meta_id) = (dom_id("c", row), dom_id("m", row));
    let (controller, mode) = (controller.clone(), mode.clone());
    live(move || {
        let pending = pending.get();
        // While a conflict waits for a choice, the row goes on showing what was typed here.
        let mine = notice.with(|notice| match notice {
            Some(Notice::TextTaken { mine, .. }) => Some(mine.clone()),
            _ => None,
        });
        item.with(|item| {
            let text = mine.unwrap_or_else(|| text_of(item).to_owned());
            let words = el("bdi").text(text);
            let label = if item.kind == Kind::Item && mode.boxes {
                el("label").attr("for", box_id.clone())
            } else {
                el("p")
            };
            let unsaved = pending.then(|| el("span").class("sr").text(mode.texts().unsaved).view());
            el("div")
                .class("content")
                .el(label.class("text").part("text").el(words))
                .el(el("div")
                    .attr("id", meta_id.clone())
                    .maybe(meta::meta(item, &mode))
                    .children(meta::remarks(&controller, item, &mode))
                    .maybe(unsaved))
                .view()
        })
    })
}

/// The help, behind a button that says whether it is open.
fn help(row: &Row, mode: &Mode) -> AnyView {
    let source = row.item.with_untracked(|item| item.help.as_ref().map(|help| resolve(help).to_owned()));
    if source.is_none_or(|source| source.trim().is_empty()) {
        return nothing();
    }
    let (item, open, toggled, told) = (row.item.clone(), row.help.clone(), row.help.clone(), row.help.clone());
    el("div")
        .class("help-box")
        .el(button("button plain help-toggle", mode.texts().help, move |_| {
            toggled.update(|open| *open = !*open);
        })
        .live_attr("aria-expanded", move || Some(told.get().to_string())))
        .live(move || {
            if !open.get() {
                return nothing();
            }
            let source = item.with(|item| item.help.as_ref().map(|help| resolve(help).to_owned()));
            el("div").class("help").part("help").attr("dir", "auto").children(markdown(&source.unwrap_or_default())).view()
        })
        .view()
}

/// Edit and More, always in sight.
pub(super) fn actions(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let useful = row.item.with_untracked(|item| menu::is_useful(item, mode));
    if mode.disabled || !useful {
        return nothing();
    }
    let texts = mode.texts();
    let edit = mode.edit.then(|| {
        let (item, editing, id) = (row.item.clone(), controller.clone(), row.id);
        el("button")
            .attr("type", "button")
            .class("button icon edit")
            .attr("title", texts.edit)
            .live_attr("aria-label", move || Some(item.with(|item| fill(texts.edit_named, &[("text", text_of(item))]))))
            .on("click", move |_| editing.edit_text(id))
            .child(icon(EDIT))
            .view()
    });
    el("div").class("actions").part("actions").maybe(edit).child(menu::more(controller, row, mode)).view()
}

/// What is open in the row, and what the person is told at it.
pub(super) fn opened(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let (row, controller, mode) = (row.clone(), controller.clone(), mode.clone());
    let (told, at, words) = (row.notice.clone(), controller.clone(), mode.clone());
    let id = row.id;
    // By themselves, so that a notice that comes does not rebuild a field that is typed in.
    let notices = live(move || match told.get() {
        Some(told) => notice::view(&at, id, &told, &words),
        None => nothing(),
    });
    let panels = live(move || editor::opened(&controller, &row, &mode, &row.panel.get()));
    vec![notices, panels].into_any()
}

/// The row that an event came from.
#[must_use]
pub(crate) fn of_event(controller: &Controller, event: &web_sys::Event) -> Option<Row> {
    let element = browser::origin(event)?.closest("[data-id]").ok().flatten()?;
    controller.screen().row(element.get_attribute("data-id")?.parse().ok()?)
}
