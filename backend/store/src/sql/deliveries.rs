//! The rows of deliveries and of their attempts.
//!
//! Each claim increases the fence of a delivery; a write with an older fence changes nothing.

use checklist_shared::time::Timestamp;

use super::row::json_option;
use super::webhooks;
use super::{DialectSql, Row, Session, WriteSession, values};
use crate::store::StoreError;
use crate::webhooks::{
    AttemptRecord, AttemptResult, ClaimedDelivery, DeliveryFilter, DeliveryLease, DeliveryRecord,
    DueWebhook, NewDelivery,
};

/// Ends the leases of deliveries that are not finished.
pub(crate) const END_LEASES: &str = "UPDATE webhook_delivery SET lease_until = 0
     WHERE state = 'Pending' AND lease_until > 0";

/// Claims due deliveries. PostgreSQL skips rows that another node has locked. Materialized, because
/// it may evaluate a subquery with a limit several times and so exceed the limit.
const CLAIM: DialectSql = DialectSql {
    sqlite: "UPDATE webhook_delivery SET lease_until = $5, fence = fence + 1
         WHERE tenant = $1 AND id IN (
             SELECT id FROM webhook_delivery
             WHERE tenant = $1 AND webhook = $2 AND state = 'Pending'
                 AND due_at <= $4 AND lease_until <= $4
                 AND EXISTS (SELECT 1 FROM webhook WHERE tenant = $1 AND id = $2 AND enabled)
             ORDER BY due_at LIMIT $3)
         RETURNING id, fence, body, tries",
    postgres: "WITH due AS MATERIALIZED (
             SELECT id FROM webhook_delivery
             WHERE tenant = $1 AND webhook = $2 AND state = 'Pending'
                 AND due_at <= $4 AND lease_until <= $4
                 AND EXISTS (SELECT 1 FROM webhook WHERE tenant = $1 AND id = $2 AND enabled)
             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         UPDATE webhook_delivery d SET lease_until = $5, fence = d.fence + 1
         FROM due WHERE d.tenant = $1 AND d.id = due.id
         RETURNING d.id, d.fence, d.body, d.tries",
};

/// Selects deliveries.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, webhook, event, body, state, attempts, last_status, last_failure, due_at,
                 created_at, settled_at FROM webhook_delivery ",
            $rest
        )
    };
}

/// An HTTP status or NULL.
fn status(row: &Row, column: usize) -> Result<Option<u16>, StoreError> {
    let status = row.get_i64_option(column)?;
    Ok(status.and_then(|status| u16::try_from(status).ok()))
}

fn delivery_of(row: &Row) -> Result<DeliveryRecord, StoreError> {
    Ok(DeliveryRecord {
        id: row.get_text(0)?.to_owned(),
        webhook: row.get_text(1)?.to_owned(),
        event: row.get_named(2)?,
        body: row.get_text(3)?.to_owned(),
        state: row.get_named(4)?,
        attempts: row.get_u32(5)?,
        last_status: status(row, 6)?,
        last_failure: row.get_text_option(7)?.map(str::to_owned),
        due_at: row.get_time(8)?,
        created_at: row.get_time(9)?,
        settled_at: row.get_time_option(10)?,
    })
}

pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    filter: &DeliveryFilter,
) -> Result<Vec<DeliveryRecord>, StoreError> {
    let parameters = values![
        tenant,
        filter.after.as_ref(),
        filter.webhook.as_ref(),
        filter.state.map(|state| state.name()),
        filter.event.map(|event| event.name()),
        filter.limit,
    ];
    let sql = select!(
        "WHERE tenant = $1 AND ($2::text IS NULL OR id < $2)
           AND ($3::text IS NULL OR webhook = $3) AND ($4::text IS NULL OR state = $4)
           AND ($5::text IS NULL OR event = $5) ORDER BY id DESC LIMIT $6"
    );
    session.query_map(sql, parameters, delivery_of).await
}

async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<DeliveryRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND id = $2");
    let parameters = values![tenant, id];
    session.query_opt(sql, parameters, delivery_of).await
}

/// A delivery with its attempts.
pub(crate) async fn with_attempts<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<(DeliveryRecord, Vec<AttemptRecord>)>, StoreError> {
    let Some(delivery) = one(session, tenant, id).await? else {
        return Ok(None);
    };
    let sql = "SELECT number, at, millis, status, failure, request, response FROM webhook_attempt
         WHERE tenant = $1 AND delivery = $2 ORDER BY number";
    let attempt_of = |row: &Row| {
        Ok(AttemptRecord {
            number: row.get_u32(0)?,
            at: row.get_time(1)?,
            millis: row.get_u64(2)?,
            status: status(row, 3)?,
            failure: row.get_text_option(4)?.map(str::to_owned),
            request: row.get_json_option(5)?,
            response: row.get_json_option(6)?,
        })
    };
    let attempts = session
        .query_map(sql, values![tenant, id], attempt_of)
        .await?;
    Ok(Some((delivery, attempts)))
}

/// Adds a delivery that no change has made; `false` if the webhook does not exist.
pub(crate) async fn add<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    delivery: &NewDelivery,
) -> Result<bool, StoreError> {
    if webhooks::one(session, tenant, &delivery.webhook)
        .await?
        .is_none()
    {
        return Ok(false);
    }
    let deliveries = std::slice::from_ref(delivery);
    Ok(session.insert_deliveries(tenant, deliveries).await? > 0)
}

/// Restarts a delivery and returns it.
pub(crate) async fn replay<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    now: Timestamp,
) -> Result<Option<DeliveryRecord>, StoreError> {
    let sql = "UPDATE webhook_delivery
         SET state = 'Pending', tries = 0, due_at = $3, settled_at = NULL, lease_until = 0,
             fence = fence + 1
         WHERE tenant = $1 AND id = $2";
    session.execute(sql, values![tenant, id, now]).await?;
    session.wake_sender();
    one(session, tenant, id).await
}

/// Claims the longest-waiting deliveries of a webhook that is on.
pub(crate) async fn claim<S: Session>(
    session: &mut S,
    due: &DueWebhook,
    limit: u32,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    let claimed_of = |row: &Row| {
        Ok(ClaimedDelivery {
            held: DeliveryLease {
                id: row.get_text(0)?.to_owned(),
                fence: row.get_u64(1)?,
            },
            body: row.get_text(2)?.to_owned(),
            tries: row.get_u32(3)?,
        })
    };
    let parameters = values![&due.tenant, &due.id, limit, now, until];
    session
        .query_map(CLAIM.of(S::DIALECT), parameters, claimed_of)
        .await
}

/// Writes an attempt and the new state of its delivery; `false` if the lease was lost.
pub(crate) async fn settle<S: Session>(
    session: &mut S,
    attempt: &AttemptResult,
) -> Result<bool, StoreError> {
    let again_at = attempt.again_at.filter(|_| attempt.failure.is_some());
    let ended_at = again_at.is_none().then_some(attempt.now);
    let status = attempt.status.map(u32::from);
    let parameters = values![
        &attempt.tenant,
        &attempt.held.id,
        attempt.held.fence,
        attempt.state().name(),
        status,
        attempt.failure.as_ref(),
        again_at,
        ended_at,
    ];
    let sql = "UPDATE webhook_delivery
         SET state = $4, tries = tries + 1, attempts = attempts + 1, last_status = $5,
             last_failure = $6, due_at = coalesce($7, due_at), settled_at = $8, lease_until = 0,
             fence = fence + 1
         WHERE tenant = $1 AND id = $2 AND fence = $3 RETURNING attempts";
    let number = session
        .query_opt(sql, parameters, |row| row.get_i64(0))
        .await?;
    let Some(number) = number else {
        return Ok(false);
    };
    let request = json_option(attempt.request.as_ref())?;
    let response = json_option(attempt.response.as_ref())?;
    let parameters = values![
        &attempt.tenant,
        &attempt.held.id,
        number,
        attempt.at,
        attempt.millis,
        status,
        attempt.failure.as_ref(),
        request.as_ref(),
        response.as_ref(),
    ];
    let sql = "INSERT INTO webhook_attempt
             (tenant, delivery, number, at, millis, status, failure, request, response)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    session.execute(sql, parameters).await?;
    Ok(true)
}

/// Releases claimed deliveries that were not sent.
pub(crate) async fn release<S: Session>(
    session: &mut S,
    tenant: &str,
    leases: &[DeliveryLease],
) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_delivery SET lease_until = 0, fence = fence + 1
         WHERE tenant = $1 AND id = $2 AND fence = $3";
    let parameters: Vec<_> = leases
        .iter()
        .map(|lease| values![tenant, &lease.id, lease.fence])
        .collect();
    session.execute_each(sql, &parameters).await?;
    Ok(())
}

/// Ends all leases.
pub(crate) async fn end_leases<S: Session>(session: &mut S) -> Result<(), StoreError> {
    session.execute(END_LEASES, values![]).await?;
    Ok(())
}
