//! Several nodes on one database: whoever is asked, the answer is that of one server.
//!
//! Two real processes behind the same base URL, asked side by side, and one of them killed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use checklist_tests::client::{json as with_json, try_send};
use checklist_tests::person::with_id;
use checklist_tests::promise::{held, times};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};

fn two_nodes() -> [Server; 2] {
    let one = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start();
    let other = one.another_node();
    [one, other]
}

/// The same editor, at each node.
fn editors(nodes: &[Server; 2], object: &str) -> [Person; 2] {
    let place = incident(object).for_purpose("x");
    [nodes[0].editor_on(&place), nodes[1].editor_on(&place)]
}

/// Sends each request at the same time; the answers in order.
fn at_once(requests: Vec<Box<dyn FnOnce() -> Answer + Send>>) -> Vec<Answer> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = requests
            .into_iter()
            .map(|request| scope.spawn(request))
            .collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn an_operation_sent_to_both_nodes_at_once_has_one_effect_and_one_answer() {
    let nodes = two_nodes();
    let rounds = times(25, 1000);
    for round in 0..rounds {
        let people = editors(&nodes, &format!("{}", round / 5));
        let body = json!({ "OperationId": format!("op {round}"), "Items": [{ "Text": format!("{round}") }] });
        let requests = [0, 1, 0, 1, 1].map(|node: usize| {
            let (person, body) = (people[node].clone(), body.clone());
            Box::new(move || person.call("AddItems", body)) as Box<dyn FnOnce() -> Answer + Send>
        });
        let answers: Vec<Value> = at_once(requests.into())
            .into_iter()
            .map(|answer| answer.ok())
            .collect();
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
        let mut changed = body;
        changed["Items"][0]["Text"] = json!("another text");
        for person in &people {
            person
                .call("AddItems", changed.clone())
                .refused(422, "OperationIdReused");
        }
    }
    for object in 0..rounds / 5 {
        let texts: Vec<String> = (object * 5..object * 5 + 5)
            .map(|n| n.to_string())
            .collect();
        assert_eq!(
            editors(&nodes, &object.to_string())[1].list().texts(),
            texts
        );
    }
    held(
        "D6",
        format!("PostgreSQL: {rounds} operations sent 5 times at once to two nodes: 1 effect each"),
    );
}

#[test]
fn an_edit_based_on_what_the_other_node_has_overtaken_is_a_conflict() {
    let nodes = two_nodes();
    let [anna, ben] = editors(&nodes, "1");
    let id = anna.add("A");
    let base = ben.list().item("A")["Version"].clone();
    anna.reword("A", "Anna's");
    let edit = json!([with_id(
        json!({ "Text": "Ben's", "BaseVersion": base }),
        &id
    )]);
    let result = ben.update(edit).only("Conflict").clone();
    assert_eq!(result["Item"]["Text"], "Anna's", "{result}");
    assert_eq!(anna.list().texts(), ["Anna's"]);
}

#[test]
fn of_two_first_ticks_at_once_one_is_the_first() {
    let nodes = two_nodes();
    publish(
        &nodes[0],
        &fragment("pair", [item("a", "A"), item("b", "B")]),
    );
    for round in 0..10 {
        let place = incident(&format!("{round}")).from_template("pair");
        let people = [nodes[0].editor_on(&place), nodes[1].editor_on(&place)];
        let ids: Vec<String> = people[0]
            .list()
            .ids()
            .iter()
            .map(|&id| id.to_owned())
            .collect();
        let requests = [0, 1].map(|node: usize| {
            let (person, id) = (people[node].clone(), ids[node].clone());
            let body = json!({ "Items": [with_id(json!({ "Status": "Done" }), &id)] });
            Box::new(move || person.call("UpdateItems", body)) as Box<dyn FnOnce() -> Answer + Send>
        });
        for answer in at_once(requests.into()) {
            answer.ok();
        }
        let list = people[1].list();
        assert_eq!(list.texts(), ["A", "B"], "one set of items");
        assert_eq!(list.state(), "Complete");
    }
}

#[test]
fn a_class_added_at_one_node_works_at_once_at_the_other() {
    let nodes = two_nodes();
    let put = |node: usize, classes: Value| {
        let kind = json!({ "Name": "incident", "Classes": classes, "Templates": {} });
        let admin = nodes[node].as_admin().on(&incident("1"));
        admin.put("Types/incident", &kind).ok();
    };
    for round in 0..5 {
        let [_, ben] = editors(&nodes, &format!("{round}"));
        let write = |text: &str| {
            let body = json!({ "Items": [{ "Text": text }], "LogInJournal": true });
            ben.call("AddItems", body).ok()["Journal"].clone()
        };
        put(0, json!(["ChecklistItem"]));
        assert_eq!(write("before")["Written"], false);
        put(0, json!(["ChecklistItem", "UnitOfWork"]));
        assert_eq!(write("after")["Written"], true);
    }
}

#[test]
fn what_happens_at_one_node_arrives_at_those_who_follow_at_the_other() {
    let nodes = two_nodes();
    let [anna, ben] = editors(&nodes, "1");
    anna.add("A");
    let stream = ben.follow();
    assert_eq!(stream.next("list")["Counts"]["Done"], 0);
    for (done, status) in [(1, "Done"), (0, "Open"), (1, "Done")] {
        anna.set("A", status);
        assert_eq!(stream.next("items")["Items"][0]["Status"], status);
        assert_eq!(stream.next("list")["Counts"]["Done"], done);
    }
}

#[test]
fn a_key_revoked_at_one_node_is_soon_refused_at_the_other() {
    let nodes = two_nodes();
    let admin = nodes[0].as_admin().on(&incident("1"));
    let key = admin
        .send("ApiKeys", &json!({ "Name": "Portal", "Roles": ["editor"] }))
        .ok();
    let secret = key["Secret"].as_str().unwrap().to_owned();
    let elsewhere = nodes[1].as_admin().on(&incident("1").for_purpose("x"));
    let program = elsewhere.with_token(&secret);
    program.add("with the key");
    let id = key["Id"].as_str().unwrap();
    checklist_tests::client::send(admin.request(Method::DELETE, &format!("ApiKeys/{id}")));
    until("the revoked key to be refused", || {
        (program.call("GetItems", json!({})).status == 401).then_some(())
    });
}

/// Adds items one after the other until told to stop; a request without an answer is sent to the
/// other node with the same operation id, until somebody answers.
fn write_through_the_kill(
    people: &[Person; 2],
    name: &str,
    told: impl Fn(),
    stop: &AtomicBool,
) -> Vec<String> {
    let mut texts = Vec::new();
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let text = format!("{name} {n}");
        let body = json!({
            "Context": people[0].place.context(), "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }]
        });
        until("an answer from either node", || {
            people.iter().find_map(|person| {
                let request = with_json(person.request(Method::POST, "AddItems"), &body);
                try_send(request).ok().filter(|answer| answer.status == 200)
            })
        });
        texts.push(text);
        told();
    }
    texts
}

#[test]
fn a_node_that_is_killed_under_load_loses_and_doubles_nothing() {
    const WRITERS: usize = 4;
    let mut nodes = two_nodes();
    let mut expected = vec![Vec::new(); WRITERS];
    for round in 0..3 {
        let people: Vec<[Person; 2]> = (0..WRITERS)
            .map(|writer| editors(&nodes, &writer.to_string()))
            .collect();
        let stop = AtomicBool::new(false);
        let (tell, written) = channel();
        let texts: Vec<Vec<String>> = std::thread::scope(|scope| {
            let writers: Vec<_> = people
                .iter()
                .map(|people| {
                    let (tell, stop) = (tell.clone(), &stop);
                    let name = format!("round {round}");
                    scope.spawn(move || {
                        write_through_the_kill(
                            people,
                            &name,
                            || tell.send(()).unwrap_or_default(),
                            stop,
                        )
                    })
                })
                .collect();
            for _ in 0..40 {
                written.recv().unwrap();
            }
            nodes[0].kill();
            for _ in 0..40 {
                written.recv().unwrap();
            }
            stop.store(true, Ordering::Relaxed);
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            assert_eq!(
                people[writer][1].list().texts(),
                expected[writer],
                "writer {writer} in round {round}"
            );
        }
        nodes[0].start_again();
    }
    let verified = nodes[1].run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
}

/// Waits until the stream tells that exactly these are on the list, too.
#[track_caller]
fn meets(stream: &checklist_tests::follow::Stream, names: &[&str]) {
    stream.until("presence", |told| {
        let people = told["People"].as_array().into_iter().flatten();
        people
            .map(|person| &person["Name"])
            .eq(names.iter().copied())
    });
}

#[test]
fn those_at_different_nodes_see_each_other_and_a_killed_node_takes_its_people_along() {
    let mut nodes = two_nodes();
    let place = incident("1").for_purpose("x");
    let anna = nodes[0].as_editor("Anna").on(&place).attend();
    meets(&anna, &[]);
    let ben = nodes[1].as_editor("Ben").on(&place).attend();
    meets(&anna, &["Ben"]);
    meets(&ben, &["Anna"]);
    // The same person at both nodes is one.
    let again = nodes[0].as_editor("Ben").on(&place).attend();
    meets(&again, &["Anna"]);
    let carla = nodes[1].as_editor("Carla").on(&place).attend();
    meets(&anna, &["Ben", "Carla"]);
    meets(&carla, &["Ben", "Anna"]);
    nodes[1].kill();
    meets(&anna, &["Ben"]);
}

#[test]
fn a_token_ends_at_every_node_with_the_api_key_that_asked_for_it() {
    let nodes = two_nodes();
    let admin = nodes[0].as_admin().on(&incident("1"));
    let made = admin
        .send("ApiKeys", &json!({ "Name": "Portal", "Roles": ["reader"] }))
        .ok();
    let text = |made: &Value, member: &str| made[member].as_str().expect("a text").to_owned();
    let portal = admin.with_token(&text(&made, "Secret"));
    let wish = json!({ "Subject": "anna", "Name": "Anna",
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
    let token = text(&portal.send("EmbedTokens", &wish).ok(), "Token");
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| admin.through(node).with_token(&token));
    let read =
        |person: &Person| person.send("GetItems", &json!({ "Context": person.place.context() }));
    until("the other node knows the key that signs", || {
        (read(&there).status == 200).then_some(())
    });
    read(&here).ok();
    let path = format!("ApiKeys/{}", text(&made, "Id"));
    try_send(admin.request(Method::DELETE, &path))
        .expect("an answer")
        .ok();
    read(&here).refused(401, "Unauthenticated");
    until("the other node refuses it", || {
        (read(&there).status == 401).then_some(())
    });
}

#[test]
fn a_template_that_one_node_retires_begins_nothing_at_the_other() {
    let nodes = two_nodes();
    publish(&nodes[0], &fragment("f", [item("a", "Ask")]));
    let place = incident("1").from_template("f");
    let readers = [nodes[0].editor_on(&place), nodes[1].editor_on(&place)];
    let texts = || {
        readers
            .clone()
            .map(|reader| reader.list().texts().join(","))
    };
    assert_eq!(texts(), ["Ask", "Ask"]);
    let admin = nodes[0].as_admin().on(&place);
    admin.send("Templates/f/Retire", &json!({})).ok();
    assert_eq!(texts(), ["", ""]);
    let other = nodes[1].as_admin().on(&place);
    other.send("Templates/f/Offer", &json!({})).ok();
    assert_eq!(texts(), ["Ask", "Ask"]);
    let who = json!({ "Id": "u1", "Name": "Ada" });
    readers[0].change("Ask", json!({ "Assignee": who }));
    assert_eq!(readers[1].list().item("Ask")["Assignee"], who);
}

#[test]
fn the_facts_that_one_node_kept_or_renewed_are_those_of_the_list_at_the_other() {
    let nodes = two_nodes();
    let only = |queue: &str| json!({ "When": { "Fact": "Queue", "Is": queue } });
    let items = [
        with(item("m", "For mail"), only("Mail")),
        with(item("w", "For web"), only("Web")),
    ];
    publish(&nodes[0], &fragment("queues", items));
    let anna = |node: usize, queue: &str| {
        let place = incident("1").from_template("queues");
        let place = place.with_facts(json!({ "Queue": queue }));
        let grant = nodes[node].as_owner("Anna").only_for(&[place]);
        grant.on(&incident("1"))
    };
    anna(0, "Mail").tick("For mail");
    let seen = anna(1, "Web").list();
    assert_eq!(seen.0["Facts"], json!({ "Queue": "Mail" }));
    assert_eq!(seen.texts(), ["For mail"]);
    anna(1, "Web").refresh();
    let seen = anna(0, "Web").list();
    assert_eq!(seen.0["Facts"], json!({ "Queue": "Web" }));
    assert_eq!(seen.0["TemplateUpdate"], json!(null));
    assert!(seen.has("For web") && seen.state() == "Open");
}
