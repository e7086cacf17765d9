//! Requests to Microsoft Graph: below one site, whose id is looked up once.
//!
//! Invariant: a collection is read to its last page; a next link that names its own page ends it.

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::Url;

use crate::client::{Deadline, Idempotency, SiteClient, SiteRequest};
use crate::error::{ErrorKind, Result, SiteError};
use crate::odata_url;
use crate::protocol::SiteInfo;
use crate::response::SiteResponse;

pub(super) const JSON: &str = "application/json";

/// Sends requests to one site.
pub(super) struct GraphClient {
    pub(super) http: Arc<SiteClient>,
    /// `https://graph.microsoft.com/v1.0`
    pub(super) root: Url,
    /// How the caller addresses the site: `sites/contoso.sharepoint.com:/sites/it`.
    site: String,
    identity: OnceCell<SiteIdentity>,
}

/// What Graph says of the site.
#[derive(Clone, Debug)]
pub(super) struct SiteIdentity {
    id: String,
    pub(super) info: SiteInfo,
}

impl GraphClient {
    pub(super) fn new(http: Arc<SiteClient>, url: &Url) -> Result<Self> {
        let (version, site) = parse_address(url)?;
        let mut root = url.clone();
        root.set_path(version);
        Ok(Self {
            http,
            root,
            site: site.trim_end_matches([':', '/']).to_owned(),
            identity: OnceCell::new(),
        })
    }

    pub(super) async fn identity(&self, deadline: Deadline) -> Result<&SiteIdentity> {
        self.identity
            .get_or_try_init(|| async {
                let url = odata_url::join_path(&self.root, &self.site)?;
                let response = self.get(deadline, url, ErrorKind::SiteNotFound).await?;
                let site = response.json()?;
                let text = |name: &str| site.get(name).and_then(Value::as_str).map(str::to_owned);
                Ok(SiteIdentity {
                    id: text("id")
                        .ok_or_else(|| response.unexpected_error("names no id of the site"))?,
                    info: SiteInfo {
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
    pub(super) async fn path(&self, deadline: Deadline, tail: &str) -> Result<String> {
        let known = self.identity(deadline).await?;
        Ok(format!("sites/{}/{tail}", odata_url::in_query(&known.id)))
    }

    pub(super) async fn url(&self, deadline: Deadline, tail: &str) -> Result<Url> {
        odata_url::join_path(&self.root, &self.path(deadline, tail).await?)
    }

    pub(super) async fn get(
        &self,
        deadline: Deadline,
        url: Url,
        missing: ErrorKind,
    ) -> Result<SiteResponse> {
        self.http.get(deadline, url, JSON, missing).await
    }

    /// All pages of a collection.
    pub(super) async fn all(
        &self,
        deadline: Deadline,
        tail: &str,
        missing: ErrorKind,
    ) -> Result<Vec<Value>> {
        let mut next = Some(self.url(deadline, tail).await?);
        let mut values = Vec::new();
        while let Some(url) = next {
            let response = self.get(deadline, url.clone(), missing).await?;
            let mut body = response.json()?;
            match body.get_mut("value").map(Value::take) {
                Some(Value::Array(page)) => values.extend(page),
                _ => return Err(response.unexpected_error("is no collection")),
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
        deadline: Deadline,
        method: Method,
        url: Url,
        body: Option<&Value>,
        idempotency: Idempotency,
    ) -> Result<SiteResponse> {
        let bytes = body
            .map(|body| Bytes::from(body.to_string()))
            .unwrap_or_default();
        let mut request = SiteRequest::new(method, url, bytes, idempotency).with("accept", JSON);
        if body.is_some() {
            request = request.with("content-type", JSON);
        }
        self.http.send(deadline, &request).await
    }
}

/// The version and the site of an address of Microsoft Graph.
///
/// # Errors
/// It is the address of something else, such as the site's own.
pub(crate) fn parse_address(url: &Url) -> Result<(&str, &str)> {
    let path = url.path().trim_start_matches('/');
    let parse_address = path.split_once('/').filter(|(version, site)| {
        let is_site = site
            .strip_prefix("sites/")
            .is_some_and(|rest| !rest.is_empty());
        ["v1.0", "beta"].contains(version) && is_site
    });
    parse_address.ok_or_else(|| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{url} is no site of Microsoft Graph: https://graph.microsoft.com/v1.0/sites/contoso.sharepoint.com:/sites/it."),
        )
        .with_field("Url")
    })
}
