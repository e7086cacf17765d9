//! A list without an object: its template is loaded and shown as if it were a list. What was
//! done in it comes back with the page when a reader returns to it, as what stands in a field
//! does: nothing else keeps it, because nobody knows yet what it belongs to.
//!
//! Called by `load` for a control whose object is still to come, and by the host.

use checklist_shared::checklist::TemplateRef;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::template::LocalTemplate;
use checklist_shared::{Timestamp, order};

use super::Controller;
use super::port::Settings;
use crate::api::error::Error;
use crate::api::requests::GetTemplate;
use crate::api::saved::Saved;
use crate::browser;
use crate::model::draft;
use crate::model::served::{ServedItem, ServedList};

impl Controller {
    pub(super) fn load_template(&self, generation: u32, template: &str) {
        let controller = *self;
        self.ask(
            GetTemplate(template.to_owned()),
            Vec::new(),
            move |answer| {
                controller.took_template(generation, answer.result.map(Some));
            },
        );
    }

    pub(super) fn took_template(
        &self,
        generation: u32,
        result: Result<Option<LocalTemplate>, Error>,
    ) {
        if self.is_current(generation) {
            self.loaded(result.map(|template| {
                self.take(as_draft(template));
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
            let saved = Saved {
                place: self.draft_place(),
                keys: draft::keys_by_id(&state.list),
                ..Saved::of(state.queue.iter())
            };
            saved.text()
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
        let kept = Saved::read(&kept);
        if kept.place != self.draft_place() {
            return;
        }
        let operations =
            self.with_state(|state| draft::rewrite(kept.operations, &kept.keys, &state.list));
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

/// A template as a list that nobody has written; without one it is empty.
fn as_draft(template: Option<LocalTemplate>) -> ServedList {
    let (reference, title, rows) = match template {
        Some(template) => (
            TemplateRef {
                id: template.id,
                version: template.version,
                completion_rule: template.completion_rule,
            },
            Some(template.name),
            template.items,
        ),
        None => (
            TemplateRef {
                id: String::new(),
                version: 0,
                completion_rule: CompletionRule::All,
            },
            None,
            Vec::new(),
        ),
    };
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
        template: reference,
        update: None,
        locked: None,
        // The server decides when the draft is sent; until then nothing is forbidden.
        permissions: Permissions::all(),
        limits: Limits::default(),
    }
}
