//! Callers that wait for the queue: a form that is submitted, a host that calls `flush`.
//!
//! Each gets a result: when the queue is empty, at the first error, or after a timeout.

use crate::model::effect::Effect;
use crate::model::message::{Msg, Timer, WaiterId};
use crate::model::notice::RejectionReason;
use crate::model::state::Model;
use crate::port::ErrorDetail;

/// The timeout of waiting callers, in milliseconds.
const PATIENCE: u32 = 30_000;

impl Model {
    /// Sends what waits, and answers.
    pub(super) fn flush(&mut self, waiter: WaiterId) {
        if self.unconfirmed_count() == 0 {
            self.effects.push(Effect::Answer(waiter, Ok(())));
            return;
        }
        if self.flush.waiters.is_empty() {
            self.flush.failed = None;
            self.flush.timer = self.next_number();
            let timer = Timer::Flush(self.flush.timer);
            self.effects.push(Effect::Wait(PATIENCE, timer));
        }
        self.flush.released = true;
        self.flush.waiters.push(waiter);
        self.wake();
        self.send();
    }

    /// Answers everybody who waits for the queue: it is empty, or does not go on now.
    pub(super) fn answer_flush(&mut self) {
        if self.unconfirmed_count() == 0 {
            self.flush.released = false;
        }
        if self.flush.waiters.is_empty() {
            return;
        }
        let result = match self.flush.failed.take() {
            Some(error) => Err(error),
            None if self.unconfirmed_count() == 0 => Ok(()),
            None => Err(self.unsent_error("Draft")),
        };
        for waiter in std::mem::take(&mut self.flush.waiters) {
            self.effects.push(Effect::Answer(waiter, result.clone()));
        }
    }

    /// The timeout has passed without an answer.
    pub(super) fn flush_late(&mut self, timer: u32) {
        if self.flush.timer == timer && !self.flush.waiters.is_empty() {
            let late = self.unsent_error("Network");
            self.flush.failed.get_or_insert(late);
            self.answer_flush();
        }
    }

    fn unsent_error(&self, code: &str) -> ErrorDetail {
        ErrorDetail {
            code: code.to_owned(),
            status: 0,
            message: RejectionReason::Network.sentence(self.texts()),
            item: None,
        }
    }

    /// A form has waited so long that a notice is shown.
    pub(super) fn submit_waits(&mut self, waits: bool) {
        if std::mem::replace(&mut self.flush.submitting, waits) == waits {
            return;
        }
        if waits {
            self.say(self.texts().saving_first().to_owned());
        }
        self.publish();
    }

    /// The control is removed: waiting callers get an error, and nothing follows.
    pub(super) fn end(&mut self) {
        self.flush.failed.get_or_insert_with(|| ErrorDetail {
            code: "Disconnected".to_owned(),
            status: 0,
            message: String::new(),
            item: None,
        });
        let error = self.flush.failed.clone();
        let is_sent = self.unconfirmed_count() == 0;
        if is_sent {
            self.flush.failed = None;
        }
        self.answer_flush();
        self.answer_readers(error);
        self.effects
            .retain(|effect| matches!(effect, Effect::Answer(..)));
        self.ended = true;
    }

    /// Later callers get an answer at once; nothing else happens.
    pub(super) fn answer_after_end(&mut self, message: Msg) -> Vec<Effect> {
        let error = self.unsent_error("Disconnected");
        match message {
            Msg::Flush(waiter) | Msg::Refresh(waiter) => {
                vec![Effect::Answer(waiter, Err(error))]
            }
            _ => Vec::new(),
        }
    }
}
