//! How long tenants keep names, and who was erased lately.

use checklist_shared::time::Timestamp;
use checklist_shared::wire::erasure::Retention;

use super::{Session, json, values};
use crate::directory::ErasedPerson;
use crate::erasure::RetentionRecord;
use crate::store::StoreError;

/// What the tenant has decided; `None` if it has decided nothing.
pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Option<RetentionRecord>, StoreError> {
    let sql = "SELECT personal_days, texts, erased_to, erased_at FROM retention WHERE tenant = $1";
    session
        .query_opt(sql, values![tenant], |row| {
            Ok(RetentionRecord {
                personal_days: row.get_u32_option(0)?,
                texts: row.get_json(1)?,
                erased_to: row.get_u64(2)?,
                erased_at: row.get_time_option(3)?,
            })
        })
        .await
}

/// Writes the decision. How far names were erased stays, unless more is to be erased than before:
/// then the trail is looked at from its beginning.
pub(crate) async fn put<S: Session>(
    session: &mut S,
    tenant: &str,
    retention: &Retention,
) -> Result<(), StoreError> {
    let texts = json(&retention.texts)?;
    let sql = "INSERT INTO retention (tenant, personal_days, texts) VALUES ($1, $2, $3)
         ON CONFLICT (tenant) DO UPDATE SET personal_days = excluded.personal_days,
             texts = excluded.texts, erased_at = NULL,
             erased_to = CASE WHEN retention.texts = excluded.texts
                              THEN retention.erased_to ELSE 0 END";
    let parameters = values![tenant, retention.personal_days, &texts];
    session.execute(sql, parameters).await?;
    Ok(())
}

/// Notes how far names were erased.
pub(crate) async fn note_run<S: Session>(
    session: &mut S,
    tenant: &str,
    erased_to: u64,
    at: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE retention SET erased_to = $2, erased_at = $3 WHERE tenant = $1";
    session.execute(sql, values![tenant, erased_to, at]).await?;
    Ok(())
}

/// Notes that a person is being erased.
pub(crate) async fn note_erasure<S: Session>(
    session: &mut S,
    person: &ErasedPerson,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO erased_person (tenant, issuer, subject, erased_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant, issuer, subject) DO UPDATE SET erased_at = excluded.erased_at";
    let parameters = values![
        &person.tenant,
        &person.issuer,
        &person.subject,
        person.erased_at
    ];
    session.execute(sql, parameters).await?;
    Ok(())
}

/// Who was erased lately.
pub(crate) async fn erased_people<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<ErasedPerson>, StoreError> {
    let sql = "SELECT issuer, subject, erased_at FROM erased_person WHERE tenant = $1
         ORDER BY issuer, subject";
    session
        .query_map(sql, values![tenant], |row| {
            Ok(ErasedPerson {
                tenant: tenant.to_owned(),
                issuer: row.get_text(0)?.to_owned(),
                subject: row.get_text(1)?.to_owned(),
                erased_at: row.get_time(2)?,
            })
        })
        .await
}
