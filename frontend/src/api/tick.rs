//! The one writing call that a tick needs: a change of an item, and its answer.
//!
//! Separate from [`Write`](super::requests::Write), which has all writing calls and is in a lazy
//! chunk (`lazy`).

use checklist_shared::Context;
use checklist_shared::wire::write::{UpdateItem, UpdateItems, WriteOutcome};
use wasm_bindgen::JsValue;

use super::js;
use super::requests::{Request, body_in};
use crate::model::error::Error;

/// The call that a change of an item is.
#[must_use]
pub fn update(operation: &str, item: UpdateItem, context: Context, journal: bool) -> UpdateItems {
    UpdateItems {
        context,
        operation_id: Some(operation.to_owned()),
        atomic: false,
        items: vec![item],
        log_in_journal: journal.then_some(true),
        language: None,
    }
}

impl Request for UpdateItems {
    type Answer = WriteOutcome;

    fn address(&self, _language: &str) -> String {
        "UpdateItems".to_owned()
    }

    fn body(self, language: &str) -> Option<String> {
        body_in(self, language)
    }

    fn read(answer: JsValue) -> Result<WriteOutcome, Error> {
        js::read(answer)
    }
}
