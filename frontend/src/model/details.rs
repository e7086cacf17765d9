//! The form for note, assignee and due date: its input, and saving it.
//!
//! All changes are one operation. A form that is left keeps its changes, with the
//! version that they are based on; a field error is shown at its field.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Kind};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use super::Model;
use super::effect::{Effect, Focus};
use super::notice::{Details, Notice, RejectionReason, TypedText};
use super::operation::Action;
use super::suggestions::Suggestions;
use super::view_data::Panel;
use crate::i18n::Texts;

/// The form, as far as it is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailsForm {
    /// What stands in its fields. No due date at all: what stands there is none.
    pub details: Details,
    /// The version that it is based on.
    pub base: u64,
    /// The invalid field and its error.
    pub fault: Option<(DetailField, FieldError)>,
    /// Whether it holds what was typed before it was left.
    pub is_draft: bool,
    /// The people that are offered for a field.
    pub suggestions: Option<Suggestions>,
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetailField {
    /// The note.
    Note,
    /// The assignee.
    Assignee,
    /// The due date.
    Due,
}

/// An error in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// A date of which something is missing.
    DateIncomplete,
    /// The server has refused it, in these words.
    Refused(String),
}

impl FieldError {
    /// The message below the field.
    #[must_use]
    pub fn sentence<'a>(&'a self, texts: &Texts) -> &'a str {
        match self {
            Self::DateIncomplete => texts.due_incomplete(),
            Self::Refused(detail) => detail,
        }
    }
}

impl DetailField {
    /// The field that a problem points at: a JSON pointer into a call that changes one item.
    #[must_use]
    pub fn at(pointer: &str) -> Option<Self> {
        match pointer {
            "/Items/0/Note" => Some(Self::Note),
            "/Items/0/Assignee" => Some(Self::Assignee),
            "/Items/0/Due" => Some(Self::Due),
            _ => None,
        }
    }

    /// The selector of the field that gets the focus.
    const fn selector(self) -> &'static str {
        match self {
            Self::Note => ".editor textarea",
            Self::Assignee => ".editor input[type=text]",
            Self::Due => ".editor input[type=date]",
        }
    }
}

impl Details {
    /// The first field that there is something of.
    pub(super) const fn first(&self) -> DetailField {
        if self.note.is_some() {
            DetailField::Note
        } else if self.assignee.is_some() {
            DetailField::Assignee
        } else {
            DetailField::Due
        }
    }

    /// The same with what was typed in its place.
    fn with(self, typed: Self) -> Self {
        Self {
            note: typed.note.or(self.note),
            assignee: typed.assignee.or(self.assignee),
            due: typed.due.or(self.due),
        }
    }
}

impl DetailsForm {
    fn of(item: &Item) -> Self {
        Self {
            details: Details {
                note: Some(item.note.clone().unwrap_or_default()),
                assignee: Some(item.assignee.clone().unwrap_or_default()),
                due: Some(item.due),
            },
            base: item.version,
            ..Self::default()
        }
    }

    /// What changes an item into what was typed: that alone.
    fn update(&self, item: &Item) -> Option<UpdateItem> {
        let details = &self.details;
        let mut update = UpdateItem::of(item.id);
        update.base_version = Some(self.base);
        update.note = patch_of(details.note.as_deref(), item.note.as_deref());
        update.assignee = patch_of(details.assignee.as_deref(), item.assignee.as_deref());
        // The field knows minutes only; a due date that was not touched keeps its seconds.
        update.due = match details.due {
            Some(due) if due != item.due => due.map_or(Patch::Clear, Patch::Set),
            _ => Patch::Keep,
        };
        let is_same = update.note.is_keep() && update.assignee.is_keep() && update.due.is_keep();
        (!is_same).then_some(update)
    }
}

impl Model {
    /// Opens note, assignee and due date.
    pub(super) fn edit_details(&mut self, id: ItemId, field: DetailField) {
        let Some(item) = self.editable(id).filter(|item| item.kind == Kind::Item) else {
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
        let mut field = field;
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

    /// Stores what was changed of note, assignee and due date.
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

    fn panel(&self, id: ItemId) -> Option<&Panel> {
        self.rows.get(id).map(|row| &row.panel)
    }
}

fn patch_of(typed: Option<&str>, shown: Option<&str>) -> Patch<String> {
    match typed.map(str::trim) {
        None => Patch::Keep,
        Some(typed) if typed == shown.unwrap_or_default() => Patch::Keep,
        Some("") => Patch::Clear,
        Some(typed) => Patch::Set(typed.to_owned()),
    }
}
