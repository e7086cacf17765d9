//! Items that are announced as due and as overdue: what a receiver is told, once each, and also when
//! the server is killed in between.
//!
//! When which item is announced is in the conformance suite of the stores, with a clock of its own.

use checklist_shared::Timestamp;
use checklist_tests::client::error_pointers;
use checklist_tests::host::now;
use checklist_tests::receiver::Receiver;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use serde_json::{Value, json};

fn server_for(receiver: &Receiver) -> Server {
    Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start()
}

fn hook(admin: &Person, receiver: &Receiver, events: &[&str]) {
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": events });
    admin.about_webhooks().send("", &wish).ok();
}

/// A moment from now.
fn due_in(seconds: u64) -> String {
    let millis = i64::try_from((now() + seconds) * 1_000).expect("a time");
    Timestamp::from_millis(millis).to_string()
}

fn events(admin: &Person) -> Vec<String> {
    let page = admin.about_deliveries().get("").ok();
    let deliveries = page["Deliveries"].as_array().expect("deliveries");
    let mut events: Vec<String> = deliveries
        .iter()
        .map(|one| one["Event"].as_str().expect("an event").to_owned())
        .collect();
    events.sort_unstable();
    events
}

/// The example of `docs/WEBHOOKS.md` for an event.
fn example(event: &str) -> Value {
    include_str!("../../../docs/WEBHOOKS.md")
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| serde_json::from_str(rest.split("```").next()?).ok())
        .find(|one: &Value| one["type"] == event)
        .expect("an example")
}

fn names(value: &Value) -> Vec<&String> {
    value.as_object().expect("an object").keys().collect()
}

#[test]
fn an_item_is_announced_as_due_and_then_as_overdue_once_each_also_over_a_kill() {
    let receiver = Receiver::open();
    let mut server = server_for(&receiver);
    let template = with(
        fragment("f", [item("a", "Ask")]),
        json!({ "DueNotice": "PT1H" }),
    );
    publish(&server, &template);
    let admin = server.as_admin().on(&incident("1").from_template("f"));
    hook(&admin, &receiver, &["item.due", "item.overdue"]);
    let text = "Call back";
    admin.add_items(
        json!([{ "Text": text, "Due": due_in(12) }, { "Text": "Later", "Due": due_in(7_200) }]),
    );
    let id = admin.id(text);
    let first = receiver.waits_for(1)[0].json();
    assert_eq!(first["type"], "item.due");
    assert_eq!(first["data"]["Items"], json!([id]));
    server.kill();
    server.start_again();
    let told = until("the item is overdue", || {
        let received = receiver.received();
        let overdue = received.iter().map(|one| one.json());
        overdue
            .into_iter()
            .find(|one| one["type"] == "item.overdue")
    });
    assert_eq!(told["data"]["Items"], json!([id]));
    let context = json!({ "ObjectType": "incident", "ObjectId": "1", "Purpose": "" });
    assert_eq!(told["data"]["Context"], context);
    let documented = example("item.overdue");
    assert_eq!(names(&told), names(&documented));
    assert_eq!(names(&told["data"]), names(&documented["data"]));
    // Neither another tick of the clock nor another start is news.
    server.restart();
    admin.add_items(json!([{ "Text": "Long ago", "Due": "2020-02-29" }]));
    until("the next one", || (events(&admin).len() == 3).then_some(()));
    assert_eq!(events(&admin), ["item.due", "item.overdue", "item.overdue"]);
}

#[test]
fn who_asked_for_overdue_items_alone_is_told_of_them_alone_and_of_no_resolved_ones() {
    let receiver = Receiver::open();
    let server = server_for(&receiver);
    let template = with(
        fragment("f", [item("a", "Ask")]),
        json!({ "DueNotice": "P1D" }),
    );
    publish(&server, &template);
    let admin = server.as_admin().on(&incident("1").from_template("f"));
    hook(&admin, &receiver, &["item.overdue"]);
    admin.add_items(json!([
        { "Text": "Soon", "Due": due_in(3_600) },
        { "Text": "Resolved", "Due": due_in(4) },
        { "Text": "Moved", "Due": due_in(4) },
    ]));
    admin.tick("Resolved");
    admin.change("Moved", json!({ "Due": due_in(7_200) }));
    admin.add_items(json!([{ "Text": "Open", "Due": due_in(5) }]));
    let told = receiver.waits_for(1)[0].json();
    assert_eq!(told["data"]["Items"], json!([admin.id("Open")]));
    assert_eq!(events(&admin), ["item.overdue"]);
}

#[test]
fn a_template_says_how_long_before_and_keeps_it_through_export_and_import() {
    let server = Server::demo();
    let author = server.as_admin().on(&incident("1"));
    let template = |notice: Value| {
        with(
            fragment("f", [item("a", "Ask")]),
            json!({ "DueNotice": notice }),
        )
    };
    publish(&server, &template(json!("P1DT12H")));
    let exported = author.get("Templates/Export").ok();
    let templates = exported["Templates"].as_array().expect("templates");
    let notice = |template: &&Value| template["DueNotice"] == "P1DT12H";
    assert_eq!(templates.iter().filter(notice).count(), 1);
    let refused = author
        .put("Templates/f", &template(json!("P1M")))
        .refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&refused), ["/DueNotice"]);
    publish(&server, &template(json!(null)));
    let local = author.get("Template/f?Language=en").ok();
    assert_eq!(local.get("DueNotice"), None);
    author.send("Templates/Import", &exported).ok();
    let draft = author.get("Templates/f").ok();
    assert_eq!(draft["Draft"]["DueNotice"], "P1DT12H");
}
