//! Checks whether the database lets anybody sign in.
//!
//! Used by the command line when the configuration itself grants nobody access.

use checklist_store::directory::{UserRecord, is_administrator};
use checklist_store::error::ServiceResult;
use checklist_store::keyset::Keyset;

use crate::app::App;
use crate::sessions::LOCAL;

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

/// The enabled tenants that nobody administers yet, by id. The server then tells the operator how to
/// make an administrator.
///
/// # Errors
/// The store failed.
pub async fn without_administrator(app: &App) -> ServiceResult<Vec<String>> {
    let mut without = Vec::new();
    for tenant in app.store().tenants().await? {
        if tenant.disabled {
            continue;
        }
        if administrators(app, &tenant.id).await?.is_empty() {
            without.push(tenant.id);
        }
    }
    Ok(without)
}

/// The enabled administrators of a tenant, by name.
///
/// # Errors
/// The store failed.
pub async fn administrators(app: &App, tenant: &str) -> ServiceResult<Vec<UserRecord>> {
    let mut people = app.store().users(tenant, Keyset::whole()).await?;
    people.retain(is_administrator);
    Ok(people)
}
