//! What a store tells of its commits: a feed while it runs, and what changed since a moment.
//!
//! A commit is told after it has happened, by its number in the tenant's audit trail, which has
//! no gaps; so whoever listens first and asks for what changed since afterwards has missed
//! nothing. Made by the stores, heard by the hub in `live`, asked by `services::live`.

use std::sync::Arc;

use tokio::sync::broadcast;

use super::list_key::ListKey;
use super::presence::PresenceMessage;

/// Announcements that a listener may be behind before it is told that it has missed some.
pub const BEHIND: usize = 1_024;

/// Rows of one list that are walked back through before its history counts as gone: reading the
/// list whole is cheaper by then.
pub const LONGEST_WALK: u32 = 2_000;

/// Commits as they happen. A listener that lags behind hears `Lagged`, which means the same as
/// [`Announcement::Gap`].
pub type Feed = broadcast::Receiver<Arc<Announcement>>;

/// What a feed says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// These have happened, in this order.
    Commits(Vec<Commit>),
    /// Some may have been missed: whatever is followed has to be looked at again.
    Gap,
    /// Another node, by its name, says who is on its lists.
    Presence(String, Vec<PresenceMessage>),
}

/// Something that was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commit {
    /// A list was written.
    List {
        /// Which list.
        list: ListKey,
        /// Its newest revision.
        revision: u64,
        /// The newest row of the tenant's audit trail that tells of it.
        sequence: u64,
        /// What the caller named the operation, if the list was written once.
        operation: Option<String>,
    },
    /// A version of a template was published.
    Template {
        /// Whose.
        tenant: String,
        /// Which template.
        id: String,
    },
}

/// How far some lists have come since a row of the audit trail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangesSince {
    /// The newest row of the tenant's audit trail.
    pub newest: u64,
    /// One entry for each list asked for, in order.
    pub lists: Vec<ListProgress>,
}

/// What became of a list since a row of the audit trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListProgress {
    /// Nothing.
    Unchanged,
    /// It was changed after this revision.
    After(u64),
    /// That can no longer be told.
    Unknown,
}
