//! What hears the events of an element.
//!
//! One function for scripts hears all events of the page's controls and looks up here what the
//! element wants done: a function for each would be one more object a listener, on both sides,
//! and a long list has thousands. An element carries the number under which it is known. Called
//! by `dom`.

use std::cell::RefCell;

use js_sys::Reflect;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event};

use super::{Act, Listener};
use crate::components::at::At;

/// The property of an element that holds its number.
const NUMBER: &str = "__checklist";

/// What an element hears.
#[derive(Default)]
struct Ears {
    place: Option<At>,
    listeners: Vec<Listener>,
}

thread_local! {
    static ALL: RefCell<Vec<Ears>> = const { RefCell::new(Vec::new()) };
    /// Numbers that nobody has any more.
    static FREE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    static NAME: JsValue = JsValue::from_str(NUMBER);
    /// One that may be called while it is being called: what is done about an event may give the
    /// focus to something, which is an event too.
    static HEAR: Closure<dyn Fn(JsValue)> = Closure::new(|event: JsValue| {
        hear(event.unchecked_ref());
    });
}

/// Who hears the events of an element, until [`Hearing::end`].
pub(super) struct Hearing(usize);

impl Hearing {
    /// Hears the events of an element.
    pub(super) fn of(node: &Element) -> Self {
        let free = FREE.with_borrow_mut(Vec::pop);
        let number = free.unwrap_or_else(|| {
            ALL.with_borrow_mut(|all| {
                all.push(Ears::default());
                all.len() - 1
            })
        });
        let value = JsValue::from_f64(number as f64);
        let _ = NAME.with(|name| Reflect::set(node, name, &value));
        Self(number)
    }

    /// From now on these, instead of those before.
    pub(super) fn hear(&self, node: &Element, place: Option<At>, mut listeners: Vec<Listener>) {
        listeners.shrink_to_fit();
        let ears = Ears { place, listeners };
        ALL.with_borrow_mut(|all| {
            let Some(mine) = all.get_mut(self.0) else {
                return;
            };
            for (event, _) in &ears.listeners {
                let known = mine.listeners.iter().any(|(known, _)| known == event);
                if !known {
                    // Heard again it is heard once: it is one function.
                    HEAR.with(|hear| {
                        let hear = hear.as_ref().unchecked_ref();
                        let _ = node.add_event_listener_with_callback(event, hear);
                    });
                }
            }
            *mine = ears;
        });
    }

    /// Nobody does any more.
    pub(super) fn end(&self, node: &Element) {
        // Another element gets the number.
        let _ = NAME.with(|name| Reflect::set(node, name, &JsValue::UNDEFINED));
        let gone = ALL.with_borrow_mut(|all| all.get_mut(self.0).map(std::mem::take));
        FREE.with_borrow_mut(|free| free.push(self.0));
        drop(gone);
    }
}

fn hear(event: &Event) {
    let number = event.current_target().and_then(|node| {
        let number = NAME.with(|name| Reflect::get(&node, name)).ok()?;
        Some(number.as_f64()? as usize)
    });
    let kind = event.type_();
    // Out of the borrow before anything is done: what is done may draw.
    let found = ALL.with_borrow(|all| {
        let ears = all.get(number?)?;
        let (_, act) = ears.listeners.iter().find(|(heard, _)| *heard == kind)?;
        Some((ears.place, act.clone()))
    });
    match found {
        Some((Some(place), Act::There(act))) => act(place, event),
        Some((_, Act::Closure(act))) => act(event),
        _ => {}
    }
}
