//! The template has changed: what a refresh would bring, and taking it over.
//!
//! A dry run is asked for first, and what is taken over is what was shown. Called by
//! `components::strip`.

use checklist_shared::wire::write::WriteOutcome;

use super::Controller;
use super::port::Before;
use super::screen::Review;
use crate::api::client::Answer;
use crate::api::requests::Write;
use crate::model::operation::Action;

impl Controller {
    /// Asks what the template's new version would bring.
    pub(crate) fn review(&self) {
        let Some(context) = self.context() else {
            return;
        };
        self.show(|face| face.review = Review::Asked);
        let (revision, version) = self.with_state(|state| {
            (
                state.list.revision,
                state.meta.update.map(|update| update.to_version),
            )
        });
        let request = Write::dry_run(context.clone(), version);
        let controller = *self;
        self.ask(request, vec![context], move |answer| {
            controller.took_review(revision, answer);
        });
    }

    fn took_review(&self, revision: u64, answer: Answer<WriteOutcome>) {
        match answer.result {
            Ok(outcome) => {
                let changes = outcome.changes;
                self.show(|face| face.review = Review::Shown(changes, revision));
                self.focus_on(".review");
            }
            Err(failure) => {
                let refusal = failure.refusal();
                self.announce(refusal.sentence(self.texts()));
                self.show(|face| {
                    face.review = Review::Closed;
                    face.messages.refused = Some(refusal);
                });
                self.host().error(failure.describe(self.texts()));
            }
        }
    }

    /// Takes over the template's changes that were shown.
    pub(crate) fn apply_refresh(&self) {
        let revision = self.face(|face| match face.review {
            Review::Shown(_, revision) => Some(revision),
            _ => None,
        });
        let Some(revision) = revision else {
            return;
        };
        let (to_version, quiet) = self.with_state(|state| {
            (
                state.meta.update.map(|update| update.to_version),
                state.queue.is_empty(),
            )
        });
        // Own operations on their way change the revision too; they are no reason to refuse.
        let expected_revision = quiet.then_some(revision);
        if self.act(
            Before::Refresh,
            Action::Refresh {
                to_version,
                expected_revision,
            },
        ) {
            self.show(|face| face.review = Review::Closed);
            self.focus_first_open();
        }
    }
}
