//! Key rotation: re-encrypts all secrets with the first key of the vault, and finds missing keys.

use std::collections::BTreeMap;

use checklist_store::connections::SaveOutcome;
use checklist_store::error::ServiceResult;
use checklist_store::keyset::Keyset;

use super::settings::{ConnectionSecrets, binding};
use crate::app::App;
use crate::{audit, webhooks};

/// The result of a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationReport {
    /// The number of webhooks, and of connections with secrets.
    pub sealed: usize,
    /// The number of those that were re-encrypted.
    pub anew: usize,
}

/// Keys that are in use but cannot decrypt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusableKeys {
    /// Keys that the vault does not have.
    pub missing: Vec<String>,
    /// Keys that the vault has by name, but with different bytes: they decrypt none of their
    /// records.
    pub wrong: Vec<String>,
}

/// By key name: how many records the key decrypts, and how many name it.
type KeyUsage = BTreeMap<String, (usize, usize)>;

/// The keys that are named by records but decrypt none of them.
///
/// # Errors
/// The store failed.
pub async fn unusable_keys(app: &App) -> ServiceResult<UnusableKeys> {
    let mut opened = KeyUsage::new();
    let mut count = |key: &str, opens: bool| {
        let (done, all) = opened.entry(key.to_owned()).or_default();
        *done += usize::from(opens);
        *all += 1;
    };
    for tenant in app.store().tenants().await? {
        for record in app.store().connections(&tenant.id, Keyset::whole()).await? {
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
            // A single record that cannot be decrypted is damaged; a key that decrypts no record is
            // wrong.
            unusable.wrong.push(key);
        }
    }
    Ok(unusable)
}

/// Re-encrypts with the first key everything that other keys have encrypted. Idempotent, and safe
/// while servers run.
///
/// # Errors
/// The store failed, or a secret cannot be decrypted; what was done before stays.
pub async fn reseal(app: &App) -> ServiceResult<RotationReport> {
    let mut resealed = RotationReport::default();
    let Some(vault) = app.vault() else {
        return Ok(resealed);
    };
    for tenant in app.store().tenants().await? {
        // Earlier audit keys sign nothing any more. Nobody has entered this one, so the report does
        // not count it.
        if let Some(key) = app.store().audit_keys(&tenant.id).await?.last() {
            audit::keys::reseal(app, key).await?;
        }
        for record in app.store().webhooks(&tenant.id).await? {
            resealed.sealed += 1;
            resealed.anew += usize::from(webhooks::reseal(app, &record).await?);
        }
        for record in app.store().connections(&tenant.id, Keyset::whole()).await? {
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
                match secrets.keep(app, &mut record).await? {
                    SaveOutcome::Done => {
                        resealed.sealed += 1;
                        resealed.anew += 1;
                        break;
                    }
                    SaveOutcome::Missing | SaveOutcome::NameTaken => break,
                    // A token was refreshed meanwhile.
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
