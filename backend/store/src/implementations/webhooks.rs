//! Webhooks and their deliveries.
//!
//! A claim and a release are single statements, as senders run them often.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use tokio::sync::Notify;

use crate::administration::{Act, Cause, Target};
use crate::connections::SaveOutcome;
use crate::postgres::PostgresStore;
use crate::sql::administration::administer;
use crate::sql::{Dialect, View, deliveries, webhooks as rows};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};
use crate::webhooks::{
    AttemptRecord, AttemptResult, ClaimedDelivery, DeliveryFilter, DeliveryLease, DeliveryRecord,
    DueWebhook, NewDelivery, WebhookRecord, Webhooks, ids_begin_at,
};

/// Implements the trait for a store.
macro_rules! webhooks {
    ($store:ty) => {
        impl Webhooks for $store {
            fn webhooks<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<WebhookRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::all(session, &of).await
                }))
            }

            fn webhook<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
            ) -> Reply<'a, Option<WebhookRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::one(session, &of, &id).await
                }))
            }

            fn add_webhook(
                &self,
                record: WebhookRecord,
                most: u32,
                stamp: Stamp,
            ) -> Reply<'_, bool> {
                let tenant = record.tenant.clone();
                let act = Act {
                    secrets: vec!["Secret"],
                    ..Act::new(stamp, Target::Webhook(record.id.clone()), Action::Created)
                };
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        rows::add(session, &record, most).await
                    })
                    .await
                })
            }

            fn save_webhook(&self, record: WebhookRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
                let tenant = record.tenant.clone();
                Box::pin(async move {
                    self.administer(&tenant, cause, async move |session| {
                        rows::save(session, &record).await
                    })
                    .await
                })
            }

            fn delete_webhook<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, bool> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                let act = Act::new(stamp, Target::Webhook(id.clone()), Action::Deleted);
                Box::pin(self.administer(tenant, act, async move |session| {
                    rows::delete(session, &of, &id).await
                }))
            }

            fn deliveries<'a>(
                &'a self,
                tenant: &'a str,
                filter: DeliveryFilter,
            ) -> Reply<'a, Vec<DeliveryRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    deliveries::page(session, &of, &filter).await
                }))
            }

            fn delivery<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
            ) -> Reply<'a, Option<(DeliveryRecord, Vec<AttemptRecord>)>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    deliveries::with_attempts(session, &of, &id).await
                }))
            }

            fn add_delivery<'a>(
                &'a self,
                tenant: &'a str,
                delivery: NewDelivery,
                stamp: Stamp,
            ) -> Reply<'a, bool> {
                let of = tenant.to_owned();
                let target = Target::Webhook(delivery.webhook.clone());
                let act = Act::new(stamp, target, Action::Tested);
                Box::pin(self.administer(tenant, act, async move |session| {
                    deliveries::add(session, &of, &delivery).await
                }))
            }

            fn replay_delivery<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, Option<DeliveryRecord>> {
                let (of, id, now) = (tenant.to_owned(), id.to_owned(), stamp.at);
                let act = Act::new(stamp, Target::Delivery(id.clone()), Action::Replayed);
                Box::pin(self.administer(tenant, act, async move |session| {
                    deliveries::replay(session, &of, &id, now).await
                }))
            }

            fn due_webhooks(&self, now: Timestamp) -> Reply<'_, Vec<DueWebhook>> {
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    rows::due(session, now).await
                }))
            }

            fn claim_deliveries<'a>(
                &'a self,
                due: &'a DueWebhook,
                limit: u32,
                now: Timestamp,
                until: Timestamp,
            ) -> Reply<'a, Vec<ClaimedDelivery>> {
                let view = View::Tenant(&due.tenant);
                let due = due.clone();
                Box::pin(self.write_once(view, async move |session| {
                    deliveries::claim(session, &due, limit, now, until).await
                }))
            }

            fn settle_attempt(&self, settled: AttemptResult) -> Reply<'_, bool> {
                let (tenant, cause) = (settled.tenant.clone(), settled.cause());
                Box::pin(async move {
                    self.write_rows(View::Tenant(&tenant), async move |session| {
                        if !deliveries::settle(session, &settled).await? {
                            return Ok(false);
                        }
                        administer(session, &settled.tenant, &cause, async |session| {
                            rows::judge(session, &settled).await
                        })
                        .await?;
                        Ok(true)
                    })
                    .await
                })
            }

            fn release_deliveries<'a>(
                &'a self,
                tenant: &'a str,
                held: Vec<DeliveryLease>,
            ) -> Reply<'a, ()> {
                let of = tenant.to_owned();
                Box::pin(self.write_once(View::Tenant(tenant), async move |session| {
                    deliveries::release(session, &of, &held).await
                }))
            }

            fn end_stale_deliveries(&self) -> Reply<'_, ()> {
                Box::pin(async move {
                    if Self::DIALECT == Dialect::Postgres {
                        return Ok(());
                    }
                    self.write_once(View::SignIn, async |session| {
                        deliveries::end_leases(session).await
                    })
                    .await
                })
            }

            fn purge_deliveries(&self, before: Timestamp) -> Reply<'_, u64> {
                Box::pin(self.purge_deliveries_before(ids_begin_at(before)))
            }

            fn outbox(&self) -> Arc<Notify> {
                self.outbox_notify()
            }
        }
    };
}

webhooks!(SqliteStore);
webhooks!(PostgresStore);
