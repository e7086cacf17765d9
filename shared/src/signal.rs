//! Items whose status another system reports.
//!
//! A template binds an item to a signal: a source and the key that it has there. The item keeps what
//! the source has reported last, and its status follows, unless a person has overridden it: an override
//! is a status other than the reported one, with a reason. Invariants of lists: a report never takes the
//! place of a newer one, and nobody but the source and a person sets such a status.

use serde::{Deserialize, Serialize};

#[cfg(feature = "records")]
use crate::checklist::Checklist;
#[cfg(feature = "records")]
use crate::id::ItemId;
use crate::item::{Item, Status};
use crate::limits::Limits;
use crate::text::is_blank;
use crate::time::{Timestamp, exact_millis};

/// What a template item is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SignalBinding {
    /// The system that reports; 1 to 200 characters. An API key names the sources it may speak for.
    pub source: String,
    /// What the system calls it; 1 to 200 characters.
    pub key: String,
    /// After what time without a report the last one counts as out of date: an ISO 8601 duration of
    /// weeks, days, hours and minutes; never without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
}

/// The signal of an item, and what was reported last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Signal {
    /// The system that reports.
    pub source: String,
    /// What the system calls it.
    #[cfg(feature = "records")]
    pub key: String,
    /// After what time without a report the last one counts as out of date: an ISO 8601 duration.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
    /// The status that was reported last, `Open` or `Done`; absent before the first report. A person
    /// has overridden it where the item's `Status` is another one (`Open` before the first report).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The time that the report is about, from the clock of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// From when on the report is out of date; never without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_at: Option<Timestamp>,
}

impl Signal {
    /// A signal without a report.
    #[must_use]
    pub fn of(binding: &SignalBinding) -> Self {
        Self {
            source: binding.source.clone(),
            #[cfg(feature = "records")]
            key: binding.key.clone(),
            #[cfg(feature = "records")]
            stale_after: binding.stale_after.clone(),
            status: None,
            as_of: None,
            stale_at: None,
        }
    }

    /// The same before any report: what it has said no longer counts.
    #[must_use]
    pub(crate) fn forgetting(&self) -> Self {
        Self {
            status: None,
            as_of: None,
            stale_at: None,
            ..self.clone()
        }
    }

    /// The status that an item has by its signal.
    #[must_use]
    pub fn reported(&self) -> Status {
        self.status.unwrap_or_default()
    }
}

impl Item {
    /// Whether that status is another one than the signal of the item says.
    #[must_use]
    pub fn would_override(&self, status: Status) -> bool {
        (self.signal.as_ref()).is_some_and(|signal| signal.reported() != status)
    }

    /// Whether somebody has set another status than the signal of the item says.
    #[must_use]
    pub fn overrides_signal(&self) -> bool {
        self.would_override(self.status)
    }
}

impl SignalBinding {
    /// What is wrong with it: names of fields, each with a sentence.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let stale_after = self.stale_after.as_deref();
        [
            name_fault("Source", &self.source),
            name_fault("Key", &self.key),
            stale_after
                .is_some_and(|after| exact_millis(after).is_err())
                .then_some((
                    "StaleAfter",
                    "This is not a valid ISO 8601 duration of weeks, days, hours and minutes such as P2D or PT4H.",
                )),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// What is wrong with the name of a source or a key.
#[must_use]
pub fn name_fault(field: &'static str, name: &str) -> Option<(&'static str, &'static str)> {
    let fits = name.chars().count() <= Limits::IDENTIFIER && !is_blank(name);
    (!fits).then_some((field, "1 to 200 characters that can be seen."))
}

#[cfg(feature = "records")]
impl Signal {
    /// Whether it is that key of that source.
    #[must_use]
    pub fn is(&self, source: &str, key: &str) -> bool {
        self.source == source && self.key == key
    }

    /// The same after a report.
    #[must_use]
    pub(crate) fn reporting(&self, status: Status, as_of: Timestamp) -> Self {
        let stale_after = self.stale_after.as_deref();
        let stale_after = stale_after.and_then(|after| exact_millis(after).ok());
        let stale_at = stale_after.map(|millis| as_of.as_millis().saturating_add(millis));
        Self {
            status: Some(status),
            as_of: Some(as_of),
            stale_at: stale_at.map(Timestamp::from_millis),
            ..self.clone()
        }
    }

    /// The same as the template has it by now. The report of the same key of the same source stays.
    #[must_use]
    pub(crate) fn following(&self, binding: &SignalBinding) -> Self {
        let new = Self::of(binding);
        match (self.status, self.as_of) {
            (Some(status), Some(as_of)) if self.is(&binding.source, &binding.key) => {
                new.reporting(status, as_of)
            }
            _ => new,
        }
    }
}

/// The items of a list that are bound to a signal.
#[cfg(feature = "records")]
#[must_use]
pub fn bound_items(list: &Checklist, source: &str, key: &str) -> Vec<ItemId> {
    let is_bound = |item: &Item| {
        item.counts() && (item.signal.as_ref()).is_some_and(|signal| signal.is(source, key))
    };
    let bound = list.items.iter().filter(|item| is_bound(item));
    bound.map(|item| item.id).collect()
}
