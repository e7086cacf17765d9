//! Passes the actions of a person to the model, and answers what views ask about them.
//!
//! Decides nothing; the model decides what an action does and whether it is permitted.

use checklist_shared::ItemId;

use super::controller::Controller;
use crate::browser;
use crate::model::message::{Msg, UserAction};
use crate::model::selecting::SelectionChange;

impl Controller {
    /// A person does something: one message to the model.
    pub(crate) fn does(&self, action: UserAction) {
        self.tell(Msg::Do(action));
    }

    /// Adds the pasted lines.
    pub(crate) fn add_pasted(&self) {
        let count = self.card(|card| card.pasted.as_ref().map_or(0, |pasted| pasted.lines.len()));
        let ids = (0..count).map(|_| browser::new_id()).collect();
        self.does(UserAction::AddPasted(ids));
    }

    /// Whether the host has people to choose from.
    pub(crate) fn has_people(&self) -> bool {
        self.runtime().host().has_people()
    }

    /// Shows a row that is about to get the focus.
    pub(crate) fn reveal(&self, id: ItemId) {
        if self.is_folded(id) {
            self.does(UserAction::Reveal(id));
        }
    }

    /// Whether the row of an item is there, but not shown.
    pub(crate) fn is_folded(&self, id: ItemId) -> bool {
        let screen = self.screen();
        let folded = screen.folded.borrow();
        self.card(|card| card.search.hides(id)) || folded.iter().any(|(_, rows)| rows.contains(&id))
    }

    /// Selects a row, or no longer; it gets the focus.
    pub(crate) fn toggle_selected(&self, id: ItemId) {
        self.does(UserAction::Pick(SelectionChange::Toggle(id)));
        self.focus_row(id);
        self.keep_in_sight(id);
    }

    /// Whether something is selected.
    pub(crate) fn has_selection(&self) -> bool {
        self.card(|card| card.selected.count > 0)
    }
}
