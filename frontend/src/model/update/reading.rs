//! Reads changes again: when the page becomes visible again, and after answers that announce
//! changes without including them.
//!
//! One read at a time; requests during a read are covered by the next.

use crate::model::effect::Effect;
use crate::model::error::Error;
use crate::model::message::WaiterId;
use crate::model::notice::RejectionReason;
use crate::model::reading::Refresh;
use crate::model::served::ServedList;
use crate::model::state::Model;
use crate::model::sync::Connection;
use crate::port::ErrorDetail;

/// Looking at the page again asks the server at most this often, in milliseconds.
const PAUSE: i64 = 2_000;

impl Model {
    /// Reads the list again for somebody who waits for that.
    pub(super) fn refresh(&mut self, waiter: WaiterId) {
        self.reading.waiters.push(waiter);
        self.read();
        if self.context().is_none() && self.settings.template.is_empty() {
            // There is nothing to read.
            self.finish_read(None);
        }
    }

    /// The page is looked at again: what waits is tried again, and what others did meanwhile is
    /// worth a question.
    pub(super) fn look_again(&mut self) {
        self.wake();
        // Two hundred compact controls do not poll one by one: the stream updates them.
        let is_line = self.mode.compact && !self.card.opened;
        let rested = !is_line && self.given.now - self.reading.at >= PAUSE;
        if rested && self.context().is_some() {
            self.read();
        }
    }

    /// Reads what has changed, or everything after a failure.
    pub(super) fn read(&mut self) {
        let ready = self.is_ready() && !self.settings.shows_named_run();
        let Some(context) = self.context().filter(|_| ready) else {
            self.load();
            return;
        };
        if self.reading.refresh != Refresh::Idle {
            self.reading.refresh = Refresh::RunningTwice;
            return;
        }
        self.reading.refresh = Refresh::Running;
        self.effects.push(Effect::ReadChanges(
            self.reading.load,
            context,
            self.list.list.revision,
        ));
    }

    /// Applies the changes since the last read.
    pub(super) fn changes_read(&mut self, load: u32, result: Result<Box<ServedList>, Error>) {
        let refresh = std::mem::take(&mut self.reading.refresh);
        self.reading.finish(self.given.now);
        let error = match result {
            _ if !self.reading.is_current(load) => None,
            // The stream has delivered something newer.
            Ok(served) if served.delta && served.revision < self.list.list.revision => None,
            Ok(served) => {
                self.apply_served(*served);
                None
            }
            Err(failure) if is_gone(&failure) => {
                self.on_loaded(Err(failure));
                return;
            }
            Err(failure) => {
                if failure.refusal() == RejectionReason::SignIn {
                    self.stream(Connection::NoToken);
                }
                Some(failure.describe(self.texts()))
            }
        };
        if refresh == Refresh::RunningTwice && error.is_none() {
            self.read();
        } else {
            self.finish_read(error);
        }
    }

    /// A read is over: says what waited for the right count, and answers who waits for it.
    pub(super) fn finish_read(&mut self, error: Option<ErrorDetail>) {
        if let Some(operation) = self.reading.step.take() {
            self.say_step(&operation);
        }
        self.answer_readers(error);
    }

    pub(super) fn answer_readers(&mut self, error: Option<ErrorDetail>) {
        let result = error.map_or(Ok(()), Err);
        for waiter in std::mem::take(&mut self.reading.waiters) {
            self.effects.push(Effect::Answer(waiter, result.clone()));
        }
    }
}

fn is_gone(failure: &Error) -> bool {
    matches!(
        failure.refusal(),
        RejectionReason::NotFound | RejectionReason::TemplateGone | RejectionReason::TypeGone
    )
}
