//! All connections of a server: how many there may be, which have waited too long, and which one
//! makes room when there is none left.
//!
//! A connection that answers nothing holds no place against somebody who asks: at the limit the
//! one that has waited longest ends. Those that answer stay, live streams among them; when all do,
//! newcomers wait. Asked by `answer` for every newcomer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use checklist_runtime::log_budget::LogBudget;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::activity::{Activity, Phase};

/// How often connections that have waited too long are looked for.
const EVERY: Duration = Duration::from_secs(1);

/// How many connections there may be, and how long they may do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// How many at once.
    pub most: usize,
    /// How long the head of a request may take, from the connection or its first byte on.
    pub head: Duration,
    /// How long a connection may wait for its next request.
    pub idle: Duration,
}

/// The connections.
pub struct Connections {
    limits: ConnectionLimits,
    start: Instant,
    open: Mutex<Open>,
    /// Somebody has left.
    freed: Notify,
    log: LogBudget,
}

#[derive(Default)]
struct Open {
    next: u64,
    activities: HashMap<u64, Arc<Activity>>,
}

impl Connections {
    /// None yet.
    pub fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits,
            start: Instant::now(),
            open: Mutex::default(),
            freed: Notify::new(),
            log: LogBudget::new(1),
        }
    }

    /// A permit for a new connection; waits while all connections answer.
    pub async fn admit(self: &Arc<Self>) -> ConnectionPermit {
        loop {
            let freed = self.freed.notified();
            if let Some(place) = self.take() {
                return place;
            }
            if let Some(left_out) = self.log.take() {
                tracing::warn!(
                    most = self.limits.most,
                    left_out,
                    "no connection is left; the one that has waited longest makes room"
                );
            }
            freed.await;
        }
    }

    /// Ends those that have waited too long, until it is dropped.
    pub async fn end_late_ones(&self) {
        let mut seconds = tokio::time::interval(EVERY);
        loop {
            seconds.tick().await;
            let now = self.millis();
            let late = |activity: &Activity| {
                let (phase, since) = activity.now();
                let waited = Duration::from_millis(now.saturating_sub(since));
                match phase {
                    Phase::Waiting => waited > self.limits.idle,
                    Phase::ReadingHead => waited > self.limits.head,
                    Phase::Answering => false,
                }
            };
            let open = self.open();
            for activity in open.activities.values().filter(|one| late(one)) {
                activity.end();
            }
        }
    }

    /// A permit if one is free. Else the connection that has waited longest is closed, which frees one soon.
    fn take(self: &Arc<Self>) -> Option<ConnectionPermit> {
        let mut open = self.open();
        if open.activities.len() >= self.limits.most {
            let waiting = open.activities.values().filter_map(|activity| {
                let (phase, since) = activity.now();
                (phase != Phase::Answering).then_some((since, activity))
            });
            if let Some((_, longest)) = waiting.min_by_key(|(since, _)| *since) {
                longest.end();
            }
            return None;
        }
        let number = open.next;
        open.next += 1;
        let activity = Arc::new(Activity::new(self.start));
        open.activities.insert(number, Arc::clone(&activity));
        Some(ConnectionPermit {
            connections: Arc::clone(self),
            number,
            activity,
        })
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // Every operation leaves the map whole, so a panic elsewhere does not spoil it.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one connection, free again when it is dropped.
pub struct ConnectionPermit {
    connections: Arc<Connections>,
    number: u64,
    /// What the connection does.
    pub activity: Arc<Activity>,
}

impl ConnectionPermit {
    /// It was asked to close, but a request has begun meanwhile. Another connection has to close.
    pub fn is_needed_after_all(&self) -> bool {
        let answers = self.activity.now().0 == Phase::Answering;
        if answers {
            self.connections.freed.notify_one();
        }
        answers
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections.open().activities.remove(&self.number);
        // Whoever asks at this very moment finds the place or hears of it.
        self.connections.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    fn connections(most: usize) -> Arc<Connections> {
        Arc::new(Connections::new(ConnectionLimits {
            most,
            head: Duration::from_secs(1),
            idle: Duration::from_secs(1),
        }))
    }

    #[tokio::test]
    async fn the_one_that_has_waited_longest_makes_room() {
        let connections = connections(2);
        let first = connections.admit().await;
        let busy = connections.admit().await;
        let _request = busy.activity.begin_request();
        let newcomer = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.admit().await }
        });
        first.activity.ended().await;
        drop(first);
        let newcomer = newcomer.await.expect("a place");
        assert_eq!(newcomer.activity.now().0, Phase::ReadingHead);
        assert_eq!(busy.activity.now().0, Phase::Answering);
    }

    #[tokio::test]
    async fn nobody_who_is_answered_is_sent_away() {
        let connections = connections(1);
        let busy = connections.admit().await;
        let request = busy.activity.begin_request();
        let none = timeout(Duration::from_millis(50), connections.admit()).await;
        assert!(none.is_err(), "there is no room");
        drop(request);
        let ended = timeout(Duration::from_millis(50), busy.activity.ended()).await;
        assert!(ended.is_err(), "nobody has asked since");
        drop(busy);
        connections.admit().await;
    }
}
