//! Applies changes before the server has answered, and rolls them back.
//!
//! For every item of a pending operation, the server's value is kept. When an
//! answer or newer items arrive, those values are restored and the pending operations are
//! applied again by the same rules that the server uses.

use std::sync::Arc;

use checklist_shared::change::{Applied, Session, apply};
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::{Checklist, Item, ItemId};

use super::operation::Action;

/// The server's values of the items that waiting operations have changed here.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// `None`: the server does not have the item.
    confirmed: Vec<(ItemId, Option<Item>)>,
}

impl Overlay {
    /// Shows an operation. On an error the list is as it was; of several items those that the
    /// rules refuse are left out, as the server does it.
    ///
    /// Returns whether it changes anything: what is as wanted already need not be sent.
    ///
    /// # Errors
    /// Why the rules refuse it.
    pub fn show(
        &mut self,
        list: &mut Checklist,
        action: &Action,
        session: &Session<'_>,
    ) -> Result<bool, ItemProblemCode> {
        if action.is_step() {
            return Ok(true);
        }
        let before: Vec<(ItemId, Option<Item>)> = action
            .affected_items(list)
            .into_iter()
            .map(|id| (id, list.any(id).cloned()))
            .collect();
        let mut is_changed = false;
        let changes = action.changes();
        let mut refused = None;
        for change in &changes {
            match apply(list, change, session) {
                Ok(applied) => is_changed |= applied != Applied::Unchanged,
                Err(code) if action.is_bulk() => refused = refused.or(Some(code)),
                Err(code) => {
                    for (id, item) in before {
                        put(list, id, item);
                    }
                    return Err(code);
                }
            }
        }
        if !is_changed {
            return refused.map_or(Ok(false), Err);
        }
        for (id, item) in before {
            if !self.covers(id) {
                self.confirmed.push((id, item));
            }
        }
        Ok(true)
    }

    /// Whether something shown of this item is not confirmed yet.
    #[must_use]
    pub fn covers(&self, id: ItemId) -> bool {
        self.confirmed.iter().any(|(there, _)| *there == id)
    }

    /// The server's list, as far as it is known here.
    #[must_use]
    pub fn confirmed_list(&self, list: &Checklist) -> Checklist {
        let mut list = list.clone();
        for (id, item) in &self.confirmed {
            put(&mut list, *id, item.clone());
        }
        list
    }

    /// Takes the server's `news` in and shows the operations that still wait on top of it.
    /// Returns the ids of all items that may look different now.
    pub fn settle(
        &mut self,
        list: &mut Checklist,
        news: Vec<(ItemId, Option<Item>)>,
        waiting: &[&Action],
        session: &Session<'_>,
    ) -> Vec<ItemId> {
        let mut confirmed = std::mem::take(&mut self.confirmed);
        // Later ones win: what the server says now over what it said before.
        confirmed.extend(news);
        let mut ids: Vec<ItemId> = confirmed.iter().map(|(id, _)| *id).collect();
        for (id, item) in confirmed {
            put(list, id, item);
        }
        for action in waiting {
            ids.extend(action.affected_items(list));
            // What the rules refuse on the new ground the server will refuse too, and say why.
            let _ = self.show(list, action, session);
        }
        ids
    }
}

fn put(list: &mut Checklist, id: ItemId, item: Option<Item>) {
    let at = list.items.iter().position(|present| present.id == id);
    match (at.and_then(|at| list.items.get_mut(at)), item) {
        (Some(present), Some(item)) => *present = Arc::new(item),
        (Some(_), None) => list.items.retain(|present| present.id != id),
        (None, Some(item)) => list.items.push(Arc::new(item)),
        (None, None) => {}
    }
}
