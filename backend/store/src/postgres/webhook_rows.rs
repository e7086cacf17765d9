//! What a change of a list needs of webhooks: which are on, and the rows of its deliveries.
//!
//! The deliveries are written in the transaction of the change.

use tokio_postgres::Row;

use super::columns::{get, get_json};
use super::error::PostgresError;
use super::session::Session;
use crate::outbox::Listener;
use crate::webhooks::NewDelivery;

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
