//! Deletes an item softly.
//!
//! Deleting what the template requires needs a permission of its own, also inside a section.
//! A section is deleted with its items, because rows without their heading mean something else.
//! Deleting a deleted item is `Unchanged`, so that a retry is harmless.

use std::sync::Arc;

use super::allowed::{goes_with, may_resolve, needed_to_delete};
use super::checks::Log;
use super::request::{Applied, Session};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::permission::Permission;
use crate::problem::ItemProblemCode;

pub(super) fn apply(
    list: &mut Checklist,
    id: ItemId,
    session: &Session<'_>,
) -> Result<Applied, ItemProblemCode> {
    let item = list.any(id).ok_or(ItemProblemCode::ItemNotFound)?;
    session.need(Permission::Delete)?;
    if !item.is_live() {
        return Ok(Applied::Unchanged);
    }
    if !session.permissions.holds(needed_to_delete(list, id)) {
        return Err(ItemProblemCode::RequiredItem);
    }
    let mut taken = list.items.iter().filter(|item| goes_with(item, id));
    if taken.any(|item| item.counts() && !may_resolve(item, session.actor)) {
        return Err(ItemProblemCode::NeedsPerson);
    }
    let revision = list.revision + 1;
    let mut log = Log::default();
    for item in list.items.iter_mut().filter(|item| goes_with(item, id)) {
        let item = Arc::make_mut(item);
        item.deleted_at = Some(session.now);
        // Deleted *and* retired would mean that the template took it away, see `refresh`.
        item.retired_at = None;
        item.end_open_proposal();
        item.version += 1;
        item.revision = revision;
        item.modified_by = session.actor.clone().into();
        item.modified_at = session.now;
        log.note(|| Event::about(What::Deleted, item, session.languages));
    }
    Ok(Applied::Changed(log.0))
}
