//! The rows of webhooks.
//!
//! A row contains the encrypted signing secret. Every change of a webhook increments its revision.

use checklist_shared::time::Timestamp;

use super::tenants::know_tenant;
use super::{Row, Session, WriteSession, json, values};
use crate::connections::{SaveOutcome, SealedSecret};
use crate::outbox::Listener;
use crate::store::StoreError;
use crate::webhooks::{AttemptResult, DueWebhook, WebhookRecord};

/// Selects webhooks.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT tenant, id, name, url, origin, events, enabled, off_because, failing_since,
                 key_id, sealed, created_by, revision, created_at, updated_at FROM webhook ",
            $rest
        )
    };
}

fn webhook_of(row: &Row) -> Result<WebhookRecord, StoreError> {
    Ok(WebhookRecord {
        tenant: row.get_text(0)?.to_owned(),
        id: row.get_text(1)?.to_owned(),
        name: row.get_text(2)?.to_owned(),
        url: row.get_text(3)?.to_owned(),
        origin: row.get_text(4)?.to_owned(),
        events: row.get_json(5)?,
        enabled: row.get_bool(6)?,
        off_because: row.get_text_option(7)?.map(str::to_owned),
        failing_since: row.get_time_option(8)?,
        sealed: SealedSecret {
            key_id: row.get_text(9)?.to_owned(),
            bytes: row.get_bytes(10)?.to_owned(),
        },
        created_by: row.get_text(11)?.to_owned(),
        revision: row.get_u64(12)?,
        created_at: row.get_time(13)?,
        updated_at: row.get_time(14)?,
    })
}

pub(crate) async fn all<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<WebhookRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 ORDER BY lower(name), id");
    session.query_map(sql, values![tenant], webhook_of).await
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<WebhookRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND id = $2");
    let parameters = values![tenant, id];
    session.query_opt(sql, parameters, webhook_of).await
}

/// The tenant's webhooks that are on.
pub(super) async fn listeners<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<Listener>, StoreError> {
    let sql = "SELECT id, events FROM webhook WHERE tenant = $1 AND enabled";
    let listener_of = |row: &Row| {
        Ok(Listener {
            webhook: row.get_text(0)?.to_owned(),
            events: row.get_json(1)?,
        })
    };
    session.query_map(sql, values![tenant], listener_of).await
}

/// Adds a webhook, unless the tenant has `most` already.
pub(crate) async fn add<S: WriteSession>(
    session: &mut S,
    record: &WebhookRecord,
    most: u32,
) -> Result<bool, StoreError> {
    know_tenant(session, &record.tenant, record.created_at).await?;
    // Serializes concurrent inserts, so that each counts the others.
    session.lock_catalogue(&record.tenant).await?;
    session.forget_webhooks();
    let events = json(&record.events)?;
    let parameters = values![
        &record.tenant,
        &record.id,
        &record.name,
        &record.url,
        &record.origin,
        &events,
        record.enabled,
        record.off_because.as_ref(),
        record.failing_since,
        &record.sealed.key_id,
        &record.sealed.bytes,
        &record.created_by,
        record.revision,
        record.created_at,
        record.updated_at,
        most,
    ];
    let inserted = session
        .execute(
            "INSERT INTO webhook (tenant, id, name, url, origin, events, enabled, off_because,
                 failing_since, key_id, sealed, created_by, revision, created_at, updated_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
             WHERE (SELECT count(*) FROM webhook WHERE tenant = $1) < $16",
            parameters,
        )
        .await?;
    Ok(inserted > 0)
}

/// Saves a webhook if its stored revision is the one before the record's.
pub(crate) async fn save<S: WriteSession>(
    session: &mut S,
    record: &WebhookRecord,
) -> Result<SaveOutcome, StoreError> {
    session.lock_catalogue(&record.tenant).await?;
    session.forget_webhooks();
    let events = json(&record.events)?;
    let parameters = values![
        &record.tenant,
        &record.id,
        record.revision.saturating_sub(1),
        &record.name,
        &record.url,
        &record.origin,
        &events,
        record.enabled,
        record.off_because.as_ref(),
        record.failing_since,
        &record.sealed.key_id,
        &record.sealed.bytes,
        record.updated_at,
    ];
    let updated = session
        .execute(
            "UPDATE webhook
             SET name = $4, url = $5, origin = $6, events = $7, enabled = $8, off_because = $9,
                 failing_since = $10, key_id = $11, sealed = $12, updated_at = $13, revision = $3 + 1
             WHERE tenant = $1 AND id = $2 AND revision = $3",
            parameters,
        )
        .await?;
    if updated > 0 {
        return Ok(SaveOutcome::Done);
    }
    let stored = one(session, &record.tenant, &record.id).await?;
    Ok(stored.map_or(SaveOutcome::Missing, |_| SaveOutcome::Changed))
}

/// Deletes a webhook; its deliveries go with it.
pub(crate) async fn delete<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<bool, StoreError> {
    if one(session, tenant, id).await?.is_none() {
        return Ok(false);
    }
    session.lock_catalogue(tenant).await?;
    session.forget_webhooks();
    let sql = "DELETE FROM webhook WHERE tenant = $1 AND id = $2";
    Ok(session.execute(sql, values![tenant, id]).await? > 0)
}

/// The webhooks of all tenants with due deliveries.
pub(crate) async fn due<S: Session>(
    session: &mut S,
    now: Timestamp,
) -> Result<Vec<DueWebhook>, StoreError> {
    let sql = "SELECT tenant, id, origin FROM webhook w
         WHERE enabled AND EXISTS (
             SELECT 1 FROM webhook_delivery d
             WHERE d.tenant = w.tenant AND d.webhook = w.id AND d.state = 'Pending'
               AND d.due_at <= $1 AND d.lease_until <= $1)";
    let due_of = |row: &Row| {
        Ok(DueWebhook {
            tenant: row.get_text(0)?.to_owned(),
            id: row.get_text(1)?.to_owned(),
            origin: row.get_text(2)?.to_owned(),
        })
    };
    session.query_map(sql, values![now], due_of).await
}

/// Updates since when the webhook of an attempt has been failing; `true` if that has turned it off.
pub(crate) async fn judge<S: WriteSession>(
    session: &mut S,
    attempt: &AttemptResult,
) -> Result<bool, StoreError> {
    let (tenant, id) = (&attempt.tenant, &attempt.webhook);
    if attempt.failure.is_none() {
        let sql = "UPDATE webhook SET failing_since = NULL
             WHERE tenant = $1 AND id = $2 AND failing_since IS NOT NULL";
        session.execute(sql, values![tenant, id]).await?;
        return Ok(false);
    }
    let sql = "UPDATE webhook SET failing_since = $3
         WHERE tenant = $1 AND id = $2 AND failing_since IS NULL";
    session
        .execute(sql, values![tenant, id, attempt.at])
        .await?;
    let Some(turn_off) = &attempt.turn_off else {
        return Ok(false);
    };
    let parameters = values![
        tenant,
        id,
        &turn_off.because,
        turn_off.failing_since,
        attempt.now,
    ];
    let turned_off = session
        .execute(
            "UPDATE webhook SET enabled = FALSE, off_because = $3, updated_at = $5,
                 revision = revision + 1
             WHERE tenant = $1 AND id = $2 AND enabled
                 AND ($4::bigint IS NULL OR failing_since <= $4)",
            parameters,
        )
        .await?;
    if turned_off == 0 {
        return Ok(false);
    }
    session.lock_catalogue(tenant).await?;
    session.forget_webhooks();
    Ok(true)
}
