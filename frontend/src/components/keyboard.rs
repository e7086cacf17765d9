//! Keyboard shortcuts of the rows, in one listener for the whole control.
//!
//! Space belongs to the checkbox. Enter and F2 edit, Alt+Enter opens the details, Delete deletes, Alt
//! with an arrow moves, an arrow alone goes to the next row; with Shift it selects rows, Control+A
//! selects all of them, F6 moves to the selection bar, Escape clears the selection. Control+Z undoes,
//! Control+Shift+Z and Control+Y redo, Escape closes a list that a compact line has opened.
//! Fields and menus handle their own keys.

use checklist_shared::ItemId;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::picking::extend;
use crate::browser;
use crate::effects::Controller;
use crate::model::bulk::Bulk;
use crate::model::item_fields::DetailField;
use crate::model::message::UserAction;
use crate::model::selecting::SelectionChange;

/// Does what a key means.
pub fn on_key(controller: Controller, event: &Event) {
    let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    let Some(origin) = browser::origin(event) else {
        return;
    };
    if key.is_composing() || event.default_prevented() || is_field(&origin) {
        return;
    }
    let control = key.ctrl_key() || key.meta_key();
    let name = key.key();
    if control && !key.alt_key() && is_redo(key, &name) {
        event.prevent_default();
        controller.does(UserAction::Redo);
        return;
    }
    if control && !key.alt_key() && !key.shift_key() && name.eq_ignore_ascii_case("z") {
        event.prevent_default();
        controller.undo();
        return;
    }
    if name == "Escape" && controller.has_selection() {
        event.prevent_default();
        let is_in_bar = origin.closest(".selection").ok().flatten().is_some();
        let pick = if is_in_bar {
            SelectionChange::Leave
        } else {
            SelectionChange::Clear
        };
        controller.does(UserAction::Pick(pick));
        return;
    }
    if name == "F6" && controller.has_selection() {
        event.prevent_default();
        controller.focus_on(".selection button");
        return;
    }
    let is_in_list = || {
        origin
            .closest(".groups, .selection")
            .ok()
            .flatten()
            .is_some()
    };
    let is_alone = control && !key.alt_key() && !key.shift_key();
    if is_alone && name.eq_ignore_ascii_case("a") && controller.mode().selects() && is_in_list() {
        event.prevent_default();
        controller.does(UserAction::Pick(SelectionChange::All));
        return;
    }
    if name == "Escape" && controller.close_line() {
        event.prevent_default();
        return;
    }
    let Some(id) = controller.row_of_event(event) else {
        return;
    };
    let on_box = origin.class_list().contains("box");
    let act = |action| {
        controller.does(action);
        true
    };
    let is_done = match (name.as_str(), key.alt_key(), control) {
        ("F2", false, false) => act(UserAction::EditText(id)),
        // On a button Enter is the button's own.
        ("Enter", false, false) if on_box => act(UserAction::EditText(id)),
        ("Enter", true, false) => act(UserAction::EditDetails(id, DetailField::Note)),
        ("Delete", false, false) if controller.row(id, |row| row.selected) == Some(true) => {
            act(UserAction::Bulk(Bulk::Delete))
        }
        ("Delete", false, false) => act(UserAction::Delete(id)),
        ("ArrowUp", true, false) => act(UserAction::MoveBy(id, true)),
        ("ArrowDown", true, false) => act(UserAction::MoveBy(id, false)),
        ("ArrowUp" | "ArrowDown", false, false) if key.shift_key() => {
            controller.mode().selects() && extend(controller, id, name == "ArrowUp")
        }
        ("ArrowUp", false, false) => go(controller, id, true),
        ("ArrowDown", false, false) => go(controller, id, false),
        _ => false,
    };
    if is_done {
        event.prevent_default();
    }
}

/// Control+Shift+Z, and Control+Y where that is the custom.
fn is_redo(key: &KeyboardEvent, name: &str) -> bool {
    if key.shift_key() {
        name.eq_ignore_ascii_case("z")
    } else {
        key.ctrl_key() && name.eq_ignore_ascii_case("y")
    }
}

/// Whether something is typed here.
pub(crate) fn is_field(element: &web_sys::Element) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => !element.class_list().contains("box"),
        _ => false,
    }
}

/// Focuses the row before or after.
fn go(controller: Controller, id: ItemId, up: bool) -> bool {
    let next = controller.with_state(|state| {
        let order = state.order();
        let at = order.iter().position(|other| *other == id)?;
        let (before, after) = order.split_at(at);
        let is_shown = |id: &&ItemId| !controller.is_folded(**id);
        if up {
            before.iter().rev().find(is_shown).copied()
        } else {
            after.iter().skip(1).find(is_shown).copied()
        }
    });
    if let Some(next) = next {
        // Now: a key that follows at once is for the row where the focus goes.
        controller.focus_row_now(next);
    }
    next.is_some()
}
