//! The computers that a person has chosen, whatever page of the inventory shows them.
//!
//! They are kept for the tab, so that neither a search nor a reload nor the way to the form of the
//! export loses them. Changed by the table of computers, read by the form of the export.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// So many computers go into one run.
pub const MOST: usize = 10_000;

/// Ids of computers, in the order in which they were chosen, each of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Selection {
    ids: Vec<String>,
    known: HashSet<String>,
}

impl Selection {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nothing is chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Whether a computer is chosen.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.known.contains(id)
    }

    /// Chooses a computer, or lets go of it.
    pub fn set(&mut self, id: &str, chosen: bool) {
        if chosen {
            self.add([id.to_owned()]);
        } else if self.known.remove(id) {
            self.ids.retain(|one| one != id);
        }
    }

    /// Chooses many computers beside those that are chosen already.
    pub fn add(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            if self.known.insert(id.clone()) {
                self.ids.push(id);
            }
        }
    }

    /// Lets go of many computers.
    pub fn remove(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            self.known.remove(&id);
        }
        let known = &self.known;
        self.ids.retain(|id| known.contains(id));
    }

    /// Lets go of all of them.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.known.clear();
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
mod kept {
    use checklist_control::browser::{StorageArea, keep, recall};

    use super::Selection;

    /// Under this name the tab keeps it.
    const NAME: &str = "checklist-computers";

    impl Selection {
        /// What the tab has kept.
        #[must_use]
        pub fn recalled() -> Self {
            let kept = recall(StorageArea::Tab, NAME);
            let selection = kept.first().map(|(_, text)| serde_json::from_str(text));
            selection.and_then(Result::ok).unwrap_or_default()
        }

        /// Keeps it for the tab.
        pub fn keep(&self) {
            let text = serde_json::to_string(self).unwrap_or_default();
            keep(
                StorageArea::Tab,
                NAME,
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
    fn each_computer_is_chosen_once_and_in_the_order_of_choosing() {
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
    fn what_the_tab_keeps_is_a_list_of_ids() {
        let kept = serde_json::to_string(&of(&["b", "a"])).unwrap();
        assert_eq!(kept, r#"["b","a"]"#);
        let again: Selection = serde_json::from_str(&kept).unwrap();
        assert_eq!(again, of(&["b", "a"]));
    }
}
