//! The checklists of a tenant, found by object, purpose, template and state, and begun for many
//! objects at once.
//!
//! A list that was never written is no row of any store, so it is not among them until it is begun.

use serde::{Deserialize, Serialize};

use crate::checklist::ListMark;
use crate::context::Context;
use crate::problem::Problem;
use crate::progress::{Counts, State};
use crate::time::Timestamp;
use crate::wire::write::Outcome;

/// `GET /Lists`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FoundLists {
    /// The lists, by object id, object type and purpose.
    pub lists: Vec<FoundList>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A checklist in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FoundList {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// How often it was written.
    pub revision: u64,
    /// Whether it is completed, still open, waived or without items.
    pub state: State,
    /// How many items there are of each status.
    pub counts: Counts,
    /// The template that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// The version that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_version: Option<u32>,
    /// The newest published version of that template; absent where the list follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newer_version: Option<u32>,
    /// Set while nobody may change the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<ListMark>,
    /// Set while the list may pass although items are open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<ListMark>,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When one of its items was changed last.
    pub changed_at: Timestamp,
}

/// `POST /Lists`: begins lists from their templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct BeginLists {
    /// Which lists, 1 to 200.
    pub contexts: Vec<Context>,
}

/// The answer of `BeginLists`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct BegunLists {
    /// One entry for each context, in order.
    pub results: Vec<BegunList>,
}

/// What became of one context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct BegunList {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// `Created`; `Unchanged` where the list had been written before; `Failed`.
    pub outcome: Outcome,
    /// Why it was not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}
