//! The answers that callers observed, and whether one history of each list explains them.
//!
//! A change that had no answer is sent again with the same operation id until it has one, through
//! whichever node answers: so in the end everybody knows what became of each change.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::Value;

use crate::client::{json as with_json, try_send};
use crate::person::Person;
use crate::wait::until;

/// Answers after which the same is asked again: the server could not do it at that moment.
const RETRYABLE: [u16; 3] = [503, 504, 507];

/// One answer: when it was asked for, when it came, and the revision in it.
#[derive(Debug)]
pub struct Observation {
    /// The list, by its number in the test.
    pub list: usize,
    /// When it was asked for the first time.
    pub asked: Instant,
    /// When the answer was there.
    pub answered: Instant,
    /// The revision of the list in the answer.
    pub revision: u64,
    /// The operation id, where it was a change.
    pub changed_by: Option<String>,
}

/// Sends a request to one node after the other until somebody answers it well; `refused` hears of
/// each answer before that: its status, and none when there was no answer.
///
/// # Panics
/// When there is no good answer for too long, or one that asking again cannot mend.
#[track_caller]
pub fn through_any_node(
    nodes: &[Person],
    first: usize,
    call: &str,
    body: &Value,
    refused: impl Fn(Option<u16>),
) -> Value {
    let mut turn = first;
    until("an answer from any node", || {
        let person = &nodes[turn % nodes.len()];
        turn += 1;
        let request =
            with_json(person.request(Method::POST, call), body).timeout(Duration::from_secs(2));
        let Ok(answer) = try_send(request) else {
            refused(None);
            return None;
        };
        if RETRYABLE.contains(&answer.status) {
            refused(Some(answer.status));
            return None;
        }
        assert_eq!(answer.status, 200, "{call} {body}: {}", answer.text());
        Some(answer.json())
    })
}

/// Asserts that one history explains all answers: each change has a revision of its own, and whoever
/// asked after an answer got at least the revision of that answer.
///
/// # Panics
/// When something does.
#[track_caller]
pub fn assert_one_history(observed: &[Observation]) {
    let mut writes = BTreeMap::new();
    for one in observed.iter().filter(|one| one.changed_by.is_some()) {
        let twin = writes.insert((one.list, one.revision), one);
        assert!(
            twin.is_none(),
            "two changes have one revision: {one:?} and {twin:?}"
        );
    }
    // Of each list, when answers came, and the newest revision in any until then.
    let mut newest: BTreeMap<usize, Vec<(Instant, u64)>> = BTreeMap::new();
    let mut by_time: Vec<&Observation> = observed.iter().collect();
    by_time.sort_by_key(|one| one.answered);
    for one in by_time {
        let of_list = newest.entry(one.list).or_default();
        let before = of_list.last().map_or(0, |(_, revision)| *revision);
        of_list.push((one.answered, before.max(one.revision)));
    }
    for later in observed {
        let of_list = &newest[&later.list];
        let count = of_list.partition_point(|(answered, _)| *answered <= later.asked);
        let before = of_list[..count].last().map(|(_, revision)| *revision);
        let at_least = before.unwrap_or(0) + u64::from(later.changed_by.is_some());
        assert!(
            later.revision >= at_least,
            "{later:?} came after revision {before:?}"
        );
    }
}
