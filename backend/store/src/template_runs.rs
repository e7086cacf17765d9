//! Runs of `ApplyTemplate`: the plan, the outcome of each list, and the lease.
//!
//! A worker claims a run with a lease and a fence for one chunk of lists: each claim increases the
//! fence, and outcomes with an older one are rejected. What a list was given is decided by the list
//! itself, so two workers at the same lists do nothing twice. Every method is one transaction.

use checklist_shared::context::Context;
use checklist_shared::item::Actor;
use checklist_shared::problem::Problem;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::apply::{ApplyCounts, ApplyOutcome, TemplateRunState};
use serde::{Deserialize, Serialize};

use super::initiator::Initiator;
use super::store::{Reply, Stamp};
use super::workflows::Lease;

/// Runs of `ApplyTemplate`.
pub trait TemplateRuns: Send + Sync {
    /// Adds a run and audits it. Registers the tenant if necessary.
    fn begin_template_run(&self, run: NewTemplateRun) -> Reply<'_, TemplateRunRecord>;

    /// One of the tenant's runs.
    fn template_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<TemplateRunRecord>>;

    /// The tenant's runs, or those of `scope`, newest first. The page starts after `before`, with
    /// older ones.
    fn template_runs<'a>(
        &'a self,
        tenant: &'a str,
        scope: Option<&'a str>,
        before: Option<&'a str>,
        limit: u32,
    ) -> Reply<'a, Vec<TemplateRunRecord>>;

    /// Lists of a run, in the order of the request.
    fn template_run_lists<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        which: RunListFilter,
    ) -> Reply<'a, Vec<RunListRecord>>;

    /// Claims the run that has waited longest for its turn, if no lease holds it at `now`. Increases
    /// the fence; `worker`'s lease ends at `until`.
    fn claim_template_run<'a>(
        &'a self,
        worker: &'a str,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Option<TemplateRunRecord>>;

    /// Ends the leases of an earlier process, if no other process can hold one.
    fn end_stale_template_runs(&self) -> Reply<'_, ()>;

    /// Stores outcomes and releases the run; `false`, and nothing is written, if it was claimed anew or
    /// ended since.
    fn settle_template_run(&self, lease: Lease, write: TemplateRunWrite) -> Reply<'_, bool>;

    /// Has a run stop after the chunk that a worker is at, and audits it; `None` if it has ended.
    fn stop_template_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<TemplateRunRecord>>;

    /// Queues a run again that was stopped or failed, from now on by that plan and for that scope, and
    /// audits it; `None` if it is in another state.
    fn resume_template_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        plan: TemplateRunPlan,
        scope: String,
        at: Timestamp,
    ) -> Reply<'a, Option<TemplateRunRecord>>;
}

/// A run to add.
#[derive(Clone, Debug)]
pub struct NewTemplateRun {
    /// The tenant.
    pub tenant: String,
    /// Its id, a UUIDv7.
    pub id: String,
    /// Whose it is: the caller's, as operation ids are scoped.
    pub scope: String,
    /// The request.
    pub plan: TemplateRunPlan,
    /// The lists.
    pub contexts: Vec<Context>,
    /// When it was requested.
    pub at: Timestamp,
}

/// What is applied, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateRunPlan {
    /// The template.
    pub template: String,
    /// Its version.
    pub version: u32,
    /// Who began the run, or resumed it last.
    pub actor: Actor,
    /// Their credential, that is checked again later.
    pub standing: Initiator,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateRunRecord {
    /// The tenant.
    pub tenant: String,
    /// Its id, a UUIDv7.
    pub id: String,
    /// Whose it is.
    pub scope: String,
    /// Its state.
    pub state: TemplateRunState,
    /// The request.
    pub plan: TemplateRunPlan,
    /// The number of lists.
    pub total: u32,
    /// The outcomes so far.
    pub counts: ApplyCounts,
    /// Whether a stop was requested.
    pub stopping: bool,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// Increased by every claim.
    pub fence: u64,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// A list of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunListRecord {
    /// Its position in the request, from 0.
    pub place: u32,
    /// The list.
    pub context: Context,
    /// Its outcome.
    pub outcome: Option<ApplyOutcome>,
    /// How many items it was given.
    pub items: u32,
    /// Why it was skipped.
    pub problem: Option<Problem>,
}

/// Which lists of a run to read.
#[derive(Clone, Copy, Debug)]
pub struct RunListFilter {
    /// The page starts after this position.
    pub after: Option<u32>,
    /// The maximum number of lists.
    pub limit: u32,
    /// Which outcomes to include.
    pub outcome: ListOutcomeFilter,
}

/// A filter by outcome.
#[derive(Clone, Copy, Debug)]
pub enum ListOutcomeFilter {
    /// All lists.
    Any,
    /// Lists without an outcome.
    None,
    /// Lists with this outcome.
    Only(ApplyOutcome),
}

/// What a worker has done with its chunk.
#[derive(Clone, Debug)]
pub struct TemplateRunWrite {
    /// The state that follows; if a stop was requested, the run is stopped instead of running on.
    pub state: TemplateRunState,
    /// The outcomes of all chunks.
    pub counts: ApplyCounts,
    /// The outcomes of this one.
    pub lists: Vec<RunListRecord>,
    /// Why it failed.
    pub problem: Option<Problem>,
}
