//! What a host drives: settings in, snapshots and events out.
//!
//! Cheap to clone; all clones are one control. Holds no state of its own beyond what its parts
//! need to meet: the list (`state`), the screen, the host. No borrow is held while the host is
//! called, because its listeners may call right back.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::mode::Mode;
use super::page::Listeners;
use super::port::{
    Before, ChangeDetail, ErrorDetail, GotToken, Host, Settings, Snapshot, TokenReason, Told,
};
use super::screen::{self, Face, Phase, Row, Screen, Strip, Summary};
use super::table::{self, Place};
use crate::api::write;
use crate::browser;
use crate::i18n::{Language, Texts, fill, plural};
use crate::state::list::{Affected, ListState};
use crate::state::operation::Operation;
use crate::state::pacer::Pacer;
use checklist_shared::progress::State;
use checklist_shared::{Context, Item, ItemId};

/// A checklist on a page: a plain copy of the place where it is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controller(Place);

/// What was done in a draft: the ids of its rows, and the operations that wait.
pub struct Drafted {
    pub keys: Vec<(ItemId, String)>,
    pub waiting: Vec<Operation>,
}

/// Somebody who waits for the queue or for a read.
pub type Waiter = Box<dyn FnOnce()>;

/// What is held there.
pub struct Inner {
    pub host: Rc<dyn Host>,
    pub settings: RefCell<Rc<Settings>>,
    pub state: RefCell<ListState>,
    pub screen: Rc<Screen>,
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
    /// Those who wait for the queue to be empty.
    pub waiters: RefCell<Vec<Waiter>>,
    /// What went wrong since the last flush began.
    pub failed: RefCell<Option<ErrorDetail>>,
    pub journal_told: Cell<bool>,
    root: RefCell<Option<web_sys::Element>>,
    listeners: RefCell<Option<Listeners>>,
}

impl Controller {
    /// A control for that host. Starts to load at once when the settings name an object type.
    #[must_use]
    pub fn new(host: Rc<dyn Host>, settings: Settings) -> Self {
        let state = ListState::new(context_of(&settings));
        let mode = Mode::of(&settings, &state);
        let controller = Self(table::enter(Inner::new(
            host,
            settings,
            state,
            Screen::new(mode),
        )));
        controller.listen();
        controller.load();
        controller
    }

    /// Takes over other settings; loads when they name another list or language.
    pub fn set_settings(&self, settings: Settings) {
        let settings = Rc::new(settings);
        let before = self.inner().settings.replace(Rc::clone(&settings));
        if before == settings {
            return;
        }
        let same = before.base_url == settings.base_url
            && before.object_type == settings.object_type
            && before.purpose == settings.purpose
            && before.template == settings.template;
        let language = before.lang != settings.lang;
        if same && before.object_id == settings.object_id && !language {
            self.publish();
            if before.autosave_off && !settings.autosave_off {
                self.send();
            }
            return;
        }
        let was_draft = before.object_id.is_empty();
        if same && was_draft && !settings.object_id.is_empty() {
            self.adopt_draft();
        } else if same && before.object_id == settings.object_id {
            // Another language of the same list: what waits goes on waiting.
            self.load();
        } else {
            self.change_list(&settings);
        }
    }

    /// What a host can see at this moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.inner().snapshot.borrow().clone()
    }

    /// The items in display order.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        self.with_state(|state| {
            state
                .order()
                .iter()
                .filter_map(|id| state.list.live(*id).cloned())
                .collect()
        })
    }

    /// Sends what waits. Told when the server has answered everything, or the first thing that
    /// did not work: no connection, or an operation that was refused.
    pub fn flush(&self, told: Told) {
        self.flush_now(told);
    }

    /// Reads the list again. Told when it is on the screen, or why it could not be read.
    pub fn refresh(&self, told: Told) {
        self.read_and_tell(told);
    }

    /// Forgets changes that wait for a form or for an object, as a form's reset does. What is
    /// sent at once otherwise is stored already and stays.
    pub fn reset(&self) {
        let settings = self.settings();
        if !settings.autosave_off && !settings.object_id.is_empty() {
            return;
        }
        let affected = self.inner().state.borrow_mut().reset(browser::now());
        self.remember();
        self.draw(&affected);
        self.publish();
    }

    /// Ends everything that runs by itself. The control does nothing more.
    pub fn dispose(&self) {
        let inner = self.inner();
        inner.disposed.set(true);
        inner.generation.set(inner.generation.get() + 1);
        inner.listeners.take();
        table::leave(self.0);
    }

    pub(crate) fn inner(&self) -> Rc<Inner> {
        table::at(self.0)
    }

    pub(super) fn host(&self) -> Rc<dyn Host> {
        Rc::clone(&self.inner().host)
    }

    pub(crate) fn screen(&self) -> Rc<Screen> {
        Rc::clone(&self.inner().screen)
    }

    /// Changes what the control shows beside its rows, and draws it.
    pub(crate) fn show<T>(&self, change: impl FnOnce(&mut Face) -> T) -> T {
        self.screen().face.change(change)
    }

    /// Reads what the control shows beside its rows.
    pub(crate) fn face<T>(&self, read: impl FnOnce(&Face) -> T) -> T {
        self.screen().face.read(read)
    }

    /// Changes a row and draws it, if it is there.
    pub(crate) fn show_row<T>(&self, id: ItemId, change: impl FnOnce(&mut Row) -> T) -> Option<T> {
        self.screen().row(id).map(|row| row.change(change))
    }

    /// Reads a row, if it is there.
    pub(crate) fn row<T>(&self, id: ItemId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.screen().row(id).map(|row| row.read(read))
    }

    pub(crate) fn settings(&self) -> Rc<Settings> {
        Rc::clone(&self.inner().settings.borrow())
    }

    pub(crate) fn with_state<T>(&self, read: impl FnOnce(&ListState) -> T) -> T {
        read(&self.inner().state.borrow())
    }

    pub(crate) fn texts(&self) -> &'static Texts {
        self.mode().texts()
    }

    /// The context of the calls; `None` while there is no object.
    pub(super) fn context(&self) -> Option<Context> {
        let context = context_of(&self.inner().settings.borrow());
        (!context.object_id.is_empty() && !context.object_type.is_empty()).then_some(context)
    }

    /// An id that no other control on the page uses for its parts.
    pub(crate) fn dom_id(&self, part: &str) -> String {
        ["checklist-", &self.0.number().to_string(), "-", part].concat()
    }

    pub(crate) fn set_root(&self, root: web_sys::Element) {
        self.inner().root.replace(Some(root));
    }

    pub(super) fn root(&self) -> Option<web_sys::Element> {
        self.inner().root.borrow().clone()
    }

    pub(super) fn draw(&self, affected: &Affected) {
        self.screen().draw(&self.inner().state.borrow(), affected);
    }

    /// Tells the screen and the host how things stand. Before any event, so that listeners
    /// find form value, validity and states as they are.
    pub(super) fn publish(&self) {
        let inner = self.inner();
        let settings = self.settings();
        let draft = settings.object_id.is_empty();
        let offline = inner.offline.get();
        let (mode, summary, strip, pending, revision) = self.with_state(|state| {
            let strip = Strip {
                update: state.meta.update,
                locked: state.list.locked.clone(),
                offline,
                draft,
            };
            (
                Mode::of(&settings, state),
                screen::summarize(state),
                strip,
                state.queue.len(),
                state.list.revision,
            )
        });
        let failed = self.face(|face| matches!(face.phase, Phase::Failed(_)));
        let locked = strip.locked.is_some();
        let state = if failed {
            State::Unknown
        } else {
            summary.state
        };
        let snapshot = Snapshot {
            state,
            completed: state.is_completed(),
            counts: summary.counts,
            blockers: summary.blockers.clone(),
            revision,
            pending: u32::try_from(pending).unwrap_or(u32::MAX),
            offline,
            error: failed,
            readonly: settings.readonly || settings.disabled || locked,
            locked,
            draft,
            still_open: still_open(&summary, mode.language),
        };
        self.show(|face| {
            face.mode = mode;
            face.summary = summary;
            face.strip = strip;
        });
        let before = inner.snapshot.replace(snapshot.clone());
        if before == snapshot {
            return;
        }
        let host = self.host();
        host.changed(&snapshot);
        if before.completed != snapshot.completed {
            host.completed_changed(snapshot.completed);
        }
    }

    /// Keeps what is not sent yet for after a reload.
    pub(super) fn remember(&self) {
        let Some(key) = self.storage_key() else {
            return;
        };
        let saved = self.with_state(|state| {
            (!state.queue.is_empty()).then(|| write::saved(state.queue.iter()))
        });
        browser::keep(&key, saved.as_deref());
    }

    /// Where unsent operations of this person and this list are kept.
    pub(super) fn storage_key(&self) -> Option<String> {
        let context = self.context()?;
        let principal = self.inner().principal.borrow().clone()?;
        let base_url = self.inner().settings.borrow().base_url.clone();
        // A character that cannot stand in any part keeps the parts apart.
        Some(
            [
                "checklist",
                &base_url,
                &principal,
                &context.object_type,
                &context.object_id,
                &context.purpose,
            ]
            .join("\u{1f}"),
        )
    }

    fn listen(&self) {
        let controller = *self;
        let listeners = Listeners::new(
            Rc::new(move || controller.look_again()),
            Rc::new(move || {
                // Without a network there was no token either.
                controller.resume();
                controller.look_again();
            }),
        );
        self.inner().listeners.replace(Some(listeners));
    }
}

impl Inner {
    fn new(host: Rc<dyn Host>, settings: Settings, state: ListState, screen: Screen) -> Self {
        Self {
            host,
            settings: RefCell::new(Rc::new(settings)),
            state: RefCell::new(state),
            screen: Rc::new(screen),
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
            disposed: Cell::new(false),
            attempt: Cell::new(0),
            renewed: Cell::new(false),
            delayed: RefCell::default(),
            read_on: Cell::new(false),
            readers: RefCell::default(),
            unread: RefCell::default(),
            swept: RefCell::default(),
            drafted: RefCell::default(),
            waiters: RefCell::default(),
            failed: RefCell::default(),
            journal_told: Cell::new(false),
            root: RefCell::default(),
            listeners: RefCell::default(),
        }
    }

    /// A control that does nothing, for whoever still asks for one that is gone.
    pub(super) fn nobody() -> Self {
        let settings = Settings::default();
        let state = ListState::new(context_of(&settings));
        let nobody = Self::new(Rc::new(Nobody), settings, state, Screen::default());
        nobody.disposed.set(true);
        nobody
    }
}

/// The host of nobody.
struct Nobody;

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

pub(super) fn context_of(settings: &Settings) -> Context {
    Context {
        object_type: settings.object_type.clone(),
        object_id: settings.object_id.clone(),
        purpose: settings.purpose.clone(),
        template_id: Some(settings.template.clone()).filter(|template| !template.is_empty()),
    }
}

/// A sentence about what is still open: "2 items still open: gateway logs, workaround".
pub(crate) fn still_open(summary: &Summary, language: Language) -> String {
    /// More names than these are no longer read.
    const NAMED: usize = 3;
    if summary.state != State::Open {
        return String::new();
    }
    let texts = language.texts();
    let named = summary.blockers.iter().take(NAMED);
    let mut names = named
        .map(|(_, text)| short(text))
        .collect::<Vec<_>>()
        .join("; ");
    let more = summary.blocking.saturating_sub(NAMED as u32);
    if more > 0 {
        names = fill(
            texts.and_more,
            &[("names", &names), ("n", &more.to_string())],
        );
    }
    plural(
        language,
        &texts.still_open,
        summary.blocking,
        &[("names", &names)],
    )
}

/// A text that is short enough to stand among others.
fn short(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => [text.get(..at).unwrap_or(text).trim_end(), "…"].concat(),
        None => text.to_owned(),
    }
}
