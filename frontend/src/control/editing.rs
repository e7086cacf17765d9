//! What opens in a row: the text, details, the reason, and what is stored of it.
//!
//! An open editor is based on the version that the person saw. What was typed into a change that
//! did not happen is offered again. Called by `components` and `keyboard`.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use super::Controller;
use super::actions::based_on;
use super::port::Before;
use super::screen::{Detail, Panel};
use crate::state::list::text_of;
use crate::state::notice::{Details, Notice, Typed};
use crate::state::operation::Action;

impl Controller {
    /// Opens the dialog for "not applicable", or goes back from it.
    pub(crate) fn ask_reason(&self, id: ItemId) {
        self.open(id, Panel::Reason(String::new(), false), ".editor input");
    }

    /// Sets to not applicable, unless a reason is needed and missing.
    pub(crate) fn give_reason(&self, id: ItemId, reason: &str) {
        let Some(item) = self.item(id) else { return };
        let reason = reason.trim();
        if item.not_applicable_needs_reason && reason.is_empty() {
            self.open(id, Panel::Reason(String::new(), true), ".editor input");
            return;
        }
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        self.set_status(id, Status::NotApplicable, reason);
        self.close(id);
    }

    /// Opens the text in its place.
    pub(crate) fn edit_text(&self, id: ItemId) {
        let Some(item) = self
            .item(id)
            .filter(|item| self.mode().edit && item.retired_at.is_none())
        else {
            return;
        };
        let text = match self.kept(id) {
            Some(Typed::Text(text)) => text,
            _ => text_of(&item).to_owned(),
        };
        self.open(id, Panel::Text(text, item.version), ".editor textarea");
    }

    /// Stores the text that was typed, on the version that it was based on.
    pub(crate) fn save_text(&self, id: ItemId, text: &str, base: u64) {
        let Some(item) = self.item(id) else {
            self.keep_typed(text.trim());
            self.close(id);
            return;
        };
        let text = text.trim();
        // An empty text means that nothing was meant, not that the item should go.
        if !text.is_empty() && text != text_of(&item) {
            let mut update = UpdateItem::of(id);
            update.base_version = Some(base);
            update.text = Patch::Set(text.to_owned());
            if self.act(Before::Edit, Action::Update(Box::new(update))) {
                self.announce(self.texts().said_saved().to_owned());
            }
        }
        self.close(id);
    }

    /// Takes the template's text instead of the person's.
    pub(crate) fn use_template_text(&self, id: ItemId) {
        let Some(item) = self.item(id) else { return };
        let mut update = based_on(&item);
        update.text = Patch::Clear;
        if self.act(Before::Edit, Action::Update(Box::new(update))) {
            self.announce(self.texts().said_saved().to_owned());
        }
        self.focus_row(id);
    }

    /// Keeps the person's text against somebody else's newer one.
    pub(crate) fn keep_mine(&self, id: ItemId) {
        let notice = self.row(id, |row| row.notice.clone()).flatten();
        if let (Some(item), Some(Notice::TextTaken { mine, .. })) = (self.item(id), notice) {
            self.dismiss(id);
            self.save_text(id, &mine, item.version);
        }
    }

    /// Opens note, assignee and due date.
    pub(crate) fn edit_details(&self, id: ItemId, field: Detail) {
        let Some(item) = self
            .item(id)
            .filter(|item| self.mode().edit && item.retired_at.is_none())
        else {
            return;
        };
        let mut details = details_of(&item);
        if let Some(Typed::Details(typed)) = self.kept(id) {
            details.note = typed.note.or(details.note);
            details.assignee = typed.assignee.or(details.assignee);
            details.due = typed.due.or(details.due);
        }
        let selector = match field {
            Detail::Note => ".editor textarea",
            Detail::Assignee => ".editor input[type=text]",
            Detail::Due => ".editor input[type^=date]",
        };
        self.open(id, Panel::Details(details, item.version), selector);
    }

    /// Stores what was changed of note, assignee and due date.
    pub(crate) fn save_details(&self, id: ItemId, details: &Details, base: u64) {
        let Some(item) = self.item(id) else {
            self.keep_typed("");
            self.close(id);
            return;
        };
        let mut update = UpdateItem::of(id);
        update.base_version = Some(base);
        update.note = changed(details.note.as_deref(), item.note.as_deref());
        update.assignee = changed(details.assignee.as_deref(), item.assignee.as_deref());
        // The field knows minutes only; a due date that was not touched keeps its seconds.
        update.due = match details.due {
            Some(due) if due != item.due => due.map_or(Patch::Clear, Patch::Set),
            _ => Patch::Keep,
        };
        let nothing = update.note.is_keep() && update.assignee.is_keep() && update.due.is_keep();
        if !nothing && self.act(Before::Edit, Action::Update(Box::new(update))) {
            self.announce(self.texts().said_saved().to_owned());
        }
        self.close(id);
    }

    /// Stores what was typed into what is open in a row.
    pub(crate) fn save(&self, id: ItemId, panel: Panel) {
        match panel {
            Panel::Text(text, base) => self.save_text(id, &text, base),
            Panel::Details(details, base) => self.save_details(id, &details, base),
            Panel::Reason(reason, _) => self.give_reason(id, &reason),
            Panel::Position(text) => match text.trim().parse() {
                Ok(position) => self.move_to(id, position),
                Err(_) => self.close(id),
            },
            Panel::Closed | Panel::Menu(_) => {}
        }
    }

    /// Opens something in a row and focuses it.
    pub(crate) fn open(&self, id: ItemId, panel: Panel, focus: &'static str) {
        if self.show_row(id, |row| row.panel = panel).is_some() {
            self.focus_in_row(id, focus);
        }
    }

    /// Closes what is open in a row; the focus goes back to the row.
    pub(crate) fn close(&self, id: ItemId) {
        let next = self.neighbour_drawn(id);
        if self.show_row(id, |row| row.panel = Panel::Closed).is_some() {
            self.draw_held_back();
            let here = self.screen().row(id).map(|_| id);
            if let Some(row) = here.or(next) {
                self.focus_row(row);
            }
        }
    }

    /// Takes the notice of a row away.
    pub(crate) fn dismiss(&self, id: ItemId) {
        if self.show_row(id, |row| row.notice = None).is_some() {
            self.focus_row(id);
        }
    }

    /// What was typed into a change that did not happen; its notice has done its work then.
    fn kept(&self, id: ItemId) -> Option<Typed> {
        let kept = self.typed(id)?;
        self.show_row(id, |row| row.notice = None);
        Some(kept)
    }

    fn typed(&self, id: ItemId) -> Option<Typed> {
        self.row(id, |row| row.notice.as_ref()?.typed().cloned())?
    }

    /// Opens the editor with what was typed before.
    pub(crate) fn edit_again(&self, id: ItemId) {
        match self.typed(id) {
            Some(Typed::Reason(reason)) => {
                self.dismiss(id);
                self.open(id, Panel::Reason(reason, false), ".editor input");
            }
            Some(Typed::Details(details)) => {
                let field = if details.note.is_some() {
                    Detail::Note
                } else if details.assignee.is_some() {
                    Detail::Assignee
                } else {
                    Detail::Due
                };
                self.edit_details(id, field);
            }
            _ => self.edit_text(id),
        }
    }
}

/// The details of an item as the editor shows them.
#[must_use]
fn details_of(item: &Item) -> Details {
    Details {
        note: Some(item.note.clone().unwrap_or_default()),
        assignee: Some(item.assignee.clone().unwrap_or_default()),
        due: Some(item.due),
    }
}

fn changed(typed: Option<&str>, shown: Option<&str>) -> Patch<String> {
    match typed.map(str::trim) {
        None => Patch::Keep,
        Some(typed) if typed == shown.unwrap_or_default() => Patch::Keep,
        Some("") => Patch::Clear,
        Some(typed) => Patch::Set(typed.to_owned()),
    }
}
