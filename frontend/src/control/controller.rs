//! What a host drives: settings in, snapshots and events out.
//!
//! Cheap to clone; all clones are one control. Holds no state of its own beyond what its parts
//! need to meet: the list (`state`), the screen, the host. No borrow is held while the host is
//! called, because its listeners may call right back.

use std::rc::Rc;

use checklist_shared::{Context, Item, ItemId};
use leptos::prelude::*;

use super::held::Inner;
use super::mode::Mode;
use super::page::Listeners;
use super::port::{Host, Settings, Snapshot, Told};
use super::screen::{Face, Row, Screen};
use super::table::{self, Place};
use crate::browser;
use crate::i18n::Texts;
use crate::state::list::{Affected, ListState};

/// A checklist on a page: a plain copy of the place where it is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controller(Place);

impl Controller {
    /// A control for that host. Does nothing before [`Controller::begin`].
    #[must_use]
    pub fn new(host: Rc<dyn Host>, settings: Settings) -> Self {
        let controller = Self::unheard(host, settings);
        controller.listen();
        controller
    }

    /// The same without the page around it.
    pub(super) fn unheard(host: Rc<dyn Host>, settings: Settings) -> Self {
        let controller = Self(table::enter(host, settings));
        let mode = controller.with_state(|state| Mode::of(&controller.settings(), state));
        controller.screen().set_mode(mode);
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
        let language = before.lang != settings.lang || before.words != settings.words;
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
                .filter_map(|id| state.live(*id).cloned())
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
        self.inner().kept.take();
        let affected = self.inner().state.borrow_mut().reset(browser::now());
        self.remember();
        self.draw(&affected);
        self.publish();
    }

    /// Ends everything that runs by itself. The control does nothing more.
    pub fn dispose(&self) {
        table::leave(self.0);
    }

    pub(crate) fn inner(&self) -> &'static Inner {
        table::at(self.0)
    }

    pub(super) fn host(&self) -> Rc<dyn Host> {
        Rc::clone(&self.inner().host.borrow())
    }

    pub(crate) fn screen(&self) -> &'static Screen {
        &self.inner().screen
    }

    /// Changes what the control shows beside its rows, and draws it.
    pub(crate) fn show(&self, change: impl FnOnce(&mut Face)) {
        self.screen().face.update(change);
    }

    /// Reads what the control shows beside its rows.
    pub(crate) fn face<T>(&self, read: impl FnOnce(&Face) -> T) -> T {
        self.screen().face.with_untracked(read)
    }

    /// Changes a row and draws it, if it is there.
    pub(crate) fn show_row(&self, id: ItemId, change: impl FnOnce(&mut Row)) -> Option<()> {
        self.screen().row(id).map(|row| row.update(change))
    }

    /// Reads a row, if it is there.
    pub(crate) fn row<T>(&self, id: ItemId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.screen().row(id).map(|row| row.with_untracked(read))
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
        self.draw_on();
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
            Rc::new(move || controller.draw_all()),
        );
        self.inner().listeners.replace(Some(listeners));
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
