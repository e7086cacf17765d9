//! Due items of several nodes on one database: each is announced once, whichever nodes look for them,
//! and whichever is killed meanwhile.
//! Part of the program `postgres`; nodes are processes of their own.

use std::collections::BTreeMap;
use std::time::Instant;

use checklist_shared::Timestamp;
use checklist_tests::host::now;
use checklist_tests::promise;
use checklist_tests::receiver::{Received, Receiver};
use checklist_tests::wait::until_or_none;
use checklist_tests::{HostKey, Person, Setup, incident};
use serde_json::{Value, json};

/// The items of a list; a call adds no more.
const ITEMS: usize = 200;

/// How often each item was announced, by deliveries: a delivery may arrive twice, under the same id.
fn announced(received: &[Received]) -> BTreeMap<String, usize> {
    let deliveries: BTreeMap<&str, Value> =
        received.iter().map(|one| (one.id(), one.json())).collect();
    let mut times = BTreeMap::new();
    for message in deliveries.values() {
        for item in message["data"]["Items"].as_array().expect("items") {
            *times
                .entry(item.as_str().expect("an id").to_owned())
                .or_default() += 1;
        }
    }
    times
}

/// When it was announced, in milliseconds since 1970.
fn at(received: &Received) -> i64 {
    let time = received.json()["timestamp"].as_str().map(str::parse);
    let time: Timestamp = time.expect("a time").expect("a time");
    time.as_millis()
}

#[test]
fn three_nodes_announce_each_item_once_also_when_one_is_killed_and_started_again() {
    let receiver = Receiver::open();
    let first = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start();
    let others = [first.another_node(), first.another_node()];
    let mut nodes = [first].into_iter().chain(others).collect::<Vec<_>>();
    let admin = nodes[1].as_admin().on(&incident("1"));
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["item.overdue"] });
    admin.about_webhooks().send("", &wish).ok();
    let lists = promise::times(5, 500);
    // Late enough for all items to be there.
    let due_at = now() + 3 + lists as u64 / 5;
    let due = i64::try_from(due_at * 1_000).expect("a time");
    let due = Timestamp::from_millis(due).to_string();
    let items: Vec<Value> = (0..ITEMS)
        .map(|at| json!({ "Text": format!("Item {at}"), "Due": due }))
        .collect();
    let editors: Vec<Person> = (0..lists)
        .map(|list| nodes[1 + list % 2].editor_on(&incident(&list.to_string()).for_purpose("x")))
        .collect();
    std::thread::scope(|scope| {
        for some in editors.chunks(lists.div_ceil(5)) {
            let items = &items;
            scope.spawn(move || {
                for editor in some {
                    editor.add_items(json!(items));
                }
            });
        }
    });
    assert!(now() < due_at, "the items were there in time");
    while until_or_none(|| (now() >= due_at).then_some(())).is_none() {}
    let started = Instant::now();
    receiver.waits_for(1);
    nodes[0].kill();
    nodes[0].start_again();
    let all = lists * ITEMS;
    let mut before = 0;
    let times = loop {
        let more = until_or_none(|| {
            let times = announced(&receiver.received());
            (times.len() == all || times.len() > before).then_some(times)
        });
        let times = more.unwrap_or_else(|| panic!("{before} of {all} items were announced"));
        before = times.len();
        if before == all {
            break times;
        }
    };
    let received = started.elapsed().as_secs_f64();
    let newest = receiver.received().iter().map(at).max();
    let took = newest.unwrap_or(0) - i64::try_from(due_at * 1_000).expect("a time");
    // One more, after everything: nothing of the others is still on its way.
    let last = incident("last").for_purpose("x");
    let last = nodes[0].editor_on(&last);
    last.add_items(json!([{ "Text": "Last", "Due": "2020-02-29" }]));
    let again = until_or_none(|| {
        let times = announced(&receiver.received());
        times.contains_key(&last.id("Last")).then_some(times)
    });
    let again = again.expect("the last one is announced");
    let twice = again.values().filter(|times| **times != 1).count();
    assert_eq!((again.len(), twice), (all + 1, 0));
    assert!(times.values().all(|times| *times == 1));
    promise::held(
        "D8",
        format!(
            "{all} items due at once on three nodes, one killed: each announced once, the last after {:.1} s and received after {received:.1} s",
            took as f64 / 1_000.0
        ),
    );
}
