//! Requests to SharePoint REST: below `_api` of one site, with a form digest where one is needed.
//!
//! Invariant: a request that the site refuses for its form digest is sent once more with a new one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use url::Url;

use super::digest::FormDigest;
use super::json::NO_METADATA;
use crate::client::{Deadline, Idempotency, SiteClient, SiteRequest};
use crate::error::{ErrorKind, Result};
use crate::odata_url;
use crate::protocol::ListInfo;
use crate::response::SiteResponse;

/// Sends requests to one site.
pub(crate) struct RestClient {
    pub(super) http: Arc<SiteClient>,
    /// Without a slash at the end.
    pub(super) site: Url,
    digest: FormDigest,
    /// Whether the site takes no questions together, reads and others.
    pub(super) refuses_batches: AtomicBool,
}

impl RestClient {
    pub(super) fn new(http: Arc<SiteClient>, site: Url) -> Self {
        Self {
            http,
            site,
            digest: FormDigest::default(),
            refuses_batches: AtomicBool::new(false),
        }
    }

    /// Asks for something; a 404 is an error of the kind `missing`.
    pub(super) async fn get(
        &self,
        deadline: Deadline,
        url: Url,
        missing: ErrorKind,
    ) -> Result<SiteResponse> {
        self.http.get(deadline, url, NO_METADATA, missing).await
    }

    /// Sends something that changes the site, with a form digest where one is needed, and once
    /// more where it was too old.
    pub(super) async fn post(
        &self,
        deadline: Deadline,
        request: SiteRequest,
    ) -> Result<SiteResponse> {
        let request = request.with("accept", NO_METADATA);
        if !self.http.needs_digest() {
            return self.http.send(deadline, &request).await;
        }
        let digest = self
            .digest
            .current(&self.http, &self.site, deadline)
            .await?;
        let response = self
            .http
            .send(deadline, &request.clone().with("x-requestdigest", &digest))
            .await?;
        if !response.rejects_digest() {
            return Ok(response);
        }
        self.digest.forget(&digest).await;
        let newer = self
            .digest
            .current(&self.http, &self.site, deadline)
            .await?;
        self.http
            .send(deadline, &request.with("x-requestdigest", &newer))
            .await
    }

    pub(super) fn json_post(
        &self,
        url: Url,
        body: &Value,
        idempotency: Idempotency,
    ) -> SiteRequest {
        SiteRequest::new(
            Method::POST,
            url,
            Bytes::from(body.to_string()),
            idempotency,
        )
        .with("content-type", NO_METADATA)
    }
}

/// A path below a list, which is named by its id.
pub(super) fn list_path(list: &ListInfo, tail: &str) -> String {
    let id = list.id.trim_matches(['{', '}']);
    format!("web/lists(guid'{}'){tail}", odata_url::percent_encode(id))
}
