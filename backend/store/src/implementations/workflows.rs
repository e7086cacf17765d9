//! Runs of workflows.
//!
//! A claim and the extension of a lease are single statements, as workers run them often.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::RunStep;

use crate::administration::{Act, Target};
use crate::job_notifier::JobNotifier;
use crate::postgres::PostgresStore;
use crate::sql::{Dialect, View, run_rows, run_writes, runs};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};
use crate::workflows::{
    BeginRunOutcome, ExportedEntry, Lease, LeaseStatus, NewRun, Requeue, RequeueOutcome, RowRecord,
    RunRecord, RunRowFilter, RunWrite, StoredChoice, Workflows,
};

/// Implements the trait for a store.
macro_rules! workflows {
    ($store:ty) => {
        impl Workflows for $store {
            fn begin_run(&self, run: NewRun) -> Reply<'_, BeginRunOutcome> {
                let tenant = run.tenant.clone();
                let stamp = Stamp {
                    actor: run.plan.actor.clone(),
                    at: run.at,
                };
                let act = Act::new(stamp, Target::Run(run.id.clone()), Action::Started);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        run_writes::begin(session, &run).await
                    })
                    .await
                })
            }

            fn run<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<RunRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    runs::one(session, &of, &id).await
                }))
            }

            fn runs<'a>(
                &'a self,
                tenant: &'a str,
                before: Option<&'a str>,
                limit: u32,
            ) -> Reply<'a, Vec<RunRecord>> {
                let (of, before) = (tenant.to_owned(), before.map(str::to_owned));
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    runs::page(session, &of, before.as_deref(), limit).await
                }))
            }

            fn run_computers<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                which: RunRowFilter,
            ) -> Reply<'a, Vec<RowRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    run_rows::computers(session, &of, &id, which).await
                }))
            }

            fn run_steps<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Vec<RunStep>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    run_rows::steps(session, &of, &id).await
                }))
            }

            fn claim_run<'a>(
                &'a self,
                worker: &'a str,
                only: Option<&'a str>,
                now: Timestamp,
                until: Timestamp,
            ) -> Reply<'a, Option<RunRecord>> {
                let (worker, only) = (worker.to_owned(), only.map(str::to_owned));
                Box::pin(async move {
                    // Usually no run is due: then the single writer of SQLite is not needed.
                    if Self::DIALECT == Dialect::Sqlite {
                        let only = only.clone();
                        let is_due = self.read_once(View::SignIn, async move |session| {
                            runs::is_due(session, only.as_deref(), now).await
                        });
                        if !is_due.await? {
                            return Ok(None);
                        }
                    }
                    self.write_once(View::SignIn, async move |session| {
                        runs::claim(session, &worker, only.as_deref(), now, until).await
                    })
                    .await
                })
            }

            fn end_stale_leases(&self) -> Reply<'_, ()> {
                Box::pin(async move {
                    if Self::DIALECT == Dialect::Postgres {
                        return Ok(());
                    }
                    self.write_once(View::SignIn, async |session| {
                        runs::end_leases(session).await
                    })
                    .await
                })
            }

            fn extend_lease(&self, hold: Lease, until: Timestamp) -> Reply<'_, LeaseStatus> {
                let tenant = hold.tenant.clone();
                Box::pin(async move {
                    self.write_once(View::Tenant(&tenant), async move |session| {
                        runs::extend_lease(session, &hold, until).await
                    })
                    .await
                })
            }

            fn write_run(&self, hold: Lease, write: RunWrite) -> Reply<'_, LeaseStatus> {
                let tenant = hold.tenant.clone();
                Box::pin(async move {
                    self.write_rows(View::Tenant(&tenant), async move |session| {
                        run_writes::write(session, &hold, &write).await
                    })
                    .await
                })
            }

            fn cancel_run<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, Option<RunRecord>> {
                let (of, id, now) = (tenant.to_owned(), id.to_owned(), stamp.at);
                let act = Act::new(stamp, Target::Run(id.clone()), Action::Cancelled);
                Box::pin(self.administer(tenant, act, async move |session| {
                    run_writes::cancel(session, &of, &id, now).await
                }))
            }

            fn requeue_run(&self, requeue: Requeue) -> Reply<'_, RequeueOutcome> {
                let tenant = requeue.tenant.clone();
                let target = Target::Run(requeue.id.clone());
                let act = Act::new(requeue.stamp.clone(), target, requeue.action);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        run_writes::requeue(session, &requeue).await
                    })
                    .await
                })
            }

            fn known_entries<'a>(
                &'a self,
                tenant: &'a str,
                list: &'a str,
            ) -> Reply<'a, Vec<ExportedEntry>> {
                let (of, list) = (tenant.to_owned(), list.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    run_rows::entries(session, &of, &list).await
                }))
            }

            fn run_choices<'a>(
                &'a self,
                tenant: &'a str,
                list: &'a str,
            ) -> Reply<'a, Vec<StoredChoice>> {
                let (of, list) = (tenant.to_owned(), list.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    run_rows::choices(session, &of, &list).await
                }))
            }

            fn job_notifier(&self) -> Arc<JobNotifier> {
                self.notifier_of_jobs()
            }
        }
    };
}

workflows!(SqliteStore);
workflows!(PostgresStore);
