//! Hides completed items and the rows of collapsed sections.
//!
//! It only affects the display: counts, completion and sending do not depend on it. Nothing
//! disappears by itself: only items are hidden that were completed when the list was opened or when the
//! viewer chose to hide them; items that are completed later stay until the viewer hides them too.

use checklist_shared::ItemId;

use crate::model::arrange::arrange;
use crate::model::effect::{Effect, Focus};
use crate::model::list::DirtyRows;
use crate::model::search::Search;
use crate::model::sentences::count_sentence;
use crate::model::state::Model;
use crate::model::visibility::{ViewChoice, Visibility, VisibilityView, is_done};

impl Model {
    /// Hides what is done by now, if that is wanted.
    pub(super) fn hide_done_by_now(&mut self) {
        let items = self.list.list.items.iter().filter(|item| item.is_live());
        self.view.hidden = if self.hides_done() {
            items
                .filter(|item| is_done(item))
                .map(|item| item.id)
                .collect()
        } else {
            Vec::new()
        };
        self.view.hidden.sort_unstable();
    }

    /// The viewer hides what is done, or shows it again.
    pub(super) fn set_hides_done(&mut self, hides: bool) {
        self.view.choice.hide_done = Some(hides);
        self.keep_view();
        self.hide_done_by_now();
        self.draw_view();
        let said = if hides {
            self.hidden_sentence()
        } else {
            count_of_list(self)
        };
        self.say(said);
        self.effects
            .push(Effect::Focus(Focus::First(".done-items button")));
    }

    /// The viewer collapses a section, or expands it again.
    pub(super) fn set_collapsed(&mut self, section: ItemId, is_collapsed: bool) {
        let view = &mut self.view;
        let is_lasting = view.searching.is_none();
        let collapsed = view.searching.as_mut();
        let collapsed = collapsed.unwrap_or(&mut view.choice.collapsed);
        collapsed.retain(|id| *id != section);
        if is_collapsed {
            collapsed.push(section);
        }
        if is_lasting {
            self.keep_view();
        }
        self.draw_view();
    }

    /// Shows every row while the page is printed, and then hides the same ones as before.
    pub(super) fn print(&mut self, is_printing: bool) {
        self.view.is_printing = is_printing;
        let all = DirtyRows {
            ids: Vec::new(),
            structural: true,
        };
        self.arrange(&all);
        self.effects.push(Effect::DrawCalmly(all));
        self.effects.push(Effect::DrawFace);
    }

    /// Expands a section, if it is collapsed.
    pub(super) fn expand(&mut self, section: ItemId) {
        if self.view.collapsed_sections().contains(&section) {
            self.set_collapsed(section, false);
        }
    }

    /// Expands all sections during a search; returns whether that changes anything.
    pub(super) fn expand_for_search(&mut self, is_searching: bool) -> bool {
        let before = self.view.collapsed_sections().to_vec();
        self.view.searching = is_searching.then(Vec::new);
        before != self.view.collapsed_sections()
    }

    /// Shows an item that is about to get the focus.
    pub(super) fn reveal(&mut self, id: ItemId) {
        self.show_while_searching(&[id]);
        if !self.is_folded(id) {
            return;
        }
        if let Ok(at) = self.view.hidden.binary_search(&id) {
            self.view.hidden.remove(at);
        }
        if let Some(section) = self.list.live(id).and_then(|item| item.parent_id) {
            self.expand(section);
        }
        self.draw_view();
    }

    /// Whether the row of an item is there, but not shown.
    #[must_use]
    pub fn is_folded(&self, id: ItemId) -> bool {
        self.card.search.hides(id) || self.folded.iter().any(|(_, rows)| rows.contains(&id))
    }

    /// What the viewer has chosen on an earlier page.
    pub(super) fn view_recalled(&mut self, choice: ViewChoice) {
        if self.view.is_chosen || self.view.choice == choice {
            return;
        }
        self.view.choice = choice;
        self.hide_done_by_now();
        self.draw_view();
    }

    /// The host says something else while the list is shown: that counts as the last word.
    pub(super) fn follow_host(&mut self) {
        self.view.choice.hide_done = None;
        self.hide_done_by_now();
        self.draw_view();
    }

    /// Another list is shown: what was chosen for the last one does not count for it.
    pub(super) fn forget_view(&mut self) {
        self.view = Visibility::default();
        self.card.search = Search::default();
    }

    /// The number of hidden items, as a sentence.
    #[must_use]
    pub(super) fn hidden_sentence(&self) -> String {
        let texts = self.texts();
        crate::i18n::plural(
            self.mode.words,
            texts.done_hidden(),
            self.card.view.hidden,
            &[],
        )
    }

    /// Arranges the groups again, without the rows that are not shown.
    pub(super) fn arrange_view(&mut self) {
        self.groups = arrange(&self.list);
        self.folded = self.view.fold(&self.list, &mut self.groups);
        self.show_view();
    }

    /// Whether a change concerns rows that are hidden: they may have to be shown again.
    pub(super) fn concerns_hidden(&self, affected: &DirtyRows) -> bool {
        let hidden = &self.view.hidden;
        let is_hidden = |id: &ItemId| hidden.binary_search(id).is_ok();
        !hidden.is_empty() && affected.ids.iter().any(is_hidden)
    }

    /// Brings what views show of it up to date.
    pub(super) fn show_view(&mut self) {
        let rows = self.folded.iter().flat_map(|(_, rows)| rows);
        let hidden = rows.filter(|id| self.view.hides(&self.list, **id)).count();
        let hidden = u32::try_from(hidden).unwrap_or(u32::MAX);
        let counts = self.card.summary.counts;
        self.card.view = VisibilityView {
            hides_done: self.hides_done(),
            hidden,
            done: (counts.done + counts.not_applicable).saturating_sub(hidden),
            collapsed: self.view.collapsed_sections().to_vec(),
        };
    }

    fn draw_view(&mut self) {
        self.draw(DirtyRows {
            ids: Vec::new(),
            structural: true,
        });
        self.effects.push(Effect::DrawFace);
    }

    fn keep_view(&mut self) {
        self.view.is_chosen = true;
        let list = &self.list;
        // Of sections that are gone nothing has to be kept.
        let collapsed = &mut self.view.choice.collapsed;
        collapsed.retain(|id| list.live(*id).is_some());
        let choice = self.view.choice.clone();
        self.effects.push(Effect::StoreView(choice));
    }

    /// Whether what is done is hidden: as the viewer has chosen, else as the host says.
    fn hides_done(&self) -> bool {
        let choice = self.view.choice.hide_done;
        choice.unwrap_or(self.settings.hide_completed)
    }
}

fn count_of_list(model: &Model) -> String {
    count_sentence(&model.card.summary, model.mode.words)
}
