//! The rows of webhooks, their deliveries and attempts.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::WebhookEvent;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{
    Column, get_json, get_time, get_time_option, get_u32, get_u64, int, json, time,
};
use crate::connections::SealedSecret;
use crate::outbox::Listener;
use crate::webhooks::{
    AttemptRecord, AttemptResult, DeliveryFilter, DeliveryRecord, NewDelivery, WebhookRecord,
};

/// The webhooks that are on, by tenant.
pub(super) type Listeners = HashMap<String, Arc<[Listener]>>;

const WEBHOOK: &str = "tenant, id, name, url, origin, events, enabled, off_because, failing_since, key_id, sealed, \
                       created_by, revision, created_at, updated_at";

const DELIVERY: &str = "id, webhook, event, body, state, attempts, last_status, last_failure, due_at, created_at, \
                        settled_at";

fn webhook_of(row: &Row<'_>) -> Result<WebhookRecord> {
    Ok(WebhookRecord {
        tenant: row.get(0)?,
        id: row.get(1)?,
        name: row.get(2)?,
        url: row.get(3)?,
        origin: row.get(4)?,
        events: get_json(row, 5)?,
        enabled: row.get(6)?,
        off_because: row.get(7)?,
        failing_since: get_time_option(row, 8)?,
        sealed: SealedSecret {
            key_id: row.get(9)?,
            bytes: row.get(10)?,
        },
        created_by: row.get(11)?,
        revision: get_u64(row, 12)?,
        created_at: get_time(row, 13)?,
        updated_at: get_time(row, 14)?,
    })
}

fn delivery_of(row: &Row<'_>) -> Result<DeliveryRecord> {
    Ok(DeliveryRecord {
        id: row.get(0)?,
        webhook: row.get(1)?,
        event: row.get::<_, Column<WebhookEvent>>(2)?.0,
        body: row.get(3)?,
        state: row.get::<_, Column<_>>(4)?.0,
        attempts: get_u32(row, 5)?,
        last_status: row.get(6)?,
        last_failure: row.get(7)?,
        due_at: get_time(row, 8)?,
        created_at: get_time(row, 9)?,
        settled_at: get_time_option(row, 10)?,
    })
}

/// Loads the webhooks of all tenants that are on.
pub(super) fn listeners(connection: &Connection) -> Result<Listeners> {
    let mut by_tenant: HashMap<String, Vec<Listener>> = HashMap::new();
    let mut statement =
        connection.prepare_cached("SELECT tenant, id, events FROM webhook WHERE enabled = 1")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        by_tenant.entry(row.get(0)?).or_default().push(Listener {
            webhook: row.get(1)?,
            events: get_json(row, 2)?,
        });
    }
    let by_tenant = by_tenant.into_iter();
    Ok(by_tenant
        .map(|(tenant, listeners)| (tenant, listeners.into()))
        .collect())
}

pub(super) fn all(connection: &Connection, tenant: &str) -> Result<Vec<WebhookRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {WEBHOOK} FROM webhook WHERE tenant = ?1 ORDER BY lower(name), id"
        ))?
        .query_map([tenant], webhook_of)?
        .collect()
}

pub(super) fn one(
    connection: &Connection,
    tenant: &str,
    id: &str,
) -> Result<Option<WebhookRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {WEBHOOK} FROM webhook WHERE tenant = ?1 AND id = ?2"
        ))?
        .query_row([tenant, id], webhook_of)
        .optional()
}

pub(super) fn insert(connection: &Connection, record: &WebhookRecord, most: u32) -> Result<bool> {
    let kept = connection
        .prepare_cached(&format!(
            "INSERT INTO webhook ({WEBHOOK})
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15
             WHERE (SELECT count(*) FROM webhook WHERE tenant = ?1) < ?16"
        ))?
        .execute(params![
            record.tenant,
            record.id,
            record.name,
            record.url,
            record.origin,
            json(&record.events)?,
            record.enabled,
            record.off_because,
            time(record.failing_since),
            record.sealed.key_id,
            record.sealed.bytes,
            record.created_by,
            int(record.revision),
            record.created_at.as_millis(),
            record.updated_at.as_millis(),
            most
        ])?;
    Ok(kept > 0)
}

/// Updates a webhook; `false` if its revision is not the one before the record's.
pub(super) fn update(connection: &Connection, record: &WebhookRecord) -> Result<bool> {
    let written = connection
        .prepare_cached(
            "UPDATE webhook
             SET name = ?4, url = ?5, origin = ?6, events = ?7, enabled = ?8, off_because = ?9, failing_since = ?10,
                 key_id = ?11, sealed = ?12, updated_at = ?13, revision = ?3 + 1
             WHERE tenant = ?1 AND id = ?2 AND revision = ?3",
        )?
        .execute(params![
            record.tenant,
            record.id,
            int(record.revision.saturating_sub(1)),
            record.name,
            record.url,
            record.origin,
            json(&record.events)?,
            record.enabled,
            record.off_because,
            time(record.failing_since),
            record.sealed.key_id,
            record.sealed.bytes,
            record.updated_at.as_millis()
        ])?;
    Ok(written > 0)
}

/// Inserts deliveries, in the transaction of the change.
pub(super) fn insert_deliveries(
    connection: &Connection,
    tenant: &str,
    deliveries: &[NewDelivery],
) -> Result<()> {
    for delivery in deliveries {
        connection
            .prepare_cached(
                "INSERT INTO webhook_delivery (tenant, id, webhook, event, body, due_at, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            )?
            .execute(params![
                tenant,
                delivery.id,
                delivery.webhook,
                delivery.event.name(),
                delivery.body,
                delivery.at.as_millis()
            ])?;
    }
    Ok(())
}

pub(super) fn page(
    connection: &Connection,
    tenant: &str,
    filter: &DeliveryFilter,
) -> Result<Vec<DeliveryRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {DELIVERY} FROM webhook_delivery
             WHERE tenant = ?1 AND (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR webhook = ?3)
               AND (?4 IS NULL OR state = ?4) AND (?5 IS NULL OR event = ?5)
             ORDER BY id DESC LIMIT ?6"
        ))?
        .query_map(
            params![
                tenant,
                filter.after,
                filter.webhook,
                filter.state.map(|state| state.name()),
                filter.event.map(|event| event.name()),
                filter.limit
            ],
            delivery_of,
        )?
        .collect()
}

pub(super) fn delivery(
    connection: &Connection,
    tenant: &str,
    id: &str,
) -> Result<Option<DeliveryRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {DELIVERY} FROM webhook_delivery WHERE tenant = ?1 AND id = ?2"
        ))?
        .query_row([tenant, id], delivery_of)
        .optional()
}

pub(super) fn attempts(
    connection: &Connection,
    tenant: &str,
    delivery: &str,
) -> Result<Vec<AttemptRecord>> {
    connection
        .prepare_cached(
            "SELECT number, at, millis, status, failure FROM webhook_attempt
             WHERE tenant = ?1 AND delivery = ?2 ORDER BY number",
        )?
        .query_map([tenant, delivery], |row| {
            Ok(AttemptRecord {
                number: get_u32(row, 0)?,
                at: get_time(row, 1)?,
                millis: get_u64(row, 2)?,
                status: row.get(3)?,
                failure: row.get(4)?,
            })
        })?
        .collect()
}

/// Writes an attempt and the new state of its delivery; `false` if the lease was lost.
pub(super) fn settle(connection: &Connection, settled: &AttemptResult) -> Result<bool> {
    let state = settled.state();
    let again_at = settled.again_at.filter(|_| settled.failure.is_some());
    let ended_at = again_at.is_none().then_some(settled.now);
    let number: Option<i64> = connection
        .prepare_cached(
            "UPDATE webhook_delivery
             SET state = ?4, tries = tries + 1, attempts = attempts + 1, last_status = ?5, last_failure = ?6,
                 due_at = coalesce(?7, due_at), settled_at = ?8, lease_until = 0, fence = fence + 1
             WHERE tenant = ?1 AND id = ?2 AND fence = ?3
             RETURNING attempts",
        )?
        .query_row(
            params![
                settled.tenant,
                settled.held.id,
                int(settled.held.fence),
                state.name(),
                settled.status,
                settled.failure,
                time(again_at),
                time(ended_at)
            ],
            |row| row.get(0),
        )
        .optional()?;
    let Some(number) = number else {
        return Ok(false);
    };
    connection
        .prepare_cached(
            "INSERT INTO webhook_attempt (tenant, delivery, number, at, millis, status, failure)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            settled.tenant,
            settled.held.id,
            number,
            settled.at.as_millis(),
            int(settled.millis),
            settled.status,
            settled.failure
        ])?;
    Ok(true)
}

/// Updates since when the webhook has been failing; `true` if that has turned it off.
pub(super) fn judge(connection: &Connection, settled: &AttemptResult) -> Result<bool> {
    let which = [&settled.tenant, &settled.webhook];
    if settled.failure.is_none() {
        connection
            .prepare_cached(
                "UPDATE webhook SET failing_since = NULL
                 WHERE tenant = ?1 AND id = ?2 AND failing_since IS NOT NULL",
            )?
            .execute(which)?;
        return Ok(false);
    }
    connection
        .prepare_cached(
            "UPDATE webhook SET failing_since = ?3 WHERE tenant = ?1 AND id = ?2 AND failing_since IS NULL",
        )?
        .execute(params![settled.tenant, settled.webhook, settled.at.as_millis()])?;
    let Some(turn_off) = &settled.turn_off else {
        return Ok(false);
    };
    let turned = connection
        .prepare_cached(
            "UPDATE webhook SET enabled = 0, off_because = ?3, updated_at = ?5, revision = revision + 1
             WHERE tenant = ?1 AND id = ?2 AND enabled = 1 AND (?4 IS NULL OR failing_since <= ?4)",
        )?
        .execute(params![
            settled.tenant,
            settled.webhook,
            turn_off.because,
            turn_off.failing_since.map(Timestamp::as_millis),
            settled.now.as_millis()
        ])?;
    Ok(turned > 0)
}
