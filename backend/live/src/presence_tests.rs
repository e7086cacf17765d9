//! Presence with times that the tests pass in.
//!
//! `tests/tests/http/presence.rs` has tests with a server and several nodes.

use checklist_shared::context::Context;

use super::*;

fn list() -> ListKey {
    ListKey::of("acme", &Context::new("incident", "1", ""))
}

fn person(id: &str) -> Person {
    Person {
        identity: id.to_owned(),
        id: id.to_owned(),
        name: id.to_uppercase(),
    }
}

fn people(ids: &[&str]) -> People {
    People {
        named: ids.iter().map(|id| person(id)).collect(),
        others: 0,
    }
}

fn names(presence: &Presence, reader: &str) -> Vec<String> {
    let named = presence.others_on(&list(), reader).named;
    named.into_iter().map(|person| person.id).collect()
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_person_in_two_tabs_counts_once_and_goes_with_the_last() {
    let (mut presence, now) = (Presence::default(), Instant::now());
    presence.enter(&list(), &person("ana"));
    presence.enter(&list(), &person("ana"));
    presence.enter(&list(), &person("ben"));
    assert_eq!(presence.round(now).lists, [list()]);
    assert_eq!(names(&presence, "ben"), ["ana"]);
    presence.leave(&list(), "ana", now);
    assert!(presence.round(now + 9 * SECOND).lists.is_empty());
    presence.leave(&list(), "ana", now + 9 * SECOND);
    assert_eq!(presence.round(now + 12 * SECOND).lists, [list()]);
    assert!(names(&presence, "ben").is_empty());
}

#[tokio::test]
async fn a_page_that_is_loaded_again_is_no_news() {
    let (mut presence, now) = (Presence::default(), Instant::now());
    presence.enter(&list(), &person("ana"));
    presence.round(now);
    presence.leave(&list(), "ana", now);
    assert!(presence.round(now + SECOND).lists.is_empty());
    assert_eq!(names(&presence, "ben"), ["ana"]);
    presence.enter(&list(), &person("ana"));
    assert!(presence.round(now + 5 * SECOND).lists.is_empty());
    assert_eq!(names(&presence, "ben"), ["ana"]);
}

#[tokio::test]
async fn a_hundred_who_come_within_a_second_are_one_piece_of_news() {
    let (mut presence, now) = (Presence::default(), Instant::now());
    for n in 0..100 {
        presence.enter(&list(), &person(&n.to_string()));
    }
    assert_eq!(presence.round(now).lists, [list()]);
    let beside = presence.others_on(&list(), "0");
    assert_eq!(beside.named.len() + beside.others as usize, 99);
    assert!(presence.round(now + SECOND).lists.is_empty());
}

#[tokio::test]
async fn a_node_that_falls_silent_takes_its_people_along() {
    let (mut presence, now) = (Presence::default(), Instant::now());
    presence.receive("two", &[PresenceMessage::On(list(), people(&["ben"]))], now);
    presence.round(now);
    assert_eq!(names(&presence, "ana"), ["ben"]);
    presence.receive("two", &[PresenceMessage::Alive], now + 10 * SECOND);
    assert!(presence.round(now + 20 * SECOND).lists.is_empty());
    assert_eq!(presence.round(now + 24 * SECOND).lists, [list()]);
    assert!(names(&presence, "ana").is_empty());
}

#[tokio::test]
async fn who_is_here_and_there_counts_once_and_whoever_asks_is_told() {
    let (mut presence, now) = (Presence::default(), Instant::now());
    presence.enter(&list(), &person("ana"));
    let words = presence.round(now).words;
    assert!(words.contains(&PresenceMessage::On(list(), people(&["ana"]))));
    presence.receive(
        "two",
        &[PresenceMessage::On(list(), people(&["ana", "ben"]))],
        now,
    );
    assert_eq!(names(&presence, "ben"), ["ana"]);
    let words = presence.round(now + SECOND).words;
    assert!(words.is_empty(), "nothing has changed here: {words:?}");
    presence.receive("three", &[PresenceMessage::Asks], now);
    let words = presence.round(now + 2 * SECOND).words;
    assert_eq!(words, [PresenceMessage::On(list(), people(&["ana"]))]);
    presence.leave(&list(), "ana", now + 2 * SECOND);
    let words = presence.round(now + 5 * SECOND).words;
    assert!(words.contains(&PresenceMessage::On(list(), People::default())));
}
