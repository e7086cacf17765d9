//! Reviews and applies a refresh when the template has changed.
//!
//! A dry run comes first, and exactly what it has shown is applied.

use checklist_shared::wire::write::RefreshChange;

use crate::model::effect::{Effect, Focus};
use crate::model::error::Error;
use crate::model::message::FollowUp;
use crate::model::operation::Action;
use crate::model::state::Model;
use crate::model::view_data::Review;
use crate::port::CancelableEvent;

impl Model {
    /// Asks what the template's new version would bring.
    pub(super) fn ask_review(&mut self) {
        let Some(context) = self.context() else {
            return;
        };
        self.card.review = Review::Asked;
        self.effects.push(Effect::DrawFace);
        let version = self.list.meta.update.map(|update| update.to_version);
        let revision = self.list.list.revision;
        self.effects
            .push(Effect::DryRun(context, version, revision));
    }

    pub(super) fn on_review(&mut self, revision: u64, result: Result<Vec<RefreshChange>, Error>) {
        if self.card.review != Review::Asked {
            return;
        }
        match result {
            Ok(changes) => {
                self.card.review = Review::Shown(changes, revision);
                self.effects.push(Effect::DrawFace);
                self.effects.push(Effect::Focus(Focus::First(".review")));
            }
            Err(failure) => {
                let refusal = failure.refusal();
                self.say(refusal.sentence(self.texts()));
                self.card.review = Review::Closed;
                self.card.messages.refused = Some(refusal);
                self.effects.push(Effect::DrawFace);
                self.effects
                    .push(Effect::Error(failure.describe(self.texts())));
            }
        }
    }

    /// Takes over the template's changes that were shown.
    pub(super) fn apply_refresh(&mut self) {
        let Review::Shown(_, revision) = self.card.review else {
            return;
        };
        let to_version = self.list.meta.update.map(|update| update.to_version);
        // Own operations on their way change the revision too; they are no reason to refuse.
        let expected_revision = self.list.queue.is_empty().then_some(revision);
        let action = Action::Refresh {
            to_version,
            expected_revision,
        };
        self.ask(CancelableEvent::Refresh, action, FollowUp::CloseReview);
    }
}
