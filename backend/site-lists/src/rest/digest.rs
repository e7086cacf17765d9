//! The form digest, which SharePoint requires of writes that are not authorised by a bearer token.
//!
//! Invariant: fetched once for all callers, renewed a minute before it expires.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;
use url::Url;

use super::json::{self, NO_METADATA};
use crate::client::{Deadline, Idempotency, SiteClient, SiteRequest};
use crate::error::{ErrorKind, Result};
use crate::odata_url;

/// Renewed this long before its end.
const RENEWAL_MARGIN: Duration = Duration::from_secs(60);
/// How long it holds where the site does not say.
const DEFAULT_SECONDS: f64 = 1800.0;

#[derive(Default)]
pub(super) struct FormDigest(Mutex<Option<CachedDigest>>);

struct CachedDigest {
    value: String,
    until: Instant,
}

impl FormDigest {
    /// The digest, fetched where there is none that holds.
    pub(super) async fn current(
        &self,
        http: &Arc<SiteClient>,
        site: &Url,
        deadline: Deadline,
    ) -> Result<String> {
        let mut cached = self.0.lock().await;
        if let Some(cached) = cached.as_ref()
            && Instant::now() < cached.until
        {
            return Ok(cached.value.clone());
        }
        let fresh = fetch(http, site, deadline).await?;
        let value = fresh.value.clone();
        *cached = Some(fresh);
        Ok(value)
    }

    /// Drops a digest that the site refused, unless it was renewed meanwhile.
    pub(super) async fn forget(&self, refused: &str) {
        let mut cached = self.0.lock().await;
        if cached
            .as_ref()
            .is_some_and(|cached| cached.value == refused)
        {
            *cached = None;
        }
    }
}

async fn fetch(http: &Arc<SiteClient>, site: &Url, deadline: Deadline) -> Result<CachedDigest> {
    let url = odata_url::api(site, "contextinfo")?;
    let request = SiteRequest::new(Method::POST, url, Bytes::new(), Idempotency::Idempotent)
        .with("accept", NO_METADATA)
        // Some servers answer 411 without it.
        .with("content-length", "0");
    let response = http
        .send(deadline, &request)
        .await?
        .error_for_status(ErrorKind::SiteNotFound)?;
    let entity = json::entity(&response)?;
    let info = entity.get("GetContextWebInformation").unwrap_or(&entity);
    let value = info
        .get("FormDigestValue")
        .and_then(Value::as_str)
        .ok_or_else(|| response.unexpected_error("has no form digest"))?;
    let seconds = info
        .get("FormDigestTimeoutSeconds")
        .and_then(Value::as_f64)
        .unwrap_or(DEFAULT_SECONDS);
    let holds = Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0));
    // One that holds for less than a minute is used for half of its time.
    let holds = holds.checked_sub(RENEWAL_MARGIN).unwrap_or(holds / 2);
    Ok(CachedDigest {
        value: value.to_owned(),
        until: Instant::now() + holds,
    })
}
