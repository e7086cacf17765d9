//! Whether anybody could be let in by what stands in the database.
//!
//! Asked by the command line when the configuration itself names nobody.

use checklist_shared::permission::Role;

use crate::app::App;
use crate::error::ServiceResult;
use crate::services::admin_links::LOCAL;
use crate::storage::keyset::Keyset;

/// Whether there is a key that is not revoked, or somebody who signs in by a one-time link.
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
        let people = app.store().users(&tenant.id, Keyset::whole()).await?;
        if people
            .iter()
            .any(|user| user.issuer == LOCAL && !user.disabled)
        {
            return Ok(true);
        }
        let of_programs = app.store().api_keys(&tenant.id, Keyset::whole()).await?;
        if of_programs.iter().any(|key| key.revoked_at.is_none()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The tenant that has nobody yet who could open the administration pages, where it is the only
/// one: its operator is told how.
///
/// # Errors
/// The store does not answer.
pub async fn without_administrator(app: &App) -> ServiceResult<Option<String>> {
    let tenants = app.store().tenants().await?;
    let [only] = tenants.as_slice() else {
        return Ok(None);
    };
    let people = app.store().users(&only.id, Keyset::whole()).await?;
    let there = people
        .iter()
        .any(|user| !user.disabled && user.roles.contains(&Role::Admin));
    Ok((!there && !only.disabled).then(|| only.id.clone()))
}
