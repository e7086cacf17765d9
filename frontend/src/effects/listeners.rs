//! Listeners on a page, which end when they are dropped.

use js_sys::Function;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::EventTarget;

/// The callback of a listener.
pub(crate) type Callback = Closure<dyn FnMut(JsValue)>;

/// Listeners that end when this is dropped.
#[derive(Default)]
pub(crate) struct Listeners(Vec<(EventTarget, &'static str, Callback)>);

impl Listeners {
    /// Calls back at every event of that name.
    pub(crate) fn add(&mut self, target: EventTarget, name: &'static str, callback: Callback) {
        if target
            .add_event_listener_with_callback(name, function(&callback))
            .is_ok()
        {
            self.0.push((target, name, callback));
        }
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for (target, name, callback) in &self.0 {
            let _ = target.remove_event_listener_with_callback(name, function(callback));
        }
    }
}

fn function(callback: &Callback) -> &Function {
    let value: &JsValue = callback.as_ref();
    value.unchecked_ref()
}
