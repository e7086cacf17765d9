//! The only place where a list changes.
//!
//! [`apply`] takes one change of one item, checks permission, conflicts and limits, and either
//! changes the list or leaves it as it was. The server calls it inside a transaction and the
//! control before it sends the request, so both always agree.

mod add;
pub mod allowed;
mod delete;
#[cfg(feature = "records")]
pub mod restore;
mod update;

use crate::checklist::Checklist;
use crate::due::Due;
use crate::event::Event;
use crate::id::ItemId;
use crate::item::{Actor, Kind, Origin, Status};
use crate::limits::Limits;
use crate::order::Place;
use crate::patch::Patch;
use crate::permission::{Permission, Permissions};
use crate::problem::ItemProblemCode;
use crate::text::{is_blank, trimmed};
use crate::time::Timestamp;

/// The caller, the time and the limits of a change.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// Who makes the change.
    pub actor: &'a Actor,
    /// The caller's permissions.
    pub permissions: Permissions,
    /// The time of the change, from the caller's clock.
    pub now: Timestamp,
    /// The limits in force.
    pub limits: &'a Limits,
    /// The reader's languages, most wanted first; decides which wording is attested.
    pub languages: &'a [&'a str],
}

/// One change of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds an item.
    Add(NewItem),
    /// Changes fields of an item; boxed, because it is the largest.
    Update(Box<ItemPatch>),
    /// Deletes an item, softly. A section takes its items along.
    Delete(ItemId),
}

/// An item to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem {
    /// Its id; adding the same id with the same text again is `Unchanged`.
    pub id: ItemId,
    /// Whether a person or a program adds it.
    pub origin: Origin,
    /// The text, as written by the person.
    pub text: String,
    /// Item, section or info row.
    pub kind: Kind,
    /// The parent section; `None` for the neighbour's, or the top level.
    pub parent: Option<ItemId>,
    /// The position among its siblings.
    pub place: Place,
    /// Whether it counts under `CompletionRule::Required`.
    pub required: bool,
    /// Markdown source.
    pub help: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// Who should do it.
    pub assignee: Option<String>,
    /// When it is due.
    pub due: Option<Due>,
}

/// Fields of an item to be changed; what is not named stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPatch {
    /// Which item.
    pub id: ItemId,
    /// The version that the caller looked at.
    pub base_version: Option<u64>,
    /// The status to set.
    pub status: Option<Status>,
    /// Why it does not apply.
    pub reason: Patch<String>,
    /// Hash of the wording that was on the screen, see [`crate::text::text_hash`].
    pub seen_text_hash: Option<String>,
    /// The new text; `Clear` goes back to the template's.
    pub text: Patch<String>,
    /// The note.
    pub note: Patch<String>,
    /// Who should do it.
    pub assignee: Patch<String>,
    /// When it is due.
    pub due: Patch<Due>,
    /// The parent section; `Clear` for the top level.
    pub parent: Patch<ItemId>,
    /// The new position.
    pub place: Option<Place>,
}

impl ItemPatch {
    /// A patch that changes nothing yet.
    #[must_use]
    pub const fn of(id: ItemId) -> Self {
        Self {
            id,
            base_version: None,
            status: None,
            reason: Patch::Keep,
            seen_text_hash: None,
            text: Patch::Keep,
            note: Patch::Keep,
            assignee: Patch::Keep,
            due: Patch::Keep,
            parent: Patch::Keep,
            place: None,
        }
    }

    /// Whether section or order are to change.
    #[must_use]
    pub const fn moves(&self) -> bool {
        self.place.is_some() || !self.parent.is_keep()
    }
}

/// What became of a change that was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The list changed; what happened, for journal and audit. Never empty, unless the feature
    /// `records` is off: nobody keeps it then.
    Changed(Vec<Event>),
    /// Everything was as wanted already; nobody's credit changes.
    Unchanged,
}

/// Applies one change. On an error the list is as it was.
///
/// The caller checks the lock and counts the revision up: both concern the operation as a whole.
/// Items changed here carry `list.revision + 1`, the revision that the operation will make.
///
/// # Errors
/// Why this item was not changed.
pub fn apply(
    list: &mut Checklist,
    change: &Change,
    session: &Session<'_>,
) -> Result<Applied, ItemProblemCode> {
    match change {
        Change::Add(new) => add::apply(list, new, session),
        Change::Update(patch) => update::apply(list, patch, session),
        Change::Delete(id) => delete::apply(list, *id, session),
    }
}

/// The events of a change.
#[derive(Default)]
struct Log(Vec<Event>);

impl Log {
    fn note(&mut self, event: impl FnOnce() -> Event) {
        if cfg!(feature = "records") {
            self.0.push(event());
        }
    }
}

impl Session<'_> {
    fn need(&self, permission: Permission) -> Result<(), ItemProblemCode> {
        if self.permissions.allows(permission) {
            Ok(())
        } else {
            Err(ItemProblemCode::PermissionDenied)
        }
    }

    fn need_all(&self, permissions: Permissions) -> Result<(), ItemProblemCode> {
        if self.permissions.holds(permissions) {
            Ok(())
        } else {
            Err(ItemProblemCode::PermissionDenied)
        }
    }
}

fn within(text: &str, limit: usize) -> Result<(), ItemProblemCode> {
    if text.chars().count() > limit {
        Err(ItemProblemCode::LimitExceeded)
    } else {
        Ok(())
    }
}

/// Text as it is stored: without blanks at the ends, which nobody can see.
fn tidy(text: &str) -> Result<&str, ItemProblemCode> {
    if is_blank(text) {
        Err(ItemProblemCode::TextRequired)
    } else {
        Ok(trimmed(text))
    }
}

/// The same for a text that may be missing: one that nobody can see means that there is none.
fn tidy_option(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !is_blank(text)).map(trimmed)
}

/// Whether `parent` may hold an item of that kind.
fn check_parent(
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
const fn neighbour(place: Place) -> Option<ItemId> {
    match place {
        Place::After(id) | Place::Before(id) => Some(id),
        Place::First | Place::Last => None,
    }
}
