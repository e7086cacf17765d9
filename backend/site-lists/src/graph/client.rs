//! Requests to Microsoft Graph: below one site, whose id is looked up once.
//!
//! Invariant: a collection is read to its last page; a next link that names its own page ends it.

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::Url;

use crate::answer::Answer;
use crate::error::{ErrorKind, Result, SiteError};
use crate::odata_url;
use crate::protocol::SiteInfo;
use crate::wire::{Call, Effect, Outgoing, Wire};

pub(super) const JSON: &str = "application/json";

/// Sends requests to one site.
pub(super) struct GraphClient {
    pub(super) wire: Arc<Wire>,
    /// `https://graph.microsoft.com/v1.0`
    pub(super) root: Url,
    /// How the caller addresses the site: `sites/contoso.sharepoint.com:/sites/it`.
    site: String,
    known: OnceCell<Known>,
}

/// What Graph says of the site.
#[derive(Clone, Debug)]
pub(super) struct Known {
    id: String,
    pub(super) facts: SiteInfo,
}

impl GraphClient {
    pub(super) fn new(wire: Arc<Wire>, url: &Url) -> Result<Self> {
        let (version, site) = parts(url)?;
        let mut root = url.clone();
        root.set_path(version);
        Ok(Self {
            wire,
            root,
            site: site.trim_end_matches([':', '/']).to_owned(),
            known: OnceCell::new(),
        })
    }

    pub(super) async fn known(&self, call: Call) -> Result<&Known> {
        self.known
            .get_or_try_init(|| async {
                let url = odata_url::joined(&self.root, &self.site)?;
                let answer = self.get(call, url, ErrorKind::SiteNotFound).await?;
                let site = answer.json()?;
                let text = |name: &str| site.get(name).and_then(Value::as_str).map(str::to_owned);
                Ok(Known {
                    id: text("id").ok_or_else(|| answer.unexpected("names no id of the site"))?,
                    facts: SiteInfo {
                        title: text("displayName")
                            .or_else(|| text("name"))
                            .unwrap_or_default(),
                        web_url: text("webUrl"),
                    },
                })
            })
            .await
    }

    /// A path below the site, relative to the root, as batches want it.
    pub(super) async fn path(&self, call: Call, tail: &str) -> Result<String> {
        let known = self.known(call).await?;
        Ok(format!("sites/{}/{tail}", odata_url::in_query(&known.id)))
    }

    pub(super) async fn url(&self, call: Call, tail: &str) -> Result<Url> {
        odata_url::joined(&self.root, &self.path(call, tail).await?)
    }

    pub(super) async fn get(&self, call: Call, url: Url, missing: ErrorKind) -> Result<Answer> {
        let outgoing = Outgoing::get(url).with("accept", JSON);
        self.wire.send(call, &outgoing).await?.success(missing)
    }

    /// All pages of a collection.
    pub(super) async fn all(
        &self,
        call: Call,
        tail: &str,
        missing: ErrorKind,
    ) -> Result<Vec<Value>> {
        let mut next = Some(self.url(call, tail).await?);
        let mut values = Vec::new();
        while let Some(url) = next {
            let answer = self.get(call, url.clone(), missing).await?;
            let mut body = answer.json()?;
            match body.get_mut("value").map(Value::take) {
                Some(Value::Array(page)) => values.extend(page),
                _ => return Err(answer.unexpected("is no collection")),
            }
            next = body
                .get("@odata.nextLink")
                .and_then(Value::as_str)
                .and_then(|link| url.join(link).ok())
                .filter(|link| *link != url);
        }
        Ok(values)
    }

    pub(super) async fn send(
        &self,
        call: Call,
        method: Method,
        url: Url,
        body: Option<&Value>,
        effect: Effect,
    ) -> Result<Answer> {
        let bytes = body
            .map(|body| Bytes::from(body.to_string()))
            .unwrap_or_default();
        let mut outgoing = Outgoing::new(method, url, bytes, effect).with("accept", JSON);
        if body.is_some() {
            outgoing = outgoing.with("content-type", JSON);
        }
        self.wire.send(call, &outgoing).await
    }
}

/// The version and the site of an address of Microsoft Graph.
///
/// # Errors
/// It is the address of something else, such as the site's own.
pub(crate) fn parts(url: &Url) -> Result<(&str, &str)> {
    let path = url.path().trim_start_matches('/');
    let parts = path.split_once('/').filter(|(version, site)| {
        let is_site = site
            .strip_prefix("sites/")
            .is_some_and(|rest| !rest.is_empty());
        ["v1.0", "beta"].contains(version) && is_site
    });
    parts.ok_or_else(|| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{url} is no site of Microsoft Graph: https://graph.microsoft.com/v1.0/sites/contoso.sharepoint.com:/sites/it."),
        )
        .with_field("Url")
    })
}
