//! What happens between two requests: a person edits a list, somebody pulls a plug.
//!
//! Counted in requests that come in, so that a test can say after how many. Asked by `handler` before
//! it answers one; filled through `SiteServer::after`.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::store::Site;

/// Something to happen.
type Event = Box<dyn FnOnce(&mut Site) + Send>;

/// What is still to happen, and after how many requests.
#[derive(Default)]
pub struct Meanwhile(Mutex<Vec<(u32, Event)>>);

impl Meanwhile {
    /// Lets something happen once so many more requests have been answered.
    pub fn after(&self, requests: u32, event: impl FnOnce(&mut Site) + Send + 'static) {
        self.lock().push((requests, Box::new(event)));
    }

    /// Nothing is to happen any more.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Counts a request; gives what is to happen before it is answered.
    pub fn due(&self) -> Vec<Event> {
        let mut waiting = self.lock();
        let mut due = Vec::new();
        for (left, event) in std::mem::take(&mut *waiting) {
            match left.checked_sub(1) {
                Some(left) => waiting.push((left, event)),
                None => due.push(event),
            }
        }
        due
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(u32, Event)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Meanwhile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Meanwhile")
            .field(&self.lock().len())
            .finish()
    }
}
