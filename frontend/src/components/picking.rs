//! Selects rows with the mouse and Shift, Control or Command, with keys, and with a long press.
//!
//! While there is a selection, a tap on a text selects its row instead of ticking it. Buttons, links
//! and fields in a row keep their function.

use std::cell::Cell;

use checklist_shared::ItemId;
use leptos::prelude::WithUntracked;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, MouseEvent, PointerEvent};

use super::drag;
use crate::browser;
use crate::effects::Controller;
use crate::model::message::UserAction;
use crate::model::selecting::SelectionChange;
use crate::screen::RETIRED;

/// Milliseconds after which a finger rests.
const REST: u32 = 500;
/// CSS pixels that a finger may move and still rest.
const CALM: i32 = 10;
/// Elements in a row that keep their own clicks.
const OTHERS: &str = "a, button, input:not(.box), textarea, select, summary, .editor, .notice, \
    .menu, .history, .section-title, .drag";

/// A finger on a row.
#[derive(Clone, Copy, Default)]
struct LongPress {
    /// Identifies the press, so that a later timer is ignored.
    number: u32,
    place: (i32, i32),
    /// Whether it is down and has not moved.
    rests: bool,
    /// Whether it has selected something: the click that follows means nothing then.
    has_picked: bool,
    is_touch: bool,
}

thread_local! {
    static PRESS: Cell<LongPress> = const { Cell::new(LongPress {
        number: 0, place: (0, 0), rests: false, has_picked: false, is_touch: false,
    }) };
}

/// No text is selected between two clicks that select rows.
pub fn on_press(controller: Controller, event: &Event) {
    if holds_key(event) && row_of(controller, event).is_some() {
        event.prevent_default();
    }
}

/// Selects by a click.
pub fn on_click(controller: Controller, event: &Event) {
    // A script or assistive technology that clicks means what it clicks.
    let Some(mouse) = event.dyn_ref::<MouseEvent>().filter(|it| it.detail() > 0) else {
        return;
    };
    let press = PRESS.get();
    if press.has_picked {
        PRESS.set(LongPress {
            has_picked: false,
            ..press
        });
        event.prevent_default();
        return;
    }
    let Some(id) = row_of(controller, event) else {
        return;
    };
    let is_text = browser::origin(event).is_some_and(|origin| !origin.class_list().contains("box"));
    let is_tap = press.is_touch && is_text && controller.has_selection();
    if !holds_key(event) && !is_tap {
        return;
    }
    event.prevent_default();
    if mouse.shift_key() {
        let from = controller.focused_row().unwrap_or(id);
        controller.does(UserAction::Pick(SelectionChange::Range(from, id)));
    } else {
        controller.does(UserAction::Pick(SelectionChange::Toggle(id)));
    }
    controller.focus_row(id);
    controller.keep_in_sight(id);
}

/// Touch start.
pub fn on_pointer_down(controller: Controller, event: &Event) {
    let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
        return;
    };
    let press = LongPress {
        number: PRESS.get().number.wrapping_add(1),
        place: (pointer.client_x(), pointer.client_y()),
        rests: true,
        has_picked: false,
        is_touch: pointer.pointer_type() == "touch",
    };
    PRESS.set(press);
    let Some(id) = row_of(controller, event).filter(|_| press.is_touch && pointer.is_primary())
    else {
        return;
    };
    let act = move || {
        let now = PRESS.get();
        if now.number == press.number && now.rests {
            PRESS.set(LongPress {
                has_picked: true,
                ..now
            });
            controller.does(UserAction::Pick(SelectionChange::Toggle(id)));
            controller.keep_in_sight(id);
        }
    };
    browser::set_timeout(REST, Box::new(act));
}

/// A finger moves: it scrolls, or does anything else than rest. One that has rested drags the row,
/// and has not meant to select it.
pub fn on_pointer_move(controller: Controller, event: &Event) {
    let press = PRESS.get();
    let Some(pointer) = event.dyn_ref::<PointerEvent>().filter(|_| press.rests) else {
        return;
    };
    let (x, y) = press.place;
    let moved = (pointer.client_x() - x)
        .abs()
        .max((pointer.client_y() - y).abs());
    if moved <= CALM {
        return;
    }
    PRESS.set(LongPress {
        rests: false,
        ..press
    });
    let id = row_of(controller, event).filter(|_| press.has_picked && controller.mode().reorder);
    if let Some(id) = id {
        controller.does(UserAction::Pick(SelectionChange::Toggle(id)));
        drag::take_up(controller, id, pointer);
    }
}

/// The page does not scroll under a finger that drags, or that has rested on a row and may drag it.
pub fn on_touch_move(event: &Event) {
    let press = PRESS.get();
    let is_lifted = press.rests && press.has_picked;
    if (drag::is_busy() || is_lifted) && event.cancelable() {
        event.prevent_default();
    }
}

/// A finger is gone.
pub fn on_pointer_end() {
    PRESS.set(LongPress {
        rests: false,
        ..PRESS.get()
    });
}

/// A finger that rests on a row selects it, and opens no menu of the browser.
pub fn on_context_menu(controller: Controller, event: &Event) {
    let press = PRESS.get();
    let is_ours = press.is_touch && (press.rests || press.has_picked);
    if is_ours && row_of(controller, event).is_some() {
        event.prevent_default();
    }
}

/// Selects up to the row before or after, which gets the focus.
pub fn extend(controller: Controller, id: ItemId, up: bool) -> bool {
    let screen = controller.screen();
    let next = screen.groups.with_untracked(|groups| {
        let shown = groups.iter().filter(|(key, _)| *key != RETIRED);
        let rows: Vec<ItemId> = shown.flat_map(|(_, rows)| rows).copied().collect();
        let at = rows.iter().position(|row| *row == id)?;
        let next = if up { at.checked_sub(1)? } else { at + 1 };
        rows.get(next).copied()
    });
    if controller
        .row_element(id)
        .is_none_or(|row| !row.class_list().contains("row"))
    {
        return false;
    }
    let next = next.unwrap_or(id);
    controller.does(UserAction::Pick(SelectionChange::Range(id, next)));
    controller.focus_row_now(next);
    controller.keep_in_sight(next);
    true
}

/// Whether keys are held that mean a selection.
fn holds_key(event: &Event) -> bool {
    let mouse = event.dyn_ref::<MouseEvent>();
    mouse.is_some_and(|mouse| mouse.shift_key() || mouse.ctrl_key() || mouse.meta_key())
}

/// The row that can be selected where an event happened.
fn row_of(controller: Controller, event: &Event) -> Option<ItemId> {
    let origin: Element = browser::origin(event)?;
    let is_other = origin.closest(OTHERS).ok().flatten().is_some();
    if is_other || !controller.mode().selects() {
        return None;
    }
    controller.row_of_event(event)
}
