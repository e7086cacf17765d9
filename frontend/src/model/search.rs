//! A search: its words, and the rows that have them.

use std::sync::Arc;

use checklist_shared::ItemId;
use checklist_shared::item::Item;

use super::item_fields::DetailField;
use super::list::{ListState, resolve};
use crate::letters::lower_case;

/// Separates the texts of two items.
const END: char = '\0';

/// The state of a search, for views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Whether the list is long enough for it; once it was, the field stays.
    pub is_offered: bool,
    /// The text in the field.
    pub text: String,
    /// Which rows that leaves on the screen; `None`: all.
    pub filter: Option<Arc<Filter>>,
    /// The number of matching rows.
    pub found: u32,
    /// The number of rows in the list.
    pub total: u32,
}

/// The rows that a search leaves visible.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// What is searched for: words in lower case, all of which a row has to have.
    pub words: Vec<String>,
    /// The rows that have them, sorted.
    pub(super) rows: Vec<ItemId>,
}

impl Filter {
    /// Whether a row is shown.
    #[must_use]
    pub fn shows(&self, id: ItemId) -> bool {
        self.rows.binary_search(&id).is_ok()
    }
}

impl Search {
    /// Whether a row is kept from the screen.
    #[must_use]
    pub fn hides(&self, id: ItemId) -> bool {
        self.filter.as_ref().is_some_and(|filter| !filter.shows(id))
    }
}

/// The items that have every word in their text, their details or in the heading above them.
pub(super) fn matching_items<'a>(
    list: &ListState,
    items: impl Iterator<Item = &'a ItemId>,
    words: &[String],
) -> Vec<ItemId> {
    let items: Vec<&Item> = items.filter_map(|id| list.live(*id)).collect();
    // One text for all of them, see `lower_case`.
    let mut texts = String::new();
    for item in &items {
        let section = item.parent_id.and_then(|id| list.live(id));
        let details = DetailField::searched(item);
        let texts_of = [Some(*item), section].into_iter().flatten();
        let parts = texts_of.map(|item| resolve(&item.text));
        for part in parts.chain(details.into_iter().flatten().map(String::as_str)) {
            texts.push_str(part);
            texts.push('\n');
        }
        texts.push(END);
    }
    let texts = lower_case(&texts);
    let has_all = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
    let found = items.iter().zip(texts.split(END));
    let found = found.filter(|(_, text)| has_all(text));
    found.map(|(item, _)| item.id).collect()
}
