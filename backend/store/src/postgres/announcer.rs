//! Announces commits, to the subscribers on this node and to the other nodes.
//!
//! Each transaction notifies the other nodes of its commits with `NOTIFY`: they receive it only
//! after the commit, in commit order. On this node the writers announce directly, and notifications
//! from itself are ignored. Presence messages have a channel of their own; the listening connection
//! sends them outside transactions. Another channel announces that a run may be due, within the
//! transaction that writes the run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, broadcast, mpsc};

use crate::feed::{self, Announcement, Commit, Feed};
use crate::job_notifier::JobNotifier;
use crate::list_key::ListKey;
use crate::presence::{People, PresenceMessage};

/// The channel for commits. Notifications stay within their database.
pub(super) const CHANNEL: &str = "checklist_commits";

/// Sends each text of an array as a notification when the transaction commits.
pub(super) const NOTIFY: &str =
    "SELECT pg_notify('checklist_commits', message) FROM unnest($1::text[]) AS message";

/// The channel for presence messages. Apart from the commits, because an older node takes an
/// unknown message there for a gap.
pub(super) const PRESENCE: &str = "checklist_presence";

/// Sends each text of an array as a notification, at once.
pub(super) const SAY: &str =
    "SELECT pg_notify('checklist_presence', message) FROM unnest($1::text[]) AS message";

/// The channel that wakes the workers of other nodes.
pub(super) const JOBS: &str = "checklist_jobs";

/// Wakes the workers of the other nodes when the transaction commits; `$1` is this node.
pub(super) const NOTIFY_JOBS: &str = "SELECT pg_notify('checklist_jobs', $1)";

/// The most presence messages that are queued for the connection. Further ones are dropped, and
/// sent again when another node asks.
const WAITING: usize = 256;

/// The maximum length of a notification in bytes. PostgreSQL permits 8,000; a single commit with
/// the longest names is far below.
const LONGEST: usize = 7_900;

/// Sends and receives the announcements of one node.
pub(super) struct Announcer {
    /// The name of this node, to recognize its own notifications.
    node: String,
    commits: broadcast::Sender<Arc<Announcement>>,
    /// The queue of presence messages for the listening connection.
    about_people: mpsc::Sender<String>,
    /// Notified when deliveries of webhooks were committed here.
    outbox: Arc<Notify>,
    /// Wakes this node's worker.
    job_notifier: Arc<JobNotifier>,
}

/// A notification of commits.
#[derive(Serialize, Deserialize)]
struct CommitNotification {
    node: String,
    commits: Vec<CommitPayload>,
}

/// A notification about presence.
#[derive(Serialize, Deserialize)]
struct PresenceNotification {
    node: String,
    words: Vec<PresencePayload>,
}

#[derive(Serialize, Deserialize)]
enum PresencePayload {
    Alive,
    Asks,
    /// Tenant, type, object, purpose, and the people who have the list open.
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
    fn from(payload: CommitPayload) -> Self {
        match payload {
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
    /// The announcer of the node with that name, and the queue of its presence messages.
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

    /// Notified when there are deliveries to send.
    pub(super) fn outbox(&self) -> Arc<Notify> {
        Arc::clone(&self.outbox)
    }

    /// Notifies the sender that deliveries were committed.
    pub(super) fn has_deliveries(&self) {
        self.outbox.notify_one();
    }

    /// The name of this node, for [`NOTIFY_JOBS`].
    pub(super) fn node(&self) -> &str {
        &self.node
    }

    /// Wakes this node's worker.
    pub(super) const fn job_notifier(&self) -> &Arc<JobNotifier> {
        &self.job_notifier
    }

    /// Wakes this node's worker for a run that another node has written. For its own runs the node
    /// wakes it directly, which does not depend on the listening connection.
    pub(super) fn wake_for_job_of(&self, node: &str) {
        if node != self.node {
            self.job_notifier.notify();
        }
    }

    pub(super) fn subscribe(&self) -> Feed {
        self.commits.subscribe()
    }

    /// The notifications for the other nodes, in as few texts as possible.
    pub(super) fn messages(&self, commits: &[Commit]) -> Vec<String> {
        let payloads = commits.iter().map(CommitPayload::from);
        self.packed(
            "commits",
            payloads.filter_map(|one| serde_json::to_string(&one).ok()),
        )
    }

    /// Queues presence messages. If the queue is full, they are dropped.
    pub(super) fn say(&self, words: Vec<PresenceMessage>) {
        let words = words.into_iter().filter_map(|word| brief(word.into()));
        for message in self.packed("words", words) {
            let _ = self.about_people.try_send(message);
        }
    }

    /// Packs entries into messages of at most `LONGEST` bytes.
    fn packed(&self, name: &str, all: impl Iterator<Item = String>) -> Vec<String> {
        let message = |entries: &[String]| {
            format!(
                r#"{{"node":"{}","{name}":[{}]}}"#,
                self.node,
                entries.join(",")
            )
        };
        let mut messages: Vec<String> = Vec::new();
        let mut entries: Vec<String> = Vec::new();
        let mut length = 0;
        for one in all {
            if length + one.len() > LONGEST - 100 && !entries.is_empty() {
                messages.push(message(&entries));
                entries.clear();
                length = 0;
            }
            length += one.len() + 1;
            entries.push(one);
        }
        if !entries.is_empty() {
            messages.push(message(&entries));
        }
        messages
    }

    /// Announces commits on this node.
    pub(super) fn tell(&self, commits: Vec<Commit>) {
        if !commits.is_empty() {
            self.announce(Announcement::Commits(commits));
        }
    }

    /// Announces that commits may have been missed.
    pub(super) fn gap(&self) {
        self.announce(Announcement::Gap);
    }

    /// Announces a commit notification of another node.
    pub(super) fn receive(&self, message: &str) {
        if self.commits.receiver_count() == 0 {
            return;
        }
        match serde_json::from_str::<CommitNotification>(message) {
            Ok(message) if message.node == self.node => {}
            Ok(message) => self.tell(message.commits.into_iter().map(Commit::from).collect()),
            // Perhaps from a node of another version: subscribers have to read again.
            Err(_) => self.gap(),
        }
    }

    /// Announces a presence notification of another node.
    pub(super) fn heard_of_people(&self, message: &str) {
        if self.commits.receiver_count() == 0 {
            return;
        }
        // An unknown presence message of a node of another version can be ignored.
        if let Ok(PresenceNotification { node, words }) = serde_json::from_str(message)
            && node != self.node
        {
            let words = words.into_iter().map(PresenceMessage::from).collect();
            self.announce(Announcement::Presence(node, words));
        }
    }

    fn announce(&self, announcement: Announcement) {
        if self.commits.receiver_count() > 0 {
            // Without subscribers the announcement is not needed.
            let _ = self.commits.send(Arc::new(announcement));
        }
    }
}

/// Serializes a presence message so that it fits into a notification. If the names are too long,
/// only some people are listed.
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
    use crate::presence::Person;
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
