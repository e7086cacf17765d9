//! The checks that the changes share: permissions, limits, blank texts and parents.

use super::request::Session;
use crate::checklist::Checklist;
use crate::event::Event;
use crate::id::ItemId;
use crate::item::Kind;
use crate::order::Place;
use crate::permission::{Permission, Permissions};
use crate::problem::ItemProblemCode;
use crate::text::{is_blank, trimmed};

/// The events of a change.
#[derive(Default)]
pub(super) struct Log(pub(super) Vec<Event>);

impl Log {
    pub(super) fn note(&mut self, event: impl FnOnce() -> Event) {
        if cfg!(feature = "records") {
            self.0.push(event());
        }
    }
}

impl Session<'_> {
    pub(crate) fn need(&self, permission: Permission) -> Result<(), ItemProblemCode> {
        if self.permissions.allows(permission) {
            Ok(())
        } else {
            Err(ItemProblemCode::PermissionDenied)
        }
    }

    pub(super) fn need_all(&self, permissions: Permissions) -> Result<(), ItemProblemCode> {
        if self.permissions.holds(permissions) {
            Ok(())
        } else {
            Err(ItemProblemCode::PermissionDenied)
        }
    }
}

pub(super) fn within(text: &str, limit: usize) -> Result<(), ItemProblemCode> {
    if text.chars().count() > limit {
        Err(ItemProblemCode::LimitExceeded)
    } else {
        Ok(())
    }
}

/// Text as it is stored: without blanks at the ends, which nobody can see.
pub(super) fn tidy(text: &str) -> Result<&str, ItemProblemCode> {
    if is_blank(text) {
        Err(ItemProblemCode::TextRequired)
    } else {
        Ok(trimmed(text))
    }
}

/// The same for a text that may be missing: one that nobody can see means that there is none.
pub(super) fn tidy_option(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !is_blank(text)).map(trimmed)
}

/// Whether `parent` may hold an item of that kind.
pub(super) fn check_parent(
    list: &Checklist,
    parent: Option<ItemId>,
    kind: Kind,
) -> Result<(), ItemProblemCode> {
    let Some(parent) = parent else { return Ok(()) };
    match list.live(parent) {
        Some(section) if section.kind == Kind::Section && kind != Kind::Section => Ok(()),
        _ => Err(ItemProblemCode::InvalidParent),
    }
}

/// The neighbour that a place names.
pub(super) const fn neighbour(place: Place) -> Option<ItemId> {
    match place {
        Place::After(id) | Place::Before(id) => Some(id),
        Place::First | Place::Last => None,
    }
}
