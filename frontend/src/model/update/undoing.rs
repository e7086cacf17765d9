//! Undoes operations, the last one or a specific one, and redoes them.
//!
//! Unsent operations are undone locally; for the others the server is asked.

use crate::model::effect::{Effect, Focus};
use crate::model::list::UndoStep;
use crate::model::message::FollowUp;
use crate::model::notice::RejectionReason;
use crate::model::operation::{Action, Operation};
use crate::model::state::Model;
use crate::model::undo::RedoStep;
use crate::port::{CancelableEvent, ChangeDetail};

impl Model {
    /// Takes the person's last operation back, or a certain one.
    pub(super) fn undo(&mut self, operation: Option<String>) {
        let now = self.given.now;
        let step = match operation {
            Some(id) => self.list.undo_operation(&id, now),
            None => self.list.undo(now),
        };
        let taken = match &step {
            UndoStep::Nothing => None,
            UndoStep::Withdrawn(operation, _) => Some(operation.id.as_str()),
            UndoStep::Ask(id) => Some(id.as_str()),
        };
        // Even if nothing was undone: the offer has been used.
        self.card
            .messages
            .deleted
            .take_if(|(_, operation)| taken.is_none_or(|taken| taken == operation));
        self.effects.push(Effect::DrawFace);
        match step {
            UndoStep::Nothing => {}
            UndoStep::Withdrawn(_, affected) => {
                self.rest();
                self.keep_unsent();
                self.draw(affected);
                self.publish();
                self.effects.push(Effect::Changed(ChangeDetail {
                    what: "undo",
                    item: None,
                    items: Vec::new(),
                    before: None,
                    after: None,
                }));
                self.say_with_count(self.texts().said_undone());
                self.send();
            }
            UndoStep::Ask(id) => {
                self.ask(CancelableEvent::Edit, Action::Undo(id), FollowUp::Nothing)
            }
        }
    }

    /// Redoes the last undone operation.
    pub(super) fn redo(&mut self) {
        match self.list.undo.pop_undone() {
            None => {}
            Some(RedoStep::ByServer(id)) if self.withdraw_undo(&id) => {
                self.say_with_count(self.texts().said_redone());
            }
            Some(RedoStep::ByServer(id)) => {
                self.ask(CancelableEvent::Edit, Action::Redo(id), FollowUp::Nothing);
            }
            Some(RedoStep::Here(operation)) => self.redo_here(operation),
        }
        self.publish();
        if !self.list.undo.can_redo() {
            // The button goes, and the focus needs another place.
            self.effects.push(Effect::Focus(Focus::First(".undo")));
        }
    }

    /// Withdraws an unsent undo; its operation is still in effect.
    fn withdraw_undo(&mut self, id: &str) -> bool {
        let Some(Action::Undo(operation)) = self.list.queue.withdraw(id).map(|undo| undo.action)
        else {
            return false;
        };
        self.list.undo.push_again(operation);
        self.rest();
        self.keep_unsent();
        true
    }

    /// What was never sent is simply done again, under its own id.
    fn redo_here(&mut self, operation: Operation) {
        let (id, now) = (operation.id.clone(), self.given.now);
        let undone = self.list.undo.take_undone();
        let shown = self.list.dispatch(operation, now);
        self.list.undo.put_undone(undone);
        match shown {
            Ok(Some(affected)) => {
                self.keep_unsent();
                self.draw(affected);
                self.publish();
                self.effects.push(Effect::Changed(ChangeDetail {
                    what: "redo",
                    item: None,
                    items: Vec::new(),
                    before: None,
                    after: None,
                }));
                self.say_with_count(self.texts().said_redone());
                self.send();
            }
            Ok(None) => {}
            Err(code) => {
                self.list.undo.forget(&id);
                self.refuse(None, RejectionReason::of_item(code), None);
            }
        }
    }
}
