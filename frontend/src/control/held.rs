//! What a controller holds: the list, the screen, the host, and where things stand between them.
//!
//! Cells, because listeners of the host may call right back. Kept by `table`, reached through
//! `controller`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use checklist_shared::{Context, ItemId};
use wasm_bindgen::JsValue;

use super::controller::context_of;
use super::page::Listeners;
use super::port::{
    Before, ChangeDetail, ErrorDetail, GotToken, Host, Settings, Snapshot, TokenReason,
};
use super::screen::Screen;
use crate::state::list::ListState;
use crate::state::operation::Operation;
use crate::state::pacer::Pacer;

/// What was done in a draft: the ids of its rows, and the operations that wait.
pub struct Drafted {
    pub keys: Vec<(ItemId, String)>,
    pub waiting: Vec<Operation>,
}

/// Somebody who waits for the queue or for a read.
pub type Waiter = Box<dyn FnOnce()>;

/// What is held there.
pub struct Inner {
    /// Counts who was here, so that nobody takes the next one for the last.
    pub tenancy: Cell<u32>,
    pub host: RefCell<Rc<dyn Host>>,
    pub settings: RefCell<Rc<Settings>>,
    pub state: RefCell<ListState>,
    pub screen: Screen,
    pub pacer: RefCell<Pacer>,
    pub snapshot: RefCell<Snapshot>,
    /// Counts loads, so that an answer that comes too late is not taken in.
    pub generation: Cell<u32>,
    /// Who the unsent operations belong to; `None` until a token was read.
    pub principal: RefCell<Option<String>>,
    pub sending: Cell<bool>,
    /// No token helps; a person has to ask to go on.
    pub paused: Cell<bool>,
    /// In form mode: whether the host has asked to send what waits.
    pub released: Cell<bool>,
    pub offline: Cell<bool>,
    pub reading: Cell<bool>,
    pub read_at: Cell<i64>,
    pub disposed: Cell<bool>,
    /// How often the operation on its way was sent in vain, and whether its token was renewed.
    pub attempt: Cell<u32>,
    pub renewed: Cell<bool>,
    /// The operation that waits for its next attempt.
    pub delayed: RefCell<Option<Operation>>,
    /// Whether another read has to follow the one on its way.
    pub read_on: Cell<bool>,
    /// Those who wait for a read, and what went wrong with it.
    pub readers: RefCell<Vec<Waiter>>,
    pub unread: RefCell<Option<ErrorDetail>>,
    /// The undo or refresh that is announced once the list was read.
    pub swept: RefCell<Option<Operation>>,
    /// What was done before there was an object.
    pub drafted: RefCell<Option<Drafted>>,
    /// What was done in a draft before its page was left, until the template is there again.
    pub kept: RefCell<String>,
    /// Those who wait for the queue to be empty.
    pub waiters: RefCell<Vec<Waiter>>,
    /// What went wrong since the last flush began.
    pub failed: RefCell<Option<ErrorDetail>>,
    pub journal_told: Cell<bool>,
    /// Whether the stream of changes cannot be opened.
    pub cut_off: Cell<bool>,
    /// Whether something is drawn only when nothing is edited any more.
    pub held_back: Cell<bool>,
    /// What others did and is not taken in yet, and when something of that was drawn last.
    pub heard: RefCell<Vec<JsValue>>,
    pub drawn_at: Cell<i64>,
    /// Counts the news of others.
    pub news: Cell<u32>,
    /// Whether more rows are drawn as soon as there is time.
    pub drawing_on: Cell<bool>,
    pub root: RefCell<Option<web_sys::Element>>,
    pub listeners: RefCell<Option<Listeners>>,
}

impl Inner {
    /// A control that does nothing: what stands at a place that nobody has, and what whoever
    /// still asks for one that is gone is given.
    pub(super) fn nobody() -> Self {
        Self {
            tenancy: Cell::new(0),
            host: RefCell::new(Rc::new(Nobody)),
            settings: RefCell::default(),
            state: RefCell::new(ListState::new(context_of(&Settings::default()))),
            screen: Screen::default(),
            pacer: RefCell::default(),
            snapshot: RefCell::default(),
            generation: Cell::new(0),
            principal: RefCell::default(),
            sending: Cell::new(false),
            paused: Cell::new(false),
            released: Cell::new(false),
            offline: Cell::new(false),
            reading: Cell::new(false),
            read_at: Cell::new(0),
            disposed: Cell::new(true),
            attempt: Cell::new(0),
            renewed: Cell::new(false),
            delayed: RefCell::default(),
            read_on: Cell::new(false),
            readers: RefCell::default(),
            unread: RefCell::default(),
            swept: RefCell::default(),
            drafted: RefCell::default(),
            kept: RefCell::default(),
            waiters: RefCell::default(),
            failed: RefCell::default(),
            journal_told: Cell::new(false),
            cut_off: Cell::new(false),
            held_back: Cell::new(false),
            heard: RefCell::default(),
            drawn_at: Cell::new(0),
            news: Cell::new(0),
            drawing_on: Cell::new(false),
            root: RefCell::default(),
            listeners: RefCell::default(),
        }
    }

    /// Everything anew, for that host; what the one before held is given back.
    pub(super) fn begin(&self, host: Rc<dyn Host>, settings: Settings, disposed: bool) {
        self.state.replace(ListState::new(context_of(&settings)));
        self.settings.replace(Rc::new(settings));
        self.host.replace(host);
        self.screen.clear();
        self.pacer.take();
        self.snapshot.take();
        self.principal.take();
        self.delayed.take();
        self.readers.take();
        self.unread.take();
        self.swept.take();
        self.drafted.take();
        self.kept.take();
        self.waiters.take();
        self.failed.take();
        self.heard.take();
        self.root.take();
        self.listeners.take();
        for flag in [
            &self.sending,
            &self.paused,
            &self.released,
            &self.offline,
            &self.reading,
            &self.renewed,
            &self.read_on,
            &self.journal_told,
            &self.cut_off,
            &self.held_back,
            &self.drawing_on,
        ] {
            flag.set(false);
        }
        self.attempt.set(0);
        self.read_at.set(0);
        self.drawn_at.set(0);
        self.disposed.set(disposed);
    }

    /// Nobody any more.
    pub(super) fn end(&self) {
        self.begin(Rc::new(Nobody), Settings::default(), true);
    }
}

/// The host of nobody.
pub struct Nobody;

impl Host for Nobody {
    fn before(&self, _what: Before, _item: Option<ItemId>) -> bool {
        false
    }

    fn changed(&self, _snapshot: &Snapshot) {}

    fn user_change(&self, _change: ChangeDetail) {}

    fn completed_changed(&self, _completed: bool) {}

    fn error(&self, _problem: ErrorDetail) {}

    fn token(&self, _contexts: Vec<Context>, _reason: TokenReason, done: GotToken) {
        done(Err(String::new()));
    }
}
