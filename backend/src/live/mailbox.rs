//! What a stream has to look at when it gets round to it.
//!
//! A list that changes a hundred times before it is looked at is one note, so a slow reader gets
//! the newest state and its mailbox never holds more than the lists it follows. Filled by the
//! hub, emptied by one stream.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The mailbox of one stream.
#[derive(Debug, Default)]
pub struct Mailbox {
    notes: Mutex<Notes>,
    bell: Notify,
}

/// What has happened since the mailbox was emptied last.
#[derive(Debug, Default)]
pub struct Notes {
    /// The lists that have changed, by their place in the stream.
    pub lists: BTreeMap<usize, Note>,
    /// The newest row of the audit trail among them, 0 for none.
    pub sequence: u64,
    /// A template was published: any list may have an update waiting.
    pub templates: bool,
    /// The lists on which somebody has come or gone, by their place in the stream.
    pub people: BTreeSet<usize>,
    /// Commits were missed: any list may have changed.
    pub gap: bool,
    /// There will be nothing more.
    pub over: bool,
}

/// The newest change of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The revision that it made.
    pub revision: u64,
    /// What its caller named it, as far as that is known.
    pub operation: Option<String>,
}

impl Mailbox {
    /// Leaves a note and rings.
    pub fn put(&self, note: impl FnOnce(&mut Notes)) {
        note(&mut self.notes());
        self.bell.notify_one();
    }

    /// Everything in it. That there will be nothing more is said again and again.
    #[must_use]
    pub fn take(&self) -> Notes {
        let mut notes = self.notes();
        let over = notes.over;
        let taken = std::mem::take(&mut *notes);
        notes.over = over;
        taken
    }

    /// Whether there will be nothing more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.notes().over
    }

    /// Waits until something was put in since the last time.
    pub async fn notified(&self) {
        self.bell.notified().await;
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // Every note is whole, so a panic elsewhere does not spoil the others.
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
        mailbox.notified().await;
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
