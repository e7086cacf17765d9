//! Reading lists: the first time, again, and for a draft that has no list yet.
//!
//! Called when settings name a list, when the page is looked at again, and after answers that
//! tell of changes they do not bring. Every answer comes back with the number of the load that
//! asked for it, so that one that is late is not taken in.

use std::rc::Rc;

use checklist_shared::Context;
use checklist_shared::wire::list::GetItems;

use super::Controller;
use super::controller::context_of;
use super::held::Drafted;
use super::port::{ErrorDetail, Settings};
use super::principal;
use super::screen::{Messages, Others, Phase, Review};
use super::waiting::wake;
use crate::api::batch;
use crate::api::client::{self, Answer, Connection, Renewal, Tokens};
use crate::api::error::Error;
use crate::api::requests::{GetType, Request, TypeTemplates};
use crate::api::saved::Saved;
use crate::browser;
use crate::model::draft;
use crate::model::list::{Affected, ListState};
use crate::model::notice::Refusal;
use crate::model::operation::Operation;
use crate::model::served::ServedList;

/// Looking at the page again asks the server at most this often, in milliseconds.
const PAUSE: i64 = 2_000;

impl Controller {
    /// Loads what the settings name, unless they name nothing yet.
    pub(super) fn load(&self) {
        let generation = self.next_generation();
        self.publish();
        let settings = self.settings();
        match self.context() {
            Some(context) => batch::read_list(*self, generation, context),
            None if !settings.template.is_empty() => {
                self.load_template(generation, &settings.template)
            }
            None if !settings.object_type.is_empty() => {
                let controller = *self;
                let request = GetType(settings.object_type.clone());
                self.ask(request, Vec::new(), move |answer| {
                    controller.took_type(generation, answer.result);
                });
            }
            None => {}
        }
    }

    fn took_type(&self, generation: u32, answer: Result<TypeTemplates, Error>) {
        let purpose = &self.settings().purpose;
        match answer.map(|named| named.templates.get(purpose).cloned()) {
            Ok(Some(template)) => self.load_template(generation, &template),
            // A purpose without a template is an empty list.
            Ok(None) => self.took_template(generation, Ok(None)),
            Err(failure) => self.took_template(generation, Err(failure)),
        }
    }

    pub(super) fn next_generation(&self) -> u32 {
        let inner = self.inner();
        inner.generation.set(inner.generation.get() + 1);
        inner.generation.get()
    }

    /// Shows another list. What the old one still had to send is sent when it is shown again.
    pub(super) fn change_list(&self, settings: &Settings) {
        let inner = self.inner();
        inner.state.replace(ListState::new(context_of(settings)));
        inner.principal.replace(None);
        inner.drafted.replace(None);
        inner.paused.set(false);
        inner.offline.set(false);
        inner.journal_told.set(false);
        inner.heard.take();
        self.show(|face| {
            face.phase = Phase::Loading;
            face.messages = Messages::default();
            face.review = Review::Closed;
            face.others = Others::default();
        });
        self.draw(&Affected {
            ids: Vec::new(),
            structural: true,
        });
        self.load();
    }

    /// The object is there: what was done in the draft finds its items and is sent once.
    pub(super) fn adopt_draft(&self) {
        let inner = self.inner();
        let mut state = inner.state.borrow_mut();
        let drafted = Drafted {
            keys: draft::keys_by_id(&state.list),
            waiting: state.queue.clear_unsent(),
        };
        state.list.context = context_of(&inner.settings.borrow());
        state.undo.clear();
        drop(state);
        inner.drafted.replace(Some(drafted));
        self.load();
    }

    /// The list that was asked for, and the token that it was asked with.
    pub(crate) fn took_list(
        &self,
        generation: u32,
        result: Result<ServedList, Error>,
        token: &str,
    ) {
        if !self.is_current(generation) {
            return;
        }
        let inner = self.inner();
        let result = result.map(|served| {
            let first = self.with_state(|state| !state.meta.loaded);
            self.recognize(token);
            self.take(served);
            match inner.drafted.take() {
                Some(drafted) => {
                    let operations = self.with_state(|state| {
                        draft::rewrite(drafted.waiting, &drafted.keys, &state.list)
                    });
                    self.requeue(operations);
                }
                None if first => self.restore(),
                None => {}
            }
        });
        self.loaded(result);
    }

    /// Who the person is, as far as that token says.
    pub(super) fn recognize(&self, token: &str) {
        let inner = self.inner();
        let me = principal::of_token(token);
        inner.principal.replace(Some(me.identity()));
        inner.state.borrow_mut().me = me;
    }

    /// Shows what was served.
    pub(super) fn take(&self, served: ServedList) {
        let affected = self.inner().state.borrow_mut().load(served, browser::now());
        self.draw_calmly(affected);
    }

    /// Puts operations into the queue that a person did earlier.
    pub(super) fn requeue(&self, operations: Vec<Operation>) {
        for operation in operations {
            let mut state = self.inner().state.borrow_mut();
            let shown = state.take_up(operation, browser::now());
            drop(state);
            // What is as wanted already needs no sending.
            if let Some(affected) = shown {
                self.draw(&affected);
            }
        }
        self.remember();
    }

    /// What was not sent before a reload is shown and sent now.
    pub(super) fn restore(&self) {
        let Some(key) = self.storage_key() else {
            return;
        };
        if let Some(kept) = browser::recall(&key) {
            self.requeue(Saved::read(&kept).operations);
        }
    }

    pub(super) fn loaded(&self, result: Result<(), Error>) {
        self.inner().read_at.set(browser::now());
        match result {
            Ok(()) => {
                self.show(|face| face.phase = Phase::Ready);
                self.publish();
                self.send();
                self.finish_read(None);
            }
            Err(failure) => {
                self.show(|face| face.phase = Phase::Failed(failure.refusal()));
                self.publish();
                let error = failure.describe(self.texts());
                self.host().error(error.clone());
                self.finish_read(Some(error));
            }
        }
    }

    /// A person asks once more after a failure.
    pub(crate) fn load_again(&self) {
        self.show(|face| face.phase = Phase::Loading);
        self.load();
    }

    /// The page is looked at again: what others did meanwhile is worth a question.
    pub(super) fn look_again(&self) {
        let inner = self.inner();
        // Two hundred lines do not ask one by one: the stream tells them.
        let line = self.mode().compact && !self.face(|face| face.opened);
        let rested = !line && browser::now() - inner.read_at.get() >= PAUSE;
        if rested && browser::is_visible() && !inner.disposed.get() && self.context().is_some() {
            self.read();
        }
    }

    /// Reads what has changed, or everything after a failure. Who waits is told by
    /// `finish_read`; nobody else is, the next occasion comes.
    pub(super) fn read(&self) {
        let inner = self.inner();
        let ready = self.face(|face| face.phase == Phase::Ready);
        let Some(context) = self.context().filter(|_| ready) else {
            self.load();
            return;
        };
        if inner.reading.replace(true) {
            // The one on its way may have passed already what this one is about.
            inner.read_on.set(true);
            return;
        }
        let revision = self.with_state(|state| state.list.revision);
        let request = GetItems {
            context: Some(context.clone()),
            since_revision: Some(revision),
            ..GetItems::default()
        };
        let (controller, generation) = (*self, inner.generation.get());
        self.ask(request, vec![context], move |answer| {
            controller.took_changes(generation, answer);
        });
    }

    fn took_changes(&self, generation: u32, answer: Answer<ServedList>) {
        let inner = self.inner();
        inner.reading.set(false);
        inner.read_at.set(browser::now());
        let error = match answer.result {
            _ if !self.is_current(generation) => None,
            // Overtaken by what the stream has told.
            Ok(served)
                if served.delta
                    && served.revision < self.with_state(|state| state.list.revision) =>
            {
                None
            }
            Ok(served) => {
                self.take_in(served);
                None
            }
            Err(failure)
                if matches!(
                    failure.refusal(),
                    Refusal::NotFound | Refusal::TemplateGone | Refusal::TypeGone
                ) =>
            {
                self.loaded(Err(failure));
                return;
            }
            Err(failure) => Some(failure.describe(self.texts())),
        };
        if inner.read_on.take() && error.is_none() {
            self.read();
        } else {
            self.finish_read(error);
        }
    }

    /// A read is over: says what waited for the right count, and tells who waits for it.
    fn finish_read(&self, error: Option<ErrorDetail>) {
        let inner = self.inner();
        if let Some(operation) = inner.swept.take() {
            self.announce_step(&operation);
        }
        inner.unread.replace(error);
        wake(inner.readers.take());
    }

    pub(super) fn is_current(&self, generation: u32) -> bool {
        self.inner().generation.get() == generation && !self.inner().disposed.get()
    }

    /// Where tokens for those contexts come from.
    pub(crate) fn tokens(&self, contexts: Vec<Context>) -> Tokens {
        let host = self.host();
        Rc::new(move |reason, done| host.token(contexts.clone(), reason, done))
    }

    /// How the server is reached about those contexts.
    pub(super) fn connection(&self, about: Vec<Context>) -> Connection {
        Connection {
            base_url: self.settings().base_url.clone(),
            language: self.mode().tag.to_owned(),
            tokens: self.tokens(about),
        }
    }

    /// Asks for something that is no operation: a refused token is renewed here.
    pub(crate) fn ask<R: Request>(
        &self,
        request: R,
        about: Vec<Context>,
        done: impl FnOnce(Answer<R::Answer>) + 'static,
    ) {
        client::call(&self.connection(about), request, Renewal::Here, done);
    }
}
