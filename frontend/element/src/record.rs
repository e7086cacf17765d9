//! Plain JavaScript objects, built field by field.
//!
//! What a listener or a tool gets to see. Called by `control`.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// An object that is being put together.
pub struct Record(Object);

impl Record {
    /// An object without fields.
    pub fn new() -> Self {
        Self(Object::new())
    }

    /// With a field; numbers, texts, booleans and objects alike, `None` as `null`.
    pub fn with(self, name: &str, value: impl Into<Field>) -> Self {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&self.0, &JsValue::from_str(name), &value.into().0);
        self
    }

    /// The finished object.
    pub fn finish(self) -> JsValue {
        self.0.into()
    }
}

/// The value of a field.
pub struct Field(JsValue);

impl From<JsValue> for Field {
    fn from(value: JsValue) -> Self {
        Self(value)
    }
}

impl From<Record> for Field {
    fn from(record: Record) -> Self {
        Self(record.finish())
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self(JsValue::from_str(text))
    }
}

impl From<Option<&str>> for Field {
    fn from(text: Option<&str>) -> Self {
        Self(text.map_or(JsValue::NULL, JsValue::from_str))
    }
}

impl From<bool> for Field {
    fn from(flag: bool) -> Self {
        Self(JsValue::from_bool(flag))
    }
}

impl From<u32> for Field {
    fn from(number: u32) -> Self {
        Self(JsValue::from_f64(f64::from(number)))
    }
}
