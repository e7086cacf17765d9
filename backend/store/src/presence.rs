//! Presence messages between nodes that share a database.
//!
//! Presence is never stored: a node repeats it while it lasts, and what is no longer repeated
//! expires. `live::presence` maintains it. A store with several nodes carries the messages and
//! publishes received ones on its feed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::list_key::ListKey;

/// The most people of one list that are listed by name. The others are counted.
pub const NAMED: usize = 20;

/// A person who has a list open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Source, issuer and id in one text, because two issuers may use the same id.
    pub identity: String,
    /// The id alone, as in items and in the journal.
    pub id: String,
    /// The display name.
    pub name: String,
}

/// The people who have a list open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct People {
    /// Sorted by name, at most [`NAMED`].
    pub named: Vec<Person>,
    /// The number of further people.
    pub others: u32,
}

/// A message from one node to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresenceMessage {
    /// A heartbeat.
    Alive,
    /// Asks the others for their complete state; sent when a node starts to listen.
    Asks,
    /// Everyone who has the list open on the sending node; empty when they have left.
    On(ListKey, People),
}

/// Sends messages to the other nodes. Delivery is not guaranteed.
pub type PresenceSender = Arc<dyn Fn(Vec<PresenceMessage>) + Send + Sync>;

impl People {
    /// Adds a person, unless they are in it already.
    pub fn add(&mut self, person: &Person) {
        if self
            .named
            .iter()
            .any(|there| there.identity == person.identity)
        {
            return;
        }
        if person.name.is_empty() || self.named.len() >= NAMED {
            self.others += 1;
        } else {
            self.named.push(person.clone());
        }
    }

    /// Whether nobody has the list open.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.named.is_empty() && self.others == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str, name: &str) -> Person {
        Person {
            identity: id.to_owned(),
            id: id.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn the_same_person_counts_once_and_a_crowd_is_counted() {
        let mut people = People::default();
        for _ in 0..2 {
            people.add(&person("a", "Ana"));
        }
        assert_eq!((people.named.len(), people.others), (1, 0));
        people.add(&person("x", ""));
        assert_eq!(people.others, 1, "who has no name is counted");
        for n in 0..NAMED {
            people.add(&person(&n.to_string(), "Ben"));
        }
        assert_eq!((people.named.len(), people.others), (NAMED, 2));
    }
}
