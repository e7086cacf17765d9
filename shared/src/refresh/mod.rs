//! Applies a new template version to a list: a three-way merge that loses nothing.
//!
//! *Base* is the version that the list was made from, *theirs* the target, *mine* the items with
//! everything that people have done to them. Items are matched by template key, so texts and
//! order may change freely. Also computes the dry run, and the number of changes that an update
//! would bring.

mod merge;
mod placement;
mod report;

use crate::change::Session;
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::facts::Facts;
use crate::problem::ItemProblemCode;
use crate::projection::reference;
use crate::template::Template;

pub use report::Refreshed;

/// Brings `list` to `target` and leaves its facts; see [`refresh_with`].
///
/// # Errors
/// Those of [`refresh_with`].
pub fn refresh(
    list: &mut Checklist,
    base: Option<&Template>,
    target: &Template,
    session: &Session<'_>,
) -> Result<Refreshed, ItemProblemCode> {
    let facts = list.facts.clone();
    refresh_with(list, base, target, facts, session)
}

/// Brings `list` to `target`, and gives it these facts. `base` is the version it follows now, where that
/// is known. An item that no longer applies is one that the template no longer has.
///
/// The caller checks lock, permission and expected revision, and counts the revision up. The
/// same refresh again changes nothing.
///
/// # Errors
/// `LimitExceeded` when the list would hold too many items; the list is as it was.
pub fn refresh_with(
    list: &mut Checklist,
    base: Option<&Template>,
    target: &Template,
    facts: Facts,
    session: &Session<'_>,
) -> Result<Refreshed, ItemProblemCode> {
    let mut next = list.clone();
    let reference = reference(target);
    let base = base.map(|base| base.applying_to(&list.facts));
    let target = target.applying_to(&facts);
    // Due dates may count from them.
    next.facts = facts;
    let mut merge = merge::Merge::new(base.as_deref(), &target, session, &next);
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
    if next.facts != list.facts {
        events.push(Event::of_facts(&list.facts, &next.facts));
    }
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
    id: crate::id::ItemId,
    template: &Template,
    session: &Session<'_>,
) -> Vec<Event> {
    let mut merge = merge::Merge::new(Some(template), template, session, list);
    merge.follow_one(list, id);
    merge.done.events
}
