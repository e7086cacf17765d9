//! Effects that wait for the lazy chunk.

use wasm_bindgen::JsValue;

use crate::model::effect::Effect;

/// An effect that needs the chunk.
pub enum DeferredCall {
    /// An effect of the model.
    Effect(Effect),
    /// Other people's changes from the live stream.
    Heard,
    /// The people on the list.
    Met(JsValue),
    /// The changes of a draft, as text.
    BringBack(String),
}
