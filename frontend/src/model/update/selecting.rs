//! The selection: which rows, and how a person selects them.
//!
//! It only affects the display. Only visible rows can be selected: rows that become hidden,
//! collapsed, filtered out, deleted or retired leave the selection at once, so that nothing
//! is changed that the person cannot see.

use checklist_shared::ItemId;

use crate::i18n::{fill, plural};
use crate::model::arrange::RETIRED;
use crate::model::effect::{Effect, Focus};
use crate::model::list::text_of;
use crate::model::selecting::{SelectionChange, SelectionSummary};
use crate::model::state::Model;

impl Model {
    /// The rows that are selected, in the order of the list.
    #[must_use]
    pub fn selected_rows(&self) -> Vec<ItemId> {
        let rows = self.selectable_rows().into_iter();
        rows.filter(|id| self.selection.contains(*id)).collect()
    }

    /// Changes what is selected, and says so.
    pub(super) fn pick(&mut self, pick: SelectionChange) {
        if !self.mode.selects() {
            return;
        }
        let rows = self.selectable_rows();
        let anchor = self.selection.anchor.filter(|id| rows.contains(id));
        let mut ids = self.selection.ids.clone();
        match pick {
            SelectionChange::Toggle(id) if rows.contains(&id) => {
                if self.selection.contains(id) {
                    ids.retain(|there| *there != id);
                } else {
                    ids.push(id);
                }
                self.selection.anchor = Some(id);
            }
            SelectionChange::Range(from, to) => {
                let place = |id| rows.iter().position(|row| *row == id);
                let Some(to) = place(to) else { return };
                let from = anchor.or(Some(from)).and_then(place).unwrap_or(to);
                self.selection.anchor = rows.get(from).copied();
                let range = rows.get(from.min(to)..=from.max(to));
                ids = range.unwrap_or_default().to_vec();
            }
            SelectionChange::All => {
                self.selection.anchor = anchor.or_else(|| rows.first().copied());
                ids = rows;
            }
            SelectionChange::Toggle(_) => return,
            SelectionChange::Clear | SelectionChange::Leave => ids.clear(),
        }
        self.select(ids);
        self.say_selection(pick);
        if pick == SelectionChange::Leave {
            let row = anchor.map_or(Focus::First(".box, .row button"), Focus::Row);
            self.effects.push(Effect::Focus(row));
        }
    }

    /// What can no longer be seen, or changed, is not selected any more.
    pub(super) fn prune_selection(&mut self) {
        if self.selection.ids.is_empty() {
            return;
        }
        let mut ids = Vec::new();
        if self.mode.selects() {
            ids = self.selectable_rows();
            ids.retain(|id| self.selection.contains(*id));
        }
        if ids.len() < self.selection.ids.len() {
            self.select(ids);
        }
    }

    /// Brings what the bar shows up to date.
    pub(super) fn show_selection(&mut self) {
        let count = self.selection.ids.len();
        let before = std::mem::take(&mut self.card.selected);
        self.card.selected = SelectionSummary {
            count: u32::try_from(count).unwrap_or(u32::MAX),
            too_many: count > self.list.meta.limits.batch,
            assignee: before.assignee.filter(|_| count > 0),
            suggestions: before.suggestions.filter(|_| count > 0),
        };
    }

    fn select(&mut self, mut ids: Vec<ItemId>) {
        ids.sort_unstable();
        let before = std::mem::replace(&mut self.selection.ids, ids);
        if self.selection.ids.is_empty() {
            self.selection.anchor = None;
        }
        let selection = &self.selection;
        let gone = before.iter().filter(|id| !selection.contains(**id));
        let new = selection.ids.iter();
        let new = new.filter(|id| before.binary_search(id).is_err());
        let changed: Vec<ItemId> = gone.chain(new).copied().collect();
        for id in changed {
            let is_selected = self.selection.contains(id);
            self.rows.change(id, |row| row.selected = is_selected);
            self.effects.push(Effect::DrawRow(id));
        }
        self.show_selection();
        self.effects.push(Effect::DrawFace);
    }

    fn say_selection(&mut self, pick: SelectionChange) {
        let texts = self.texts();
        let count = self.card.selected.count;
        if count == 0 {
            self.say(texts.said_cleared().to_owned());
            return;
        }
        let counted = plural(self.mode.words, texts.selected_count(), count, &[]);
        let row = match pick {
            SelectionChange::Toggle(id) | SelectionChange::Range(_, id) => self.list.live(id),
            SelectionChange::All | SelectionChange::Clear | SelectionChange::Leave => None,
        };
        let said = row.map(|item| {
            let text = if self.selection.contains(item.id) {
                texts.said_selected()
            } else {
                texts.said_deselected()
            };
            fill(text, &[("text", text_of(item))])
        });
        let said = [said.unwrap_or_default(), counted].join(" ");
        self.say(said.trim().to_owned());
    }

    /// The rows that can be selected, in the order of the screen.
    pub(super) fn selectable_rows(&self) -> Vec<ItemId> {
        let search = &self.card.search;
        let shown = self.groups.iter().filter(|(key, _)| *key != RETIRED);
        let rows = shown.flat_map(|(_, rows)| rows).copied();
        rows.filter(|id| !search.hides(*id)).collect()
    }
}
