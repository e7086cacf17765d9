//! Tenants, keys, people and revocations: their rows, and the version that increases with each
//! change.
//!
//! Nothing is cached here, because another node may write at any time. `auth` has a cache of its
//! own.

use checklist_shared::time::Timestamp;
use tokio_postgres::Row;

use super::columns::{
    get, get_hash, get_json, get_json_option, get_time, get_time_option, get_u64, json,
    json_option, time,
};
use super::error::PostgresError;
use super::session::Session;
use crate::directory::{
    ApiKeyRecord, DirectoryChange, DirectoryOutcome, EmbedKeyRecord, LINK_REMEMBERED,
    REVOKED_API_KEYS, SecretHash, Tenant, Trust, UserRecord, is_administrator,
};
use crate::keyset::Keyset;

/// The number of changes so far.
pub(super) async fn version(session: &mut Session) -> Result<u64, PostgresError> {
    let rows = session.query("SELECT version FROM directory", &[]).await?;
    rows.first().map_or(Ok(0), |row| get_u64(row, 0))
}

fn tenant_of(row: &Row) -> Result<Tenant, PostgresError> {
    Ok(Tenant {
        id: get(row, 0)?,
        name: get(row, 1)?,
        epoch: get_time(row, 2)?,
        disabled: get(row, 3)?,
        created_at: get_time(row, 4)?,
    })
}

pub(super) async fn tenants(session: &mut Session) -> Result<Vec<Tenant>, PostgresError> {
    let rows = session
        .query(
            "SELECT id, name, epoch, disabled, created_at FROM tenant ORDER BY id",
            &[],
        )
        .await?;
    rows.iter().map(tenant_of).collect()
}

pub(super) async fn tenant(
    session: &mut Session,
    id: &str,
) -> Result<Option<Tenant>, PostgresError> {
    let rows = session
        .query(
            "SELECT id, name, epoch, disabled, created_at FROM tenant WHERE id = $1",
            &[&id],
        )
        .await?;
    rows.first().map(tenant_of).transpose()
}

pub(super) async fn embed_key(
    session: &mut Session,
    tenant: &str,
    kid: &str,
) -> Result<Option<EmbedKeyRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT tenant, kid, algorithm, public_key, origins, own, created_at, expires_at, \
                 revoked_at, issuer, permissions, contexts FROM embed_key \
             WHERE tenant = $1 AND kid = $2",
            &[&tenant, &kid],
        )
        .await?;
    rows.first().map(embed_key_of).transpose()
}

pub(super) async fn api_key_of_tenant(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<ApiKeyRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT id, tenant, name, secret, roles, contexts, created_by, created_at, \
                 expires_at, revoked_at FROM api_key WHERE tenant = $1 AND id = $2",
            &[&tenant, &id],
        )
        .await?;
    rows.first().map(api_key_of).transpose()
}

pub(super) async fn user(
    session: &mut Session,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<Option<UserRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT tenant, issuer, subject, name, roles, disabled, created_at, epoch FROM person \
             WHERE tenant = $1 AND issuer = $2 AND subject = $3",
            &[&tenant, &issuer, &subject],
        )
        .await?;
    rows.first().map(user_of).transpose()
}

/// Everything that the tenant's credentials are verified against. Has to be called within a
/// snapshot.
pub(super) async fn trust(session: &mut Session, tenant: &str) -> Result<Trust, PostgresError> {
    let record = session
        .query(
            "SELECT id, name, epoch, disabled, created_at FROM tenant WHERE id = $1",
            &[&tenant],
        )
        .await?;
    let keys = session
        .query(
            "SELECT tenant, kid, algorithm, public_key, origins, own, created_at, expires_at, \
                 revoked_at, issuer, permissions, contexts FROM embed_key WHERE tenant = $1 ORDER BY kid",
            &[&tenant],
        )
        .await?;
    let revoked = session
        .query(
            "SELECT jti FROM revoked_token WHERE tenant = $1 ORDER BY jti",
            &[&tenant],
        )
        .await?;
    let revoked_api_keys = session
        .query(
            "SELECT id FROM api_key WHERE tenant = $1 AND revoked_at IS NOT NULL \
             ORDER BY revoked_at DESC, id LIMIT $2",
            &[&tenant, &i64::from(REVOKED_API_KEYS)],
        )
        .await?;
    Ok(Trust {
        tenant: record.first().map(tenant_of).transpose()?,
        embed_keys: keys.iter().map(embed_key_of).collect::<Result<_, _>>()?,
        revoked_tokens: revoked
            .iter()
            .map(|row| get(row, 0))
            .collect::<Result<_, _>>()?,
        revoked_api_keys: revoked_api_keys
            .iter()
            .map(|row| get(row, 0))
            .collect::<Result<_, _>>()?,
    })
}

fn embed_key_of(row: &Row) -> Result<EmbedKeyRecord, PostgresError> {
    Ok(EmbedKeyRecord {
        tenant: get(row, 0)?,
        kid: get(row, 1)?,
        algorithm: get(row, 2)?,
        public_key: get(row, 3)?,
        origins: get_json_option(row, 4)?,
        own: get(row, 5)?,
        created_at: get_time(row, 6)?,
        expires_at: get_time_option(row, 7)?,
        revoked_at: get_time_option(row, 8)?,
        issuer: get(row, 9)?,
        permissions: get_json_option(row, 10)?,
        contexts: get_json_option(row, 11)?,
    })
}

fn api_key_of(row: &Row) -> Result<ApiKeyRecord, PostgresError> {
    Ok(ApiKeyRecord {
        id: get(row, 0)?,
        tenant: get(row, 1)?,
        name: get(row, 2)?,
        secret: get_hash(row, 3)?,
        roles: get_json(row, 4)?,
        contexts: get_json_option(row, 5)?,
        created_by: get(row, 6)?,
        created_at: get_time(row, 7)?,
        expires_at: get_time_option(row, 8)?,
        revoked_at: get_time_option(row, 9)?,
    })
}

pub(super) async fn api_keys(
    session: &mut Session,
    tenant: &str,
    page: &Keyset<(i64, String)>,
) -> Result<Vec<ApiKeyRecord>, PostgresError> {
    let (at, id) = &page.after;
    let rows = session
        .query(
            "SELECT id, tenant, name, secret, roles, contexts, created_by, created_at, \
                 expires_at, revoked_at FROM api_key \
             WHERE tenant = $1 AND (created_at, id) < ($2, $3) \
             ORDER BY created_at DESC, id DESC LIMIT $4",
            &[&tenant, at, id, &i64::from(page.limit)],
        )
        .await?;
    rows.iter().map(api_key_of).collect()
}

pub(super) async fn api_key(
    session: &mut Session,
    secret: &SecretHash,
) -> Result<Option<ApiKeyRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT id, tenant, name, secret, roles, contexts, created_by, created_at, \
                 expires_at, revoked_at FROM api_key WHERE secret = $1",
            &[&secret.as_slice()],
        )
        .await?;
    rows.first().map(api_key_of).transpose()
}

/// The person in a row that begins with the table's columns.
pub(super) fn user_of(row: &Row) -> Result<UserRecord, PostgresError> {
    Ok(UserRecord {
        tenant: get(row, 0)?,
        issuer: get(row, 1)?,
        subject: get(row, 2)?,
        name: get(row, 3)?,
        roles: get_json(row, 4)?,
        disabled: get(row, 5)?,
        created_at: get_time(row, 6)?,
        epoch: get_time(row, 7)?,
    })
}

pub(super) async fn users(
    session: &mut Session,
    tenant: &str,
    page: &Keyset<(String, String)>,
) -> Result<Vec<UserRecord>, PostgresError> {
    let (issuer, subject) = &page.after;
    let rows = session
        .query(
            "SELECT tenant, issuer, subject, name, roles, disabled, created_at, epoch FROM person \
             WHERE tenant = $1 AND (issuer, subject) > ($2, $3) ORDER BY issuer, subject LIMIT $4",
            &[&tenant, issuer, subject, &i64::from(page.limit)],
        )
        .await?;
    rows.iter().map(user_of).collect()
}

pub(super) async fn registrations(
    session: &mut Session,
    issuer: &str,
    subject: &str,
) -> Result<Vec<UserRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT tenant, issuer, subject, name, roles, disabled, created_at, epoch FROM person \
             WHERE issuer = $1 AND subject = $2 ORDER BY created_at, tenant",
            &[&issuer, &subject],
        )
        .await?;
    rows.iter().map(user_of).collect()
}

/// Makes the change; increases the version if anything was written. Has to be called in a
/// transaction.
pub(super) async fn change(
    session: &mut Session,
    change: &DirectoryChange,
) -> Result<DirectoryOutcome, PostgresError> {
    let changed = match change {
        DirectoryChange::PutTenant(tenant) => put_tenant(session, tenant).await,
        DirectoryChange::EndEverything { tenant, at } => end_everything(session, tenant, *at).await,
        DirectoryChange::PutEmbedKey(key) => put_embed_key(session, key).await,
        DirectoryChange::RevokeEmbedKey { tenant, kid, at } => {
            let sql = "UPDATE embed_key SET revoked_at = coalesce(revoked_at, $3) \
                 WHERE tenant = $1 AND kid = $2";
            revoke(session, sql, (tenant, kid, *at)).await
        }
        DirectoryChange::AddApiKey(key) => add_api_key(session, key).await,
        DirectoryChange::RevokeApiKey { tenant, id, at } => {
            let sql = "UPDATE api_key SET revoked_at = coalesce(revoked_at, $3) \
                 WHERE tenant = $1 AND id = $2";
            revoke(session, sql, (tenant, id, *at)).await
        }
        DirectoryChange::PutUser(user) => put_user(session, user).await,
        DirectoryChange::PutUserButLastAdministrator(user) => {
            if !is_administrator(user) && is_last_administrator(session, user).await? {
                return Ok(DirectoryOutcome::LastAdministrator);
            }
            put_user(session, user).await
        }
        DirectoryChange::RevokeToken {
            tenant,
            jti,
            at,
            until,
        } => revoke_token(session, tenant, jti, *at, *until).await,
    }?;
    if changed == DirectoryOutcome::Done {
        session
            .execute("UPDATE directory SET version = version + 1", &[])
            .await?;
    }
    Ok(changed)
}

const fn done_or(written: u64, otherwise: DirectoryOutcome) -> DirectoryOutcome {
    if written == 0 {
        otherwise
    } else {
        DirectoryOutcome::Done
    }
}

async fn put_tenant(
    session: &mut Session,
    tenant: &Tenant,
) -> Result<DirectoryOutcome, PostgresError> {
    session
        .execute(
            "INSERT INTO tenant (id, name, epoch, disabled, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, disabled = excluded.disabled, \
                 epoch = CASE WHEN tenant.disabled <> excluded.disabled \
                     THEN greatest(tenant.epoch, excluded.epoch) ELSE tenant.epoch END",
            &[
                &tenant.id,
                &tenant.name,
                &tenant.epoch.as_millis(),
                &tenant.disabled,
                &tenant.created_at.as_millis(),
            ],
        )
        .await?;
    Ok(DirectoryOutcome::Done)
}

/// Registers a tenant if necessary, with its id as its name.
pub(super) async fn know_tenant(
    session: &mut Session,
    id: &str,
    at: Timestamp,
) -> Result<(), PostgresError> {
    session
        .execute(
            "INSERT INTO tenant (id, name, created_at) VALUES ($1, $1, $2) ON CONFLICT (id) DO NOTHING",
            &[&id, &at.as_millis()],
        )
        .await?;
    Ok(())
}

async fn end_everything(
    session: &mut Session,
    tenant: &str,
    at: Timestamp,
) -> Result<DirectoryOutcome, PostgresError> {
    know_tenant(session, tenant, at).await?;
    let at = at.as_millis();
    session
        .execute(
            "UPDATE tenant SET epoch = greatest(epoch, $2) WHERE id = $1",
            &[&tenant, &at],
        )
        .await?;
    session
        .execute("DELETE FROM session WHERE tenant = $1", &[&tenant])
        .await?;
    for sql in [
        "UPDATE api_key SET revoked_at = $2 WHERE tenant = $1 AND revoked_at IS NULL",
        "UPDATE embed_key SET revoked_at = $2 WHERE tenant = $1 AND revoked_at IS NULL",
    ] {
        session.execute(sql, &[&tenant, &at]).await?;
    }
    Ok(DirectoryOutcome::Done)
}

async fn put_embed_key(
    session: &mut Session,
    key: &EmbedKeyRecord,
) -> Result<DirectoryOutcome, PostgresError> {
    know_tenant(session, &key.tenant, key.created_at).await?;
    let written = session
        .execute(
            "INSERT INTO embed_key (tenant, kid, algorithm, public_key, origins, own, created_at, \
                 expires_at, issuer, permissions, contexts) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             ON CONFLICT (tenant, kid) DO UPDATE SET algorithm = excluded.algorithm, \
                 public_key = excluded.public_key, origins = excluded.origins, \
                 expires_at = excluded.expires_at, issuer = excluded.issuer, \
                 permissions = excluded.permissions, contexts = excluded.contexts \
             WHERE embed_key.revoked_at IS NULL AND embed_key.own = excluded.own",
            &[
                &key.tenant,
                &key.kid,
                &key.algorithm,
                &key.public_key,
                &json_option(key.origins.as_ref())?,
                &key.own,
                &key.created_at.as_millis(),
                &time(key.expires_at),
                &key.issuer,
                &json_option(key.permissions.as_ref())?,
                &json_option(key.contexts.as_ref())?,
            ],
        )
        .await?;
    Ok(done_or(written, DirectoryOutcome::Taken))
}

async fn add_api_key(
    session: &mut Session,
    key: &ApiKeyRecord,
) -> Result<DirectoryOutcome, PostgresError> {
    know_tenant(session, &key.tenant, key.created_at).await?;
    let written = session
        .execute(
            "INSERT INTO api_key (id, tenant, name, secret, roles, contexts, created_by, \
                 created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT DO NOTHING",
            &[
                &key.id,
                &key.tenant,
                &key.name,
                &key.secret.as_slice(),
                &json(&key.roles)?,
                &json_option(key.contexts.as_ref())?,
                &key.created_by,
                &key.created_at.as_millis(),
                &time(key.expires_at),
            ],
        )
        .await?;
    Ok(done_or(written, DirectoryOutcome::Taken))
}

async fn revoke(
    session: &mut Session,
    sql: &'static str,
    (tenant, name, at): (&str, &str, Timestamp),
) -> Result<DirectoryOutcome, PostgresError> {
    let found = session
        .execute(sql, &[&tenant, &name, &at.as_millis()])
        .await?;
    Ok(done_or(found, DirectoryOutcome::Missing))
}

async fn put_user(
    session: &mut Session,
    user: &UserRecord,
) -> Result<DirectoryOutcome, PostgresError> {
    know_tenant(session, &user.tenant, user.created_at).await?;
    session
        .execute(
            "INSERT INTO person (tenant, issuer, subject, name, roles, disabled, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant, issuer, subject) DO UPDATE \
             SET name = excluded.name, roles = excluded.roles, disabled = excluded.disabled, \
                 epoch = CASE WHEN person.disabled <> excluded.disabled \
                     THEN greatest(person.epoch, $8) ELSE person.epoch END",
            &[
                &user.tenant,
                &user.issuer,
                &user.subject,
                &user.name,
                &json(&user.roles)?,
                &user.disabled,
                &user.created_at.as_millis(),
                &user.epoch.as_millis(),
            ],
        )
        .await?;
    Ok(DirectoryOutcome::Done)
}

/// Whether the person is the only administrator of the tenant. Concurrent calls are serialized: the
/// second waits for the first to commit.
async fn is_last_administrator(
    session: &mut Session,
    user: &UserRecord,
) -> Result<bool, PostgresError> {
    session
        .query(
            "SELECT 1 FROM tenant WHERE id = $1 FOR UPDATE",
            &[&user.tenant],
        )
        .await?;
    let (mut is_one, mut others) = (false, 0);
    for one in users(session, &user.tenant, &Keyset::whole()).await? {
        if is_administrator(&one) {
            if one.issuer == user.issuer && one.subject == user.subject {
                is_one = true;
            } else {
                others += 1;
            }
        }
    }
    Ok(is_one && others == 0)
}

async fn revoke_token(
    session: &mut Session,
    tenant: &str,
    jti: &str,
    at: Timestamp,
    until: Timestamp,
) -> Result<DirectoryOutcome, PostgresError> {
    know_tenant(session, tenant, at).await?;
    session
        .execute(
            "INSERT INTO revoked_token (tenant, jti, until) VALUES ($1, $2, $3) \
             ON CONFLICT (tenant, jti) DO UPDATE \
             SET until = greatest(revoked_token.until, excluded.until)",
            &[&tenant, &jti, &until.as_millis()],
        )
        .await?;
    Ok(DirectoryOutcome::Done)
}

/// Removes what has expired and is no longer needed. Has to be called in a transaction.
pub(super) async fn purge(session: &mut Session, now: Timestamp) -> Result<(), PostgresError> {
    for sql in [
        "DELETE FROM session WHERE tenant IN (SELECT id FROM tenant) AND expires_at <= $1",
        "DELETE FROM pending_sign_in WHERE expires_at <= $1",
        "DELETE FROM revoked_token WHERE until <= $1",
        "DELETE FROM embed_key WHERE own AND expires_at <= $1",
    ] {
        session.execute(sql, &[&now.as_millis()]).await?;
    }
    session
        .execute(
            "DELETE FROM admin_link WHERE expires_at <= $1",
            &[&(now.as_millis() - LINK_REMEMBERED)],
        )
        .await?;
    Ok(())
}
