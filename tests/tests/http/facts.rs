//! Facts of a list and the items that apply by them: who may bring facts, when they are kept and
//! renewed, and what happens when tokens say different things.

use checklist_tests::client::error_pointers;
use checklist_tests::receiver::Receiver;
use checklist_tests::template::{fragment, item, publish, section, under, with};
use checklist_tests::{HostKey, List, Person, Server, Setup, incident};
use serde_json::{Value, json};

const REFRESH: &str = "RefreshItemsOnTemplateChange";

/// A server with a template whose items depend on the queue and on who asks.
fn server() -> Server {
    let server = Server::demo();
    publish_ticket(&server);
    server
}

fn publish_ticket(server: &Server) {
    let mail = json!({ "When": { "Fact": "Queue", "Is": "Mail" } });
    let vip = json!({ "When": { "All": [{ "Fact": "Vip", "Is": true }, { "Fact": "Priority", "AtMost": 2 }] } });
    let items = [
        item("read", "Read it"),
        with(section("mail", "Mail"), mail),
        under("mail", item("headers", "Look at the headers")),
        with(item("call", "Call back"), vip),
    ];
    publish(server, &fragment("ticket", items));
}

/// Somebody whose token has these facts of the list.
fn with_token(server: &Server, name: &str, id: &str, facts: Value) -> Person {
    let place = incident(id).from_template("*").with_facts(facts);
    let grant = server.as_owner(name).only_for(&[place]);
    grant.on(&incident(id).from_template("ticket"))
}

/// Somebody whose token says nothing of facts.
fn without_facts(server: &Server, id: &str) -> Person {
    server
        .as_owner("Olga")
        .on(&incident(id).from_template("ticket"))
}

/// A program with an API key.
fn program(server: &Server, id: &str) -> Person {
    program_as(server, id, "editor")
}

fn program_as(server: &Server, id: &str, role: &str) -> Person {
    let admin = server.as_admin().on(&incident(id).from_template("ticket"));
    admin.program("Desk", &[role])
}

/// The same, with facts in the context of each request.
fn bringing(person: &Person, facts: Value) -> Person {
    let place = person.place.clone().with_facts(facts);
    person.at(&place)
}

#[test]
fn a_list_that_was_never_written_is_what_applies_by_the_facts_of_each_token() {
    let server = server();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    let vip = with_token(&server, "Bob", "1", json!({ "Vip": true, "Priority": 1 }));
    let nobody = without_facts(&server, "1");
    assert_eq!(
        mail.list().texts(),
        ["Read it", "Mail", "Look at the headers"]
    );
    assert_eq!(vip.list().texts(), ["Read it", "Call back"]);
    assert_eq!(nobody.list().texts(), ["Read it"]);
    assert_eq!(mail.list().0["Facts"], json!({ "Queue": "Mail" }));
    assert_eq!(nobody.list().0["Facts"], Value::Null);
    let context = &mail.list().0["Context"];
    assert_eq!(context.get("Facts"), None, "facts identify nothing");
    let summary = mail.call("GetItems", json!({ "View": "Summary" })).ok();
    assert_eq!(summary["Facts"], Value::Null);
    assert_eq!(summary["Counts"]["Total"], 2);
}

#[test]
fn the_first_write_keeps_the_facts_and_a_second_token_changes_nothing_until_somebody_refreshes() {
    let server = server();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    let vip = with_token(&server, "Bob", "1", json!({ "Vip": true, "Priority": 1 }));
    mail.tick("Read it");
    let seen = vip.list();
    assert_eq!(seen.texts(), mail.list().texts());
    assert_eq!(seen.0["Facts"], json!({ "Queue": "Mail" }));
    let update = &seen.0["TemplateUpdate"];
    assert_eq!(
        [
            &update["FromVersion"],
            &update["ToVersion"],
            &update["Added"],
            &update["Removed"]
        ],
        [1, 1, 1, 2].map(|number| json!(number)).each_ref(),
        "{update}"
    );
    assert_eq!(mail.list().0["TemplateUpdate"], Value::Null);
    let revision = seen.revision();
    vip.tick("Look at the headers");
    assert_eq!(vip.list().0["Facts"], json!({ "Queue": "Mail" }));
    assert_eq!(vip.list().revision(), revision + 1);

    let tried = vip.try_refresh();
    let cases = [
        ("Added", "call"),
        ("Removed", "mail"),
        ("Retired", "headers"),
    ];
    assert_eq!(tried.cases(), cases);
    assert_eq!(vip.list().revision(), revision + 1, "nothing was written");
    assert_eq!(vip.refresh().cases(), cases);
    let after = vip.list();
    assert_eq!(after.0["Facts"], json!({ "Vip": true, "Priority": 1 }));
    assert_eq!(after.0["TemplateUpdate"], Value::Null);
    assert_eq!(
        after.counts(),
        [2, 1, 0, 1, 0],
        "what is retired does not count"
    );
    assert!(after.item("Look at the headers")["RetiredAt"].is_string());
    mail.refresh();
    let back = mail.list();
    assert_eq!(back.status("Look at the headers"), "Done");
    assert_eq!(back.texts(), ["Read it", "Mail", "Look at the headers"]);
    assert_eq!(mail.refresh().cases(), [], "the same again changes nothing");
}

#[test]
fn a_token_without_facts_leaves_those_of_the_list_and_one_with_none_takes_them_away() {
    let server = server();
    let mail = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Queue": "Mail", "Site": "Bonn" }),
    );
    mail.tick("Read it");
    let nobody = without_facts(&server, "1");
    assert_eq!(nobody.list().0["TemplateUpdate"], Value::Null);
    assert_eq!(nobody.refresh().cases(), []);
    assert_eq!(
        nobody.list().0["Facts"],
        json!({ "Queue": "Mail", "Site": "Bonn" })
    );

    // A fact that no item asks for is renewed without a word to people.
    let moved = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Queue": "Mail", "Site": "Kiel" }),
    );
    assert_eq!(moved.list().0["TemplateUpdate"], Value::Null);
    assert_eq!(moved.refresh().cases(), []);
    assert_eq!(moved.list().0["Facts"]["Site"], "Kiel");

    let gone = with_token(&server, "Anna", "1", json!({ "Site": "Kiel" }));
    let removed = [("Removed", "headers"), ("Removed", "mail")];
    assert_eq!(
        gone.refresh().cases(),
        removed,
        "a fact that disappeared is gone"
    );
    let empty = with_token(&server, "Anna", "1", json!({}));
    empty.refresh();
    assert_eq!(empty.list().0["Facts"], Value::Null);
}

#[test]
fn a_fact_that_changes_its_type_is_another_fact() {
    let server = server();
    let number = with_token(&server, "Anna", "1", json!({ "Vip": true, "Priority": 2 }));
    number.tick("Call back");
    let text = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Vip": true, "Priority": "2" }),
    );
    assert_eq!(text.refresh().cases(), [("Retired", "call")]);
    assert_eq!(number.refresh().cases(), [("Returned", "call")]);
    let same = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Priority": 2.0, "Vip": true }),
    );
    assert_eq!(same.list().0["TemplateUpdate"], Value::Null, "2.0 is 2");
    assert_eq!(same.refresh().cases(), []);
}

#[test]
fn each_context_of_a_batch_has_facts_of_its_own() {
    let server = server();
    let place = |id: &str, queue: &str| incident(id).with_facts(json!({ "Queue": queue }));
    let token =
        server
            .as_owner("Anna")
            .only_for(&[place("1", "Mail"), place("2", "Web"), incident("3")]);
    let anna = token.on(&incident("1"));
    let asked = ["1", "2", "3"].map(|id| incident(id).from_template("ticket").context());
    let batch = anna.send("GetItems", &json!({ "Contexts": asked })).ok();
    let totals =
        |batch: &Value| [0, 1, 2].map(|at| batch["Results"][at]["Counts"]["Total"].clone());
    assert_eq!(totals(&batch), [2, 1, 1].map(|number| json!(number)));

    let desk = program(&server, "9");
    let asked = [place("4", "Web"), place("5", "Mail"), incident("6")];
    let asked = asked.map(|place| place.from_template("ticket").context());
    let batch = desk.send("GetItems", &json!({ "Contexts": asked })).ok();
    assert_eq!(totals(&batch), [1, 2, 1].map(|number| json!(number)));
    let begun = desk.send("Lists", &json!({ "Contexts": asked })).ok();
    assert_eq!(begun["Results"][1]["Outcome"], "Created");
    assert_eq!(begun["Results"][1]["Context"].get("Facts"), None);
    let five = desk.at(&incident("5"));
    assert_eq!(five.list().0["Facts"], json!({ "Queue": "Mail" }), "kept");
    assert_eq!(
        five.list().texts(),
        ["Read it", "Mail", "Look at the headers"]
    );
}

#[test]
fn a_page_sets_no_facts_and_a_program_does() {
    let server = server();
    let page = bringing(&without_facts(&server, "1"), json!({ "Queue": "Mail" }));
    let id = without_facts(&server, "1").id("Read it");
    for (call, body) in [
        ("GetItems", json!({})),
        ("AddItems", json!({ "Items": [{ "Text": "A" }] })),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Status": "Done" }] }),
        ),
        ("Lock", json!({ "Locked": true })),
        ("Render", json!({})),
        (REFRESH, json!({})),
        (REFRESH, json!({ "DryRun": true })),
    ] {
        let problem = page.call(call, body).refused(403, "PermissionDenied");
        assert_eq!(error_pointers(&problem), ["/Context/Facts"], "{call}");
    }
    let batch = page
        .send("GetItems", &json!({ "Contexts": [page.place.context()] }))
        .ok();
    assert_eq!(error_pointers(&batch["Results"][0]), ["/Contexts/0/Facts"]);
    assert_eq!(without_facts(&server, "1").list().revision(), 0);

    let desk = bringing(&program(&server, "1"), json!({ "Queue": "Mail" }));
    desk.tick("Look at the headers");
    let list = without_facts(&server, "1").list();
    assert_eq!(list.0["Facts"], json!({ "Queue": "Mail" }));
    let renewed = bringing(&desk, json!({ "Queue": "Web" }));
    assert_eq!(
        renewed.refresh().cases(),
        [("Removed", "mail"), ("Retired", "headers")]
    );
}

#[test]
fn facts_that_cannot_be_kept_are_refused_where_they_stand() {
    let server = server();
    let desk = program(&server, "1");
    for (facts, pointer) in [
        (json!({ "A": null }), "/Context/Facts/A"),
        (json!({ "A": [1] }), "/Context/Facts/A"),
        (json!([]), "/Context/Facts"),
        (json!({ "A/B": "x".repeat(1001) }), "/Context/Facts/A~1B"),
        (json!({ " ": 1 }), "/Context/Facts/ "),
    ] {
        let answer = bringing(&desk, facts.clone()).call("GetItems", json!({}));
        assert_eq!(
            error_pointers(&answer.json()),
            [pointer],
            "{facts}: {}",
            answer.text()
        );
    }
    let many: serde_json::Map<String, Value> =
        (0..51).map(|n| (format!("{n}"), json!(n))).collect();
    let answer = bringing(&desk, json!(many)).call("GetItems", json!({}));
    let problem = answer.refused(422, "LimitExceeded");
    assert_eq!(error_pointers(&problem), ["/Context/Facts"]);

    let admin = server.as_admin().on(&incident("1"));
    let place = incident("*")
        .with_facts(json!({ "Queue": "Mail" }))
        .context();
    let wish = json!({ "Name": "Desk", "Roles": ["editor"], "Contexts": [place] });
    let problem = admin.send("ApiKeys", &wish).refused(422, "InvalidRequest");
    assert_eq!(
        error_pointers(&problem),
        ["/Contexts/0/Facts"],
        "a key has none"
    );
    let mut named = json!({ "Template": "ticket", "Contexts": [place] });
    named["Contexts"][0]["ObjectId"] = json!("7");
    let admin = program_as(&server, "1", "admin");
    let problem = admin
        .send("ApplyTemplate", &named)
        .refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Contexts/0/Facts"]);
}

#[test]
fn a_program_asks_for_a_token_with_facts() {
    let server = server();
    let desk = program(&server, "1");
    let wish = |facts: Value| {
        let place = incident("1").with_facts(facts);
        json!({ "Subject": "ada", "Name": "Ada", "Contexts": [place.context()] })
    };
    let token = desk
        .send("EmbedTokens", &wish(json!({ "Queue": "Mail" })))
        .ok();
    let ada = desk.with_token(token["Token"].as_str().expect("a token"));
    assert_eq!(
        ada.list().texts(),
        ["Read it", "Mail", "Look at the headers"]
    );
    let problem = desk.send("EmbedTokens", &wish(json!({ "": 1 })));
    let problem = problem.refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Contexts/0/Facts/"]);
}

#[test]
fn conditions_that_are_none_are_refused_where_they_stand() {
    let server = server();
    let author = server.as_admin().on(&incident("1"));
    for (when, pointer) in [
        (json!({ "Fact": "Queue" }), "/Items/0/When"),
        (
            json!({ "Fact": "Queue", "Is": "a", "In": ["b"] }),
            "/Items/0/When",
        ),
        (
            json!({ "Fact": "Queue", "Equals": "a" }),
            "/Items/0/When/Equals",
        ),
        (
            json!({ "Fact": "Queue", "AtLeast": "1" }),
            "/Items/0/When/AtLeast",
        ),
        (
            json!({ "All": [{ "Fact": "", "Is": 1 }] }),
            "/Items/0/When/All/0/Fact",
        ),
        (json!({ "Any": [] }), "/Items/0/When/Any"),
        (
            json!({ "All": [{ "Not": { "Fact": "A", "Is": {} } }] }),
            "/Items/0/When/All/0/Not/Is",
        ),
    ] {
        let template = fragment("wrong", [with(item("a", "A"), json!({ "When": when }))]);
        let answer = author.put("Templates/wrong", &template);
        let problem = answer.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [pointer], "{when}: {problem}");
    }
}

#[test]
fn the_trail_names_the_facts_that_changed_and_never_their_values() {
    let server = server();
    let anna = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Queue": "Mail", "Site": "Bonn" }),
    );
    anna.tick("Read it");
    let moved = with_token(
        &server,
        "Anna",
        "1",
        json!({ "Queue": "Secret", "Vip": true, "Site": "Bonn" }),
    );
    let answer = moved.call(REFRESH, json!({ "OperationId": "r" })).ok();
    assert_eq!(answer["State"], "Complete");
    let rows = server.as_admin().on(&incident("1")).audit_of_lists();
    let row = rows.last().expect("a row");
    let events = json!(rows).to_string();
    assert!(
        events.contains("\"FactsChanged\"") && events.contains("Queue, Vip"),
        "{row}"
    );
    assert!(
        !events.contains("Secret") && !events.contains("Bonn"),
        "{row}"
    );
    moved.undo("r").ok();
    assert_eq!(
        moved.list().0["Facts"],
        json!({ "Queue": "Mail", "Site": "Bonn" })
    );
    assert!(moved.list().has("Look at the headers"));
}

#[test]
fn a_newer_version_comes_by_itself_with_the_facts_that_the_list_has() {
    let server = server();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    mail.add("Own");
    let only = |queue: &str| json!({ "When": { "Fact": "Queue", "Is": queue } });
    let mut next = fragment(
        "ticket",
        [
            with(item("m", "For mail"), only("Mail")),
            with(item("w", "For web"), only("Web")),
        ],
    );
    next["RefreshPolicy"] = json!("Auto");
    publish(&server, &next);
    checklist_tests::until("the list follows", || {
        mail.list().has("For mail").then_some(())
    });
    assert!(!mail.list().has("For web"));
}

#[test]
fn a_list_that_becomes_complete_because_what_was_open_no_longer_applies_is_told_once() {
    let receiver = Receiver::open();
    let setup = Setup::for_hosts(&[HostKey::of("north")]).with_vault();
    let setup = setup.argument("--allow-origin").argument(&receiver.origin);
    let server = setup.start();
    publish_ticket(&server);
    let admin = server.as_admin().on(&incident("1"));
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["checklist.completed"] });
    admin.about_webhooks().send("", &wish).ok();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    mail.tick("Read it");
    let web = with_token(&server, "Anna", "1", json!({ "Queue": "Web" }));
    assert!(!web.list().completed(), "only a refresh changes the list");
    assert!(web.refresh().completed());
    assert!(!mail.refresh().completed(), "and it is open again");
    assert!(web.refresh().completed());
    let received = receiver.waits_for(2);
    assert_eq!(received[0].json()["data"]["Revision"], 2);
    assert_eq!(received[1].json()["data"]["Revision"], 4);
    assert_eq!(received[0].json()["data"]["Context"].get("Facts"), None);
}

#[test]
fn a_run_that_starts_again_has_the_facts_that_the_caller_brings() {
    let server = server();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    mail.tick("Read it");
    let again = |person: &Person| {
        let wish = json!({ "Reason": "It came back" });
        person.call("StartAgain", wish).ok()
    };
    let nobody = without_facts(&server, "1");
    again(&nobody);
    let kept = nobody.list();
    assert_eq!(kept.0["Facts"], json!({ "Queue": "Mail" }), "kept");
    assert!(kept.has("Look at the headers"));
    let vip = with_token(&server, "Bob", "1", json!({ "Vip": true, "Priority": 1 }));
    again(&vip);
    let next = nobody.list();
    assert_eq!(next.0["Facts"], json!({ "Vip": true, "Priority": 1 }));
    assert_eq!(next.texts(), ["Read it", "Call back"]);
    assert_eq!(vip.list().0["TemplateUpdate"], Value::Null);
    let closed = List(vip.call("GetItems", json!({ "Run": 2 })).ok());
    assert!(closed.has("Look at the headers"), "what was closed stays");
    assert_eq!(closed.0["Facts"], json!({ "Queue": "Mail" }), "and why");
}

#[test]
fn a_stream_says_what_the_facts_of_its_reader_would_change_and_what_applies_by_them() {
    let server = server();
    let mail = with_token(&server, "Anna", "1", json!({ "Queue": "Mail" }));
    let vip = with_token(&server, "Bob", "1", json!({ "Vip": true, "Priority": 1 }));
    // A list that was never written is another one for each of them.
    let nobody = without_facts(&server, "1");
    let streams = [mail.follow(), vip.follow(), nobody.follow()];
    let totals = streams
        .each_ref()
        .map(|stream| stream.next("list")["Counts"]["Total"].clone());
    assert_eq!(totals, [2, 2, 1].map(|number| json!(number)));

    mail.tick("Read it");
    let [of_mail, of_vip, of_nobody] = streams.each_ref().map(|stream| {
        stream.next("items");
        stream.next("list")["TemplateUpdate"].clone()
    });
    assert_eq!(
        (&of_vip["Added"], &of_vip["Removed"]),
        (&json!(1), &json!(2))
    );
    assert_eq!((of_mail, of_nobody), (Value::Null, Value::Null));
}

#[test]
fn the_trail_names_the_facts_that_the_next_run_changes() {
    let server = server();
    with_token(&server, "Anna", "1", json!({ "Queue": "Mail" })).tick("Read it");
    let vip = with_token(&server, "Bob", "1", json!({ "Vip": true, "Priority": 1 }));
    let wish = json!({ "Reason": "It came back" });
    vip.call("StartAgain", wish).ok();
    let rows = server.as_admin().on(&incident("1")).audit_of_lists();
    let row = json!(rows.last()).to_string();
    assert!(
        row.contains("\"FactsChanged\"") && row.contains("Priority, Queue, Vip"),
        "{row}"
    );
    assert!(!row.contains("Mail"), "{row}");
}

#[test]
fn a_token_that_the_server_would_refuse_is_not_given() {
    let server = server();
    let desk = program(&server, "1");
    let many: serde_json::Map<String, Value> = (0..25)
        .map(|number| (format!("fact{number}"), json!("ü".repeat(1_000))))
        .collect();
    let place = incident("1").with_facts(Value::Object(many));
    let wish = json!({ "Subject": "ada", "Name": "Ada", "Contexts": [place.context()] });
    let problem = desk.send("EmbedTokens", &wish);
    let problem = problem.refused(422, "LimitExceeded");
    assert_eq!(error_pointers(&problem), ["/Contexts"]);
}
