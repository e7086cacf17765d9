//! Converts between JavaScript values and Rust types, both ways, by serde.
//!
//! Input that cannot be converted is an error with a sentence and never a panic: everything read here
//! comes from outside.

use js_sys::{Array, JSON, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

use crate::model::error::Error;

/// Reads a value.
///
/// # Errors
/// [`Error::Unreadable`] when it has another shape.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, Error> {
    serde_wasm_bindgen::from_value(value).map_err(|error| Error::Unreadable(error.to_string()))
}

/// Reads a JSON text.
///
/// # Errors
/// [`Error::Unreadable`] when it is no JSON, or has another shape.
pub fn read_text<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    JSON::parse(text)
        .map_err(|_| Error::no_json())
        .and_then(read)
}

/// A plain object: what is `None` is `null`, numbers are numbers.
#[must_use]
pub fn value<T: Serialize>(from: &T) -> JsValue {
    // Types of ours have text keys and numbers that JavaScript holds, so nothing can go wrong.
    from.serialize(&Serializer::json_compatible())
        .unwrap_or(JsValue::NULL)
}

/// The same as JSON text.
#[must_use]
pub fn text<T: Serialize>(from: &T) -> String {
    JSON::stringify(&value(from)).map_or_else(|_| String::new(), String::from)
}

/// A member of an object; `undefined` where there is none.
#[must_use]
pub fn member(value: &JsValue, name: &str) -> JsValue {
    if value.is_object() {
        Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED)
    } else {
        JsValue::UNDEFINED
    }
}

/// The entries of an array that is a member of an object; none where there is no array.
#[must_use]
pub fn entries(value: &JsValue, name: &str) -> Vec<JsValue> {
    member(value, name)
        .dyn_into::<Array>()
        .map(|array| array.iter().collect())
        .unwrap_or_default()
}
