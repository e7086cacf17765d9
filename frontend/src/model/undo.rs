//! The person's own operations that can be undone, the latest first, and those that can be redone.
//!
//! Kept without a time limit as long as the page lives; the server decides whether somebody has
//! changed the items since.

use super::operation::Operation;

/// Ids of operations that can be undone.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    done: Vec<String>,
    undone: Vec<RedoStep>,
}

/// An undone operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedoStep {
    /// By the operation of that id: its undo does the first one again.
    ByServer(String),
    /// Before it was sent.
    Here(Operation),
}

impl UndoStack {
    /// How many operations are remembered; older ones are nobody's next thought.
    const DEPTH: usize = 100;

    /// A new operation: the operations undone before it cannot be redone any more.
    pub fn push(&mut self, id: String) {
        self.undone.clear();
        self.push_again(id);
    }

    /// An operation was done again.
    pub fn push_again(&mut self, id: String) {
        if self.done.len() == Self::DEPTH {
            self.done.remove(0);
        }
        self.done.push(id);
    }

    /// The last operation, which is no longer on the stack.
    pub fn pop(&mut self) -> Option<String> {
        self.done.pop()
    }

    /// An operation was undone.
    pub fn push_undone(&mut self, undone: RedoStep) {
        if self.undone.len() == Self::DEPTH {
            self.undone.remove(0);
        }
        self.undone.push(undone);
    }

    /// Pops the last undone operation.
    pub fn pop_undone(&mut self) -> Option<RedoStep> {
        self.undone.pop()
    }

    /// Sets aside what can be done again, while one of it is.
    pub fn take_undone(&mut self) -> Vec<RedoStep> {
        std::mem::take(&mut self.undone)
    }

    /// Returns undone operations to the stack.
    pub fn put_undone(&mut self, undone: Vec<RedoStep>) {
        self.undone = undone;
    }

    /// An undo did not happen after all.
    pub fn forget_undone(&mut self, id: &str) {
        self.undone
            .retain(|undone| !matches!(undone, RedoStep::ByServer(by) if by == id));
    }

    /// Whether something can be done again.
    #[must_use]
    pub const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// An operation did not happen after all. Returns whether it was on the stack.
    pub fn forget(&mut self, id: &str) -> bool {
        let before = self.done.len();
        self.done.retain(|done| done != id);
        self.done.len() < before
    }

    /// Forgets everything, as when the control shows another list.
    pub fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Whether there is nothing to undo.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.done.is_empty()
    }
}
