//! Tenants, keys, people and revocations: their rows, and the version that increases with each
//! change.
//!
//! Nothing is cached here, because the command line may write to the file at any time. `auth` has a
//! cache of its own.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{
    get_json, get_json_option, get_time, get_time_option, get_u64, json, json_option, time,
};
use crate::directory::{
    ApiKeyRecord, DirectoryChange, DirectoryOutcome, EmbedKeyRecord, LINK_REMEMBERED,
    REVOKED_API_KEYS, SecretHash, Tenant, Trust, UserRecord, is_administrator,
};
use crate::keyset::Keyset;
use checklist_shared::time::Timestamp;

/// The number of changes so far.
pub(super) fn version(connection: &Connection) -> Result<u64> {
    connection
        .prepare_cached("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'directory_version'")?
        .query_row([], |row| get_u64(row, 0))
}

fn version_grows(connection: &Connection) -> Result<usize> {
    connection
        .prepare_cached(
            "UPDATE meta SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'directory_version'",
        )?
        .execute([])
}

const TENANT: &str = "id, name, epoch, disabled, created_at";

fn tenant_of(row: &Row<'_>) -> Result<Tenant> {
    Ok(Tenant {
        id: row.get(0)?,
        name: row.get(1)?,
        epoch: get_time(row, 2)?,
        disabled: row.get(3)?,
        created_at: get_time(row, 4)?,
    })
}

pub(super) fn tenants(connection: &Connection) -> Result<Vec<Tenant>> {
    connection
        .prepare_cached(&format!("SELECT {TENANT} FROM tenant ORDER BY id"))?
        .query_map([], tenant_of)?
        .collect()
}

pub(super) fn tenant(connection: &Connection, id: &str) -> Result<Option<Tenant>> {
    connection
        .prepare_cached(&format!("SELECT {TENANT} FROM tenant WHERE id = ?1"))?
        .query_row([id], tenant_of)
        .optional()
}

/// Everything that the tenant's credentials are verified against. Has to be called within a
/// snapshot.
pub(super) fn trust(connection: &Connection, tenant: &str) -> Result<Trust> {
    let record = self::tenant(connection, tenant)?;
    let embed_keys = connection
        .prepare_cached(&format!(
            "SELECT {EMBED_KEY} FROM embed_key WHERE tenant = ?1 ORDER BY kid"
        ))?
        .query_map([tenant], embed_key_of)?
        .collect::<Result<_>>()?;
    let revoked_tokens = connection
        .prepare_cached("SELECT jti FROM revoked_token WHERE tenant = ?1 ORDER BY jti")?
        .query_map([tenant], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let revoked_api_keys = connection
        .prepare_cached(
            "SELECT id FROM api_key WHERE tenant = ?1 AND revoked_at IS NOT NULL
             ORDER BY revoked_at DESC, id LIMIT ?2",
        )?
        .query_map(params![tenant, REVOKED_API_KEYS], |row| row.get(0))?
        .collect::<Result<_>>()?;
    Ok(Trust {
        tenant: record,
        embed_keys,
        revoked_tokens,
        revoked_api_keys,
    })
}

const EMBED_KEY: &str = "tenant, kid, algorithm, public_key, origins, own, created_at, expires_at, revoked_at, issuer, \
     permissions, contexts";

fn embed_key_of(row: &Row<'_>) -> Result<EmbedKeyRecord> {
    Ok(EmbedKeyRecord {
        tenant: row.get(0)?,
        kid: row.get(1)?,
        algorithm: row.get(2)?,
        public_key: row.get(3)?,
        origins: get_json_option(row, 4)?,
        own: row.get(5)?,
        created_at: get_time(row, 6)?,
        expires_at: get_time_option(row, 7)?,
        revoked_at: get_time_option(row, 8)?,
        issuer: row.get(9)?,
        permissions: get_json_option(row, 10)?,
        contexts: get_json_option(row, 11)?,
    })
}

pub(super) fn embed_key(
    connection: &Connection,
    tenant: &str,
    kid: &str,
) -> Result<Option<EmbedKeyRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {EMBED_KEY} FROM embed_key WHERE tenant = ?1 AND kid = ?2"
        ))?
        .query_row([tenant, kid], embed_key_of)
        .optional()
}

const API_KEY: &str =
    "id, tenant, name, secret, roles, contexts, created_by, created_at, expires_at, revoked_at";

fn api_key_of(row: &Row<'_>) -> Result<ApiKeyRecord> {
    Ok(ApiKeyRecord {
        id: row.get(0)?,
        tenant: row.get(1)?,
        name: row.get(2)?,
        secret: row.get(3)?,
        roles: get_json(row, 4)?,
        contexts: get_json_option(row, 5)?,
        created_by: row.get(6)?,
        created_at: get_time(row, 7)?,
        expires_at: get_time_option(row, 8)?,
        revoked_at: get_time_option(row, 9)?,
    })
}

pub(super) fn api_keys(
    connection: &Connection,
    tenant: &str,
    page: &Keyset<(i64, String)>,
) -> Result<Vec<ApiKeyRecord>> {
    let (at, id) = &page.after;
    connection
        .prepare_cached(&format!(
            "SELECT {API_KEY} FROM api_key WHERE tenant = ?1 AND (created_at, id) < (?2, ?3)
             ORDER BY created_at DESC, id DESC LIMIT ?4"
        ))?
        .query_map(params![tenant, at, id, page.limit], api_key_of)?
        .collect()
}

pub(super) fn api_key(
    connection: &Connection,
    secret: &SecretHash,
) -> Result<Option<ApiKeyRecord>> {
    connection
        .prepare_cached(&format!("SELECT {API_KEY} FROM api_key WHERE secret = ?1"))?
        .query_row([secret], api_key_of)
        .optional()
}

pub(super) fn api_key_of_tenant(
    connection: &Connection,
    tenant: &str,
    id: &str,
) -> Result<Option<ApiKeyRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {API_KEY} FROM api_key WHERE tenant = ?1 AND id = ?2"
        ))?
        .query_row([tenant, id], api_key_of)
        .optional()
}

/// The columns of a person; `u` is the alias of the table.
pub(super) const USER: &str =
    "u.tenant, u.issuer, u.subject, u.name, u.roles, u.disabled, u.created_at, u.epoch";

/// The person in a row whose column `first` is the first one of [`USER`].
pub(super) fn user_of(row: &Row<'_>, first: usize) -> Result<UserRecord> {
    Ok(UserRecord {
        tenant: row.get(first)?,
        issuer: row.get(first + 1)?,
        subject: row.get(first + 2)?,
        name: row.get(first + 3)?,
        roles: get_json(row, first + 4)?,
        disabled: row.get(first + 5)?,
        created_at: get_time(row, first + 6)?,
        epoch: get_time(row, first + 7)?,
    })
}

pub(super) fn users(
    connection: &Connection,
    tenant: &str,
    page: &Keyset<(String, String)>,
) -> Result<Vec<UserRecord>> {
    let (issuer, subject) = &page.after;
    connection
        .prepare_cached(&format!(
            "SELECT {USER} FROM person u WHERE u.tenant = ?1 AND (u.issuer, u.subject) > (?2, ?3)
             ORDER BY u.issuer, u.subject LIMIT ?4"
        ))?
        .query_map(params![tenant, issuer, subject, page.limit], |row| {
            user_of(row, 0)
        })?
        .collect()
}

pub(super) fn user(
    connection: &Connection,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<Option<UserRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {USER} FROM person u WHERE u.tenant = ?1 AND u.issuer = ?2 AND u.subject = ?3"
        ))?
        .query_row([tenant, issuer, subject], |row| user_of(row, 0))
        .optional()
}

pub(super) fn registrations(
    connection: &Connection,
    issuer: &str,
    subject: &str,
) -> Result<Vec<UserRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {USER} FROM person u WHERE u.issuer = ?1 AND u.subject = ?2 ORDER BY u.created_at, u.tenant"
        ))?
        .query_map([issuer, subject], |row| user_of(row, 0))?
        .collect()
}

/// Makes the change; increases the version if anything was written.
pub(super) fn change(
    connection: &Connection,
    change: &DirectoryChange,
) -> Result<DirectoryOutcome> {
    let changed = match change {
        DirectoryChange::PutTenant(tenant) => put_tenant(connection, tenant),
        DirectoryChange::EndEverything { tenant, at } => end_everything(connection, tenant, *at),
        DirectoryChange::PutEmbedKey(key) => put_embed_key(connection, key),
        DirectoryChange::RevokeEmbedKey { tenant, kid, at } => revoke(
            connection,
            "UPDATE embed_key SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant = ?1 AND kid = ?2",
            (tenant, kid, *at),
        ),
        DirectoryChange::AddApiKey(key) => add_api_key(connection, key),
        DirectoryChange::RevokeApiKey { tenant, id, at } => revoke(
            connection,
            "UPDATE api_key SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant = ?1 AND id = ?2",
            (tenant, id, *at),
        ),
        DirectoryChange::PutUser(user) => put_user(connection, user),
        DirectoryChange::PutUserButLastAdministrator(user) => {
            if is_last_administrator(connection, user)? && !is_administrator(user) {
                return Ok(DirectoryOutcome::LastAdministrator);
            }
            put_user(connection, user)
        }
        DirectoryChange::RevokeToken {
            tenant,
            jti,
            at,
            until,
        } => revoke_token(connection, tenant, jti, *at, *until),
    }?;
    if changed == DirectoryOutcome::Done {
        version_grows(connection)?;
    }
    Ok(changed)
}

fn put_tenant(connection: &Connection, tenant: &Tenant) -> Result<DirectoryOutcome> {
    connection
        .prepare_cached(
            "INSERT INTO tenant (id, name, epoch, disabled, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, disabled = excluded.disabled,
                 epoch = CASE WHEN tenant.disabled <> excluded.disabled THEN max(tenant.epoch, excluded.epoch)
                              ELSE tenant.epoch END",
        )?
        .execute(params![
            tenant.id,
            tenant.name,
            tenant.epoch.as_millis(),
            tenant.disabled,
            tenant.created_at.as_millis()
        ])?;
    Ok(DirectoryOutcome::Done)
}

/// Registers a tenant if necessary, with its id as its name.
pub(super) fn know_tenant(connection: &Connection, id: &str, at: Timestamp) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO tenant (id, name, created_at) VALUES (?1, ?1, ?2) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![id, at.as_millis()])
}

fn end_everything(
    connection: &Connection,
    tenant: &str,
    at: Timestamp,
) -> Result<DirectoryOutcome> {
    know_tenant(connection, tenant, at)?;
    connection
        .prepare_cached("UPDATE tenant SET epoch = max(epoch, ?2) WHERE id = ?1")?
        .execute(params![tenant, at.as_millis()])?;
    connection
        .prepare_cached("DELETE FROM session WHERE tenant = ?1")?
        .execute([tenant])?;
    for sql in [
        "UPDATE api_key SET revoked_at = ?2 WHERE tenant = ?1 AND revoked_at IS NULL",
        "UPDATE embed_key SET revoked_at = ?2 WHERE tenant = ?1 AND revoked_at IS NULL",
    ] {
        connection
            .prepare_cached(sql)?
            .execute(params![tenant, at.as_millis()])?;
    }
    Ok(DirectoryOutcome::Done)
}

fn put_embed_key(connection: &Connection, key: &EmbedKeyRecord) -> Result<DirectoryOutcome> {
    know_tenant(connection, &key.tenant, key.created_at)?;
    let written = connection
        .prepare_cached(
            "INSERT INTO embed_key (tenant, kid, algorithm, public_key, origins, own, created_at, expires_at,
                                    issuer, permissions, contexts)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (tenant, kid) DO UPDATE
             SET algorithm = excluded.algorithm, public_key = excluded.public_key, origins = excluded.origins,
                 expires_at = excluded.expires_at, issuer = excluded.issuer,
                 permissions = excluded.permissions, contexts = excluded.contexts
             WHERE embed_key.revoked_at IS NULL AND embed_key.own = excluded.own",
        )?
        .execute(params![
            key.tenant,
            key.kid,
            key.algorithm,
            key.public_key,
            json_option(key.origins.as_ref())?,
            key.own,
            key.created_at.as_millis(),
            time(key.expires_at),
            key.issuer,
            json_option(key.permissions.as_ref())?,
            json_option(key.contexts.as_ref())?
        ])?;
    Ok(if written == 0 {
        DirectoryOutcome::Taken
    } else {
        DirectoryOutcome::Done
    })
}

fn add_api_key(connection: &Connection, key: &ApiKeyRecord) -> Result<DirectoryOutcome> {
    know_tenant(connection, &key.tenant, key.created_at)?;
    let written = connection
        .prepare_cached(
            "INSERT INTO api_key (id, tenant, name, secret, roles, contexts, created_by, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            key.id,
            key.tenant,
            key.name,
            key.secret,
            json(&key.roles)?,
            json_option(key.contexts.as_ref())?,
            key.created_by,
            key.created_at.as_millis(),
            time(key.expires_at)
        ])?;
    Ok(if written == 0 {
        DirectoryOutcome::Taken
    } else {
        DirectoryOutcome::Done
    })
}

fn revoke(
    connection: &Connection,
    sql: &str,
    (tenant, name, at): (&str, &str, Timestamp),
) -> Result<DirectoryOutcome> {
    let found = connection
        .prepare_cached(sql)?
        .execute(params![tenant, name, at.as_millis()])?;
    Ok(if found == 0 {
        DirectoryOutcome::Missing
    } else {
        DirectoryOutcome::Done
    })
}

fn put_user(connection: &Connection, user: &UserRecord) -> Result<DirectoryOutcome> {
    know_tenant(connection, &user.tenant, user.created_at)?;
    connection
        .prepare_cached(
            "INSERT INTO person (tenant, issuer, subject, name, roles, disabled, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (tenant, issuer, subject) DO UPDATE
             SET name = excluded.name, roles = excluded.roles, disabled = excluded.disabled,
                 epoch = CASE WHEN person.disabled <> excluded.disabled THEN max(person.epoch, ?8)
                              ELSE person.epoch END",
        )?
        .execute(params![
            user.tenant,
            user.issuer,
            user.subject,
            user.name,
            json(&user.roles)?,
            user.disabled,
            user.created_at.as_millis(),
            user.epoch.as_millis()
        ])?;
    Ok(DirectoryOutcome::Done)
}

/// Whether the person is the only administrator of the tenant.
fn is_last_administrator(connection: &Connection, user: &UserRecord) -> Result<bool> {
    let (mut is_one, mut others) = (false, 0);
    for one in users(connection, &user.tenant, &Keyset::whole())? {
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

fn revoke_token(
    connection: &Connection,
    tenant: &str,
    jti: &str,
    at: Timestamp,
    until: Timestamp,
) -> Result<DirectoryOutcome> {
    know_tenant(connection, tenant, at)?;
    connection
        .prepare_cached(
            "INSERT INTO revoked_token (tenant, jti, until) VALUES (?1, ?2, ?3)
             ON CONFLICT (tenant, jti) DO UPDATE SET until = max(until, excluded.until)",
        )?
        .execute(params![tenant, jti, until.as_millis()])?;
    Ok(DirectoryOutcome::Done)
}

/// Removes what has expired and is no longer needed.
pub(super) fn purge(connection: &Connection, now: Timestamp) -> Result<()> {
    for sql in [
        "DELETE FROM session WHERE tenant IN (SELECT id FROM tenant) AND expires_at <= ?1",
        "DELETE FROM pending_sign_in WHERE expires_at <= ?1",
        "DELETE FROM revoked_token WHERE until <= ?1",
        "DELETE FROM embed_key WHERE own AND expires_at <= ?1",
    ] {
        connection.prepare_cached(sql)?.execute([now.as_millis()])?;
    }
    connection
        .prepare_cached("DELETE FROM admin_link WHERE expires_at <= ?1")?
        .execute([now.as_millis() - LINK_REMEMBERED])?;
    Ok(())
}
