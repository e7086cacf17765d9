//! Changes of tenants, keys, people and revocations, and the version that increases with each.
//!
//! Nothing is cached here, because another node or the command line may write at any time. `auth`
//! has a cache of its own.

use checklist_shared::time::Timestamp;

use super::{Session, keys, people, retention, tenants, values};
use crate::directory::{
    DELETION_REMEMBERED, DirectoryChange, DirectoryOutcome, ERASURE_REMEMBERED, LINK_REMEMBERED,
    REVOKED_API_KEYS, Trust, is_administrator,
};
use crate::store::StoreError;

/// The number of changes so far.
pub(crate) async fn version<S: Session>(session: &mut S) -> Result<u64, StoreError> {
    let version = session
        .query_opt("SELECT version FROM directory", values![], |row| {
            row.get_u64(0)
        })
        .await?;
    Ok(version.unwrap_or(0))
}

/// Everything that the tenant's credentials are verified against. Has to be called within a
/// snapshot.
pub(crate) async fn trust<S: Session>(session: &mut S, tenant: &str) -> Result<Trust, StoreError> {
    Ok(Trust {
        tenant: tenants::one(session, tenant).await?,
        embed_keys: keys::embed_keys(session, tenant).await?,
        revoked_tokens: session
            .query_map(
                "SELECT jti FROM revoked_token WHERE tenant = $1 ORDER BY jti",
                values![tenant],
                |row| row.get_text(0).map(str::to_owned),
            )
            .await?,
        revoked_api_keys: session
            .query_map(
                "SELECT id FROM api_key WHERE tenant = $1 AND revoked_at IS NOT NULL
                 ORDER BY revoked_at DESC, id LIMIT $2",
                values![tenant, REVOKED_API_KEYS],
                |row| row.get_text(0).map(str::to_owned),
            )
            .await?,
        erased_people: retention::erased_people(session, tenant).await?,
    })
}

/// Whether a token was revoked.
pub(crate) async fn is_revoked<S: Session>(
    session: &mut S,
    tenant: &str,
    jti: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT jti FROM revoked_token WHERE tenant = $1 AND jti = $2";
    Ok(!session.query(sql, values![tenant, jti]).await?.is_empty())
}

/// Makes the change; increases the version if anything was written. Has to be called in a
/// transaction.
pub(crate) async fn change<S: Session>(
    session: &mut S,
    change: &DirectoryChange,
) -> Result<DirectoryOutcome, StoreError> {
    use DirectoryOutcome::{Done, LastAdministrator, Missing, Taken};
    let done_or = |written: u64, otherwise| if written == 0 { otherwise } else { Done };
    let outcome = match change {
        DirectoryChange::PutTenant(tenant) => {
            tenants::put(session, tenant).await?;
            Done
        }
        DirectoryChange::EndEverything { tenant, at } => {
            tenants::end_everything(session, tenant, *at).await?;
            Done
        }
        DirectoryChange::PutEmbedKey(key) => {
            done_or(keys::put_embed_key(session, key).await?, Taken)
        }
        DirectoryChange::RevokeEmbedKey { tenant, kid, at } => {
            let is_revoked = keys::revoke_embed_key(session, tenant, kid, *at).await?;
            done_or(is_revoked, Missing)
        }
        DirectoryChange::AddApiKey(key) => done_or(keys::add_api_key(session, key).await?, Taken),
        DirectoryChange::RevokeApiKey { tenant, id, at } => {
            let is_revoked = keys::revoke_api_key(session, tenant, id, *at).await?;
            done_or(is_revoked, Missing)
        }
        DirectoryChange::PutUserButLastAdministrator(user)
        | DirectoryChange::ChangeUserButLastAdministrator(user)
            if !is_administrator(user)
                && people::is_last_administrator(
                    session,
                    &user.tenant,
                    &user.issuer,
                    &user.subject,
                )
                .await? =>
        {
            LastAdministrator
        }
        DirectoryChange::ChangeUserButLastAdministrator(user)
            if people::one(session, &user.tenant, &user.issuer, &user.subject)
                .await?
                .is_none() =>
        {
            Missing
        }
        DirectoryChange::DeleteUserButLastAdministrator {
            tenant,
            issuer,
            subject,
            at,
        } => {
            if people::is_last_administrator(session, tenant, issuer, subject).await? {
                LastAdministrator
            } else {
                let deleted = people::delete(session, tenant, issuer, subject, *at).await?;
                done_or(deleted, Missing)
            }
        }
        DirectoryChange::BeginErasure(person) => {
            let (of, issuer, subject) = (&person.tenant, &person.issuer, &person.subject);
            if people::is_last_administrator(session, of, issuer, subject).await? {
                LastAdministrator
            } else {
                people::delete(session, of, issuer, subject, person.erased_at).await?;
                retention::note_erasure(session, person).await?;
                Done
            }
        }
        DirectoryChange::EndSessions {
            tenant,
            issuer,
            subject,
            at,
        } => {
            let ended = people::end_sessions(session, tenant, issuer, subject, *at).await?;
            done_or(ended, Missing)
        }
        DirectoryChange::PutUser(user)
        | DirectoryChange::PutUserButLastAdministrator(user)
        | DirectoryChange::ChangeUserButLastAdministrator(user) => {
            tenants::know_tenant(session, &user.tenant, user.created_at).await?;
            people::put(session, user).await?;
            Done
        }
        DirectoryChange::RevokeToken {
            tenant,
            jti,
            at,
            until,
        } => {
            tenants::know_tenant(session, tenant, *at).await?;
            let sql = "INSERT INTO revoked_token (tenant, jti, until) VALUES ($1, $2, $3)
                 ON CONFLICT (tenant, jti) DO UPDATE SET until = excluded.until
                 WHERE revoked_token.until < excluded.until";
            session.execute(sql, values![tenant, jti, *until]).await?;
            Done
        }
    };
    if outcome == Done {
        session
            .execute("UPDATE directory SET version = version + 1", values![])
            .await?;
    }
    Ok(outcome)
}

/// Removes what has expired and is no longer needed. Has to be called in a transaction.
pub(crate) async fn purge<S: Session>(session: &mut S, now: Timestamp) -> Result<(), StoreError> {
    let before = |millis: i64| Timestamp::from_millis(now.as_millis() - millis);
    for (sql, until) in [
        (
            "DELETE FROM session WHERE tenant IN (SELECT id FROM tenant) AND expires_at <= $1",
            now,
        ),
        ("DELETE FROM pending_sign_in WHERE expires_at <= $1", now),
        ("DELETE FROM pending_passkey WHERE expires_at <= $1", now),
        ("DELETE FROM revoked_token WHERE until <= $1", now),
        ("DELETE FROM embed_key WHERE own AND expires_at <= $1", now),
        (
            "DELETE FROM admin_link WHERE expires_at <= $1",
            before(LINK_REMEMBERED),
        ),
        (
            "DELETE FROM deleted_person WHERE deleted_at <= $1",
            before(DELETION_REMEMBERED),
        ),
        (
            "DELETE FROM erased_person WHERE erased_at <= $1",
            before(ERASURE_REMEMBERED),
        ),
    ] {
        session.execute(sql, values![until]).await?;
    }
    Ok(())
}
