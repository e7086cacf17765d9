//! Taking operations back: the last one, or a certain one.
//!
//! What was not sent yet goes here; the server is asked for the rest. Called by `components`,
//! `keyboard` and the host.

use super::Controller;
use super::port::{Before, ChangeDetail};
use crate::browser;
use crate::state::list::UndoStep;
use crate::state::operation::Action;

impl Controller {
    /// Takes the person's last operation back.
    pub fn undo(&self) {
        let step = self.inner().state.borrow_mut().undo(browser::now());
        self.undone(step);
    }

    /// Takes a certain operation back, whatever the person has done since.
    pub(crate) fn undo_operation(&self, id: &str) {
        let step = self
            .inner()
            .state
            .borrow_mut()
            .undo_operation(id, browser::now());
        self.undone(step);
    }

    fn undone(&self, step: UndoStep) {
        let taken = match &step {
            UndoStep::Nothing => None,
            UndoStep::Withdrawn(operation, _) => Some(operation.id.as_str()),
            UndoStep::Ask(id) => Some(id.as_str()),
        };
        self.show(|face| {
            // Also when nothing was taken back: the offer has been used.
            face.messages
                .deleted
                .take_if(|(_, operation)| taken.is_none_or(|taken| taken == operation));
        });
        match step {
            UndoStep::Nothing => {}
            UndoStep::Withdrawn(_, affected) => {
                self.remember();
                self.draw(&affected);
                self.publish();
                self.host().user_change(ChangeDetail {
                    what: "undo",
                    item: None,
                    before: None,
                    after: None,
                });
                self.announce_with_count(self.texts().said_undone());
            }
            UndoStep::Ask(id) => {
                self.act(Before::Edit, Action::Undo(id));
            }
        }
    }
}
