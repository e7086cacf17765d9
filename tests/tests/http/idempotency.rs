//! OperationId: a repeat has the effect of the first request and gives its answer.
//!
//! Also over a restart and a kill, in parallel, and only for the person who sent it first.

use checklist_tests::{HostKey, Server, Setup, incident, promise};
use serde_json::{Value, json};

/// A host's server: its tokens outlive a restart, and so does who somebody is.
fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")]).start()
}

fn add(operation: &str, text: &str) -> Value {
    json!({ "OperationId": operation, "Items": [{ "Text": text }] })
}

#[test]
fn a_repeated_operation_gives_the_first_answer_and_does_nothing() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let first = anna.call("AddItems", add("op-1", "Ask")).ok();
    let again = anna.call("AddItems", add("op-1", "Ask")).ok();
    assert_eq!(again, first);
    assert_eq!(anna.list().texts(), ["Ask"]);
    assert_eq!(anna.list().revision(), 1);
}

#[test]
fn another_body_under_the_same_operation_is_refused() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.call("AddItems", add("op-1", "Ask")).ok();
    anna.call("AddItems", add("op-1", "Build"))
        .refused(422, "OperationIdReused");
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn the_language_of_the_answer_is_no_part_of_an_operation() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let first = anna.call("AddItems", add("op-1", "Ask")).ok();
    // The page was switched to another language before the answer had come.
    let mut again = add("op-1", "Ask");
    again["Language"] = json!("de");
    assert_eq!(anna.call("AddItems", again).ok(), first);
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn every_writing_call_remembers_its_operations() {
    let server = server();
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("f"));
    checklist_tests::template::publish(
        &server,
        &checklist_tests::template::fragment("f", [checklist_tests::template::item("a", "Ask")]),
    );
    let id = anna.id("Ask");
    let calls = [
        (
            "UpdateItems",
            json!({ "OperationId": "u", "Items": [{ "Id": id, "Status": "Done" }] }),
        ),
        ("AddItems", add("a", "Build")),
        ("DeleteItems", json!({ "OperationId": "d", "Ids": [id] })),
        ("Undo", json!({ "OperationId": "n", "Undoes": "d" })),
        (
            "RefreshItemsOnTemplateChange",
            json!({ "OperationId": "r" }),
        ),
        ("Waive", json!({ "OperationId": "w", "Reason": "urgent" })),
        (
            "StartAgain",
            json!({ "OperationId": "s", "Reason": "Monday" }),
        ),
        ("Lock", json!({ "OperationId": "l", "Locked": true })),
    ];
    for (call, body) in calls {
        let first = anna.call(call, body.clone()).ok();
        let revision = anna.list().revision();
        assert_eq!(anna.call(call, body).ok(), first, "{call}");
        assert_eq!(anna.list().revision(), revision, "{call} was done twice");
    }
}

#[test]
fn an_operation_belongs_to_its_person_its_call_and_its_list() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.call("AddItems", add("op", "Ask")).ok();
    let bob = server.as_editor("Bob").on(&anna.place);
    bob.call("AddItems", add("op", "Bob's")).ok();
    anna.at(&incident("2").for_purpose("x"))
        .call("AddItems", add("op", "Elsewhere"))
        .ok();
    let id = anna.id("Ask");
    anna.call(
        "UpdateItems",
        json!({ "OperationId": "op", "Items": [{ "Id": id, "Status": "Done" }] }),
    )
    .ok();
    let list = anna.list();
    assert_eq!(list.texts(), ["Ask", "Bob's"]);
    assert_eq!(list.status("Ask"), "Done");
}

#[test]
fn operations_are_remembered_over_a_restart_and_a_crash() {
    let mut server = server();
    let place = incident("1").for_purpose("x");
    let first = server
        .editor_on(&place)
        .call("AddItems", add("op-1", "Ask"))
        .ok();
    server.restart();
    assert_eq!(
        server
            .editor_on(&place)
            .call("AddItems", add("op-1", "Ask"))
            .ok(),
        first
    );
    server.crash_and_restart();
    let anna = server.editor_on(&place);
    assert_eq!(anna.call("AddItems", add("op-1", "Ask")).ok(), first);
    anna.call("AddItems", add("op-1", "Build"))
        .refused(422, "OperationIdReused");
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn permission_is_asked_again_before_an_answer_is_repeated() {
    let server = server();
    let place = incident("1").for_purpose("x");
    server
        .as_editor("Anna")
        .on(&place)
        .call("AddItems", add("op", "Secret"))
        .ok();
    let demoted = server.as_reader("Anna").on(&place);
    let answer = demoted.call("AddItems", add("op", "Secret"));
    answer.refused(403, "PermissionDenied");
    let elsewhere = server
        .as_editor("Anna")
        .only_for(&[incident("2")])
        .on(&place);
    elsewhere
        .call("AddItems", add("op", "Secret"))
        .refused(404, "ContextNotFound");
}

#[test]
fn a_refused_request_is_remembered_too() {
    let server = server();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna.lock("audit");
    anna.call("AddItems", add("op", "Build"))
        .refused(409, "Locked");
    anna.unlock();
    let again = anna.call("AddItems", add("op", "Build"));
    again.refused(409, "Locked");
}

#[test]
fn of_parallel_repeats_one_takes_effect_and_all_get_its_answer() {
    let rounds = promise::times(10, 1_000);
    let mut server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    for round in 0..rounds {
        // Every now and then the first answer was given by a server that is no longer there.
        if round % 100 == 5 {
            let body = add(&format!("op-{round}"), &format!("item {round}"));
            anna.call("AddItems", body).ok();
            server.crash_and_restart();
        }
        let anna = server.editor_on(&anna.place);
        let answers: Vec<Value> = std::thread::scope(|scope| {
            let body = add(&format!("op-{round}"), &format!("item {round}"));
            let repeats: Vec<_> = (0..5)
                .map(|_| {
                    let (anna, body) = (&anna, body.clone());
                    scope.spawn(move || anna.call("AddItems", body).ok())
                })
                .collect();
            repeats
                .into_iter()
                .map(|repeat| repeat.join().unwrap())
                .collect()
        });
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
    }
    let anna = server.editor_on(&anna.place);
    assert_eq!(anna.list().items().len(), rounds + 1);
    let database = server.postgres().map_or("SQLite", |_| "PostgreSQL");
    promise::held(
        "D6",
        format!(
            "{database}: {rounds} operations sent 5 times at once, some over a crash: 1 effect each"
        ),
    );
}

#[test]
fn an_operation_id_has_to_be_a_text_of_sensible_length() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    for id in [String::new(), "x".repeat(201)] {
        anna.call("AddItems", add(&id, "Ask"))
            .refused(422, "InvalidRequest");
    }
    assert!(anna.list().items().is_empty());
}
