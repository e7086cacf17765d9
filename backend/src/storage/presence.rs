//! Who is on a list, as nodes that share a database tell each other.
//!
//! Nothing of it is stored: it is said while it is so, and what is no longer said is no longer
//! so. Kept by `live::presence`; carried by stores that several nodes share, which hand what they
//! hear to their feed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::list_key::ListKey;

/// People of one list that are named; those beyond are counted.
pub const NAMED: usize = 20;

/// Somebody who is on a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Source, issuer and id as one text: two issuers may give out the same id.
    pub identity: String,
    /// The id alone, that of items and journal.
    pub id: String,
    /// The name for people.
    pub name: String,
}

/// Those who are on a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct People {
    /// By name, at most [`NAMED`].
    pub named: Vec<Person>,
    /// How many more there are.
    pub others: u32,
}

/// What one node says to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresenceMessage {
    /// That it is still there.
    Alive,
    /// That it wants to hear everything, because it has just begun to listen.
    Asks,
    /// Who is on a list by way of it: all of them, and nobody when they have gone.
    On(ListKey, People),
}

/// Says something to the other nodes, who may hear it or not.
pub type PresenceSender = Arc<dyn Fn(Vec<PresenceMessage>) + Send + Sync>;

impl People {
    /// Adds somebody who is not there yet.
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

    /// Whether nobody is there.
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
