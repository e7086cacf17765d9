//! Runs of workflows: the plan, the progress, the outcome of each computer, and the lease.
//!
//! A worker claims a run with a lease and a fence: each claim increases the fence, and the store
//! rejects writes with an older one. Every method is one transaction. For a run that does not
//! exist, or belongs to another tenant, it returns `None`.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::computer::ComputerField;
use checklist_shared::item::Actor;
use checklist_shared::problem::Problem;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{
    Candidate, Confirmation, FieldMapping, Outcome, OutcomeCounts, PlannedAction, RunState,
    RunStep, Waiting,
};
use serde::{Deserialize, Serialize};

use super::directory::SecretHash;
use super::initiator::Initiator;
use super::job_notifier::JobNotifier;
use super::store::{Reply, Stamp};

/// Runs of workflows.
pub trait Workflows: Send + Sync {
    /// Adds a run and audits it, unless its list has one that has not ended, or the operation is a repeat.
    /// Registers the tenant if necessary.
    fn begin_run(&self, run: NewRun) -> Reply<'_, BeginRunOutcome>;

    /// One of the tenant's runs.
    fn run<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<RunRecord>>;

    /// The tenant's runs, newest first. The page starts after `before`, with older ones.
    fn runs<'a>(
        &'a self,
        tenant: &'a str,
        before: Option<&'a str>,
        limit: u32,
    ) -> Reply<'a, Vec<RunRecord>>;

    /// Computers of a run, in the order of the selection.
    fn run_computers<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        which: RunRowFilter,
    ) -> Reply<'a, Vec<RowRecord>>;

    /// The steps of a run, in order.
    fn run_steps<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Vec<RunStep>>;

    /// Claims the run that has waited longest, or `only` this one. It has to be due, without a
    /// lease at `now`. Increases the fence; `worker`'s lease ends at `until`.
    fn claim_run<'a>(
        &'a self,
        worker: &'a str,
        only: Option<&'a str>,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Option<RunRecord>>;

    /// Ends the leases of an earlier process, if no other process can hold one: a file belongs to
    /// one server. Does nothing if several nodes share the store.
    fn end_stale_leases(&self) -> Reply<'_, ()>;

    /// Extends the lease of a run.
    fn extend_lease(&self, hold: Lease, until: Timestamp) -> Reply<'_, LeaseStatus>;

    /// Writes what the lease holder has found out, atomically.
    fn write_run(&self, hold: Lease, write: RunWrite) -> Reply<'_, LeaseStatus>;

    /// Requests the cancellation of a run, and audits it; `None` if it does not exist. A run that has
    /// ended does not change.
    fn cancel_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<RunRecord>>;

    /// Puts a run that waits or has ended back into the queue, if it still has that revision, and
    /// audits it.
    fn requeue_run(&self, requeue: Requeue) -> Reply<'_, RequeueOutcome>;

    /// The entries of a list that this tenant's exports have created or adopted.
    fn known_entries<'a>(&'a self, tenant: &'a str, list: &'a str)
    -> Reply<'a, Vec<ExportedEntry>>;

    /// The choices that people have made for computers of a list.
    fn run_choices<'a>(&'a self, tenant: &'a str, list: &'a str) -> Reply<'a, Vec<StoredChoice>>;

    /// Wakes this node's worker when any node has begun, requeued or cancelled a run.
    fn job_notifier(&self) -> Arc<JobNotifier>;
}

/// A run to add.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The tenant.
    pub tenant: String,
    /// Its id, a UUIDv7.
    pub id: String,
    /// Identifies the list among the tenant's lists.
    pub list_key: String,
    /// The operation id, to recognize a repeat, and the digest of its request.
    pub operation: Option<(String, SecretHash)>,
    /// The request.
    pub plan: RunPlan,
    /// What is already known about the list.
    pub progress: RunProgress,
    /// Ids and names of the selected computers.
    pub computers: Vec<(String, String)>,
    /// When it was requested.
    pub at: Timestamp,
}

/// The outcome of adding a run.
#[derive(Clone, Debug)]
pub enum BeginRunOutcome {
    /// It was added.
    New(Box<RunRecord>),
    /// The operation is a repeat; this is its run.
    Same(Box<RunRecord>),
    /// The operation id belongs to a different request.
    OperationReused,
    /// The list has a run that has not ended, with this id.
    Busy(String),
}

/// The request of a run; never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPlan {
    /// The id of the service connection.
    pub connection: String,
    /// Its name when the run began.
    pub connection_name: String,
    /// The list as the request named it.
    pub list: String,
    /// The column that holds the keys.
    pub key_column: String,
    /// Whether the request named that column. If so, it is never created.
    pub key_column_named: bool,
    /// Fields and their columns, by internal names.
    pub field_map: Vec<FieldMapping>,
    /// The fields that match entries made by hand.
    pub match_fields: Vec<ComputerField>,
    /// Whether the run writes nothing to the list.
    pub dry_run: bool,
    /// Who began it.
    pub actor: Actor,
    /// The credential that is checked again later: whether its owner is still permitted to do this.
    pub standing: Initiator,
}

/// The progress of a run, apart from the outcomes of its computers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunProgress {
    /// The list's id on the site.
    pub list_id: String,
    /// The list's title.
    pub list_title: String,
    /// The list's URL for people.
    pub list_url: Option<String>,
    /// The confirmation that the run waits for.
    pub confirmation: Option<Confirmation>,
    /// Whether a person has confirmed the first run.
    pub first_run_confirmed: bool,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// The number of failed passes in a row.
    pub failures: u32,
    /// The number of the newest step.
    pub steps: u32,
    /// The present outage of the site. Kept until a request succeeds, across restarts of the
    /// server.
    pub away: Option<SiteOutage>,
    /// What the run waits for; kept until the site answers.
    pub waiting: Option<Waiting>,
    /// How many more items the list claimed to have than could be read, at the last read.
    pub unread: u64,
}

impl RunProgress {
    /// The progress of a run that goes on: without what it waited for and what went wrong.
    #[must_use]
    pub fn resumed(&self) -> Self {
        Self {
            confirmation: None,
            problem: None,
            failures: 0,
            away: None,
            waiting: None,
            ..self.clone()
        }
    }
}

/// An outage of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteOutage {
    /// When it began.
    pub since: Timestamp,
    /// When the run fails if the outage lasts.
    pub give_up_at: Timestamp,
    /// The number of tries since then.
    pub tries: u32,
    /// The step that each try repeats until one gets past it.
    pub step: Option<u32>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// The tenant.
    pub tenant: String,
    /// Its id, a UUIDv7.
    pub id: String,
    /// Identifies the list among the tenant's lists.
    pub list_key: String,
    /// Its state.
    pub state: RunState,
    /// The request.
    pub plan: RunPlan,
    /// What it has found out.
    pub progress: RunProgress,
    /// The number of selected computers.
    pub total: u32,
    /// The outcomes so far.
    pub counts: OutcomeCounts,
    /// Whether a cancellation was requested.
    pub cancelling: bool,
    /// Increased by every claim.
    pub fence: u64,
    /// Incremented by every change.
    pub revision: u64,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// A computer of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRecord {
    /// Its position in the selection, from 0.
    pub place: u32,
    /// Its id in the inventory.
    pub computer: String,
    /// Its name when the run last read it.
    pub name: String,
    /// Its outcome.
    pub outcome: Option<Outcome>,
    /// The action that is about to be written, or waits for a confirmation. Kept until the outcome
    /// is certain: if an answer is lost, a fresh read and this action tell whether the write
    /// succeeded.
    pub planned: Option<PlannedAction>,
    /// Further details.
    pub detail: RowDetail,
    /// The number of attempts.
    pub attempts: u32,
    /// When the outcome was certain.
    pub settled_at: Option<Timestamp>,
}

/// Details of a computer of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RowDetail {
    /// The reason for the outcome, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The problem, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// The columns that were changed, or would be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The number of its entry in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<i64>,
    /// The URL of the entry for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// The entries that may be this computer's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Whether the planned write was sent, and may have succeeded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sent: bool,
    /// The action that a person has confirmed, and the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<(PlannedAction, i64)>,
}

/// Which computers of a run to read.
#[derive(Clone, Copy, Debug)]
pub struct RunRowFilter {
    /// The page starts after this position.
    pub after: Option<u32>,
    /// The maximum number of computers.
    pub limit: u32,
    /// Which outcomes to include.
    pub outcome: OutcomeFilter,
}

/// A filter by outcome.
#[derive(Clone, Copy, Debug)]
pub enum OutcomeFilter {
    /// All computers.
    Any,
    /// Computers without an outcome.
    None,
    /// Computers with this outcome.
    Only(Outcome),
}

impl RunRowFilter {
    /// Selects all computers without an outcome.
    #[must_use]
    pub const fn open() -> Self {
        Self {
            after: None,
            limit: u32::MAX,
            outcome: OutcomeFilter::None,
        }
    }
}

/// A worker's claim on a run; accompanies each of its writes.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The tenant.
    pub tenant: String,
    /// The id of the run.
    pub id: String,
    /// The fence of the claim.
    pub fence: u64,
    /// The time of the write.
    pub now: Timestamp,
}

/// Whether the worker still holds the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseStatus {
    /// It does, and the write was committed.
    Active {
        /// Whether a cancellation was requested.
        cancelling: bool,
    },
    /// Another worker has claimed the run; nothing was written.
    Lost,
}

/// A write by the lease holder.
#[derive(Clone, Debug, Default)]
pub struct RunWrite {
    /// The new state. A final state releases the list.
    pub state: Option<RunState>,
    /// The new progress.
    pub progress: Option<RunProgress>,
    /// Complete rows of computers, by position.
    pub rows: Vec<RowRecord>,
    /// A step, by its number: a new one, or one that has ended.
    pub step: Option<RunStep>,
    /// Entries that were created or adopted.
    pub entries: Vec<ExportedEntry>,
    /// Keys of entries that no longer exist.
    pub gone: Vec<String>,
    /// Releases the run until it is due again at this time.
    pub release: Option<Timestamp>,
}

/// An entry of a list that an export has created or adopted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedEntry {
    /// Its key.
    pub key: String,
    /// Its number in the list.
    pub item_id: i64,
    /// Whether it was adopted, which means that a person had created it.
    pub adopted: bool,
}

/// A person's choice for a computer of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChoice {
    /// The id of the computer.
    pub computer: String,
    /// Its entry; `None` for none of the candidates.
    pub item_id: Option<i64>,
}

/// A request to put a run back into the queue.
#[derive(Clone, Debug)]
pub struct Requeue {
    /// The tenant.
    pub tenant: String,
    /// The id of the run.
    pub id: String,
    /// The revision that the request is based on.
    pub revision: u64,
    /// The new progress.
    pub progress: RunProgress,
    /// Changed computers, each as a complete row.
    pub rows: Vec<RowRecord>,
    /// Choices for computers of the list.
    pub choices: Vec<StoredChoice>,
    /// Who requested it, and when.
    pub stamp: Stamp,
    /// What was requested: a confirmation, or another try.
    pub action: Action,
}

/// The outcome of putting a run back into the queue.
#[derive(Clone, Debug)]
pub enum RequeueOutcome {
    /// It is in the queue.
    Done(Box<RunRecord>),
    /// Its revision has changed.
    Changed,
    /// Its list has another active run, with this id.
    Busy(String),
}

/// Sums outcomes up, from the number of each.
#[must_use]
pub fn counts(found: &[(Outcome, u32)]) -> OutcomeCounts {
    let mut counts = OutcomeCounts::default();
    for (outcome, count) in found {
        *place_of(&mut counts, *outcome) = *count;
    }
    counts
}

/// The number of computers with an outcome.
#[must_use]
pub const fn settled(counts: &OutcomeCounts) -> u32 {
    counts.created
        + counts.updated
        + counts.adopted
        + counts.deleted
        + counts.unchanged
        + counts.not_present
        + counts.ambiguous
        + counts.skipped
        + counts.failed
}

const fn place_of(counts: &mut OutcomeCounts, outcome: Outcome) -> &mut u32 {
    match outcome {
        Outcome::Created => &mut counts.created,
        Outcome::Updated => &mut counts.updated,
        Outcome::Unchanged => &mut counts.unchanged,
        Outcome::Deleted => &mut counts.deleted,
        Outcome::NotPresent => &mut counts.not_present,
        Outcome::Adopted => &mut counts.adopted,
        Outcome::Ambiguous => &mut counts.ambiguous,
        Outcome::Skipped => &mut counts.skipped,
        Outcome::Failed => &mut counts.failed,
    }
}
