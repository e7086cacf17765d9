//! What a person does, deed by deed: each has a function of its own, which decides whether it may be
//! done and what follows.
//!
//! Decides nothing itself.

use super::Model;
use super::message::Deed;

impl Model {
    /// Does what a person wants, as far as it does not come later.
    pub(super) fn perform_first(&mut self, deed: Deed) {
        match deed {
            Deed::SetStatus(id, status, reason) => self.set_status(id, status, reason),
            Deed::LoadAgain => self.load_again(),
            Deed::TryAgain => self.try_again(),
            Deed::HideDone(hides) => self.set_hides_done(hides),
            Deed::Collapse(section, is_collapsed) => self.set_collapsed(section, is_collapsed),
            Deed::Reveal(id) => self.reveal(id),
            _ => {}
        }
    }

    /// Does what comes later.
    pub(super) fn perform(&mut self, deed: Deed) {
        match deed {
            Deed::Add(text, section) => self.add(&text, section),
            Deed::Paste(text, section) => self.paste(&text, section),
            Deed::AddPasted(ids) => self.add_pasted(ids),
            Deed::PasteAsOne => self.paste_as_one(),
            Deed::DropPaste => self.leave_paste(),
            Deed::Delete(id) => self.delete(id),
            Deed::MoveBy(id, up) => self.move_by(id, up),
            Deed::Drop(id, spot) => self.drop_item(id, spot),
            Deed::EditText(id) => self.edit_text(id),
            Deed::EditDetails(id, field) => self.edit_details(id, field),
            Deed::Suggest(id, field, prefix) => self.suggest(id, field, prefix),
            Deed::StepSuggestion(id, up) => self.step_suggestion(id, up),
            Deed::OpenHistory(id) => self.open_history(id),
            Deed::MoreHistory(id) => self.more_history(id),
            Deed::AskReason(id) => self.ask_reason(id),
            Deed::EditAgain(id) => self.edit_again(id),
            Deed::Save(id, panel) => self.save(id, panel),
            Deed::Open(id, panel, focus) => self.open(id, panel, focus),
            Deed::Close(id) => self.leave(id),
            Deed::Dismiss(id) => self.dismiss(id),
            Deed::KeepMine(id) => self.keep_mine(id),
            Deed::UseTemplateText(id) => self.use_template_text(id),
            Deed::Undo(operation) => self.undo(operation),
            Deed::Redo => self.redo(),
            Deed::Review => self.ask_review(),
            Deed::ApplyRefresh => self.apply_refresh(),
            Deed::Search(text) => self.search(text),
            Deed::Pick(pick) => self.pick(pick),
            Deed::Bulk(bulk) => self.change_selected(bulk),
            Deed::CheckSection(section, checked) => self.check_section(section, checked),
            _ => {}
        }
    }
}
