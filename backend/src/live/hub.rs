//! The one place in a process where commits come in and notes go out.
//!
//! While nobody follows anything it holds no feed, so that the store has nothing to tell. Once a
//! second it tells who has come and gone (`presence`). Held by `App`; streams subscribe through
//! `services::live`, and the command line ends them all when the server stops.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::mailbox::{Mailbox, Note, Notes};
use super::presence::{Presence, ROUND};
use super::rendered::Cache;
use crate::storage::feed::{Announcement, Commit, Feed};
use crate::storage::list_key::ListKey;
use crate::storage::presence::{People, Person, PresenceSender};

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
    presence: Presence,
}

struct Stream {
    tenant: String,
    mailbox: Arc<Mailbox>,
}

/// Who wants to follow what.
pub struct SubscriptionRequest<'a> {
    /// Whose lists.
    pub tenant: &'a str,
    /// The caller's stable id.
    pub caller: &'a str,
    /// Whom the others on the lists see; `None` for whoever is not to be seen.
    pub person: Option<Person>,
    /// The lists, each under its place in the stream.
    pub lists: Vec<(usize, ListKey)>,
}

/// Where word comes from, and how the other nodes hear from this one.
pub struct FeedSource {
    /// What is committed.
    pub feed: Feed,
    /// Where there are other nodes.
    pub voice: Option<PresenceSender>,
}

/// Why nobody more can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscribeError {
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
    person: Option<String>,
    lists: Vec<(usize, ListKey)>,
    /// Where the notes lie.
    pub mailbox: Arc<Mailbox>,
}

impl Subscription {
    /// Whether the others on the lists see whoever follows them, who sees them then, too.
    #[must_use]
    pub const fn is_seen(&self) -> bool {
        self.person.is_some()
    }
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

    /// Follows lists from now on; `source` is asked for one if nobody followed anything.
    ///
    /// # Errors
    /// See [`SubscribeError`].
    pub fn subscribe(
        self: &Arc<Self>,
        follower: SubscriptionRequest<'_>,
        source: impl FnOnce() -> FeedSource,
    ) -> Result<Subscription, SubscribeError> {
        let SubscriptionRequest {
            tenant,
            caller,
            person,
            lists,
        } = follower;
        let mut registry = self.registry();
        if registry.closed {
            return Err(SubscribeError::Closed);
        }
        if registry.streams.len() >= self.most {
            return Err(SubscribeError::Full);
        }
        let caller = (tenant.to_owned(), caller.to_owned());
        let mine = registry.callers.entry(caller.clone()).or_default();
        if *mine >= STREAMS_A_CALLER {
            return Err(SubscribeError::TooManyOfOne);
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
            if let Some(person) = &person {
                registry.presence.enter(list, person);
            }
        }
        if !std::mem::replace(&mut registry.listening, true) {
            registry.presence.begin();
            tokio::spawn(listen(Arc::clone(self), source()));
        }
        Ok(Subscription {
            hub: Arc::clone(self),
            id,
            caller,
            person: person.map(|person| person.identity),
            lists,
            mailbox,
        })
    }

    /// Who is on a list beside this reader.
    #[must_use]
    pub fn others_on(&self, list: &ListKey, reader: &str) -> People {
        self.registry().presence.others_on(list, reader)
    }

    /// Ends every stream, and lets nobody begin one. Called when the server stops.
    pub fn close(&self) {
        let mut registry = self.registry();
        registry.closed = true;
        for stream in registry.streams.values() {
            stream.mailbox.put(|notes| notes.over = true);
        }
    }

    /// How many streams there may be.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.most
    }

    /// How many streams there are.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.registry().streams.len()
    }

    /// Passes an announcement on; false when nobody is left to hear of any.
    fn pass_on(&self, announcement: &Announcement) -> bool {
        let mut registry = self.registry();
        if !registry.goes_on() {
            return false;
        }
        match announcement {
            Announcement::Presence(node, words) => {
                registry.presence.receive(node, words, Instant::now());
            }
            Announcement::Gap => {
                registry.presence.begin();
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

    /// Tells who has come and gone since the last round; false when nobody is left to be told.
    fn tell_presence(&self, voice: Option<&PresenceSender>) -> bool {
        let mut registry = self.registry();
        let news = registry.presence.round(Instant::now());
        for list in &news.lists {
            registry.ring(list, |notes, place| {
                notes.people.insert(place);
            });
        }
        let goes_on = registry.goes_on();
        drop(registry);
        if let Some(voice) = voice {
            voice(news.words);
        }
        goes_on
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        // Each change leaves it whole, so a panic elsewhere does not spoil it.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registry {
    /// Whether there is still somebody to be told, here or on another node; notes it if not.
    fn goes_on(&mut self) -> bool {
        if self.streams.is_empty() && self.presence.is_over() {
            self.listening = false;
            self.presence = Presence::default();
        }
        self.listening
    }

    /// Leaves a note about a list for everybody who follows it.
    fn ring(&self, list: &ListKey, note: impl Fn(&mut Notes, usize)) {
        for (id, place) in self.lists.get(list).into_iter().flatten() {
            if let Some(stream) = self.streams.get(id) {
                stream.mailbox.put(|notes| note(notes, *place));
            }
        }
    }

    fn tell(&self, commit: &Commit) {
        match commit {
            Commit::List {
                list,
                revision,
                sequence,
                operation,
            } => {
                self.ring(list, |notes, place| {
                    let note = Note {
                        revision: *revision,
                        operation: operation.clone(),
                    };
                    notes.lists.insert(place, note);
                    notes.sequence = notes.sequence.max(*sequence);
                });
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
        let now = Instant::now();
        for (_, list) in &subscription.lists {
            if let Some(person) = &subscription.person {
                self.presence.leave(list, person, now);
            }
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
async fn listen(hub: Arc<Hub>, source: FeedSource) {
    let FeedSource { mut feed, voice } = source;
    let mut rounds = interval(ROUND);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let goes_on = tokio::select! {
            heard = feed.recv() => match heard {
                Ok(announcement) => hub.pass_on(&announcement),
                Err(RecvError::Lagged(_)) => hub.pass_on(&Announcement::Gap),
                Err(RecvError::Closed) => {
                    hub.close();
                    false
                }
            },
            _ = rounds.tick() => hub.tell_presence(voice.as_ref()),
        };
        if !goes_on {
            return;
        }
    }
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
