//! The form digest: the proof that a write comes from somebody who has just been there, which
//! sites ask of everybody who signs in with a cookie, a password or a ticket.
//!
//! Kept by `RestClient`, fetched once for all callers, renewed a minute before it ends, and dropped
//! when the site does not take it any more.

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
const EARLY: Duration = Duration::from_secs(60);
/// How long it holds where the site does not say.
const USUAL: f64 = 1800.0;

#[derive(Default)]
pub(super) struct Digest(Mutex<Option<Known>>);

struct Known {
    value: String,
    until: Instant,
}

impl Digest {
    /// The digest, fetched where there is none that holds.
    pub(super) async fn current(
        &self,
        http: &Arc<SiteClient>,
        site: &Url,
        deadline: Deadline,
    ) -> Result<String> {
        let mut known = self.0.lock().await;
        if let Some(known) = known.as_ref()
            && Instant::now() < known.until
        {
            return Ok(known.value.clone());
        }
        let fetched = fetch(http, site, deadline).await?;
        let value = fetched.value.clone();
        *known = Some(fetched);
        Ok(value)
    }

    /// Drops a digest that the site refused, unless it was renewed meanwhile.
    pub(super) async fn forget(&self, refused: &str) {
        let mut known = self.0.lock().await;
        if known.as_ref().is_some_and(|known| known.value == refused) {
            *known = None;
        }
    }
}

async fn fetch(http: &Arc<SiteClient>, site: &Url, deadline: Deadline) -> Result<Known> {
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
        .unwrap_or(USUAL);
    let holds = Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0));
    // One that holds for less than a minute is used for half of its time.
    let holds = holds.checked_sub(EARLY).unwrap_or(holds / 2);
    Ok(Known {
        value: value.to_owned(),
        until: Instant::now() + holds,
    })
}
