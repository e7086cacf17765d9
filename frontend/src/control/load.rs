//! Reading lists: the first time, again, and for a draft that has no list yet.
//!
//! Called when settings name a list, when the page is looked at again, and after answers that
//! tell of changes they do not bring. Every answer comes back with the number of the load that
//! asked for it, so that one that is late is not taken in.

use std::rc::Rc;

use checklist_shared::Context;
use js_sys::{JSON, encode_uri_component};
use wasm_bindgen::JsValue;

use super::Controller;
use super::controller::context_of;
use super::held::Drafted;
use super::port::{ErrorDetail, Settings, TokenReason};
use super::principal;
use super::screen::{Messages, Others, Phase, Review};
use super::waiting::wake;
use crate::api::client::{self, Answer, Call, Done, Tokens};
use crate::api::error::Failure;
use crate::api::{batch, read, saved, write};
use crate::browser;
use crate::state::draft;
use crate::state::list::{Affected, ListState};
use crate::state::notice::Refusal;
use crate::state::operation::Operation;
use crate::state::served::ServedList;

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
                let path = ["Types/", &part(&settings.object_type)].concat();
                self.get(
                    path,
                    generation,
                    |controller, generation, answer| match answer.result {
                        Ok(value) => {
                            let purpose = controller.settings().purpose.clone();
                            match read::template_of_type(&value, &purpose) {
                                Some(template) => controller.load_template(generation, &template),
                                // A purpose without a template is an empty list.
                                None => controller.took_template(generation, Ok(JsValue::NULL)),
                            }
                        }
                        Err(failure) => controller.took_template(generation, Err(failure)),
                    },
                );
            }
            None => {}
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
        result: Result<ServedList, Failure>,
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
        let Some(kept) = browser::recall(&key).and_then(|text| JSON::parse(&text).ok()) else {
            return;
        };
        self.requeue(saved::operations(&kept));
    }

    pub(super) fn loaded(&self, result: Result<(), Failure>) {
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
                let error = failure.error(self.texts());
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
        let body = write::get_items(&context, Some(revision), self.mode().tag);
        let (controller, generation) = (*self, inner.generation.get());
        self.ask(
            "GetItems",
            Some(body),
            vec![context],
            Box::new(move |answer| controller.took_changes(generation, answer)),
        );
    }

    fn took_changes(&self, generation: u32, answer: Answer) {
        let inner = self.inner();
        inner.reading.set(false);
        inner.read_at.set(browser::now());
        let error = match answer.result.and_then(|value| read::list(&value)) {
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
            Err(failure) => Some(failure.error(self.texts())),
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

    pub(super) fn get(&self, path: String, generation: u32, then: fn(Self, u32, Answer)) {
        let controller = *self;
        self.ask(
            &path,
            None,
            Vec::new(),
            Box::new(move |answer| then(controller, generation, answer)),
        );
    }

    /// Asks for something that is no operation: a refused token is renewed here.
    #[inline(never)]
    pub(crate) fn ask(&self, path: &str, body: Option<String>, about: Vec<Context>, done: Done) {
        let call = Call {
            tokens: self.tokens(about),
            url: client::address(&self.settings().base_url, path),
            body,
            reason: TokenReason::Call,
            renews: true,
        };
        client::call(call, done);
    }
}

pub(super) fn part(text: &str) -> String {
    encode_uri_component(text).into()
}
