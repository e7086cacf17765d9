//! The hub: receives commits from the store's feed and distributes them to the streams. One per
//! process.
//!
//! Without subscriptions it holds no feed, so that the store need not announce anything. Once a
//! second it publishes presence changes (`presence`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checklist_store::feed::{Announcement, Commit, Feed};
use checklist_store::list_key::ListKey;
use checklist_store::presence::{People, Person, PresenceSender};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::mailbox::{Mailbox, Note, Notes};
use super::presence::{Presence, ROUND};
use super::rendered::Cache;

/// The default limit of streams per process.
pub const STREAMS: usize = 4_096;

/// The limit of streams per caller: each browser tab has one.
pub const STREAMS_A_CALLER: usize = 64;

/// The subscriptions of a process.
pub struct Hub {
    most: usize,
    registry: Mutex<Registry>,
    /// Serialized events, shared by the streams.
    pub rendered: Cache,
}

#[derive(Default)]
struct Registry {
    /// Whether a task holds a feed.
    listening: bool,
    closed: bool,
    next: u64,
    streams: HashMap<u64, Stream>,
    /// The subscribed streams, with the index of the list in each.
    lists: HashMap<ListKey, Vec<(u64, usize)>>,
    callers: HashMap<(String, String), usize>,
    presence: Presence,
}

struct Stream {
    tenant: String,
    mailbox: Arc<Mailbox>,
}

/// A request to subscribe to lists.
pub struct SubscriptionRequest<'a> {
    /// The tenant of the lists.
    pub tenant: &'a str,
    /// The caller's id, which never changes.
    pub caller: &'a str,
    /// The person as others see them; `None` for a caller who is not shown.
    pub person: Option<Person>,
    /// The lists, each with its index in the stream.
    pub lists: Vec<(usize, ListKey)>,
}

/// The feed of the store, and the sender to the other nodes.
pub struct FeedSource {
    /// The feed of commits.
    pub feed: Feed,
    /// Sends presence messages to the other nodes, if there are any.
    pub voice: Option<PresenceSender>,
}

/// Why a subscription is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscribeError {
    /// The process has reached its limit of streams.
    Full,
    /// The caller has reached the limit of streams.
    TooManyOfOne,
    /// The server is shutting down.
    Closed,
}

/// A subscription. Ends when it is dropped.
pub struct Subscription {
    hub: Arc<Hub>,
    id: u64,
    caller: (String, String),
    person: Option<String>,
    lists: Vec<(usize, ListKey)>,
    /// The mailbox that the hub fills.
    pub mailbox: Arc<Mailbox>,
}

impl Subscription {
    /// Whether the subscriber is shown to the others. Only a subscriber who is shown sees them.
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
    /// A hub without subscriptions, with a limit of streams.
    #[must_use]
    pub fn of(most: usize) -> Self {
        Self {
            most,
            registry: Mutex::default(),
            rendered: Cache::default(),
        }
    }

    /// Subscribes to lists. Calls `source` for a feed if there was no subscription before.
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

    /// Who has a list open, apart from this reader.
    #[must_use]
    pub fn others_on(&self, list: &ListKey, reader: &str) -> People {
        self.registry().presence.others_on(list, reader)
    }

    /// Ends every stream and rejects new ones. Called at shutdown.
    pub fn close(&self) {
        let mut registry = self.registry();
        registry.closed = true;
        for stream in registry.streams.values() {
            stream.mailbox.put(|notes| notes.over = true);
        }
    }

    /// The limit of streams.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.most
    }

    /// The number of streams.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.registry().streams.len()
    }

    /// Distributes an announcement; `false` if there are no subscriptions left.
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

    /// Publishes the presence changes since the last round; `false` if there is nobody left to send
    /// to.
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
        // The registry is consistent after every change, so a poisoned lock can be ignored.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registry {
    /// Whether there is still somebody to send to, here or on another node. Otherwise marks the
    /// task as ended.
    fn goes_on(&mut self) -> bool {
        if self.streams.is_empty() && self.presence.is_over() {
            self.listening = false;
            self.presence = Presence::default();
        }
        self.listening
    }

    /// Puts a note about a list into the mailboxes of its subscribers.
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

/// Reads the feed until there are no subscriptions left, or the store is closed.
async fn listen(hub: Arc<Hub>, source: FeedSource) {
    let FeedSource { mut feed, voice } = source;
    let mut rounds = interval(ROUND);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let goes_on = tokio::select! {
            event = feed.recv() => match event {
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
