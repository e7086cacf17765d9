//! What is remembered of a site between requests: its users, its time zone, and what it cannot do.
//!
//! Invariant: a flag that says what the site cannot do is set once and never cleared.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use url::Url;

use super::client::RestClient;
use super::time_zone::TimeZoneCache;
use super::users::RestUsers;
use crate::client::SiteClient;

/// A site that is spoken to in SharePoint REST.
pub(crate) struct RestSession {
    pub(super) client: RestClient,
    pub(super) users: RestUsers,
    pub(super) zone: TimeZoneCache,
    /// Whether the site wants every column named, because it takes no `*` beside others.
    pub(super) needs_named_columns: AtomicBool,
    /// Whether the site answers no reads in one trip.
    pub(super) refuses_batch_reads: AtomicBool,
}

impl RestSession {
    pub(crate) fn new(http: Arc<SiteClient>, site: Url) -> Self {
        Self {
            client: RestClient::new(http, site),
            users: RestUsers::default(),
            zone: TimeZoneCache::default(),
            needs_named_columns: AtomicBool::new(false),
            refuses_batch_reads: AtomicBool::new(false),
        }
    }
}
