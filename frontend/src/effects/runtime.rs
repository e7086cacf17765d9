//! What belongs to one control besides its model: the host, the screen, pending callers.
//!
//! Controllers are numbers, so that views can copy them; this module maps the numbers to the controls
//! of the page. The number of a removed control maps to a runtime that does nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use checklist_shared::{Context, ItemId};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::inputs::{message_context, page_language};
use super::listeners::Listeners;
use crate::STILL;
use crate::model::announcer::Announcer;
use crate::model::list::DirtyRows;
use crate::model::message::{Msg, WaiterId};
use crate::model::{Model, update};
use crate::port::{
    CancelableEvent, ChangeDetail, CompletionCallback, ErrorDetail, Host, Settings, Snapshot,
    TokenCallback, TokenReason,
};
use crate::screen::Screen;

/// One control of the page.
pub(crate) struct Runtime {
    pub model: RefCell<Model>,
    pub screen: Rc<Screen>,
    host: Rc<dyn Host>,
    /// The state that the host knows.
    snapshot: RefCell<Snapshot>,
    waiters: RefCell<Vec<(WaiterId, CompletionCallback)>>,
    waited: Cell<WaiterId>,
    pub announcer: RefCell<Announcer>,
    /// Changes of others that are not taken in yet, and when something of that was drawn last.
    pub received_changes: RefCell<Vec<JsValue>>,
    pub drawn_at: Cell<i64>,
    /// Whether more rows are drawn as soon as there is time.
    pub is_drawing_on: Cell<bool>,
    pub root: RefCell<Option<web_sys::Element>>,
    pub listeners: RefCell<Option<Listeners>>,
}

thread_local! {
    static CONTROLS: RefCell<BTreeMap<u32, Rc<Runtime>>> = const { RefCell::new(BTreeMap::new()) };
    static LAST: Cell<u32> = const { Cell::new(0) };
    static GONE: Rc<Runtime> = Rc::new(Runtime::new_detached());
}

/// A new control; its number is nobody else's as long as the page lives. A server, on which nothing
/// is on its way for one that is gone, begins with the first again: what it draws is always alike.
pub(crate) fn begin(host: Rc<dyn Host>, settings: Settings) -> u32 {
    let last = if STILL {
        CONTROLS.with_borrow(|controls| controls.keys().last().copied().unwrap_or_default())
    } else {
        LAST.get()
    };
    let number = last + 1;
    LAST.set(number);
    let runtime = Rc::new(Runtime::new(host, settings));
    CONTROLS.with_borrow_mut(|controls| controls.insert(number, runtime));
    number
}

/// The control of that number.
#[inline(never)]
pub(crate) fn find(number: u32) -> Rc<Runtime> {
    let found = CONTROLS.with_borrow(|controls| controls.get(&number).map(Rc::clone));
    found.unwrap_or_else(|| GONE.with(Rc::clone))
}

/// The control is no longer there.
pub(crate) fn forget(number: u32) {
    // Outside of the borrow: what is given back may look for others.
    let gone = CONTROLS.with_borrow_mut(|controls| controls.remove(&number));
    drop(gone);
}

impl Runtime {
    fn new(host: Rc<dyn Host>, settings: Settings) -> Self {
        let model = Model::new(Rc::new(settings), page_language(), message_context());
        let screen = Screen::default();
        screen.set_mode(model.mode);
        Self {
            model: RefCell::new(model),
            screen: Rc::new(screen),
            host,
            // The state that a host assumes initially.
            snapshot: RefCell::new(Snapshot {
                incomplete: true,
                ..Snapshot::default()
            }),
            waiters: RefCell::default(),
            waited: Cell::new(0),
            announcer: RefCell::default(),
            received_changes: RefCell::default(),
            drawn_at: Cell::new(0),
            is_drawing_on: Cell::new(false),
            root: RefCell::default(),
            listeners: RefCell::default(),
        }
    }

    fn new_detached() -> Self {
        let runtime = Self::new(Rc::new(DetachedHost), Settings::default());
        update(&mut runtime.model.borrow_mut(), Msg::End, message_context());
        runtime
    }

    pub(crate) fn host(&self) -> Rc<dyn Host> {
        Rc::clone(&self.host)
    }

    /// The state that the host knows.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.snapshot.borrow().clone()
    }

    /// Notifies the host of the state, if it has changed.
    pub(super) fn publish(&self) {
        let snapshot = self.model.borrow().snapshot();
        let before = self.snapshot.replace(snapshot.clone());
        if before == snapshot {
            return;
        }
        self.host.changed(&snapshot);
        // A listener may have changed something, and has been notified of that by then.
        let is_current = || self.snapshot.borrow().state == snapshot.state;
        if before.completed != snapshot.completed && is_current() {
            self.host.completed_changed(snapshot.completed);
        }
        if before.state != snapshot.state && is_current() {
            self.host.state_changed(snapshot.state);
        }
    }

    /// Renders everything outside the rows.
    pub(crate) fn draw_card(&self) {
        let (mode, card) = {
            let model = self.model.borrow();
            (model.mode, model.card.clone())
        };
        self.screen.set_mode(mode);
        self.screen.card.set(card);
    }

    /// Draws a row.
    pub(crate) fn draw_row(&self, id: ItemId) {
        let row = self.model.borrow().rows.get(id).cloned();
        if let Some(shown) = self.screen.row(id) {
            shown.set(row.unwrap_or_default());
        }
    }

    /// Renders rows and their order.
    pub(crate) fn draw(&self, affected: &DirtyRows) {
        if affected.structural {
            let (order, groups, folded) = {
                let model = self.model.borrow();
                let order = model.list.order().to_vec();
                (order, model.groups.clone(), model.folded.clone())
            };
            self.screen.folded.replace(folded);
            self.screen.arrange(&order, groups);
        }
        for id in &affected.ids {
            self.draw_row(*id);
        }
    }

    /// Somebody waits from now on.
    pub(super) fn wait(&self, done: CompletionCallback) -> WaiterId {
        let waiter = self.waited.get().wrapping_add(1);
        self.waited.set(waiter);
        self.waiters.borrow_mut().push((waiter, done));
        waiter
    }

    /// Who waited under that number, and no longer does.
    pub(super) fn take_waiter(&self, waiter: WaiterId) -> Option<CompletionCallback> {
        let mut waiters = self.waiters.borrow_mut();
        let at = waiters.iter().position(|(there, _)| *there == waiter)?;
        Some(waiters.swap_remove(at).1)
    }
}

/// The host of a control that is gone, or is only drawn.
pub(crate) struct DetachedHost;

impl Host for DetachedHost {
    fn before(&self, _what: CancelableEvent, _item: Option<ItemId>) -> bool {
        false
    }

    fn changed(&self, _snapshot: &Snapshot) {}

    fn user_change(&self, _change: ChangeDetail) {}

    fn completed_changed(&self, _completed: bool) {}

    fn error(&self, _problem: ErrorDetail) {}

    fn token(&self, _contexts: Vec<Context>, _reason: TokenReason, done: TokenCallback) {
        done(Err(String::new()));
    }
}
