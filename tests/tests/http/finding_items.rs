//! Items found across lists: what is open for somebody, late, proposed.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish, required, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident, task};
use serde_json::{Value, json};

const FOR_ME: &str = "Me";

/// An editor of everything, by a token of the host.
fn ada(host: &HostKey, server: &Server) -> Person {
    let permissions = ["Read", "Check", "Edit", "Add", "Delete"];
    let claims = host.claims(&server.base_url(), "ada", &permissions);
    let anybody = server.as_reader("Rita").on(&incident("1"));
    anybody.with_token(&host.sign(&claims))
}

/// Adds an item with these fields to the list of an incident.
fn add(person: &Person, object_id: &str, text: &str, fields: Value) {
    let added = person.at(&incident(object_id));
    let mut item = json!({ "Text": text });
    for (name, value) in fields.as_object().expect("fields") {
        item[name] = value.clone();
    }
    assert_eq!(added.add_items(json!([item])).outcomes(), ["Created"]);
}

fn page(person: &Person, question: &Value) -> Value {
    person.send("FindItems", question).ok()
}

fn texts(page: &Value) -> Vec<String> {
    let items = page["Items"].as_array().expect("items");
    let text = |found: &Value| found["Item"]["Text"].as_str().expect("a text").to_owned();
    items.iter().map(text).collect()
}

/// The texts of all that meet a filter, on one page.
fn texts_of_all(person: &Person, filter: Value) -> Vec<String> {
    let page = page(person, &json!({ "Filter": filter }));
    assert!(page["Next"].is_null(), "{page}");
    texts(&page)
}

/// All pages, ten items each.
fn every_page(person: &Person, filter: &Value, mut between: impl FnMut(usize)) -> Vec<String> {
    let mut question = json!({ "Filter": filter, "Limit": 10 });
    let mut all = Vec::new();
    for number in 0.. {
        let page = page(person, &question);
        let more = texts(&page);
        let next = page["Next"].clone();
        let at_least = more.len() + usize::from(!next.is_null());
        assert_eq!(page["AtLeast"], at_least);
        all.extend(more);
        if next.is_null() {
            break;
        }
        question["After"] = next;
        between(number);
    }
    all
}

#[test]
fn what_is_open_for_me_is_found_by_due_date_as_long_as_it_is_open() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    assert_eq!(
        texts_of_all(&ada, json!({ "Assignee": FOR_ME })),
        [""; 0],
        "an empty table"
    );
    add(&ada, "3", "Whenever", json!({ "Assignee": "ada" }));
    add(
        &ada,
        "1",
        "On the day",
        json!({ "Assignee": "ada", "Due": "2030-05-02" }),
    );
    add(
        &ada,
        "2",
        "At noon",
        json!({ "Assignee": "ada", "Due": "2030-05-02T12:00:00Z" }),
    );
    add(
        &ada,
        "2",
        "For Ben",
        json!({ "Assignee": "ben", "Due": "2030-05-01" }),
    );
    add(&ada, "2", "For nobody", json!({}));
    let mine = || texts_of_all(&ada, json!({ "Assignee": FOR_ME }));
    assert_eq!(mine(), ["At noon", "On the day", "Whenever"]);
    assert_eq!(
        texts_of_all(&ada, json!({ "Assignee": "ben" })),
        ["For Ben"]
    );

    let noon = ada.at(&incident("2"));
    noon.tick("At noon");
    assert_eq!(mine(), ["On the day", "Whenever"]);
    let done = texts_of_all(&ada, json!({ "Assignee": FOR_ME, "Status": "Done" }));
    assert_eq!(done, ["At noon"]);
    noon.untick("At noon");
    noon.change("At noon", json!({ "Due": "2031-01-01T00:00:00Z" }));
    assert_eq!(mine(), ["On the day", "At noon", "Whenever"]);
    noon.change("For Ben", json!({ "Assignee": "ada" }));
    noon.change("At noon", json!({ "Assignee": null }));
    assert_eq!(mine(), ["For Ben", "On the day", "Whenever"]);
    let day = ada.at(&incident("1"));
    let id = day.id("On the day");
    day.delete("On the day");
    assert_eq!(mine(), ["For Ben", "Whenever"]);
    day.restore(&[&id]);
    assert_eq!(mine(), ["For Ben", "On the day", "Whenever"]);
}

#[test]
fn items_of_one_list_that_are_due_together_stand_as_in_the_list() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    let list = ada.at(&incident("1"));
    let rows: Vec<Value> = (0..20)
        .map(|row| json!({ "Text": format!("Step {row}"), "Assignee": "ada" }))
        .collect();
    list.add_items(json!(rows));
    list.change("Step 7", json!({ "Due": "2030-05-02" }));
    let third = list.id("Step 3");
    let between = json!([{ "Text": "Step 20", "Assignee": "ada", "BeforeId": third }]);
    list.add_items(between);
    let listed = list.list();
    let by_object = texts_of_all(&ada, json!({ "ObjectType": "incident" }));
    assert_eq!(by_object, listed.texts());
    let by_due_date = texts_of_all(&ada, json!({ "Assignee": FOR_ME }));
    let rest = listed.texts().into_iter().filter(|text| *text != "Step 7");
    let expected: Vec<&str> = std::iter::once("Step 7").chain(rest).collect();
    assert_eq!(by_due_date, expected);
}

#[test]
fn every_page_of_one_list_stands_as_in_the_list_with_sections_and_by_a_token_for_it_alone() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    let list = ada.at(&incident("1"));
    let rows = |texts: std::ops::Range<usize>, parent: Option<&str>| {
        let row = |number| json!({ "Text": format!("Step {number}"), "ParentId": parent });
        list.add_items(json!(texts.map(row).collect::<Vec<_>>()))
    };
    rows(0..8, None);
    list.add_items(json!([{ "Text": "Afterwards", "Kind": "Section" }]));
    let section = list.id("Afterwards");
    rows(8..24, Some(&section));
    // They come later, and stand before the section and at its head.
    let eighth = list.id("Step 8");
    list.add_items(json!([
        { "Text": "Step 24", "BeforeId": section },
        { "Text": "Step 25", "ParentId": section, "BeforeId": eighth }
    ]));
    let listed = list.list();
    let order: Vec<&str> = listed.texts();
    let place = |text: &String| {
        order
            .iter()
            .position(|one| one == text)
            .expect("in the list")
    };
    let of_one_list = server.as_checker("Cleo").only_for(&[incident("1")]);
    for person in [&ada, &of_one_list.on(&incident("1"))] {
        let all = every_page(person, &json!({ "Status": "Open" }), |_| ());
        for page in all.chunks(10) {
            assert!(page.is_sorted_by_key(place), "{page:?} of {order:?}");
        }
        let found: BTreeSet<&str> = all.iter().map(String::as_str).collect();
        let expected = order.iter().copied().filter(|text| *text != "Afterwards");
        assert_eq!(found, expected.collect());
        assert_eq!(all.len(), 26, "none is there twice");
    }
}

#[test]
fn each_item_comes_with_its_list_and_can_be_ticked_as_it_was_found() {
    let (host, server) = Server::with_host();
    let of_template = fragment(
        "f",
        [
            json!({ "Key": "s", "Kind": "Section", "Text": { "en": "Close", "de": "Abschluss" } }),
            json!({ "Key": "a", "ParentKey": "s", "Required": true, "AssigneeRole": "Second level",
                "Text": { "en": "Call back", "de": "Zurückrufen" } }),
            item("b", "Tidy up"),
        ],
    );
    publish(&server, &of_template);
    let ada = ada(&host, &server);
    let list = ada.at(&incident("7").from_template("f"));
    assert_eq!(
        texts_of_all(&ada, json!({ "Assignee": "Second level" })),
        [""; 0],
        "never written"
    );
    list.tick("Tidy up");
    let question = json!({ "Filter": { "Assignee": "Second level" }, "Language": "de" });
    let answer = page(&ada, &question);
    let one = &answer["Items"][0];
    assert_eq!(one["Context"]["ObjectId"], "7");
    assert_eq!(
        (&one["State"], &one["Section"]),
        (&json!("Open"), &json!("Abschluss"))
    );
    assert_eq!(one["Item"]["Text"], "Zurückrufen");
    assert_eq!(one["Permissions"][1], "Check");
    let tick = json!({ "Id": one["Item"]["Id"], "BaseVersion": one["Item"]["Version"],
        "SeenTextHash": one["Item"]["TextHash"], "Status": "Done" });
    assert_eq!(list.update(json!([tick])).outcomes(), ["Updated"]);
    assert!(texts(&page(&ada, &question)).is_empty());
    let complete = texts_of_all(
        &ada,
        json!({ "Status": "Done", "State": "Complete", "Template": "f" }),
    );
    assert_eq!(complete.len(), 2);
}

#[test]
fn every_part_of_a_filter_narrows() {
    let (host, server) = Server::with_host();
    let evidence = json!({ "NeedsPerson": true });
    publish(
        &server,
        &fragment(
            "f",
            [
                required(item("a", "Back up")),
                with(item("b", "Sign"), evidence),
            ],
        ),
    );
    let ada = ada(&host, &server);
    let act = json!({ "sub": "finch", "name": "Finch" });
    let mut claims = host.claims(&server.base_url(), "ada", &["Read", "Check"]);
    claims["act"] = act;
    let place = incident("2").from_template("f");
    let finch = ada.at(&place).with_token(&host.sign(&claims));
    let sign = json!([{ "Id": finch.id("Sign"), "Status": "Done" }]);
    let proposed = finch.call("ProposeItems", json!({ "Items": sign }));
    assert_eq!(proposed.written().outcomes(), ["Updated"]);
    add(&ada, "1", "Early", json!({ "Due": "2020-01-01T00:00:00Z" }));
    add(&ada, "1", "On a day", json!({ "Due": "2020-01-02" }));
    add(&ada, "1", "Later", json!({ "Due": "2090-01-01" }));
    ada.at(&task("1").for_purpose("handover"))
        .add("Back to work");

    let answers = |filter: Value| {
        texts_of_all(&ada, filter)
            .into_iter()
            .collect::<BTreeSet<_>>()
    };
    let are = |expected: &[&str]| expected.iter().map(|&text| text.to_owned()).collect();
    let all = answers(json!({}));
    assert_eq!(all.len(), 6);
    for (filter, expected) in [
        (json!({ "Late": true }), &["Early", "On a day"][..]),
        (
            json!({ "Late": false, "ObjectType": "incident" }),
            &["Back up", "Later", "Sign"],
        ),
        (
            json!({ "Due": { "Before": "2020-01-02T12:00:00Z" } }),
            &["Early"],
        ),
        (
            json!({ "Due": { "After": "2020-01-02T12:00:00Z" } }),
            &["Later", "On a day"],
        ),
        (
            json!({ "Due": { "After": "2020-01-01T00:00:00Z", "Before": "2020-01-01T00:00:00.001Z" } }),
            &["Early"],
        ),
        (json!({ "Proposed": true }), &["Sign"]),
        (json!({ "Required": true }), &["Back up"]),
        (json!({ "ObjectType": "task" }), &["Back to work"]),
        (json!({ "Purpose": "handover" }), &["Back to work"]),
        (json!({ "Template": "f", "TemplateKey": "b" }), &["Sign"]),
        (json!({ "Text": "BACK up" }), &["Back up"]),
        (json!({ "Text": "back" }), &["Back to work", "Back up"]),
        (json!({ "Status": "Done" }), &[]),
        (json!({ "State": "Complete" }), &[]),
        (json!({ "Text": "100%_" }), &[]),
    ] {
        assert_eq!(answers(filter.clone()), are(expected), "{filter}");
    }
    let on_the_day = json!({ "Filter": { "Late": true }, "Today": "2020-01-02" });
    assert_eq!(
        texts(&page(&ada, &on_the_day)),
        ["Early"],
        "a day is over on the next one"
    );
    ada.tick("Early");
    ada.tick("Later");
    let late = answers(json!({ "Late": true, "Status": "Done" }));
    assert_eq!(
        late,
        are(&["Early"]),
        "what is done in time is late no more"
    );
}

#[test]
fn a_cursor_of_mine_is_nobody_elses_and_nobody_is_called_me() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    for text in ["First", "Second"] {
        add(&ada, "1", text, json!({ "Assignee": "ada" }));
    }
    let question = json!({ "Filter": { "Assignee": "Me" }, "Limit": 1 });
    let next = page(&ada, &question)["Next"].clone();
    let claims = host.claims(&server.base_url(), "ben", &["Read"]);
    let ben = ada.with_token(&host.sign(&claims));
    let further = json!({ "Filter": { "Assignee": "Me" }, "Limit": 1, "After": next });
    let problem = ben.send("FindItems", &further);
    let problem = problem.refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/After"]);
    assert_eq!(texts(&page(&ada, &further)).len(), 1);
    let nobody = json!({ "Items": [{ "Text": "Third", "Assignee": "Me" }] });
    let problem = ada.at(&incident("1")).call("AddItems", nobody);
    let problem = problem.refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Items/0/Assignee/Id"]);
}

#[test]
fn nobody_finds_items_of_lists_that_their_credential_does_not_cover() {
    let south = HostKey::of("south");
    let host = HostKey::of("north");
    let server = Setup::for_hosts(&[host.clone(), south.clone()]).start();
    let ada = ada(&host, &server);
    for id in ["1", "2", "3"] {
        let mine = json!({ "Assignee": "ada", "Due": "2020-01-01" });
        add(&ada, id, &format!("Of incident {id}"), mine);
    }
    let of_task = json!([{ "Text": "Of a task", "Assignee": "ada" }]);
    ada.at(&task("1")).add_items(of_task);

    let token = |host: &HostKey, contexts: Value| {
        let mut claims = host.claims(&server.base_url(), "ada", &["Read"]);
        claims["contexts"] = contexts;
        ada.with_token(&host.sign(&claims))
    };
    let context =
        |kind: &str, id: &str| json!({ "ObjectType": kind, "ObjectId": id, "Purpose": "*" });
    let exact = json!({ "ObjectType": "incident", "ObjectId": "2", "Purpose": "" });
    let two = token(
        &host,
        json!([exact, { "ObjectType": "incident", "ObjectId": "3", "Purpose": "" }]),
    );
    let incidents = token(&host, json!([context("incident", "*")]));
    let nothing = token(&host, json!([context("asset", "*")]));
    let other = token(&south, json!([context("*", "*")]));
    for filter in [
        json!({ "Assignee": FOR_ME }),
        json!({}),
        json!({ "Late": true }),
    ] {
        let all = |person| texts_of_all(person, filter.clone());
        assert_eq!(all(&two), ["Of incident 2", "Of incident 3"], "{filter}");
        assert_eq!(all(&incidents).len(), 3, "{filter}");
        assert_eq!(all(&nothing), [""; 0], "{filter}");
        assert_eq!(all(&other), [""; 0], "{filter}");
        let question = json!({ "Filter": filter, "Limit": 1 });
        let first = page(&two, &question);
        let mut next = question.clone();
        next["After"] = first["Next"].clone();
        assert_eq!(texts(&page(&two, &next)), ["Of incident 3"]);
        // A cursor of one tenant means nothing in another one.
        let refused = other
            .send("FindItems", &next)
            .refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&refused), ["/After"]);
    }
}

#[test]
fn a_cursor_that_somebody_made_up_opens_no_list_that_their_credential_does_not_cover() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    add(&ada, "1", "First", json!({}));
    add(&ada, "2", "Second", json!({}));
    ada.at(&task("1")).add("Secret");
    let mut claims = host.claims(&server.base_url(), "ada", &["Read"]);
    claims["contexts"] = json!([{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }]);
    let of_incidents = ada.with_token(&host.sign(&claims));
    let question = json!({ "Limit": 1 });
    let next = page(&of_incidents, &question)["Next"].clone();
    let json = URL_SAFE_NO_PAD
        .decode(next.as_str().expect("a cursor"))
        .expect("base64");
    let mut cursor: Value = serde_json::from_slice(&json).expect("JSON");
    cursor[1]["item"] = json!([]);
    cursor[1]["object"] = json!(["1", "task", ""]);
    let ask = |cursor: &Value| {
        let after = URL_SAFE_NO_PAD.encode(cursor.to_string());
        of_incidents.send("FindItems", &json!({ "Limit": 1, "After": after }))
    };
    assert_eq!(texts(&ask(&cursor).ok()), ["Second"]);
    cursor[1]["object"] = json!(["1", "incident", "\u{0}"]);
    let refused = ask(&cursor).refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&refused), ["/After"]);
}

#[test]
fn pages_show_each_item_once_while_others_write() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    for id in 0..7 {
        let rows: Vec<Value> = (0..6)
            .map(|row| json!({ "Text": format!("{id}/{row}"), "Assignee": "ada", "Due": "2020-01-01" }))
            .collect();
        ada.at(&incident(&id.to_string())).add_items(json!(rows));
    }
    for filter in [
        json!({ "Assignee": FOR_ME }),
        json!({ "Late": true }),
        json!({ "ObjectType": "incident" }),
    ] {
        let mut ticked = Vec::new();
        let all = every_page(&ada, &filter, |number| {
            let other = ada.at(&incident(&number.to_string()));
            let text = format!("{number}/0");
            other.tick(&text);
            other.add("Another one");
            ticked.push((other, text));
        });
        let mut once = all.clone();
        once.sort();
        once.dedup();
        let repeated = all.iter().filter(|text| *text == "Another one").count();
        assert!(
            once.len() + repeated.saturating_sub(1) == all.len(),
            "{filter}: {all:?}"
        );
        let lost = (0..7).flat_map(|id| (1..6).map(move |row| format!("{id}/{row}")));
        for text in lost {
            assert!(all.contains(&text), "{filter}: {text}");
        }
        for (other, text) in ticked {
            other.untick(&text);
            other.delete("Another one");
        }
    }
}

#[test]
fn a_question_that_cannot_be_answered_says_where() {
    let (host, server) = Server::with_host();
    let ada = ada(&host, &server);
    for (question, pointer) in [
        (json!({ "Limit": 0 }), "/Limit"),
        (json!({ "Limit": 201 }), "/Limit"),
        (json!({ "After": "x" }), "/After"),
        (json!({ "Language": "no language" }), "/Language"),
        (json!({ "Sort": "Due" }), "/Sort"),
        (
            json!({ "Sort": "Proposed", "Filter": { "Late": true } }),
            "/Sort",
        ),
        (json!({ "Filter": { "Assignee": "" } }), "/Filter/Assignee"),
        (json!({ "Filter": { "State": "Unknown" } }), "/Filter/State"),
        (
            json!({ "Filter": { "Due": { "Before": "tomorrow" } } }),
            "/Filter/Due/Before",
        ),
        (
            json!({ "Filter": { "Assignees": ["ada"] } }),
            "/Filter/Assignees",
        ),
    ] {
        let refused = ada
            .send("FindItems", &question)
            .refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&refused), [pointer], "{question}");
    }
    let nobody = server.as_somebody_who_may(&["Check"]).on(&incident("1"));
    nobody
        .send("FindItems", &json!({}))
        .refused(403, "PermissionDenied");
}
