//! Sealing everything anew with the first key of the vault, and looking whether every key is there.

use std::collections::BTreeMap;

use super::settings::{ConnectionSecrets, binding};
use crate::app::App;
use crate::error::ServiceResult;
use crate::services::webhooks;
use crate::storage::administration::Cause;
use crate::storage::connections::SaveOutcome;

/// What there is to seal, and what was done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationReport {
    /// Connections with something sealed, and webhooks.
    pub sealed: usize,
    /// Those of them that were sealed anew.
    pub anew: usize,
}

/// Keys that have sealed something which cannot be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusableKeys {
    /// Those that the vault does not have.
    pub missing: Vec<String>,
    /// Those that the vault has by name, with other bytes: they open nothing that they are said to
    /// have sealed.
    pub wrong: Vec<String>,
}

/// What each key opens, by its name: how many records, of how many.
type KeyUsage = BTreeMap<String, (usize, usize)>;

/// The keys that have sealed something and do not open it.
///
/// # Errors
/// The store does not answer.
pub async fn unusable_keys(app: &App) -> ServiceResult<UnusableKeys> {
    let mut opened = KeyUsage::new();
    let mut count = |key: &str, opens: bool| {
        let (done, all) = opened.entry(key.to_owned()).or_default();
        *done += usize::from(opens);
        *all += 1;
    };
    for tenant in app.store().tenants().await? {
        for record in app.store().connections(&tenant.id).await? {
            if let Some(sealed) = &record.sealed {
                count(&sealed.key_id, ConnectionSecrets::of(app, &record).is_ok());
            }
        }
        for record in app.store().webhooks(&tenant.id).await? {
            count(&record.sealed.key_id, webhooks::opens(app, &record));
        }
    }
    let mut unusable = UnusableKeys::default();
    for (key, (done, _)) in opened {
        if !app.vault().is_some_and(|vault| vault.has(&key)) {
            unusable.missing.push(key);
        } else if done == 0 {
            // A single record that does not open was damaged; a key that opens none is another.
            unusable.wrong.push(key);
        }
    }
    Ok(unusable)
}

/// Seals with the first key what others have sealed. May be run while servers run, and again.
///
/// # Errors
/// The store does not answer, or something cannot be opened; what was done until then stays.
pub async fn reseal(app: &App) -> ServiceResult<RotationReport> {
    let mut resealed = RotationReport::default();
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
                let secrets = ConnectionSecrets::of(app, &record)?;
                record.sealed = secrets.sealed(app, &record)?;
                record.revision += 1;
                match app
                    .store()
                    .save_connection(record.clone(), Cause::Upkeep)
                    .await?
                {
                    SaveOutcome::Done => {
                        resealed.sealed += 1;
                        resealed.anew += 1;
                        break;
                    }
                    SaveOutcome::Missing | SaveOutcome::NameTaken => break,
                    // A token was renewed meanwhile.
                    SaveOutcome::Changed => {
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
