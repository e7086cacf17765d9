//! The form of details: its input, and saving it.
//!
//! All changes are one operation. A form that is left keeps its changes, with the
//! version that they are based on; a field error is shown at its field.

use checklist_shared::ItemId;
use checklist_shared::definition::DefinitionField;
use checklist_shared::item::{Item, Kind};

use crate::model::details::{DetailsForm, FieldError};
use crate::model::effect::{Effect, Focus};
use crate::model::item_fields::DetailField;
use crate::model::notice::{Notice, RejectionReason, TypedText};
use crate::model::operation::Action;
use crate::model::state::Model;
use crate::model::view_data::Panel;

impl Model {
    /// Opens the form of details.
    pub(super) fn edit_details(&mut self, id: ItemId, field: DetailField) {
        let has_form =
            |item: &Item| item.kind == Kind::Item || !self.list.changeable(item).is_empty();
        let Some(item) = self.editable(id).filter(has_form) else {
            return;
        };
        if matches!(self.panel(id), Some(Panel::Details(_))) {
            let focus = Focus::InRow(id, field.selector());
            self.effects.push(Effect::Focus(focus));
            return;
        }
        let mut form = DetailsForm::of(&item);
        if let Some((typed, base)) = self.rows.change(id, |row| row.unsaved.take()) {
            form.details = form.details.with(typed);
            form.base = base;
            form.is_draft = true;
        }
        let has_help = self.list.changeable(&item).contains(DefinitionField::Help);
        let mut field = match item.kind {
            Kind::Item => field,
            _ if has_help => DetailField::Help,
            _ => DetailField::Kind,
        };
        if let Some(Notice::Refused(RejectionReason::Field(at, detail), _)) =
            self.rows.get(id).and_then(|row| row.notice.clone())
        {
            field = at;
            form.fault = Some((at, FieldError::Refused(detail)));
        }
        if let Some(TypedText::Details(typed)) = self.take_typed(id) {
            form.details = form.details.with(*typed);
        }
        self.open(id, Panel::Details(Box::new(form)), field.selector());
    }

    /// Stores what was changed.
    pub(super) fn save_details(&mut self, id: ItemId, mut form: DetailsForm) {
        let Some(item) = self.item(id) else {
            self.keep_typed("");
            self.close(id);
            return;
        };
        if form.details.due.is_none() {
            let fault = FieldError::DateIncomplete;
            self.say(fault.sentence(self.texts()).to_owned());
            form.fault = Some((DetailField::Due, fault));
            self.open(
                id,
                Panel::Details(Box::new(form)),
                DetailField::Due.selector(),
            );
            return;
        }
        if let Some(update) = form.update(&item) {
            self.ask_update(update);
        }
        self.close(id);
    }

    /// Closes what is open in a row. What was changed in a form of details is kept for the next time.
    pub(super) fn leave(&mut self, id: ItemId) {
        if let (Some(item), Some(Panel::Details(form))) = (self.item(id), self.panel(id)) {
            let action = |update| TypedText::of(&Action::Update(Box::new(update)));
            if let Some(TypedText::Details(typed)) = form.update(&item).and_then(action) {
                let base = form.base;
                self.rows
                    .change(id, |row| row.unsaved = Some((*typed, base)));
                self.say(self.texts().details_draft().to_owned());
            }
        }
        self.close(id);
    }

    pub(super) fn panel(&self, id: ItemId) -> Option<&Panel> {
        self.rows.get(id).map(|row| &row.panel)
    }
}
