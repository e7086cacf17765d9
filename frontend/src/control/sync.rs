//! Sends what waits, one operation after the other, and takes the answers in.
//!
//! What a reply means is judged by `state::policy`; this module only does what the verdict
//! says. Started after every action, after loading, and by `flush`.

use checklist_shared::Context;
use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::Controller;
use super::port::{ErrorDetail, TokenReason};
use super::screen::Review;
use crate::api::error::Failure;
use crate::api::{client, read, write};
use crate::browser;
use crate::state::list::Adopted;
use crate::state::notice::{Notice, Refusal};
use crate::state::operation::Operation;
use crate::state::policy::{Reply, Verdict, judge};
use crate::state::served::ServedWrite;

impl Controller {
    /// Starts sending, unless it goes on already or has to wait.
    pub(super) fn send(&self) {
        let inner = self.inner();
        if !self.may_send() || inner.sending.replace(true) {
            return;
        }
        let controller = *self;
        browser::spawn(async move {
            let generation = controller.inner().generation.get();
            while controller.may_send() && controller.send_next().await {}
            let inner = controller.inner();
            inner.sending.set(false);
            if controller.with_state(|state| state.queue.is_empty()) {
                inner.released.set(false);
            }
            controller.settle_waiters();
            // Another list was shown meanwhile: its own operations wait for their turn.
            if inner.generation.get() != generation {
                controller.send();
            }
        });
    }

    fn may_send(&self) -> bool {
        let inner = self.inner();
        let gate = !inner.settings.borrow().autosave_off || inner.released.get();
        gate && !inner.paused.get()
            && !inner.disposed.get()
            && self.context().is_some()
            && self.with_state(|state| state.meta.loaded && !state.queue.is_empty())
    }

    /// Sends one operation until it is answered. `false`: nothing more can be sent now.
    async fn send_next(&self) -> bool {
        let Some(context) = self.context() else { return false };
        let next = self.inner().state.borrow_mut().queue.start();
        let Some(operation) = next else { return false };
        let mut attempt = 0;
        let mut renewed = false;
        let mut reason = TokenReason::Call;
        loop {
            let result = self.send_once(&context, &operation, reason).await;
            if self.inner().disposed.get() {
                return false;
            }
            if !self.with_state(|state| state.queue.iter().next().is_some_and(|first| first.id == operation.id)) {
                // Another list is shown; what was kept for this one is sent when it is back.
                return true;
            }
            let reply = match &result {
                Ok(_) => Reply::Status { code: 200, retry_after: None },
                Err(failure) => failure.reply,
            };
            match (judge(reply, attempt, renewed, browser::chance()), result) {
                (Verdict::Done, Ok(answer)) => {
                    self.reached();
                    let adopted = self.inner().state.borrow_mut().answered(answer, browser::now());
                    self.adopt(&operation, adopted);
                    return true;
                }
                (Verdict::Again(millis), Err(failure)) => {
                    self.unreached(&failure);
                    self.pause_for(millis).await;
                    attempt += 1;
                    reason = TokenReason::Call;
                }
                (Verdict::RenewToken, _) => {
                    renewed = true;
                    reason = TokenReason::Renew;
                }
                (Verdict::Pause, Err(failure)) => {
                    self.inner().state.borrow_mut().queue.put_back();
                    self.inner().paused.set(true);
                    self.screen().messages.update(|messages| messages.sign_in = true);
                    self.fail(failure.error(self.texts()));
                    self.publish();
                    return false;
                }
                (_, result) => {
                    self.reached();
                    let failure = result.err().unwrap_or_else(|| Failure::unreadable("unexpected answer"));
                    let adopted = self.inner().state.borrow_mut().refused(failure.refusal(), browser::now());
                    self.fail(failure.error(self.texts()));
                    self.adopt(&operation, adopted);
                    return true;
                }
            }
        }
    }

    async fn send_once(
        &self,
        context: &Context,
        operation: &Operation,
        reason: TokenReason,
    ) -> Result<ServedWrite, Failure> {
        let settings = self.settings();
        let token = self.host().token(vec![context.clone()], reason).await.map_err(Failure::token)?;
        let url = client::address(&settings.base_url, operation.action.call());
        let body = write::operation(context, operation, settings.log_in_journal);
        Ok(read::write(&client::post(&url, &token, &body).await?))
    }

    /// Draws what became of an operation and tells who has to know.
    fn adopt(&self, operation: &Operation, adopted: Adopted) {
        let sweeping = operation.action.change().is_none() && adopted.refused.is_none();
        self.remember();
        self.draw(&adopted.affected);
        for (id, notice) in adopted.notices {
            self.say_at_row(id, notice);
        }
        if let Some(refusal) = &adopted.refused {
            self.announce(refusal.sentence(self.texts()));
        }
        let journal = adopted.journal_reason.filter(|_| !self.inner().journal_told.replace(true));
        if adopted.refused.is_some() || journal.is_some() {
            self.screen().messages.update(|messages| {
                messages.refused = adopted.refused.or(messages.refused.take());
                messages.journal = journal.or(messages.journal.take());
            });
        }
        if let Some(text) = adopted.unadded {
            // Typed text is never lost; what is being typed now comes first, though.
            let screen = self.screen();
            if screen.new_text.with_untracked(String::is_empty) {
                screen.new_text.set(text);
            }
            screen.adding.update(|open| {
                open.get_or_insert(None);
            });
        }
        self.publish();
        if let Some((code, item)) = adopted.problem {
            let message = self.row_sentence(item).unwrap_or_default();
            self.fail(ErrorDetail { code, status: 422, message, item: Some(item) });
        }
        if adopted.refetch || sweeping {
            let (controller, operation) = (self.clone(), operation.clone());
            browser::spawn(async move {
                let _ = controller.read_again().await;
                // Said last, because only now the count is right.
                if sweeping {
                    controller.announce_step(&operation);
                }
            });
        }
    }

    /// Puts a notice at a row, says it, and goes on without it when the row is gone.
    pub(super) fn say_at_row(&self, id: checklist_shared::ItemId, notice: Notice) {
        let Some(row) = self.screen().row(id) else { return };
        row.notice.set(Some(notice));
        if let Some(sentence) = self.row_sentence(id) {
            self.announce(sentence);
        }
    }

    fn row_sentence(&self, id: checklist_shared::ItemId) -> Option<String> {
        let row = self.screen().row(id)?;
        let mode = self.mode();
        row.notice.with_untracked(|notice| notice.as_ref().map(|notice| crate::components::notice::sentence(notice, mode)))
    }

    fn fail(&self, error: ErrorDetail) {
        self.inner().failed.borrow_mut().get_or_insert_with(|| error.clone());
        self.host().error(error);
    }

    fn reached(&self) {
        if self.inner().offline.replace(false) {
            self.publish();
        }
    }

    fn unreached(&self, failure: &Failure) {
        if !self.inner().offline.replace(true) {
            self.inner().failed.borrow_mut().get_or_insert_with(|| failure.error(self.texts()));
            self.publish();
            self.announce(self.texts().offline.to_owned());
            self.host().error(failure.error(self.texts()));
        }
        // Whoever flushes wants to know now; the operations stay and are sent later.
        self.settle_waiters();
    }

    async fn pause_for(&self, millis: u32) {
        let inner = self.inner();
        browser::sleep(millis, |wake| {
            inner.wake.replace(Some(wake));
        })
        .await;
        inner.wake.replace(None);
    }

    /// Tries again now instead of later.
    pub(crate) fn wake(&self) {
        if let Some(wake) = self.inner().wake.take() {
            let _ = wake.call0(&JsValue::NULL);
        }
    }

    /// A person has signed in, or hopes so.
    pub(crate) fn resume(&self) {
        self.inner().paused.set(false);
        self.screen().messages.update(|messages| messages.sign_in = false);
        self.wake();
        self.send();
    }

    pub(super) async fn flush_now(&self) -> Result<(), ErrorDetail> {
        let inner = self.inner();
        if self.with_state(|state| state.queue.is_empty()) {
            return Ok(());
        }
        inner.failed.replace(None);
        inner.released.set(true);
        if inner.paused.get() {
            self.resume();
        }
        if inner.offline.get() {
            self.wake();
        }
        self.send();
        if inner.sending.get() {
            let _ = JsFuture::from(Promise::new(&mut |done, _| inner.waiters.borrow_mut().push(done))).await;
        }
        match inner.failed.take() {
            Some(error) => Err(error),
            None if self.with_state(|state| state.queue.is_empty()) => Ok(()),
            None => Err(ErrorDetail {
                code: "Draft".into(),
                status: 0,
                message: Refusal::Network.sentence(self.texts()),
                item: None,
            }),
        }
    }

    fn settle_waiters(&self) {
        let waiters: Vec<Function> = self.inner().waiters.take();
        for waiter in waiters {
            let _ = waiter.call0(&JsValue::NULL);
        }
    }

    /// Asks what the template's new version would bring.
    pub(crate) fn review(&self) {
        let Some(context) = self.context() else { return };
        let controller = *self;
        self.screen().review.set(Review::Asked);
        browser::spawn(async move {
            let (revision, version) = controller
                .with_state(|state| (state.list.revision, state.meta.update.map(|update| update.to_version)));
            let url = client::address(&controller.settings().base_url, "RefreshItemsOnTemplateChange");
            let body = write::dry_run(&context, version);
            match client::ask(controller.host(), vec![context], url, Some(body)).await {
                Ok(answer) => {
                    controller.screen().review.set(Review::Shown(read::write(&answer).changes, revision));
                    controller.focus_on(".review");
                }
                Err(failure) => {
                    let refusal = failure.refusal();
                    controller.screen().review.set(Review::Closed);
                    controller.announce(refusal.sentence(controller.texts()));
                    controller.screen().messages.update(|messages| messages.refused = Some(refusal));
                    controller.host().error(failure.error(controller.texts()));
                }
            }
        });
    }
}
