//! Administrative writes: the write and its audit row, in one transaction.
//!
//! On PostgreSQL the head of the tenant's logs is locked last, as in every writing transaction.

use checklist_shared::administration::AdministrativeAct;

use super::{
    WriteSession, audit_keys, connections, directory, json, keys, passkeys, people, platform_types,
    retention, templates, tenants, webhooks,
};
use crate::act::ActRow;
use crate::administration::{Act, Cause, Snapshot, Target, WriteEffect};
use crate::audit::{Committed, NewEvent};
use crate::store::{Stamp, StoreError};

/// Runs a write. An administrator's is audited; a rejected one leaves no row.
pub(crate) async fn administer<S: WriteSession, T: WriteEffect>(
    session: &mut S,
    tenant: &str,
    cause: &Cause,
    write: impl AsyncFnOnce(&mut S) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let Cause::Act(act) = cause else {
        return write(session).await;
    };
    let before = snapshot(session, tenant, &act.target).await?;
    let outcome = write(session).await?;
    if outcome.is_done() {
        append(session, tenant, act, before.as_ref()).await?;
    }
    Ok(outcome)
}

async fn append<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    act: &Act,
    before: Option<&Snapshot>,
) -> Result<(), StoreError> {
    let after = snapshot(session, tenant, &act.target).await?;
    let Some(record) = act.audit_record(before, after.as_ref()) else {
        return Ok(());
    };
    record_act(session, tenant, &act.stamp, &record).await
}

/// Appends the row of an act.
pub(crate) async fn record_act<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    stamp: &Stamp,
    act: &AdministrativeAct,
) -> Result<(), StoreError> {
    let actor = Committed::of(json(&stamp.actor)?)?;
    let act = NewEvent::of(act)?;
    let row = ActRow {
        tenant,
        actor: &actor,
        at: stamp.at,
        act: &act,
    };
    session.append_act(&row).await
}

/// The present snapshot of an act's target.
async fn snapshot<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    target: &Target,
) -> Result<Option<Snapshot>, StoreError> {
    Ok(match target {
        Target::Tenant => {
            let stored = tenants::one(session, tenant).await?;
            stored.as_ref().map(Snapshot::of_tenant)
        }
        Target::ApiKey(id) => {
            let stored = keys::api_key(session, tenant, id).await?;
            stored.as_ref().map(Snapshot::of_api_key)
        }
        Target::EmbedKey(kid) => {
            let stored = keys::embed_key(session, tenant, kid).await?;
            stored.as_ref().map(Snapshot::of_embed_key)
        }
        Target::User { issuer, subject } => {
            let stored = people::one(session, tenant, issuer, subject).await?;
            stored.as_ref().map(Snapshot::of_user)
        }
        Target::Session { issuer, subject } => {
            let stored = people::one(session, tenant, issuer, subject).await?;
            stored.as_ref().map(Snapshot::of_session)
        }
        Target::Token(jti) => {
            let is_revoked = directory::is_revoked(session, tenant, jti).await?;
            is_revoked.then(Snapshot::of_token)
        }
        Target::Type(name) => {
            let stored = platform_types::one(session, tenant, name).await?;
            // A row that cannot be read has no snapshot.
            stored.and_then(Result::ok).as_ref().map(Snapshot::of_type)
        }
        Target::Draft(id) => {
            let stored = templates::newest(session, tenant, id, true).await?;
            stored.as_ref().map(Snapshot::of_template)
        }
        Target::Published(id) => {
            let stored = templates::newest(session, tenant, id, false).await?;
            stored.as_ref().map(Snapshot::of_template)
        }
        Target::Offer(id) => {
            let stored = templates::newest(session, tenant, id, false).await?;
            let is_retired = templates::retired(session, tenant).await?.contains(id);
            stored.map(|stored| Snapshot::of_offer(&stored, is_retired))
        }
        Target::Connection(id) => {
            let stored = connections::one(session, tenant, id).await?;
            stored.as_ref().map(Snapshot::of_connection)
        }
        Target::Webhook(id) => {
            let stored = webhooks::one(session, tenant, id).await?;
            stored.as_ref().map(Snapshot::of_webhook)
        }
        Target::Passkey(id) => {
            let stored = passkeys::one(session, tenant, id).await?;
            stored.as_ref().map(Snapshot::of_passkey)
        }
        Target::AuditKey(number) => {
            let stored = audit_keys::one(session, tenant, *number).await?;
            stored.as_ref().map(Snapshot::of_audit_key)
        }
        Target::Retention => {
            let stored = retention::one(session, tenant).await?;
            stored.as_ref().map(Snapshot::of_retention)
        }
        Target::Delivery(_)
        | Target::AdminLink
        | Target::ErasedPerson
        | Target::Inventory
        | Target::Run(_)
        | Target::TemplateRun(_)
        | Target::Journal
        | Target::AuditTrail => None,
    })
}
