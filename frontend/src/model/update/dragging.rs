//! Where a dropped item goes: between the rows that are visible.
//!
//! The same operation as a move by keyboard, with one undo. Hidden rows are ignored: an item goes
//! directly next to the visible row at which it was dropped, and does not move if it is already
//! there.

use checklist_shared::ItemId;

use crate::model::dragging::{DropPosition, drop_at};
use crate::model::state::Model;

impl Model {
    /// Moves an item to where it was dropped.
    pub(super) fn drop_item(&mut self, id: ItemId, spot: DropPosition) {
        let update = self
            .movable(id)
            .and_then(|item| drop_at(&self.list, &self.groups, &item, spot));
        if update.is_some() {
            self.place(id, update);
        }
    }
}
