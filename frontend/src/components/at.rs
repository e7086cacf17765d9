//! What a view is about: the control, how it is drawn, and which row.
//!
//! A plain copy of a few words. Every function that draws, follows or listens gets one, and
//! reads everything else where it is held. Made by `control::view`, passed down from there.

use std::rc::Rc;

use checklist_shared::ItemId;

use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Row, Screen};
use crate::i18n::Texts;

/// A place in a control.
#[derive(Clone, Copy)]
pub struct At {
    /// The control.
    pub controller: Controller,
    /// What may be done, and in which words.
    pub mode: Mode,
    /// The item of the row; of the section for what stands in one.
    pub item: Option<ItemId>,
    /// A number whose meaning is the reader's: which entry of a menu, say.
    pub number: u32,
}

impl At {
    /// A whole control.
    #[must_use]
    pub const fn of(controller: Controller, mode: Mode) -> Self {
        Self {
            controller,
            mode,
            item: None,
            number: 0,
        }
    }

    /// The same for an item.
    #[must_use]
    pub const fn item(self, id: ItemId) -> Self {
        Self {
            item: Some(id),
            ..self
        }
    }

    /// The same with a number.
    #[must_use]
    pub const fn number(self, number: u32) -> Self {
        Self { number, ..self }
    }

    /// The words.
    #[must_use]
    pub fn texts(self) -> &'static Texts {
        self.mode.texts()
    }

    /// What the control shows.
    #[must_use]
    pub fn screen(self) -> Rc<Screen> {
        self.controller.screen()
    }

    /// The row, if it is still there.
    #[must_use]
    #[inline(never)]
    pub fn row(self) -> Option<Rc<Row>> {
        self.controller.screen().row(self.item?)
    }

    /// Does something with the item of the row, if it is there.
    pub fn act(self, act: impl FnOnce(Controller, ItemId)) {
        if let Some(id) = self.item {
            act(self.controller, id);
        }
    }

    /// An id for a part of this row that no other row has.
    #[must_use]
    #[inline(never)]
    pub fn dom_id(self, part: &str) -> String {
        let id = self.item.map(|id| id.to_string()).unwrap_or_default();
        [part, "-", &id].concat()
    }
}
