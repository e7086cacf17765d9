//! The ports: what the element classes in `script/` do for their views.
//!
//! Both sides of the seam meet here, so the names below and the object literals made by the
//! classes' `#port()` have to agree.

use checklist_control::api::js;
use checklist_control::browser::on_settled;
use checklist_control::port::{PeopleCallback, Person, TokenCallback, TokenReason};
use checklist_shared::Context;
use js_sys::{Array, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The port of a `<checklist-control>` or `<checklist-preview>`; the first four are those of
    /// both, what follows is the control's, the last is the preview's.
    #[derive(Clone)]
    pub type Port;

    /// What attributes and properties say now.
    #[wasm_bindgen(method)]
    pub fn settings(this: &Port) -> JsValue;

    /// Dispatches `checklist-error`.
    #[wasm_bindgen(method)]
    pub fn error(this: &Port, detail: JsValue);

    #[wasm_bindgen(method, js_name = token)]
    fn token_promise(this: &Port, contexts: Array, reason: &str) -> Promise;

    /// The number of the page's source of tokens; 0 without one.
    #[wasm_bindgen(method, js_name = tokenSource)]
    pub fn token_source(this: &Port) -> usize;

    /// Whether the page offers people.
    #[wasm_bindgen(method, js_name = hasPeople)]
    pub fn has_people(this: &Port) -> bool;

    #[wasm_bindgen(method, js_name = people)]
    fn people_promise(this: &Port, prefix: &str) -> Promise;

    /// Dispatches `before-checklist-…`; false when a listener has cancelled it.
    #[wasm_bindgen(method)]
    pub fn before(this: &Port, what: &str, item: Option<String>) -> bool;

    /// Sets the form's value, validity and states.
    #[wasm_bindgen(method)]
    pub fn changed(this: &Port, snapshot: JsValue);

    /// Dispatches `completed-changed`.
    #[wasm_bindgen(method, js_name = completedChanged)]
    pub fn completed_changed(this: &Port, completed: bool);

    /// Dispatches `state-changed`.
    #[wasm_bindgen(method, js_name = stateChanged)]
    pub fn state_changed(this: &Port, state: &str);

    /// Dispatches `checklist-change`, `input` and `change`.
    #[wasm_bindgen(method, js_name = userChange)]
    pub fn user_change(this: &Port, detail: JsValue);

    /// Takes away what stood in for the preview.
    #[wasm_bindgen(method)]
    pub fn shown(this: &Port);
}

impl Port {
    /// People whose names begin so.
    pub fn people(&self, prefix: &str, done: PeopleCallback) {
        let settle = |answer: Result<JsValue, JsValue>| match answer {
            Ok(people) => {
                let text = |person: &JsValue, name: &str| {
                    let value = Reflect::get(person, &name.into()).unwrap_or_default();
                    value.as_string().unwrap_or_default()
                };
                let people = Array::from(&people);
                let people = people.iter().map(|person| Person {
                    id: text(&person, "id"),
                    name: text(&person, "name"),
                    detail: text(&person, "detail"),
                });
                done(Ok(people.collect()));
            }
            Err(thrown) => {
                let thrown = js_sys::Error::from(thrown);
                done(Err(thrown.message().as_string().unwrap_or_default()));
            }
        };
        on_settled(&self.people_promise(prefix), Box::new(settle));
    }

    /// A token for the contexts; empty where the page's own session will do.
    pub fn token(&self, contexts: &[Context], reason: TokenReason, done: TokenCallback) {
        // A token is for a list, whatever it was made from.
        let contexts = contexts.iter().map(|context| {
            js::value(&Context {
                template_id: None,
                ..context.clone()
            })
        });
        let promise = self.token_promise(contexts.collect(), reason.name());
        let settle = |answer: Result<JsValue, JsValue>| match answer {
            Ok(token) => done(Ok(token.as_string().unwrap_or_default())),
            Err(thrown) => {
                let thrown = js_sys::Error::from(thrown);
                done(Err(thrown.message().as_string().unwrap_or_default()));
            }
        };
        on_settled(&promise, Box::new(settle));
    }
}
