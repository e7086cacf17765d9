//! `ApplyTemplate`: the request, its runs, and what became of each list.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::names::names;
use crate::problem::Problem;
use crate::progress::State;
use crate::time::Timestamp;

/// `POST /ApplyTemplate`: appends the items of a template to many lists. Either `Contexts` or
/// `Filter`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ApplyTemplate {
    /// The id of the template. The run applies the version that is published when it begins.
    pub template: String,
    /// Which lists, 1 to 10,000. One that was never written is begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<Context>>,
    /// Which of the lists that were written, 10,000 at most; an empty filter means all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<WrittenLists>,
    /// Only say what would happen; nothing is written.
    #[serde(default)]
    pub dry_run: bool,
}

/// Lists that were written, found as `ListLists` finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct WrittenLists {
    /// Only lists of that object type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// Only lists of objects whose id begins with this text; upper and lower case differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_id: Option<String>,
    /// Only lists of that purpose; the empty text finds the default lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Only lists that follow the template of that id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Only lists in that state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

names! {
    /// How far a run of `ApplyTemplate` is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum TemplateRunState {
        /// Accepted; a worker will take it.
        Queued,
        /// A worker is at it.
        Running,
        /// Somebody stopped it; what was done stays done, and it can be resumed.
        Stopped,
        /// Every list has an outcome.
        Completed,
        /// It could not go on; it can be resumed.
        Failed,
    }
}

impl TemplateRunState {
    /// Whether nothing more happens by itself.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

names! {
    /// What became of a list, or would.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum ApplyOutcome {
        /// Items were appended.
        Appended,
        /// It was never written, and was begun with the items.
        Begun,
        /// It has all of the items, or follows the template.
        Unchanged,
        /// Nothing was changed; `Problem` says why.
        Skipped,
    }
}

/// How many lists there are of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ApplyCounts {
    /// `Appended`.
    pub appended: u32,
    /// `Begun`.
    pub begun: u32,
    /// `Unchanged`.
    pub unchanged: u32,
    /// `Skipped`.
    pub skipped: u32,
    /// The new items of all lists.
    pub items: u64,
}

impl ApplyCounts {
    /// Counts one list with that many new items.
    pub fn count(&mut self, outcome: ApplyOutcome, items: u32) {
        *match outcome {
            ApplyOutcome::Appended => &mut self.appended,
            ApplyOutcome::Begun => &mut self.begun,
            ApplyOutcome::Unchanged => &mut self.unchanged,
            ApplyOutcome::Skipped => &mut self.skipped,
        } += 1;
        self.items += u64::from(items);
    }

    /// How many lists have an outcome.
    #[must_use]
    pub const fn settled(&self) -> u32 {
        self.appended + self.begun + self.unchanged + self.skipped
    }
}

/// A run of `ApplyTemplate`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateRun {
    /// Its id; also the `OperationId` of what it does to each list, which whoever ran it can take back
    /// within a day with `Undo`.
    pub id: String,
    /// The template that is applied.
    pub template: String,
    /// The version of it.
    pub template_version: u32,
    /// How far it is.
    pub state: TemplateRunState,
    /// How many lists it is about.
    pub total: u32,
    /// How many of them have an outcome.
    pub settled: u32,
    /// How many there are of each outcome.
    pub counts: ApplyCounts,
    /// Whether a stop was requested and has not taken effect yet.
    #[serde(default)]
    pub stopping: bool,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// Who started it, or resumed it last.
    pub started_by: String,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}

/// `GET /ApplyTemplate/Runs`: the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateRuns {
    /// The runs.
    pub runs: Vec<TemplateRun>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// `GET /ApplyTemplate/Runs/{id}`: a run, with a page of its lists in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateRunAnswer {
    /// The run.
    #[serde(flatten)]
    pub run: TemplateRun,
    /// The lists.
    pub lists: Vec<AppliedList>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A list, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AppliedList {
    /// Its place in the request, from 0.
    pub index: u32,
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// What became of it; absent until then. In a dry run: what would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<ApplyOutcome>,
    /// How many new items it has.
    #[serde(default)]
    pub items: u32,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// The answer to a dry run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ApplyPreview {
    /// The template that would be applied.
    pub template: String,
    /// The version of it.
    pub template_version: u32,
    /// How many lists there are.
    pub total: u32,
    /// What would become of them.
    pub counts: ApplyCounts,
    /// The first 100 of them; those that would be skipped come first.
    pub lists: Vec<AppliedList>,
}
