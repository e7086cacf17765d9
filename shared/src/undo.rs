//! Undoes an operation, in one step.
//!
//! Before a list changes, the server stores what the operation is about to overwrite. An undo
//! restores it if nobody has changed it since.

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::change::allowed::{is_lessened, may_confirm, may_resolve, set_by_person_before};
use crate::checklist::{Checklist, TemplateRef};
use crate::definition::DefinitionField;
use crate::event::{Event, What};
use crate::facts::Facts;
use crate::id::ItemId;
use crate::item::{Actor, Item, Origin, Status};
use crate::problem::ItemProblemCode;
use crate::text::Text;

mod placement;

pub use placement::{Move, Neighbours};

/// What an operation has overwritten. Stored with the operation, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct UndoRecord {
    /// Items that were changed or deleted, as they were, with the version they have since.
    pub changed: Vec<Overwritten>,
    /// Items that were added.
    pub added: Vec<Added>,
    /// The list's template before, where the operation changed it or the facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateRef>,
    /// The list's template afterwards, where the operation changed it or the facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_left: Option<TemplateLeft>,
    /// The list's template, where the operation changed the definition of items of the template: what it
    /// was before is what that version says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_under: Option<TemplateRef>,
    /// The list's facts, where the operation changed them or the template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<OverwrittenFacts>,
    /// Whether the list counted as reordered before.
    pub reordered: bool,
    /// The run of the list that it belongs to; `None` where nothing was overwritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
}

/// The facts of a list around an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OverwrittenFacts {
    /// Before it.
    pub before: Facts,
    /// After it.
    pub left: Facts,
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
    /// Whether the operation left the signal alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_signal: bool,
    /// Where the operation moved it, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Move>,
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
    fn of(item: &Item) -> Self {
        Self {
            version: item.version,
            content: item.content_digest(),
        }
    }

    fn is_so_still(self, item: &Item) -> bool {
        item.version == self.version || item.content_digest() == self.content
    }
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
        let moved = (old.changed_in.place != new.changed_in.place).then(|| Move {
            from: Neighbours::default(),
            parent: new.parent_id,
            to: Neighbours::default(),
            version: new.changed_in.place,
        });
        Self {
            before,
            left: Left::of(new),
            same_wording,
            same_signal: old.signal.is_some() && old.signal == new.signal,
            moved,
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
        if self.moved.is_none() {
            before.parent_id = now.parent_id;
            before.sort_key.clone_from(&now.sort_key);
        }
        // What a signal has said since stays said.
        if self.same_signal {
            before.signal.clone_from(&now.signal);
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
    /// The list has other facts since.
    #[error("the list has other facts since")]
    FactsChanged,
    /// Only a person may resolve an item that the operation left open.
    #[error("an item needs a person")]
    NeedsPerson(ItemId),
    /// Only a second person may confirm an item that the operation left open.
    #[error("an item has to be confirmed by a second person")]
    NeedsSecondPerson(ItemId),
    /// The caller may not change back what the operation changed.
    #[error("the permission for that is missing")]
    Refused(ItemProblemCode),
}

impl UndoRecord {
    /// What the operation that made `after` of `before` has overwritten.
    #[must_use]
    pub fn between(before: &Checklist, after: &Checklist) -> Self {
        let run = Some(before.run.number);
        if before.run != after.run {
            // What was before is in the closed run, and stays there.
            return Self {
                run,
                ..Self::default()
            };
        }
        // Which items apply follows from both, so an undo that changes one of them needs both as they were.
        let is_refresh = before.template != after.template || before.facts != after.facts;
        let mut record = Self {
            run,
            reordered: before.reordered,
            template: is_refresh.then(|| before.template.clone()).flatten(),
            template_left: is_refresh.then(|| TemplateLeft {
                template: after.template.clone(),
            }),
            facts: is_refresh.then(|| OverwrittenFacts {
                before: before.facts.clone(),
                left: after.facts.clone(),
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
                    left: Left::of(item),
                }),
                Some(old) if old.version != item.version => {
                    if !is_refresh && item.origin == Origin::Template && is_redefined(old, item) {
                        record.defined_under.clone_from(&after.template);
                    }
                    record.changed.push(Overwritten::new(old, item));
                }
                Some(_) => {}
            }
        }
        record.note_neighbours(before, after);
        record
    }

    /// The items that the operation moved.
    fn moves(&mut self) -> impl Iterator<Item = (ItemId, &mut Move)> {
        self.changed.iter_mut().filter_map(|overwritten| {
            let id = overwritten.before.id;
            Some((id, overwritten.moved.as_mut()?))
        })
    }

    /// Notes between which siblings the moved items were before, and are now.
    fn note_neighbours(&mut self, before: &Checklist, after: &Checklist) {
        let ids: HashSet<ItemId> = self.moves().map(|(id, _)| id).collect();
        if ids.is_empty() {
            return;
        }
        let (from, to) = (Neighbours::of(before, &ids), Neighbours::of(after, &ids));
        for (id, moved) in self.moves() {
            moved.from = from.get(&id).copied().unwrap_or_default();
            moved.to = to.get(&id).copied().unwrap_or_default();
        }
    }

    /// Whether there is nothing to undo.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && !self.is_of_refresh()
    }

    /// Whether the operation was a refresh: it gave the list another template, version or facts.
    #[must_use]
    pub const fn is_of_refresh(&self) -> bool {
        self.changes_template() || self.facts.is_some()
    }

    /// Whether the list has started again since, or by this very operation.
    #[must_use]
    pub fn is_of_earlier_run(&self, list: &Checklist) -> bool {
        self.run.is_some_and(|run| run != list.run.number)
    }

    /// Whether the operation brought the list to another template or version.
    const fn changes_template(&self) -> bool {
        self.template.is_some() || self.template_left.is_some()
    }

    /// Whether the list is still as the operation left it, as far as this undo changes it.
    fn check(&self, list: &Checklist) -> Result<(), CannotUndo> {
        // Items that a later refresh left alone would go back to a version that the list has left.
        if let Some(left) = &self.template_left
            && left.template != list.template
        {
            return Err(CannotUndo::TemplateMoved);
        }
        if self.defined_under.is_some() && self.defined_under != list.template {
            return Err(CannotUndo::TemplateMoved);
        }
        if self
            .facts
            .as_ref()
            .is_some_and(|facts| facts.left != list.facts)
        {
            return Err(CannotUndo::FactsChanged);
        }
        let present = |id: ItemId, left: Left, moved: Option<Move>| match list.any(id) {
            None => Err(CannotUndo::Gone(id)),
            Some(item)
                if left.is_so_still(item)
                    && moved.is_none_or(|moved| moved.is_there_still(list, item)) =>
            {
                Ok(())
            }
            Some(_) => Err(CannotUndo::BuiltUpon(id)),
        };
        for overwritten in &self.changed {
            present(overwritten.before.id, overwritten.left, overwritten.moved)?;
        }
        for Added { id, left } in &self.added {
            present(*id, *left, None)?;
        }
        self.section_in_use(list)
            .map_or(Ok(()), |id| Err(CannotUndo::BuiltUpon(id)))
    }

    /// Whether this undo resolves or takes away no item that is left to somebody else.
    fn check_actor(&self, list: &Checklist, actor: &Actor) -> Result<(), CannotUndo> {
        let confirms = |before: &Item| {
            let done = before.proposal.as_ref();
            !before.second_person || done.is_some_and(|done| may_confirm(&done.by, actor))
        };
        self.changed.iter().try_for_each(|overwritten| {
            let Some(now) = list.any(overwritten.before.id) else {
                return Ok(());
            };
            let before = overwritten.whole(now);
            let says = |item: &Item| (item.status, item.reason.clone(), item.status_by.clone());
            let resolves = before.status != Status::Open && says(&before) != says(now);
            let (kind, required) = set_by_person_before(now, &before);
            let takes_away =
                now.counts() && (!before.is_live() || is_lessened(now, kind, required));
            if (resolves || takes_away) && !may_resolve(&before, actor) {
                Err(CannotUndo::NeedsPerson(now.id))
            } else if resolves && !confirms(&before) {
                Err(CannotUndo::NeedsSecondPerson(now.id))
            } else {
                Ok(())
            }
        })
    }

    /// A section that this undo takes away although it holds an item that stays.
    fn section_in_use(&self, list: &Checklist) -> Option<ItemId> {
        let added = self.added.iter().map(|added| added.id);
        let brought_back = self.changed.iter().filter(|one| !one.before.is_live());
        let taken: HashSet<ItemId> = added.chain(brought_back.map(|one| one.before.id)).collect();
        let moved = self.changed.iter().filter(|one| one.moved.is_some());
        let moved: HashSet<ItemId> = moved.map(|one| one.before.id).collect();
        list.items
            .iter()
            .filter(|item| item.is_live() && !taken.contains(&item.id) && !moved.contains(&item.id))
            .find_map(|item| item.parent_id.filter(|section| taken.contains(section)))
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
        self.check(list)?;
        self.check_actor(list, session.actor)?;
        let revision = list.revision + 1;
        let mut events = Vec::new();
        for overwritten in &self.changed {
            if let Some(item) = list.any_mut(overwritten.before.id) {
                let before = overwritten.whole(item);
                let what = What::of_restoring(item, &before);
                let was = what.value(item, session.languages);
                // Of an item that comes or goes the trail tells the status too.
                let status = What::of_status(before.status);
                let is_untold = item.status != before.status && what != status;
                let others = DefinitionField::ALL.map(What::of_definition);
                let others = others.map(|what| (what, what.value(item, session.languages)));
                put_back(item, before, overwritten.moved.is_some(), revision, session);
                let is = what.value(item, session.languages);
                let event = Event::about(what, item, session.languages);
                events.push(if what == status {
                    event.with_support(item)
                } else {
                    event.between(was, is)
                });
                if is_untold {
                    events.push(Event::about(status, item, session.languages).with_support(item));
                }
                // And of its definition everything.
                for (other, was) in others {
                    let is = other.value(item, session.languages);
                    if other != what && was != is {
                        let event = Event::about(other, item, session.languages);
                        events.push(event.between(was, is));
                    }
                }
            }
        }
        let moves = self.changed.iter().filter_map(|overwritten| {
            let from = overwritten.moved?.from;
            Some((overwritten.before.id, from))
        });
        placement::put_between_neighbours(list, &moves.collect());
        for Added { id, .. } in &self.added {
            if let Some(item) = list.any_mut(*id).filter(|item| item.is_live()) {
                item.deleted_at = Some(session.now);
                if item.template_key.is_some() {
                    // Not a person's wish to be without it: the next refresh brings it again.
                    item.retired_at = Some(session.now);
                }
                item.version += 1;
                item.revision = revision;
                item.modified_by = session.actor.clone().into();
                item.modified_at = session.now;
                events.push(Event::about(What::Deleted, item, session.languages));
            }
        }
        for Overwritten { before, .. } in &self.changed {
            placement::leave_a_section_that_is_gone(list, before.id);
        }
        if self.changes_template() {
            list.template.clone_from(&self.template);
        }
        if let Some(facts) = &self.facts
            && list.facts != facts.before
        {
            events.push(Event::of_facts(&list.facts, &facts.before));
            list.facts.clone_from(&facts.before);
        }
        list.reordered = self.reordered;
        events.push(Event::of_list(What::Undone));
        Ok(events)
    }
}

/// Whether the two differ in what defines the item.
fn is_redefined(old: &Item, new: &Item) -> bool {
    let definition = |item: &Item| (item.kind, item.required, item.definition_by_person);
    definition(old) != definition(new) || old.help != new.help
}

fn put_back(
    item: &mut Item,
    mut before: Item,
    moved: bool,
    revision: u64,
    session: &crate::change::Session<'_>,
) {
    let next = item.version + 1;
    // Each aspect that changes back is newer than what other clients hold.
    let mut changed_in = item.changed_in.with_changes(item, &before, next);
    // Even if its key is the old one: it may get another one to stand between its old siblings.
    if moved {
        changed_in.place = next;
    }
    before.changed_in = changed_in;
    before.version = next;
    before.revision = revision;
    // A deleted item keeps who deleted it, and when.
    if before.is_live() {
        before.modified_by = session.actor.clone().into();
        before.modified_at = session.now;
    }
    *item = before;
}
