//! The computers that are selected, whatever the inventory is searched for.
//!
//! They are stored for the tab, so that neither a search nor a reload nor opening the form of the
//! export loses them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// How many computers fit into one run.
pub const MAX_RUN_SIZE: usize = 10_000;

/// Ids of computers, in the order in which they were selected, each of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Selection {
    ids: Vec<String>,
    members: HashSet<String>,
}

impl Selection {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Whether a computer is selected.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.members.contains(id)
    }

    /// Selects or deselects a computer.
    pub fn set(&mut self, id: &str, is_selected: bool) {
        if is_selected {
            self.add([id.to_owned()]);
        } else if self.members.remove(id) {
            self.ids.retain(|one| one != id);
        }
    }

    /// Selects computers beside those that are selected already.
    pub fn add(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            if self.members.insert(id.clone()) {
                self.ids.push(id);
            }
        }
    }

    /// Deselects computers.
    pub fn remove(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            self.members.remove(&id);
        }
        let members = &self.members;
        self.ids.retain(|id| members.contains(id));
    }

    /// Deselects all of them.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.members.clear();
    }
}

impl From<Vec<String>> for Selection {
    fn from(ids: Vec<String>) -> Self {
        let mut selection = Self::default();
        selection.add(ids);
        selection
    }
}

impl From<Selection> for Vec<String> {
    fn from(selection: Selection) -> Self {
        selection.ids
    }
}

#[cfg(target_arch = "wasm32")]
mod storage {
    use checklist_control::browser::{StorageArea, keep, recall};

    use super::Selection;

    /// The key in the storage of the tab.
    const KEY: &str = "checklist-computers";

    impl Selection {
        /// The selection that is stored for the tab.
        #[must_use]
        pub fn recall() -> Self {
            let stored = recall(StorageArea::Tab, KEY);
            let selection = stored.first().map(|(_, text)| serde_json::from_str(text));
            selection.and_then(Result::ok).unwrap_or_default()
        }

        /// Stores it for the tab.
        pub fn store(&self) {
            let text = serde_json::to_string(self).unwrap_or_default();
            keep(
                StorageArea::Tab,
                KEY,
                (!self.is_empty()).then_some(text.as_str()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ids: &[&str]) -> Selection {
        Selection::from(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn each_computer_is_selected_once_and_in_the_order_of_selecting() {
        let mut selection = of(&["b", "a", "b"]);
        selection.set("c", true);
        selection.set("a", true);
        assert_eq!(selection.ids(), ["b", "a", "c"]);
        selection.set("b", false);
        selection.set("nothing", false);
        assert_eq!(selection, of(&["a", "c"]));
        assert!(selection.has("a") && !selection.has("b"));
        selection.remove(["c".to_owned(), "x".to_owned()]);
        assert_eq!(selection.ids(), ["a"]);
        selection.clear();
        assert!(selection.is_empty());
    }

    #[test]
    fn a_list_of_ids_is_stored_for_the_tab() {
        let stored = serde_json::to_string(&of(&["b", "a"])).unwrap();
        assert_eq!(stored, r#"["b","a"]"#);
        let again: Selection = serde_json::from_str(&stored).unwrap();
        assert_eq!(again, of(&["b", "a"]));
    }
}
