//! The call that finds items across lists, and its answer. The worklist alone makes it.

use checklist_shared::wire::find::{FindItems, FoundItems};
use wasm_bindgen::JsValue;

use super::js;
use super::requests::{Request, body_in};
use crate::model::error::Error;

impl Request for FindItems {
    type Answer = FoundItems;

    fn address(&self, _language: &str) -> String {
        "FindItems".to_owned()
    }

    fn body(self, language: &str) -> Option<String> {
        body_in(self, language)
    }

    fn read(answer: JsValue) -> Result<FoundItems, Error> {
        js::read(answer)
    }
}
