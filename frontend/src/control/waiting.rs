//! Those who wait: for everything to be sent, or for the list to be read.
//!
//! Each is told once, by `wake`, when `sync` or `load` has come to an end. Called by the host by
//! way of `controller`.

use super::Controller;
use super::held::Waiter;
use super::port::{ErrorDetail, Told};
use crate::state::notice::Refusal;

impl Controller {
    pub(super) fn flush_now(&self, told: Told) {
        let inner = self.inner();
        if self.with_state(|state| state.queue.is_empty()) {
            told(Ok(()));
            return;
        }
        inner.failed.replace(None);
        inner.released.set(true);
        if inner.paused.get() {
            self.resume();
        }
        if inner.offline.get() {
            self.wake();
        }
        let controller = *self;
        let tell = move || told(controller.flushed());
        inner.waiters.borrow_mut().push(Box::new(tell));
        self.send();
    }

    fn flushed(&self) -> Result<(), ErrorDetail> {
        match self.inner().failed.take() {
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

    pub(super) fn read_and_tell(&self, told: Told) {
        let inner = self.inner();
        let tell = move || told(inner.unread.take().map_or(Ok(()), Err));
        inner.readers.borrow_mut().push(Box::new(tell));
        self.read();
    }
}

/// Calls everybody who waits.
pub(super) fn wake(waiting: Vec<Waiter>) {
    for tell in waiting {
        tell();
    }
}
