//! The thin WASM library behind the custom elements.
//! The hand-written class in `checklist-control.js` calls what is exported here.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of this control, for the console and for support.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
