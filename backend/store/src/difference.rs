//! Compares a list before and after a change, item by item.

use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::item::{AspectVersions, Item};

/// The old version of an item, which nearly always has the same index.
pub(super) fn before<'a>(list: &'a Checklist, index: usize, item: &Item) -> Option<&'a Arc<Item>> {
    let is_it = |old: &&Arc<Item>| old.id == item.id;
    let near = list.items.get(index).filter(is_it);
    near.or_else(|| list.items.iter().find(is_it))
}

/// Whether the two are equal. Nearly always one pointer comparison, because unchanged items are
/// shared.
pub(super) fn is_none(old: &Arc<Item>, new: &Arc<Item>) -> bool {
    Arc::ptr_eq(old, new) || old == new
}

/// Whether two items differ only in what a tick changes.
pub(super) fn in_state_alone(old: &Item, new: &Item) -> bool {
    let same_versions = AspectVersions {
        status: 0,
        ..old.changed_in
    } == AspectVersions {
        status: 0,
        ..new.changed_in
    };
    same_versions
        && old.kind == new.kind
        && old.parent_id == new.parent_id
        && old.sort_key == new.sort_key
        && old.text == new.text
        && old.help == new.help
        && old.text_overridden == new.text_overridden
        && old.template_text == new.template_text
        && old.required == new.required
        && old.allow_not_applicable == new.allow_not_applicable
        && old.not_applicable_needs_reason == new.not_applicable_needs_reason
        && old.assignee == new.assignee
        && old.assignee_by_person == new.assignee_by_person
        && old.due == new.due
        && old.due_by_person == new.due_by_person
        && old.note == new.note
        && old.retired_at == new.retired_at
        && old.deleted_at == new.deleted_at
}
