//! The form of the details: its input, the version that it is based on, and a field error.

use checklist_shared::item::Item;
use checklist_shared::wire::write::UpdateItem;

use super::item_fields::{DetailField, Details};
use super::suggestions::Suggestions;
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

impl DetailsForm {
    /// The form of an item, filled in with its values.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        Self {
            details: Details::of(item),
            base: item.version,
            ..Self::default()
        }
    }

    /// What changes an item into what was typed: that alone.
    #[must_use]
    pub fn update(&self, item: &Item) -> Option<UpdateItem> {
        let mut update = self.details.update(item)?;
        update.base_version = Some(self.base);
        Some(update)
    }
}
