//! Runs of `ApplyTemplate`.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use crate::administration::{Act, Target, WriteEffect};
use crate::postgres::PostgresStore;
use crate::sql::{Dialect, View, template_runs as rows};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};
use crate::template_runs::{
    NewTemplateRun, RunListFilter, RunListRecord, TemplateRunPlan, TemplateRunRecord,
    TemplateRunWrite, TemplateRuns,
};
use crate::workflows::Lease;

impl WriteEffect for TemplateRunRecord {
    fn is_done(&self) -> bool {
        true
    }
}

/// Implements the trait for a store.
macro_rules! template_runs {
    ($store:ty) => {
        impl TemplateRuns for $store {
            fn begin_template_run(&self, run: NewTemplateRun) -> Reply<'_, TemplateRunRecord> {
                let tenant = run.tenant.clone();
                let stamp = Stamp {
                    actor: run.plan.actor.clone(),
                    at: run.at,
                };
                let target = Target::TemplateRun(run.id.clone());
                let act = Act::new(stamp, target, Action::Started);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        rows::begin(session, &run).await
                    })
                    .await
                })
            }

            fn template_run<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
            ) -> Reply<'a, Option<TemplateRunRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::one(session, &of, &id).await
                }))
            }

            fn template_runs<'a>(
                &'a self,
                tenant: &'a str,
                scope: Option<&'a str>,
                before: Option<&'a str>,
                limit: u32,
            ) -> Reply<'a, Vec<TemplateRunRecord>> {
                let of = tenant.to_owned();
                let (scope, before) = (scope.map(str::to_owned), before.map(str::to_owned));
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::page(session, &of, scope.as_deref(), before.as_deref(), limit).await
                }))
            }

            fn template_run_lists<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                which: RunListFilter,
            ) -> Reply<'a, Vec<RunListRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::lists(session, &of, &id, which).await
                }))
            }

            fn claim_template_run<'a>(
                &'a self,
                worker: &'a str,
                now: Timestamp,
                until: Timestamp,
            ) -> Reply<'a, Option<TemplateRunRecord>> {
                let worker = worker.to_owned();
                Box::pin(async move {
                    // Usually no run is due: then the single writer of SQLite is not needed.
                    if Self::DIALECT == Dialect::Sqlite {
                        let is_due = self.read_once(View::SignIn, async move |session| {
                            rows::is_due(session, now).await
                        });
                        if !is_due.await? {
                            return Ok(None);
                        }
                    }
                    self.write_once(View::SignIn, async move |session| {
                        rows::claim(session, &worker, now, until).await
                    })
                    .await
                })
            }

            fn end_stale_template_runs(&self) -> Reply<'_, ()> {
                Box::pin(async move {
                    if Self::DIALECT == Dialect::Postgres {
                        return Ok(());
                    }
                    self.write_once(View::SignIn, async |session| {
                        rows::end_leases(session).await
                    })
                    .await
                })
            }

            fn settle_template_run(
                &self,
                lease: Lease,
                write: TemplateRunWrite,
            ) -> Reply<'_, bool> {
                let tenant = lease.tenant.clone();
                Box::pin(async move {
                    self.write_rows(View::Tenant(&tenant), async move |session| {
                        rows::settle(session, &lease, &write).await
                    })
                    .await
                })
            }

            fn stop_template_run<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, Option<TemplateRunRecord>> {
                let (of, id, now) = (tenant.to_owned(), id.to_owned(), stamp.at);
                let act = Act::new(stamp, Target::TemplateRun(id.clone()), Action::Cancelled);
                Box::pin(self.administer(tenant, act, async move |session| {
                    rows::stop(session, &of, &id, now).await
                }))
            }

            fn resume_template_run<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                plan: TemplateRunPlan,
                scope: String,
                at: Timestamp,
            ) -> Reply<'a, Option<TemplateRunRecord>> {
                let (of, id) = (tenant.to_owned(), id.to_owned());
                let actor = plan.actor.clone();
                let target = Target::TemplateRun(id.clone());
                let act = Act::new(Stamp { actor, at }, target, Action::Started);
                Box::pin(self.administer(tenant, act, async move |session| {
                    rows::resume(session, &of, &id, (&plan, &scope), at).await
                }))
            }
        }
    };
}

template_runs!(SqliteStore);
template_runs!(PostgresStore);
