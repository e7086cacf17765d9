//! Webhooks, as a receiver of the test's own sees them: what is sent and how it is signed, what
//! happens when it is not taken, and that nothing is lost when the server is killed.
//! Signatures are verified by the library of Standard Webhooks, not by ours.

use std::collections::BTreeSet;

use checklist_tests::client::{error_pointers, field_errors};
use checklist_tests::receiver::{Receiver, Reply};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{HostKey, Person, Server, Setup, asset, incident, until};
use serde_json::{Value, json};

fn server_for(receivers: &[&Receiver]) -> Server {
    let setup = Setup::for_hosts(&[HostKey::of("north")]).with_vault();
    let allowed = receivers.iter().fold(setup, |setup, receiver| {
        setup.argument("--allow-origin").argument(&receiver.origin)
    });
    allowed.start()
}

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("INC-1").for_purpose("x"))
}

/// Makes a webhook; its id and its secret.
fn hook(admin: &Person, url: &str, events: &[&str]) -> (String, String) {
    let wish = json!({ "Name": "Desk", "Url": url, "Events": events });
    let made = admin.about_webhooks().send("", &wish).ok();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&made["Webhook"]["Id"]), text(&made["Secret"]))
}

/// The delivery, once it is in that state.
fn in_state(admin: &Person, id: &str, state: &str) -> Value {
    until(&format!("the delivery is {state}"), || {
        let delivery = admin.about_deliveries().get(id).ok();
        (delivery["State"] == state).then_some(delivery)
    })
}

/// The delivery, once it has been tried so often.
fn tried(admin: &Person, id: &str, attempts: u64) -> Value {
    until(&format!("{attempts} attempts"), || {
        let delivery = admin.about_deliveries().get(id).ok();
        (delivery["Attempts"].as_u64() >= Some(attempts)).then_some(delivery)
    })
}

#[test]
fn who_is_assigned_and_what_is_resolved_is_told_once_a_call_with_the_items() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let _ = hook(&admin, &receiver.url(), &["item.assigned", "item.resolved"]);
    let first = admin.add("Call back");
    let second = admin.add("Write it down");
    let update = |id: &str, field: &str, value: Value| json!({ "Id": id, field: value });
    let both = |field: &str, value: &Value| {
        let items = [&first, &second].map(|id| update(id, field, value.clone()));
        admin.update(json!(items)).outcomes().len()
    };
    assert_eq!(both("Assignee", &json!("Ben")), 2);
    // Neither is news: the same name, a note, nobody.
    admin.change("Call back", json!({ "Assignee": "Ben", "Note": "Twice" }));
    admin.change("Call back", json!({ "Assignee": null }));
    assert_eq!(both("Status", &json!("Done")), 2);
    admin.untick("Call back");
    let received = receiver.waits_for(2);
    let mut told: Vec<(Value, BTreeSet<String>)> = received
        .iter()
        .map(|one| one.json())
        .map(|message| {
            let items = message["data"]["Items"].as_array().expect("items");
            let items = items
                .iter()
                .map(|id| id.as_str().expect("an id").to_owned());
            (message["type"].clone(), items.collect())
        })
        .collect();
    told.sort_by_key(|(event, _)| event.to_string());
    let ids = BTreeSet::from([first.clone(), second.clone()]);
    assert_eq!(told[0], (json!("item.assigned"), ids.clone()));
    assert_eq!(told[1], (json!("item.resolved"), ids));
    // They are written with their change, so no other one is on its way.
    let deliveries = admin.about_deliveries().get("").ok();
    assert_eq!(deliveries["Deliveries"].as_array().map(Vec::len), Some(2));
}

#[test]
fn whoever_an_item_is_added_for_is_told_a_role_of_the_template_is_not_and_an_accepted_proposal_resolves()
 {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let of_role = with(item("a", "Call back"), json!({ "AssigneeRole": "Desk" }));
    publish(&server, &fragment("f", [of_role]));
    let admin = server.as_admin().on(&incident("INC-1").from_template("f"));
    let _ = hook(&admin, &receiver.url(), &["item.assigned", "item.resolved"]);
    admin.call("GetItems", json!({})).ok();
    admin.add_items(json!([{ "Text": "Ask", "Assignee": "Ben" }, { "Text": "Wait" }]));
    let (given, proposed) = (admin.id("Ask"), admin.id("Call back"));
    let program = admin.program("Finch", &["checker"]);
    let proposal = json!([{ "Id": proposed, "Status": "Done", "Reason": "Called" }]);
    program
        .call("ProposeItems", json!({ "Items": proposal }))
        .ok();
    let anna = server.as_editor("Anna").on(&admin.place);
    let read = anna.list().item("Call back").clone();
    let accept = json!({ "Proposal": "Accept", "BaseVersion": read["Version"] });
    anna.change("Call back", accept).only("Updated");
    let told: Vec<Value> = receiver
        .waits_for(2)
        .iter()
        .map(|one| one.json())
        .map(|message| json!([message["type"], message["data"]["Items"]]))
        .collect();
    assert!(
        told.contains(&json!(["item.assigned", [given]])),
        "{told:?}"
    );
    assert!(
        told.contains(&json!(["item.resolved", [proposed]])),
        "{told:?}"
    );
    let deliveries = admin.about_deliveries().get("").ok();
    assert_eq!(deliveries["Deliveries"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_list_that_is_completed_and_reopened_is_told_thinly_and_signed() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let events = [
        "checklist.completed",
        "checklist.reopened",
        "checklist.waived",
        "checklist.waiver-revoked",
    ];
    let (id, secret) = hook(&admin, &receiver.url(), &events);
    admin.add("Call back");
    admin.add("Write it down");
    admin.tick("Call back");
    admin.tick("Write it down");
    let received = receiver.waits_for(1);
    let message = received[0].json();
    let context = json!({ "ObjectType": "incident", "ObjectId": "INC-1", "Purpose": "x" });
    assert_eq!(message["type"], "checklist.completed");
    assert_eq!(
        message["data"],
        json!({ "Id": received[0].id(), "Context": context, "Revision": 4, "State": "Complete" }),
        "no more than what is needed to ask for the rest"
    );
    assert!(received[0].is_signed_with(&secret));
    assert_eq!(received[0].header("content-type"), "application/json");
    assert_eq!(received[0].path, "/hooks");

    admin.untick("Call back");
    let reopened = &receiver.waits_for(2)[1];
    assert_eq!(reopened.json()["type"], "checklist.reopened");
    assert_eq!(reopened.json()["data"]["State"], "Open");
    assert!(reopened.is_signed_with(&secret));
    assert_ne!(reopened.id(), received[0].id());

    let owner = server.as_owner("Olga").on(&admin.place);
    owner.waive("The part comes on Monday");
    let waived = receiver.waits_for(3)[2].json();
    assert_eq!(waived["type"], "checklist.waived");
    assert_eq!(waived["data"]["State"], "Waived");
    assert_eq!(waived["data"].get("Reason"), None, "that is asked for");
    owner.revoke_waiver("It does not");
    let revoked = receiver.waits_for(4)[3].json();
    assert_eq!(revoked["type"], "checklist.waiver-revoked");
    assert_eq!(revoked["data"]["State"], "Open");

    let delivered = in_state(&admin, received[0].id(), "Delivered");
    assert_eq!(delivered["Webhook"], json!(id));
    assert_eq!(delivered["Event"], "checklist.completed");
    assert_eq!(delivered["AttemptLog"][0]["Status"], 204);
    assert_eq!(
        delivered["Body"].as_str().unwrap().as_bytes(),
        received[0].body
    );
}

#[test]
fn a_journal_entry_and_a_published_template_are_told_to_those_who_asked() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (_, secret) = hook(
        &admin,
        &receiver.url(),
        &["journal.entry", "template.published"],
    );
    let kind =
        json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": {} });
    admin.put("Types/incident", &kind).ok();
    admin.add("Unheard of");
    let logged = json!({ "Items": [{ "Text": "Logged" }], "LogInJournal": true });
    admin.call("AddItems", logged).ok();
    let entry = &receiver.waits_for(1)[0];
    assert_eq!(entry.json()["type"], "journal.entry");
    let context = json!({ "ObjectType": "incident", "ObjectId": "INC-1", "Purpose": "x" });
    assert_eq!(
        entry.json()["data"],
        json!({ "Id": entry.id(), "Context": context, "Revision": 2, "State": "Open" }),
        "no text of an item, and nobody's name"
    );
    publish(
        &server,
        &fragment("leaving", [item("a", "Give the key back")]),
    );
    let published = receiver.waits_for(2).pop().unwrap();
    assert_eq!(published.json()["type"], "template.published");
    assert_eq!(
        published.json()["data"],
        json!({ "Id": published.id(), "Template": "leaving", "Version": 1 })
    );
    assert!(published.is_signed_with(&secret));
    // Nobody asked for what else happened: completing a list.
    admin.tick("Unheard of");
    admin.tick("Logged");
    publish(&server, &fragment("arriving", [item("a", "Give the key")]));
    let types: Vec<Value> = receiver
        .waits_for(3)
        .iter()
        .map(|one| one.json()["type"].clone())
        .collect();
    assert_eq!(
        types,
        ["journal.entry", "template.published", "template.published"]
    );
}

#[test]
fn each_signed_checkpoint_of_the_trail_is_sent_once_and_is_the_one_that_can_be_read() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (_, secret) = hook(&admin, &receiver.url(), &["audit.checkpoint"]);
    let items: Vec<Value> = (0..200)
        .map(|n| json!({ "Text": format!("Item {n}") }))
        .collect();
    for number in 1..=2 {
        // With a thousand rows the server does not wait for its next half minute.
        for list in 0..5 {
            let place = incident(&format!("{number}-{list}"));
            let list = server.as_admin().on(&place);
            list.call("AddItems", json!({ "Items": items })).ok();
        }
        receiver.waits_for(number);
        until("the newest checkpoint to be sent", || {
            let newest = admin.get("Audit/Checkpoint");
            let sent = receiver.waits_for(number).pop()?;
            assert!(sent.is_signed_with(&secret));
            let told = json!({ "Id": sent.id(), "Checkpoint": newest.text() });
            (sent.json()["data"] == told).then_some(())
        });
    }
    let mut sent: Vec<String> = receiver
        .waits_for(2)
        .iter()
        .map(|one| one.json()["data"]["Checkpoint"].to_string())
        .collect();
    let deliveries = sent.len();
    sent.dedup();
    assert_eq!(sent.len(), deliveries, "{sent:?}");
}

#[test]
fn a_refused_change_and_one_that_changes_nothing_are_not_told() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    hook(&admin, &receiver.url(), &["checklist.completed"]);
    let one = admin.add("One");
    let both = json!({ "Atomic": true, "Items": [{ "Id": one, "Status": "Done" },
        { "Id": "019a9f3e-0000-7000-8000-000000000000", "Status": "Done" }] });
    admin.call("UpdateItems", both).refused(409, "NotApplied");
    let twice = json!({ "OperationId": "once", "Items": [{ "Id": one, "Status": "Done" }] });
    admin.call("UpdateItems", twice.clone()).ok();
    admin.call("UpdateItems", twice).ok();
    admin.tick("One");
    let elsewhere = admin.at(&asset("A-1"));
    elsewhere.add("Other");
    elsewhere.tick("Other");
    let received = receiver.waits_for(2);
    let of: BTreeSet<String> = received
        .iter()
        .map(|one| one.json()["data"]["Context"]["ObjectId"].to_string())
        .collect();
    assert_eq!(
        of,
        BTreeSet::from(["\"A-1\"".to_owned(), "\"INC-1\"".to_owned()])
    );
    let all = admin.about_deliveries().get("").ok();
    assert_eq!(all["Deliveries"].as_array().unwrap().len(), 2, "{all}");
}

#[test]
fn what_is_not_taken_is_sent_again_with_the_same_id_after_the_time_that_was_asked_for() {
    let receiver = Receiver::open().first(&[Reply::Wait(503, "7"), Reply::Elsewhere]);
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (id, secret) = hook(&admin, &receiver.url(), &["checklist.completed"]);
    let made = admin
        .about_webhooks()
        .send(&format!("{id}/Test"), &json!({}))
        .ok();
    let delivery = made["Id"].as_str().unwrap().to_owned();
    let once = tried(&admin, &delivery, 1);
    assert_eq!(once["State"], "Pending");
    assert_eq!(once["LastStatus"], 503);
    assert_eq!(once["LastFailure"], "The receiver answered 503.");
    let hooks = admin.about_webhooks().get("").ok();
    assert!(hooks["Webhooks"][0]["FailingSince"].is_string(), "{hooks}");
    let received = receiver.waits_for(2);
    assert_eq!(received[0].id(), received[1].id());
    let seconds = |at: usize| -> i64 { received[at].header("webhook-timestamp").parse().unwrap() };
    assert!(
        seconds(1) - seconds(0) >= 6,
        "{} {}",
        seconds(0),
        seconds(1)
    );
    assert!(received[1].is_signed_with(&secret));
    let twice = tried(&admin, &delivery, 2);
    assert_eq!(
        twice["LastStatus"], 307,
        "a redirect is no receipt, and nobody follows it"
    );
    assert!(received.iter().all(|one| one.path == "/hooks"));

    let replayed = admin
        .about_deliveries()
        .send(&format!("{delivery}/Replay"), &json!({}))
        .ok();
    assert_eq!(replayed["State"], "Pending");
    let done = in_state(&admin, &delivery, "Delivered");
    assert_eq!(done["Attempts"], 3);
    let statuses: Vec<&Value> = done["AttemptLog"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["Status"])
        .collect();
    assert_eq!(statuses, [503, 307, 204]);
    assert_eq!(receiver.waits_for(3)[2].id(), delivery);
    let hooks = admin.about_webhooks().get("").ok();
    assert!(hooks["Webhooks"][0]["FailingSince"].is_null(), "{hooks}");
}

#[test]
fn what_was_taken_is_sent_again_when_an_administrator_asks() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    hook(&admin, &receiver.url(), &["checklist.completed"]);
    admin.add("One");
    admin.tick("One");
    let first = receiver.waits_for(1).remove(0);
    in_state(&admin, first.id(), "Delivered");
    let replay = format!("{}/Replay", first.id());
    admin.about_deliveries().send(&replay, &json!({})).ok();
    let again = receiver.waits_for(2).remove(1);
    assert_eq!((again.id(), &again.body), (first.id(), &first.body));
    admin
        .about_deliveries()
        .send("019a9f3e-0000-7000-8000-000000000000/Replay", &json!({}))
        .refused(404, "DeliveryNotFound");
}

#[test]
fn a_receiver_that_is_gone_turns_its_webhook_off_and_an_administrator_turns_it_on_again() {
    let receiver = Receiver::open().first(&[Reply::Status(410)]);
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (id, _) = hook(&admin, &receiver.url(), &["checklist.completed"]);
    admin.add("One");
    admin.tick("One");
    let off = until("the webhook is off", || {
        let hook = admin.about_webhooks().get(&id).ok();
        (hook["Enabled"] == false).then_some(hook)
    });
    assert!(off["OffBecause"].as_str().unwrap().contains("410"), "{off}");
    let failed = receiver.received()[0].id().to_owned();
    in_state(&admin, &failed, "Failed");
    let test = format!("{id}/Test");
    admin
        .about_webhooks()
        .send(&test, &json!({}))
        .refused(409, "WebhookChanged");
    // What happens while it is off is not told.
    admin.untick("One");
    admin.tick("One");
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["checklist.completed"], "Enabled": true });
    let on = admin.about_webhooks().put(&id, &wish).ok();
    assert_eq!(
        (&on["Enabled"], &on["OffBecause"]),
        (&json!(true), &Value::Null)
    );
    admin.untick("One");
    admin.tick("One");
    let received = receiver.waits_for(2);
    assert_eq!(received[1].json()["data"]["Revision"], 6);
    let all = admin.about_deliveries().get("?State=Failed").ok();
    assert_eq!(all["Deliveries"][0]["Id"], json!(failed));
    assert_eq!(all["Deliveries"].as_array().unwrap().len(), 1);
}

#[test]
fn a_receiver_that_does_not_answer_holds_nobody_up() {
    let (silent, lively) = (Receiver::open(), Receiver::open());
    silent.then(Reply::Silence);
    let server = server_for(&[&silent, &lively]);
    let admin = admin(&server);
    hook(
        &admin,
        &silent.url(),
        &["checklist.completed", "checklist.reopened"],
    );
    hook(
        &admin,
        &lively.url(),
        &["checklist.completed", "checklist.reopened"],
    );
    admin.add("One");
    for _ in 0..10 {
        admin.tick("One");
        admin.untick("One");
    }
    lively.waits_for(20);
    assert!(
        silent.received().len() <= 4,
        "a few at once to one receiver"
    );
}

#[test]
fn for_a_while_after_a_change_both_secrets_sign() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (id, old) = hook(&admin, &receiver.url(), &["checklist.completed"]);
    let rotate = |body: Value| {
        let path = format!("{id}/RotateSecret");
        admin.about_webhooks().send(&path, &body)
    };
    let rotated = rotate(json!({})).ok();
    let new = rotated["Secret"].as_str().unwrap().to_owned();
    assert!(
        rotated["Webhook"]["OldSecretUntil"].is_string(),
        "{rotated}"
    );
    admin
        .about_webhooks()
        .send(&format!("{id}/Test"), &json!({}))
        .ok();
    let both = receiver.waits_for(1).remove(0);
    assert!(both.is_signed_with(&new) && both.is_signed_with(&old));
    let stolen = rotate(json!({ "KeepOldForHours": 0 })).ok();
    let newest = stolen["Secret"].as_str().unwrap();
    assert!(stolen["Webhook"]["OldSecretUntil"].is_null(), "{stolen}");
    admin
        .about_webhooks()
        .send(&format!("{id}/Test"), &json!({}))
        .ok();
    let one = receiver.waits_for(2).remove(1);
    assert!(one.is_signed_with(newest));
    assert!(!one.is_signed_with(&new) && !one.is_signed_with(&old));
    let problem = rotate(json!({ "KeepOldForHours": 1_000 })).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/KeepOldForHours");
    let shown = [
        admin.about_webhooks().get("").text().to_owned(),
        admin.about_webhooks().get(&id).text().to_owned(),
    ];
    assert!(shown.iter().all(|text| !text.contains("whsec_")));
    assert!(
        !server.keeps(new.trim_start_matches("whsec_")),
        "it is sealed"
    );
}

#[test]
fn addresses_that_may_not_be_asked_are_refused_when_they_are_written() {
    let receiver = Receiver::open();
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .start();
    let admin = admin(&server);
    for url in [
        receiver.url().as_str(),
        "https://127.0.0.1/hooks",
        "https://[::ffff:10.0.0.1]/hooks",
        "https://169.254.169.254/latest",
        "https://name:word@desk.example/hooks",
        "https://desk.example/hooks#here",
        "ftp://desk.example/hooks",
        "desk.example/hooks",
    ] {
        let wish = json!({ "Name": "Desk", "Url": url, "Events": ["checklist.completed"] });
        let problem = admin
            .about_webhooks()
            .send("", &wish)
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/Url", "{url}: {problem}");
        let allowed = url.split("/hooks").next().unwrap_or_default();
        let hint = format!("CHECKLIST_ALLOW_ORIGIN={allowed}");
        let can_be_allowed = url == receiver.url() || url == "https://127.0.0.1/hooks";
        let says = problem.to_string();
        assert!(says.contains(&hint) || !can_be_allowed, "{says}");
        let no_setting = ["@", "#", "ftp:"].iter().any(|part| url.contains(part));
        assert!(!says.contains("ALLOW_ORIGIN") || !no_setting, "{says}");
    }
    let empty = json!({ "Name": " ", "Url": "x", "Events": [] });
    let problem = admin
        .about_webhooks()
        .send("", &empty)
        .refused(422, "InvalidRequest");
    let pointers = error_pointers(&problem);
    assert_eq!(pointers, ["/Events", "/Name", "/Url"]);
    assert!(receiver.received().is_empty());
}

#[test]
fn an_origin_that_is_no_longer_allowed_is_asked_nothing_more() {
    let receiver = Receiver::open();
    let mut server = server_for(&[&receiver]);
    let admin_before = admin(&server);
    let (id, _) = hook(&admin_before, &receiver.url(), &["checklist.completed"]);
    server.stop();
    server.take_away("--allow-origin");
    server.start_again();
    let admin = admin(&server);
    let made = admin
        .about_webhooks()
        .send(&format!("{id}/Test"), &json!({}))
        .ok();
    let failed = tried(&admin, made["Id"].as_str().unwrap(), 1);
    assert_eq!(failed["LastStatus"], Value::Null);
    assert!(
        failed["LastFailure"].as_str().unwrap().contains("TLS"),
        "{failed}"
    );
    assert!(receiver.received().is_empty());
}

#[test]
fn without_a_vault_there_are_no_webhooks_and_a_change_that_was_overtaken_is_refused() {
    let receiver = Receiver::open();
    let bare = Setup::for_hosts(&[HostKey::of("north")]).start();
    let wish =
        json!({ "Name": "Desk", "Url": "https://desk.example/hooks", "Events": ["journal.entry"] });
    admin(&bare)
        .about_webhooks()
        .send("", &wish)
        .refused(409, "VaultMissing");
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (id, _) = hook(&admin, &receiver.url(), &["journal.entry"]);
    let mut change = wish.clone();
    change["Revision"] = json!(1);
    let changed = admin.about_webhooks().put(&id, &change).ok();
    assert_eq!(changed["Revision"], 2);
    admin
        .about_webhooks()
        .put(&id, &change)
        .refused(409, "WebhookChanged");
    admin.about_webhooks().remove(&id).ok();
    admin
        .about_webhooks()
        .get(&id)
        .refused(404, "WebhookNotFound");
    admin
        .about_webhooks()
        .remove(&id)
        .refused(404, "WebhookNotFound");
}

#[test]
fn events_of_a_server_that_is_killed_before_it_could_send_them_arrive_after_its_restart() {
    let receiver = Receiver::open();
    receiver.then(Reply::Silence);
    let mut server = server_for(&[&receiver]);
    let before = admin(&server);
    let (_, secret) = hook(
        &before,
        &receiver.url(),
        &["checklist.completed", "checklist.reopened"],
    );
    before.add("One");
    for _ in 0..5 {
        before.tick("One");
        before.untick("One");
    }
    // Some are on their way, nobody has taken one, the others wait.
    receiver.waits_for(1);
    server.kill();
    let at_the_kill = receiver.received();
    receiver.then(Reply::Status(204));
    server.start_again();
    let told = until("all ten events", || {
        let received = receiver.received();
        let after = &received[at_the_kill.len()..];
        let revisions: BTreeSet<u64> = after
            .iter()
            .filter_map(|one| one.json()["data"]["Revision"].as_u64())
            .collect();
        (revisions.len() == 10).then_some(received)
    });
    assert!(told.iter().all(|one| one.is_signed_with(&secret)));
    // Whoever has seen one before knows it by its id.
    let ids: BTreeSet<&str> = told.iter().map(|one| one.id()).collect();
    assert_eq!(ids.len(), 10);
}

#[test]
fn deliveries_are_found_by_webhook_state_and_event_and_come_in_pages() {
    let (one, other) = (Receiver::open(), Receiver::open());
    let server = server_for(&[&one, &other]);
    let admin = admin(&server);
    let (first, _) = hook(
        &admin,
        &one.url(),
        &["checklist.completed", "checklist.reopened"],
    );
    let (second, _) = hook(&admin, &other.url(), &["checklist.completed"]);
    admin.add("One");
    admin.tick("One");
    admin.untick("One");
    one.waits_for(2);
    other.waits_for(1);
    let find = |query: &str| -> Vec<String> {
        let page = admin.about_deliveries().get(query).ok();
        let all = page["Deliveries"].as_array().unwrap();
        all.iter()
            .map(|one| one["Id"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = find("");
    assert_eq!(all.len(), 3);
    assert_eq!(find(&format!("?Webhook={second}")).len(), 1);
    assert_eq!(find(&format!("?Webhook={first}")).len(), 2);
    assert_eq!(find("?Event=checklist.reopened").len(), 1);
    until("all are delivered", || {
        (find("?State=Delivered").len() == 3).then_some(())
    });
    assert!(find("?State=Failed").is_empty());
    let page = admin.about_deliveries().get("?Limit=2").ok();
    let next = page["Next"].as_str().unwrap();
    assert_eq!(find(&format!("?Limit=2&After={next}")), all[2..]);
    admin
        .about_deliveries()
        .get("?State=Lost")
        .refused(422, "InvalidRequest");
}

/// Runs `webhook …` on a server's data, for its tenant; what came out on stdout and stderr.
#[track_caller]
fn command(server: &Server, arguments: &[&str]) -> String {
    let ended = server.run(&[&["webhook"][..], arguments, &["--tenant", "north"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", ended.said);
    ended.said
}

#[test]
fn a_webhook_made_on_the_command_line_beside_a_running_server_is_told_at_once() {
    let receiver = Receiver::open();
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    // The server has looked for webhooks before there was one.
    admin.add("Call back");
    let (vault, url) = (server.vault_key(), receiver.url());
    let reach = ["--vault-key", &vault, "--allow-origin", &receiver.origin];
    let wish = [
        "add",
        "--name",
        "Desk",
        "--url",
        &url,
        "--event",
        "checklist.completed",
    ];
    let said = command(&server, &[&wish[..], &reach].concat());
    let secret = said
        .lines()
        .find(|line| line.starts_with("whsec_"))
        .expect("the secret on a line of its own");
    admin.tick("Call back");
    let received = &receiver.waits_for(1)[0];
    assert_eq!(received.json()["type"], "checklist.completed");
    assert!(received.is_signed_with(secret));

    let listed = command(&server, &["list"]);
    assert!(listed.contains("\tDesk\t"), "{listed}");
    let id = listed.split('\t').next().unwrap();
    in_state(&admin, received.id(), "Delivered");
    let deliveries = command(&server, &["deliveries", "--state", "Delivered"]);
    assert!(deliveries.contains(received.id()), "{deliveries}");

    command(&server, &["replay", received.id()]);
    assert_eq!(receiver.waits_for(2)[1].id(), received.id());
    command(&server, &["test", id]);
    assert_eq!(receiver.waits_for(3)[2].json()["type"], "webhook.test");
    let anew = command(&server, &[&["rotate", id][..], &reach].concat());
    assert!(
        anew.contains("whsec_") && !anew.contains(secret),
        "another one"
    );

    command(&server, &[&["change", id, "--off"][..], &reach].concat());
    admin.untick("Call back");
    admin.tick("Call back");
    command(&server, &["remove", id]);
    assert!(command(&server, &["list"]).contains("no webhooks yet"));
    assert_eq!(
        receiver.waits_for(3).len(),
        3,
        "nothing was sent while it was off"
    );
}

#[test]
fn a_delivery_to_a_name_in_a_private_network_names_the_setting_that_allows_it() {
    let server = server_for(&[]);
    let admin = admin(&server);
    hook(
        &admin,
        "https://localhost:9/hooks",
        &["checklist.completed"],
    );
    admin.add("Call back");
    admin.tick("Call back");
    let failure = until("the delivery fails", || {
        let page = admin.about_deliveries().get("").ok();
        let failure = page["Deliveries"][0]["LastFailure"]
            .as_str()
            .map(str::to_owned);
        failure.filter(|failure| !failure.is_empty())
    });
    let setting = "CHECKLIST_ALLOW_ORIGIN=https://localhost:9";
    assert!(failure.contains(setting), "{failure}");
}

#[test]
fn a_wrong_wish_on_the_command_line_is_refused_with_what_is_wrong() {
    let server = server_for(&[]);
    let refused = |arguments: &[&str]| {
        let ended = server.run(&[&["webhook"][..], arguments, &["--tenant", "north"]].concat());
        assert_ne!(ended.status.code(), Some(0), "{}", ended.said);
        ended.said
    };
    let vault = server.vault_key();
    let add = ["add", "--vault-key", &vault, "--name", "Desk", "--url"];
    let inside = refused(&[&add[..], &["http://127.0.0.1:9/"]].concat());
    assert!(inside.contains("Url: "), "{inside}");
    let setting = "--allow-origin http://127.0.0.1:9 or CHECKLIST_ALLOW_ORIGIN=http://127.0.0.1:9";
    assert!(inside.contains(setting), "{inside}");
    let unheard = refused(&[&add[..], &["https://desk.example/", "--event", "rain"]].concat());
    assert!(unheard.contains("checklist.completed"), "{unheard}");
    assert!(refused(&["replay", "1"]).contains("no such delivery"));
    let without = refused(&["add", "--name", "Desk", "--url", "https://desk.example/"]);
    assert!(without.contains("vault"), "{without}");
}

#[test]
fn a_delivery_shows_what_was_sent_and_answered_without_what_authenticates() {
    let receiver = Receiver::open().first(&[Reply::Page(503, "down ", 600)]);
    let server = server_for(&[&receiver]);
    let admin = admin(&server);
    let (_, secret) = hook(&admin, &receiver.url(), &["checklist.completed"]);
    admin.add("Call back");
    admin.tick("Call back");
    let id = receiver.waits_for(1)[0].id().to_owned();
    let delivery = tried(&admin, &id, 1);
    let attempt = &delivery["AttemptLog"][0];
    let value = |part: &str, name: &str| {
        let headers = attempt[part]["Headers"].as_array().expect("headers");
        let found = headers.iter().find(|header| header["Name"] == name);
        found.map(|header| header["Value"].as_str().expect("a text").to_owned())
    };
    assert_eq!(attempt["Request"]["Url"], json!(receiver.url()));
    assert_eq!(value("Request", "webhook-id"), Some(id));
    let redacted = Some("[redacted]".to_owned());
    assert_eq!(value("Request", "webhook-signature"), redacted);
    assert_eq!(attempt["Status"], 503);
    assert_eq!(
        value("Response", "content-type").as_deref(),
        Some("text/plain; charset=utf-8")
    );
    assert_eq!(value("Response", "set-cookie"), redacted);
    let body = attempt["Response"]["Body"].as_str().expect("a body");
    assert!(
        body.starts_with("down down ") && body.len() == 2_048,
        "{body}"
    );
    assert_eq!(attempt["Response"]["IsCut"], true);
    let signature = receiver.received()[0]
        .header("webhook-signature")
        .to_owned();
    let text = delivery.to_string();
    for hidden in ["HOOK-SECRET", &signature, &secret] {
        assert!(!text.contains(hidden), "{hidden} in {text}");
    }
}
