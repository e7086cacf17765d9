//! Webhooks in PostgreSQL.
//!
//! The statements are in `webhook_rows`. Every change of a webhook increments the tenant's epoch
//! (`catalogue`), so that every node's decisions use it. A tenant's data is accessed in that
//! tenant's session; only the search for due webhooks covers all tenants.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use tokio::sync::Notify;

use super::administration::administer_if;
use super::catalogue::count_epoch;
use super::columns::{get, get_u32, get_u64, int};
use super::error::PostgresError;
use super::session::Session;
use super::webhook_rows as rows;
use super::{PostgresStore, is_nobody};
use crate::administration::{Act, Cause, Target};
use crate::connections::SaveOutcome;
use crate::sql::tenants::know_tenant;
use crate::store::{Reply, Stamp};
use crate::webhooks::{
    AttemptRecord, AttemptResult, ClaimedDelivery, DeliveryFilter, DeliveryLease, DeliveryRecord,
    DueWebhook, NewDelivery, WebhookRecord, Webhooks, ids_begin_at,
};

impl Webhooks for PostgresStore {
    fn webhooks<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<WebhookRecord>> {
        if is_nobody(tenant) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(rows::all(&mut session, tenant).await?)
        })
    }

    fn webhook<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<WebhookRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(rows::one(&mut session, tenant, id).await?)
        })
    }

    fn add_webhook(&self, record: WebhookRecord, most: u32, stamp: Stamp) -> Reply<'_, bool> {
        Box::pin(async move {
            let act = Act {
                secrets: vec!["Secret"],
                ..Act::new(stamp, Target::Webhook(record.id.clone()), Action::Created)
            };
            let work = async |session: &mut Session| {
                know_tenant(session, &record.tenant, record.created_at).await?;
                count_epoch(session, &record.tenant).await?;
                rows::insert(session, &record, most).await
            };
            Ok(self.administer(&record.tenant, &act, work).await?)
        })
    }

    fn save_webhook(&self, record: WebhookRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        Box::pin(async move {
            let work = async |session: &mut Session| {
                count_epoch(session, &record.tenant).await?;
                if rows::update(session, &record).await? {
                    return Ok(SaveOutcome::Done);
                }
                let there = rows::one(session, &record.tenant, &record.id).await?;
                Ok(match there {
                    Some(_) => SaveOutcome::Changed,
                    None => SaveOutcome::Missing,
                })
            };
            let write = async |session: &mut Session| {
                administer_if(session, &record.tenant, &cause, work).await
            };
            Ok(self.transaction(&record.tenant, "BEGIN", write).await?)
        })
    }

    fn delete_webhook<'a>(&'a self, tenant: &'a str, id: &'a str, stamp: Stamp) -> Reply<'a, bool> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(false) });
        }
        Box::pin(async move {
            let work = async |session: &mut Session| {
                if rows::one(session, tenant, id).await?.is_none() {
                    return Ok(false);
                }
                count_epoch(session, tenant).await?;
                let deleted = session
                    .execute(
                        "DELETE FROM webhook WHERE tenant = $1 AND id = $2",
                        &[&tenant, &id],
                    )
                    .await?;
                Ok(deleted > 0)
            };
            let act = Act::new(stamp, Target::Webhook(id.to_owned()), Action::Deleted);
            Ok(self.administer(tenant, &act, work).await?)
        })
    }

    fn deliveries<'a>(
        &'a self,
        tenant: &'a str,
        filter: DeliveryFilter,
    ) -> Reply<'a, Vec<DeliveryRecord>> {
        let names = [&filter.after, &filter.webhook];
        if is_nobody(tenant) || names.into_iter().flatten().any(|name| is_nobody(name)) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(rows::page(&mut session, tenant, &filter).await?)
        })
    }

    fn delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<(DeliveryRecord, Vec<AttemptRecord>)>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let Some(delivery) = rows::delivery(&mut session, tenant, id).await? else {
                return Ok(None);
            };
            let attempts = rows::attempts(&mut session, tenant, id).await?;
            Ok(Some((delivery, attempts)))
        })
    }

    fn add_delivery<'a>(
        &'a self,
        tenant: &'a str,
        delivery: NewDelivery,
        stamp: Stamp,
    ) -> Reply<'a, bool> {
        Box::pin(async move {
            let target = Target::Webhook(delivery.webhook.clone());
            let act = Act::new(stamp, target, Action::Tested);
            let add = async |session: &mut Session| {
                let kept = rows::insert_deliveries(session, tenant, &[delivery]).await?;
                Ok(kept > 0)
            };
            let kept = self.administer(tenant, &act, add).await?;
            self.announcer.has_deliveries();
            Ok(kept)
        })
    }

    fn replay_delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<DeliveryRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let now = stamp.at;
            let act = Act::new(stamp, Target::Delivery(id.to_owned()), Action::Replayed);
            let replay = async |session: &mut Session| {
                session
                    .execute(
                        "UPDATE webhook_delivery SET state = 'Pending', tries = 0, due_at = $3, \
                             settled_at = NULL, lease_until = 0, fence = fence + 1 \
                         WHERE tenant = $1 AND id = $2",
                        &[&tenant, &id, &now.as_millis()],
                    )
                    .await?;
                rows::delivery(session, tenant, id).await
            };
            let replayed = self.administer(tenant, &act, replay).await?;
            self.announcer.has_deliveries();
            Ok(replayed)
        })
    }

    fn due_webhooks(&self, now: Timestamp) -> Reply<'_, Vec<DueWebhook>> {
        Box::pin(async move {
            let mut session = self.pool.sign_in().await?;
            let found = session
                .query(
                    "SELECT tenant, id, origin FROM webhook w WHERE enabled AND EXISTS ( \
                         SELECT 1 FROM webhook_delivery d \
                         WHERE d.tenant = w.tenant AND d.webhook = w.id AND d.state = 'Pending' \
                             AND d.due_at <= $1 AND d.lease_until <= $1)",
                    &[&now.as_millis()],
                )
                .await?;
            let due = found.iter().map(|row| {
                Ok(DueWebhook {
                    tenant: get(row, 0)?,
                    id: get(row, 1)?,
                    origin: get(row, 2)?,
                })
            });
            Ok(due.collect::<Result<_, PostgresError>>()?)
        })
    }

    fn claim_deliveries<'a>(
        &'a self,
        due: &'a DueWebhook,
        limit: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Vec<ClaimedDelivery>> {
        Box::pin(async move {
            let mut session = self.pool.of(&due.tenant).await?;
            // Skips rows that another node has locked. Materialized, because PostgreSQL may
            // evaluate a subquery with a limit several times and so exceed the limit.
            let found = session
                .query(
                    "WITH due AS MATERIALIZED ( \
                         SELECT id FROM webhook_delivery \
                         WHERE tenant = $1 AND webhook = $2 AND state = 'Pending' \
                             AND due_at <= $4 AND lease_until <= $4 \
                             AND EXISTS (SELECT 1 FROM webhook \
                                 WHERE tenant = $1 AND id = $2 AND enabled) \
                         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) \
                     UPDATE webhook_delivery d SET lease_until = $5, fence = d.fence + 1 \
                     FROM due WHERE d.tenant = $1 AND d.id = due.id \
                     RETURNING d.id, d.fence, d.body, d.tries",
                    &[
                        &due.tenant,
                        &due.id,
                        &i64::from(limit),
                        &now.as_millis(),
                        &until.as_millis(),
                    ],
                )
                .await?;
            let claimed = found.iter().map(|row| {
                Ok(ClaimedDelivery {
                    held: DeliveryLease {
                        id: get(row, 0)?,
                        fence: get_u64(row, 1)?,
                    },
                    body: get(row, 2)?,
                    tries: get_u32(row, 3)?,
                })
            });
            Ok(claimed.collect::<Result<_, PostgresError>>()?)
        })
    }

    fn settle_attempt(&self, settled: AttemptResult) -> Reply<'_, bool> {
        Box::pin(async move {
            let work = async |session: &mut Session| {
                if !rows::settle(session, &settled).await? {
                    return Ok(false);
                }
                let judge = async |session: &mut Session| {
                    let is_off = rows::judge(session, &settled).await?;
                    if is_off {
                        count_epoch(session, &settled.tenant).await?;
                    }
                    Ok(is_off)
                };
                administer_if(session, &settled.tenant, &settled.cause(), judge).await?;
                Ok(true)
            };
            Ok(self.transaction(&settled.tenant, "BEGIN", work).await?)
        })
    }

    fn release_deliveries<'a>(
        &'a self,
        tenant: &'a str,
        held: Vec<DeliveryLease>,
    ) -> Reply<'a, ()> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            for held in &held {
                session
                    .execute(
                        "UPDATE webhook_delivery SET lease_until = 0, fence = fence + 1 \
                         WHERE tenant = $1 AND id = $2 AND fence = $3",
                        &[&tenant, &held.id, &int(held.fence)],
                    )
                    .await?;
            }
            Ok(())
        })
    }

    fn end_stale_deliveries(&self) -> Reply<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn purge_deliveries(&self, before: Timestamp) -> Reply<'_, u64> {
        let ids = ids_begin_at(before);
        Box::pin(async move {
            let mut purged = 0;
            for tenant in self.tenants_with_lists().await? {
                let mut session = self.pool.of(&tenant).await?;
                purged += session
                    .execute(
                        "DELETE FROM webhook_delivery WHERE tenant = $1 AND id < $2",
                        &[&tenant, &ids],
                    )
                    .await?;
            }
            Ok(purged)
        })
    }

    fn outbox(&self) -> Arc<Notify> {
        self.announcer.outbox()
    }
}
