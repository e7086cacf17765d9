//! The pages about types: the list, and one type with its classes and its templates.

pub mod form;
pub mod list;

use checklist_shared::wire::admin::{Class, Type};

use crate::app::App;
use crate::wording::{Wording, fill};

/// Whether the journal of a type can be written, in a sentence.
#[must_use]
pub fn journal_state(app: App, classes: &[Class]) -> (bool, String) {
    let words = app.language.platform_types();
    let missing = |class: Class| !classes.contains(&class);
    match (missing(Class::UnitOfWork), missing(Class::ChecklistItem)) {
        (false, false) => (true, words.ready.to_owned()),
        (true, true) => (false, words.missing_both.to_owned()),
        (true, false) => (
            false,
            fill(words.missing, &[("classes", words.unit_of_work)]),
        ),
        (false, true) => (
            false,
            fill(words.missing, &[("classes", words.checklist_item)]),
        ),
    }
}

/// A type without anything in it.
#[must_use]
pub fn blank() -> Type {
    Type {
        name: String::new(),
        classes: vec![Class::UnitOfWork, Class::ChecklistItem],
        templates: std::collections::BTreeMap::new(),
        always_journal: false,
    }
}
