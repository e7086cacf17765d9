//! The person's own operations that can be taken back, the last one first.
//!
//! Kept without a time limit as long as the page lives; the server decides whether somebody
//! has built on an operation since. Called by `list`.

/// Ids of operations that were done and not taken back.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    done: Vec<String>,
}

impl UndoStack {
    /// How many operations are remembered; older ones are nobody's next thought.
    const DEPTH: usize = 100;

    /// An operation was done.
    pub fn push(&mut self, id: String) {
        if self.done.len() == Self::DEPTH {
            self.done.remove(0);
        }
        self.done.push(id);
    }

    /// The last operation, which is no longer on the stack.
    pub fn pop(&mut self) -> Option<String> {
        self.done.pop()
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
    }

    /// Whether there is nothing to take back.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.done.is_empty()
    }
}
