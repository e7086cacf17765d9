//! An assignee as the two columns of an item: `assignee` for the id, by which items are found, and
//! `assignee_name` for a name that is not the id.
//!
//! Both stores encode it alike. Without an id there is nobody, whatever the name says.

use checklist_shared::assignee::Assignee;

/// The column `assignee_name`. A text has none: nothing is stored twice, and items from before there
/// were names need no change.
pub(super) fn name_column(assignee: Option<&Assignee>) -> Option<&str> {
    let assignee = assignee.filter(|assignee| !assignee.is_text());
    assignee.map(|assignee| assignee.name.as_str())
}

/// The assignee in the two columns.
pub(super) fn of_columns(id: Option<String>, name: Option<String>) -> Option<Assignee> {
    let id = id?;
    Some(match name {
        Some(name) => Assignee { id, name },
        None => id.into(),
    })
}
