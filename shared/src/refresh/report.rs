//! What a refresh has changed, case by case.

use std::collections::HashSet;

use crate::change::Session;
use crate::event::Event;
use crate::id::ItemId;
use crate::item::Item;
use crate::wire::list::TemplateUpdate;
use crate::wire::write::{RefreshCase, RefreshChange};

/// The result of a refresh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Case by case, for the caller.
    pub changes: Vec<RefreshChange>,
    /// For journal and audit; empty when nothing changed.
    pub events: Vec<Event>,
}

impl Refreshed {
    /// How many items would be added, changed and removed.
    #[must_use]
    pub fn count(&self, from_version: u32, to_version: u32) -> TemplateUpdate {
        use RefreshCase as Case;
        let distinct = |wanted: fn(Case) -> bool| {
            let keys: HashSet<&str> = self
                .changes
                .iter()
                .filter(|change| wanted(change.case))
                .map(|change| change.template_key.as_str())
                .collect();
            u32::try_from(keys.len()).unwrap_or(u32::MAX)
        };
        let added = |case| matches!(case, Case::Added | Case::Returned | Case::Resurrected);
        let removed = |case| matches!(case, Case::Removed | Case::Retired);
        TemplateUpdate {
            from_version,
            to_version,
            added: distinct(added),
            changed: distinct(|case| {
                !matches!(
                    case,
                    Case::Added
                        | Case::Returned
                        | Case::Resurrected
                        | Case::Removed
                        | Case::Retired
                )
            }),
            removed: distinct(removed),
        }
    }
}

/// The text of an item as the person who refreshes reads it.
pub(super) fn wording(item: &Item, session: &Session<'_>) -> String {
    item.text.resolve(session.languages).to_owned()
}

/// Describes a change for the caller.
pub(super) fn change(
    case: RefreshCase,
    key: &str,
    id: ItemId,
    before: Option<String>,
    after: Option<String>,
) -> RefreshChange {
    RefreshChange {
        case,
        template_key: key.to_owned(),
        id: Some(id),
        before,
        after,
    }
}
