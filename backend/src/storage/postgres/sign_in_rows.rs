//! Sessions of people and sign-ins on their way: their rows.
//!
//! A session is read with the person as they are registered now, so that a disabled person or a
//! lost role ends at once.

use checklist_shared::time::Timestamp;

use super::columns::{get, get_hash, get_time, get_time_option};
use super::directory::user_of;
use super::session::Session;
use super::trouble::Trouble;
use crate::storage::directory::{
    AdminLinkRecord, PendingSignIn, SecretHash, SessionRecord, UserRecord,
};

pub(super) async fn begin(session: &mut Session, record: &SessionRecord) -> Result<(), Trouble> {
    session
        .execute(
            "INSERT INTO session (secret, tenant, issuer, subject, created_at, expires_at, used_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &record.secret.as_slice(),
                &record.tenant,
                &record.issuer,
                &record.subject,
                &record.created_at.as_millis(),
                &record.expires_at.as_millis(),
                &record.used_at.as_millis(),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn find(
    session: &mut Session,
    secret: &SecretHash,
) -> Result<Option<(SessionRecord, UserRecord)>, Trouble> {
    let rows = session
        .query(
            "SELECT p.tenant, p.issuer, p.subject, p.name, p.roles, p.disabled, p.created_at, \
                 p.epoch, s.created_at, s.expires_at, s.used_at \
             FROM session s JOIN person p \
                  ON p.tenant = s.tenant AND p.issuer = s.issuer AND p.subject = s.subject \
             WHERE s.secret = $1",
            &[&secret.as_slice()],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let user = user_of(row)?;
    let record = SessionRecord {
        secret: *secret,
        tenant: user.tenant.clone(),
        issuer: user.issuer.clone(),
        subject: user.subject.clone(),
        created_at: get_time(row, 8)?,
        expires_at: get_time(row, 9)?,
        used_at: get_time(row, 10)?,
    };
    Ok(Some((record, user)))
}

pub(super) async fn used(
    session: &mut Session,
    secret: &SecretHash,
    at: Timestamp,
) -> Result<(), Trouble> {
    session
        .execute(
            "UPDATE session SET used_at = greatest(used_at, $2) WHERE secret = $1",
            &[&secret.as_slice(), &at.as_millis()],
        )
        .await?;
    Ok(())
}

/// Whether there was one to end: another node may have been first.
pub(super) async fn end(session: &mut Session, secret: &SecretHash) -> Result<bool, Trouble> {
    let ended = session
        .execute(
            "DELETE FROM session WHERE secret = $1",
            &[&secret.as_slice()],
        )
        .await?;
    Ok(ended > 0)
}

pub(super) async fn begin_sign_in(
    session: &mut Session,
    pending: &PendingSignIn,
) -> Result<(), Trouble> {
    session
        .execute(
            "INSERT INTO pending_sign_in (state, browser, nonce, verifier, tenant, return_to, \
                 expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &pending.state.as_slice(),
                &pending.browser.as_slice(),
                &pending.nonce,
                &pending.verifier,
                &pending.tenant,
                &pending.return_to,
                &pending.expires_at.as_millis(),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn finish_sign_in(
    session: &mut Session,
    state: &SecretHash,
) -> Result<Option<PendingSignIn>, Trouble> {
    let rows = session
        .query(
            "DELETE FROM pending_sign_in WHERE state = $1 \
             RETURNING browser, nonce, verifier, tenant, return_to, expires_at",
            &[&state.as_slice()],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(PendingSignIn {
        state: *state,
        browser: get_hash(row, 0)?,
        nonce: get(row, 1)?,
        verifier: get(row, 2)?,
        tenant: get(row, 3)?,
        return_to: get(row, 4)?,
        expires_at: get_time(row, 5)?,
    }))
}

pub(super) async fn add_link(session: &mut Session, link: &AdminLinkRecord) -> Result<(), Trouble> {
    session
        .execute(
            "INSERT INTO admin_link (secret, tenant, subject, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5)",
            &[
                &link.secret.as_slice(),
                &link.tenant,
                &link.subject,
                &link.created_at.as_millis(),
                &link.expires_at.as_millis(),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn open_link(
    session: &mut Session,
    secret: &SecretHash,
    browser: &SecretHash,
) -> Result<Option<AdminLinkRecord>, Trouble> {
    let rows = session
        .query(
            "UPDATE admin_link SET browser = coalesce(browser, $2) WHERE secret = $1 \
             RETURNING tenant, subject, browser, created_at, expires_at, used_at",
            &[&secret.as_slice(), &browser.as_slice()],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(AdminLinkRecord {
        secret: *secret,
        tenant: get(row, 0)?,
        subject: get(row, 1)?,
        browser: Some(get_hash(row, 2)?),
        created_at: get_time(row, 3)?,
        expires_at: get_time(row, 4)?,
        used_at: get_time_option(row, 5)?,
    }))
}

pub(super) async fn use_link(
    session: &mut Session,
    secret: &SecretHash,
    browser: &SecretHash,
    now: Timestamp,
) -> Result<bool, Trouble> {
    let used = session
        .execute(
            "UPDATE admin_link SET used_at = $3 \
             WHERE secret = $1 AND browser = $2 AND used_at IS NULL AND expires_at > $3",
            &[&secret.as_slice(), &browser.as_slice(), &now.as_millis()],
        )
        .await?;
    Ok(used > 0)
}
