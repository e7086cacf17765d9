//! What a stream has not processed yet.
//!
//! A list that changes a hundred times before the stream processes it is one note. So a slow reader
//! gets the newest state, and its mailbox never holds more notes than it has lists. The hub fills
//! it, one stream empties it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The mailbox of one stream.
#[derive(Debug, Default)]
pub struct Mailbox {
    notes: Mutex<Notes>,
    wake_up: Notify,
}

/// What has happened since the mailbox was last emptied.
#[derive(Debug, Default)]
pub struct Notes {
    /// The changed lists, by their index in the stream.
    pub lists: BTreeMap<usize, Note>,
    /// The newest row of the audit trail among them; 0 for none.
    pub sequence: u64,
    /// A template was published: any list may have an update.
    pub templates: bool,
    /// The lists whose presence has changed, by their index in the stream.
    pub people: BTreeSet<usize>,
    /// Commits were missed: any list may have changed.
    pub gap: bool,
    /// The stream has to end.
    pub over: bool,
}

/// The newest change of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The new revision.
    pub revision: u64,
    /// The client's operation id, if it is known.
    pub operation: Option<String>,
}

impl Mailbox {
    /// Changes the notes and wakes the stream.
    pub fn put(&self, note: impl FnOnce(&mut Notes)) {
        note(&mut self.notes());
        self.wake_up.notify_one();
    }

    /// Takes all notes out; `over` stays set.
    #[must_use]
    pub fn take(&self) -> Notes {
        let mut notes = self.notes();
        let over = notes.over;
        let taken = std::mem::take(&mut *notes);
        notes.over = over;
        taken
    }

    /// Whether the stream has to end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.notes().over
    }

    /// Waits until something was put in since the last call.
    pub async fn wait_for_notes(&self) {
        self.wake_up.notified().await;
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // The notes are consistent after every change, so a poisoned lock can be ignored.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(mailbox: &Mailbox, revision: u64) {
        mailbox.put(|notes| {
            let operation = None;
            notes.lists.insert(
                3,
                Note {
                    revision,
                    operation,
                },
            );
            notes.sequence = revision;
        });
    }

    #[tokio::test]
    async fn a_hundred_changes_of_one_list_are_one_note_with_the_newest() {
        let mailbox = Mailbox::default();
        for revision in 1..=100 {
            changed(&mailbox, revision);
        }
        mailbox.wait_for_notes().await;
        let notes = mailbox.take();
        assert_eq!(notes.lists.len(), 1);
        assert_eq!((notes.lists[&3].revision, notes.sequence), (100, 100));
        assert!(mailbox.take().lists.is_empty());
    }

    #[test]
    fn the_end_is_not_forgotten_by_whoever_looked_already() {
        let mailbox = Mailbox::default();
        mailbox.put(|notes| notes.over = true);
        assert!(mailbox.take().over);
        assert!(mailbox.take().over && mailbox.is_over());
    }
}
