//! Waives the list, or revokes its waiver.
//!
//! The server decides on what the person has seen: another revision than that is refused.

use crate::model::message::FollowUp;
use crate::model::operation::Action;
use crate::model::state::Model;
use crate::model::view_data::WaiverForm;
use crate::port::CancelableEvent;

impl Model {
    /// Lets the list pass for that reason, or no longer. Nothing happens when it is so already.
    pub(super) fn waive(&mut self, reason: &str, revoke: bool) {
        if !self.mode.waive || self.list.list.waived.is_some() != revoke {
            return;
        }
        let action = Action::Waive {
            reason: reason.trim().to_owned(),
            revoke,
            // Own operations on their way change the revision too; they are no reason to refuse.
            expected_revision: self
                .list
                .queue
                .is_empty()
                .then_some(self.list.list.revision),
        };
        self.ask(CancelableEvent::Waive, action, FollowUp::CloseWaiver);
    }

    /// Opens the form again with what was typed, if it was a waiver that was refused.
    pub(super) fn ask_waiver_again(&mut self, refused: &Action) {
        if let Action::Waive { reason, revoke, .. } = refused {
            self.card.waiving.get_or_insert_with(|| WaiverForm {
                revokes: *revoke,
                reason: reason.clone(),
                is_missing: false,
            });
        }
    }
}
