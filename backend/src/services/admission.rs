//! Whether anybody could be let in by what stands in the database.
//!
//! Asked by the command line when the configuration itself names nobody.

use crate::app::App;
use crate::error::ServiceResult;

/// Whether there is a key that is not revoked.
///
/// # Errors
/// The store does not answer.
pub async fn is_prepared(app: &App) -> ServiceResult<bool> {
    for tenant in app.store().tenants().await? {
        let trust = app.store().trust(&tenant.id).await?;
        let of_hosts = trust.embed_keys.iter().filter(|key| !key.own);
        if of_hosts.into_iter().any(|key| key.revoked_at.is_none()) {
            return Ok(true);
        }
        let of_programs = app.store().api_keys(&tenant.id).await?;
        if of_programs.iter().any(|key| key.revoked_at.is_none()) {
            return Ok(true);
        }
    }
    Ok(false)
}
