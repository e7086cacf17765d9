//! Unsent operations in the browser's storage: they survive a reload, and a draft's history entry.
//!
//! Another version of this page may have written them, so entries that cannot be read are skipped one
//! by one, and the others are restored.

use checklist_shared::ItemId;
use serde::{Deserialize, Deserializer, Serialize};

use super::js;
use crate::model::operation::{Action, Operation};

/// The stored unsent operations of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct StoredOperations {
    /// The operations, in order.
    #[serde(deserialize_with = "readable")]
    pub operations: Vec<Operation>,
    /// The time of storing, in milliseconds since 1970.
    #[serde(skip_serializing_if = "is_default")]
    pub at: i64,
    /// Of a draft: where it stood.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// For a draft: the template keys of its rows, whose ids will be different next time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<(ItemId, String)>,
}

impl StoredOperations {
    /// Operations without a draft.
    #[must_use]
    pub fn of<'a>(operations: impl Iterator<Item = &'a Operation>) -> Self {
        Self {
            operations: operations.cloned().collect(),
            ..Self::default()
        }
    }

    /// As text, for the browser to keep.
    #[must_use]
    pub fn text(&self) -> String {
        js::text(self)
    }

    /// Reads back what was kept; nothing where it cannot be read at all.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut saved: Self = js::read_text(text).unwrap_or_default();
        saved.leave_out_refreshes();
        saved
    }

    /// A refresh was asked for by looking at a dry run that is gone after the reload.
    pub(super) fn leave_out_refreshes(&mut self) {
        self.operations
            .retain(|operation| !matches!(operation.action, Action::Refresh { .. }));
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// An entry, if it can be read.
struct Attempt<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Attempt<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(T::deserialize(deserializer).ok()))
    }
}

fn readable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Operation>, D::Error> {
    let entries = Vec::<Attempt<Operation>>::deserialize(deserializer)?;
    Ok(entries.into_iter().filter_map(|entry| entry.0).collect())
}
