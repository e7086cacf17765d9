//! The rows of people.

use checklist_shared::time::Timestamp;

use super::{Row, Session, json, values};
use crate::directory::{UserRecord, is_administrator};
use crate::keyset::Keyset;
use crate::sort_name::sort_name;
use crate::store::StoreError;

/// The columns of a person; `p` is the alias of the table.
macro_rules! person {
    () => {
        "p.tenant, p.issuer, p.subject, p.name, p.roles, p.disabled, p.created_at, p.epoch,
         p.signed_in_at"
    };
}
pub(super) use person;

/// Selects people.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", person!(), " FROM person p ", $rest)
    };
}

/// A page of a tenant's people.
pub(crate) const PAGE: &str = select!(
    "WHERE p.tenant = $1 AND (p.sort_name, p.issuer, p.subject) > ($2, $3, $4)
     ORDER BY p.sort_name, p.issuer, p.subject LIMIT $5"
);

/// People without a sort key; every start looks for them.
pub(crate) const WITHOUT_SORT_NAME: &str =
    select!("WHERE p.tenant IN (SELECT id FROM tenant) AND p.sort_name IS NULL LIMIT $1");

/// How many sort keys are computed at once.
const FILLED_AT_ONCE: u32 = 500;

/// The person in a row that begins with these columns.
pub(super) fn person_of(row: &Row) -> Result<UserRecord, StoreError> {
    Ok(UserRecord {
        tenant: row.get_text(0)?.to_owned(),
        issuer: row.get_text(1)?.to_owned(),
        subject: row.get_text(2)?.to_owned(),
        name: row.get_text(3)?.to_owned(),
        roles: row.get_json(4)?,
        disabled: row.get_bool(5)?,
        created_at: row.get_time(6)?,
        epoch: row.get_time(7)?,
        signed_in_at: row.get_time_option(8)?,
    })
}

pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    page: &Keyset<(String, String, String)>,
) -> Result<Vec<UserRecord>, StoreError> {
    let (name, issuer, subject) = &page.after;
    session
        .query_map(
            PAGE,
            values![tenant, name, issuer, subject, page.limit],
            person_of,
        )
        .await
}

/// Computes the sort keys of people whom a migration has left without one.
pub(crate) async fn fill_sort_names<S: Session>(session: &mut S) -> Result<(), StoreError> {
    loop {
        let people = session
            .query_map(WITHOUT_SORT_NAME, values![FILLED_AT_ONCE], person_of)
            .await?;
        if people.is_empty() {
            return Ok(());
        }
        let keys: Vec<String> = people.iter().map(|user| sort_name(&user.name)).collect();
        let rows: Vec<_> = people
            .iter()
            .zip(&keys)
            .map(|(user, key)| values![&user.tenant, &user.issuer, &user.subject, key])
            .collect();
        let sql = "UPDATE person SET sort_name = $4
             WHERE tenant = $1 AND issuer = $2 AND subject = $3";
        session.execute_each(sql, &rows).await?;
    }
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<Option<UserRecord>, StoreError> {
    session
        .query_opt(
            select!("WHERE p.tenant = $1 AND p.issuer = $2 AND p.subject = $3"),
            values![tenant, issuer, subject],
            person_of,
        )
        .await
}

/// The registrations of a person, oldest first.
pub(crate) async fn registrations<S: Session>(
    session: &mut S,
    issuer: &str,
    subject: &str,
) -> Result<Vec<UserRecord>, StoreError> {
    session
        .query_map(
            select!("WHERE p.issuer = $1 AND p.subject = $2 ORDER BY p.created_at, p.tenant"),
            values![issuer, subject],
            person_of,
        )
        .await
}

pub(super) async fn put<S: Session>(session: &mut S, user: &UserRecord) -> Result<(), StoreError> {
    let roles = json(&user.roles)?;
    let sort_name = sort_name(&user.name);
    let parameters = values![
        &user.tenant,
        &user.issuer,
        &user.subject,
        &user.name,
        &roles,
        user.disabled,
        user.created_at,
        user.epoch,
        &sort_name,
    ];
    session
        .execute(
            "INSERT INTO person (tenant, issuer, subject, name, sort_name, roles, disabled, created_at, epoch)
             VALUES ($1, $2, $3, $4, $9, $5, $6, $7, COALESCE((SELECT deleted_at FROM deleted_person
                     WHERE tenant = $1 AND issuer = $2 AND subject = $3), 0))
             ON CONFLICT (tenant, issuer, subject) DO UPDATE
             SET name = excluded.name, sort_name = excluded.sort_name, roles = excluded.roles,
                 disabled = excluded.disabled,
                 epoch = CASE WHEN person.disabled <> excluded.disabled AND person.epoch < $8
                              THEN $8 ELSE person.epoch END",
            parameters,
        )
        .await?;
    if !is_administrator(user) {
        delete_links(session, &user.tenant, &user.issuer, &user.subject).await?;
    }
    Ok(())
}

/// Deletes a person with their sessions, passkeys and links for others, and notes when. Returns the number of people who were deleted.
pub(super) async fn delete<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
    at: Timestamp,
) -> Result<u64, StoreError> {
    delete_sessions(session, tenant, issuer, subject).await?;
    delete_links(session, tenant, issuer, subject).await?;
    let sql = "DELETE FROM passkey WHERE tenant = $1 AND issuer = $2 AND subject = $3";
    session
        .execute(sql, values![tenant, issuer, subject])
        .await?;
    let sql = "INSERT INTO deleted_person (tenant, issuer, subject, deleted_at)
         SELECT tenant, issuer, subject, $4 FROM person
         WHERE tenant = $1 AND issuer = $2 AND subject = $3
         ON CONFLICT (tenant, issuer, subject) DO UPDATE SET deleted_at = excluded.deleted_at";
    let parameters = values![tenant, issuer, subject, at];
    session.execute(sql, parameters).await?;
    let sql = "DELETE FROM person WHERE tenant = $1 AND issuer = $2 AND subject = $3";
    session.execute(sql, values![tenant, issuer, subject]).await
}

/// Ends what the person was given before `at`. Returns the number of people whom it concerns.
pub(super) async fn end_sessions<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
    at: Timestamp,
) -> Result<u64, StoreError> {
    delete_sessions(session, tenant, issuer, subject).await?;
    delete_links(session, tenant, issuer, subject).await?;
    let sql = "UPDATE person SET epoch = CASE WHEN epoch < $4 THEN $4 ELSE epoch END
         WHERE tenant = $1 AND issuer = $2 AND subject = $3";
    let parameters = values![tenant, issuer, subject, at];
    session.execute(sql, parameters).await
}

/// The few sessions of a tenant have no index by person.
async fn delete_sessions<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM session WHERE tenant = $1 AND issuer = $2 AND subject = $3";
    session
        .execute(sql, values![tenant, issuer, subject])
        .await?;
    Ok(())
}

/// Ends the one-time links that the person has made for other administrators.
async fn delete_links<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM admin_link
         WHERE tenant = $1 AND made_by_issuer = $2 AND made_by_subject = $3";
    session
        .execute(sql, values![tenant, issuer, subject])
        .await?;
    Ok(())
}

/// Stores when a person last signed in.
pub(super) async fn signed_in<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE person SET signed_in_at = $4
         WHERE tenant = $1 AND issuer = $2 AND subject = $3";
    session
        .execute(sql, values![tenant, issuer, subject, at])
        .await?;
    Ok(())
}

/// Whether the person is the only administrator of the tenant. Concurrent calls are serialized: the
/// second waits for the first to commit.
pub(super) async fn is_last_administrator<S: Session>(
    session: &mut S,
    tenant: &str,
    issuer: &str,
    subject: &str,
) -> Result<bool, StoreError> {
    session
        .lock(
            "SELECT 1 FROM tenant WHERE id = $1 FOR UPDATE",
            values![tenant],
        )
        .await?;
    // Most people are no administrators, and nobody has to be counted for them.
    let present = one(session, tenant, issuer, subject).await?;
    if !present.as_ref().is_some_and(is_administrator) {
        return Ok(false);
    }
    let everybody = page(session, tenant, &Keyset::whole()).await?;
    let is_same = |one: &UserRecord| one.issuer == issuer && one.subject == subject;
    let (same, others): (Vec<_>, Vec<_>) = everybody
        .iter()
        .filter(|one| is_administrator(one))
        .partition(|one| is_same(one));
    Ok(!same.is_empty() && others.is_empty())
}
