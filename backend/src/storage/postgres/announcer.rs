//! Telling what was committed: to those who follow on this node, and to the other nodes.
//!
//! Each transaction notifies the others of what it commits (`NOTIFY`, so they hear of it only if
//! it is committed, in the order of the commits). This node is told by its own writers and leaves
//! out what it hears of itself. Called by `batch` and `catalogue` for what is sent, by `listener`
//! for what is heard.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::storage::feed::{self, Announcement, Commit, Feed};
use crate::storage::list_key::ListKey;

/// The channel; notifications do not leave their database.
pub(super) const CHANNEL: &str = "checklist_commits";

/// Notifies of each text of an array, when the transaction is committed.
pub(super) const NOTIFY: &str =
    "SELECT pg_notify('checklist_commits', message) FROM unnest($1::text[]) AS message";

/// The database takes 8,000 bytes in one notification; one commit with the longest names in it is
/// far below.
const LONGEST: usize = 7_900;

/// One node's voice and ear.
pub(super) struct Announcer {
    /// The name of this node among the others.
    node: String,
    commits: broadcast::Sender<Arc<Announcement>>,
}

/// A notification.
#[derive(Serialize, Deserialize)]
struct Message {
    node: String,
    told: Vec<Told>,
}

#[derive(Serialize, Deserialize)]
enum Told {
    /// Tenant, type, object, purpose, revision, sequence, operation.
    List(String, String, String, String, u64, u64, Option<String>),
    /// Tenant, id.
    Template(String, String),
}

impl From<&Commit> for Told {
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

impl From<Told> for Commit {
    fn from(told: Told) -> Self {
        match told {
            Told::List(tenant, object_type, object_id, purpose, revision, sequence, operation) => {
                Self::List {
                    list: ListKey {
                        tenant,
                        object_type,
                        object_id,
                        purpose,
                    },
                    revision,
                    sequence,
                    operation,
                }
            }
            Told::Template(tenant, id) => Self::Template { tenant, id },
        }
    }
}

impl Announcer {
    pub(super) fn new(node: String) -> Self {
        Self {
            node,
            commits: broadcast::Sender::new(feed::BEHIND),
        }
    }

    pub(super) fn subscribe(&self) -> Feed {
        self.commits.subscribe()
    }

    /// What the other nodes are to be notified of, in as few texts as they take.
    pub(super) fn messages(&self, commits: &[Commit]) -> Vec<String> {
        let mut messages = Vec::new();
        let mut told: Vec<String> = Vec::new();
        let mut length = 0;
        for commit in commits {
            let Ok(one) = serde_json::to_string(&Told::from(commit)) else {
                continue;
            };
            if length + one.len() > LONGEST - 100 && !told.is_empty() {
                messages.push(self.message(&told));
                told.clear();
                length = 0;
            }
            length += one.len() + 1;
            told.push(one);
        }
        if !told.is_empty() {
            messages.push(self.message(&told));
        }
        messages
    }

    fn message(&self, told: &[String]) -> String {
        format!(r#"{{"node":"{}","told":[{}]}}"#, self.node, told.join(","))
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
    pub(super) fn heard(&self, message: &str) {
        if self.commits.receiver_count() == 0 {
            return;
        }
        match serde_json::from_str::<Message>(message) {
            Ok(message) if message.node == self.node => {}
            Ok(message) => self.tell(message.told.into_iter().map(Commit::from).collect()),
            // A node of another version, perhaps: whoever follows has a look for himself.
            Err(_) => self.gap(),
        }
    }

    fn announce(&self, announcement: Announcement) {
        if self.commits.receiver_count() > 0 {
            // Nobody is left to be told: just as well.
            let _ = self.commits.send(Arc::new(announcement));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::context::Context;

    fn commit(id: &str) -> Commit {
        Commit::List {
            list: ListKey::of("acme", &Context::new("incident", id, "")),
            revision: 3,
            sequence: 7,
            operation: Some("op \"quoted\"".to_owned()),
        }
    }

    fn heard(feed: &mut Feed) -> Vec<Commit> {
        let mut all = Vec::new();
        while let Ok(told) = feed.try_recv() {
            match &*told {
                Announcement::Commits(commits) => all.extend(commits.clone()),
                Announcement::Gap => panic!("nothing was missed"),
            }
        }
        all
    }

    #[test]
    fn what_one_node_tells_another_hears_word_for_word() {
        let (one, other) = (
            Announcer::new("one".to_owned()),
            Announcer::new("other".to_owned()),
        );
        let mut feed = other.subscribe();
        let template = Commit::Template {
            tenant: "acme".to_owned(),
            id: "five".to_owned(),
        };
        let commits = vec![commit("1"), template];
        for message in one.messages(&commits) {
            other.heard(&message);
        }
        assert_eq!(heard(&mut feed), commits);
    }

    #[test]
    fn a_node_does_not_hear_itself() {
        let one = Announcer::new("one".to_owned());
        let mut feed = one.subscribe();
        for message in one.messages(&[commit("1")]) {
            one.heard(&message);
        }
        assert!(heard(&mut feed).is_empty());
    }

    #[test]
    fn a_large_batch_is_told_in_several_messages_none_of_them_too_long() {
        let (one, other) = (
            Announcer::new("one".to_owned()),
            Announcer::new("other".to_owned()),
        );
        let mut feed = other.subscribe();
        let commits: Vec<Commit> = (0..256)
            .map(|n| commit(&format!("{n}").repeat(60)))
            .collect();
        let messages = one.messages(&commits);
        assert!(messages.len() > 1);
        for message in messages {
            assert!(message.len() < 8_000, "{}", message.len());
            other.heard(&message);
        }
        assert_eq!(heard(&mut feed), commits);
    }
}
