//! `<checklist-control>`: mounts the control, follows the element's attributes and tells the
//! element what its hosts can see.

use std::rc::Rc;

use checklist_control::components::whole::Whole;
use checklist_control::control::Controller;
use checklist_control::port::{
    CancelableEvent, ChangeDetail, CompletionCallback, ErrorDetail, Host, PeopleCallback, Settings,
    Snapshot, TokenCallback, TokenReason,
};
use checklist_shared::progress::State;
use checklist_shared::{Context, ItemId};
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::ShadowRoot;

use crate::place::{self, View};
use crate::port::Port;
use crate::shapes::{change_record, error_record, item_record, snapshot_record};
use crate::words::words;

/// A mounted control. Freeing it takes the view away and ends what runs by itself.
///
/// Every method takes `&self`: a listener that one of them calls may call the next.
#[wasm_bindgen]
pub struct ControlHandle {
    port: Port,
    controller: Controller,
    _view: View,
}

#[wasm_bindgen]
impl ControlHandle {
    /// Starts, once event handlers can call back: with the list that a server has
    /// drawn, as GetItems answers it, and of which somebody may have read so many rows, else by
    /// loading.
    pub fn begin(&self, drawn: &JsValue, rows: u32) {
        self.controller.begin(drawn, rows as usize);
    }

    /// Reads the element's attributes again.
    pub fn configure(&self) {
        self.controller.set_settings(read(&self.port));
    }

    /// The items on the screen, in order.
    pub fn items(&self) -> Array {
        self.controller.items().iter().map(item_record).collect()
    }

    /// Sends what waits; rejects with the first thing that did not work.
    pub fn flush(&self) -> Promise {
        promise(|done| self.controller.flush(done))
    }

    /// Reads the list again; rejects when it cannot be read.
    pub fn refresh(&self) -> Promise {
        promise(|done| self.controller.refresh(done))
    }

    /// Takes in what somebody else has done: a `list` event with its items.
    pub fn receive_change(&self, change: &JsValue) {
        self.controller.receive_change(change);
    }

    /// Who else is on the list: a `presence` event.
    pub fn receive_presence(&self, presence: &JsValue) {
        self.controller.receive_presence(presence);
    }

    /// Whether changes of others arrive, and if not, whether it is because the page gives no token.
    pub fn connected(&self, connected: bool, refused: bool) {
        self.controller.connected(connected, refused);
    }

    /// Takes the person's last operation back.
    pub fn undo(&self) {
        self.controller.undo();
    }

    /// Forgets what waits for a form or an object.
    pub fn reset(&self) {
        self.controller.reset();
    }

    /// Whether a form has waited for `flush` so long that its person has to know.
    pub fn submit_waits(&self, waits: bool) {
        self.controller.submit_waits(waits);
    }

    /// Draws the first open item now, so that a form can point at it.
    pub fn reach_first_open(&self) {
        self.controller.reach_first_open();
    }

    /// What was done in a draft, for the browser to keep; empty where there is nothing.
    pub fn kept(&self) -> String {
        self.controller.kept_draft()
    }

    /// Does again in a draft what the browser has kept of it.
    pub fn bring_back(&self, kept: String) {
        self.controller.bring_back(kept);
    }

    /// Focuses the first open item, else the first thing that can be focused.
    pub fn focus_first_open(&self) {
        self.controller.focus_first_open();
    }
}

impl Drop for ControlHandle {
    fn drop(&mut self) {
        self.controller.dispose();
    }
}

/// Mounts a control into a shadow root; [`ControlHandle::begin`] sets it going.
#[wasm_bindgen]
pub fn mount_control(port: Port, root: ShadowRoot) -> ControlHandle {
    place::begin();
    let host = Rc::new(ElementHost(port.clone()));
    let settings = read(&port);
    let controller = Controller::new(host, settings);
    let view = place::mount(root, move || view! { <Whole controller /> }.into_any());
    ControlHandle {
        port,
        controller,
        _view: view,
    }
}

/// What becomes of something, as a promise.
fn promise(begin: impl Fn(CompletionCallback)) -> Promise {
    Promise::new(&mut |resolve: Function, reject: Function| {
        begin(Box::new(move |result| {
            let _ = match result {
                Ok(()) => resolve.call0(&JsValue::UNDEFINED),
                Err(problem) => {
                    let error = js_sys::Error::new(&problem.message);
                    let _ = js_sys::Object::assign(&error, error_record(&problem).unchecked_ref());
                    reject.call1(&JsValue::UNDEFINED, &error)
                }
            };
        }));
    })
}

/// What the attributes say now: an object with their names.
fn read(port: &Port) -> Settings {
    let settings = port.settings();
    let of = |name: &str| Reflect::get(&settings, &JsValue::from_str(name)).unwrap_or_default();
    let text = |name: &str| of(name).as_string().unwrap_or_default();
    let is_set = |name: &str| of(name).is_truthy();
    let words = words(of("words").as_f64(), &text("lang"));
    Settings {
        labels: text("labels"),
        ..Settings::of_attributes(text, is_set, Some(words))
    }
}

struct ElementHost(Port);

impl Host for ElementHost {
    fn before(&self, what: CancelableEvent, item: Option<ItemId>) -> bool {
        self.0.before(what.name(), item.map(|id| id.to_text()))
    }

    fn changed(&self, snapshot: &Snapshot) {
        self.0.changed(snapshot_record(snapshot));
    }

    fn user_change(&self, change: ChangeDetail) {
        self.0.user_change(change_record(&change));
    }

    fn completed_changed(&self, completed: bool) {
        self.0.completed_changed(completed);
    }

    fn state_changed(&self, state: State) {
        self.0.state_changed(state.name());
    }

    fn error(&self, problem: ErrorDetail) {
        self.0.error(error_record(&problem));
    }

    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: TokenCallback) {
        self.0.token(&contexts, reason, done);
    }

    fn token_source(&self) -> usize {
        self.0.token_source()
    }

    fn has_people(&self) -> bool {
        self.0.has_people()
    }

    fn find_people(&self, prefix: String, done: PeopleCallback) {
        self.0.people(&prefix, done);
    }
}
