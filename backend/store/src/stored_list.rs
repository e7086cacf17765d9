//! A list as a store has it, and the facts about it that a decision needs.

use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::template::Template;
use checklist_shared::undo::UndoRecord;

use super::platform_types::TypesByName;
use super::store::{ListFacts, ListRequest, TemplateChoice};
use super::unreadable_type::UnreadableType;

/// A list as it is stored, with the ends of its logs.
#[derive(Clone, Debug)]
pub(super) struct StoredList<L> {
    /// The row number.
    pub(super) number: i64,
    /// The list itself.
    pub(super) list: Arc<Checklist>,
    pub(super) purged_revision: u64,
    pub(super) logs: L,
}

/// The facts about a list, without the number of its object's lists. `template` loads a template, and
/// returns `None` for one that is not there.
///
/// # Errors
/// The list's type cannot be read, or those of `template`.
pub(super) fn facts<L, E: From<UnreadableType>>(
    wanted: &ListRequest,
    stored: Option<&StoredList<L>>,
    types: &TypesByName,
    undo: Option<&UndoRecord>,
    mut template: impl FnMut(&TemplateChoice) -> Result<Option<Arc<Template>>, E>,
) -> Result<ListFacts, E> {
    let kind = types.get(&wanted.context.object_type)?;
    let list = stored.map(|stored| Arc::clone(&stored.list));
    let retired = wanted.new_template(list.as_deref(), kind.as_deref());
    let retired = retired.filter(|id| types.is_retired(id)).cloned();
    let (current, target) =
        wanted.templates(list.as_deref(), kind.as_deref(), retired.is_some(), undo);
    let mut facts = ListFacts {
        list,
        purged_revision: stored.map_or(0, |stored| stored.purged_revision),
        kind,
        retired,
        ..ListFacts::default()
    };
    for (choice, place) in [(current, &mut facts.current), (target, &mut facts.target)] {
        let Some(choice) = choice else { continue };
        *place = template(&choice)?;
        if place.is_none() {
            facts.missing = Some(choice);
        }
    }
    Ok(facts)
}

#[cfg(test)]
impl<L: Default> StoredList<L> {
    /// An empty list of that revision.
    pub(super) fn of_revision(revision: u64) -> Arc<Self> {
        use checklist_shared::context::Context;
        use checklist_shared::time::Timestamp;
        let mut list =
            Checklist::empty(Context::new("incident", "1", ""), Timestamp::from_millis(0));
        list.revision = revision;
        Arc::new(Self {
            number: 1,
            list: Arc::new(list),
            purged_revision: 0,
            logs: L::default(),
        })
    }
}
