//! Webhooks in the SQLite file. The statements are in `webhook_rows`.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use rusqlite::{Connection, Result, params};
use tokio::sync::Notify;

use super::SqliteStore;
use super::administration::{administer, administer_if};
use super::columns::{get_u32, get_u64, int};
use super::sql::SqlSession;
use super::webhook_rows as rows;
use super::writer::BatchContext;
use crate::administration::{Act, Cause, Target};
use crate::connections::SaveOutcome;
use crate::sql::run_inline;
use crate::sql::tenants::know_tenant;
use crate::store::{Reply, Stamp};
use crate::webhooks::{
    AttemptRecord, AttemptResult, ClaimedDelivery, DeliveryFilter, DeliveryLease, DeliveryRecord,
    DueWebhook, NewDelivery, WebhookRecord, Webhooks, ids_begin_at,
};

/// The most deliveries that one transaction of a purge removes, so that other writes can run in
/// between.
const PURGED_AT_ONCE: u32 = 1_000;

/// Tenant by tenant, in the order of the rows: there are many deliveries in thirty days, and no
/// other write can run during the scan.
pub(super) const PURGE: &str = "DELETE FROM webhook_delivery WHERE (tenant, id) IN
     (SELECT d.tenant, d.id FROM tenant
      CROSS JOIN webhook_delivery d ON d.tenant = tenant.id AND d.id < ?1 LIMIT ?2)";
pub(super) const END_LEASES: &str = "UPDATE webhook_delivery SET lease_until = 0
     WHERE state = 'Pending' AND lease_until > 0";

impl Webhooks for SqliteStore {
    fn webhooks<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<WebhookRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| Ok(rows::all(connection, &tenant)?))
    }

    fn webhook<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<WebhookRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| Ok(rows::one(connection, &tenant, &id)?))
    }

    fn add_webhook(&self, record: WebhookRecord, most: u32, stamp: Stamp) -> Reply<'_, bool> {
        let act = Act {
            secrets: vec!["Secret"],
            ..Act::new(stamp, Target::Webhook(record.id.clone()), Action::Created)
        };
        self.write(move |work| {
            administer(work, &record.tenant, &act, |work| {
                run_inline(know_tenant(
                    &mut SqlSession(work.connection),
                    &record.tenant,
                    record.created_at,
                ))?;
                work.webhooks_have_changed();
                Ok(rows::insert(work.connection, &record, most)?)
            })
        })
    }

    fn save_webhook(&self, record: WebhookRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        self.write(move |work| {
            administer_if(work, &record.tenant, &cause, |work| {
                work.webhooks_have_changed();
                if rows::update(work.connection, &record)? {
                    return Ok(SaveOutcome::Done);
                }
                let there = rows::one(work.connection, &record.tenant, &record.id)?.is_some();
                Ok(if there {
                    SaveOutcome::Changed
                } else {
                    SaveOutcome::Missing
                })
            })
        })
    }

    fn delete_webhook<'a>(&'a self, tenant: &'a str, id: &'a str, stamp: Stamp) -> Reply<'a, bool> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let act = Act::new(stamp, Target::Webhook(id.clone()), Action::Deleted);
        self.write(move |work| {
            administer(work, &tenant, &act, |work| {
                work.webhooks_have_changed();
                let deleted = work
                    .connection
                    .prepare_cached("DELETE FROM webhook WHERE tenant = ?1 AND id = ?2")?
                    .execute([&tenant, &id])?;
                Ok(deleted > 0)
            })
        })
    }

    fn deliveries<'a>(
        &'a self,
        tenant: &'a str,
        filter: DeliveryFilter,
    ) -> Reply<'a, Vec<DeliveryRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| Ok(rows::page(connection, &tenant, &filter)?))
    }

    fn delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<(DeliveryRecord, Vec<AttemptRecord>)>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| {
            let Some(delivery) = rows::delivery(connection, &tenant, &id)? else {
                return Ok(None);
            };
            let attempts = rows::attempts(connection, &tenant, &id)?;
            Ok(Some((delivery, attempts)))
        })
    }

    fn add_delivery<'a>(
        &'a self,
        tenant: &'a str,
        delivery: NewDelivery,
        stamp: Stamp,
    ) -> Reply<'a, bool> {
        let tenant = tenant.to_owned();
        let target = Target::Webhook(delivery.webhook.clone());
        let act = Act::new(stamp, target, Action::Tested);
        self.write(move |work| {
            administer(work, &tenant, &act, |work| {
                if rows::one(work.connection, &tenant, &delivery.webhook)?.is_none() {
                    return Ok(false);
                }
                work.has_deliveries(&tenant, std::slice::from_ref(&delivery))?;
                Ok(true)
            })
        })
    }

    fn replay_delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<DeliveryRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let now = stamp.at;
        let act = Act::new(stamp, Target::Delivery(id.clone()), Action::Replayed);
        self.write(move |work| {
            administer(work, &tenant, &act, |work| {
                work.connection
                    .prepare_cached(
                        "UPDATE webhook_delivery
                         SET state = 'Pending', tries = 0, due_at = ?3, settled_at = NULL, lease_until = 0,
                             fence = fence + 1
                         WHERE tenant = ?1 AND id = ?2",
                    )?
                    .execute(params![tenant, id, now.as_millis()])?;
                work.has_deliveries(&tenant, &[])?;
                Ok(rows::delivery(work.connection, &tenant, &id)?)
            })
        })
    }

    fn due_webhooks(&self, now: Timestamp) -> Reply<'_, Vec<DueWebhook>> {
        self.read(move |connection, _| {
            let found: Result<Vec<DueWebhook>> = connection
                .prepare_cached(
                    "SELECT tenant, id, origin FROM webhook w
                     WHERE enabled = 1 AND EXISTS (
                         SELECT 1 FROM webhook_delivery d
                         WHERE d.tenant = w.tenant AND d.webhook = w.id AND d.state = 'Pending'
                           AND d.due_at <= ?1 AND d.lease_until <= ?1)",
                )?
                .query_map([now.as_millis()], |row| {
                    Ok(DueWebhook {
                        tenant: row.get(0)?,
                        id: row.get(1)?,
                        origin: row.get(2)?,
                    })
                })?
                .collect();
            Ok(found?)
        })
    }

    fn claim_deliveries<'a>(
        &'a self,
        due: &'a DueWebhook,
        limit: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Vec<ClaimedDelivery>> {
        let due = due.clone();
        self.write(move |work| Ok(claim(work.connection, &due, limit, now, until)?))
    }

    fn settle_attempt(&self, settled: AttemptResult) -> Reply<'_, bool> {
        let cause = settled.cause();
        self.write(move |work| {
            if !rows::settle(work.connection, &settled)? {
                return Ok(false);
            }
            let judge = |work: &mut BatchContext<'_>| Ok(rows::judge(work.connection, &settled)?);
            if administer_if(work, &settled.tenant, &cause, judge)? {
                work.webhooks_have_changed();
            }
            Ok(true)
        })
    }

    fn release_deliveries<'a>(
        &'a self,
        tenant: &'a str,
        held: Vec<DeliveryLease>,
    ) -> Reply<'a, ()> {
        let tenant = tenant.to_owned();
        self.write(move |work| {
            for held in &held {
                work.connection
                    .prepare_cached(
                        "UPDATE webhook_delivery SET lease_until = 0, fence = fence + 1
                         WHERE tenant = ?1 AND id = ?2 AND fence = ?3",
                    )?
                    .execute(params![tenant, held.id, int(held.fence)])?;
            }
            Ok(())
        })
    }

    fn end_stale_deliveries(&self) -> Reply<'_, ()> {
        self.write(|work| {
            work.connection.prepare_cached(END_LEASES)?.execute([])?;
            Ok(())
        })
    }

    fn purge_deliveries(&self, before: Timestamp) -> Reply<'_, u64> {
        Box::pin(async move {
            let mut purged = 0;
            loop {
                let ids = ids_begin_at(before);
                let step = self.write(move |work| {
                    let gone = work
                        .connection
                        .prepare_cached(PURGE)?
                        .execute(params![ids, PURGED_AT_ONCE])?;
                    Ok(gone as u64)
                });
                let gone = step.await?;
                purged += gone;
                if gone < u64::from(PURGED_AT_ONCE) {
                    return Ok(purged);
                }
            }
        })
    }

    fn outbox(&self) -> Arc<Notify> {
        Arc::clone(&self.shared.outbox)
    }
}

fn claim(
    connection: &Connection,
    due: &DueWebhook,
    limit: u32,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<ClaimedDelivery>> {
    connection
        .prepare_cached(
            "UPDATE webhook_delivery SET lease_until = ?5, fence = fence + 1
             WHERE tenant = ?1 AND id IN (
                 SELECT id FROM webhook_delivery
                 WHERE tenant = ?1 AND webhook = ?2 AND state = 'Pending' AND due_at <= ?4 AND lease_until <= ?4
                   AND EXISTS (SELECT 1 FROM webhook WHERE tenant = ?1 AND id = ?2 AND enabled = 1)
                 ORDER BY due_at LIMIT ?3)
             RETURNING id, fence, body, tries",
        )?
        .query_map(
            params![
                due.tenant,
                due.id,
                limit,
                now.as_millis(),
                until.as_millis()
            ],
            |row| {
                Ok(ClaimedDelivery {
                    held: DeliveryLease {
                        id: row.get(0)?,
                        fence: get_u64(row, 1)?,
                    },
                    body: row.get(2)?,
                    tries: get_u32(row, 3)?,
                })
            },
        )?
        .collect()
}
