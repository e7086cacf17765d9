//! How long what can be removed is kept.
//!
//! The audit trail is not among it: its tree would be another one. What is personal in it is erased
//! instead, see `erasure`. Neither are idempotency records,
//! whose day clients rely on.

use std::time::Duration;

use checklist_store::store::DELETED_MILLIS;

/// How long rows are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Deleted items, which can be restored so long.
    pub deleted_items: Duration,
    /// The log of webhooks.
    pub deliveries: Duration,
    /// Entries of the journal; `None` keeps them for ever.
    pub journal: Option<Duration>,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            deleted_items: Duration::from_millis(DELETED_MILLIS.unsigned_abs()),
            deliveries: Duration::from_millis(DELETED_MILLIS.unsigned_abs()),
            journal: None,
        }
    }
}

/// As the times of rows are counted.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
