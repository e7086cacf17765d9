//! Service connections: where a site is and how the server signs in there.
//!
//! `write` creates and changes them, `settings` defines what is stored, `provider` lists what can
//! be granted, `consent` lets a person grant it, `token` fetches and refreshes tokens, and
//! `decrypted` provides a connection with its credentials.

pub mod consent;
pub mod decrypted;
mod draft;
pub mod provider;
mod record;
pub mod rotation;
mod settings;
mod token;
mod validate;
pub mod write;

use checklist_auth::Principal;
use checklist_egress::oauth::certificate;
use checklist_shared::wire::connections::{ConnectionState, ServiceConnection, ServiceConnections};
use checklist_store::administration::Cause;
use checklist_store::connections::{ConnectionRecord, SaveOutcome};
use checklist_store::error::ServiceResult;

use super::access;
use super::listing::{self, ListQuery};
use crate::app::App;
use record::{canonical, find_record, not_found};
use settings::{ConnectionSecrets, ConnectionSettings};

/// Lists a page of the tenant's connections, by name; searches name, origin and owner.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(
    app: &App,
    principal: &Principal,
    query: &ListQuery,
) -> ServiceResult<ServiceConnections> {
    access::need_admin(principal)?;
    let (records, next) = listing::page(
        "ServiceConnections",
        query,
        |page| app.store().connections(&principal.tenant, page),
        |record: &ConnectionRecord| record.name_key.clone(),
        |record, words| words.stand_in([record.name.as_str(), &record.origin, &record.owner_name]),
    )
    .await?;
    let shown = records.iter().map(|record| to_wire(app, record));
    Ok(ServiceConnections {
        service_connections: shown.collect::<ServiceResult<_>>()?,
        next,
    })
}

/// Reads one connection.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`.
pub async fn get(app: &App, principal: &Principal, id: &str) -> ServiceResult<ServiceConnection> {
    access::need_admin(principal)?;
    to_wire(app, &find_record(app, &principal.tenant, id).await?)
}

/// Deletes a connection with its secrets and cached tokens.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`.
pub async fn delete(app: &App, principal: &Principal, id: &str) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let id = canonical(id);
    if !app
        .store()
        .delete_connection(&principal.tenant, &id, principal.stamp(app.clock().now()))
        .await?
    {
        return Err(not_found());
    }
    app.access_tokens().forget(&principal.tenant, &id);
    tracing::info!(
        tenant = principal.tenant,
        id,
        by = principal.actor.identity(),
        "service connection deleted"
    );
    Ok(())
}

/// Records whether the site accepts the connection's password. Errors of the store are ignored: the
/// next sign-in records it again.
pub async fn note_sign_in(
    app: &App,
    tenant: &str,
    opened: &decrypted::DecryptedConnection,
    refused: Option<&str>,
) {
    for _ in 0..3 {
        let Ok(mut record) = find_record(app, tenant, &opened.id).await else {
            return;
        };
        let is_meant = ConnectionSettings::of(&record)
            .is_ok_and(|settings| settings.takes_password() && opened.is_of(&settings));
        if !is_meant || record.problem.as_deref() == refused {
            return;
        }
        record.problem = refused.map(str::to_owned);
        record.revision += 1;
        match app.store().save_connection(record, Cause::Upkeep).await {
            Ok(SaveOutcome::Changed) => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!(id = opened.id, %error, "the outcome of a sign-in was not kept");
                return;
            }
        }
    }
}

/// The public view of a connection. Decrypts its secrets only to see which ones exist.
fn to_wire(app: &App, record: &ConnectionRecord) -> ServiceResult<ServiceConnection> {
    let settings = ConnectionSettings::of(record)?;
    // A secret that cannot be decrypted counts as missing; the log has the reason.
    let secrets = ConnectionSecrets::of(app, record).unwrap_or_default();
    Ok(ServiceConnection {
        id: record.id.clone(),
        name: record.name.clone(),
        method: settings.method,
        identity: settings.identity,
        protocol: settings.protocol,
        url: settings.url.clone(),
        origin: record.origin.clone(),
        username: settings.username.clone(),
        domain: settings.domain.clone(),
        kdc: settings.kdc.clone(),
        token_service: settings.token_service.clone(),
        ca_bundle: settings.ca_bundle.clone(),
        allowed_private_ranges: app.egress().private_ranges(&record.origin),
        timeout: settings.timeout,
        provider: settings.provider.clone(),
        issuer: settings.issuer.clone(),
        client_id: settings.client_id.clone(),
        access: settings.access,
        scopes: provider::scopes(&settings),
        has_password: secrets.password.is_some(),
        has_client_secret: secrets.client_secret.is_some(),
        has_client_certificate: secrets.client_certificate.is_some(),
        certificate_facts: secrets
            .client_certificate
            .as_ref()
            .and_then(certificate::facts),
        state: state(&settings, &secrets, record),
        problem: record.problem.clone(),
        owner: record.owner.clone(),
        owner_name: record.owner_name.clone(),
        revision: settings.revision,
        created_at: record.created_at,
        updated_at: record.updated_at,
    })
}

fn state(
    settings: &ConnectionSettings,
    secrets: &ConnectionSecrets,
    record: &ConnectionRecord,
) -> ConnectionState {
    use checklist_shared::wire::connections::ConnectionMethod as Method;
    match settings.method {
        // Includes a password that the site has rejected: it is not tried again until it changes.
        _ if settings.takes_password()
            && (secrets.password.is_none() || record.problem.is_some()) =>
        {
            ConnectionState::NeedsSecret
        }
        Method::Application
            if secrets.client_secret.is_none() && secrets.client_certificate.is_none() =>
        {
            ConnectionState::NeedsSecret
        }
        Method::Delegated if secrets.refresh_token.is_none() || record.problem.is_some() => {
            ConnectionState::NeedsSignIn
        }
        _ => ConnectionState::Ready,
    }
}
