//! Compares a list before and after a change, item by item.

use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::item::Item;

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
