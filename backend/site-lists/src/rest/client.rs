//! Requests to SharePoint REST: below `_api` of one site, with a form digest where one is needed.
//!
//! Invariant: a request that the site refuses for its form digest is sent once more with a new one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use url::Url;

use super::digest::Digest;
use super::json::NO_METADATA;
use crate::answer::Answer;
use crate::error::{ErrorKind, Result};
use crate::odata_url;
use crate::protocol::ListInfo;
use crate::wire::{Call, Effect, Outgoing, Wire};

/// Sends requests to one site.
pub(crate) struct RestClient {
    pub(super) wire: Arc<Wire>,
    /// Without a slash at the end.
    pub(super) site: Url,
    digest: Digest,
    /// Whether the site takes no questions together, reads and others.
    pub(super) asks_apart: AtomicBool,
}

impl RestClient {
    pub(super) fn new(wire: Arc<Wire>, site: Url) -> Self {
        Self {
            wire,
            site,
            digest: Digest::default(),
            asks_apart: AtomicBool::new(false),
        }
    }

    /// Asks for something; a 404 is an error of the kind `missing`.
    pub(super) async fn get(&self, call: Call, url: Url, missing: ErrorKind) -> Result<Answer> {
        let outgoing = Outgoing::get(url).with("accept", NO_METADATA);
        self.wire.send(call, &outgoing).await?.success(missing)
    }

    /// Sends something that changes the site, with a form digest where one is needed, and once
    /// more where it was too old.
    pub(super) async fn post(&self, call: Call, outgoing: Outgoing) -> Result<Answer> {
        let outgoing = outgoing.with("accept", NO_METADATA);
        if !self.wire.needs_digest() {
            return self.wire.send(call, &outgoing).await;
        }
        let digest = self.digest.current(&self.wire, &self.site, call).await?;
        let answer = self
            .wire
            .send(call, &outgoing.clone().with("x-requestdigest", &digest))
            .await?;
        if !answer.wants_digest() {
            return Ok(answer);
        }
        self.digest.forget(&digest).await;
        let newer = self.digest.current(&self.wire, &self.site, call).await?;
        self.wire
            .send(call, &outgoing.with("x-requestdigest", &newer))
            .await
    }

    pub(super) fn json_post(&self, url: Url, body: &Value, effect: Effect) -> Outgoing {
        Outgoing::new(Method::POST, url, Bytes::from(body.to_string()), effect)
            .with("content-type", NO_METADATA)
    }
}

/// A path below a list, which is named by its id.
pub(super) fn list_path(list: &ListInfo, tail: &str) -> String {
    let id = list.id.trim_matches(['{', '}']);
    format!("web/lists(guid'{}'){tail}", odata_url::encoded(id))
}
