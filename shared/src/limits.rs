//! How much a list may contain. The server enforces these limits and returns them with every full
//! answer.

use serde::{Deserialize, Serialize};

/// The limits in force. Lengths are in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Limits {
    /// Items a list may hold, deleted ones not counted; 200 unless configured, at most 10,000.
    pub items: usize,
    /// Purposes (lists) one object may have.
    pub purposes: usize,
    /// Length of an item's text.
    pub text: usize,
    /// Length of an item's help.
    pub help: usize,
    /// Length of a note and of a reason.
    pub note: usize,
    /// Items or contexts in one request.
    pub batch: usize,
}

impl Limits {
    /// The longest identifier (object type, object id, purpose, template id, assignee).
    pub const IDENTIFIER: usize = 200;

    /// From how many items on a list should warn: nine tenths of the limit.
    #[must_use]
    pub const fn warn_at(&self) -> usize {
        self.items - self.items / 10
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            items: 200,
            purposes: 20,
            text: 1_000,
            help: 8_000,
            note: 1_000,
            batch: 200,
        }
    }
}
