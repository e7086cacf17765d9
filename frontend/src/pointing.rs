//! Treats a mouse gesture as a click only if the button was released near where it was pressed.
//!
//! Somebody who drags over a text wants to select it. `WebKit` takes that for a click on the label,
//! which would tick the checkbox by accident; other browsers check it themselves. Touches only arrive
//! here as clicks.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use web_sys::{Event, MouseEvent};

use crate::browser;

/// Nobody's hand is so calm that a click may not move at all; in CSS pixels.
const CALM: i32 = 10;

thread_local! {
    /// Where the mouse was pressed last: there is one, whatever it points at.
    static PRESSED: Cell<(i32, i32)> = const { Cell::new((0, 0)) };
}

/// Remembers where the mouse was pressed.
pub fn on_press(event: &Event) {
    PRESSED.set(place(event));
}

/// Stops the click that a drag over a label ends with.
pub fn on_click(event: &Event) {
    let (x, y) = place(event);
    let (from_x, from_y) = PRESSED.get();
    // A script or assistive technology that clicks has no place, and no mouse.
    let by_mouse = event.unchecked_ref::<MouseEvent>().detail() > 0;
    let dragged = (x - from_x).abs() > CALM || (y - from_y).abs() > CALM;
    let label = || {
        let origin = browser::origin(event)?;
        origin.closest("label").ok().flatten()
    };
    if by_mouse && dragged && label().is_some() {
        event.prevent_default();
    }
}

fn place(event: &Event) -> (i32, i32) {
    let mouse = event.unchecked_ref::<MouseEvent>();
    (mouse.client_x(), mouse.client_y())
}
