//! What views show besides the list: a signal for the control and one for each row.
//!
//! A tick sets the signal of its row and that of the control, and the effects that track them run
//! again. Permissions have a signal of their own, because every row tracks them and they rarely
//! change. Only the controller sets the signals, after every change.

use std::cell::{Cell, RefCell};

use checklist_shared::ItemId;
use leptos::prelude::*;

pub use crate::model::arrange::{GroupKey, Groups, RETIRED};
use crate::model::mode::Mode;
pub use crate::model::view_data::*;

/// Rows that are drawn at once: more than a screen holds. In longer lists what follows is drawn
/// bit by bit, in moments when the browser has nothing else to do.
pub const AT_ONCE: usize = 100;
/// Rows of a long list that are put together.
pub const BLOCK: usize = 50;

/// The number of rows.
#[must_use]
pub fn count_of(groups: &Groups) -> usize {
    groups.iter().map(|(_, rows)| rows.len()).sum()
}

/// A row, by its item.
type RowEntry = (ItemId, ArcRwSignal<Row>);

/// Everything that one control shows.
#[derive(Default)]
pub struct Screen {
    /// The permitted actions and the language.
    pub mode: ArcRwSignal<Mode>,
    /// The rest of it, but for the rows.
    pub card: ArcRwSignal<CardState>,
    /// The groups with their rows, in order.
    pub groups: ArcRwSignal<Groups>,
    /// The rows that the viewer does not want to see, by their groups.
    pub folded: RefCell<Groups>,
    /// How many of them, from the top, are drawn so far.
    pub drawn: ArcRwSignal<usize>,
    /// Whether something that was pressed waits for its code.
    pub waits: ArcRwSignal<bool>,
    rows: RefCell<Vec<RowEntry>>,
    /// The index of the last lookup, where the next one starts.
    found: Cell<usize>,
}

impl Screen {
    /// Sets what may be done. Tells nobody when it is that already.
    pub fn set_mode(&self, mode: Mode) {
        if self.mode.get_untracked() != mode {
            self.mode.set(mode);
        }
    }

    /// The row of an item. Rows are asked for one after the other most of the time, so looking
    /// begins behind the one that was found last.
    #[must_use]
    #[inline(never)]
    pub fn row(&self, id: ItemId) -> Option<ArcRwSignal<Row>> {
        let rows = self.rows.borrow();
        let (before, after) = rows.split_at_checked(self.found.get())?;
        let of_item = |(there, _): &&RowEntry| *there == id;
        let found = after.iter().chain(before).position(|row| of_item(&row))?;
        let at = (self.found.get() + found) % rows.len();
        self.found.set(at);
        rows.get(at).map(|(_, row)| row.clone())
    }

    /// Takes over which rows there are, and where.
    pub fn arrange(&self, order: &[ItemId], groups: Groups) {
        let rows: Vec<RowEntry> = order
            .iter()
            .map(|id| (*id, self.row(*id).unwrap_or_default()))
            .collect();
        self.rows.replace(rows);
        self.found.set(0);
        let is_long = count_of(&groups) > AT_ONCE;
        self.drawn
            .update_untracked(|drawn| *drawn = AT_ONCE.max(if is_long { *drawn } else { 0 }));
        self.groups.set(groups);
    }

    /// Whether some rows are not drawn yet.
    #[must_use]
    pub fn has_more_rows(&self) -> bool {
        self.drawn.get_untracked() < self.groups.with_untracked(count_of)
    }

    /// Draws so many rows more.
    pub fn draw_more(&self, rows: usize) {
        self.drawn.update(|drawn| *drawn += rows);
    }
}
