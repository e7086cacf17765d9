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
use crate::control::screen::{Face, Panel, Row};
use crate::i18n::fill;
use crate::markdown::markdown;
use crate::state::list::{resolve, text_of};
use crate::state::notice::Notice;

/// A row of a list.
#[must_use]
pub fn row(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let (item, face) = (row.item.clone(), row.face.clone());
    let kind = item.with_untracked(|item| item.kind);
    el("li")
        .part("row")
        .attr("data-id", row.id.to_string())
        .live_attr("class", move || Some(item.with(|item| face.with(|face| classes(item, face)))))
        .maybe((kind == Kind::Item).then(|| mark(controller, row, mode)))
        .el(el("div").class("body").child(body(controller, row, mode)).child(help(row, mode)))
        .child(actions(controller, row, mode))
        .child(opened(controller, row, mode))
        .view()
}

fn classes(item: &Item, face: &Face) -> String {
    let status = match item.status {
        Status::Open => "open",
        Status::Done => "done",
        Status::NotApplicable => "na",
    };
    let marks = [
        ("row", true),
        (status, item.kind == Kind::Item),
        ("info", item.kind == Kind::Info),
        ("late", meta::is_late(item)),
        ("retired", item.retired_at.is_some()),
        ("pending", face.pending),
        ("conflict", face.notice.is_some()),
        ("editing", matches!(face.panel, Panel::Text(..))),
    ];
    let marks: Vec<&str> = marks.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
    marks.join(" ")
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
    let (item, face) = (row.item.clone(), row.face.clone());
    let (box_id, meta_id) = (dom_id("c", row), dom_id("m", row));
    let (controller, mode) = (controller.clone(), mode.clone());
    // While a conflict waits for a choice, the row goes on showing what was typed here.
    let mine = Memo::new(move |_| {
        face.with(|face| match &face.notice {
            Some(Notice::TextTaken { mine, .. }) => (Some(mine.clone()), face.pending),
            _ => (None, face.pending),
        })
    });
    live(move || {
        let (mine, pending) = mine.get();
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
    let (item, shown, toggled, told) = (row.item.clone(), row.face.clone(), row.face.clone(), row.face.clone());
    let open = Memo::new(move |_| shown.with(|face| face.help));
    el("div")
        .class("help-box")
        .el(button("button plain help-toggle", mode.texts().help, move |_| {
            toggled.update(|face| face.help = !face.help);
        })
        .live_attr("aria-expanded", move || Some(told.with(|face| face.help).to_string())))
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
    let (face, row, controller, mode) = (row.face.clone(), row.clone(), controller.clone(), mode.clone());
    let (panel_of, notice_of) = (face.clone(), face);
    // By themselves, so that a notice that comes does not rebuild a field that is typed in.
    let panel = Memo::new(move |_| panel_of.with(|face| (face.panel.kind(), face.opened)));
    let told = Memo::new(move |_| notice_of.with(|face| face.notice.clone()));
    let (notice_controller, notice_mode, id) = (controller.clone(), mode.clone(), row.id);
    let notices = live(move || match told.get() {
        Some(told) => notice::view(&notice_controller, id, &told, &notice_mode),
        None => nothing(),
    });
    let panels = live(move || {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        let _ = panel.get();
        match row.face.with_untracked(|face| face.panel.clone()) {
            Panel::Closed => nothing(),
            Panel::Menu(up) => menu::menu(&controller, &row, &mode, up),
            Panel::Text(text, _) => editor::text(&controller, &row, &mode, &text),
            Panel::Details(details, ..) => editor::details(&controller, &row, &mode, &details),
            Panel::Reason(text, missing) => editor::reason(&controller, &row, &mode, &text, missing),
            Panel::Position(text) => editor::position(&controller, &row, &mode, &text),
        }
    });
    vec![notices, panels].into_any()
}

/// The row that an event came from.
#[must_use]
pub(crate) fn of_event(controller: &Controller, event: &web_sys::Event) -> Option<Row> {
    let element = browser::origin(event)?.closest("[data-id]").ok().flatten()?;
    controller.screen().row(element.get_attribute("data-id")?.parse().ok()?)
}
