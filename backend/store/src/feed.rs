//! Announcements of a store's commits: a feed while it runs, and what changed since a moment.
//!
//! A commit is announced after it has happened, with its sequence number in the tenant's audit
//! trail. The numbers have no gaps, so a listener that subscribes first and reads the changes
//! afterwards misses nothing. The stores publish, the hub in `live` subscribes, and
//! `services::live` reads the changes.

use std::sync::Arc;

use tokio::sync::broadcast;

use super::list_key::ListKey;
use super::presence::PresenceMessage;

/// The buffer of a listener, in announcements. A listener that is further behind gets `Lagged`.
pub const BEHIND: usize = 1_024;

/// The most audit rows of one list that are walked back. Beyond that its history counts as gone,
/// because reading the whole list is cheaper.
pub const LONGEST_WALK: u32 = 2_000;

/// Commits as they happen. A listener that lags behind gets `Lagged`, which means the same as
/// [`Announcement::Gap`].
pub type Feed = broadcast::Receiver<Arc<Announcement>>;

/// An announcement on a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// Commits in their order.
    Commits(Vec<Commit>),
    /// Some commits may be missing: subscribers have to read their lists again.
    Gap,
    /// Presence messages of another node, with the node's name.
    Presence(String, Vec<PresenceMessage>),
}

/// An announced commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commit {
    /// A list was written.
    List {
        /// The list.
        list: ListKey,
        /// Its newest revision.
        revision: u64,
        /// The list's newest row in the tenant's audit trail.
        sequence: u64,
        /// The client's operation id, if exactly one operation wrote the list.
        operation: Option<String>,
    },
    /// A version of a template was published.
    Template {
        /// The tenant of the template.
        tenant: String,
        /// The id of the template.
        id: String,
    },
}

/// How far some lists have advanced since a row of the audit trail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangesSince {
    /// The sequence number of the newest row of the tenant's audit trail.
    pub newest: u64,
    /// One entry for each requested list, in order.
    pub lists: Vec<ListProgress>,
}

/// The progress of a list since a row of the audit trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListProgress {
    /// It has not changed.
    Unchanged,
    /// It has changed after this revision.
    After(u64),
    /// Its history is gone, or too long to walk.
    Unknown,
}
