//! Queues the changes of a draft, and maps them to the list's items once there is a list.
//!
//! The browser restores them with the page when the reader goes back to it, like the value of a
//! field. They are not stored anywhere else, because their object is not known yet.

use crate::model::draft::{self, PendingDraft, StoredDraft};
use crate::model::state::{Model, context_of};

impl Model {
    /// The object is there: what was done in the draft finds its items and is sent once.
    pub(super) fn adopt_draft(&mut self) {
        self.adopting = Some(PendingDraft {
            keys: draft::keys_by_id(&self.list.list),
            waiting: self.list.queue.clear_unsent(),
        });
        self.list.list.context = context_of(&self.settings);
        self.list.undo.clear();
        self.load();
    }

    /// The list of a draft is here: its operations are sent.
    pub(super) fn send_draft(&mut self) {
        if let Some(PendingDraft { keys, waiting }) = self.adopting.take() {
            let operations = draft::rewrite(waiting, &keys, &self.list.list);
            self.requeue(operations);
        }
    }

    /// How many operations the server has not confirmed, those of a draft included whose list is
    /// on its way.
    #[must_use]
    pub fn unconfirmed_count(&self) -> usize {
        let adopting = self.adopting.as_ref();
        self.list.queue.len() + adopting.map_or(0, |draft| draft.waiting.len())
    }

    /// What was done in a draft, for the browser to keep with the page.
    #[must_use]
    pub fn draft_done(&self) -> Option<StoredDraft> {
        if self.brought_back.is_some() || self.context().is_some() {
            return self.brought_back.clone();
        }
        (!self.list.queue.is_empty()).then(|| StoredDraft {
            place: self.draft_place(),
            keys: draft::keys_by_id(&self.list.list),
            operations: self.list.queue.iter().cloned().collect(),
        })
    }

    /// Repeats the changes that [`Self::draft_done`] returned, as soon as there is a draft.
    pub(super) fn bring_back(&mut self, draft: StoredDraft) {
        self.brought_back = Some(draft);
        if self.context().is_none() && self.list.meta.loaded {
            self.do_again();
            self.publish();
        }
    }

    pub(super) fn do_again(&mut self) {
        let Some(draft) = self.brought_back.take() else {
            return;
        };
        if draft.place == self.draft_place() {
            let operations = draft::rewrite(draft.operations, &draft.keys, &self.list.list);
            self.requeue(operations);
        }
    }

    /// Which template a draft shows, as far as the settings say it.
    fn draft_place(&self) -> String {
        let settings = &self.settings;
        [
            settings.object_type.as_str(),
            &settings.purpose,
            &settings.template,
        ]
        .join("\u{1f}")
    }
}
