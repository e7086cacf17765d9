//! A list without an object: its template is loaded and shown as if it were a list.
//!
//! Called by `load` for a control whose object is still to come.

use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::{Timestamp, order};
use wasm_bindgen::JsValue;

use super::Controller;
use super::load::part;
use crate::api::error::Failure;
use crate::api::read;
use crate::browser;
use crate::state::draft;
use crate::state::served::{ServedItem, ServedList};

impl Controller {
    pub(super) fn load_template(&self, generation: u32, template: &str) {
        let path = [
            "Template/",
            &part(template),
            "?Language=",
            &part(self.mode().tag),
        ]
        .concat();
        self.get(path, generation, |controller, generation, answer| {
            controller.took_template(generation, answer.result);
        });
    }

    pub(super) fn took_template(&self, generation: u32, result: Result<JsValue, Failure>) {
        if self.is_current(generation) {
            self.loaded(result.map(|value| self.take(as_draft(&value))));
        }
    }
}

/// A template as a list that nobody has written.
fn as_draft(value: &JsValue) -> ServedList {
    let (template, title, rows) = read::template(value);
    let keys = order::fresh_keys(rows.len());
    let items = draft::project(
        rows,
        keys,
        Timestamp::from_millis(browser::now()),
        browser::new_id,
    );
    ServedList {
        revision: 0,
        items: items
            .into_iter()
            .map(|item| ServedItem {
                item,
                text_hash: String::new(),
            })
            .collect(),
        delta: false,
        removed: Vec::new(),
        title,
        template,
        update: None,
        locked: None,
        // The server decides when the draft is sent; until then nothing is forbidden.
        permissions: Permissions::all(),
        limits: Limits::default(),
    }
}
