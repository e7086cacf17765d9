//! The history of one item: what was done to it, by whom and when.
//!
//! It is read from the audit trail, so it cannot be altered later, but without the parts that are
//! only for auditors (hashes, sequence numbers of the tenant, operation ids).

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::event::What;
use crate::id::ItemId;
use crate::item::{Actor, Basis};
use crate::time::Timestamp;

/// `POST /GetItemHistory`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct GetItemHistory {
    /// Which list.
    pub context: Context,
    /// Which item; deleted ones too.
    pub id: ItemId,
    /// The `Next` of the page before; without it the newest come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How many: 1 to 200, 50 unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// What was done to an item, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemHistory {
    /// One entry for each thing that was done. What a template brought has none until somebody
    /// changes it.
    pub entries: Vec<ItemHistoryEntry>,
    /// What to pass as `After` for the page after this one; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// One thing that was done to an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemHistoryEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub what: What,
    /// The item's text at that moment.
    pub text: String,
    /// The value before, where one value changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value after; of a status the reason, else the answer, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Of an assignee: the id before, where it is not the name in `Before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_id: Option<String>,
    /// Of an assignee: the id after, where it is not the name in `After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_id: Option<String>,
    /// For a status: how sure the wording is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The list's revision that this made; what was done in one operation has the same.
    pub revision: u64,
}
