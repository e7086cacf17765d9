//! Webhooks of several nodes on one database: each delivery is sent by one of them, and what a node
//! had in its hands when it was killed is sent by another.
//! Part of the program `postgres`; nodes are processes of their own.

use std::collections::BTreeMap;

use checklist_tests::receiver::{Receiver, Reply};
use checklist_tests::wait::until_or_none;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use serde_json::{Value, json};

fn two_nodes(receiver: &Receiver) -> [Server; 2] {
    let one = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start();
    let other = one.another_node();
    [one, other]
}

fn hook(admin: &Person, receiver: &Receiver) -> String {
    let events = ["checklist.completed", "checklist.reopened"];
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": events });
    let made = admin.about_webhooks().send("", &wish).ok();
    made["Secret"].as_str().expect("a secret").to_owned()
}

/// An editor of a list of its own at that node.
fn editor(node: &Server, object: &str) -> Person {
    node.editor_on(&incident(object).for_purpose("x"))
}

/// Completes and reopens the list, so often.
fn changes(person: &Person, times: usize) {
    let id = person.add("One");
    for _ in 0..times {
        for status in ["Done", "Open"] {
            person.update(json!([{ "Id": id, "Status": status }]));
        }
    }
}

#[test]
fn two_nodes_send_each_delivery_once_whoever_was_asked() {
    let receiver = Receiver::open();
    let nodes = two_nodes(&receiver);
    let admin = nodes[0].as_admin().on(&incident("1"));
    let secret = hook(&admin, &receiver);
    std::thread::scope(|scope| {
        for (at, node) in nodes.iter().enumerate() {
            let person = editor(node, &format!("N-{at}"));
            scope.spawn(move || changes(&person, 25));
        }
    });
    let all_settled = || {
        let waiting = admin.about_deliveries().get("?State=Pending&Limit=1").ok();
        waiting["Deliveries"]
            .as_array()
            .unwrap()
            .is_empty()
            .then_some(())
    };
    receiver.waits_for(100);
    until("nothing waits any more", all_settled);
    let received = receiver.received();
    assert!(received.iter().all(|one| one.is_signed_with(&secret)));
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &received {
        *times.entry(one.id()).or_default() += 1;
    }
    assert_eq!(times.len(), 100);
    assert!(times.values().all(|times| *times == 1), "{times:?}");
}

#[test]
fn what_a_killed_node_was_sending_is_sent_by_the_other_one() {
    let receiver = Receiver::open();
    receiver.then(Reply::Silence);
    let [mut one, other] = two_nodes(&receiver);
    let admin = other.as_admin().on(&incident("1"));
    let secret = hook(&admin, &receiver);
    // The other node stands still, so that this one has them all in its hands.
    other.stand_still();
    changes(&editor(&one, "N-1"), 2);
    receiver.waits_for(4);
    one.kill();
    let before = receiver.received();
    receiver.then(Reply::Status(204));
    other.go_on();
    // Longer than anybody waits elsewhere: the leases have to end first.
    let all_delivered = || {
        let page = admin.about_deliveries().get("?State=Delivered").ok();
        (page["Deliveries"].as_array().unwrap().len() == 4).then_some(page)
    };
    let page = until_or_none(all_delivered).or_else(|| until_or_none(all_delivered));
    let page = page.expect("the other node has sent them");
    let mut delivered: Vec<&str> = page["Deliveries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one: &Value| one["Id"].as_str().unwrap())
        .collect();
    delivered.sort_unstable();
    let mut begun: Vec<&str> = before.iter().map(|one| one.id()).collect();
    begun.sort_unstable();
    assert_eq!(delivered, begun, "under the very same ids");
    assert!(
        receiver
            .received()
            .iter()
            .all(|one| one.is_signed_with(&secret))
    );
}
