//! A part of a list, for the views that render or hide it.

use checklist_shared::ItemId;
use leptos::prelude::*;

use super::at::ViewContext;
use crate::screen::{GroupKey, Groups};

/// A part of a list: all of it, a group, or a block of a group's rows.
#[derive(Clone, Copy)]
pub struct RowRange {
    /// The control.
    pub at: ViewContext,
    /// The group.
    pub group: GroupKey,
    /// The block.
    pub block: u32,
}

impl RowRange {
    /// Its rows, and how many there are in the groups before; drawn again when that changes.
    pub(super) fn rows<T>(self, read: impl FnOnce(&[ItemId], usize) -> T) -> T {
        let read_in = |groups: &Groups| {
            let mut from = 0;
            for (key, rows) in groups {
                if *key == self.group {
                    return read(rows, from);
                }
                from += rows.len();
            }
            read(&[], from)
        };
        self.at.controller.screen().groups.with(read_in)
    }

    /// How many rows there are in the groups before.
    pub(super) fn rows_before(self) -> usize {
        untrack(|| self.rows(|_, from| from))
    }
}
