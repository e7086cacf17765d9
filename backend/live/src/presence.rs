//! Presence: who has which list open, on this node by its streams, on other nodes by their
//! messages.
//!
//! A person whose last stream has ended stays for a moment, because a page that is reloaded or a
//! stream that is renewed does not mean that they have left. Changes are collected and published in
//! rounds, one per second, however many people come and go. Nothing here waits or sends.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use checklist_store::list_key::ListKey;
use checklist_store::presence::{People, Person, PresenceMessage};

/// The time between two rounds.
pub const ROUND: Duration = Duration::from_secs(1);

/// How long a person stays after their last stream has ended.
const GRACE: Duration = Duration::from_secs(2);

/// How often a node sends a heartbeat, and how long it is believed without a further one.
const SIGN_OF_LIFE: Duration = Duration::from_secs(4);
const BELIEVED: Duration = Duration::from_secs(13);

/// Who has which list open.
#[derive(Default)]
pub struct Presence {
    lists: HashMap<ListKey, ListPresence>,
    /// Lists to check in the next round.
    due: HashSet<ListKey>,
    /// When each other node last sent a message.
    nodes: HashMap<String, Instant>,
    /// Messages to the other nodes apart from changes.
    words: Vec<PresenceMessage>,
    signed: Option<Instant>,
}

/// The presence of one list.
#[derive(Default)]
struct ListPresence {
    /// The people on this node, in the order in which they came.
    here: Vec<LocalPerson>,
    /// The people on other nodes, by node.
    elsewhere: Vec<(String, People)>,
    /// What subscribers and other nodes were last sent.
    announced: People,
    said: People,
}

struct LocalPerson {
    person: Person,
    streams: usize,
    left: Option<Instant>,
}

/// The result of a round.
#[derive(Default)]
pub struct PresenceUpdate {
    /// Lists whose presence has changed.
    pub lists: Vec<ListKey>,
    /// Messages to the other nodes.
    pub words: Vec<PresenceMessage>,
}

impl Presence {
    /// A person has subscribed to a list with one more stream.
    pub fn enter(&mut self, list: &ListKey, person: &Person) {
        let crowd = self.lists.entry(list.clone()).or_default();
        let here = crowd
            .here
            .iter_mut()
            .find(|here| here.person.identity == person.identity);
        match here {
            Some(here) => {
                here.streams += 1;
                here.left = None;
            }
            None => crowd.here.push(LocalPerson {
                person: person.clone(),
                streams: 1,
                left: None,
            }),
        }
        self.due.insert(list.clone());
    }

    /// One stream of a person has ended.
    pub fn leave(&mut self, list: &ListKey, identity: &str, now: Instant) {
        let crowd = self.lists.get_mut(list);
        let here = crowd.and_then(|crowd| {
            let mut here = crowd.here.iter_mut();
            here.find(|here| here.person.identity == identity)
        });
        if let Some(here) = here {
            here.streams -= 1;
            if here.streams == 0 {
                here.left = Some(now);
                self.due.insert(list.clone());
            }
        }
    }

    /// Who has a list open, apart from this reader.
    #[must_use]
    pub fn others_on(&self, list: &ListKey, reader: &str) -> People {
        match self.lists.get(list) {
            Some(crowd) => crowd.all(Some(reader)),
            None => People::default(),
        }
    }

    /// Whether nobody on this node has a list open.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.lists.values().all(|crowd| crowd.here.is_empty())
    }

    /// This node has started to listen, or may have missed messages.
    pub fn begin(&mut self) {
        self.words.push(PresenceMessage::Asks);
        self.say_everything();
    }

    /// Applies messages of another node.
    pub fn receive(&mut self, node: &str, words: &[PresenceMessage], now: Instant) {
        self.nodes.insert(node.to_owned(), now);
        for word in words {
            match word {
                PresenceMessage::Alive => {}
                PresenceMessage::Asks => self.say_everything(),
                PresenceMessage::On(list, people) => {
                    let crowd = self.lists.entry(list.clone()).or_default();
                    crowd.elsewhere.retain(|(there, _)| there != node);
                    if !people.is_empty() {
                        crowd.elsewhere.push((node.to_owned(), people.clone()));
                    }
                    self.due.insert(list.clone());
                }
            }
        }
    }

    /// Collects all changes since the last round.
    pub fn round(&mut self, now: Instant) -> PresenceUpdate {
        self.forget_nodes(now);
        let mut news = PresenceUpdate {
            lists: Vec::new(),
            words: std::mem::take(&mut self.words),
        };
        for list in std::mem::take(&mut self.due) {
            let Some(crowd) = self.lists.get_mut(&list) else {
                continue;
            };
            crowd
                .here
                .retain(|here| here.left.is_none_or(|left| now - left < GRACE));
            if crowd.here.iter().any(|here| here.left.is_some()) {
                self.due.insert(list.clone());
            }
            let (said, announced) = (crowd.people_here(), crowd.all(None));
            if said != crowd.said {
                crowd.said = said.clone();
                news.words.push(PresenceMessage::On(list.clone(), said));
            }
            if announced != crowd.announced {
                crowd.announced = announced;
                news.lists.push(list.clone());
            }
            if crowd.here.is_empty() && crowd.elsewhere.is_empty() {
                self.lists.remove(&list);
            }
        }
        if self
            .signed
            .is_none_or(|signed| now - signed >= SIGN_OF_LIFE)
        {
            self.signed = Some(now);
            news.words.push(PresenceMessage::Alive);
        }
        news
    }

    /// Removes the people of nodes without a recent heartbeat.
    fn forget_nodes(&mut self, now: Instant) {
        let silent = |(node, last_seen): (&String, &Instant)| {
            (now - *last_seen >= BELIEVED).then(|| node.clone())
        };
        let silent: Vec<String> = self.nodes.iter().filter_map(silent).collect();
        for node in silent {
            self.nodes.remove(&node);
            for (list, crowd) in &mut self.lists {
                let before = crowd.elsewhere.len();
                crowd.elsewhere.retain(|(there, _)| *there != node);
                if crowd.elsewhere.len() < before {
                    self.due.insert(list.clone());
                }
            }
        }
    }

    fn say_everything(&mut self) {
        for (list, crowd) in &mut self.lists {
            crowd.said = crowd.people_here();
            if !crowd.said.is_empty() {
                self.words
                    .push(PresenceMessage::On(list.clone(), crowd.said.clone()));
            }
        }
    }
}

impl ListPresence {
    fn people_here(&self) -> People {
        let mut people = People::default();
        for here in &self.here {
            people.add(&here.person);
        }
        people
    }

    /// Everybody except one person.
    fn all(&self, except: Option<&str>) -> People {
        let mut people = People::default();
        let here = self.here.iter().map(|here| &here.person);
        let elsewhere = self.elsewhere.iter().flat_map(|(_, people)| &people.named);
        let counts = |person: &&Person| Some(person.identity.as_str()) != except;
        for person in here.chain(elsewhere).filter(counts) {
            people.add(person);
        }
        people.others += self
            .elsewhere
            .iter()
            .map(|(_, people)| people.others)
            .sum::<u32>();
        people
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;
