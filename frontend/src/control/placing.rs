//! Moving items: by a step, or to a place among the items beside them.
//!
//! Where a step leads is `state::moves`' to say. Called by `components` and `keyboard`.

use checklist_shared::ItemId;
use checklist_shared::item::Item;
use checklist_shared::wire::write::UpdateItem;

use super::Controller;
use super::port::Before;
use crate::i18n::fill;
use crate::state::moves;
use crate::state::operation::Action;

impl Controller {
    /// Moves an item by one step; the focus stays with it.
    pub(crate) fn move_by(&self, id: ItemId, up: bool) {
        let update = self
            .movable(id)
            .and_then(|item| self.with_state(|state| moves::step(state, &item, up)));
        self.place(id, update);
    }

    /// Moves an item to a position (from 1) among its siblings.
    pub(crate) fn move_to(&self, id: ItemId, position: usize) {
        let item = self.movable(id);
        let update = item
            .and_then(|item| self.with_state(|state| moves::to_position(state, &item, position)));
        self.place(id, update);
    }

    /// The items beside an item, itself included.
    pub(crate) fn siblings(&self, id: Option<ItemId>) -> Vec<ItemId> {
        let parent = id.and_then(|id| self.item(id)).map(|item| item.parent_id);
        parent
            .map(|parent| self.with_state(|state| moves::siblings(state, parent)))
            .unwrap_or_default()
    }

    fn movable(&self, id: ItemId) -> Option<Item> {
        self.item(id)
            .filter(|item| self.mode().reorder && item.retired_at.is_none())
    }

    fn place(&self, id: ItemId, update: Option<UpdateItem>) {
        let done =
            update.is_some_and(|update| self.act(Before::Edit, Action::Update(Box::new(update))));
        if let Some(item) = self.item(id).filter(|_| done) {
            let among = self.with_state(|state| moves::siblings(state, item.parent_id));
            let position = among
                .iter()
                .position(|other| *other == id)
                .map_or(0, |at| at + 1);
            let number = |n: usize| self.mode().words.number(n as u32);
            let (position, count) = (number(position), number(among.len()));
            self.announce(fill(
                self.texts().said_moved(),
                &[("position", &position), ("count", &count)],
            ));
        }
        self.close(id);
    }
}
