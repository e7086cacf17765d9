//! What is checked and written in the database before the first request: a server that could not open
//! what it keeps does not begin.

use checklist_auth::oidc::roles::RoleMapping;
use checklist_services::app::App;
use checklist_services::audit;
use checklist_services::connections::rotation;
use checklist_services::tenants;
use checklist_store::database::Database;
use checklist_store::store::StoreError;
use checklist_vault::VaultKeys;

use crate::cli::vault::VAULT_KEYS_IN_USE;
use crate::config::{Exit, Settings, StartupError};

/// Refuses keys of the vault that open nothing of what is stored.
pub(super) async fn refuse_unusable_keys(app: &App) -> Result<(), StartupError> {
    let unusable = rotation::unusable_keys(app).await.map_err(|error| {
        let detail = error.problem.detail.unwrap_or(error.problem.title);
        StartupError::new(
            Exit::Data,
            format!("The service connections and webhooks cannot be read: {detail}"),
            "Restore the database from a backup.",
        )
    })?;
    if !unusable.missing.is_empty() {
        return Err(StartupError::configuration(
            format!(
                "Service connections or webhooks are sealed with vault keys that are not there: {}.",
                unusable.missing.join(", ")
            ),
            "Name the key file that holds them with --vault-key FILE (or CHECKLIST_VAULT_KEY), or put it back from your \
             copy. A new key cannot open what another one has sealed.",
        ));
    }
    if !unusable.wrong.is_empty() {
        return Err(StartupError::configuration(
            format!(
                "The vault key file holds a key named {}, but it is not the one that has sealed the service connections \
                 and webhooks: it opens none of them.",
                unusable.wrong.join(", ")
            ),
            "Put the original key file back from your copy. A new key of the same name opens nothing.",
        ));
    }
    Ok(())
}

/// Tells of keys that cannot sign the checkpoints of the audit trail. The server starts all the same: what
/// people do is recorded, and signed once the key is there again.
pub(super) async fn tell_unusable_audit_keys(app: &App) -> Result<(), StartupError> {
    if app.vault().is_none() {
        return Ok(());
    }
    let tenants = app.store().audited_tenants().await;
    for tenant in tenants.map_err(|error| cannot_read(&error))? {
        if let Err(error) = audit::keys::check(app, &tenant).await {
            let why = error.problem.detail.unwrap_or(error.problem.title);
            tracing::error!(
                tenant,
                "checkpoints of the audit trail cannot be signed: {why}"
            );
        }
    }
    Ok(())
}

/// A tenant that a key or a group of the configuration names is one, before anybody has written to it: the
/// command line finds it.
pub(super) async fn register_configured_tenants(
    app: &App,
    settings: &Settings,
) -> Result<(), StartupError> {
    let there = tenants::list(app).await?;
    let of_keys = settings.keys.iter().filter_map(|key| key.tenant.as_deref());
    let roles = settings.oidc.as_ref().and_then(|oidc| oidc.roles.as_ref());
    let of_groups = roles.map_or_else(Vec::new, RoleMapping::tenants);
    for id in of_keys.chain(of_groups) {
        if !there.iter().any(|tenant| tenant.id == id) {
            tenants::put(app, id, None, None).await?;
        }
    }
    Ok(())
}

/// Writes the names of the vault's keys beside the database, so that `vault rotate` does not seal
/// anything with a key that this server does not have. Without the file it does not ask.
pub(super) fn note_vault_keys(database: &Database, vault: Option<&VaultKeys>) {
    let Some(folder) = database.folder() else {
        return;
    };
    let names: Vec<&str> = vault.into_iter().flat_map(VaultKeys::names).collect();
    if let Err(error) = std::fs::write(folder.join(VAULT_KEYS_IN_USE), names.join("\n")) {
        tracing::warn!(%error, "the names of the vault's keys could not be written down");
    }
}

pub(super) fn cannot_read(error: &StoreError) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("The database cannot be read: {error}."),
        "Restore the folder from a backup, or choose another with --data-dir.",
    )
}
