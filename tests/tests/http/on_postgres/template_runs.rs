//! Runs of `ApplyTemplate` on several nodes: whichever carries out a chunk may die, or stand still and
//! come back, and each list has its items once.
//! Part of the program `postgres`; nodes are processes of their own.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise, until};
use serde_json::{Value, json};

/// Two nodes, and a run of them that is under way.
fn under_way() -> ([Server; 2], Person, String, usize) {
    let first = Setup::for_hosts(&[HostKey::of("north")]).start();
    publish(&first, &fragment("more", [item("a", "A"), item("b", "B")]));
    let second = first.another_node();
    let admin = first.as_admin().on(&incident("1"));
    let lists = promise::times(1_500, 6_000);
    let contexts: Vec<Value> = (0..lists)
        .map(|number| json!({ "ObjectType": "incident", "ObjectId": number.to_string() }))
        .collect();
    for list in contexts.iter().take(lists / 2) {
        let item = json!({ "Context": list, "Items": [{ "Text": "Own" }] });
        first
            .as_editor("Erin")
            .on(&incident("1"))
            .send("AddItems", &item)
            .ok();
    }
    let wish = json!({ "Template": "more", "Contexts": contexts });
    let run = admin.send("ApplyTemplate", &wish).ok();
    let id = run["Id"].as_str().expect("an id").to_owned();
    until("it has begun", || {
        (read(&admin, &id)["Settled"] != json!(0)).then_some(())
    });
    ([first, second], admin, id, lists)
}

fn read(admin: &Person, id: &str) -> Value {
    admin.get(&format!("ApplyTemplate/Runs/{id}?Limit=1")).ok()
}

/// Waits for the end, and checks that every list has every item once.
fn is_done_once(admin: &Person, id: &str, lists: usize) {
    let begun = Instant::now();
    let run = loop {
        let run = read(admin, id);
        if run["State"] == "Completed" {
            break run;
        }
        assert!(begun.elapsed() < Duration::from_secs(90), "{run:#}");
        std::thread::sleep(Duration::from_millis(100));
    };
    let expected = json!({ "Appended": lists / 2, "Begun": lists - lists / 2, "Unchanged": 0,
        "Skipped": 0, "Items": lists * 2 });
    assert_eq!(run["Counts"], expected);
    let mut added: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in admin.audit_of_lists() {
        let event = &row["Event"];
        if event["What"] == "Added" && event["Text"] != "Own" {
            let key = (
                row["Context"]["ObjectId"].to_string(),
                event["ItemId"].to_string(),
            );
            *added.entry(key).or_default() += 1;
        }
    }
    assert!(
        added.values().all(|times| *times == 1),
        "something was added twice"
    );
}

#[test]
fn a_run_goes_on_at_another_node_when_one_is_killed_and_nothing_is_done_twice() {
    let ([mut first, second], admin, id, lists) = under_way();
    let admin = admin.through(&second);
    first.kill();
    is_done_once(&admin, &id, lists);
}

#[test]
fn a_node_that_stood_still_in_the_middle_of_a_chunk_does_nothing_twice_when_it_comes_back() {
    let ([first, second], admin, id, lists) = under_way();
    let admin = admin.through(&second);
    first.stand_still();
    let before = read(&admin, &id)["Settled"].clone();
    // Its lease ends, if it held one.
    until("the other node goes on", || {
        (read(&admin, &id)["Settled"] != before).then_some(())
    });
    first.go_on();
    is_done_once(&admin, &id, lists);
}
