//! Reading lists: the first time, again, and for a draft that has no list yet.
//!
//! Called when settings name a list, when the page is looked at again, and after answers that
//! tell of changes they do not bring.

use std::collections::HashMap;

use checklist_shared::permission::Permissions;
use checklist_shared::{Context, ItemId, Timestamp, order};
use js_sys::{JSON, encode_uri_component};
use wasm_bindgen::JsValue;

use super::Controller;
use super::port::{ErrorDetail, Settings, TokenReason};
use super::principal;
use super::screen::{Messages, Phase, Review};
use crate::api::error::Failure;
use crate::api::{batch, client, read, write};
use crate::browser;
use crate::state::draft;
use crate::state::list::ListState;
use crate::state::notice::Refusal;
use crate::state::operation::Operation;
use crate::state::served::ServedList;

/// Looking at the page again asks the server at most this often, in milliseconds.
const PAUSE: i64 = 2_000;

impl Controller {
    /// Loads what the settings name, unless they name nothing yet.
    pub(super) fn load(&self) {
        let inner = self.inner();
        let generation = inner.generation.get() + 1;
        inner.generation.set(generation);
        self.publish();
        if self.settings().object_type.is_empty() && self.settings().template.is_empty() {
            return;
        }
        let controller = *self;
        browser::spawn(async move {
            let result = controller.load_now(generation).await;
            if controller.is_current(generation) {
                controller.loaded(result);
            }
        });
    }

    /// Shows another list. What the old one still had to send is sent when it is shown again.
    pub(super) fn change_list(&self, settings: &Settings) {
        let inner = self.inner();
        let context = super::controller::context_of(settings);
        inner.state.replace(ListState::new(context));
        inner.principal.replace(None);
        inner.paused.set(false);
        inner.offline.set(false);
        inner.journal_told.set(false);
        let screen = self.screen();
        screen.phase.set(Phase::Loading);
        screen.messages.set(Messages::default());
        screen.review.set(Review::Closed);
        self.draw(&crate::state::list::Affected { ids: Vec::new(), structural: true });
        self.load();
    }

    /// The object is there: what was done in the draft finds its items and is sent once.
    pub(super) fn adopt_draft(&self) {
        let inner = self.inner();
        let (drafted, waiting) = {
            let mut state = inner.state.borrow_mut();
            let drafted = draft::keys_by_id(&state.list);
            let waiting = state.queue.clear_unsent();
            state.list.context = super::controller::context_of(&inner.settings.borrow());
            state.undo.clear();
            (drafted, waiting)
        };
        let generation = inner.generation.get() + 1;
        inner.generation.set(generation);
        let controller = *self;
        browser::spawn(async move {
            let result = controller.read_whole().await;
            if !controller.is_current(generation) {
                return;
            }
            let queued = result.map(|served| controller.take_draft(served, &drafted, waiting));
            controller.loaded(queued);
        });
    }

    fn take_draft(&self, served: ServedList, drafted: &HashMap<ItemId, String>, waiting: Vec<Operation>) {
        let affected = self.inner().state.borrow_mut().load(served, browser::now());
        let operations = self.with_state(|state| draft::rewrite(waiting, drafted, &state.list));
        self.draw(&affected);
        self.requeue(operations);
    }

    /// Puts operations into the queue that a person did earlier.
    fn requeue(&self, operations: Vec<Operation>) {
        for operation in operations {
            let shown = self.inner().state.borrow_mut().dispatch(operation, browser::now());
            // What is as wanted already, or cannot be any more, needs no sending.
            if let Ok(Some(affected)) = shown {
                self.draw(&affected);
            }
        }
        self.remember();
    }

    async fn load_now(&self, generation: u32) -> Result<(), Failure> {
        if self.context().is_none() {
            return self.load_draft(generation).await;
        }
        let served = self.read_whole().await?;
        if !self.is_current(generation) {
            return Ok(());
        }
        let first = self.with_state(|state| !state.meta.loaded);
        let affected = self.inner().state.borrow_mut().load(served, browser::now());
        self.draw(&affected);
        if first {
            self.restore();
        }
        Ok(())
    }

    async fn read_whole(&self) -> Result<ServedList, Failure> {
        let context = self.context().ok_or_else(Failure::network)?;
        let host = self.host();
        let base_url = self.settings().base_url.clone();
        let served = batch::read_list(base_url, self.mode().tag.to_owned(), context.clone(), host.clone()).await?;
        // The host has it cached now; it says who we are.
        let token = host.token(vec![context], TokenReason::Call).await.map_err(Failure::token)?;
        let me = principal::of_token(&token);
        self.inner().principal.replace(Some(me.id.clone()));
        self.inner().state.borrow_mut().me = me;
        Ok(served)
    }

    async fn load_draft(&self, generation: u32) -> Result<(), Failure> {
        let settings = self.settings();
        let get = |call: String| {
            client::ask(self.host(), Vec::new(), client::address(&settings.base_url, &call), None)
        };
        let part = |text: &str| String::from(encode_uri_component(text));
        let template = if settings.template.is_empty() {
            let answer = get(["Types/", &part(&settings.object_type)].concat()).await?;
            read::template_of_type(&answer, &settings.purpose)
        } else {
            Some(settings.template.clone())
        };
        let answer = match template {
            Some(id) => get(["Template/", &part(&id), "?Language=", &part(self.mode().tag)].concat()).await?,
            // A purpose without a template is an empty list.
            None => JsValue::NULL,
        };
        if !self.is_current(generation) {
            return Ok(());
        }
        let (template, title, rows) = read::template(&answer);
        let keys = order::fresh_keys(rows.len());
        let now = Timestamp::from_millis(browser::now());
        let items = draft::project(rows, keys, now, browser::new_id);
        let served = ServedList {
            revision: 0,
            items: items.into_iter().map(|item| crate::state::served::ServedItem { item, text_hash: String::new() }).collect(),
            delta: false,
            removed: Vec::new(),
            title,
            template,
            update: None,
            locked: None,
            // The server decides when the draft is sent; until then nothing is forbidden.
            permissions: Permissions::all(),
            limits: checklist_shared::limits::Limits::default(),
        };
        let affected = self.inner().state.borrow_mut().load(served, browser::now());
        self.draw(&affected);
        Ok(())
    }

    /// What was not sent before a reload is shown and sent now.
    fn restore(&self) {
        let Some(key) = self.storage_key() else { return };
        let Some(saved) = browser::recall(&key).and_then(|text| JSON::parse(&text).ok()) else { return };
        self.requeue(read::saved(&saved));
    }

    fn loaded(&self, result: Result<(), Failure>) {
        self.inner().read_at.set(browser::now());
        match result {
            Ok(()) => {
                self.screen().phase.set(Phase::Ready);
                self.publish();
                self.send();
            }
            Err(failure) => {
                let phase = Phase::Failed(failure.refusal());
                self.screen().phase.set(phase);
                self.publish();
                self.host().error(failure.error(self.texts()));
            }
        }
    }

    /// A person asks once more after a failure.
    pub(crate) fn load_again(&self) {
        self.screen().phase.set(Phase::Loading);
        self.load();
    }

    /// The page is looked at again: what others did meanwhile is worth a question.
    pub(super) fn look_again(&self) {
        let inner = self.inner();
        let rested = browser::now() - inner.read_at.get() >= PAUSE;
        if rested && browser::is_visible() && !inner.disposed.get() && self.context().is_some() {
            self.read_quietly();
        }
    }

    /// Reads what has changed; a failure is no news, the next occasion comes.
    pub(super) fn read_quietly(&self) {
        let controller = *self;
        browser::spawn(async move {
            let _ = controller.read_again().await;
        });
    }

    pub(super) async fn read_again(&self) -> Result<(), ErrorDetail> {
        let inner = self.inner();
        let failed = inner.screen.phase.with_untracked(|phase| *phase != Phase::Ready);
        let Some(context) = self.context().filter(|_| !failed) else {
            let generation = inner.generation.get() + 1;
            inner.generation.set(generation);
            let result = self.load_now(generation).await;
            let error = result.as_ref().err().map(|failure| failure.error(self.texts()));
            if self.is_current(generation) {
                self.loaded(result);
            }
            return error.map_or(Ok(()), Err);
        };
        if inner.reading.replace(true) {
            return Ok(());
        }
        let generation = inner.generation.get();
        let result = self.read_changes(&context).await;
        inner.reading.set(false);
        inner.read_at.set(browser::now());
        if !self.is_current(generation) {
            return Ok(());
        }
        match result {
            Ok(served) => {
                let affected = inner.state.borrow_mut().load(served, browser::now());
                self.draw(&affected);
                self.publish();
                Ok(())
            }
            Err(failure) if failure.refusal() == Refusal::NotFound => {
                let error = failure.error(self.texts());
                self.loaded(Err(failure));
                Err(error)
            }
            Err(failure) => Err(failure.error(self.texts())),
        }
    }

    async fn read_changes(&self, context: &Context) -> Result<ServedList, Failure> {
        let revision = self.with_state(|state| state.list.revision);
        let url = client::address(&self.settings().base_url, "GetItems");
        let body = write::get_items(context, Some(revision), self.mode().tag);
        let answer = client::ask(self.host(), vec![context.clone()], url, Some(body)).await?;
        read::list(&answer)
    }

    pub(super) fn is_current(&self, generation: u32) -> bool {
        self.inner().generation.get() == generation && !self.inner().disposed.get()
    }
}
