//! What a change of a list needs of webhooks: which are on, and the rows of its deliveries.
//!
//! The deliveries are written in the transaction of the change.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, Result, params};

use super::columns::get_json;
use crate::outbox::Listener;
use crate::webhooks::NewDelivery;

/// The webhooks that are on, by tenant.
pub(super) type Listeners = HashMap<String, Arc<[Listener]>>;

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
