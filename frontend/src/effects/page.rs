//! Page events that concern a control: it becomes visible or online again, is printed,
//! or is about to be closed.
//!
//! The listeners live as long as the control's runtime.

use js_sys::Function;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, EventTarget};

use super::Controller;
use crate::browser;
use crate::model::message::Msg;

/// The callback of a listener.
type GuardedAction = Closure<dyn FnMut(JsValue)>;

/// Listeners that end when this is dropped.
pub(crate) struct Listeners(Vec<(EventTarget, &'static str, GuardedAction)>);

impl Listeners {
    /// Listens for a control.
    #[must_use]
    pub fn new(controller: Controller) -> Self {
        let mut listeners = Self(Vec::new());
        let Some(window) = web_sys::window() else {
            return listeners;
        };
        let back: fn(Controller, &JsValue) = |controller, _| look_again(controller);
        if let Some(document) = window.document() {
            listeners.add(
                document.unchecked_into(),
                "visibilitychange",
                controller,
                back,
            );
        }
        let window: EventTarget = window.unchecked_into();
        listeners.add(window.clone(), "focus", controller, back);
        listeners.add(window.clone(), "online", controller, |controller, _| {
            controller.tell(Msg::Online);
        });
        listeners.add(
            window.clone(),
            "beforeprint",
            controller,
            |controller, _| {
                controller.draw_all();
            },
        );
        listeners.add(window, "beforeunload", controller, ask_before_leaving);
        listeners
    }

    fn add(
        &mut self,
        target: EventTarget,
        name: &'static str,
        controller: Controller,
        act: fn(Controller, &JsValue),
    ) {
        let closure = GuardedAction::new(move |event: JsValue| act(controller, &event));
        if target
            .add_event_listener_with_callback(name, function(&closure))
            .is_ok()
        {
            self.0.push((target, name, closure));
        }
    }
}

fn look_again(controller: Controller) {
    if browser::is_visible() {
        controller.tell(Msg::Back);
    }
}

/// What the server does not have yet would go with the page, or wait for its next visit.
fn ask_before_leaving(controller: Controller, event: &JsValue) {
    let runtime = controller.runtime();
    let asks = runtime.model.borrow().asks_before_leaving();
    if asks && let Some(event) = event.dyn_ref::<Event>() {
        event.prevent_default();
    }
}

fn function(closure: &GuardedAction) -> &Function {
    let value: &JsValue = closure.as_ref();
    value.unchecked_ref()
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for (target, name, closure) in &self.0 {
            let _ = target.remove_event_listener_with_callback(name, function(closure));
        }
    }
}
