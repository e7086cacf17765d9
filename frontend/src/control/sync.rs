//! Sends what waits, one operation after the other, and takes the answers in.
//!
//! What a reply means is judged by `state::policy`; this module only does what the verdict
//! says. Started after every action, after loading, and by `flush`.

use checklist_shared::ItemId;
use checklist_shared::wire::write::WriteOutcome;

use super::Controller;
use super::port::{ErrorDetail, TokenReason};
use super::waiting::wake;
use crate::api::client::{self, Answer, Renewal};
use crate::api::error::Error;
use crate::api::requests::Write;
use crate::browser;
use crate::components::notice;
use crate::model::list::Adopted;
use crate::model::notice::Notice;
use crate::model::operation::Operation;
use crate::model::policy::{Reply, Verdict, judge};

impl Controller {
    /// Sends the next operation, unless one is on its way or has to wait.
    pub(super) fn send(&self) {
        let inner = self.inner();
        if inner.sending.get() {
            return;
        }
        if self.may_send() {
            inner.sending.set(true);
            inner.attempt.set(0);
            inner.renewed.set(false);
            let next = inner.state.borrow_mut().queue.start();
            if let Some(operation) = next {
                self.transmit(operation, TokenReason::Call);
                return;
            }
            inner.sending.set(false);
        }
        if self.with_state(|state| state.queue.is_empty()) {
            inner.released.set(false);
        }
        wake(inner.waiters.take());
    }

    fn may_send(&self) -> bool {
        let inner = self.inner();
        let gate = !inner.settings.borrow().autosave_off || inner.released.get();
        gate && !inner.paused.get()
            && !inner.disposed.get()
            && self.context().is_some()
            && self.with_state(|state| state.meta.loaded && !state.queue.is_empty())
    }

    fn transmit(&self, operation: Operation, reason: TokenReason) {
        let Some(context) = self.context() else {
            self.inner().sending.set(false);
            return;
        };
        let connection = self.connection(vec![context.clone()]);
        let journal = self.settings().log_in_journal;
        let request = Write::of(operation.clone(), context, journal);
        let controller = *self;
        client::call(
            &connection,
            request,
            Renewal::ByCaller(reason),
            move |answer| controller.took_answer(operation, answer),
        );
    }

    fn took_answer(&self, operation: Operation, answer: Answer<WriteOutcome>) {
        let inner = self.inner();
        let first = self.with_state(|state| {
            state
                .queue
                .iter()
                .next()
                .is_some_and(|first| first.id == operation.id)
        });
        if inner.disposed.get() || !first {
            // Another list is shown; what was kept for the old one is sent when it is back.
            inner.sending.set(false);
            self.send();
            return;
        }
        let reply = match &answer.result {
            Ok(_) => Reply::Status {
                code: 200,
                retry_after: None,
            },
            Err(failure) => failure.reply(),
        };
        match (
            judge(
                reply,
                inner.attempt.get(),
                inner.renewed.get(),
                browser::chance(),
            ),
            answer.result,
        ) {
            (Verdict::Again(millis), Err(failure)) => {
                self.unreached(&failure);
                inner.attempt.set(inner.attempt.get() + 1);
                self.retry_in(millis, operation);
                return;
            }
            (Verdict::RenewToken, _) => {
                inner.renewed.set(true);
                self.transmit(operation, TokenReason::Renew);
                return;
            }
            (Verdict::Pause, Err(failure)) => {
                inner.state.borrow_mut().queue.put_back();
                inner.paused.set(true);
                self.show(|face| face.messages.sign_in = true);
                self.fail(failure.describe(self.texts()));
                self.publish();
            }
            (Verdict::Done, Ok(outcome)) => {
                self.reached();
                let adopted = inner.state.borrow_mut().answered(outcome, browser::now());
                self.adopt(&operation, adopted);
            }
            (_, result) => {
                self.reached();
                let failure = result
                    .err()
                    .unwrap_or_else(|| Error::Unreadable("unexpected answer".to_owned()));
                let adopted = inner
                    .state
                    .borrow_mut()
                    .refused(failure.refusal(), browser::now());
                self.fail(failure.describe(self.texts()));
                self.adopt(&operation, adopted);
            }
        }
        inner.sending.set(false);
        self.send();
    }

    /// Sends the same operation again after a while, or when somebody wakes it earlier.
    fn retry_in(&self, millis: u32, operation: Operation) {
        let controller = *self;
        let attempt = self.inner().attempt.get();
        self.inner().delayed.replace(Some(operation));
        browser::later(
            millis,
            Box::new(move || {
                if controller.inner().attempt.get() == attempt {
                    controller.wake();
                }
            }),
        );
    }

    /// Tries again now instead of later.
    pub(crate) fn wake(&self) {
        let delayed = self.inner().delayed.take();
        if let Some(operation) = delayed {
            self.transmit(operation, TokenReason::Call);
        }
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
        let journal = adopted
            .journal_reason
            .filter(|_| !self.inner().journal_told.replace(true));
        if adopted.refused.is_some() || journal.is_some() {
            self.show(|face| {
                let messages = &mut face.messages;
                messages.refused = adopted.refused.or(messages.refused.take());
                messages.journal = journal.or(messages.journal.take());
            });
        }
        if let Some(text) = adopted.unadded {
            // Typed text is never lost; what is being typed now comes first, though.
            self.show(|face| {
                if face.new_text.is_empty() {
                    face.new_text = text;
                }
                face.adding.get_or_insert(None);
            });
        }
        self.publish();
        if let Some((code, item)) = adopted.problem {
            let message = self.row_sentence(item).unwrap_or_default();
            self.fail(ErrorDetail {
                code,
                status: 422,
                message,
                item: Some(item),
            });
        }
        if sweeping {
            // Said when the list was read, because only then the count is right.
            self.inner().swept.replace(Some(operation.clone()));
        }
        if adopted.refetch || sweeping {
            self.read();
        }
    }

    /// Puts a notice at a row, says it, and goes on without it when the row is gone.
    pub(super) fn say_at_row(&self, id: ItemId, notice: Notice) {
        self.show_row(id, |row| row.notice = Some(notice));
        if let Some(sentence) = self.row_sentence(id) {
            self.announce(sentence);
        }
    }

    fn row_sentence(&self, id: ItemId) -> Option<String> {
        let mode = self.mode();
        let told = |told: &Notice| notice::sentence(told, mode);
        self.row(id, |row| row.notice.as_ref().map(told))?
    }

    fn fail(&self, error: ErrorDetail) {
        self.inner()
            .failed
            .borrow_mut()
            .get_or_insert_with(|| error.clone());
        self.host().error(error);
    }

    fn reached(&self) {
        let inner = self.inner();
        // An answer is as good as a stream: both say that the server is there.
        if inner.offline.replace(false) | inner.cut_off.replace(false) {
            self.publish();
        }
    }

    fn unreached(&self, failure: &Error) {
        if !self.inner().offline.replace(true) {
            self.inner()
                .failed
                .borrow_mut()
                .get_or_insert_with(|| failure.describe(self.texts()));
            self.publish();
            self.announce(self.texts().offline().to_owned());
            self.host().error(failure.describe(self.texts()));
        }
        // Whoever flushes wants to know now; the operations stay and are sent later.
        wake(self.inner().waiters.take());
    }

    /// A person has signed in, or hopes so.
    pub(crate) fn resume(&self) {
        self.inner().paused.set(false);
        self.show(|face| face.messages.sign_in = false);
        self.wake();
        self.send();
    }
}
