//! Stores unsent operations beyond the life of the page.
//!
//! Each has its own key: two tabs never overwrite each other's entries, and the tab that
//! learns that an operation is confirmed removes it. Ids are ordered by time, and so are the
//! keys. If the browser stores nothing, the model is notified.

use super::controller::Controller;
use crate::api::js;
use crate::api::saved::StoredOperations;
use crate::browser::{self, StorageArea};
use crate::model::message::Msg;
use crate::model::operation::Operation;
use crate::model::unsent::{LIFE, UnsentStorage};
use crate::model::visibility::ViewChoice;

/// Separates the parts of a key: a character that cannot occur in any of them.
const BETWEEN: &str = "\u{1f}";

/// What the key of a viewer's choice begins with.
const VIEW: &str = "checklist-view";

impl Controller {
    /// What the keys of this person and this list begin with.
    pub(super) fn key_of(&self, rest: &str) -> Option<String> {
        self.key_for("checklist", rest)
    }

    fn key_for(&self, what: &str, rest: &str) -> Option<String> {
        let runtime = self.runtime();
        let model = runtime.model.borrow();
        let (context, principal) = (model.context()?, model.principal.as_ref()?);
        let parts = [
            what,
            &model.settings.base_url,
            principal,
            &context.object_type,
            &context.object_id,
            &context.purpose,
            rest,
        ];
        Some(parts.join(BETWEEN))
    }

    fn places(&self) -> &'static [(StorageArea, UnsentStorage)] {
        const BOTH: [(StorageArea, UnsentStorage); 2] = [
            (StorageArea::Browser, UnsentStorage::InBrowser),
            (StorageArea::Tab, UnsentStorage::InTab),
        ];
        if self.settings().unsent_in_tab {
            &BOTH[1..]
        } else {
            &BOTH
        }
    }

    /// Keeps an operation, as far as the browser lets us.
    pub(super) fn store(&self, operation: &Operation) {
        let Some(key) = self.key_of(&operation.id) else {
            return;
        };
        let text = StoredOperations {
            at: browser::now(),
            ..StoredOperations::of(std::iter::once(operation))
        }
        .text();
        let mut places = self.places().iter();
        let kept = places.find(|(store, _)| browser::keep(*store, &key, Some(&text)));
        self.tell(Msg::Stored(
            kept.map_or(UnsentStorage::Nowhere, |(_, kept)| *kept),
        ));
    }

    /// It need not be kept any more.
    pub(super) fn discard(&self, id: &str) {
        if let Some(key) = self.key_of(id) {
            for (store, _) in self.places() {
                browser::keep(*store, &key, None);
            }
        }
    }

    /// What this person has left unsent in this list, in order. What is too old is forgotten.
    pub(super) fn recall(&self) {
        if self.runtime().model.borrow().is_unnamed() {
            return;
        }
        let Some(prefix) = self.key_of("") else {
            return;
        };
        let now = browser::now();
        let mut found = Vec::new();
        for (store, _) in self.places() {
            for (key, text) in browser::recall(*store, &prefix) {
                let saved = StoredOperations::read(&text);
                if now - saved.at > LIFE || saved.operations.is_empty() {
                    browser::keep(*store, &key, None);
                } else {
                    found.extend(saved.operations);
                }
            }
        }
        found.sort_by(|one, other| one.id.cmp(&other.id));
        if !found.is_empty() {
            self.tell(Msg::Recalled(found));
        }
    }

    /// Keeps what this person has chosen to see, as far as the browser lets us.
    pub(super) fn store_view(&self, choice: &ViewChoice) {
        let Some(key) = self.key_for(VIEW, "") else {
            return;
        };
        let text = (*choice != ViewChoice::default()).then(|| js::text(choice));
        browser::keep(StorageArea::Browser, &key, text.as_deref());
    }

    /// What this person has chosen to see of this list. Also when that is nothing: the model may
    /// show another choice.
    pub(super) fn recall_view(&self) {
        let Some(key) = self.key_for(VIEW, "") else {
            return;
        };
        let found = browser::recall(StorageArea::Browser, &key).into_iter();
        let text = found.map(|(_, text)| text).next().unwrap_or_default();
        let choice = js::read_text(&text).unwrap_or_default();
        self.tell(Msg::ViewRecalled(choice));
    }
}
