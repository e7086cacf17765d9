//! The rows of webhooks, their deliveries and attempts.

use checklist_shared::time::Timestamp;
use tokio_postgres::Row;

use super::columns::{
    get, get_json, get_named, get_time, get_time_option, get_u32, get_u64, int, json, time,
};
use super::error::PostgresError;
use super::session::Session;
use crate::connections::SealedSecret;
use crate::outbox::Listener;
use crate::webhooks::{
    AttemptRecord, AttemptResult, DeliveryFilter, DeliveryRecord, NewDelivery, WebhookRecord,
};

/// The columns of a webhook, in the order in which [`webhook_of`] reads them.
macro_rules! webhook {
    ($rest:literal) => {
        concat!(
            "SELECT tenant, id, name, url, origin, events, enabled, off_because, failing_since, \
                 key_id, sealed, created_by, revision, created_at, updated_at FROM webhook ",
            $rest
        )
    };
}

/// The columns of a delivery, in the order in which [`delivery_of`] reads them.
macro_rules! delivery {
    ($rest:literal) => {
        concat!(
            "SELECT id, webhook, event, body, state, attempts, last_status, last_failure, due_at, \
                 created_at, settled_at FROM webhook_delivery ",
            $rest
        )
    };
}

/// The tenant's webhooks that are on.
pub(super) const LISTENERS: &str = "SELECT id, events FROM webhook WHERE tenant = $1 AND enabled";

/// Inserts deliveries, given as arrays. Skips those to webhooks that were deleted meanwhile.
pub(super) const INSERT_DELIVERIES: &str = "INSERT INTO webhook_delivery \
         (tenant, id, webhook, event, body, due_at, created_at) \
     SELECT w.tenant, new.id, w.id, new.event, new.body, new.at, new.at \
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) \
         AS new (id, webhook, event, body, at) \
     JOIN webhook w ON w.tenant = $1 AND w.id = new.webhook \
     FOR KEY SHARE OF w";

/// The listeners in a result of [`LISTENERS`].
pub(super) fn listeners(rows: &[Row]) -> Result<Vec<Listener>, PostgresError> {
    rows.iter()
        .map(|row| {
            Ok(Listener {
                webhook: get(row, 0)?,
                events: get_json(row, 1)?,
            })
        })
        .collect()
}

fn webhook_of(row: &Row) -> Result<WebhookRecord, PostgresError> {
    Ok(WebhookRecord {
        tenant: get(row, 0)?,
        id: get(row, 1)?,
        name: get(row, 2)?,
        url: get(row, 3)?,
        origin: get(row, 4)?,
        events: get_json(row, 5)?,
        enabled: get(row, 6)?,
        off_because: get(row, 7)?,
        failing_since: get_time_option(row, 8)?,
        sealed: SealedSecret {
            key_id: get(row, 9)?,
            bytes: get(row, 10)?,
        },
        created_by: get(row, 11)?,
        revision: get_u64(row, 12)?,
        created_at: get_time(row, 13)?,
        updated_at: get_time(row, 14)?,
    })
}

fn status(row: &Row, column: usize) -> Result<Option<u16>, PostgresError> {
    let status: Option<i64> = get(row, column)?;
    Ok(status.and_then(|status| u16::try_from(status).ok()))
}

fn delivery_of(row: &Row) -> Result<DeliveryRecord, PostgresError> {
    Ok(DeliveryRecord {
        id: get(row, 0)?,
        webhook: get(row, 1)?,
        event: get_named(row, 2)?,
        body: get(row, 3)?,
        state: get_named(row, 4)?,
        attempts: get_u32(row, 5)?,
        last_status: status(row, 6)?,
        last_failure: get(row, 7)?,
        due_at: get_time(row, 8)?,
        created_at: get_time(row, 9)?,
        settled_at: get_time_option(row, 10)?,
    })
}

pub(super) async fn all(
    session: &mut Session,
    tenant: &str,
) -> Result<Vec<WebhookRecord>, PostgresError> {
    let rows = session
        .query(
            webhook!("WHERE tenant = $1 ORDER BY lower(name), id"),
            &[&tenant],
        )
        .await?;
    rows.iter().map(webhook_of).collect()
}

pub(super) async fn one(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<WebhookRecord>, PostgresError> {
    let rows = session
        .query(webhook!("WHERE tenant = $1 AND id = $2"), &[&tenant, &id])
        .await?;
    rows.first().map(webhook_of).transpose()
}

/// Inserts a webhook, unless the tenant has `most` already. The transaction has to hold the lock on
/// the tenant's epoch, so that concurrent inserts are counted.
pub(super) async fn insert(
    session: &mut Session,
    record: &WebhookRecord,
    most: u32,
) -> Result<bool, PostgresError> {
    let kept = session
        .execute(
            "INSERT INTO webhook (tenant, id, name, url, origin, events, enabled, off_because, \
                 failing_since, key_id, sealed, created_by, revision, created_at, updated_at) \
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 \
             WHERE (SELECT count(*) FROM webhook WHERE tenant = $1) < $16",
            &[
                &record.tenant,
                &record.id,
                &record.name,
                &record.url,
                &record.origin,
                &json(&record.events)?,
                &record.enabled,
                &record.off_because,
                &time(record.failing_since),
                &record.sealed.key_id,
                &record.sealed.bytes,
                &record.created_by,
                &int(record.revision),
                &record.created_at.as_millis(),
                &record.updated_at.as_millis(),
                &i64::from(most),
            ],
        )
        .await?;
    Ok(kept > 0)
}

/// Updates a webhook; `false` if its revision is not the one before the record's.
pub(super) async fn update(
    session: &mut Session,
    record: &WebhookRecord,
) -> Result<bool, PostgresError> {
    let written = session
        .execute(
            "UPDATE webhook SET name = $4, url = $5, origin = $6, events = $7, enabled = $8, \
                 off_because = $9, failing_since = $10, key_id = $11, sealed = $12, \
                 updated_at = $13, revision = $3 + 1 \
             WHERE tenant = $1 AND id = $2 AND revision = $3",
            &[
                &record.tenant,
                &record.id,
                &int(record.revision.saturating_sub(1)),
                &record.name,
                &record.url,
                &record.origin,
                &json(&record.events)?,
                &record.enabled,
                &record.off_because,
                &time(record.failing_since),
                &record.sealed.key_id,
                &record.sealed.bytes,
                &record.updated_at.as_millis(),
            ],
        )
        .await?;
    Ok(written > 0)
}

/// Inserts deliveries, in the transaction of the change. Returns how many.
pub(super) async fn insert_deliveries(
    session: &mut Session,
    tenant: &str,
    deliveries: &[NewDelivery],
) -> Result<u64, PostgresError> {
    let ids: Vec<&str> = deliveries.iter().map(|new| new.id.as_str()).collect();
    let webhooks: Vec<&str> = deliveries.iter().map(|new| new.webhook.as_str()).collect();
    let events: Vec<&str> = deliveries.iter().map(|new| new.event.name()).collect();
    let bodies: Vec<&str> = deliveries.iter().map(|new| new.body.as_str()).collect();
    let times: Vec<i64> = deliveries.iter().map(|new| new.at.as_millis()).collect();
    session
        .execute(
            INSERT_DELIVERIES,
            &[&tenant, &ids, &webhooks, &events, &bodies, &times],
        )
        .await
}

pub(super) async fn page(
    session: &mut Session,
    tenant: &str,
    filter: &DeliveryFilter,
) -> Result<Vec<DeliveryRecord>, PostgresError> {
    let rows = session
        .query(
            delivery!(
                "WHERE tenant = $1 AND ($2::text IS NULL OR id < $2) \
                     AND ($3::text IS NULL OR webhook = $3) AND ($4::text IS NULL OR state = $4) \
                     AND ($5::text IS NULL OR event = $5) ORDER BY id DESC LIMIT $6"
            ),
            &[
                &tenant,
                &filter.after,
                &filter.webhook,
                &filter.state.map(|state| state.name()),
                &filter.event.map(|event| event.name()),
                &i64::from(filter.limit),
            ],
        )
        .await?;
    rows.iter().map(delivery_of).collect()
}

pub(super) async fn delivery(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<DeliveryRecord>, PostgresError> {
    let rows = session
        .query(delivery!("WHERE tenant = $1 AND id = $2"), &[&tenant, &id])
        .await?;
    rows.first().map(delivery_of).transpose()
}

pub(super) async fn attempts(
    session: &mut Session,
    tenant: &str,
    delivery: &str,
) -> Result<Vec<AttemptRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT number, at, millis, status, failure FROM webhook_attempt \
             WHERE tenant = $1 AND delivery = $2 ORDER BY number",
            &[&tenant, &delivery],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(AttemptRecord {
                number: get_u32(row, 0)?,
                at: get_time(row, 1)?,
                millis: get_u64(row, 2)?,
                status: status(row, 3)?,
                failure: get(row, 4)?,
            })
        })
        .collect()
}

/// Writes an attempt and the new state of its delivery; `false` if the lease was lost.
pub(super) async fn settle(
    session: &mut Session,
    settled: &AttemptResult,
) -> Result<bool, PostgresError> {
    let again_at = settled.again_at.filter(|_| settled.failure.is_some());
    let ended_at = again_at.is_none().then_some(settled.now);
    let status = settled.status.map(i64::from);
    let found = session
        .query(
            "UPDATE webhook_delivery SET state = $4, tries = tries + 1, attempts = attempts + 1, \
                 last_status = $5, last_failure = $6, due_at = coalesce($7, due_at), \
                 settled_at = $8, lease_until = 0, fence = fence + 1 \
             WHERE tenant = $1 AND id = $2 AND fence = $3 RETURNING attempts",
            &[
                &settled.tenant,
                &settled.held.id,
                &int(settled.held.fence),
                &settled.state().name(),
                &status,
                &settled.failure,
                &time(again_at),
                &time(ended_at),
            ],
        )
        .await?;
    let Some(row) = found.first() else {
        return Ok(false);
    };
    let number: i64 = get(row, 0)?;
    session
        .execute(
            "INSERT INTO webhook_attempt (tenant, delivery, number, at, millis, status, failure) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &settled.tenant,
                &settled.held.id,
                &number,
                &settled.at.as_millis(),
                &int(settled.millis),
                &status,
                &settled.failure,
            ],
        )
        .await?;
    Ok(true)
}

/// Updates since when the webhook has been failing; `true` if that has turned it off.
pub(super) async fn judge(
    session: &mut Session,
    settled: &AttemptResult,
) -> Result<bool, PostgresError> {
    if settled.failure.is_none() {
        session
            .execute(
                "UPDATE webhook SET failing_since = NULL \
                 WHERE tenant = $1 AND id = $2 AND failing_since IS NOT NULL",
                &[&settled.tenant, &settled.webhook],
            )
            .await?;
        return Ok(false);
    }
    session
        .execute(
            "UPDATE webhook SET failing_since = $3 \
             WHERE tenant = $1 AND id = $2 AND failing_since IS NULL",
            &[&settled.tenant, &settled.webhook, &settled.at.as_millis()],
        )
        .await?;
    let Some(turn_off) = &settled.turn_off else {
        return Ok(false);
    };
    let turned = session
        .execute(
            "UPDATE webhook SET enabled = FALSE, off_because = $3, updated_at = $5, \
                 revision = revision + 1 \
             WHERE tenant = $1 AND id = $2 AND enabled \
                 AND ($4::bigint IS NULL OR failing_since <= $4)",
            &[
                &settled.tenant,
                &settled.webhook,
                &turn_off.because,
                &turn_off.failing_since.map(Timestamp::as_millis),
                &settled.now.as_millis(),
            ],
        )
        .await?;
    Ok(turned > 0)
}
