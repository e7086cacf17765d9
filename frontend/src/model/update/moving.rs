//! Moves items: by a step, or to a position among their siblings.
//!
//! `moves` computes the target.

use checklist_shared::ItemId;
use checklist_shared::item::Item;
use checklist_shared::wire::write::UpdateItem;

use crate::i18n::fill;
use crate::model::message::FollowUp;
use crate::model::moves;
use crate::model::operation::Action;
use crate::model::state::Model;
use crate::port::CancelableEvent;

impl Model {
    /// Moves an item by one step; the focus stays with it.
    pub(super) fn move_by(&mut self, id: ItemId, up: bool) {
        let update = self
            .movable(id)
            .and_then(|item| moves::step_over(&self.list, &item, up, &|id| self.is_folded(id)));
        self.place(id, update);
    }

    /// Moves an item to a position (from 1) among its siblings.
    pub(super) fn move_to(&mut self, id: ItemId, position: usize) {
        let update = self
            .movable(id)
            .and_then(|item| moves::to_position(&self.list, &item, position));
        self.place(id, update);
    }

    pub(super) fn movable(&self, id: ItemId) -> Option<Item> {
        self.item(id)
            .filter(|item| self.mode.reorder && item.retired_at.is_none())
    }

    pub(super) fn place(&mut self, id: ItemId, update: Option<UpdateItem>) {
        if let Some(update) = update {
            let action = Action::Update(Box::new(update));
            self.ask(CancelableEvent::Edit, action, FollowUp::SayPlace(id));
        }
        self.close(id);
    }

    /// Announces the new position of an item.
    pub(super) fn say_place(&mut self, id: ItemId) {
        let Some(item) = self.list.live(id) else {
            return;
        };
        let among = moves::siblings(&self.list, item.parent_id);
        let at = among.iter().position(|other| *other == id);
        let words = self.mode.words;
        let number = |n: usize| words.number(u32::try_from(n).unwrap_or(u32::MAX));
        let position = number(at.map_or(0, |at| at + 1));
        let count = number(among.len());
        self.say(fill(
            self.texts().said_moved(),
            &[("position", &position), ("count", &count)],
        ));
    }
}
