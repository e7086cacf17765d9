//! One change over either protocol: what a repeat of it would do, how often it is sent again when it
//! met another one on the site, and what the response to it says.

use crate::client::Idempotency;
use crate::error::{ErrorKind, Result};
use crate::protocol::{Act, Change, Done};
use crate::response::SiteResponse;

/// How often a change is repeated that met another one on the site.
const CONFLICTS: u32 = 3;

impl Change {
    /// Whether it sets fields whatever the item's version: twice sets them once. With a version the
    /// second would be refused.
    const fn overwrites(&self) -> bool {
        matches!(self.act, Act::Edit { etag: None, .. })
    }

    /// What a repeat of its request would do.
    pub(crate) const fn idempotency(&self) -> Idempotency {
        if self.overwrites() {
            Idempotency::Idempotent
        } else {
            Idempotency::NonIdempotent
        }
    }
}

/// Sends a change by itself, and again where it met another one that it may overwrite; `attempt`
/// sends its request, `told` reads what a response tells of the item.
///
/// # Errors
/// What the site refuses, or that nobody knows what has become of it.
pub(crate) async fn carried_out<Sent>(
    change: &Change,
    attempt: impl Fn() -> Sent,
    told: fn(&SiteResponse) -> Done,
) -> Result<Done>
where
    Sent: Future<Output = Result<SiteResponse>>,
{
    let mut conflicts = 0;
    loop {
        let response = attempt().await?;
        if response.is_save_conflict() && conflicts < CONFLICTS && change.overwrites() {
            conflicts += 1;
            continue;
        }
        return outcome(&response, change, told);
    }
}

/// What the response to a change says.
///
/// # Errors
/// The site refused it; or an item was made, and there is no telling which one it is.
pub(crate) fn outcome(
    response: &SiteResponse,
    change: &Change,
    told: fn(&SiteResponse) -> Done,
) -> Result<Done> {
    if !response.is_success() {
        let missing = if change.act == Act::Add {
            ErrorKind::ListNotFound
        } else {
            ErrorKind::ItemNotFound
        };
        return Err(response.to_error(missing));
    }
    let Done { id, etag } = told(response);
    let id = change.act.id().or(id).ok_or_else(|| {
        response
            .unexpected_error("names no id of the new item")
            .of_kind(ErrorKind::OutcomeUnknown)
    })?;
    Ok(Done { id: Some(id), etag })
}
