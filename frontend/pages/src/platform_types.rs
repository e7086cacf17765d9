//! The pages about types: the list, and one type with its classes and its templates.

pub mod form;
pub mod list;

use checklist_shared::wire::admin::Class;

use crate::kit::*;

/// Whether the journal of a type can be written, and that in a sentence.
#[must_use]
pub fn journal_state(app: App, classes: &[Class]) -> (bool, String) {
    let words = app.language.platform_types();
    let has = |class: Class| classes.contains(&class);
    let missing = |setting: &str| fill(words.missing, &[("setting", setting)]);
    match (has(Class::UnitOfWork), has(Class::ChecklistItem)) {
        (true, true) => (true, words.ready.to_owned()),
        (false, false) => (false, words.missing_both.to_owned()),
        (false, true) => (false, missing(words.has_journal)),
        (true, false) => (false, missing(words.has_items)),
    }
}
