//! GetItems: the state of a list, for one context or many.

use serde::{Deserialize, Serialize};

use super::item::ItemView;
use crate::checklist::ListMark;
use crate::context::Context;
use crate::definition::DefinitionFields;
#[cfg(feature = "records")]
use crate::facts::Facts;
use crate::id::ItemId;
use crate::permission::Permissions;
use crate::problem::{Problem, Warning};
use crate::progress::{Counts, State};
use crate::time::Timestamp;

/// `POST /GetItems`: exactly one of `Context` and `Contexts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct GetItems {
    /// One list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Many lists, at most 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<Context>>,
    /// Send only what changed since that revision (with `Context` alone).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_revision: Option<u64>,
    /// The reader's language; else Accept-Language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// With or without items.
    #[serde(default)]
    pub view: View,
    /// Read that run of the list (with `Context` alone, and without `SinceRevision`); else the present
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub run: Option<u32>,
    /// Send the deleted items too, as `Deleted`; needs the permission Delete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub include_deleted: bool,
}

/// How much of a list to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum View {
    /// With items.
    #[default]
    Full,
    /// State and counts only.
    Summary,
}

/// The answer for one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListAnswer {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// 0 while it was never written.
    pub revision: u64,
    /// The state.
    pub state: State,
    /// True only for `Complete`.
    pub completed: bool,
    /// The counts.
    pub counts: Counts,
    /// The first items that keep it from being complete.
    pub blockers: Vec<Blocker>,
    /// The items in display order; absent in a summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ItemView>>,
    /// Ids deleted since `SinceRevision`.
    pub removed: Vec<ItemId>,
    /// With `IncludeDeleted`: all deleted items that are still kept, the last deleted first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<Vec<ItemView>>,
    /// Whether `Items` holds only what changed since `SinceRevision`.
    pub delta: bool,
    /// The list's name in the reader's language, from its template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The template it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// The version it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_version: Option<u32>,
    /// What a refresh would bring: by a newer version, by facts of the caller that are not those of the
    /// list, or by both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_update: Option<TemplateUpdate>,
    /// Unless it is a summary: the facts by which items apply. Absent where there are none.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// Which items count.
    pub completion_rule: crate::template::CompletionRule,
    /// What of the definition of its template's items people who may edit may change; of items that
    /// people or programs have added, all. Absent means nothing.
    #[serde(
        default,
        skip_serializing_if = "DefinitionFields::is_empty",
        deserialize_with = "DefinitionFields::known_of"
    )]
    pub changeable: DefinitionFields,
    /// Set while nobody may change the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<ListMark>,
    /// Set while the list may pass although items are open: who waived it, when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<ListMark>,
    /// Which run of the list it is; absent for the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunView>,
    /// What a reader should know of how the list is set up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What the caller may do.
    #[serde(deserialize_with = "Permissions::known_of")]
    pub permissions: Permissions,
    /// How much fits in.
    pub limits: LimitsView,
}

/// A run of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RunView {
    /// Which run of the list it is; the first one is 1.
    pub number: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// Who closed it, when and why; absent for the present one. Of a closed run the list is locked,
    /// and `Permissions` has no more than `Read` and `Audit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<ListMark>,
}

/// An item that keeps a list from being complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Blocker {
    /// The item.
    pub id: ItemId,
    /// Its text in the reader's language.
    pub text: String,
}

/// What a refresh would bring to this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateUpdate {
    /// The version that the list follows.
    pub from_version: u32,
    /// The newest published one; the same where the caller's facts alone differ.
    pub to_version: u32,
    /// Items that would be added.
    pub added: u32,
    /// Items that would change.
    pub changed: u32,
    /// Items that would be removed or retired.
    pub removed: u32,
}

/// The limits of a list, as a client needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LimitsView {
    /// Items of the list.
    pub items: ItemLimit,
    /// Longest text, in characters.
    pub text: u32,
    /// Longest help.
    pub help: u32,
    /// Longest note or reason.
    pub note: u32,
    /// Most items or contexts in a request.
    pub batch: u32,
}

/// How many items a list may hold and holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemLimit {
    /// The limit.
    pub max: u32,
    /// From here on a client should warn.
    pub warn_at: u32,
    /// How many there are.
    pub used: u32,
}

/// The answer to `Contexts`: an answer or a problem each, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListAnswers {
    /// One entry for each context asked for.
    pub results: Vec<ListResult>,
}

/// One entry of a batched answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ListResult {
    /// The list.
    List(Box<ListAnswer>),
    /// Why there is none.
    Problem(Problem),
}
