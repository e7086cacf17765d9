//! Dispatches the actions of a person: each has a function of its own, which decides whether it is
//! permitted and what follows.
//!
//! Decides nothing itself.

use crate::model::message::UserAction;
use crate::model::state::Model;
use crate::model::support::StatusSupport;

impl Model {
    /// Does what a person wants, as far as it does not come later.
    pub(super) fn perform_first(&mut self, action: UserAction) {
        match action {
            UserAction::SetStatus(id, status, reason) => {
                self.set_status(id, status, StatusSupport::because(reason))
            }
            UserAction::LoadAgain => self.load_again(),
            UserAction::TryAgain => self.try_again(),
            UserAction::HideDone(hides) => self.set_hides_done(hides),
            UserAction::Collapse(section, is_collapsed) => {
                self.set_collapsed(section, is_collapsed)
            }
            UserAction::Reveal(id) => self.reveal(id),
            _ => {}
        }
    }

    /// Performs an action of the lazy chunk.
    pub(super) fn perform(&mut self, action: UserAction) {
        match action {
            UserAction::Decide(id, decision) => self.decide(id, decision),
            UserAction::Add(text, section) => self.add(&text, section),
            UserAction::Paste(text, section) => self.paste(&text, section),
            UserAction::AddPasted(ids) => self.add_pasted(ids),
            UserAction::PasteAsOne => self.paste_as_one(),
            UserAction::DropPaste => self.leave_paste(),
            UserAction::Delete(id) => self.delete(id),
            UserAction::MoveBy(id, up) => self.move_by(id, up),
            UserAction::Drop(id, spot) => self.drop_item(id, spot),
            UserAction::EditText(id) => self.edit_text(id),
            UserAction::EditDetails(id, field) => self.edit_details(id, field),
            UserAction::Suggest(id, field, prefix) => self.suggest(id, field, prefix),
            UserAction::StepSuggestion(id, up) => self.step_suggestion(id, up),
            UserAction::OpenHistory(id) => self.open_history(id),
            UserAction::MoreHistory(id) => self.more_history(id),
            UserAction::AskReason(id, status) => self.ask_reason(id, status),
            UserAction::AskSupport(id) => self.ask_support(id),
            UserAction::EditAgain(id) => self.edit_again(id),
            UserAction::Save(id, panel) => self.save(id, panel),
            UserAction::Open(id, panel, focus) => self.open(id, panel, focus),
            UserAction::Close(id) => self.leave(id),
            UserAction::Dismiss(id) => self.dismiss(id),
            UserAction::KeepMine(id) => self.keep_mine(id),
            UserAction::UseTemplateText(id) => self.use_template_text(id),
            UserAction::Undo(operation) => self.undo(operation),
            UserAction::Redo => self.redo(),
            UserAction::Review => self.ask_review(),
            UserAction::ApplyRefresh => self.apply_refresh(),
            UserAction::Waive(reason, revoke) => self.waive(&reason, revoke),
            UserAction::Search(text) => self.search(text),
            UserAction::Pick(pick) => self.pick(pick),
            UserAction::Bulk(bulk) => self.change_selected(bulk),
            UserAction::CheckSection(section, checked) => self.check_section(section, checked),
            _ => {}
        }
    }
}
