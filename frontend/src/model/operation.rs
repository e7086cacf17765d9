//! An operation: one thing that a person did, as it waits for the server.
//!
//! Carries its `OperationId` from the start, so that sending it twice does it once. Made by
//! `acting`, kept by `queue` and by the browser (`api::saved`), sent as `api::requests`.

use checklist_shared::change::Change;
use checklist_shared::item::Origin;
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::{AddItem, UpdateItem};
use checklist_shared::{Checklist, ItemId};
use serde::{Deserialize, Serialize};

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The `OperationId`, a UUIDv7 as text.
    pub id: String,
    /// What to do.
    pub action: Action,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Adds an item, with an id that the client chose.
    Add(ItemId, Box<AddItem>),
    /// Adds items in this order, each with an id that the client chose.
    AddAll(Vec<AddItem>),
    /// Changes fields of an item.
    Update(Box<UpdateItem>),
    /// Deletes an item.
    Delete(ItemId),
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
}

impl Action {
    /// The changes of the list, where the client can tell them: see [`Self::is_step`].
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        match self {
            Self::Add(id, item) => vec![item.as_ref().clone().into_change(*id, Origin::Local)],
            Self::AddAll(items) => items
                .iter()
                .filter_map(|item| Some(item.clone().into_change(item.id?, Origin::Local)))
                .collect(),
            Self::Update(item) => {
                let mut item = item.as_ref().clone();
                // What is on this screen is what was seen; the server checks the hash.
                item.seen_text_hash = None;
                vec![item.into_change()]
            }
            Self::Delete(id) => vec![Change::Delete(*id)],
            Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } => Vec::new(),
        }
    }

    /// Whether the server alone can tell what it changes.
    #[must_use]
    pub const fn is_step(&self) -> bool {
        matches!(self, Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. })
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
            Self::AddAll(_) | Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } => None,
        }
    }

    /// Every item that the operation changes; a section takes its items along when it goes.
    #[must_use]
    pub fn touched(&self, list: &Checklist) -> Vec<ItemId> {
        let mut ids: Vec<ItemId> = self.item().into_iter().collect();
        if let Self::AddAll(items) = self {
            ids.extend(items.iter().filter_map(|item| item.id));
        }
        if let Self::Delete(id) = self {
            ids.extend(
                list.items
                    .iter()
                    .filter(|item| item.parent_id == Some(*id))
                    .map(|item| item.id),
            );
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
            _ => true,
        }
    }

    /// The word for hosts: what the person did.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        use checklist_shared::item::Status;
        match self {
            Self::Add(..) | Self::AddAll(_) => "add",
            Self::Delete(_) => "delete",
            Self::Undo(_) => "undo",
            Self::Redo(_) => "redo",
            Self::Refresh { .. } => "refresh",
            Self::Update(item) => match item.status {
                Some(Status::Done) => "check",
                Some(Status::Open) => "uncheck",
                Some(Status::NotApplicable) => "not-applicable",
                None if !item.text.is_keep() => "text",
                None if !item.note.is_keep() => "note",
                None if !item.assignee.is_keep() => "assignee",
                None if !item.due.is_keep() => "due",
                None if !item.reason.is_keep() => "not-applicable",
                None => "move",
            },
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
            Self::Delete(id) => Self::Delete(map(*id)),
            Self::Undo(_) | Self::Redo(_) | Self::Refresh { .. } => self.clone(),
        }
    }
}
