//! The editors of text, reason, evidence and answer in a row, and saving them; `details` has its own form.
//!
//! An open editor is based on the version that the person saw: what others change meanwhile is shown before
//! anything is attested. If a change was rejected, its text is offered again.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use crate::model::effect::{Effect, Focus};
use crate::model::list::text_of;
use crate::model::message::FollowUp;
use crate::model::notice::{Notice, TypedText};
use crate::model::operation::{Action, based_on};
use crate::model::seen::SeenItem;
use crate::model::state::Model;
use crate::model::support::{StatusSupport, SupportForm};
use crate::model::view_data::Panel;
use crate::port::CancelableEvent;

/// The selector of the field that gets the focus.
const TEXT: &str = ".editor textarea";
const REASON: &str = ".editor input";
const FIELD: &str = ".editor :is(input, textarea, button)";

impl Model {
    /// Opens the question for the reason of a status.
    pub(super) fn ask_reason(&mut self, id: ItemId, status: Status) {
        if matches!(self.panel(id), Some(Panel::Reason(_, asked, _)) if *asked == status) {
            self.effects.push(Effect::Focus(Focus::InRow(id, REASON)));
            return;
        }
        self.open(id, Panel::Reason(String::new(), status, false), REASON);
    }

    /// Sets the status, unless a reason is needed and missing.
    fn give_reason(&mut self, id: ItemId, reason: &str, status: Status) {
        let Some(item) = self.item(id) else { return };
        let reason = reason.trim();
        let is_needed = item.would_override(status)
            || (status == Status::NotApplicable && item.not_applicable_needs_reason);
        if is_needed && reason.is_empty() {
            self.open(id, Panel::Reason(String::new(), status, true), REASON);
            return;
        }
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        self.set_status(id, status, StatusSupport::because(reason));
        self.close(id);
    }

    /// Opens the question for what the item is done with; of one that is done, with what it has.
    pub(super) fn ask_support(&mut self, id: ItemId) {
        let Some(item) = self.item(id).filter(|_| self.mode.check) else {
            return;
        };
        let focus = SupportForm::first_field(&item);
        if matches!(self.panel(id), Some(Panel::Support(..))) {
            self.effects.push(Effect::Focus(Focus::InRow(id, focus)));
            return;
        }
        let form = SupportForm::of(&item, self.mode.words);
        self.open(id, Panel::Support(Box::new(form), false), focus);
    }

    /// Sets to done, unless something is missing: name or address, the answer, or the reason to override
    /// a signal.
    fn give_support(&mut self, id: ItemId, form: SupportForm) {
        let Some(item) = self.item(id) else { return };
        let Some(given) = form.given(&item, self.mode.words) else {
            self.open(
                id,
                Panel::Support(Box::new(form), true),
                SupportForm::INVALID,
            );
            return;
        };
        self.set_status(id, Status::Done, given);
        self.close(id);
    }

    pub(super) fn editable(&self, id: ItemId) -> Option<Item> {
        self.item(id)
            .filter(|item| self.mode.edit && item.retired_at.is_none())
    }

    /// Opens the text in its place.
    pub(super) fn edit_text(&mut self, id: ItemId) {
        let Some(item) = self.editable(id) else {
            return;
        };
        let text = match self.take_typed(id) {
            Some(TypedText::Text(text)) => text,
            _ => text_of(&item).to_owned(),
        };
        self.open(id, Panel::Text(text, item.version), TEXT);
    }

    /// Stores the text that was typed, on the version that it was based on.
    fn save_text(&mut self, id: ItemId, text: &str, base: u64) {
        let text = text.trim();
        let Some(item) = self.item(id) else {
            self.keep_typed(text);
            self.close(id);
            return;
        };
        // An empty text means that nothing was meant, not that the item should go.
        if !text.is_empty() && text != text_of(&item) {
            let mut update = UpdateItem::of(id);
            update.base_version = Some(base);
            update.text = Patch::Set(text.to_owned());
            self.ask_update(update);
        }
        self.close(id);
    }

    pub(super) fn ask_update(&mut self, update: UpdateItem) {
        let action = Action::Update(Box::new(update));
        self.ask(CancelableEvent::Edit, action, FollowUp::SaySaved);
    }

    /// Takes the template's text instead of the person's.
    pub(super) fn use_template_text(&mut self, id: ItemId) {
        let Some(item) = self.item(id) else { return };
        let mut update = based_on(&item);
        update.text = Patch::Clear;
        self.ask_update(update);
        self.effects.push(Effect::Focus(Focus::Row(id)));
    }

    /// Keeps the person's text against somebody else's newer one.
    pub(super) fn keep_mine(&mut self, id: ItemId) {
        let notice = self.rows.get(id).and_then(|row| row.notice.clone());
        if let (Some(item), Some(Notice::TextTaken { mine, .. })) = (self.item(id), notice) {
            self.dismiss(id);
            self.save_text(id, &mine, item.version);
        }
    }

    /// Stores what was typed into what is open in a row.
    pub(super) fn save(&mut self, id: ItemId, panel: Panel) {
        match panel {
            Panel::Reason(..) | Panel::Support(..) if self.shows_change(id, &panel) => {}
            Panel::Text(text, base) => self.save_text(id, &text, base),
            Panel::Details(form) => self.save_details(id, *form),
            Panel::Reason(reason, status, _) => self.give_reason(id, &reason, status),
            Panel::Support(form, _) => self.give_support(id, *form),
            Panel::Position(text) => match text.trim().parse() {
                Ok(position) => self.move_to(id, position),
                Err(_) => self.close(id),
            },
            Panel::Closed | Panel::Menu(_) | Panel::History(_) => {}
        }
    }

    /// Draws the row again if its item is no longer what the person has read there, and says what has
    /// changed; what was typed stays.
    fn shows_change(&mut self, id: ItemId, panel: &Panel) -> bool {
        let Some(item) = self.item(id) else {
            return false;
        };
        let seen = self.rows.get(id).and_then(|row| row.seen.as_ref());
        let Some(notice) = seen.and_then(|seen| seen.change(&item, self.mode.tag)) else {
            return false;
        };
        self.note_at_row(id, notice);
        self.open(id, panel.clone(), FIELD);
        true
    }

    /// Opens something in a row and focuses it.
    pub(super) fn open(&mut self, id: ItemId, panel: Panel, focus: &'static str) {
        if self.is_drawn(id) {
            let item = self.list.live(id).filter(|_| panel.is_edited());
            let seen = item.map(|item| SeenItem::of(item, self.mode.tag));
            self.rows.change(id, |row| {
                row.panel = panel;
                row.seen = seen;
            });
            self.effects.push(Effect::DrawRow(id));
            self.effects.push(Effect::Focus(Focus::InRow(id, focus)));
        }
    }

    /// Closes what is open in a row; the focus goes back to the row.
    pub(super) fn close(&mut self, id: ItemId) {
        let next = self.neighbor_drawn(id);
        if !self.is_drawn(id) {
            return;
        }
        self.rows.change(id, |row| {
            row.panel = Panel::Closed;
            row.seen = None;
        });
        self.effects.push(Effect::DrawRow(id));
        self.draw_held_back();
        let here = self.list.live(id).map(|_| id);
        if let Some(row) = here.or(next) {
            self.effects.push(Effect::Focus(Focus::Row(row)));
        }
    }

    /// Takes the notice of a row away.
    pub(super) fn dismiss(&mut self, id: ItemId) {
        if self.is_drawn(id) {
            self.rows.change(id, |row| row.notice = None);
            self.effects.push(Effect::DrawRow(id));
            self.effects.push(Effect::Focus(Focus::Row(id)));
        }
    }

    /// What was typed into a change that did not happen; its notice has done its work then.
    pub(super) fn take_typed(&mut self, id: ItemId) -> Option<TypedText> {
        let typed = self.typed_text(id)?;
        self.rows.change(id, |row| row.notice = None);
        Some(typed)
    }

    fn typed_text(&self, id: ItemId) -> Option<TypedText> {
        self.rows.get(id)?.notice.as_ref()?.typed_text().cloned()
    }

    /// Opens the editor with what was typed before.
    pub(super) fn edit_again(&mut self, id: ItemId) {
        match self.typed_text(id) {
            Some(TypedText::Reason(reason, status)) => {
                self.dismiss(id);
                self.open(id, Panel::Reason(reason, status, false), REASON);
            }
            Some(TypedText::Details(details)) => self.edit_details(id, details.first()),
            _ => self.edit_text(id),
        }
    }
}
