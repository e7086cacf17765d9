//! The thin WASM library behind the custom elements.
//!
//! `checklist-control.js` holds the two element classes and calls what is exported here: it
//! mounts a view into a shadow root and drives it through the handle that it gets back. Each
//! element passes a port, a plain object through which its view asks and tells ([`port`]).
#![cfg(target_arch = "wasm32")]

mod control;
mod port;
mod preview;
mod record;
mod shapes;

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static ON_PANIC: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Says whom to call when this instance cannot go on. Called once, before anything is mounted.
#[wasm_bindgen]
pub fn start(on_panic: Function) {
    ON_PANIC.set(Some(on_panic));
    // The message of a panic stays out: formatting it would cost more than all of this crate.
    std::panic::set_hook(Box::new(|_| {
        if let Some(tell) = ON_PANIC.take() {
            let _ = tell.call0(&JsValue::UNDEFINED);
        }
    }));
}
