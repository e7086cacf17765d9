//! Long lists: renders the first rows at once, the others in idle time.
//!
//! After a moment every row is on the page, for find-in-page, printing and screen
//! readers. Rows that are needed earlier, such as for a print or a row that gets the focus, are
//! rendered on demand.

use checklist_shared::ItemId;
use leptos::prelude::*;

use super::controller::Controller;
use crate::browser;
use crate::model::list::DirtyRows;
use crate::screen::{BLOCK, count_of};

/// Rows that are drawn in one go: few enough that a click in between is not felt to wait.
const STEP: usize = 2 * BLOCK;

impl Controller {
    /// Renders rows and their order; the last rows of a long list a little later.
    pub(crate) fn draw(&self, affected: &DirtyRows) {
        self.runtime().draw(affected);
        self.draw_on();
    }

    /// Sees to it that the rows that are not drawn yet are drawn soon.
    pub(super) fn draw_on(&self) {
        if !self.screen().has_more_rows() || self.runtime().is_drawing_on.replace(true) {
            return;
        }
        let controller = *self;
        browser::when_idle(Box::new(move || {
            controller.runtime().is_drawing_on.set(false);
            controller.screen().draw_more(STEP);
            controller.draw_on();
        }));
    }

    /// Draws all rows now.
    pub(crate) fn draw_all(&self) {
        if self.screen().has_more_rows() {
            self.screen()
                .draw_more(self.screen().groups.with_untracked(count_of));
        }
    }

    /// Draws so many rows from the top at once, if they are not drawn yet.
    pub(super) fn draw_first(&self, rows: usize) {
        let drawn = self.screen().drawn.get_untracked();
        if let Some(missing) = rows.checked_sub(drawn) {
            self.screen().draw_more(missing + BLOCK);
        }
    }

    /// Draws the rows up to this one now, if it is not drawn yet.
    pub(super) fn reach(&self, id: ItemId) {
        let at = self.screen().groups.with_untracked(|groups| {
            let mut rows = groups.iter().flat_map(|(_, rows)| rows);
            rows.position(|row| *row == id)
        });
        if let Some(at) = at {
            self.draw_first(at);
        }
    }
}
