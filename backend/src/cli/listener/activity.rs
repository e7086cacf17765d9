//! What a connection does at the moment: waiting for a request, reading its head, or answering.
//!
//! Only those that answer are needed; the others may be ended when they take too long or when
//! somebody else needs the place. One number says all, so that a request costs no lock. Written by
//! `write_timeout` and `answer`, read by `connections`.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::time::Instant;

/// What a connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was sent since the last answer.
    Waiting,
    /// The head of a request is on its way, or the first one is due.
    ReadingHead,
    /// A request is answered; a live stream is an answer that goes on.
    Answering,
}

/// What one connection does, and since when.
pub struct Activity {
    /// Milliseconds since `start` times four, and the phase.
    state: AtomicU64,
    start: Instant,
    /// Tells the connection to end.
    end: Notify,
}

impl Activity {
    /// A connection that was accepted now; `start` is the same for all of a server.
    pub fn new(start: Instant) -> Self {
        let activity = Self {
            state: AtomicU64::new(0),
            start,
            end: Notify::new(),
        };
        activity.enter(Phase::ReadingHead);
        activity
    }

    /// Something was read.
    pub fn bytes_came(&self) {
        if self.phase() == Phase::Waiting {
            self.enter(Phase::ReadingHead);
        }
    }

    /// Something was taken by the other side: the last piece of an answer may be on its way still.
    pub fn bytes_left(&self) {
        if self.phase() == Phase::Waiting {
            self.enter(Phase::Waiting);
        }
    }

    /// The head of a request is complete. The request has ended when what is given back is dropped.
    pub fn begin_request(self: &std::sync::Arc<Self>) -> RequestGuard {
        self.enter(Phase::Answering);
        RequestGuard(std::sync::Arc::clone(self))
    }

    /// What it does, and since when in milliseconds after `start`.
    pub fn now(&self) -> (Phase, u64) {
        let state = self.state.load(Ordering::Relaxed);
        let phase = match state & 3 {
            0 => Phase::Waiting,
            1 => Phase::ReadingHead,
            _ => Phase::Answering,
        };
        (phase, state >> 2)
    }

    /// Tells the connection to end.
    pub fn end(&self) {
        self.end.notify_one();
    }

    /// Waits for [`Self::end`].
    pub async fn ended(&self) {
        self.end.notified().await;
    }

    fn phase(&self) -> Phase {
        self.now().0
    }

    fn enter(&self, phase: Phase) {
        let millis = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX >> 2);
        self.state
            .store((millis << 2) | phase as u64, Ordering::Relaxed);
    }
}

/// A request that is being answered.
pub struct RequestGuard(std::sync::Arc<Activity>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.enter(Phase::Waiting);
    }
}
