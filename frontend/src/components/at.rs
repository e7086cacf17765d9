//! Identifies what a view shows: the control and the row.
//!
//! A small `Copy` value: every component and every listener gets one and reads its data through it.
//! Reading alone does not track; a view subscribes explicitly with `follow…`. Made by `whole` and
//! passed down.

use checklist_shared::ItemId;
use checklist_shared::item::Item;
use leptos::prelude::*;
use web_sys::Event;

use crate::effects::Controller;
use crate::i18n::Texts;
use crate::model::message::UserAction;
use crate::model::mode::Mode;
use crate::screen::{CardState, Row};

/// A place in a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewContext {
    /// The control that the view belongs to.
    pub controller: Controller,
    /// The item of the row; for the content of a section, the section's item.
    pub item: Option<ItemId>,
    /// A number whose meaning is the reader's: which entry of a menu, say.
    pub number: u32,
}

/// An event listener.
pub type Listener<E> = Box<dyn FnMut(E)>;

impl ViewContext {
    /// Refers to a control, without a row.
    #[must_use]
    pub const fn of(controller: Controller) -> Self {
        Self {
            controller,
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

    /// A view that is drawn again whenever something changes that it follows. One type for all of
    /// them: each type of closure has its share in the download.
    #[must_use]
    pub fn live(self, draw: fn(Self) -> AnyView) -> AnyView {
        view! { {move || draw(self)} }.into_any()
    }

    /// A listener for this view. One type for all listeners of an event, for the same reason.
    #[must_use]
    pub fn on<E: AsRef<Event> + 'static>(self, act: fn(Self, &Event)) -> Listener<E> {
        Box::new(move |event: E| act(self, event.as_ref()))
    }

    /// Has the view that asks drawn again whenever its row changes, or what may be done.
    pub fn follow(self) {
        let row = self.item.and_then(|id| self.controller.screen().row(id));
        if let Some(row) = row {
            row.track();
        }
        self.follow_mode();
    }

    /// Makes the calling view track the display state of the control outside its rows.
    pub fn follow_card(self) {
        self.controller.screen().card.track();
    }

    /// Makes the calling view track the mode: permissions and language.
    pub fn follow_mode(self) {
        self.controller.screen().mode.track();
    }

    /// The permitted actions and the language.
    #[must_use]
    pub fn mode(self) -> Mode {
        self.controller.mode()
    }

    /// The texts in the reader's language.
    #[must_use]
    pub fn texts(self) -> &'static Texts {
        self.mode().texts()
    }

    /// Reads the display state of the control outside its rows.
    pub fn card<T>(self, read: impl FnOnce(&CardState) -> T) -> T {
        self.controller.card(read)
    }

    /// Changes that, and draws it.
    pub fn show(self, change: impl FnOnce(&mut CardState)) {
        self.controller.show(change);
    }

    /// Reads the row, if it is still there.
    pub fn row<T>(self, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.controller.row(self.item?, read)
    }

    /// Changes the row and draws it, if it is still there.
    pub fn show_row(self, change: impl FnOnce(&mut Row)) {
        self.act(|controller, id| {
            controller.show_row(id, change);
        });
    }

    /// Reads the item of the row, if it is still there.
    pub fn read<T>(self, read: impl FnOnce(&Item) -> T) -> Option<T> {
        let id = self.item?;
        self.controller.with_state(|state| state.live(id).map(read))
    }

    /// Does something with the item of the row, if it is there.
    pub fn act(self, act: impl FnOnce(Controller, ItemId)) {
        if let Some(id) = self.item {
            act(self.controller, id);
        }
    }

    /// Does an action of the person with the item of the row.
    pub fn does(self, action: impl FnOnce(ItemId) -> UserAction) {
        self.act(|controller, id| controller.does(action(id)));
    }

    /// The item's id as text.
    #[must_use]
    #[inline(never)]
    pub fn id(self) -> String {
        self.item.map(|id| id.to_text()).unwrap_or_default()
    }

    /// An id for a part of this row that no other row has.
    #[must_use]
    #[inline(never)]
    pub fn dom_id(self, part: &str) -> String {
        [part, "-", &self.id()].concat()
    }
}

/// An empty view.
#[must_use]
pub fn nothing() -> AnyView {
    ().into_any()
}
