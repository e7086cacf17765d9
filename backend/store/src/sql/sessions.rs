//! Sessions, pending sign-ins and one-time links: their statements.
//!
//! A session is read together with the person as they are registered now, so that disabling a
//! person or removing a role takes effect at once.

use checklist_shared::time::Timestamp;

use super::people::{self, person, person_of};
use super::{Session, values};
use crate::directory::{AdminLinkRecord, PendingSignIn, SecretHash, SessionRecord, UserRecord};
use crate::initiator::Initiator;
use crate::store::StoreError;

pub(crate) async fn begin<S: Session>(
    session: &mut S,
    record: &SessionRecord,
) -> Result<(), StoreError> {
    let parameters = values![
        &record.secret,
        &record.tenant,
        &record.issuer,
        &record.subject,
        record.created_at,
        record.expires_at,
        record.used_at,
    ];
    session
        .execute(
            "INSERT INTO session (secret, tenant, issuer, subject, created_at, expires_at, used_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            parameters,
        )
        .await?;
    let (tenant, issuer, subject) = (&record.tenant, &record.issuer, &record.subject);
    people::signed_in(session, tenant, issuer, subject, record.created_at).await
}

pub(crate) async fn find<S: Session>(
    session: &mut S,
    secret: &SecretHash,
) -> Result<Option<(SessionRecord, UserRecord)>, StoreError> {
    let rows = session
        .query(
            concat!(
                "SELECT ",
                person!(),
                ", s.created_at, s.expires_at, s.used_at
                 FROM session s JOIN person p
                      ON p.tenant = s.tenant AND p.issuer = s.issuer AND p.subject = s.subject
                 WHERE s.secret = $1"
            ),
            values![secret],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let user = person_of(row)?;
    let record = SessionRecord {
        secret: *secret,
        tenant: user.tenant.clone(),
        issuer: user.issuer.clone(),
        subject: user.subject.clone(),
        created_at: row.get_time(9)?,
        expires_at: row.get_time(10)?,
        used_at: row.get_time(11)?,
    };
    Ok(Some((record, user)))
}

pub(crate) async fn used<S: Session>(
    session: &mut S,
    secret: &SecretHash,
    at: Timestamp,
) -> Result<(), StoreError> {
    session
        .execute(
            "UPDATE session SET used_at = $2 WHERE secret = $1 AND used_at < $2",
            values![secret, at],
        )
        .await?;
    Ok(())
}

/// Returns whether there was a session to end: another node may have ended it first.
pub(crate) async fn end<S: Session>(
    session: &mut S,
    secret: &SecretHash,
) -> Result<bool, StoreError> {
    let ended = session
        .execute("DELETE FROM session WHERE secret = $1", values![secret])
        .await?;
    Ok(ended > 0)
}

pub(crate) async fn begin_sign_in<S: Session>(
    session: &mut S,
    pending: &PendingSignIn,
) -> Result<(), StoreError> {
    let parameters = values![
        &pending.state,
        &pending.browser,
        &pending.nonce,
        &pending.verifier,
        pending.tenant.as_ref(),
        &pending.return_to,
        pending.expires_at,
    ];
    session
        .execute(
            "INSERT INTO pending_sign_in
                 (state, browser, nonce, verifier, tenant, return_to, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            parameters,
        )
        .await?;
    Ok(())
}

pub(crate) async fn finish_sign_in<S: Session>(
    session: &mut S,
    state: &SecretHash,
) -> Result<Option<PendingSignIn>, StoreError> {
    let rows = session
        .query(
            "DELETE FROM pending_sign_in WHERE state = $1
             RETURNING browser, nonce, verifier, tenant, return_to, expires_at",
            values![state],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(PendingSignIn {
        state: *state,
        browser: row.get_hash(0)?,
        nonce: row.get_text(1)?.to_owned(),
        verifier: row.get_text(2)?.to_owned(),
        tenant: row.get_text_option(3)?.map(str::to_owned),
        return_to: row.get_text(4)?.to_owned(),
        expires_at: row.get_time(5)?,
    }))
}

pub(crate) async fn add_link<S: Session>(
    session: &mut S,
    link: &AdminLinkRecord,
) -> Result<(), StoreError> {
    let (issuer, subject, key) = match &link.made_by {
        Initiator::Operator => (None, None, None),
        Initiator::ApiKey(key) => (None, None, Some(key)),
        Initiator::Person { issuer, subject } => (issuer.as_ref(), Some(subject), None),
    };
    let parameters = values![
        &link.secret,
        &link.tenant,
        link.subject.as_ref(),
        link.created_at,
        link.expires_at,
        issuer,
        subject,
        key,
    ];
    session
        .execute(
            "INSERT INTO admin_link (secret, tenant, subject, created_at, expires_at,
                 made_by_issuer, made_by_subject, made_by_api_key)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            parameters,
        )
        .await?;
    Ok(())
}

pub(crate) async fn open_link<S: Session>(
    session: &mut S,
    secret: &SecretHash,
    browser: &SecretHash,
) -> Result<Option<AdminLinkRecord>, StoreError> {
    let rows = session
        .query(
            "UPDATE admin_link SET browser = coalesce(browser, $2) WHERE secret = $1
             RETURNING tenant, subject, browser, created_at, expires_at, used_at,
                 made_by_issuer, made_by_subject, made_by_api_key",
            values![secret, browser],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let made_by = match (row.get_text_option(7)?, row.get_hash_option(8)?) {
        (Some(subject), _) => Initiator::Person {
            issuer: row.get_text_option(6)?.map(str::to_owned),
            subject: subject.to_owned(),
        },
        (None, Some(key)) => Initiator::ApiKey(key),
        (None, None) => Initiator::Operator,
    };
    Ok(Some(AdminLinkRecord {
        secret: *secret,
        tenant: row.get_text(0)?.to_owned(),
        subject: row.get_text_option(1)?.map(str::to_owned),
        browser: Some(row.get_hash(2)?),
        made_by,
        created_at: row.get_time(3)?,
        expires_at: row.get_time(4)?,
        used_at: row.get_time_option(5)?,
    }))
}

pub(crate) async fn use_link<S: Session>(
    session: &mut S,
    secret: &SecretHash,
    browser: &SecretHash,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let used = session
        .execute(
            "UPDATE admin_link SET used_at = $3
             WHERE secret = $1 AND browser = $2 AND used_at IS NULL AND expires_at > $3",
            values![secret, browser, now],
        )
        .await?;
    if used == 0 {
        return Ok(false);
    }
    // What the operator's commands print may be in a log: whoever finds it there does not become a second
    // administrator by it.
    session
        .execute(
            "UPDATE admin_link SET used_at = $2
             WHERE used_at IS NULL AND subject IS NULL
               AND made_by_subject IS NULL AND made_by_api_key IS NULL AND tenant IN
                 (SELECT tenant FROM admin_link WHERE secret = $1 AND subject IS NULL)",
            values![secret, now],
        )
        .await?;
    Ok(true)
}
