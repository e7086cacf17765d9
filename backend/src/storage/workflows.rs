//! Runs of workflows: what was asked for, what became of each computer, who is at it.
//!
//! The part of a store that a run lives in. A worker holds a run by a lease and a fence: claiming
//! raises the fence, and what an earlier holder still wants to write is refused. Every method is
//! one transaction; a run that is not there, or is another tenant's, is `None`.

use std::sync::Arc;

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
use super::job_notifier::JobNotifier;
use super::store::Reply;

/// Runs of workflows.
pub trait Workflows: Send + Sync {
    /// Keeps a new run, unless its list has one that has not ended, or its operation is known. A
    /// tenant that was never written is written along.
    fn begin_run(&self, run: NewRun) -> Reply<'_, BeginRunOutcome>;

    /// One of the tenant's runs.
    fn run<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<RunRecord>>;

    /// The tenant's runs, the newest first, those older than `before`.
    fn runs<'a>(
        &'a self,
        tenant: &'a str,
        before: Option<&'a str>,
        limit: u32,
    ) -> Reply<'a, Vec<RunRecord>>;

    /// Computers of a run in the order of their places.
    fn run_computers<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        which: RunRowFilter,
    ) -> Reply<'a, Vec<RowRecord>>;

    /// What a run did, step by step.
    fn run_steps<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Vec<RunStep>>;

    /// Takes the run that has waited longest, or `only` this one: it is due, and nobody holds it at
    /// `now`. Its fence is raised, and it is `worker`'s until `until`.
    fn claim_run<'a>(
        &'a self,
        worker: &'a str,
        only: Option<&'a str>,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Option<RunRecord>>;

    /// Ends the leases of workers of an earlier life, where nobody else can hold one: a file that
    /// belongs to one server alone. Does nothing where several nodes share the store.
    fn end_stale_leases(&self) -> Reply<'_, ()>;

    /// Goes on holding a run until then.
    fn extend_lease(&self, hold: Lease, until: Timestamp) -> Reply<'_, LeaseStatus>;

    /// Writes what the holder of a run has found out, all of it or nothing.
    fn write_run(&self, hold: Lease, write: RunWrite) -> Reply<'_, LeaseStatus>;

    /// Asks a run to stop; `None` when there is no such run. One that has ended stays as it is.
    fn cancel_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        now: Timestamp,
    ) -> Reply<'a, Option<RunRecord>>;

    /// Lets a run go on that waits, or has ended: its revision has to be that one still.
    fn requeue_run(&self, requeue: Requeue) -> Reply<'_, RequeueOutcome>;

    /// The entries of a list that exports of this tenant have made or adopted.
    fn known_entries<'a>(&'a self, tenant: &'a str, list: &'a str)
    -> Reply<'a, Vec<ExportedEntry>>;

    /// What people have chosen for computers of a list.
    fn run_choices<'a>(&'a self, tenant: &'a str, list: &'a str) -> Reply<'a, Vec<StoredChoice>>;

    /// Wakes this node's worker when a run was begun, requeued or cancelled, by whichever node.
    fn job_notifier(&self) -> Arc<JobNotifier>;
}

/// A run that is to begin.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// Whose.
    pub tenant: String,
    /// Its id, a UUIDv7.
    pub id: String,
    /// What the list is told apart by.
    pub list_key: String,
    /// What a repeated call is known by, and what was asked for then.
    pub operation: Option<(String, SecretHash)>,
    /// What was asked for.
    pub plan: RunPlan,
    /// What is known of the list already.
    pub progress: RunProgress,
    /// The selected computers with their names.
    pub computers: Vec<(String, String)>,
    /// When.
    pub at: Timestamp,
}

/// What became of a run that was to begin.
#[derive(Clone, Debug)]
pub enum BeginRunOutcome {
    /// It has begun.
    New(Box<RunRecord>),
    /// The same call has begun it before.
    Same(Box<RunRecord>),
    /// That operation was another call.
    OperationReused,
    /// The list has a run that has not ended.
    Busy(String),
}

/// What was asked for; never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPlan {
    /// The service connection.
    pub connection: String,
    /// Its name when the run began.
    pub connection_name: String,
    /// The list as it was asked for.
    pub list: String,
    /// The column that holds the keys.
    pub key_column: String,
    /// Whether the caller has named that column, so that it is not made.
    pub key_column_named: bool,
    /// Fields and columns, by internal names.
    pub field_map: Vec<FieldMapping>,
    /// By what entries made by hand are found.
    pub match_fields: Vec<ComputerField>,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// Who began it.
    pub actor: Actor,
    /// By what it is known later whether that person may still do this.
    pub standing: RunInitiator,
}

/// By what it is known later whether whoever began a run may still do so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunInitiator {
    /// The operator of the server.
    Operator,
    /// A program, by its key.
    ApiKey(SecretHash),
    /// A person of an identity provider, registered here.
    Person {
        /// The identity provider, where it is known.
        issuer: Option<String>,
        /// The person there.
        subject: String,
    },
}

/// How far a run is, beside the outcomes of its computers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunProgress {
    /// The list's id on the site.
    pub list_id: String,
    /// The list's title.
    pub list_title: String,
    /// The list's address for people.
    pub list_url: Option<String>,
    /// What waits for a person.
    pub confirmation: Option<Confirmation>,
    /// Whether a person has let a first run go on.
    pub first_run_confirmed: bool,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// How many passes in a row came to nothing.
    pub failures: u32,
    /// The number of the newest step.
    pub steps: u32,
    /// Since when the site is away, where it is; kept until something is done there again, across
    /// restarts of the server.
    pub away: Option<SiteOutage>,
    /// What the run waits for; kept until the site answers.
    pub waiting: Option<Waiting>,
    /// How many items more than could be read the list said to have, when it was read last.
    pub unread: u64,
}

/// A site that is away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteOutage {
    /// When that was noticed.
    pub since: Timestamp,
    /// When the run fails if it stays so.
    pub give_up_at: Timestamp,
    /// How often it was asked since.
    pub tries: u32,
    /// The step that each try repeats, where none comes further than to it.
    pub step: Option<u32>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// Whose.
    pub tenant: String,
    /// Its id.
    pub id: String,
    /// What the list is told apart by.
    pub list_key: String,
    /// How far it is.
    pub state: RunState,
    /// What was asked for.
    pub plan: RunPlan,
    /// What it has found out.
    pub progress: RunProgress,
    /// How many computers were selected.
    pub total: u32,
    /// The outcomes so far.
    pub counts: OutcomeCounts,
    /// Whether somebody has asked it to stop.
    pub cancelling: bool,
    /// Grows with every claim.
    pub fence: u64,
    /// Grows with every change.
    pub revision: u64,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// A computer of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRecord {
    /// Its place in the selection, from 0.
    pub place: u32,
    /// Its id in the inventory.
    pub computer: String,
    /// Its name when the run looked at it.
    pub name: String,
    /// What became of it.
    pub outcome: Option<Outcome>,
    /// What is about to be written, or waits for a person. Kept until the outcome is certain: with
    /// a fresh read it tells what an answer that was lost would have said.
    pub planned: Option<PlannedAction>,
    /// Everything else there is to tell.
    pub detail: RowDetail,
    /// How often it was tried.
    pub attempts: u32,
    /// When the outcome was certain.
    pub settled_at: Option<Timestamp>,
}

/// What there is to tell of a computer of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RowDetail {
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// The columns that were changed, or would be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<i64>,
    /// Where people see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// The entries that it could be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Whether a write of what is planned was begun, and may have been carried out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sent: bool,
    /// What a person has confirmed: this action, with this entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<(PlannedAction, i64)>,
}

/// Which computers of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunRowFilter {
    /// From the one after this place.
    pub after: Option<u32>,
    /// At most so many.
    pub limit: u32,
    /// Those with this outcome, those with none, or all.
    pub outcome: OutcomeFilter,
}

/// Which outcome.
#[derive(Clone, Copy, Debug)]
pub enum OutcomeFilter {
    /// Whatever it is.
    Any,
    /// None yet.
    None,
    /// This one.
    Only(Outcome),
}

impl RunRowFilter {
    /// All that have no outcome.
    #[must_use]
    pub const fn open() -> Self {
        Self {
            after: None,
            limit: u32::MAX,
            outcome: OutcomeFilter::None,
        }
    }
}

/// Who writes: the run, and the fence that it was claimed with.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Whose.
    pub tenant: String,
    /// Which.
    pub id: String,
    /// The fence of the claim.
    pub fence: u64,
    /// When.
    pub now: Timestamp,
}

/// Whether the writer holds the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseStatus {
    /// It does, and what was to be written is written.
    Active {
        /// Whether somebody has asked the run to stop.
        cancelling: bool,
    },
    /// Another worker has taken the run over; nothing was written.
    Lost,
}

/// What the holder of a run writes.
#[derive(Clone, Debug, Default)]
pub struct RunWrite {
    /// Another state. An end frees the list.
    pub state: Option<RunState>,
    /// What the run has found out.
    pub progress: Option<RunProgress>,
    /// Computers, each whole, by their places.
    pub rows: Vec<RowRecord>,
    /// A step, by its number: a new one, or one that has ended.
    pub step: Option<RunStep>,
    /// Entries that were made or adopted.
    pub entries: Vec<ExportedEntry>,
    /// Keys of entries that are gone.
    pub gone: Vec<String>,
    /// Lets the run go, until it is due again at this time.
    pub release: Option<Timestamp>,
}

/// An entry of a list that an export has made, or adopted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedEntry {
    /// Its key.
    pub key: String,
    /// Its number in the list.
    pub item_id: i64,
    /// Whether a person had made it.
    pub adopted: bool,
}

/// What a person has chosen for a computer of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChoice {
    /// The computer.
    pub computer: String,
    /// Its entry; `None` for none of those that there were.
    pub item_id: Option<i64>,
}

/// Lets a run go on.
#[derive(Clone, Debug)]
pub struct Requeue {
    /// Whose.
    pub tenant: String,
    /// Which.
    pub id: String,
    /// The revision that was decided on.
    pub revision: u64,
    /// What is known of it from here on.
    pub progress: RunProgress,
    /// Computers that change, each whole.
    pub rows: Vec<RowRecord>,
    /// What was chosen for computers of the list.
    pub choices: Vec<StoredChoice>,
    /// When.
    pub at: Timestamp,
}

/// What became of a run that was to go on.
#[derive(Clone, Debug)]
pub enum RequeueOutcome {
    /// It goes on.
    Done(Box<RunRecord>),
    /// It has changed meanwhile.
    Changed,
    /// Its list has another run by now.
    Busy(String),
}

/// The counts of outcomes, from so many of each.
#[must_use]
pub fn counts(found: &[(Outcome, u32)]) -> OutcomeCounts {
    let mut counts = OutcomeCounts::default();
    for (outcome, count) in found {
        *place_of(&mut counts, *outcome) = *count;
    }
    counts
}

/// How many computers have an outcome.
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
