//! Sends the pending operations one after the other, and applies the answers.
//!
//! `policy` interprets an answer. At most one operation is in flight, and it keeps its
//! id however often it is sent. Sending needs no button: it is retried with a backoff, when the page
//! becomes visible again, and when the network is back.

use checklist_shared::wire::write::WriteOutcome;

use crate::model::effect::Effect;
use crate::model::error::Error;
use crate::model::message::Timer;
use crate::model::operation::Operation;
use crate::model::policy::{Reply, RetryDecision, backoff, judge};
use crate::model::state::Model;
use crate::model::sync::{Attempt, Connection, Sync, SyncProblem};
use crate::port::TokenReason;

impl Model {
    /// What keeps operations from being sent, or changes of others from arriving.
    #[must_use]
    pub fn connection(&self) -> Connection {
        match self.problem.or(self.cut_off) {
            Some(SyncProblem::NoToken) => Connection::NoToken,
            Some(SyncProblem::Unreachable) => Connection::Offline,
            None => Connection::Online,
        }
    }

    /// Sends the next operation, unless one is on its way or has to wait.
    pub(super) fn send(&mut self) {
        if self.sync != Sync::Idle {
            return;
        }
        let next = if self.may_send() {
            self.list.queue.resume()
        } else {
            None
        };
        match next {
            Some(operation) => {
                let attempt = Attempt {
                    id: operation.id.clone(),
                    failed: 0,
                    renewed: false,
                    maybe_done: false,
                };
                self.transmit(operation, attempt, TokenReason::Call);
            }
            // The operations of a draft come with its list.
            None if self.adopting.is_some() && self.is_ready() => {}
            None => self.answer_flush(),
        }
    }

    fn may_send(&self) -> bool {
        let is_asked = !self.settings.autosave_off || self.flush.released;
        is_asked && self.context().is_some() && self.list.meta.loaded
    }

    fn transmit(&mut self, operation: Operation, attempt: Attempt, reason: TokenReason) {
        let Some(context) = self.context() else {
            self.sync = Sync::Idle;
            return;
        };
        self.sync = Sync::Sending(attempt);
        self.effects
            .push(Effect::Send(context, Box::new(operation), reason));
    }

    /// The answer to an operation. What is no longer waited for is kept and sent once more when
    /// its list is shown again.
    pub(super) fn on_answer(&mut self, id: &str, result: Result<WriteOutcome, Error>) {
        let attempt = match &self.sync {
            Sync::Sending(attempt) if attempt.id == id => attempt.clone(),
            _ => return,
        };
        let Some(operation) = self.list.queue.iter().next().cloned() else {
            return;
        };
        let reply = match &result {
            Ok(_) => Reply::Status {
                code: 200,
                retry_after: None,
            },
            Err(failure) if failure.asks_for_other_token() && !attempt.renewed => Reply::Status {
                code: 401,
                retry_after: None,
            },
            Err(failure) => failure.reply(),
        };
        let verdict = judge(reply, attempt.failed, attempt.renewed, self.given.chance);
        match (verdict, result) {
            (RetryDecision::Again(millis), Err(failure)) => {
                self.retry_later(attempt, millis, &failure)
            }
            (RetryDecision::RenewToken, _) => {
                let renewed = Attempt {
                    renewed: true,
                    ..attempt
                };
                self.transmit(operation, renewed, TokenReason::Renew);
            }
            (RetryDecision::Pause, Err(failure)) => self.wait_for_token(attempt, &failure),
            (_, result) => self.finish_operation(&operation, result),
        }
    }

    /// The server has answered for good: takes the answer in and goes on.
    fn finish_operation(&mut self, operation: &Operation, result: Result<WriteOutcome, Error>) {
        self.sync = Sync::Idle;
        self.on_server_reached();
        let now = self.given.now;
        let adopted = match result {
            Ok(answer) => self.list.confirm(answer, now),
            Err(failure) => {
                let adopted = self.list.reject(failure.refusal(), now);
                self.error(failure.describe(self.texts()));
                adopted
            }
        };
        self.adopt(operation, adopted);
        self.send();
    }

    /// There was no answer; the operation is retried after a while.
    fn retry_later(&mut self, attempt: Attempt, millis: u32, failure: &Error) {
        let number = self.next_number();
        self.sync = Sync::WaitingToRetry(
            Attempt {
                failed: attempt.failed.saturating_add(1),
                maybe_done: true,
                ..attempt
            },
            number,
        );
        self.effects
            .push(Effect::Wait(millis, Timer::Retry(number)));
        self.report_problem(SyncProblem::Unreachable, failure);
    }

    /// No token helps; another one is asked for after a while.
    fn wait_for_token(&mut self, attempt: Attempt, failure: &Error) {
        let number = self.next_number();
        let millis = backoff(attempt.failed, self.given.chance);
        if !attempt.maybe_done {
            // Certainly not executed: it can still be undone locally.
            self.list.queue.put_back();
        }
        self.sync = Sync::WaitingForToken(
            Attempt {
                failed: attempt.failed.saturating_add(1),
                renewed: false,
                ..attempt
            },
            number,
        );
        self.effects
            .push(Effect::Wait(millis, Timer::Retry(number)));
        self.report_problem(SyncProblem::NoToken, failure);
    }

    /// Reports once what is wrong; callers that wait for the queue learn that it continues later.
    fn report_problem(&mut self, problem: SyncProblem, failure: &Error) {
        let before = self.connection();
        let error = failure.describe(self.texts());
        self.flush.failed.get_or_insert_with(|| error.clone());
        if self.problem.replace(problem) != Some(problem) {
            self.effects.push(Effect::Error(error));
        }
        self.publish();
        if self.connection() != before {
            self.say_connection();
        }
        self.answer_flush();
    }

    /// The server has answered. That is as good as a stream: both say that it is there.
    pub(super) fn on_server_reached(&mut self) {
        let before = self.connection();
        if self.problem.take().is_some() | self.cut_off.take().is_some() {
            self.publish();
            self.forget_sign_in(before);
        }
    }

    /// What was said about the sign-in holds no longer: nobody shall come upon it in the live region.
    pub(super) fn forget_sign_in(&mut self, before: Connection) {
        if before == Connection::NoToken && self.connection() == Connection::Online {
            self.say(String::new());
        }
    }

    /// A time to wait is over.
    pub(super) fn retry(&mut self, number: u32) {
        match self.sync {
            Sync::WaitingToRetry(_, waiting) | Sync::WaitingForToken(_, waiting)
                if waiting == number =>
            {
                self.wake();
            }
            _ => {}
        }
    }

    /// Tries again now instead of later.
    pub(super) fn wake(&mut self) {
        let attempt = match &self.sync {
            Sync::WaitingToRetry(attempt, _) | Sync::WaitingForToken(attempt, _) => attempt.clone(),
            Sync::Idle | Sync::Sending(_) => return,
        };
        match self.list.queue.resume() {
            Some(operation) => {
                let attempt = Attempt {
                    id: operation.id.clone(),
                    ..attempt
                };
                self.transmit(operation, attempt, TokenReason::Call);
            }
            None => self.sync = Sync::Idle,
        }
    }

    /// A person says that they have signed in; the message returns if that failed.
    pub(super) fn try_again(&mut self) {
        let before = self.connection();
        self.problem = None;
        let was_cut_off = self.cut_off.take().is_some();
        self.publish();
        self.forget_sign_in(before);
        self.wake();
        self.send();
        if was_cut_off {
            // The stream is opened again once there is a token.
            self.read();
        }
    }

    /// An undone operation need not be waited for.
    pub(super) fn rest(&mut self) {
        if self.list.queue.is_empty() && self.sync != Sync::Idle {
            self.sync = Sync::Idle;
            if self.problem == Some(SyncProblem::NoToken) {
                self.problem = None;
            }
        }
    }
}
