//! Service connections, consents and handles.
//!
//! On PostgreSQL the tenant of a returning consent is known only after the consent was found, so it
//! is found in the view for sign-ins.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use crate::administration::{Act, Cause, Target};
use crate::connections::{
    ConnectionRecord, Connections, HandleRecord, PendingConsent, SaveOutcome,
};
use crate::directory::SecretHash;
use crate::keyset::Keyset;
use crate::postgres::PostgresStore;
use crate::sql::{View, connections as rows, consents};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};

/// Implements the trait for a store.
macro_rules! connections {
    ($store:ty) => {
        impl Connections for $store {
            fn connections<'a>(
                &'a self,
                tenant: &'a str,
                page: Keyset<String>,
            ) -> Reply<'a, Vec<ConnectionRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::page(session, &of, &page).await
                }))
            }

            fn connection<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
            ) -> Reply<'a, Option<ConnectionRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::one(session, &of, &id).await
                }))
            }

            fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome> {
                let tenant = record.tenant.clone();
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        rows::add(session, &record).await
                    })
                    .await
                })
            }

            fn save_connection(
                &self,
                record: ConnectionRecord,
                cause: Cause,
            ) -> Reply<'_, SaveOutcome> {
                let tenant = record.tenant.clone();
                Box::pin(async move {
                    self.administer(&tenant, cause, async move |session| {
                        rows::save(session, &record).await
                    })
                    .await
                })
            }

            fn delete_connection<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, bool> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                let act = Act::new(stamp, Target::Connection(id.clone()), Action::Deleted);
                Box::pin(self.administer(tenant, act, async move |session| {
                    rows::delete(session, &of, &id).await
                }))
            }

            fn claim_refresh<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                revision: u64,
                now: Timestamp,
                until: Timestamp,
            ) -> Reply<'a, bool> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.write_once(View::Tenant(tenant), async move |session| {
                    rows::claim_refresh(session, &of, &id, revision, now, until).await
                }))
            }

            fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()> {
                let tenant = pending.tenant.clone();
                Box::pin(async move {
                    self.write_once(View::Tenant(&tenant), async move |session| {
                        consents::begin_consent(session, &pending).await
                    })
                    .await
                })
            }

            fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    consents::finish_consent(session, &state).await
                }))
            }

            fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()> {
                let tenant = record.tenant.clone();
                Box::pin(async move {
                    self.write_once(View::Tenant(&tenant), async move |session| {
                        consents::keep_handle(session, &record).await
                    })
                    .await
                })
            }

            fn handle<'a>(
                &'a self,
                tenant: &'a str,
                handle: SecretHash,
            ) -> Reply<'a, Option<HandleRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    consents::handle(session, &of, handle).await
                }))
            }

            fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    consents::purge(session, now).await
                }))
            }
        }
    };
}

connections!(SqliteStore);
connections!(PostgresStore);
