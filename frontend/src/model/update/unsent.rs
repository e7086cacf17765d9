//! Unconfirmed operations outlive the page: each is stored separately, and
//! removed when it is confirmed, rejected or undone.
//!
//! Stored per person and list, so never for somebody who has no name. Two tabs that both send a
//! stored operation send the same `OperationId`, so it has one effect.

use crate::model::effect::Effect;
use crate::model::operation::Operation;
use crate::model::state::Model;
use crate::model::sync::Connection;
use crate::model::unsent::UnsentStorage;
use crate::port::ErrorDetail;

impl Model {
    /// Keeps what waits, forgets what does not.
    pub(super) fn keep_unsent(&mut self) {
        if self.is_unnamed() || self.context().is_none() {
            return;
        }
        let waiting: Vec<String> = self.list.queue.iter().map(|one| one.id.clone()).collect();
        let stored = std::mem::replace(&mut self.stored, waiting);
        for id in stored.iter().filter(|id| !self.stored.contains(id)) {
            self.effects.push(Effect::Discard(id.clone()));
        }
        let new = self
            .list
            .queue
            .iter()
            .filter(|one| !stored.contains(&one.id));
        self.effects
            .extend(new.cloned().map(|one| Effect::Store(Box::new(one))));
    }

    /// Whether it is not known who works here: no token was read yet, or one that does not say it.
    /// The next person with such a token may be another.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        self.list.me.id.is_empty()
    }

    /// What this person has left behind in this list is shown and sent now.
    pub(super) fn on_recalled(&mut self, mut operations: Vec<Operation>) {
        operations.retain(|one| self.list.queue.iter().all(|there| there.id != one.id));
        self.stored
            .extend(operations.iter().map(|one| one.id.clone()));
        self.requeue(operations);
        self.publish();
        self.send();
    }

    /// Where it is kept, as far as the browser lets us.
    pub(super) fn set_unsent_storage(&mut self, kept: UnsentStorage) {
        if std::mem::replace(&mut self.kept, kept) == kept {
            return;
        }
        if kept == UnsentStorage::Nowhere {
            self.effects.push(Effect::Error(ErrorDetail {
                code: "StorageUnavailable".to_owned(),
                status: 0,
                message: self.texts().unsent_lost().to_owned(),
                item: None,
            }));
        }
        self.publish();
    }

    /// A sentence about what would happen to unsent changes now; empty when they are on their way.
    #[must_use]
    pub(super) fn unsent_sentence(&self) -> String {
        let (connection, texts) = (self.connection(), self.texts());
        let problem = if connection == Connection::Offline {
            texts.offline()
        } else {
            ""
        };
        if connection == Connection::Online || self.unconfirmed_count() == 0 || self.is_draft() {
            return problem.to_owned();
        }
        let holds = match self.kept {
            _ if self.is_unnamed() => texts.unsent_lost(),
            UnsentStorage::InBrowser => texts.unsent_kept(),
            UnsentStorage::InTab => texts.unsent_tab(),
            UnsentStorage::Nowhere => texts.unsent_lost(),
        };
        [problem, holds].join(" ").trim_start().to_owned()
    }

    /// Whether the browser asks before the page is left: something would go with it that the
    /// server does not have.
    #[must_use]
    pub fn asks_before_leaving(&self) -> bool {
        !self.is_draft() && self.unconfirmed_count() > 0
    }
}
