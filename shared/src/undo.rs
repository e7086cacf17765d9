//! Undoes an operation, in one step.
//!
//! Before a list changes, the server stores what the operation is about to overwrite. An undo
//! restores it if nobody has changed it since.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::checklist::{Checklist, TemplateRef};
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::Item;
use crate::order::{self, Place};
use crate::problem::ItemProblemCode;
use crate::text::Text;

/// What an operation has overwritten. Stored with the operation, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct UndoRecord {
    /// Items that were changed or deleted, as they were, with the version they have since.
    pub changed: Vec<Overwritten>,
    /// Items that were added.
    pub added: Vec<Added>,
    /// The list's template before, where the operation changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateRef>,
    /// The list's template afterwards, where the operation changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_left: Option<TemplateLeft>,
    /// Whether the list counted as reordered before.
    pub reordered: bool,
}

/// The template version of the list after an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct TemplateLeft {
    /// The template; `None` after the undo of a list's first refresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateRef>,
}

/// One overwritten item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Overwritten {
    /// The item as it was; see [`Overwritten::whole`].
    pub before: Item,
    /// The state in which the operation left it.
    pub left: Left,
    /// Whether the operation left text and help alone: then they are not kept here, because
    /// they are most of an item and nearly always the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_wording: bool,
    /// Whether the operation left the place alone: its key may be a fresh one by now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_place: bool,
    /// The siblings before and after it, where the operation moved it: their keys may be fresh
    /// ones by the time of the undo, and its old key be somewhere else among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<ItemId>,
    /// See `previous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ItemId>,
}

/// One added item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Added {
    /// The item.
    pub id: ItemId,
    /// The state in which the operation left it.
    pub left: Left,
}

/// How an operation left an item: if it differs now, somebody has changed it since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Left {
    /// The version it had then.
    pub version: u64,
    /// A digest of what it said then. The version alone would not do: an undo counts it up, and
    /// the operation before could never be taken back as well.
    pub content: u64,
}

impl Left {
    fn of(item: &Item, with_place: bool) -> Self {
        Self {
            version: item.version,
            content: content(item, with_place),
        }
    }

    fn is_so_still(self, item: &Item, with_place: bool) -> bool {
        item.version == self.version || content(item, with_place) == self.content
    }
}

/// A digest of everything about an item that a person can change or see; its place only where
/// that matters, because keys are made afresh now and then.
fn content(item: &Item, with_place: bool) -> u64 {
    // Only ever compared within a day. Should the algorithm change with a new compiler, an undo
    // of an older operation is refused, nothing worse.
    let mut hasher = DefaultHasher::new();
    (
        &item.text,
        &item.help,
        item.text_overridden,
        &item.template_text,
    )
        .hash(&mut hasher);
    (
        item.status,
        &item.reason,
        &item.status_by,
        item.status_at,
        &item.attested,
    )
        .hash(&mut hasher);
    (item.kind, item.required, item.allow_not_applicable).hash(&mut hasher);
    (item.not_applicable_needs_reason, item.changed_since_checked).hash(&mut hasher);
    (
        &item.assignee,
        item.assignee_by_person,
        item.due,
        item.due_by_person,
    )
        .hash(&mut hasher);
    (&item.note, item.retired_at, item.deleted_at).hash(&mut hasher);
    if with_place {
        (item.parent_id, &item.sort_key).hash(&mut hasher);
    }
    hasher.finish()
}

impl Overwritten {
    fn new(old: &Item, new: &Item) -> Self {
        let mut before = old.clone();
        let same_wording =
            old.text == new.text && old.help == new.help && old.template_text == new.template_text;
        if same_wording {
            before.text = Text::Plain(String::new());
            before.help = None;
            before.template_text = None;
        }
        let same_place = old.parent_id == new.parent_id && old.sort_key == new.sort_key;
        let left = Left::of(new, !same_place);
        Self {
            before,
            left,
            same_wording,
            same_place,
            previous: None,
            next: None,
        }
    }

    /// The item as it was. What the operation left alone is taken from the item as it is `now`.
    #[must_use]
    pub fn whole(&self, now: &Item) -> Item {
        let mut before = self.before.clone();
        if self.same_wording {
            before.text = now.text.clone();
            before.help = now.help.clone();
            before.template_text = now.template_text.clone();
        }
        if self.same_place {
            before.parent_id = now.parent_id;
            before.sort_key.clone_from(&now.sort_key);
        }
        before
    }
}

/// Why an operation cannot be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotUndo {
    /// Somebody has changed one of the items since.
    #[error("somebody has changed an item since")]
    BuiltUpon(ItemId),
    /// An item is no longer there at all.
    #[error("an item is no longer there")]
    Gone(ItemId),
    /// The list follows another template version since.
    #[error("the list follows another template version since")]
    TemplateMoved,
    /// The caller may not change back what the operation changed.
    #[error("the permission for that is missing")]
    Refused(ItemProblemCode),
}

impl UndoRecord {
    /// What the operation that made `after` of `before` has overwritten.
    #[must_use]
    pub fn between(before: &Checklist, after: &Checklist) -> Self {
        let mut record = Self {
            reordered: before.reordered,
            template: (before.template != after.template)
                .then(|| before.template.clone())
                .flatten(),
            template_left: (before.template != after.template).then(|| TemplateLeft {
                template: after.template.clone(),
            }),
            ..Self::default()
        };
        for (index, item) in after.items.iter().enumerate() {
            // Items keep their place in memory; looking elsewhere is the exception.
            let same = before.items.get(index).filter(|old| old.id == item.id);
            if same.is_some_and(|old| Arc::ptr_eq(old, item)) {
                continue;
            }
            match same.map(|old| &**old).or_else(|| before.any(item.id)) {
                None => record.added.push(Added {
                    id: item.id,
                    left: Left::of(item, false),
                }),
                Some(old) if old.version != item.version => {
                    record.changed.push(Overwritten::new(old, item));
                }
                Some(_) => {}
            }
        }
        record.note_neighbours(before);
        record
    }

    /// Notes between which siblings the items that were moved have stood.
    fn note_neighbours(&mut self, before: &Checklist) {
        let mut moved: HashMap<ItemId, &mut Overwritten> = self
            .changed
            .iter_mut()
            .filter(|overwritten| !overwritten.same_place)
            .map(|overwritten| (overwritten.before.id, overwritten))
            .collect();
        if moved.is_empty() {
            return;
        }
        let mut last: HashMap<Option<ItemId>, ItemId> = HashMap::new();
        for item in order::with_deleted(before) {
            let previous = last.insert(item.parent_id, item.id);
            if let Some(overwritten) = previous.and_then(|id| moved.get_mut(&id)) {
                overwritten.next = Some(item.id);
            }
            if let Some(overwritten) = moved.get_mut(&item.id) {
                overwritten.previous = previous;
            }
        }
    }

    /// Whether there is nothing to undo.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && !self.changes_template()
    }

    /// Whether the operation brought the list to another template or version.
    #[must_use]
    pub const fn changes_template(&self) -> bool {
        self.template.is_some() || self.template_left.is_some()
    }

    /// Puts everything back, or nothing. Versions go on counting, so that other clients notice.
    ///
    /// # Errors
    /// Why it cannot be undone; the list is unchanged.
    pub fn restore(
        &self,
        list: &mut Checklist,
        session: &crate::change::Session<'_>,
    ) -> Result<Vec<Event>, CannotUndo> {
        // Items that a later refresh left alone would go back to a version that the list has left.
        if let Some(left) = &self.template_left
            && left.template != list.template
        {
            return Err(CannotUndo::TemplateMoved);
        }
        let present = |id: ItemId, left: Left, with_place: bool| match list.any(id) {
            None => Err(CannotUndo::Gone(id)),
            Some(item) if left.is_so_still(item, with_place) => Ok(()),
            Some(_) => Err(CannotUndo::BuiltUpon(id)),
        };
        for overwritten in &self.changed {
            present(
                overwritten.before.id,
                overwritten.left,
                !overwritten.same_place,
            )?;
        }
        for Added { id, left } in &self.added {
            present(*id, *left, false)?;
            // What this undo takes away or puts back elsewhere does not keep a section here.
            let ours = |id: ItemId| {
                self.added.iter().any(|added| added.id == id)
                    || self
                        .changed
                        .iter()
                        .any(|overwritten| overwritten.before.id == id)
            };
            let held = list
                .items
                .iter()
                .any(|item| item.parent_id == Some(*id) && item.is_live() && !ours(item.id));
            if held {
                return Err(CannotUndo::BuiltUpon(*id));
            }
        }
        let revision = list.revision + 1;
        let mut events = Vec::new();
        for overwritten in &self.changed {
            if let Some(item) = list.any_mut(overwritten.before.id) {
                let before = overwritten.whole(item);
                let what = restore_event(item, &before);
                let was = value(what, item, session.languages);
                put_back(item, before, revision, session);
                let is = value(what, item, session.languages);
                events.push(Event::about(what, item, session.languages).changing(was, is));
            }
        }
        self.put_between_neighbours(list);
        for Added { id, .. } in &self.added {
            if let Some(item) = list.any_mut(*id).filter(|item| item.is_live()) {
                item.deleted_at = Some(session.now);
                if item.template_key.is_some() {
                    // Not a person's wish to be without it: the next refresh brings it again.
                    item.retired_at = Some(session.now);
                }
                item.version += 1;
                item.revision = revision;
                item.modified_by = session.actor.clone();
                item.modified_at = session.now;
                events.push(Event::about(What::Deleted, item, session.languages));
            }
        }
        if self.changes_template() {
            list.template.clone_from(&self.template);
        }
        list.reordered = self.reordered;
        events.push(Event::of_list(What::Undone));
        Ok(events)
    }

    /// Items whose old key is no longer between their old neighbours, because those have new
    /// keys, get one that is. Neighbours that somebody has moved are ignored.
    fn put_between_neighbours(&self, list: &mut Checklist) {
        let mut moved: Vec<&Overwritten> = self
            .changed
            .iter()
            .filter(|overwritten| !overwritten.same_place)
            .collect();
        moved.sort_by_key(|overwritten| (&overwritten.before.sort_key, overwritten.before.id));
        for overwritten in moved {
            let id = overwritten.before.id;
            let Some(item) = list.any(id) else { continue };
            let stand = |item: &Item| (item.sort_key.clone(), item.id);
            let (own, parent) = (stand(item), item.parent_id);
            let sibling = |id: Option<ItemId>| {
                let sibling = list.any(id?).filter(|other| other.parent_id == parent);
                sibling.map(stand)
            };
            let (previous, next) = (sibling(overwritten.previous), sibling(overwritten.next));
            let place = match (previous, next) {
                (Some(previous), Some(next)) if previous > next => continue,
                (previous, next)
                    if previous.as_ref().is_none_or(|previous| *previous < own)
                        && next.as_ref().is_none_or(|next| own < *next) =>
                {
                    continue;
                }
                (Some((_, previous)), _) => Place::After(previous),
                (None, Some((_, next))) => Place::Before(next),
                (None, None) => continue,
            };
            if let Some(key) = order::make_room(list, parent, place, Some(id))
                && let Some(item) = list.any_mut(id)
            {
                item.sort_key = key;
            }
        }
    }
}

/// The event that best describes the change from restoring `before` in `item`.
fn restore_event(item: &Item, before: &Item) -> What {
    if item.is_live() != before.is_live()
        || item.retired_at.is_some() != before.retired_at.is_some()
    {
        if before.is_live() {
            What::Restored
        } else {
            What::Deleted
        }
    } else if item.status != before.status {
        What::of_status(before.status)
    } else if item.text != before.text {
        What::TextChanged
    } else if item.note != before.note {
        What::NoteChanged
    } else if item.assignee != before.assignee {
        What::AssigneeChanged
    } else if item.due != before.due {
        What::DueChanged
    } else if item.sort_key != before.sort_key || item.parent_id != before.parent_id {
        What::Moved
    } else {
        What::Restored
    }
}

/// The value that such an event is about.
fn value(what: What, item: &Item, languages: &[&str]) -> Option<String> {
    match what {
        What::TextChanged => Some(item.text.resolve(languages).to_owned()),
        What::NoteChanged => item.note.clone(),
        What::AssigneeChanged => item.assignee.clone(),
        What::DueChanged => item.due.map(|due| due.to_string()),
        _ => None,
    }
}

fn put_back(
    item: &mut Item,
    mut before: Item,
    revision: u64,
    session: &crate::change::Session<'_>,
) {
    let next = item.version + 1;
    // Each aspect that changes back is newer than what other clients hold.
    let mut changed_in = item.changed_in;
    if item.status != before.status || item.reason != before.reason {
        changed_in.status = next;
    }
    if item.text != before.text {
        changed_in.text = next;
    }
    if item.note != before.note {
        changed_in.note = next;
    }
    if item.assignee != before.assignee {
        changed_in.assignee = next;
    }
    if item.due != before.due {
        changed_in.due = next;
    }
    if item.sort_key != before.sort_key || item.parent_id != before.parent_id {
        changed_in.place = next;
    }
    before.changed_in = changed_in;
    before.version = next;
    before.revision = revision;
    // A deleted item keeps who deleted it, and when.
    if before.is_live() {
        before.modified_by = session.actor.clone();
        before.modified_at = session.now;
    }
    *item = before;
}
