//! The one place in a process where commits come in and notes go out.
//!
//! While nobody follows anything it holds no feed, so that the store has nothing to tell. Held by
//! `App`; streams subscribe through `services::live`, and the command line ends them all when the
//! server stops.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast::error::RecvError;

use super::mailbox::{Mailbox, Note};
use super::rendered::Cache;
use crate::storage::feed::{Announcement, Commit, Feed};
use crate::storage::list_key::ListKey;

/// Streams that one process serves at once, unless it is told otherwise.
pub const STREAMS: usize = 4_096;

/// Streams that one caller may have at once: every tab of a browser has one.
pub const STREAMS_A_CALLER: usize = 64;

/// Who follows what.
pub struct Hub {
    most: usize,
    registry: Mutex<Registry>,
    /// What was written down for one reader, for the others.
    pub rendered: Cache,
}

#[derive(Default)]
struct Registry {
    /// Whether a task holds a feed.
    listening: bool,
    closed: bool,
    next: u64,
    streams: HashMap<u64, Stream>,
    /// Streams and the list's place in each.
    lists: HashMap<ListKey, Vec<(u64, usize)>>,
    callers: HashMap<(String, String), usize>,
}

struct Stream {
    tenant: String,
    mailbox: Arc<Mailbox>,
}

/// Why nobody more can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The process has as many streams as it serves.
    Full,
    /// This caller has.
    TooManyOfOne,
    /// The server is stopping.
    Closed,
}

/// Somebody's place in the registry, given up when it is dropped.
pub struct Subscription {
    hub: Arc<Hub>,
    id: u64,
    caller: (String, String),
    lists: Vec<(usize, ListKey)>,
    /// Where the notes lie.
    pub mailbox: Arc<Mailbox>,
}

impl Default for Hub {
    fn default() -> Self {
        Self::of(STREAMS)
    }
}

impl Hub {
    /// Nobody follows anything yet; so many may.
    #[must_use]
    pub fn of(most: usize) -> Self {
        Self {
            most,
            registry: Mutex::default(),
            rendered: Cache::default(),
        }
    }

    /// Follows these lists from now on, each under its place in the stream; `feed` is asked for
    /// one if nobody followed anything. `caller` is the caller's stable id.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn subscribe(
        self: &Arc<Self>,
        tenant: &str,
        caller: &str,
        lists: Vec<(usize, ListKey)>,
        feed: impl FnOnce() -> Feed,
    ) -> Result<Subscription, Refused> {
        let mut registry = self.registry();
        if registry.closed {
            return Err(Refused::Closed);
        }
        if registry.streams.len() >= self.most {
            return Err(Refused::Full);
        }
        let caller = (tenant.to_owned(), caller.to_owned());
        let mine = registry.callers.entry(caller.clone()).or_default();
        if *mine >= STREAMS_A_CALLER {
            return Err(Refused::TooManyOfOne);
        }
        *mine += 1;
        registry.next += 1;
        let id = registry.next;
        let mailbox = Arc::new(Mailbox::default());
        let stream = Stream {
            tenant: tenant.to_owned(),
            mailbox: Arc::clone(&mailbox),
        };
        registry.streams.insert(id, stream);
        for (place, list) in &lists {
            let followers = registry.lists.entry(list.clone()).or_default();
            followers.push((id, *place));
        }
        if !std::mem::replace(&mut registry.listening, true) {
            tokio::spawn(listen(Arc::clone(self), feed()));
        }
        Ok(Subscription {
            hub: Arc::clone(self),
            id,
            caller,
            lists,
            mailbox,
        })
    }

    /// Ends every stream, and lets nobody begin one. Called when the server stops.
    pub fn close(&self) {
        let mut registry = self.registry();
        registry.closed = true;
        for stream in registry.streams.values() {
            stream.mailbox.put(|notes| notes.over = true);
        }
    }

    /// How many streams there are.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.registry().streams.len()
    }

    /// Passes an announcement on; false when nobody is left to hear of any.
    fn pass_on(&self, announcement: &Announcement) -> bool {
        let mut registry = self.registry();
        if registry.streams.is_empty() {
            registry.listening = false;
            return false;
        }
        match announcement {
            Announcement::Gap => {
                for stream in registry.streams.values() {
                    stream.mailbox.put(|notes| notes.gap = true);
                }
            }
            Announcement::Commits(commits) => {
                for commit in commits {
                    registry.tell(commit);
                }
            }
        }
        true
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        // Each change leaves it whole, so a panic elsewhere does not spoil it.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registry {
    fn tell(&self, commit: &Commit) {
        match commit {
            Commit::List {
                list,
                revision,
                sequence,
                operation,
            } => {
                for (id, place) in self.lists.get(list).into_iter().flatten() {
                    let Some(stream) = self.streams.get(id) else {
                        continue;
                    };
                    stream.mailbox.put(|notes| {
                        let note = Note {
                            revision: *revision,
                            operation: operation.clone(),
                        };
                        notes.lists.insert(*place, note);
                        notes.sequence = notes.sequence.max(*sequence);
                    });
                }
            }
            Commit::Template { tenant, .. } => {
                let streams = self.streams.values();
                for stream in streams.filter(|stream| stream.tenant == *tenant) {
                    stream.mailbox.put(|notes| notes.templates = true);
                }
            }
        }
    }

    fn forget(&mut self, subscription: &Subscription) {
        self.streams.remove(&subscription.id);
        for (_, list) in &subscription.lists {
            if let Some(followers) = self.lists.get_mut(list) {
                followers.retain(|(id, _)| *id != subscription.id);
                if followers.is_empty() {
                    self.lists.remove(list);
                }
            }
        }
        if let Some(mine) = self.callers.get_mut(&subscription.caller) {
            *mine -= 1;
            if *mine == 0 {
                self.callers.remove(&subscription.caller);
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let hub = Arc::clone(&self.hub);
        hub.registry().forget(self);
    }
}

/// Hears the feed until nobody follows anything, or the store is gone.
async fn listen(hub: Arc<Hub>, mut feed: Feed) {
    loop {
        let goes_on = match feed.recv().await {
            Ok(announcement) => hub.pass_on(&announcement),
            Err(RecvError::Lagged(_)) => hub.pass_on(&Announcement::Gap),
            Err(RecvError::Closed) => {
                hub.close();
                false
            }
        };
        if !goes_on {
            return;
        }
    }
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
