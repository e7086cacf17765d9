//! What is remembered of a site between requests: its users, its time zone, and what it cannot do.
//!
//! Invariant: a flag that says what the site cannot do is set once and never cleared.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use url::Url;

use super::client::RestClient;
use super::users::Users;
use super::zone::SiteZone;
use crate::client::SiteClient;

/// A site that is spoken to in SharePoint REST.
pub(crate) struct RestSession {
    pub(super) client: RestClient,
    pub(super) users: Users,
    pub(super) zone: SiteZone,
    /// Whether the site wants every column named, because it takes no `*` beside others.
    pub(super) names_columns: AtomicBool,
    /// Whether the site answers no reads in one trip.
    pub(super) reads_apart: AtomicBool,
}

impl RestSession {
    pub(crate) fn new(http: Arc<SiteClient>, site: Url) -> Self {
        Self {
            client: RestClient::new(http, site),
            users: Users::default(),
            zone: SiteZone::default(),
            names_columns: AtomicBool::new(false),
            reads_apart: AtomicBool::new(false),
        }
    }
}
