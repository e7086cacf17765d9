//! The rows of embed keys and API keys.

use checklist_shared::time::Timestamp;

use super::row::json_option;
use super::tenants::know_tenant;
use super::{Row, Session, json, values};
use crate::directory::{ApiKeyRecord, EmbedKeyRecord, SecretHash, UsedKey};
use crate::keyset::Keyset;
use crate::store::StoreError;

/// Selects embed keys.
macro_rules! select_embed {
    ($rest:literal) => {
        concat!(
            "SELECT tenant, kid, algorithm, public_key, origins, own, created_at, expires_at,
                 revoked_at, issuer, permissions, contexts, used_at FROM embed_key ",
            $rest
        )
    };
}

/// Selects API keys.
macro_rules! select_api {
    ($rest:literal) => {
        concat!(
            "SELECT id, tenant, name, secret, roles, contexts, created_by, created_at, expires_at,
                 revoked_at, used_at, sources FROM api_key ",
            $rest
        )
    };
}

fn embed_key_of(row: &Row) -> Result<EmbedKeyRecord, StoreError> {
    Ok(EmbedKeyRecord {
        tenant: row.get_text(0)?.to_owned(),
        kid: row.get_text(1)?.to_owned(),
        algorithm: row.get_text(2)?.to_owned(),
        public_key: row.get_text(3)?.to_owned(),
        origins: row.get_json_option(4)?,
        own: row.get_bool(5)?,
        created_at: row.get_time(6)?,
        expires_at: row.get_time_option(7)?,
        revoked_at: row.get_time_option(8)?,
        issuer: row.get_text_option(9)?.map(str::to_owned),
        permissions: row.get_json_option(10)?,
        contexts: row.get_json_option(11)?,
        used_at: row.get_time_option(12)?,
    })
}

fn api_key_of(row: &Row) -> Result<ApiKeyRecord, StoreError> {
    Ok(ApiKeyRecord {
        id: row.get_text(0)?.to_owned(),
        tenant: row.get_text(1)?.to_owned(),
        name: row.get_text(2)?.to_owned(),
        secret: row.get_hash(3)?,
        roles: row.get_json(4)?,
        contexts: row.get_json_option(5)?,
        created_by: row.get_text(6)?.to_owned(),
        created_at: row.get_time(7)?,
        expires_at: row.get_time_option(8)?,
        revoked_at: row.get_time_option(9)?,
        used_at: row.get_time_option(10)?,
        sources: row.get_json_option(11)?.unwrap_or_default(),
    })
}

pub(super) async fn embed_keys<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<EmbedKeyRecord>, StoreError> {
    let sql = select_embed!("WHERE tenant = $1 ORDER BY kid");
    session.query_map(sql, values![tenant], embed_key_of).await
}

pub(crate) async fn embed_key<S: Session>(
    session: &mut S,
    tenant: &str,
    kid: &str,
) -> Result<Option<EmbedKeyRecord>, StoreError> {
    let sql = select_embed!("WHERE tenant = $1 AND kid = $2");
    session
        .query_opt(sql, values![tenant, kid], embed_key_of)
        .await
}

pub(crate) async fn api_keys<S: Session>(
    session: &mut S,
    tenant: &str,
    page: &Keyset<(i64, String)>,
) -> Result<Vec<ApiKeyRecord>, StoreError> {
    let (at, id) = &page.after;
    session
        .query_map(
            select_api!(
                "WHERE tenant = $1 AND (created_at, id) < ($2, $3)
                 ORDER BY created_at DESC, id DESC LIMIT $4"
            ),
            values![tenant, *at, id, page.limit],
            api_key_of,
        )
        .await
}

/// The key with that secret, of any tenant.
pub(crate) async fn api_key_by_secret<S: Session>(
    session: &mut S,
    secret: &SecretHash,
) -> Result<Option<ApiKeyRecord>, StoreError> {
    let sql = select_api!("WHERE secret = $1");
    session.query_opt(sql, values![secret], api_key_of).await
}

pub(crate) async fn api_key<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<ApiKeyRecord>, StoreError> {
    let sql = select_api!("WHERE tenant = $1 AND id = $2");
    session
        .query_opt(sql, values![tenant, id], api_key_of)
        .await
}

/// Registers an embed key, or replaces one that is not revoked. Returns the number of written rows.
pub(super) async fn put_embed_key<S: Session>(
    session: &mut S,
    key: &EmbedKeyRecord,
) -> Result<u64, StoreError> {
    know_tenant(session, &key.tenant, key.created_at).await?;
    let origins = json_option(key.origins.as_ref())?;
    let permissions = json_option(key.permissions.as_ref())?;
    let contexts = json_option(key.contexts.as_ref())?;
    let parameters = values![
        &key.tenant,
        &key.kid,
        &key.algorithm,
        &key.public_key,
        origins.as_ref(),
        key.own,
        key.created_at,
        key.expires_at,
        key.issuer.as_ref(),
        permissions.as_ref(),
        contexts.as_ref(),
    ];
    session
        .execute(
            "INSERT INTO embed_key (tenant, kid, algorithm, public_key, origins, own, created_at,
                 expires_at, issuer, permissions, contexts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT (tenant, kid) DO UPDATE
             SET algorithm = excluded.algorithm, public_key = excluded.public_key,
                 origins = excluded.origins, expires_at = excluded.expires_at,
                 issuer = excluded.issuer, permissions = excluded.permissions,
                 contexts = excluded.contexts
             WHERE embed_key.revoked_at IS NULL AND embed_key.own = excluded.own",
            parameters,
        )
        .await
}

/// Adds an API key. Returns the number of written rows.
pub(super) async fn add_api_key<S: Session>(
    session: &mut S,
    key: &ApiKeyRecord,
) -> Result<u64, StoreError> {
    know_tenant(session, &key.tenant, key.created_at).await?;
    let roles = json(&key.roles)?;
    let contexts = json_option(key.contexts.as_ref())?;
    let sources = (!key.sources.is_empty())
        .then(|| json(&key.sources))
        .transpose()?;
    let parameters = values![
        &key.id,
        &key.tenant,
        &key.name,
        &key.secret,
        &roles,
        contexts.as_ref(),
        &key.created_by,
        key.created_at,
        key.expires_at,
        sources.as_ref(),
    ];
    session
        .execute(
            "INSERT INTO api_key (id, tenant, name, secret, roles, contexts, created_by,
                 created_at, expires_at, sources)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
            parameters,
        )
        .await
}

/// Revokes an embed key. Returns the number of written rows.
pub(super) async fn revoke_embed_key<S: Session>(
    session: &mut S,
    tenant: &str,
    kid: &str,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let sql =
        "UPDATE embed_key SET revoked_at = coalesce(revoked_at, $3) WHERE tenant = $1 AND kid = $2";
    session.execute(sql, values![tenant, kid, at]).await
}

/// Revokes an API key. Returns the number of written rows.
pub(super) async fn revoke_api_key<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let sql =
        "UPDATE api_key SET revoked_at = coalesce(revoked_at, $3) WHERE tenant = $1 AND id = $2";
    session.execute(sql, values![tenant, id, at]).await
}

/// Stores when a key was last used.
pub(crate) async fn used<S: Session>(
    session: &mut S,
    key: &UsedKey,
    at: Timestamp,
) -> Result<(), StoreError> {
    let (sql, tenant, id) = match key {
        UsedKey::Api(tenant, id) => (
            "UPDATE api_key SET used_at = $3
             WHERE tenant = $1 AND id = $2 AND coalesce(used_at, 0) < $3",
            tenant,
            id,
        ),
        UsedKey::Embed(tenant, kid) => (
            "UPDATE embed_key SET used_at = $3
             WHERE tenant = $1 AND kid = $2 AND coalesce(used_at, 0) < $3",
            tenant,
            kid,
        ),
    };
    session.execute(sql, values![tenant, id, at]).await?;
    Ok(())
}
