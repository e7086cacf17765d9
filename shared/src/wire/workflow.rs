//! Runs of the example workflow `VENDOR_SITE_Example_ComputerExport`: the request, the progress of a
//! run, and the outcome of each computer.

use serde::{Deserialize, Serialize};

use crate::computer::ComputerField;
use crate::names::names;
use crate::problem::Problem;
use crate::time::Timestamp;

/// The name of the example workflow.
pub const COMPUTER_EXPORT: &str = "VENDOR_SITE_Example_ComputerExport";

/// The column that holds the key of an entry, unless the run names another.
pub const SYNC_KEY: &str = "SyncKey";

/// `POST /VENDOR_SITE_Example_ComputerExport/Runs`: export these computers, and no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct StartRun {
    /// A service connection by its id. Credentials and handles are refused: they do not last as
    /// long as a run may.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub service_connection: ConnectionReference,
    /// The list, by title or id.
    pub list: String,
    /// The selected computers, 1 to 10,000 ids.
    pub computer_ids: Vec<String>,
    /// Which field goes to which column; without it the default for the columns that the list
    /// has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_map: Option<Vec<FieldMapping>>,
    /// By what entries made by hand are found, in this order: `SerialNumber`, else `Name`. An
    /// empty list finds none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_fields: Option<Vec<ComputerField>>,
    /// An existing text column, indexed and unique, that holds the keys instead of `SyncKey`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_column: Option<String>,
    /// Only say what would happen; nothing is written.
    #[serde(default)]
    pub dry_run: bool,
    /// Whoever repeats the call with the same id gets the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
}

/// What a request names as its connection. Only the id of a service connection is accepted; the
/// other shapes of the activities are understood in order to be refused with a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ConnectionReference {
    /// The id of a service connection.
    Id(String),
    /// A connection with credentials of its own, or a handle.
    Other {},
}

impl Default for ConnectionReference {
    fn default() -> Self {
        Self::Id(String::new())
    }
}

/// One line of a field map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct FieldMapping {
    /// The computer's field.
    pub field: ComputerField,
    /// The list's column, by internal name or by the name that people see.
    pub column: String,
}

names! {
    /// How far a run is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum RunState {
        /// Accepted; a worker will take it.
        Queued,
        /// A worker is at it.
        Running,
        /// Everything that needs no confirmation is done; a person has to confirm the rest.
        AwaitingConfirmation,
        /// Done. Single computers may have failed.
        Completed,
        /// Somebody stopped it; what was done stays done.
        Cancelled,
        /// It could not go on; nothing more was written than the outcomes say.
        Failed,
    }
}

impl RunState {
    /// Whether nothing more will happen by itself or by a confirmation.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Failed)
    }
}

/// What became of a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
// There is an `Outcome` of an item, too; schemas share one list of names.
#[cfg_attr(feature = "openapi", schema(as = ComputerOutcome))]
pub enum Outcome {
    /// It had no entry and has one now.
    Created,
    /// Its entry was changed.
    Updated,
    /// Its entry is as it should be.
    Unchanged,
    /// It is scrapped, and its entry is gone.
    Deleted,
    /// It is scrapped, and had no entry.
    NotPresent,
    /// An entry made by hand has become its own.
    Adopted,
    /// Several entries could be its own, or one could belong to several; nothing was written.
    Ambiguous,
    /// It was left out: the run was cancelled, or what it needs was not confirmed.
    Skipped,
    /// It could not be done.
    Failed,
}

impl Outcome {
    /// All of them, in the order in which people see them.
    pub const ALL: [Self; 9] = [
        Self::Created,
        Self::Updated,
        Self::Adopted,
        Self::Deleted,
        Self::Unchanged,
        Self::NotPresent,
        Self::Ambiguous,
        Self::Skipped,
        Self::Failed,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "Created",
            Self::Updated => "Updated",
            Self::Unchanged => "Unchanged",
            Self::Deleted => "Deleted",
            Self::NotPresent => "NotPresent",
            Self::Adopted => "Adopted",
            Self::Ambiguous => "Ambiguous",
            Self::Skipped => "Skipped",
            Self::Failed => "Failed",
        }
    }

    /// Back from the name on the wire.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// How many computers have come to which outcome; in a dry run: would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the outcomes, which are documented there")]
pub struct OutcomeCounts {
    pub created: u32,
    pub updated: u32,
    pub adopted: u32,
    pub deleted: u32,
    pub unchanged: u32,
    pub not_present: u32,
    pub ambiguous: u32,
    pub skipped: u32,
    pub failed: u32,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Run {
    /// Its id (UUID).
    pub id: String,
    /// The workflow: `VENDOR_SITE_Example_ComputerExport`.
    pub workflow: String,
    /// How far it is.
    pub state: RunState,
    /// The id of the service connection.
    pub service_connection: String,
    /// That connection's name when the run began.
    pub connection_name: String,
    /// The list, as it was asked for.
    pub list: String,
    /// The list's title and address for people, once it was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_url: Option<String>,
    /// The column that holds the keys.
    pub key_column: String,
    /// Which field goes to which column (internal names).
    pub field_map: Vec<FieldMapping>,
    /// By what entries made by hand are found.
    pub match_fields: Vec<ComputerField>,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// How many computers were selected.
    pub total: u32,
    /// How many of them have an outcome.
    pub settled: u32,
    /// Their outcomes.
    pub counts: OutcomeCounts,
    /// What waits for a confirmation, while `State` is `AwaitingConfirmation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// Why it does not go on at the moment, while `State` is `Running`: the site asks to be left
    /// alone, or is away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// Whether somebody has asked it to stop.
    pub cancelling: bool,
    /// Who began it.
    pub started_by: String,
    /// Grows with every change.
    pub revision: u64,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}

/// Why a run that has begun does not go on at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum WaitingReason {
    /// The site asks to be left alone.
    Throttled,
    /// The site does not answer, or a gateway answers that it is not there.
    SiteUnreachable,
    /// What the site has answered makes another look necessary, after a short pause.
    Retry,
}

/// What a run waits for. It goes on by itself; whoever does not want that cancels it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Waiting {
    /// Why.
    pub reason: WaitingReason,
    /// The same in a sentence, as far as possible in the site's own words.
    pub detail: String,
    /// Since when the site is away, or asks to be left alone.
    pub since: Timestamp,
    /// When the run tries again. Once that is past, it is trying.
    pub until: Timestamp,
    /// When the run fails if the site is not there by then; absent where it does not wait for the
    /// site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub give_up_at: Option<Timestamp>,
}

/// What a person has to confirm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Confirmation {
    /// Entries made by hand that would be adopted.
    pub adoptions: u32,
    /// Entries that would be deleted.
    pub deletes: u32,
    /// Of those, how many were adopted once, or are not known to be made by an export.
    pub adopted_deletes: u32,
    /// Entries of the list that carry a key of ours, in all.
    pub own_entries: u32,
    /// Whether this is the first run on a list with entries made by hand: then nothing at all was
    /// written so far.
    pub first_run: bool,
}

/// `POST /Runs/{id}/Confirm`: what is confirmed; the rest is skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ConfirmRun {
    /// The number of adoptions that was shown; another number is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adoptions: Option<u32>,
    /// The number of deletes that was shown; another number is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletes: Option<u32>,
    /// Choices for ambiguous computers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

/// The entry that a person has chosen for a computer; kept for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Choice {
    /// The computer.
    pub computer_id: String,
    /// One of its candidates; absent: none of them, it gets an entry of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<i64>,
}

/// `GET /Runs`: the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunsPage {
    /// The runs.
    pub runs: Vec<Run>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// `GET /Runs/{id}`: a run, with a page of its computers in the order in which they were selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunAnswer {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// The computers.
    pub computers: Vec<RunComputer>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// What the run did, step by step.
    pub steps: Vec<RunStep>,
}

names! {
    /// What a run has in mind for a computer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    #[expect(missing_docs, reason = "the four writes there are")]
    pub enum PlannedAction {
        Create,
        Update,
        Adopt,
        Delete,
    }
}

impl PlannedAction {
    /// What it comes to.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Create => Outcome::Created,
            Self::Update => Outcome::Updated,
            Self::Adopt => Outcome::Adopted,
            Self::Delete => Outcome::Deleted,
        }
    }
}

/// One computer of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunComputer {
    /// Its place in the selection, from 0.
    pub index: u32,
    /// Its id in the inventory.
    pub computer_id: String,
    /// Its name when the run looked at it.
    pub name: String,
    /// What became of it; absent until that is certain. In a dry run: what would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What the run is about to write, or waits to have confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<PlannedAction>,
    /// Why, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong, where something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// The columns that were changed, or would be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The entry in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<i64>,
    /// Where people see that entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// The entries that it could be, when it is `Ambiguous`, or the one to be adopted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// How often it was tried.
    pub attempts: u32,
    /// When the outcome was certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
}

/// An entry that a computer could be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Candidate {
    /// The entry.
    pub item_id: i64,
    /// Its title.
    pub title: String,
    /// By which field it was found.
    pub matched_by: ComputerField,
    /// Where people see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}

/// One step of a run, for those who want to know what took so long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunStep {
    /// Its number in the run, from 1.
    pub number: u32,
    /// `Establish`, `Read`, `Decide`, `Write` or `Confirm`.
    pub name: String,
    /// What it did, in a sentence.
    pub detail: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; absent when it was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}
