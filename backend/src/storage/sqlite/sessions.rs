//! Sessions and sign-ins on their way: their rows.
//!
//! A session is read with the person as they are registered now, so that a disabled person or a
//! lost role ends at once.

use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::{get_time, get_time_option};
use super::directory::{USER, user_of};
use crate::storage::directory::{
    AdminLinkRecord, PendingSignIn, SecretHash, SessionRecord, UserRecord,
};

pub(super) fn begin(connection: &Connection, session: &SessionRecord) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO session (secret, tenant, issuer, subject, created_at, expires_at, used_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            session.secret,
            session.tenant,
            session.issuer,
            session.subject,
            session.created_at.as_millis(),
            session.expires_at.as_millis(),
            session.used_at.as_millis()
        ])
}

pub(super) fn find(
    connection: &Connection,
    secret: &SecretHash,
) -> Result<Option<(SessionRecord, UserRecord)>> {
    connection
        .prepare_cached(&format!(
            "SELECT {USER}, s.created_at, s.expires_at, s.used_at FROM session s
             JOIN person u ON u.tenant = s.tenant AND u.issuer = s.issuer AND u.subject = s.subject
             WHERE s.secret = ?1"
        ))?
        .query_row([secret], |row| {
            let user = user_of(row, 0)?;
            let session = SessionRecord {
                secret: *secret,
                tenant: user.tenant.clone(),
                issuer: user.issuer.clone(),
                subject: user.subject.clone(),
                created_at: get_time(row, 8)?,
                expires_at: get_time(row, 9)?,
                used_at: get_time(row, 10)?,
            };
            Ok((session, user))
        })
        .optional()
}

pub(super) fn used(connection: &Connection, secret: &SecretHash, at: Timestamp) -> Result<usize> {
    connection
        .prepare_cached("UPDATE session SET used_at = max(used_at, ?2) WHERE secret = ?1")?
        .execute(params![secret, at.as_millis()])
}

pub(super) fn end(connection: &Connection, secret: &SecretHash) -> Result<usize> {
    connection
        .prepare_cached("DELETE FROM session WHERE secret = ?1")?
        .execute([secret])
}

pub(super) fn begin_sign_in(connection: &Connection, pending: &PendingSignIn) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO pending_sign_in (state, browser, nonce, verifier, tenant, return_to, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            pending.state,
            pending.browser,
            pending.nonce,
            pending.verifier,
            pending.tenant,
            pending.return_to,
            pending.expires_at.as_millis()
        ])
}

pub(super) fn finish_sign_in(
    connection: &Connection,
    state: &SecretHash,
) -> Result<Option<PendingSignIn>> {
    connection
        .prepare_cached(
            "DELETE FROM pending_sign_in WHERE state = ?1
             RETURNING browser, nonce, verifier, tenant, return_to, expires_at",
        )?
        .query_row([state], |row| {
            Ok(PendingSignIn {
                state: *state,
                browser: row.get(0)?,
                nonce: row.get(1)?,
                verifier: row.get(2)?,
                tenant: row.get(3)?,
                return_to: row.get(4)?,
                expires_at: get_time(row, 5)?,
            })
        })
        .optional()
}

pub(super) fn add_link(connection: &Connection, link: &AdminLinkRecord) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO admin_link (secret, tenant, subject, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            link.secret,
            link.tenant,
            link.subject,
            link.created_at.as_millis(),
            link.expires_at.as_millis()
        ])
}

pub(super) fn open_link(
    connection: &Connection,
    secret: &SecretHash,
    browser: &SecretHash,
) -> Result<Option<AdminLinkRecord>> {
    connection
        .prepare_cached(
            "UPDATE admin_link SET browser = coalesce(browser, ?2) WHERE secret = ?1
             RETURNING tenant, subject, browser, created_at, expires_at, used_at",
        )?
        .query_row(params![secret, browser], |row| {
            Ok(AdminLinkRecord {
                secret: *secret,
                tenant: row.get(0)?,
                subject: row.get(1)?,
                browser: row.get(2)?,
                created_at: get_time(row, 3)?,
                expires_at: get_time(row, 4)?,
                used_at: get_time_option(row, 5)?,
            })
        })
        .optional()
}

pub(super) fn use_link(
    connection: &Connection,
    secret: &SecretHash,
    browser: &SecretHash,
    now: Timestamp,
) -> Result<usize> {
    connection
        .prepare_cached(
            "UPDATE admin_link SET used_at = ?3
             WHERE secret = ?1 AND browser = ?2 AND used_at IS NULL AND expires_at > ?3",
        )?
        .execute(params![secret, browser, now.as_millis()])
}
