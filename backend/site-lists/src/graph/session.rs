//! What is remembered of a site between requests: its users, and the same site over SharePoint REST.
//!
//! Invariant: SharePoint REST is asked only where the caller allows it.

use std::sync::Arc;

use url::Url;

use super::client::GraphClient;
use super::rest_fallback::RestFallback;
use super::users::GraphUsers;
use crate::client::{Deadline, SiteClient};
use crate::connection::SiteConnection;
use crate::error::Result;
use crate::options::SiteOptions;
use crate::rest::RestSession;
use crate::transport::Transport;

/// A site that is spoken to in Microsoft Graph.
pub(crate) struct GraphSession {
    pub(super) client: GraphClient,
    pub(super) users: GraphUsers,
    rest_fallback: Option<RestFallback>,
}

impl GraphSession {
    /// `rest_fallback` is what the same site over SharePoint REST needs.
    pub(crate) fn new(
        http: Arc<SiteClient>,
        url: &Url,
        rest_fallback: Option<(SiteConnection, Arc<dyn Transport>, SiteOptions)>,
    ) -> Result<Self> {
        Ok(Self {
            client: GraphClient::new(http, url)?,
            users: GraphUsers::default(),
            rest_fallback: rest_fallback.map(|(connection, transport, options)| {
                RestFallback::new(connection, transport, options)
            }),
        })
    }

    /// SharePoint REST at the site's own address, where the caller allows it.
    pub(super) async fn rest_fallback(&self, deadline: Deadline) -> Result<Option<&RestSession>> {
        let Some(rest_fallback) = &self.rest_fallback else {
            return Ok(None);
        };
        let known = self.client.identity(deadline).await?;
        rest_fallback.rest(known.info.web_url.as_deref())
    }
}
