//! Promise D7: three nodes on one database, killed and stopped, tell one history.
//!
//! People work through whichever node answers, as behind a balancer. Of everything that they were
//! answered, in order of time, nothing may contradict what one server would have said: each change
//! has a revision of its own, a read that began after an answer has at least its revision, and in
//! the end every node and everybody who follows shows the same list.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use checklist_tests::history::{Observation, assert_one_history, through_any_node};
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise, until};
use serde_json::json;

const PEOPLE: usize = 4;
const LISTS: usize = 2;

/// Works on the lists until told to stop: adds, and reads.
fn work(
    nodes: &[Vec<Person>],
    name: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Vec<Observation> {
    let mut observed = Vec::new();
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let list = (name + n) % LISTS;
        let people = &nodes[list];
        let added = (n % 2 == 0).then(|| format!("{name} says {n}"));
        let asked = Instant::now();
        let answer = match &added {
            Some(text) => {
                let body = json!({
                    "Context": people[0].place.context(), "OperationId": text,
                    "Items": [{ "Text": text, "Kind": "Info" }]
                });
                through_any_node(people, name + n, "AddItems", &body, |_| ())
            }
            None => {
                let body = json!({ "Context": people[0].place.context() });
                through_any_node(people, name + n, "GetItems", &body, |_| ())
            }
        };
        observed.push(Observation {
            list,
            asked,
            answered: Instant::now(),
            revision: answer["Revision"].as_u64().expect("a revision"),
            changed_by: added,
        });
        done.fetch_add(1, Ordering::Relaxed);
    }
    observed
}

#[test]
fn three_nodes_that_are_killed_and_stopped_tell_one_history() {
    let mut nodes: Vec<Server> = Vec::new();
    let first = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start();
    nodes.push(first);
    for _ in 0..2 {
        nodes.push(nodes[0].another_node());
    }
    let rounds = promise::times(2, 20);
    let everything = Mutex::new(Vec::new());
    for round in 0..rounds {
        let people: Vec<Vec<Person>> = (0..LISTS)
            .map(|list| {
                let place = incident(&list.to_string()).for_purpose(&format!("round-{round}"));
                nodes.iter().map(|node| node.editor_on(&place)).collect()
            })
            .collect();
        let streams: Vec<_> = people.iter().map(|nodes| nodes[2].follow()).collect();
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let observed: Vec<Observation> = std::thread::scope(|scope| {
            let working: Vec<_> = (0..PEOPLE)
                .map(|name| {
                    let (people, stop, done) = (&people, &stop, &done);
                    scope.spawn(move || work(people, name, stop, done))
                })
                .collect();
            let more = |count: u64| {
                let so_far = done.load(Ordering::Relaxed);
                until("work to go on", || {
                    (done.load(Ordering::Relaxed) >= so_far + count).then_some(())
                });
            };
            more(40);
            nodes[0].kill();
            more(40);
            nodes[1].stand_still();
            more(20);
            nodes[0].start_again();
            more(40);
            nodes[1].go_on();
            more(40);
            stop.store(true, Ordering::Relaxed);
            working
                .into_iter()
                .flat_map(|one| one.join().unwrap())
                .collect()
        });
        assert_one_history(&observed);
        for (list, people) in people.iter().enumerate() {
            let shown = people[2].list();
            let mut said: Vec<&String> = observed
                .iter()
                .filter(|one| one.list == list)
                .filter_map(|one| one.changed_by.as_ref())
                .collect();
            let mut there = shown.texts();
            said.sort();
            there.sort();
            assert_eq!(
                there.iter().collect::<Vec<_>>(),
                said,
                "list {list} in round {round}"
            );
            let newest = observed
                .iter()
                .filter(|one| one.list == list)
                .map(|one| one.revision)
                .max();
            for person in people {
                assert_eq!(person.list(), shown, "every node shows the same");
            }
            // Whoever follows hears of the last change, too.
            streams[list].until("list", |data| data["Revision"].as_u64() >= newest);
        }
        everything.lock().unwrap().push(observed.len());
    }
    let verified = nodes[2].run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
    let answers: usize = everything.into_inner().unwrap().iter().sum();
    promise::held(
        "D7",
        format!(
            "{answers} answers over {rounds} rounds, each with a kill and a node that stood still: 0 anomalies"
        ),
    );
}
