//! Telling what was committed: to those who follow on this node, and to the other nodes.
//!
//! Each transaction notifies the others of what it commits (`NOTIFY`, so they hear of it only if it
//! is committed, in the order of the commits). This node is told by its own writers and leaves out
//! what it hears of itself. Who is on which list is said on a channel of its own, outside of any
//! transaction, by the connection that listens. That a run may be due is another channel, within
//! the transaction that wrote the run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, broadcast, mpsc};

use crate::storage::feed::{self, Announcement, Commit, Feed};
use crate::storage::job_notifier::JobNotifier;
use crate::storage::list_key::ListKey;
use crate::storage::presence::{People, PresenceMessage};

/// The channel; notifications do not leave their database.
pub(super) const CHANNEL: &str = "checklist_commits";

/// Notifies of each text of an array, when the transaction is committed.
pub(super) const NOTIFY: &str =
    "SELECT pg_notify('checklist_commits', message) FROM unnest($1::text[]) AS message";

/// Where nodes say who is on which list. Not with the commits: what an older node does not know
/// there, it takes for a gap.
pub(super) const PRESENCE: &str = "checklist_presence";

/// Notifies of each text of an array, at once.
pub(super) const SAY: &str =
    "SELECT pg_notify('checklist_presence', message) FROM unnest($1::text[]) AS message";

/// Where nodes wake each other's workers.
pub(super) const JOBS: &str = "checklist_jobs";

/// Wakes the workers of the other nodes when the transaction is committed; `$1` is this node.
pub(super) const NOTIFY_JOBS: &str = "SELECT pg_notify('checklist_jobs', $1)";

/// Messages about people that may wait for the connection. What does not fit is said again when
/// the others ask.
const WAITING: usize = 256;

/// The database takes 8,000 bytes in one notification; one commit with the longest names in it is
/// far below.
const LONGEST: usize = 7_900;

/// One node's voice and ear.
pub(super) struct Announcer {
    /// The name of this node among the others.
    node: String,
    commits: broadcast::Sender<Arc<Announcement>>,
    /// What is to be said about people, for the connection that listens.
    about_people: mpsc::Sender<String>,
    /// Rung when deliveries of webhooks were committed here.
    outbox: Arc<Notify>,
    /// Wakes this node's worker.
    job_notifier: Arc<JobNotifier>,
}

/// A notification.
#[derive(Serialize, Deserialize)]
struct CommitNotification {
    node: String,
    told: Vec<CommitPayload>,
}

/// Word of who is on which list.
#[derive(Serialize, Deserialize)]
struct PresenceNotification {
    node: String,
    words: Vec<PresencePayload>,
}

#[derive(Serialize, Deserialize)]
enum PresencePayload {
    Alive,
    Asks,
    /// Tenant, type, object, purpose, and who is there.
    On(String, String, String, String, People),
}

impl From<PresenceMessage> for PresencePayload {
    fn from(word: PresenceMessage) -> Self {
        match word {
            PresenceMessage::Alive => Self::Alive,
            PresenceMessage::Asks => Self::Asks,
            PresenceMessage::On(list, people) => Self::On(
                list.tenant,
                list.object_type,
                list.object_id,
                list.purpose,
                people,
            ),
        }
    }
}

impl From<PresencePayload> for PresenceMessage {
    fn from(spoken: PresencePayload) -> Self {
        match spoken {
            PresencePayload::Alive => Self::Alive,
            PresencePayload::Asks => Self::Asks,
            PresencePayload::On(tenant, object_type, object_id, purpose, people) => Self::On(
                ListKey {
                    tenant,
                    object_type,
                    object_id,
                    purpose,
                },
                people,
            ),
        }
    }
}

#[derive(Serialize, Deserialize)]
enum CommitPayload {
    /// Tenant, type, object, purpose, revision, sequence, operation.
    List(String, String, String, String, u64, u64, Option<String>),
    /// Tenant, id.
    Template(String, String),
}

impl From<&Commit> for CommitPayload {
    fn from(commit: &Commit) -> Self {
        match commit.clone() {
            Commit::List {
                list,
                revision,
                sequence,
                operation,
            } => Self::List(
                list.tenant,
                list.object_type,
                list.object_id,
                list.purpose,
                revision,
                sequence,
                operation,
            ),
            Commit::Template { tenant, id } => Self::Template(tenant, id),
        }
    }
}

impl From<CommitPayload> for Commit {
    fn from(told: CommitPayload) -> Self {
        match told {
            CommitPayload::List(
                tenant,
                object_type,
                object_id,
                purpose,
                revision,
                sequence,
                operation,
            ) => Self::List {
                list: ListKey {
                    tenant,
                    object_type,
                    object_id,
                    purpose,
                },
                revision,
                sequence,
                operation,
            },
            CommitPayload::Template(tenant, id) => Self::Template { tenant, id },
        }
    }
}

impl Announcer {
    /// The voice and ear of the node of that name, and what it says about people.
    pub(super) fn new(node: String) -> (Self, mpsc::Receiver<String>) {
        let (about_people, said) = mpsc::channel(WAITING);
        let announcer = Self {
            node,
            commits: broadcast::Sender::new(feed::BEHIND),
            about_people,
            outbox: Arc::default(),
            job_notifier: Arc::default(),
        };
        (announcer, said)
    }

    /// What is rung when there is something to send to webhooks.
    pub(super) fn outbox(&self) -> Arc<Notify> {
        Arc::clone(&self.outbox)
    }

    /// Deliveries of webhooks were committed.
    pub(super) fn has_deliveries(&self) {
        self.outbox.notify_one();
    }

    /// The name of this node, for [`NOTIFY_JOBS`].
    pub(super) fn node(&self) -> &str {
        &self.node
    }

    /// What wakes this node's worker.
    pub(super) const fn job_notifier(&self) -> &Arc<JobNotifier> {
        &self.job_notifier
    }

    /// Wakes this node's worker for a run that another node has written. What this node writes
    /// wakes it without this detour, so that it does not depend on the connection that listens.
    pub(super) fn wake_for_job_of(&self, node: &str) {
        if node != self.node {
            self.job_notifier.notify();
        }
    }

    pub(super) fn subscribe(&self) -> Feed {
        self.commits.subscribe()
    }

    /// What the other nodes are to be notified of, in as few texts as they take.
    pub(super) fn messages(&self, commits: &[Commit]) -> Vec<String> {
        let told = commits.iter().map(CommitPayload::from);
        self.packed(
            "told",
            told.filter_map(|one| serde_json::to_string(&one).ok()),
        )
    }

    /// Says who is on which list, as soon as the connection can; what does not fit is dropped.
    pub(super) fn say(&self, words: Vec<PresenceMessage>) {
        let words = words.into_iter().filter_map(|word| brief(word.into()));
        for message in self.packed("words", words) {
            let _ = self.about_people.try_send(message);
        }
    }

    /// Several in one message, as far as they fit.
    fn packed(&self, name: &str, all: impl Iterator<Item = String>) -> Vec<String> {
        let message = |told: &[String]| {
            format!(
                r#"{{"node":"{}","{name}":[{}]}}"#,
                self.node,
                told.join(",")
            )
        };
        let mut messages: Vec<String> = Vec::new();
        let mut told: Vec<String> = Vec::new();
        let mut length = 0;
        for one in all {
            if length + one.len() > LONGEST - 100 && !told.is_empty() {
                messages.push(message(&told));
                told.clear();
                length = 0;
            }
            length += one.len() + 1;
            told.push(one);
        }
        if !told.is_empty() {
            messages.push(message(&told));
        }
        messages
    }

    /// Tells those who follow on this node.
    pub(super) fn tell(&self, commits: Vec<Commit>) {
        if !commits.is_empty() {
            self.announce(Announcement::Commits(commits));
        }
    }

    /// Some may have been missed.
    pub(super) fn gap(&self) {
        self.announce(Announcement::Gap);
    }

    /// Passes on what another node tells.
    pub(super) fn receive(&self, message: &str) {
        if self.commits.receiver_count() == 0 {
            return;
        }
        match serde_json::from_str::<CommitNotification>(message) {
            Ok(message) if message.node == self.node => {}
            Ok(message) => self.tell(message.told.into_iter().map(Commit::from).collect()),
            // A node of another version, perhaps: whoever follows has a look for himself.
            Err(_) => self.gap(),
        }
    }

    /// Passes on what another node says about people.
    pub(super) fn heard_of_people(&self, message: &str) {
        if self.commits.receiver_count() == 0 {
            return;
        }
        // What a node of another version says about people is no loss.
        if let Ok(PresenceNotification { node, words }) = serde_json::from_str(message)
            && node != self.node
        {
            let words = words.into_iter().map(PresenceMessage::from).collect();
            self.announce(Announcement::Presence(node, words));
        }
    }

    fn announce(&self, announcement: Announcement) {
        if self.commits.receiver_count() > 0 {
            // Nobody is left to be told: just as well.
            let _ = self.commits.send(Arc::new(announcement));
        }
    }
}

/// A word that fits into a message: of people with the longest names only some are named.
fn brief(mut spoken: PresencePayload) -> Option<String> {
    loop {
        let text = serde_json::to_string(&spoken).ok()?;
        if text.len() <= LONGEST - 100 {
            return Some(text);
        }
        let PresencePayload::On(.., people) = &mut spoken else {
            return None;
        };
        people.named.pop()?;
        people.others += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presence::Person;
    use checklist_shared::context::Context;

    fn commit(id: &str) -> Commit {
        Commit::List {
            list: ListKey::of("acme", &Context::new("incident", id, "")),
            revision: 3,
            sequence: 7,
            operation: Some("op \"quoted\"".to_owned()),
        }
    }

    fn announcer(name: &str) -> Announcer {
        Announcer::new(name.to_owned()).0
    }

    fn receive(feed: &mut Feed) -> Vec<Commit> {
        let mut all = Vec::new();
        while let Ok(told) = feed.try_recv() {
            match &*told {
                Announcement::Commits(commits) => all.extend(commits.clone()),
                other => panic!("nothing else was said: {other:?}"),
            }
        }
        all
    }

    #[test]
    fn what_one_node_tells_another_hears_word_for_word() {
        let (one, other) = (announcer("one"), announcer("other"));
        let mut feed = other.subscribe();
        let template = Commit::Template {
            tenant: "acme".to_owned(),
            id: "five".to_owned(),
        };
        let commits = vec![commit("1"), template];
        for message in one.messages(&commits) {
            other.receive(&message);
        }
        assert_eq!(receive(&mut feed), commits);
    }

    #[test]
    fn a_node_does_not_hear_itself() {
        let one = announcer("one");
        let mut feed = one.subscribe();
        for message in one.messages(&[commit("1")]) {
            one.receive(&message);
        }
        assert!(receive(&mut feed).is_empty());
    }

    #[test]
    fn a_large_batch_is_told_in_several_messages_none_of_them_too_long() {
        let (one, other) = (announcer("one"), announcer("other"));
        let mut feed = other.subscribe();
        let commits: Vec<Commit> = (0..256)
            .map(|n| commit(&format!("{n}").repeat(60)))
            .collect();
        let messages = one.messages(&commits);
        assert!(messages.len() > 1);
        for message in messages {
            assert!(message.len() < 8_000, "{}", message.len());
            other.receive(&message);
        }
        assert_eq!(receive(&mut feed), commits);
    }

    #[test]
    fn who_is_on_a_list_is_said_to_the_others_however_long_the_names_are() {
        let (one, mut said) = Announcer::new("one".to_owned());
        let other = announcer("other");
        let mut feed = other.subscribe();
        let mut people = People::default();
        for n in 0..20 {
            people.add(&Person {
                identity: n.to_string(),
                id: n.to_string(),
                name: "Ünïcödé".repeat(60),
            });
        }
        let list = ListKey::of("acme", &Context::new("incident", "1", ""));
        one.say(vec![
            PresenceMessage::Alive,
            PresenceMessage::On(list.clone(), people),
            PresenceMessage::Asks,
        ]);
        let mut words = Vec::new();
        while let Ok(message) = said.try_recv() {
            assert!(message.len() < 8_000, "{}", message.len());
            one.heard_of_people(&message);
            other.heard_of_people(&message);
        }
        while let Ok(heard) = feed.try_recv() {
            match &*heard {
                Announcement::Presence(node, some) if node == "one" => words.extend(some.clone()),
                other => panic!("nothing else was said: {other:?}"),
            }
        }
        let [
            PresenceMessage::Alive,
            PresenceMessage::On(there, people),
            PresenceMessage::Asks,
        ] = words.as_slice()
        else {
            panic!("{words:?}");
        };
        assert_eq!(*there, list);
        assert!(!people.named.is_empty());
        assert_eq!(people.named.len() + people.others as usize, 20);
    }
}
