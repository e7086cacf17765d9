//! Checks whether the database lets anybody sign in.
//!
//! Used by the command line when the configuration itself grants nobody access.

use checklist_shared::permission::Role;
use checklist_store::error::ServiceResult;
use checklist_store::keyset::Keyset;

use crate::admin_links::LOCAL;
use crate::app::App;

/// Whether there is an unrevoked embed or API key, or an enabled local administrator.
///
/// # Errors
/// The store failed.
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

/// The only tenant, if it is enabled and has no administrator yet. The server then tells the
/// operator how to create one.
///
/// # Errors
/// The store failed.
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
