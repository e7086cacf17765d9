//! What a pointer does beyond a click: a mouse that drags, a finger that scrolls or taps.
//!
//! Real input, through the driver's own actions.

use serde_json::{Value, json};
use thirtyfour::Key;
use thirtyfour::common::command::{Actions, Command};

use super::driver::Browser;

/// What points.
#[derive(Clone, Copy, Debug)]
pub enum Pointer {
    /// A mouse with its left button.
    Mouse,
    /// One finger.
    Finger,
}

/// A place in the view, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Spot {
    /// The place that lies so far to the right and below.
    #[must_use]
    pub fn moved(self, x: f64, y: f64) -> Self {
        Self {
            x: self.x + x,
            y: self.y + y,
        }
    }
}

impl Browser {
    /// The middle of the element that an expression gives, after it was brought into view.
    ///
    /// # Panics
    /// When there is no such element.
    #[must_use]
    #[track_caller]
    pub fn middle_of(&self, expression: &str) -> Spot {
        let found = self.value(&format!(
            "(() => {{ const one = {expression}; one.scrollIntoView({{ block: 'nearest' }});\
               const {{ left, top, width, height }} = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }})()"
        ));
        let number = |at: usize| found[at].as_f64().expect("an element with a box");
        Spot {
            x: number(0),
            y: number(1),
        }
    }

    /// Presses at the first place, goes through all others, and lets go at the last.
    #[track_caller]
    pub fn drag(&self, pointer: Pointer, way: &[Spot]) {
        let kind = match pointer {
            Pointer::Mouse => "mouse",
            Pointer::Finger => "touch",
        };
        let go = |spot: &Spot, duration: u32| json!({ "type": "pointerMove", "duration": duration, "origin": "viewport", "x": spot.x.round(), "y": spot.y.round() });
        let (first, rest) = way.split_first().expect("a way begins somewhere");
        let mut actions = vec![go(first, 0), json!({ "type": "pointerDown", "button": 0 })];
        for spot in rest {
            actions.push(go(spot, 20));
        }
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        self.act(json!([{
            "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": actions,
        }]));
    }

    /// Touches a place and lets go at once.
    #[track_caller]
    pub fn tap(&self, spot: Spot) {
        self.drag(Pointer::Finger, &[spot]);
    }

    /// Rests with a finger on a place, then goes through the others, and lets go at the last.
    #[track_caller]
    pub fn press_long(&self, way: &[Spot]) {
        let go = |spot: &Spot| json!({ "type": "pointerMove", "duration": 30, "origin": "viewport", "x": spot.x.round(), "y": spot.y.round() });
        let (first, rest) = way.split_first().expect("a way begins somewhere");
        let mut actions = vec![go(first), json!({ "type": "pointerDown", "button": 0 })];
        actions.push(json!({ "type": "pause", "duration": 900 }));
        actions.extend(rest.iter().map(go));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        self.act(json!([{
            "type": "pointer", "id": "touch", "parameters": { "pointerType": "touch" }, "actions": actions,
        }]));
    }

    /// Clicks with the mouse while a key is held.
    #[track_caller]
    pub fn click_with(&self, held: Key, spot: Spot) {
        let pause = json!({ "type": "pause", "duration": 0 });
        let key = held.value().to_string();
        self.act(json!([
            { "type": "key", "id": "keys", "actions": [
                { "type": "keyDown", "value": key }, pause, pause, pause, { "type": "keyUp", "value": key },
            ] },
            { "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [
                pause,
                { "type": "pointerMove", "duration": 0, "origin": "viewport", "x": spot.x.round(), "y": spot.y.round() },
                { "type": "pointerDown", "button": 0 }, { "type": "pointerUp", "button": 0 }, pause,
            ] },
        ]));
    }

    #[track_caller]
    fn act(&self, sources: Value) {
        let command = Command::PerformActions(Actions::from(sources));
        self.wait_for(self.driver().handle().cmd(command))
            .expect("a pointer can be moved");
    }
}
