//! Sealing everything anew with the first key of the vault, and looking whether every key is there.
//!
//! Called by the command `vault` and by the start of the server, which does not serve what it
//! cannot open.

use super::settings::{Secrets, binding};
use crate::app::App;
use crate::error::ServiceResult;
use crate::services::webhooks;
use crate::storage::connections::Saved;

/// What there is to seal, and what was done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Connections with something sealed, and webhooks.
    pub sealed: usize,
    /// Those of them that were sealed anew.
    pub anew: usize,
}

/// The names of keys that have sealed something and are not in the vault, each once.
///
/// # Errors
/// The store does not answer.
pub async fn missing_keys(app: &App) -> ServiceResult<Vec<String>> {
    let mut missing: Vec<String> = Vec::new();
    for tenant in app.store().tenants().await? {
        for record in app.store().connections(&tenant.id).await? {
            let Some(sealed) = record.sealed else {
                continue;
            };
            let there = app.vault().is_some_and(|vault| vault.has(&sealed.key_id));
            if !there && !missing.contains(&sealed.key_id) {
                missing.push(sealed.key_id);
            }
        }
        for record in app.store().webhooks(&tenant.id).await? {
            let key = &record.sealed.key_id;
            if webhooks::is_sealed_with_unknown_key(app, &record) && !missing.contains(key) {
                missing.push(key.clone());
            }
        }
    }
    Ok(missing)
}

/// Seals with the first key what others have sealed. May be run while servers run, and again.
///
/// # Errors
/// The store does not answer, or something cannot be opened; what was done until then stays.
pub async fn reseal(app: &App) -> ServiceResult<Resealed> {
    let mut resealed = Resealed::default();
    let Some(vault) = app.vault() else {
        return Ok(resealed);
    };
    for tenant in app.store().tenants().await? {
        for record in app.store().webhooks(&tenant.id).await? {
            resealed.sealed += 1;
            resealed.anew += usize::from(webhooks::reseal(app, &record).await?);
        }
        for record in app.store().connections(&tenant.id).await? {
            let mut record = record;
            loop {
                let old = match &record.sealed {
                    Some(sealed) if sealed.key_id != vault.current() => sealed,
                    Some(_) => {
                        resealed.sealed += 1;
                        break;
                    }
                    None => break,
                };
                tracing::debug!(
                    id = record.id,
                    from = old.key_id,
                    origin = binding(&record).origin,
                    "sealing anew"
                );
                let secrets = Secrets::of(app, &record)?;
                record.sealed = secrets.sealed(app, &record)?;
                record.revision += 1;
                match app.store().save_connection(record.clone()).await? {
                    Saved::Done => {
                        resealed.sealed += 1;
                        resealed.anew += 1;
                        break;
                    }
                    Saved::Missing | Saved::NameTaken => break,
                    // A token was renewed meanwhile.
                    Saved::Changed => {
                        match app.store().connection(&record.tenant, &record.id).await? {
                            Some(newer) => record = newer,
                            None => break,
                        }
                    }
                }
            }
        }
    }
    Ok(resealed)
}
