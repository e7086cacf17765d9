//! The actions of a person, by name: each becomes one message to the model.
//!
//! Decides nothing; the model decides what an action does and whether it is permitted.

use checklist_shared::ItemId;
use checklist_shared::item::Status;

use super::Controller;
use crate::browser;
use crate::model::message::{Msg, UserAction};
use crate::model::selecting::SelectionChange;
use crate::screen::{DetailField, Panel};

impl Controller {
    pub(crate) fn does(&self, action: UserAction) {
        self.tell(Msg::Do(action));
    }

    /// Sets the status. Nothing happens when it is that already.
    pub(crate) fn set_status(&self, id: ItemId, status: Status, reason: Option<String>) {
        self.does(UserAction::SetStatus(id, status, reason));
    }

    /// Adds an item at the end of the list or of a section.
    pub(crate) fn add(&self, text: &str, section: Option<ItemId>) {
        self.does(UserAction::Add(text.to_owned(), section));
    }

    /// Asks whether pasted lines become items.
    pub(crate) fn paste(&self, text: String, section: Option<ItemId>) {
        self.does(UserAction::Paste(text, section));
    }

    /// Adds the pasted lines.
    pub(crate) fn add_pasted(&self) {
        let count = self.card(|card| card.pasted.as_ref().map_or(0, |pasted| pasted.lines.len()));
        let ids = (0..count).map(|_| browser::new_id()).collect();
        self.does(UserAction::AddPasted(ids));
    }

    /// Puts the pasted lines into the field as one.
    pub(crate) fn paste_as_one(&self) {
        self.does(UserAction::PasteAsOne);
    }

    /// Adds none of the pasted lines.
    pub(crate) fn drop_paste(&self) {
        self.does(UserAction::DropPaste);
    }

    pub(crate) fn delete(&self, id: ItemId) {
        self.does(UserAction::Delete(id));
    }

    /// Moves an item by one step.
    pub(crate) fn move_by(&self, id: ItemId, up: bool) {
        self.does(UserAction::MoveBy(id, up));
    }

    /// Redoes the last undone operation.
    pub(crate) fn redo(&self) {
        self.does(UserAction::Redo);
    }

    /// Takes a certain operation back, whatever the person has done since.
    pub(crate) fn undo_operation(&self, id: &str) {
        self.does(UserAction::Undo(Some(id.to_owned())));
    }

    pub(crate) fn edit_text(&self, id: ItemId) {
        self.does(UserAction::EditText(id));
    }

    pub(crate) fn edit_details(&self, id: ItemId, field: DetailField) {
        self.does(UserAction::EditDetails(id, field));
    }

    /// Whether the host has people to choose from.
    pub(crate) fn has_people(&self) -> bool {
        self.runtime().host().has_people()
    }

    /// Offers people for a field, or nobody any more.
    pub(crate) fn suggest(
        &self,
        owner: Option<ItemId>,
        field: DetailField,
        prefix: Option<String>,
    ) {
        self.does(UserAction::Suggest(owner, field, prefix));
    }

    /// Goes to the next of the people that are offered, or to the one before.
    pub(crate) fn step_suggestion(&self, owner: Option<ItemId>, up: bool) {
        self.does(UserAction::StepSuggestion(owner, up));
    }

    /// Opens what was done to an item.
    pub(crate) fn open_history(&self, id: ItemId) {
        self.does(UserAction::OpenHistory(id));
    }

    /// Goes on with what is older.
    pub(crate) fn more_history(&self, id: ItemId) {
        self.does(UserAction::MoreHistory(id));
    }

    /// Opens the editor with what was typed before.
    pub(crate) fn edit_again(&self, id: ItemId) {
        self.does(UserAction::EditAgain(id));
    }

    /// Opens the question for the reason of "not applicable".
    pub(crate) fn ask_reason(&self, id: ItemId) {
        self.does(UserAction::AskReason(id));
    }

    /// Stores what was typed into what is open in a row.
    pub(crate) fn save(&self, id: ItemId, panel: Panel) {
        self.does(UserAction::Save(id, panel));
    }

    /// Opens something in a row and focuses it.
    pub(crate) fn open(&self, id: ItemId, panel: Panel, focus: &'static str) {
        self.does(UserAction::Open(id, panel, focus));
    }

    /// Closes what is open in a row; the focus goes back to the row.
    pub(crate) fn close(&self, id: ItemId) {
        self.does(UserAction::Close(id));
    }

    /// Takes the notice of a row away.
    pub(crate) fn dismiss(&self, id: ItemId) {
        self.does(UserAction::Dismiss(id));
    }

    /// Keeps the person's text against somebody else's newer one.
    pub(crate) fn keep_mine(&self, id: ItemId) {
        self.does(UserAction::KeepMine(id));
    }

    /// Takes the template's text instead of the person's.
    pub(crate) fn use_template_text(&self, id: ItemId) {
        self.does(UserAction::UseTemplateText(id));
    }

    /// Asks what the template's new version would bring.
    pub(crate) fn review(&self) {
        self.does(UserAction::Review);
    }

    /// Takes over the template's changes that were shown.
    pub(crate) fn apply_refresh(&self) {
        self.does(UserAction::ApplyRefresh);
    }

    pub(crate) fn load_again(&self) {
        self.does(UserAction::LoadAgain);
    }

    /// Hides what is done, or shows it again.
    pub(crate) fn hide_done(&self, hides: bool) {
        self.does(UserAction::HideDone(hides));
    }

    /// Collapses a section, or expands it again.
    pub(crate) fn collapse(&self, section: ItemId, is_collapsed: bool) {
        self.does(UserAction::Collapse(section, is_collapsed));
    }

    /// Shows the rows with those words alone.
    pub(crate) fn search(&self, text: String) {
        self.does(UserAction::Search(text));
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

    /// A person has signed in, or hopes so.
    pub(crate) fn resume(&self) {
        self.does(UserAction::TryAgain);
    }
}
