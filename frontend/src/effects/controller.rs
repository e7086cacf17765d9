//! The interface of a control for its host and its views: turns calls into messages to the model.
//!
//! A `Copy` handle without state: the model has the state, the screen the signals, and `effects`
//! performs the effects.

use std::rc::Rc;

use checklist_shared::ItemId;
use checklist_shared::item::Item;
use checklist_shared::wire::list::GetItems;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::deferred::DeferredCall;
use super::inputs::page_language;
use super::runtime::{Runtime, begin, find, forget};
use crate::api::requests::Request;
use crate::api::saved::StoredOperations;
use crate::model::draft::StoredDraft;
use crate::model::list::ListState;
use crate::model::message::{Msg, UserAction};
use crate::model::mode::Mode;
use crate::model::moves;
use crate::port::{CompletionCallback, Host, Settings, Snapshot};
use crate::screen::{CardState, Row, Screen};

/// A checklist on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controller(u32);

/// The interface for hosts.
impl Controller {
    /// A control for that host, without the page around it. Does nothing before
    /// [`Controller::begin`].
    pub(crate) fn without_page(host: Rc<dyn Host>, settings: Settings) -> Self {
        Self(begin(host, settings))
    }

    /// Begins with `drawn`, a list as GetItems answers it; without one by loading what the
    /// settings name. The first `rows` of it are in sight or above, and are drawn at once.
    pub fn begin(&self, drawn: &JsValue, rows: usize) {
        let drawn = GetItems::read(drawn.clone()).ok().map(Box::new);
        let is_drawn = drawn.is_some();
        self.tell(Msg::Begin(drawn));
        if is_drawn {
            self.draw_first(rows);
        }
    }

    /// Takes over other settings; loads when they name another list or language.
    pub fn set_settings(&self, settings: Settings) {
        let language = page_language();
        self.tell(Msg::Configure(Rc::new(settings), language));
    }

    /// The present state, for the host.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.runtime().snapshot()
    }

    /// The items in display order.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        self.with_state(|state| {
            let live = state.order().iter().filter_map(|id| state.live(*id));
            live.cloned().collect()
        })
    }

    /// Sends what waits. Told when the server has answered everything, or the first thing that
    /// did not work: no connection, or an operation that was refused.
    pub fn flush(&self, done: CompletionCallback) {
        self.ask_model(done, Msg::Flush);
    }

    /// Reads the list again. Told when it is on the screen, or why it could not be read.
    pub fn refresh(&self, done: CompletionCallback) {
        self.ask_model(done, Msg::Refresh);
    }

    /// Whether a form has waited for the queue so long that a notice is shown.
    pub fn submit_waits(&self, waits: bool) {
        self.tell(Msg::SubmitWaits(waits));
    }

    /// Forgets changes that wait for a form or for an object, as a form's reset does.
    pub fn reset(&self) {
        self.tell(Msg::Reset);
    }

    /// Takes the person's last operation back.
    pub fn undo(&self) {
        self.does(UserAction::Undo(None));
    }

    /// What was done in a draft, as text; empty where there is nothing to keep.
    #[must_use]
    pub fn kept_draft(&self) -> String {
        let draft = self.runtime().model.borrow().draft_done();
        let text = |draft: StoredDraft| {
            let StoredDraft {
                place,
                keys,
                operations,
            } = draft;
            StoredOperations {
                operations,
                place,
                keys,
                ..StoredOperations::default()
            }
            .text()
        };
        draft.map(text).unwrap_or_default()
    }

    /// Repeats the changes that [`Self::kept_draft`] returned, as soon as there is a draft.
    pub fn bring_back(&self, kept: String) {
        if !kept.is_empty() {
            self.do_late(DeferredCall::BringBack(kept));
        }
    }

    /// Ends everything that runs by itself. The control does nothing more.
    pub fn dispose(&self) {
        self.keep_typed_text();
        self.tell(Msg::End);
        forget(self.0);
    }
}

/// The interface for views.
impl Controller {
    pub(crate) fn runtime(&self) -> Rc<Runtime> {
        find(self.0)
    }

    pub(crate) fn screen(&self) -> Rc<Screen> {
        Rc::clone(&self.runtime().screen)
    }

    /// Changes the display state outside the rows, and renders it.
    pub(crate) fn show(&self, change: impl FnOnce(&mut CardState)) {
        let runtime = self.runtime();
        change(&mut runtime.model.borrow_mut().card);
        runtime.draw_card();
    }

    /// The same without drawing: what is typed is on the screen already.
    pub(crate) fn note(&self, change: impl FnOnce(&mut CardState)) {
        let runtime = self.runtime();
        let card = {
            let mut model = runtime.model.borrow_mut();
            change(&mut model.card);
            model.card.clone()
        };
        runtime.screen.card.update_untracked(|shown| *shown = card);
    }

    /// Reads the display state outside the rows.
    pub(crate) fn card<T>(&self, read: impl FnOnce(&CardState) -> T) -> T {
        self.screen().card.with_untracked(read)
    }

    /// Changes a row and draws it, if it is there.
    pub(crate) fn show_row(&self, id: ItemId, change: impl FnOnce(&mut Row)) -> Option<()> {
        self.screen().row(id)?;
        let runtime = self.runtime();
        runtime.model.borrow_mut().rows.change(id, change);
        runtime.draw_row(id);
        Some(())
    }

    /// Changes a row without drawing, if it is there.
    pub(crate) fn note_row(&self, id: ItemId, change: impl FnOnce(&mut Row)) {
        let runtime = self.runtime();
        let Some(shown) = runtime.screen.row(id) else {
            return;
        };
        let row = {
            let mut model = runtime.model.borrow_mut();
            model.rows.change(id, change);
            model.rows.get(id).cloned().unwrap_or_default()
        };
        shown.update_untracked(|shown| *shown = row);
    }

    /// Reads a row, if it is there.
    pub(crate) fn row<T>(&self, id: ItemId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.screen().row(id).map(|row| row.with_untracked(read))
    }

    pub(crate) fn settings(&self) -> Rc<Settings> {
        Rc::clone(&self.runtime().model.borrow().settings)
    }

    /// The number of the closed run that is shown.
    pub(crate) fn closed_run(&self) -> Option<u32> {
        self.with_state(|state| state.meta.run)
    }

    pub(crate) fn with_state<T>(&self, read: impl FnOnce(&ListState) -> T) -> T {
        read(&self.runtime().model.borrow().list)
    }

    /// The item as it is shown.
    pub(crate) fn item(&self, id: ItemId) -> Option<Item> {
        self.with_state(|state| state.live(id).cloned())
    }

    /// The siblings of an item, itself included.
    pub(crate) fn siblings(&self, id: Option<ItemId>) -> Vec<ItemId> {
        let parent = id.and_then(|id| self.item(id)).map(|item| item.parent_id);
        parent
            .map(|parent| self.with_state(|state| moves::siblings(state, parent)))
            .unwrap_or_default()
    }

    pub(crate) fn mode(&self) -> Mode {
        self.screen().mode.get_untracked()
    }

    /// An id that no other control on the page uses for its parts.
    pub(crate) fn dom_id(&self, part: &str) -> String {
        ["checklist-", &self.0.to_string(), "-", part].concat()
    }

    pub(crate) fn set_root(&self, root: web_sys::Element) {
        self.runtime().root.replace(Some(root));
    }

    pub(crate) fn root(&self) -> Option<web_sys::Element> {
        self.runtime().root.borrow().clone()
    }
}
