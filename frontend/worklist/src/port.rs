//! The port: what the element class in `script/` does for its view, under the names of the object
//! literal that its `#port()` makes.

use checklist_control::api::js;
use checklist_control::browser::on_settled;
use checklist_control::port::{TokenCallback, TokenReason};
use checklist_shared::Context;
use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The port of a `<checklist-worklist>`.
    #[derive(Clone)]
    pub type Port;

    /// What attributes and properties say now.
    #[wasm_bindgen(method)]
    pub fn settings(this: &Port) -> JsValue;

    #[wasm_bindgen(method, js_name = token)]
    fn token_promise(this: &Port, contexts: Array, reason: &str) -> Promise;

    /// Dispatches `before-checklist-check`; false when a listener has cancelled it.
    #[wasm_bindgen(method)]
    pub fn before(this: &Port, detail: JsValue) -> bool;

    /// Dispatches `checklist-change`.
    #[wasm_bindgen(method)]
    pub fn changed(this: &Port, detail: JsValue);

    /// Dispatches `checklist-open`; false when a listener has cancelled it.
    #[wasm_bindgen(method)]
    pub fn opened(this: &Port, detail: JsValue) -> bool;

    /// Dispatches `checklist-error`.
    #[wasm_bindgen(method)]
    pub fn error(this: &Port, detail: JsValue);

    /// Gives up the room that was kept.
    #[wasm_bindgen(method)]
    pub fn shown(this: &Port);
}

impl Port {
    /// A token for the contexts; empty where the page's own session will do.
    pub fn token(&self, contexts: &[Context], reason: TokenReason, done: TokenCallback) {
        let contexts = contexts.iter().map(js::value).collect();
        let settle = |answer: Result<JsValue, JsValue>| match answer {
            Ok(token) => done(Ok(token.as_string().unwrap_or_default())),
            Err(thrown) => {
                let thrown = js_sys::Error::from(thrown);
                done(Err(thrown.message().as_string().unwrap_or_default()));
            }
        };
        on_settled(
            &self.token_promise(contexts, reason.name()),
            Box::new(settle),
        );
    }
}
