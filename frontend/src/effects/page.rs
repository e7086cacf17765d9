//! Page events that concern a control: it becomes visible or online again, is printed,
//! or is about to be closed.
//!
//! The listeners live as long as the control's runtime.

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, EventTarget};

use super::controller::Controller;
use super::listeners::{Callback, Listeners};
use crate::browser;
use crate::drawing::draw_due;
use crate::model::message::Msg;
use crate::port::{Host, Settings};

impl Controller {
    /// A control for that host. Does nothing before [`Controller::begin`].
    #[must_use]
    pub fn new(host: Rc<dyn Host>, settings: Settings) -> Self {
        let controller = Self::without_page(host, settings);
        let listeners = controller.listen_to_page();
        controller.runtime().listeners.replace(Some(listeners));
        controller
    }

    fn listen_to_page(self) -> Listeners {
        let mut listeners = Listeners::default();
        let Some(window) = web_sys::window() else {
            return listeners;
        };
        let mut listen = |target: &EventTarget, name, act: fn(Self, &JsValue)| {
            let callback = Callback::new(move |event: JsValue| act(self, &event));
            listeners.add(target.clone(), name, callback);
        };
        if let Some(document) = window.document() {
            listen(&document, "visibilitychange", look_again);
        }
        listen(&window, "focus", look_again);
        listen(&window, "online", |controller, _| {
            controller.tell(Msg::Online)
        });
        listen(&window, "beforeprint", |controller, _| {
            controller.print(true)
        });
        listen(&window, "afterprint", |controller, _| {
            controller.print(false)
        });
        listen(&window, "beforeunload", ask_before_leaving);
        listeners
    }

    /// Draws everything for paper, or what the screen had before. At once: a script that calls
    /// `print()` goes on only when the page has been printed.
    fn print(self, is_printing: bool) {
        self.tell(Msg::Print(is_printing));
        if is_printing {
            self.draw_all();
        }
        draw_due();
    }
}

fn look_again(controller: Controller, _: &JsValue) {
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
