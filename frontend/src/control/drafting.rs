//! A list without an object: its template is loaded and shown as if it were a list. What was
//! done in it comes back with the page when a reader returns to it, as what stands in a field
//! does: nothing else keeps it, because nobody knows yet what it belongs to.
//!
//! Called by `load` for a control whose object is still to come, and by the host.

use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::{Timestamp, order};
use js_sys::JSON;
use wasm_bindgen::JsValue;

use super::Controller;
use super::load::part;
use super::port::Settings;
use crate::api::error::Failure;
use crate::api::fields::Fields;
use crate::api::{read, saved, write};
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
            self.loaded(result.map(|value| {
                self.take(as_draft(&value));
                self.do_again();
            }));
        }
    }

    /// What was done in a draft, as text; empty where there is nothing to keep.
    #[must_use]
    pub fn kept_draft(&self) -> String {
        let kept = self.inner().kept.borrow().clone();
        if !kept.is_empty() || self.context().is_some() {
            return kept;
        }
        self.with_state(|state| {
            if state.queue.is_empty() {
                return String::new();
            }
            let keys = draft::keys_by_id(&state.list);
            write::saved(state.queue.iter(), &self.draft_place(), &keys)
        })
    }

    /// Does again what [`Self::kept_draft`] has told, as soon as there is a draft.
    pub fn bring_back(&self, kept: String) {
        self.inner().kept.replace(kept);
        if self.context().is_none() && self.with_state(|state| state.meta.loaded) {
            self.do_again();
            self.publish();
        }
    }

    fn do_again(&self) {
        let kept = self.inner().kept.take();
        // Nothing is no JSON.
        let Ok(kept) = JSON::parse(&kept) else { return };
        if Fields::of(&kept).said("Place") != self.draft_place() {
            return;
        }
        let keys = saved::keys(&kept);
        let operations =
            self.with_state(|state| draft::rewrite(saved::operations(&kept), &keys, &state.list));
        self.requeue(operations);
    }

    /// Which template a draft shows, as far as the settings say it.
    fn draft_place(&self) -> String {
        let settings = self.settings();
        let Settings {
            object_type,
            purpose,
            template,
            ..
        } = &*settings;
        [object_type.as_str(), purpose, template].join("\u{1f}")
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
