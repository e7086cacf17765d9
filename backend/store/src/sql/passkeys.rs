//! Passkeys and the challenges of their ceremonies: their statements.
//!
//! A passkey is found by its id alone, because a browser that signs in names no tenant, and is read
//! together with the person as they are registered now.

use checklist_shared::time::Timestamp;

use super::people::{person, person_of};
use super::{Row, Session, values};
use crate::directory::{PasskeyRecord, PendingPasskey, SecretHash, UserRecord};
use crate::store::StoreError;

/// The columns of a passkey.
macro_rules! passkey {
    () => {
        "k.tenant, k.id, k.issuer, k.subject, k.name, k.public_key, k.state, k.created_at, k.used_at"
    };
}

fn passkey_of(row: &Row, first: usize) -> Result<PasskeyRecord, StoreError> {
    let text = |column: usize| row.get_text(first + column).map(str::to_owned);
    Ok(PasskeyRecord {
        tenant: text(0)?,
        id: text(1)?,
        issuer: text(2)?,
        subject: text(3)?,
        name: text(4)?,
        public_key: text(5)?,
        state: text(6)?,
        created_at: row.get_time(first + 7)?,
        used_at: row.get_time_option(first + 8)?,
    })
}

/// A person's passkeys, oldest first.
pub(crate) async fn of_person<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<Vec<PasskeyRecord>, StoreError> {
    session
        .query_map(
            concat!(
                "SELECT ",
                passkey!(),
                " FROM passkey k WHERE k.tenant = $1 AND k.issuer = $2 AND k.subject = $3
                 ORDER BY k.created_at, k.id"
            ),
            values![tenant, issuer, subject],
            |row| passkey_of(row, 0),
        )
        .await
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<PasskeyRecord>, StoreError> {
    session
        .query_opt(
            concat!(
                "SELECT ",
                passkey!(),
                " FROM passkey k WHERE k.tenant = $1 AND k.id = $2"
            ),
            values![tenant, id],
            |row| passkey_of(row, 0),
        )
        .await
}

/// The passkey of that id, of any tenant, with its person.
pub(crate) async fn find<S: Session>(
    session: &mut S,
    id: &str,
) -> Result<Option<(PasskeyRecord, UserRecord)>, StoreError> {
    session
        .query_opt(
            concat!(
                "SELECT ",
                person!(),
                ", ",
                passkey!(),
                " FROM passkey k JOIN person p
                      ON p.tenant = k.tenant AND p.issuer = k.issuer AND p.subject = k.subject
                 WHERE k.id = $1"
            ),
            values![id],
            |row| Ok((passkey_of(row, 9)?, person_of(row)?)),
        )
        .await
}

/// Whether any tenant has a passkey.
pub(crate) async fn is_any<S: Session>(session: &mut S) -> Result<bool, StoreError> {
    let rows = session
        .query("SELECT id FROM passkey LIMIT 1", values![])
        .await?;
    Ok(!rows.is_empty())
}

/// Adds a passkey. Returns `false` if there is one of that id.
pub(crate) async fn add<S: Session>(
    session: &mut S,
    passkey: &PasskeyRecord,
) -> Result<bool, StoreError> {
    let parameters = values![
        &passkey.tenant,
        &passkey.id,
        &passkey.issuer,
        &passkey.subject,
        &passkey.name,
        &passkey.public_key,
        &passkey.state,
        passkey.created_at,
        passkey.used_at,
    ];
    let added = session
        .execute(
            "INSERT INTO passkey
                 (tenant, id, issuer, subject, name, public_key, state, created_at, used_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT DO NOTHING",
            parameters,
        )
        .await?;
    Ok(added > 0)
}

pub(crate) async fn rename<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    name: &str,
) -> Result<bool, StoreError> {
    let renamed = session
        .execute(
            "UPDATE passkey SET name = $3 WHERE tenant = $1 AND id = $2",
            values![tenant, id, name],
        )
        .await?;
    Ok(renamed > 0)
}

pub(crate) async fn remove<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<bool, StoreError> {
    let removed = session
        .execute(
            "DELETE FROM passkey WHERE tenant = $1 AND id = $2",
            values![tenant, id],
        )
        .await?;
    Ok(removed > 0)
}

/// Writes the state after a sign-in. Returns `false` if it is no longer the one that was checked:
/// two sign-ins with one passkey at the same time cannot both count on the same counter.
pub(crate) async fn used<S: Session>(
    session: &mut S,
    before: &PasskeyRecord,
    state: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let used = session
        .execute(
            "UPDATE passkey SET state = $4, used_at = $5
             WHERE tenant = $1 AND id = $2 AND state = $3",
            values![&before.tenant, &before.id, &before.state, state, at],
        )
        .await?;
    Ok(used > 0)
}

pub(crate) async fn begin<S: Session>(
    session: &mut S,
    pending: &PendingPasskey,
) -> Result<(), StoreError> {
    let parameters = values![
        &pending.challenge,
        pending.session.as_ref(),
        &pending.state,
        pending.expires_at,
    ];
    session
        .execute(
            "INSERT INTO pending_passkey (challenge, session, state, expires_at)
             VALUES ($1, $2, $3, $4)",
            parameters,
        )
        .await?;
    Ok(())
}

/// Removes a challenge and returns it, so that it is answered once.
pub(crate) async fn finish<S: Session>(
    session: &mut S,
    challenge: &SecretHash,
) -> Result<Option<PendingPasskey>, StoreError> {
    let rows = session
        .query(
            "DELETE FROM pending_passkey WHERE challenge = $1
             RETURNING session, state, expires_at",
            values![challenge],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let of_session = match row.get_bytes_option(0)? {
        Some(_) => Some(row.get_hash(0)?),
        None => None,
    };
    Ok(Some(PendingPasskey {
        challenge: *challenge,
        session: of_session,
        state: row.get_text(1)?.to_owned(),
        expires_at: row.get_time(2)?,
    }))
}
