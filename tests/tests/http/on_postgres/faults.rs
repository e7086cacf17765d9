//! What happens when the database goes away under load, or a node stands still in the middle of
//! its work: refusals that say so, and afterwards everything that was acknowledged, once.
//!
//! The database is killed for real, so it is one of the test's own.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use checklist_tests::client::{json as with_json, try_send};
use checklist_tests::follow::{Said, Stream, asking_for};
use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};

const WRITERS: usize = 4;
/// Acknowledged writes before and after each fault, over all writers.
const WRITES: usize = 40;

fn setup() -> Setup {
    Setup::for_hosts(&[HostKey::of("north")]).argument("--max-items=10000")
}

fn editor(server: &Server, writer: usize) -> Person {
    server.editor_on(&incident(&writer.to_string()).for_purpose("x"))
}

/// What the writers have seen.
#[derive(Default)]
struct Seen {
    acknowledged: AtomicUsize,
    refused: AtomicUsize,
    stop: AtomicBool,
}

impl Seen {
    /// Waits until that many more were acknowledged.
    fn acknowledges(&self, more: usize) {
        let from = self.acknowledged.load(Ordering::Relaxed);
        until("writes to be acknowledged", || {
            (self.acknowledged.load(Ordering::Relaxed) >= from + more).then_some(())
        });
    }
}

/// Adds items one after the other until told to stop. Each is sent to one of these people, under
/// the same operation id to the next one when there is no answer, until somebody takes it; a
/// refusal has to say when to come back.
fn write(people: &[Person], name: &str, seen: &Seen) -> Vec<String> {
    let mut texts = Vec::new();
    let mut whom = 0;
    for n in 0.. {
        if seen.stop.load(Ordering::Relaxed) {
            break;
        }
        let text = format!("{name} {n}");
        let body = json!({
            "Context": people[0].place.context(), "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }]
        });
        until("the write to be acknowledged", || {
            let person = &people[whom % people.len()];
            let request = with_json(person.request(Method::POST, "AddItems"), &body);
            // Whoever stands still answers nobody.
            let Ok(answer) = try_send(request.timeout(Duration::from_secs(2))) else {
                whom += 1;
                return None;
            };
            if answer.status == 200 {
                return Some(());
            }
            answer.refused(503, "Busy");
            assert_ne!(answer.header("retry-after"), "");
            seen.refused.fetch_add(1, Ordering::Relaxed);
            None
        });
        texts.push(text);
        seen.acknowledged.fetch_add(1, Ordering::Relaxed);
    }
    texts
}

/// Stops the writers when it is dropped, also by a test that fails.
struct StopsAtTheEnd<'a>(&'a Seen);

impl Drop for StopsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Lets the writers write while `meanwhile` happens; the texts of each.
fn under_load(
    people: &[Vec<Person>],
    name: &str,
    meanwhile: impl FnOnce(&Seen),
) -> Vec<Vec<String>> {
    let seen = Seen::default();
    std::thread::scope(|scope| {
        let writers: Vec<_> = people
            .iter()
            .map(|people| scope.spawn(|| write(people, name, &seen)))
            .collect();
        let stop = StopsAtTheEnd(&seen);
        seen.acknowledges(WRITES);
        meanwhile(&seen);
        seen.acknowledges(WRITES);
        drop(stop);
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    })
}

#[track_caller]
fn the_chain_holds(server: &Server) {
    let verified = server.run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
}

#[test]
fn a_database_that_is_killed_under_load_loses_and_doubles_nothing() {
    let mut own = OwnPostgres::start(&[], |_| {});
    let server = setup().in_own_postgres(&own, "").start();
    let people: Vec<Vec<Person>> = (0..WRITERS)
        .map(|writer| vec![editor(&server, writer)])
        .collect();
    let mut expected = vec![Vec::new(); WRITERS];
    for round in 0..2 {
        let texts = under_load(&people, &format!("round {round}"), |seen| {
            own.kill();
            let before = seen.refused.load(Ordering::Relaxed);
            until("writes to be refused", || {
                (seen.refused.load(Ordering::Relaxed) > before).then_some(())
            });
            let reading = people[0][0].call("GetItems", json!({}));
            reading.refused(503, "Busy");
            assert_ne!(reading.header("retry-after"), "");
            assert_eq!(server.http().get("/readyz").status, 503);
            assert_eq!(server.http().get("/healthz").status, 200);
            own.start_again();
        });
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            let list = people[writer][0].list();
            assert_eq!(list.texts(), expected[writer], "writer {writer}");
        }
    }
    the_chain_holds(&server);
}

#[test]
fn those_who_follow_a_list_at_any_node_hear_all_of_it_though_the_database_was_away() {
    let mut own = OwnPostgres::start(&[], |_| {});
    let nodes = {
        let one = setup().in_own_postgres(&own, "").start();
        let other = one.another_node();
        [one, other]
    };
    // Written at the first, followed at both.
    let people = [vec![editor(&nodes[0], 0)]];
    people[0][0].add("the first");
    let mut following: Vec<Following> = nodes
        .iter()
        .map(|node| Following::of(editor(node, 0)))
        .collect();
    let texts = under_load(&people, "told", |seen| {
        own.kill();
        until("writes to be refused", || {
            (seen.refused.load(Ordering::Relaxed) > 0).then_some(())
        });
        own.start_again();
    });
    for following in &mut following {
        let mut unheard: BTreeSet<&str> = texts[0].iter().map(String::as_str).collect();
        while !unheard.is_empty() {
            for item in following.changed_items() {
                unheard.remove(item["Text"].as_str().unwrap_or_default());
            }
        }
    }
}

/// Somebody who follows a list as the control does: when the stream ends, it is opened again from
/// the last id on, as soon as that is possible.
struct Following {
    person: Person,
    stream: Stream,
    id: Option<String>,
}

impl Following {
    fn of(person: Person) -> Self {
        let stream = person.follow();
        let id = Some(stream.id());
        Self { person, stream, id }
    }

    /// The items of the next event, none for events about anything else.
    fn changed_items(&mut self) -> Vec<Value> {
        match self.stream.say() {
            Some(Said::Event(name, data)) if name == "items" => {
                data["Items"].as_array().cloned().unwrap_or_default()
            }
            Some(Said::Id(id)) => {
                self.id = Some(id);
                Vec::new()
            }
            Some(_) => Vec::new(),
            None => {
                let places = std::slice::from_ref(&self.person.place);
                let body = asking_for(places, self.id.as_deref());
                until("the stream to be opened again", || {
                    (self.person.try_status(&body) == 200).then_some(())
                });
                self.stream = self.person.open_stream(&body);
                Vec::new()
            }
        }
    }
}

#[test]
fn a_node_that_stands_still_holds_nobody_up_and_doubles_nothing_when_it_goes_on() {
    let one = setup().start();
    let nodes = [one.another_node(), one];
    let people: Vec<Vec<Person>> = (0..WRITERS)
        .map(|writer| nodes.iter().map(|node| editor(node, writer)).collect())
        .collect();
    let mut expected = vec![Vec::new(); WRITERS];
    for round in 0..3 {
        let texts = under_load(&people, &format!("round {round}"), |seen| {
            nodes[0].stand_still();
            // The other one takes the very lists over that the first was writing.
            seen.acknowledges(WRITES);
            nodes[0].go_on();
        });
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            for person in &people[writer] {
                assert_eq!(person.list().texts(), expected[writer], "writer {writer}");
            }
        }
    }
    the_chain_holds(&nodes[1]);
}
