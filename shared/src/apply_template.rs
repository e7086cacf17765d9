//! Applies a published template to a list that may follow another one: appends its items.
//!
//! Existing items are neither changed nor removed, and an item that was appended once is never
//! appended again. Its id says where it came from (see [`ItemId::appended`]); it has no template key,
//! so a refresh of the list's own template leaves it alone. See `docs/adr/0043-*`.

use std::collections::HashSet;
use std::sync::Arc;

use crate::change::Session;
use crate::checklist::Checklist;
use crate::due_dates::DueDates;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::{Item, Kind};
use crate::order::{self, Place};
use crate::permission::Permission;
use crate::problem::ItemProblemCode;
use crate::projection::{project_item, project_with};
use crate::template::{Template, TemplateItem};

/// What an application has brought into a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application {
    /// The new items, in the template's order; empty if the list has all of them.
    pub ids: Vec<ItemId>,
    /// For journal and audit. None for a list that is begun from the template: its creation tells
    /// of its items.
    pub events: Vec<Event>,
}

impl Application {
    /// A list that is begun, with the items of its own template.
    fn begun(list: &Checklist) -> Self {
        Self {
            ids: list.items.iter().map(|item| item.id).collect(),
            events: Vec::new(),
        }
    }
}

/// Appends to `list` what it does not have of `template` and what applies by its facts. A list that follows the template has all of
/// it: newer versions come with a refresh. A list that was never written is begun, from this template if
/// it projects from none.
///
/// The caller checks the lock, and counts the revision up.
///
/// # Errors
/// `LimitExceeded` when the list would hold too many items; the list is as it was.
pub fn apply_template(
    list: &mut Checklist,
    template: &Template,
    session: &Session<'_>,
) -> Result<Application, ItemProblemCode> {
    session.need(Permission::Add)?;
    let follows = list.template.as_ref().map(|own| own.id.as_str());
    let is_new = list.revision == 0;
    let applying = template.applying_to(&list.facts);
    if is_new && follows.is_none() && list.items.is_empty() {
        if applying.items.len() > session.limits.items {
            return Err(ItemProblemCode::LimitExceeded);
        }
        let facts = list.facts.clone();
        *list = project_with(&list.context, Some(template), facts, session.now);
        return Ok(Application::begun(list));
    }
    if follows == Some(template.id.as_str()) {
        return Ok(match is_new {
            true => Application::begun(list),
            false => Application::default(),
        });
    }
    let present: HashSet<ItemId> = list.items.iter().map(|item| item.id).collect();
    let missing: Vec<(ItemId, &TemplateItem)> = applying
        .items
        .iter()
        .map(|item| (id_of(list, template, &item.key), item))
        // Deleted items count as there: what somebody has deleted does not come back.
        .filter(|(id, _)| !present.contains(id))
        .collect();
    if list.used() + missing.len() > session.limits.items {
        return match missing.is_empty() {
            true => Ok(Application::default()),
            false => Err(ItemProblemCode::LimitExceeded),
        };
    }
    let mut application = Application::default();
    let due_dates = DueDates::of_appended(template, list, session.now);
    for (id, theirs) in missing {
        let item = append(list, template, id, (theirs, &due_dates), session)?;
        application.ids.push(id);
        application
            .events
            .push(Event::about(What::Added, &item, session.languages));
        list.items.push(Arc::new(item));
    }
    Ok(application)
}

fn id_of(list: &Checklist, template: &Template, key: &str) -> ItemId {
    ItemId::appended_in(list.run.number, &list.context, &template.id, key)
}

/// The item at the end of its section, or of the list if that section is gone.
fn append(
    list: &mut Checklist,
    template: &Template,
    id: ItemId,
    (theirs, due_dates): (&TemplateItem, &DueDates),
    session: &Session<'_>,
) -> Result<Item, ItemProblemCode> {
    let parent = theirs
        .parent_key
        .as_deref()
        .map(|key| id_of(list, template, key))
        .filter(|id| {
            list.live(*id)
                .is_some_and(|section| section.kind == Kind::Section)
        });
    let sort_key =
        order::make_room(list, parent, Place::Last, None).ok_or(ItemProblemCode::InvalidPlace)?;
    let now = session.now;
    Ok(Item {
        id,
        template_key: None,
        parent_id: parent,
        created_by: session.actor.clone().into(),
        modified_by: session.actor.clone().into(),
        revision: list.revision + 1,
        ..project_item(list, theirs, sort_key, due_dates.due(theirs), now)
    })
}
