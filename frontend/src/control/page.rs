//! What happens on the page around a control: it comes back into view or back online, or is
//! printed.
//!
//! Where changes do not arrive by themselves, these are the moments at which a list is read again.
//! Held by the controller, gone with it.

use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::EventTarget;

/// What a listener does.
type Act = Closure<dyn FnMut(JsValue)>;

/// Listeners that end when this is dropped.
pub struct Listeners {
    held: Vec<(EventTarget, &'static str, Act)>,
}

impl Listeners {
    /// Calls `back` when the page is looked at again, `online` when the network is back, and
    /// `print` before the page is printed.
    #[must_use]
    pub fn new(back: Rc<dyn Fn()>, online: Rc<dyn Fn()>, print: Rc<dyn Fn()>) -> Self {
        let mut listeners = Self { held: Vec::new() };
        if let Some(window) = web_sys::window() {
            if let Some(document) = window.document() {
                listeners.add(
                    document.unchecked_into(),
                    "visibilitychange",
                    Rc::clone(&back),
                );
            }
            let window: EventTarget = window.unchecked_into();
            listeners.add(window.clone(), "focus", back);
            listeners.add(window.clone(), "online", online);
            listeners.add(window, "beforeprint", print);
        }
        listeners
    }

    fn add(&mut self, target: EventTarget, name: &'static str, act: Rc<dyn Fn()>) {
        let closure = Act::new(move |_| act());
        if target
            .add_event_listener_with_callback(name, function(&closure))
            .is_ok()
        {
            self.held.push((target, name, closure));
        }
    }
}

fn function(closure: &Act) -> &Function {
    let value: &JsValue = closure.as_ref();
    value.unchecked_ref()
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for (target, name, closure) in &self.held {
            let _ = target.remove_event_listener_with_callback(name, function(closure));
        }
    }
}
