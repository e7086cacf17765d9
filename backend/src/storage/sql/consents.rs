//! Pending consents and connection handles: their statements.

use checklist_shared::time::Timestamp;

use super::{Session, values};
use crate::connections::{HandleRecord, PendingConsent};
use crate::directory::SecretHash;
use crate::store::StoreError;

pub(crate) async fn begin_consent<S: Session>(
    session: &mut S,
    pending: &PendingConsent,
) -> Result<(), StoreError> {
    let parameters = values![
        &pending.state,
        &pending.browser,
        &pending.tenant,
        &pending.connection,
        pending.revision,
        &pending.actor,
        &pending.verifier,
        pending.expires_at,
    ];
    session
        .execute(
            "INSERT INTO pending_consent
                 (state, browser, tenant, connection, revision, actor, verifier, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            parameters,
        )
        .await?;
    Ok(())
}

pub(crate) async fn finish_consent<S: Session>(
    session: &mut S,
    state: &SecretHash,
) -> Result<Option<PendingConsent>, StoreError> {
    let rows = session
        .query(
            "DELETE FROM pending_consent WHERE state = $1
             RETURNING browser, tenant, connection, revision, actor, verifier, expires_at",
            values![state],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(PendingConsent {
        state: *state,
        browser: row.get_hash(0)?,
        tenant: row.get_text(1)?.to_owned(),
        connection: row.get_text(2)?.to_owned(),
        revision: row.get_u64(3)?,
        actor: row.get_text(4)?.to_owned(),
        verifier: row.get_bytes(5)?.to_owned(),
        expires_at: row.get_time(6)?,
    }))
}

pub(crate) async fn keep_handle<S: Session>(
    session: &mut S,
    record: &HandleRecord,
) -> Result<(), StoreError> {
    let parameters = values![
        &record.handle,
        &record.tenant,
        &record.actor,
        &record.sealed,
        record.expires_at,
    ];
    session
        .execute(
            "INSERT INTO connection_handle (handle, tenant, actor, sealed, expires_at)
             VALUES ($1, $2, $3, $4, $5)",
            parameters,
        )
        .await?;
    Ok(())
}

pub(crate) async fn handle<S: Session>(
    session: &mut S,
    tenant: &str,
    handle: SecretHash,
) -> Result<Option<HandleRecord>, StoreError> {
    let rows = session
        .query(
            "SELECT actor, sealed, expires_at FROM connection_handle
             WHERE tenant = $1 AND handle = $2",
            values![tenant, &handle],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(HandleRecord {
        handle,
        tenant: tenant.to_owned(),
        actor: row.get_text(0)?.to_owned(),
        sealed: row.get_bytes(1)?.to_owned(),
        expires_at: row.get_time(2)?,
    }))
}

/// Removes what has expired.
pub(crate) async fn purge<S: Session>(session: &mut S, now: Timestamp) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM pending_consent WHERE expires_at <= $1",
        "DELETE FROM connection_handle WHERE expires_at <= $1",
    ] {
        session.execute(sql, values![now]).await?;
    }
    Ok(())
}
