//! The keys that sign a tenant's checkpoints; the newest one signs.

use super::{Row, Session, values};
use crate::audit::AuditKey;
use crate::connections::SealedSecret;
use crate::store::StoreError;

/// All keys of a tenant, the oldest first.
pub(crate) async fn all<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<AuditKey>, StoreError> {
    let sql = "SELECT number, verifier, created_at, key_id, sealed
         FROM audit_key WHERE tenant = $1 ORDER BY number";
    session
        .query_map(sql, values![tenant], |row: &Row| {
            Ok(AuditKey {
                tenant: tenant.to_owned(),
                number: row.get_u64(0)?,
                verifier: row.get_text(1)?.to_owned(),
                created_at: row.get_time(2)?,
                sealed: SealedSecret {
                    key_id: row.get_text(3)?.to_owned(),
                    bytes: row.get_bytes(4)?.to_vec(),
                },
            })
        })
        .await
}

/// The key with that number.
pub(super) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    number: u64,
) -> Result<Option<AuditKey>, StoreError> {
    let keys = all(session, tenant).await?;
    Ok(keys.into_iter().find(|key| key.number == number))
}

/// Stores a key, unless there is one with that number.
pub(crate) async fn insert<S: Session>(
    session: &mut S,
    key: &AuditKey,
) -> Result<bool, StoreError> {
    let parameters = values![
        &key.tenant,
        key.number,
        &key.verifier,
        key.created_at,
        &key.sealed.key_id,
        &key.sealed.bytes,
    ];
    let sql = "INSERT INTO audit_key (tenant, number, verifier, created_at, key_id, sealed)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    Ok(session.execute(sql, parameters).await? == 1)
}

/// Replaces the ciphertext of a key, which another vault key has encrypted again.
pub(crate) async fn reseal<S: Session>(session: &mut S, key: &AuditKey) -> Result<(), StoreError> {
    let parameters = values![
        &key.tenant,
        key.number,
        &key.sealed.key_id,
        &key.sealed.bytes
    ];
    let sql = "UPDATE audit_key SET key_id = $3, sealed = $4 WHERE tenant = $1 AND number = $2";
    session.execute(sql, parameters).await?;
    Ok(())
}
