//! `StartAgain`, and the runs of a list. Of a closed run, `GetItems` with its `Run` reads the items.

use serde::{Deserialize, Serialize};

use super::list::RunView;
use super::write::writing_calls;
use crate::context::Context;
use crate::progress::{Counts, State};

writing_calls! {
    /// `POST /StartAgain`: closes the run of a list, which is kept as it is, and begins the next one
    /// from the newest version of its template, or of the one that the context names.
    StartAgain {
        /// Why, for everybody to read; not blank.
        reason: String,
        /// The run to close: another one than the present one refuses the call. So a list that two
        /// programs start again at the same time starts again once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(minimum = 1))]
        run: Option<u32>,
    }
}

/// `POST /Runs`: the runs of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct GetRuns {
    /// Which list.
    pub context: Context,
    /// Only runs with a lower number, for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub before: Option<u32>,
}

/// The answer of `Runs`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Runs {
    /// At most 50, the newest first: the present one, then the closed ones. None of a list that was
    /// never written.
    pub runs: Vec<RunSummary>,
    /// What to pass as `Before` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A run in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunSummary {
    /// Which run, and who closed it.
    pub run: RunView,
    /// Its state; of a closed one that with which it was closed.
    pub state: State,
    /// How many items there are of each status.
    pub counts: Counts,
    /// The template that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// The version that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_version: Option<u32>,
}
