//! Searches the list: which rows remain visible while the search field is not empty.
//!
//! It only affects the display, and ends when the field is cleared: every row comes back.
//! Nothing disappears by itself: rows that matched, or were added or moved by this person, remain until
//! the search text changes; rows that start to match are shown too.

use std::sync::Arc;

use checklist_shared::ItemId;

use crate::i18n::fill;
use crate::letters::lower_case;
use crate::model::arrange::Groups;
use crate::model::effect::Effect;
use crate::model::list::DirtyRows;
use crate::model::search::{Filter, matching_items};
use crate::model::state::Model;

/// From so many rows on a list can be searched.
const OFFERED_FROM: usize = 30;

impl Model {
    /// Shows the rows that have those words; all of them where there are none.
    pub(super) fn search(&mut self, text: String) {
        let wanted = lower_case(&text);
        let words: Vec<String> = wanted.split_whitespace().map(str::to_owned).collect();
        let was_searching = self.card.search.filter.is_some();
        self.card.search.text = text;
        self.card.search.filter = (!words.is_empty()).then(|| {
            let mut rows = matching_items(&self.list, self.list.order().iter(), &words);
            rows.sort_unstable();
            Arc::new(Filter { words, rows })
        });
        let is_searching = self.card.search.filter.is_some();
        if was_searching != is_searching && self.expand_for_search(is_searching) {
            self.draw(DirtyRows {
                ids: Vec::new(),
                structural: true,
            });
        }
        self.prune_selection();
        self.count_found();
        self.effects.push(Effect::DrawFace);
        if is_searching {
            let found = self.found_sentence();
            self.say(found);
        }
    }

    /// How many rows were found, in a few words.
    fn found_sentence(&self) -> String {
        let search = &self.card.search;
        if search.found == 0 {
            return self.texts().no_matches().to_owned();
        }
        let number = |n| self.mode.words.number(n);
        let (found, total) = (number(search.found), number(search.total));
        let values = [("done", found.as_str()), ("total", &total)];
        fill(self.texts().count_of(), &values)
    }

    /// Keeps those rows on the screen, whatever is searched for.
    pub(super) fn show_while_searching(&mut self, ids: &[ItemId]) {
        let Some(filter) = &self.card.search.filter else {
            return;
        };
        let new = ids.iter().filter(|id| !filter.shows(**id));
        let mut rows: Vec<ItemId> = new.copied().collect();
        if rows.is_empty() {
            return;
        }
        rows.extend(&filter.rows);
        rows.sort_unstable();
        let words = filter.words.clone();
        self.card.search.filter = Some(Arc::new(Filter { words, rows }));
        self.count_found();
        self.effects.push(Effect::DrawFace);
    }

    /// Rows have changed: those that match now are shown as well.
    pub(super) fn follow_search(&mut self, affected: &DirtyRows) {
        if let Some(filter) = &self.card.search.filter {
            let ids = if affected.structural {
                self.list.order()
            } else {
                &affected.ids
            };
            let hidden = ids.iter().filter(|id| !filter.shows(**id));
            let found = matching_items(&self.list, hidden, &filter.words);
            self.show_while_searching(&found);
        }
        if affected.structural {
            self.count_found();
        }
    }

    fn count_found(&mut self) {
        let count = |groups: &Groups| groups.iter().map(|(_, rows)| rows.len()).sum::<usize>();
        let all = count(&self.groups) + count(&self.folded);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let search = &mut self.card.search;
        search.is_offered |= all >= OFFERED_FROM;
        search.total = number(count(&self.groups));
        let Some(filter) = &search.filter else {
            search.found = search.total;
            return;
        };
        let rows = self.groups.iter().flat_map(|(_, rows)| rows);
        search.found = number(rows.filter(|id| filter.shows(**id)).count());
    }
}
