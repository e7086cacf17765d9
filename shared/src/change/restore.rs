//! Restores a deleted item while it is retained.
//!
//! The item gets its old position and values, updated to the template version that its list has by
//! now. Restoring a section restores what was deleted with it; restoring an item restores its
//! section.

use std::sync::Arc;

use super::request::Session;
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::{Item, Kind};
use crate::order;
use crate::permission::Permission;
use crate::problem::ItemProblemCode;
use crate::refresh;
use crate::template::Template;

/// The restored items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The requested item and those that were restored with it; empty if it was not
    /// deleted.
    pub ids: Vec<ItemId>,
    /// For journal and audit.
    pub events: Vec<Event>,
}

/// Brings an item back. `template` is the version that the list follows, where there is one. On an
/// error the list is as it was; lock and revision are the caller's, as for [`super::apply`].
///
/// # Errors
/// Why it does not come back.
pub fn restore(
    list: &mut Checklist,
    id: ItemId,
    template: Option<&Template>,
    session: &Session<'_>,
) -> Result<Restored, ItemProblemCode> {
    let template = template.map(|template| template.applying_to(&list.facts));
    let template = template.as_deref();
    let item = list.any(id).ok_or(ItemProblemCode::ItemNotFound)?;
    session.need(Permission::Delete)?;
    if item.is_live() {
        return Ok(Restored::default());
    }
    if !is_restorable(item, template) {
        return Err(ItemProblemCode::NotInTemplate);
    }
    let ids = together(list, item, template);
    if list.used() + ids.len() > session.limits.items {
        return Err(ItemProblemCode::LimitExceeded);
    }
    let mut events = Vec::new();
    for id in &ids {
        if let Some(item) = order::out_of_missing_section(list, *id) {
            item.changed_in.place = item.version + 1;
        }
        events.extend(bring_back(list, *id, template, session));
    }
    Ok(Restored { ids, events })
}

/// Whether a deleted item can be restored: not if the template has removed it, or no longer applies it;
/// `template` holds what applies. An item that a person had worked on is restored even then, read-only.
#[must_use]
pub fn is_restorable(item: &Item, template: Option<&Template>) -> bool {
    item.retired_at.is_none() && (!has_left(item, template) || item.is_touched())
}

/// Whether the item came from a template whose present version does not have it.
fn has_left(item: &Item, template: Option<&Template>) -> bool {
    let key = item.template_key.as_deref();
    key.zip(template)
        .is_some_and(|(key, template)| template.item(key).is_none())
}

/// The item, what was deleted with it, and the section without which it would be elsewhere.
fn together(list: &Checklist, item: &Item, template: Option<&Template>) -> Vec<ItemId> {
    let restorable = |other: &&Item| !other.is_live() && is_restorable(other, template);
    let section = item.parent_id.and_then(|id| list.any(id));
    let section = section
        .filter(restorable)
        .filter(|section| section.kind == Kind::Section);
    let with_it = order::with_deleted(list).into_iter().filter(|other| {
        item.kind == Kind::Section
            && other.parent_id == Some(item.id)
            && other.deleted_at == item.deleted_at
            && other.modified_by == item.modified_by
            && restorable(other)
    });
    let first = section.map(|section| section.id);
    first
        .into_iter()
        .chain([item.id])
        .chain(with_it.map(|other| other.id))
        .collect()
}

fn bring_back(
    list: &mut Checklist,
    id: ItemId,
    template: Option<&Template>,
    session: &Session<'_>,
) -> Vec<Event> {
    let revision = list.revision + 1;
    let Some(at) = list.items.iter().position(|item| item.id == id) else {
        return Vec::new();
    };
    let item = Arc::make_mut(&mut list.items[at]);
    item.deleted_at = None;
    if has_left(item, template) {
        item.retired_at = Some(session.now);
    }
    item.version += 1;
    item.revision = revision;
    item.modified_by = session.actor.clone().into();
    item.modified_at = session.now;
    let mut events = vec![Event::about(What::Restored, item, session.languages)];
    if let Some(template) = template {
        events.extend(refresh::catch_up(list, id, template, session));
    }
    events
}
