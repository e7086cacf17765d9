//! Taking operations back: the last one, or a certain one.
//!
//! What was not sent yet goes here; the server is asked for the rest.

use super::Model;
use super::effect::Effect;
use super::list::UndoStep;
use super::message::Then;
use super::operation::Action;
use crate::control::port::{Before, ChangeDetail};

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
        // Also when nothing was taken back: the offer has been used.
        self.face
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
                    before: None,
                    after: None,
                }));
                self.say_with_count(self.texts().said_undone());
                self.send();
            }
            UndoStep::Ask(id) => self.ask(Before::Edit, Action::Undo(id), Then::Nothing),
        }
    }
}
