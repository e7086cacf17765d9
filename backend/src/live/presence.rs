//! Who is on which list: on this node as streams come and go, on others as they say.
//!
//! Somebody who has gone stays for a moment, because a page that is loaded again or a stream that
//! is renewed is no leaving. What has changed is collected and told in rounds, so a crowd that
//! comes and goes is one piece of news a second. Held by the hub; nothing in here waits or sends.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use crate::storage::list_key::ListKey;
use crate::storage::presence::{People, Person, PresenceMessage};

/// The time between two rounds.
pub const ROUND: Duration = Duration::from_secs(1);

/// How long somebody is still there after the last stream has ended.
const GRACE: Duration = Duration::from_secs(2);

/// How often a node says that it is alive, and for how long it is believed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(4);
const BELIEVED: Duration = Duration::from_secs(13);

/// Who is on which list.
#[derive(Default)]
pub struct Presence {
    lists: HashMap<ListKey, ListPresence>,
    /// Lists that have to be looked at in the next round.
    due: HashSet<ListKey>,
    /// When other nodes have last said something.
    nodes: HashMap<String, Instant>,
    /// What has to be said to the others beside what has changed.
    words: Vec<PresenceMessage>,
    signed: Option<Instant>,
}

/// Those on one list.
#[derive(Default)]
struct ListPresence {
    /// By way of this node, as they have come.
    here: Vec<LocalPerson>,
    /// By way of others, by node.
    elsewhere: Vec<(String, People)>,
    /// What those who follow were told last, and what other nodes were.
    told: People,
    said: People,
}

struct LocalPerson {
    person: Person,
    streams: usize,
    left: Option<Instant>,
}

/// What a round brings.
#[derive(Default)]
pub struct PresenceUpdate {
    /// Lists on which somebody has come or gone.
    pub lists: Vec<ListKey>,
    /// What the other nodes are to be told.
    pub words: Vec<PresenceMessage>,
}

impl Presence {
    /// Somebody follows a list by one stream more.
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

    /// Somebody follows it by one stream less.
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

    /// Who is on a list beside this reader.
    #[must_use]
    pub fn others_on(&self, list: &ListKey, reader: &str) -> People {
        match self.lists.get(list) {
            Some(crowd) => crowd.all(Some(reader)),
            None => People::default(),
        }
    }

    /// Whether nobody is on any list by way of this node.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.lists.values().all(|crowd| crowd.here.is_empty())
    }

    /// This node has begun to listen, or may have missed something.
    pub fn begin(&mut self) {
        self.words.push(PresenceMessage::Asks);
        self.say_everything();
    }

    /// What another node says.
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

    /// What has come of everything since the last round.
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
            let (said, told) = (crowd.own(), crowd.all(None));
            if said != crowd.said {
                crowd.said = said.clone();
                news.words.push(PresenceMessage::On(list.clone(), said));
            }
            if told != crowd.told {
                crowd.told = told;
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

    /// Those of nodes that say nothing any more are gone.
    fn forget_nodes(&mut self, now: Instant) {
        let silent =
            |(node, heard): (&String, &Instant)| (now - *heard >= BELIEVED).then(|| node.clone());
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
            crowd.said = crowd.own();
            if !crowd.said.is_empty() {
                self.words
                    .push(PresenceMessage::On(list.clone(), crowd.said.clone()));
            }
        }
    }
}

impl ListPresence {
    fn own(&self) -> People {
        let mut people = People::default();
        for here in &self.here {
            people.add(&here.person);
        }
        people
    }

    /// Everybody, but for one.
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
