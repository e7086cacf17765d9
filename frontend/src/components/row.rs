//! One row: box, text, what stands under it, actions, and whatever is open in it.
//!
//! Drawn as a whole when something about it has changed, and then by itself. The box is a native
//! checkbox, shown as the list says and not as it was clicked, because the host may say no.
//! Called by `list`.

use checklist_shared::ItemId;
use checklist_shared::change::allowed::may_set_status;
use checklist_shared::item::{Item, Kind, Status};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

use super::at::{At, STILL};
use super::element::{El, View, button, el, nothing};
use super::icon::{CHECK, CIRCLE, DASH, EDIT, icon};
use super::{editor, menu, meta, notice};
use crate::browser;
use crate::control::Controller;
use crate::control::screen::{Fresh, Panel};
use crate::i18n::fill;
use crate::markdown::markdown;
use crate::state::list::{resolve, text_of};
use crate::state::notice::Notice;

/// A row of a list.
#[must_use]
pub fn row(at: At) -> View {
    at.follow();
    let Some(item) = at.item.and_then(|id| at.controller.item(id)) else {
        return nothing();
    };
    el("li|part=row|role=listitem")
        .attr("data-id", at.id())
        .attr("class", classes(at, &item))
        .maybe((item.kind == Kind::Item).then(|| mark(at, &item)))
        .el(el("div|class=body")
            .el(content(at, &item))
            .child(help(at, &item)))
        .children(around(at))
        .maybe(
            at.row(|row| row.fresh.as_ref().map(|fresh| just_done(at, fresh)))
                .flatten(),
        )
        .view()
}

/// Who has just done something here. Not for those who listen: they are told once, in order.
fn just_done(at: At, fresh: &Fresh) -> El {
    let texts = at.texts();
    let text = if fresh.checked {
        texts.just_checked()
    } else {
        texts.just_changed()
    };
    el("span|just|aria-hidden=true").text(fill(text, &[("who", &fresh.who)]))
}

fn classes(at: At, item: &Item) -> String {
    let mut names = String::from("row");
    let mut add = |name: &str, there: bool| {
        if there {
            names.push(' ');
            names.push_str(name);
        }
    };
    let is_item = item.kind == Kind::Item;
    let pending = at.controller.with_state(|state| state.is_pending(item.id));
    add("open", is_item && item.status == Status::Open);
    add("done", is_item && item.status == Status::Done);
    add("na", is_item && item.status == Status::NotApplicable);
    add("info", item.kind == Kind::Info);
    add("late", meta::is_late(item));
    add("retired", item.retired_at.is_some());
    add("pending", pending);
    at.row(|row| {
        add("conflict", row.notice.is_some());
        add("fresh", row.fresh.is_some());
        add("editing", matches!(row.panel, Panel::Text(..)));
    });
    names
}

/// The checkbox; without boxes a sign that says the same as the words beside it.
fn mark(at: At, item: &Item) -> El {
    if !at.mode.boxes {
        let path = match item.status {
            Status::Done => CHECK,
            Status::NotApplicable => DASH,
            Status::Open => CIRCLE,
        };
        return el("span|mark|aria-hidden=true").child(icon(path));
    }
    el("input|type=checkbox|class=box|part=checkbox")
        .attr("id", at.dom_id("c"))
        .attr("aria-describedby", at.dom_id("m"))
        .flag("disabled", at.mode.disabled || STILL)
        // Focusable and readable, but not to be changed: a disabled box would be neither.
        .says_true("aria-disabled", !may_check(at, item))
        .fixed(
            "checked",
            if item.status == Status::Done {
                "true"
            } else {
                ""
            },
        )
        .on("click", at, |at, event| {
            if at.read(|item| !may_check(at, item)) == Some(true) {
                event.prevent_default();
            }
        })
        .on("change", at, |at, event| {
            at.act(|controller, id| check(controller, id, event))
        })
}

/// Sets what was clicked, and shows what came of it: the host may have said no.
fn check(controller: Controller, id: ItemId, event: &Event) {
    let input = browser::origin(event);
    let Some(input) = input
        .as_ref()
        .and_then(|input| input.dyn_ref::<HtmlInputElement>())
    else {
        return;
    };
    let wanted = if input.checked() {
        Status::Done
    } else {
        Status::Open
    };
    controller.set_status(id, wanted, None);
    let shown = controller.item(id);
    input.set_checked(shown.is_some_and(|item| item.status == Status::Done));
}

/// Whether this person may change this item's status.
fn may_check(at: At, item: &Item) -> bool {
    at.mode.check
        && at
            .controller
            .with_state(|state| may_set_status(item, &state.me, state.meta.permissions))
}

/// The text and what stands under it.
fn content(at: At, item: &Item) -> El {
    // While a conflict waits for a choice, the row goes on showing what was typed here.
    let mine = at.row(|row| match &row.notice {
        Some(Notice::TextTaken { mine, .. }) => Some(mine.clone()),
        _ => None,
    });
    let text = mine.flatten().unwrap_or_else(|| text_of(item).to_owned());
    let label = if item.kind == Kind::Item && at.mode.boxes {
        // On paper it says its state in a word too (`style/print.css`).
        el("label")
            .attr("for", at.dom_id("c"))
            .fixed("data-state", meta::status(item, at.mode))
    } else {
        el("p")
    };
    let pending = at.controller.with_state(|state| state.is_pending(item.id));
    let unsaved = pending.then(|| el("span|class=sr").text(at.texts().unsaved()));
    el("div|class=content")
        .el(label.named("text").el(el("bdi").text(text)))
        .el(el("div")
            .attr("id", at.dom_id("m"))
            .maybe(meta::meta(item, at.mode))
            .children(meta::remarks(at, item))
            .maybe(unsaved))
}

/// The help, behind a button that says whether it is open.
fn help(at: At, item: &Item) -> View {
    let source = item.help.as_ref().map(resolve).unwrap_or_default();
    if source.trim().is_empty() {
        return nothing();
    }
    let open = at.row(|row| row.help) == Some(true);
    let toggle = button(
        "button plain help-toggle",
        at.texts().help(),
        at,
        |at, _| at.show_row(|row| row.help = !row.help),
    );
    let help = open.then(|| el("div|help|dir=auto").children(markdown(source)));
    el("div|class=help-box")
        .el(toggle.fixed("aria-expanded", if open { "true" } else { "false" }))
        .maybe(help)
        .view()
}

/// What stands around an item's text, in a row and in the heading of a section: what can be
/// done, what the person is told, and what is open.
pub(super) fn around(at: At) -> Vec<View> {
    let told = at.row(|row| row.notice.as_ref().map(|told| notice::view(at, told)));
    let opened = at.row(|row| editor::opened(at, &row.panel));
    vec![
        actions(at),
        told.flatten().map_or_else(nothing, El::view),
        opened.unwrap_or_else(nothing),
    ]
}

/// Edit and More, always in sight.
fn actions(at: At) -> View {
    let useful = at.read(|item| menu::is_useful(item, at.mode));
    if at.mode.disabled || useful != Some(true) {
        return nothing();
    }
    let edit = at.mode.edit.then(|| {
        el("button|type=button|class=button icon edit")
            .fixed("title", at.texts().edit())
            .attr("aria-label", menu::named(at, at.texts().edit_named()))
            .on("click", at, |at, _| {
                at.act(|controller, id| controller.edit_text(id))
            })
            .child(icon(EDIT))
    });
    el("div|actions").maybe(edit).el(menu::more(at)).view()
}

/// The item of the row that an event came from.
#[must_use]
pub(crate) fn of_event(controller: Controller, event: &web_sys::Event) -> Option<ItemId> {
    let element = browser::origin(event)?
        .closest("[data-id]")
        .ok()
        .flatten()?;
    let id = element.get_attribute("data-id")?.parse().ok()?;
    controller.row(id, |_| id)
}
