//! An operation: one action of a person that waits for the server.
//!
//! It has its `OperationId` from the start, so that sending it twice has one effect.

use std::sync::Arc;

use checklist_shared::change::Change;
use checklist_shared::item::{Item, Origin, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::{AddItem, UpdateItem};
use checklist_shared::{Checklist, ItemId};
use serde::{Deserialize, Serialize};

use super::item_fields::DetailField;

/// A pending operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The `OperationId`, a UUIDv7 as text.
    pub id: String,
    /// The change it makes.
    pub action: Action,
}

/// The change that an operation makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Adds an item, with an id that the client chose.
    Add(ItemId, Box<AddItem>),
    /// Adds items in this order, each with an id that the client chose.
    AddAll(Vec<AddItem>),
    /// Changes fields of an item.
    Update(Box<UpdateItem>),
    /// Changes fields of several items, each as far as it can be.
    UpdateAll(Vec<UpdateItem>),
    /// Deletes an item.
    Delete(ItemId),
    /// Deletes several items, each as far as it can be.
    DeleteAll(Vec<ItemId>),
    /// Takes the operation of that id back.
    Undo(String),
    /// Takes the undo of that id back.
    Redo(String),
    /// Takes over the template's changes.
    Refresh {
        /// The version to go to.
        to_version: Option<u32>,
        /// The revision that the person looked at.
        expected_revision: Option<u64>,
    },
    /// Waives the list, or revokes its waiver.
    Waive {
        /// Why.
        reason: String,
        /// Whether the waiver is revoked.
        revoke: bool,
        /// The revision that the person looked at.
        expected_revision: Option<u64>,
    },
}

impl Action {
    /// The changes of the list, if the client can compute them: see [`Self::is_step`].
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        match self {
            Self::Add(id, item) => vec![item.as_ref().clone().into_change(*id, Origin::Local)],
            Self::AddAll(items) => items
                .iter()
                .filter_map(|item| Some(item.clone().into_change(item.id?, Origin::Local)))
                .collect(),
            Self::Update(item) => vec![change_of(item)],
            Self::UpdateAll(items) => items.iter().map(change_of).collect(),
            Self::Delete(id) => vec![Change::Delete(*id)],
            Self::DeleteAll(ids) => ids.iter().copied().map(Change::Delete).collect(),
            Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } | Self::Waive { .. } => Vec::new(),
        }
    }

    /// Whether only the server knows what it changes.
    #[must_use]
    pub const fn is_step(&self) -> bool {
        matches!(
            self,
            Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } | Self::Waive { .. }
        )
    }

    /// Whether it adds items.
    #[must_use]
    pub const fn is_addition(&self) -> bool {
        matches!(self, Self::Add(..) | Self::AddAll(_))
    }

    /// The item that the operation is about.
    #[must_use]
    pub fn item(&self) -> Option<ItemId> {
        match self {
            Self::Add(id, _) | Self::Delete(id) => Some(*id),
            Self::Update(item) => Some(item.id),
            Self::AddAll(_)
            | Self::UpdateAll(_)
            | Self::DeleteAll(_)
            | Self::Undo(_)
            | Self::Redo(_)
            | Self::Refresh { .. }
            | Self::Waive { .. } => None,
        }
    }

    /// Whether it is about several items, of which the server does what it can.
    #[must_use]
    pub const fn is_bulk(&self) -> bool {
        matches!(self, Self::UpdateAll(_) | Self::DeleteAll(_))
    }

    /// The items that are named by it.
    #[must_use]
    pub fn ids(&self) -> Vec<ItemId> {
        match self {
            Self::AddAll(items) => items.iter().filter_map(|item| item.id).collect(),
            Self::UpdateAll(items) => items.iter().map(|item| item.id).collect(),
            Self::DeleteAll(ids) => ids.clone(),
            _ => self.item().into_iter().collect(),
        }
    }

    /// Leaves items out of several.
    pub fn retain(&mut self, is_meant: impl Fn(ItemId) -> bool) {
        match self {
            Self::UpdateAll(items) => items.retain(|item| is_meant(item.id)),
            Self::DeleteAll(ids) => ids.retain(|id| is_meant(*id)),
            _ => {}
        }
    }

    /// Every item that the operation changes; a section takes its items along when it goes.
    #[must_use]
    pub fn affected_items(&self, list: &Checklist) -> Vec<ItemId> {
        let mut ids = self.ids();
        if matches!(self, Self::Delete(_) | Self::DeleteAll(_)) {
            let inside = |item: &&Arc<Item>| item.parent_id.is_some_and(|id| ids.contains(&id));
            let inside: Vec<ItemId> = list
                .items
                .iter()
                .filter(inside)
                .map(|item| item.id)
                .collect();
            ids.extend(inside);
        }
        ids
    }

    /// Whether rows may come, go or change places.
    #[must_use]
    pub const fn is_structural(&self) -> bool {
        match self {
            Self::Update(item) => {
                !item.parent_id.is_keep() || !item.after_id.is_keep() || !item.before_id.is_keep()
            }
            Self::UpdateAll(_) => false,
            _ => true,
        }
    }

    /// The word for hosts: what the person did.
    #[must_use]
    pub fn what(&self) -> &'static str {
        match self {
            Self::Add(..) | Self::AddAll(_) => "add",
            Self::Delete(_) | Self::DeleteAll(_) => "delete",
            Self::Undo(_) => "undo",
            Self::Redo(_) => "redo",
            Self::Refresh { .. } => "refresh",
            Self::Waive { revoke: false, .. } => "waive",
            Self::Waive { revoke: true, .. } => "revoke-waiver",
            Self::Update(item) => update_kind(item),
            Self::UpdateAll(items) => items.first().map_or("assignee", update_kind),
        }
    }

    /// The same operation about other ids, as when a draft's list turns out to exist.
    #[must_use]
    pub fn with_ids(&self, map: &dyn Fn(ItemId) -> ItemId) -> Self {
        let patched = |patch: &Patch<ItemId>| match patch {
            Patch::Set(id) => Patch::Set(map(*id)),
            other => other.clone(),
        };
        match self {
            Self::Add(id, item) => {
                let mut item = item.clone();
                item.parent_id = item.parent_id.map(map);
                item.after_id = item.after_id.map(map);
                item.before_id = item.before_id.map(map);
                Self::Add(*id, item)
            }
            Self::AddAll(items) => {
                let mut items = items.clone();
                for item in &mut items {
                    item.parent_id = item.parent_id.map(map);
                }
                Self::AddAll(items)
            }
            Self::Update(item) => {
                let mut item = item.clone();
                item.id = map(item.id);
                item.parent_id = patched(&item.parent_id);
                item.after_id = patched(&item.after_id);
                item.before_id = patched(&item.before_id);
                Self::Update(item)
            }
            Self::UpdateAll(items) => {
                let mut items = items.clone();
                for item in &mut items {
                    item.id = map(item.id);
                }
                Self::UpdateAll(items)
            }
            Self::Delete(id) => Self::Delete(map(*id)),
            Self::DeleteAll(ids) => Self::DeleteAll(ids.iter().copied().map(map).collect()),
            Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } | Self::Waive { .. } => {
                self.clone()
            }
        }
    }
}

fn change_of(item: &UpdateItem) -> Change {
    let mut item = item.clone();
    // What is on this screen is what was seen; the server checks the hash.
    item.seen_text_hash = None;
    item.into_change()
}

fn update_kind(item: &UpdateItem) -> &'static str {
    match item.status {
        Some(Status::Done) => "check",
        Some(Status::Open) => "uncheck",
        Some(Status::NotApplicable) => "not-applicable",
        None if item.proposal.is_some() => "proposal",
        None if !item.text.is_keep() => "text",
        None => {
            let mut fields = DetailField::ALL.into_iter();
            match fields.find(|field| field.is_changed_by(item)) {
                Some(field) => field.what(),
                None if !item.reason.is_keep() => "not-applicable",
                None => "move",
            }
        }
    }
}

/// An item with that text, for the end of the list.
#[must_use]
pub fn new_item(id: ItemId, text: &str) -> AddItem {
    AddItem {
        id: Some(id),
        ..AddItem::new(text)
    }
}

/// An update on the version that is shown.
#[must_use]
pub fn based_on(item: &Item) -> UpdateItem {
    let mut update = UpdateItem::of(item.id);
    update.base_version = Some(item.version);
    update
}
