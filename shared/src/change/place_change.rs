//! Another place of an item: in another section, or before or behind others.

use super::checks::{Log, check_parent, neighbour};
use super::request::{ItemPatch, Session};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::Item;
use crate::order::{self, Place};
use crate::patch::Patch;
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;

/// Where an item goes.
#[derive(Clone, Copy)]
pub(super) struct PlaceChange {
    parent: Option<ItemId>,
    place: Place,
}

/// The position that was made for it.
pub(super) struct Position {
    parent: Option<ItemId>,
    sort_key: String,
}

impl PlaceChange {
    /// What a patch really changes; `None` if the item is already there.
    pub(super) fn of_patch(
        list: &Checklist,
        item: &Item,
        patch: &ItemPatch,
        session: &Session<'_>,
    ) -> Result<Option<Self>, Code> {
        if !patch.moves() {
            return Ok(None);
        }
        let place = patch.place.unwrap_or_default();
        if neighbour(place) == Some(item.id) {
            return Err(Code::InvalidPlace);
        }
        let parent = match (&patch.parent, neighbour(place)) {
            (Patch::Set(parent), _) => Some(*parent),
            (Patch::Clear, _) => None,
            (Patch::Keep, Some(id)) => list.any(id).ok_or(Code::InvalidPlace)?.parent_id,
            (Patch::Keep, None) => item.parent_id,
        };
        if parent == Some(item.id) {
            return Err(Code::InvalidParent);
        }
        check_parent(list, parent, item.kind)?;
        if order::stands_at(list, item, parent, place).ok_or(Code::InvalidPlace)? {
            return Ok(None);
        }
        session.need(Permission::Reorder)?;
        if item.retired_at.is_some() {
            return Err(Code::ItemRetired);
        }
        if patch.base_version.is_none() {
            return Err(Code::BaseVersionRequired);
        }
        if patch.is_behind(item.changed_in.place) {
            return Err(Code::PlaceConflict);
        }
        Ok(Some(Self { parent, place }))
    }

    /// Makes room in the list.
    pub(super) fn make_room(self, list: &mut Checklist, item: ItemId) -> Result<Position, Code> {
        let sort_key = order::make_room(list, self.parent, self.place, Some(item));
        let sort_key = sort_key.ok_or(Code::InvalidPlace)?;
        list.reordered = true;
        Ok(Position {
            parent: self.parent,
            sort_key,
        })
    }
}

impl Position {
    /// Moves the item there, as a change of that version of it.
    pub(super) fn write(self, item: &mut Item, version: u64, session: &Session<'_>, log: &mut Log) {
        item.parent_id = self.parent;
        item.sort_key = self.sort_key;
        item.changed_in.place = version;
        log.note(|| Event::about(What::Moved, item, session.languages));
    }
}
