//! Applies a new template version to a list: a three-way merge that loses nothing.
//!
//! *Base* is the version that the list was made from, *theirs* the target, *mine* the items with
//! everything that people have done to them. Items are matched by template key, so texts and
//! order may change freely. Also computes the dry run, and the number of changes that an update
//! would bring.

mod merge;
mod placement;

use std::collections::HashSet;

use crate::change::Session;
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::Item;
use crate::problem::ItemProblemCode;
use crate::projection::reference;
use crate::template::Template;
use crate::wire::list::TemplateUpdate;
use crate::wire::write::{RefreshCase, RefreshChange};

/// The result of a refresh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Case by case, for the caller.
    pub changes: Vec<RefreshChange>,
    /// For journal and audit; empty when nothing changed.
    pub events: Vec<Event>,
}

impl Refreshed {
    /// How many items would be added, changed and removed.
    #[must_use]
    pub fn count(&self, from_version: u32, to_version: u32) -> TemplateUpdate {
        use RefreshCase as Case;
        let distinct = |wanted: fn(Case) -> bool| {
            let keys: HashSet<&str> = self
                .changes
                .iter()
                .filter(|change| wanted(change.case))
                .map(|change| change.template_key.as_str())
                .collect();
            u32::try_from(keys.len()).unwrap_or(u32::MAX)
        };
        let added = |case| matches!(case, Case::Added | Case::Returned | Case::Resurrected);
        let removed = |case| matches!(case, Case::Removed | Case::Retired);
        TemplateUpdate {
            from_version,
            to_version,
            added: distinct(added),
            changed: distinct(|case| {
                !matches!(
                    case,
                    Case::Added
                        | Case::Returned
                        | Case::Resurrected
                        | Case::Removed
                        | Case::Retired
                )
            }),
            removed: distinct(removed),
        }
    }
}

/// Brings `list` to `target`. `base` is the version it follows now, where that is known.
///
/// The caller checks lock, permission and expected revision, and counts the revision up. The
/// same refresh again changes nothing.
///
/// # Errors
/// `LimitExceeded` when the list would hold too many items; the list is as it was.
pub fn refresh(
    list: &mut Checklist,
    base: Option<&Template>,
    target: &Template,
    session: &Session<'_>,
) -> Result<Refreshed, ItemProblemCode> {
    let mut next = list.clone();
    let mut merge = merge::Merge::new(base, target, session, list.revision + 1);
    merge.follow(&mut next);
    merge.drop_missing(&mut next);
    placement::arrange(&mut next, &mut merge);
    let Refreshed {
        changes,
        mut events,
    } = merge.done;

    if next.used() > session.limits.items && next.used() > list.used() {
        return Err(ItemProblemCode::LimitExceeded);
    }
    let reference = reference(target);
    if next.template.as_ref() != Some(&reference) {
        let name = |template: &crate::checklist::TemplateRef| {
            format!("{} {}", template.id, template.version)
        };
        events.push(
            Event::of_list(What::Refreshed)
                .changing(list.template.as_ref().map(name), Some(name(&reference))),
        );
        next.template = Some(reference);
    }
    // Where only deleted rows would move, there is nothing to report.
    if !events.is_empty() {
        *list = next;
    }
    Ok(Refreshed { changes, events })
}

/// Updates one item to its list's present template version: it was deleted during an earlier
/// refresh. The caller has incremented its version and set its revision to `list.revision + 1`.
#[cfg(feature = "records")]
pub(crate) fn catch_up(
    list: &mut Checklist,
    id: ItemId,
    template: &Template,
    session: &Session<'_>,
) -> Vec<Event> {
    let mut merge = merge::Merge::new(Some(template), template, session, list.revision + 1);
    merge.follow_one(list, id);
    merge.done.events
}

/// Marks an item as changed by this refresh and returns its new version.
fn bump(item: &mut Item, revision: u64, session: &Session<'_>) -> u64 {
    // One refresh is one change of an item, however many of its fields follow.
    if item.revision != revision {
        item.version += 1;
        item.revision = revision;
        // A deleted item may get another place, and keeps who deleted it, and when.
        if item.is_live() {
            item.modified_by = session.actor.clone();
            item.modified_at = session.now;
        }
    }
    item.version
}

/// The text of an item as the person who refreshes reads it.
fn wording(item: &Item, session: &Session<'_>) -> String {
    item.text.resolve(session.languages).to_owned()
}

/// Describes a change for the caller.
fn change(
    case: RefreshCase,
    key: &str,
    id: ItemId,
    before: Option<String>,
    after: Option<String>,
) -> RefreshChange {
    RefreshChange {
        case,
        template_key: key.to_owned(),
        id: Some(id),
        before,
        after,
    }
}
