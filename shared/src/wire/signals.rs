//! What other systems report about items that are bound to their signals.

use serde::{Deserialize, Serialize};

use crate::change::{Change, NewReport};
use crate::context::Context;
use crate::id::ItemId;
use crate::item::Status;
use crate::problem::{ItemProblem, Problem};
use crate::proposal::Evidence;
use crate::time::Timestamp;
use crate::wire::write::Outcome;

/// `POST /Signals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SendSignals {
    /// What is reported, 1 to 200; each is taken for itself.
    pub signals: Vec<SignalReport>,
}

/// A report about the items of one list that are bound to one signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SignalReport {
    /// Which list.
    pub context: Context,
    /// The system that reports: one that the API key may speak for.
    pub source: String,
    /// What the system calls it.
    pub key: String,
    /// `Open` or `Done`.
    pub status: Status,
    /// The time that the report is about, from the clock of the source; at most five minutes ahead.
    pub as_of: Timestamp,
    /// What supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// The answer of `SendSignals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SentSignals {
    /// One entry for each report, in order.
    pub results: Vec<SentSignal>,
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SentSignal {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// The system that reported.
    pub source: String,
    /// What the system calls it.
    pub key: String,
    /// `Updated` if an item has taken the report, `Unchanged` if none had to, because a newer one or the
    /// same is there, else `Failed`.
    pub outcome: Outcome,
    /// The items that are bound to the signal, each with what became of the report there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<SignalledItem>,
    /// Why the report was not taken at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// What became of a report at an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SignalledItem {
    /// Which item.
    pub id: ItemId,
    /// `Updated`, `Unchanged` or `Failed`. The status of an `Updated` item is what it was where a person
    /// has overridden the signal.
    pub outcome: Outcome,
    /// Why it was not taken there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ItemProblem>,
}

impl SignalReport {
    /// What it changes in an item that is bound to the signal.
    #[must_use]
    pub fn into_change(self, id: ItemId) -> Change {
        Change::Report(Box::new(NewReport {
            id,
            status: self.status,
            as_of: self.as_of,
            evidence: self.evidence,
        }))
    }
}
