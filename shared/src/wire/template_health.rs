//! Statistics for each item of a template in the lists that follow it, and for the items that people add by hand.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// `GET /Templates/{id}/Health`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateHealth {
    /// The template.
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it was counted.
    pub at: Timestamp,
    /// The lists that were counted: written ones that follow the template, each with its present run.
    pub lists: u32,
    /// The most lists that are looked at: those of the newest version first, of each version the newest.
    pub at_most: u32,
    /// Whether there is more than was looked at: more lists, or lists whose history is too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Each item, in the order of the newest version; then those that only lists of older versions have.
    pub items: Vec<ItemHealth>,
    /// Items that were added by hand in several lists, the most frequent first, 100 at most. Absent for
    /// callers who may not read lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurring: Option<Vec<RecurringItem>>,
}

/// Statistics for one item of a template. Each figure is a number of lists, except `Reopened` and
/// `MedianSeconds`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemHealth {
    /// Its key.
    pub key: String,
    /// Its text in the newest version that has it.
    pub text: String,
    /// Whether the newest published version has it.
    pub is_current: bool,
    /// Lists that have the item: the sum of `Done`, `NotApplicable` and `Open`.
    pub lists: u32,
    /// Lists in which it is done.
    pub done: u32,
    /// Lists in which it is not applicable.
    pub not_applicable: u32,
    /// Lists in which it is open.
    pub open: u32,
    /// Lists in which a person has replaced its text, or changed its definition: its help, whether it is
    /// required, or its kind. Where it has become an information row, it counts here alone.
    pub edited: u32,
    /// Lists from which somebody has deleted it, as long as it can be restored (30 days).
    pub deleted: u32,
    /// How often it was set back to open, in all lists together.
    pub reopened: u32,
    /// Lists in which it was resolved after it was due.
    pub resolved_late: u32,
    /// Lists in which it is open and overdue.
    pub overdue: u32,
    /// The median time in seconds from the beginning of a list to when the item was first resolved there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_seconds: Option<u64>,
}

/// A text that was added by hand in several lists. Upper and lower case and the number of spaces make no
/// difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RecurringItem {
    /// The text, as it was written in the newest of the lists.
    pub text: String,
    /// In how many lists.
    pub lists: u32,
    /// The key of the item that has this text by now, in the newest version or, for authors, in the draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}
