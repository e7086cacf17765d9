//! `StartAgain`: the run of a list is closed and stays readable, and the next one begins.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Answer, List, Person, Server, incident, until};
use serde_json::{Value, json};

/// Olga, on a list of two items that nobody has written yet.
fn olga(server: &Server) -> Person {
    publish(server, &fragment("f", [item("a", "A"), item("b", "B")]));
    server
        .as_owner("Olga Owner")
        .on(&incident("1").from_template("f"))
}

fn again(person: &Person) -> Answer {
    person.call("StartAgain", json!({ "Reason": " It came back " }))
}

/// The list in an earlier run.
fn run(person: &Person, number: u32) -> List {
    List(person.call("GetItems", json!({ "Run": number })).ok())
}

#[test]
fn a_list_has_no_run_zero_to_start_again() {
    let server = Server::demo();
    let olga = olga(&server);
    let wish = json!({ "Reason": "It came back", "Run": 0 });
    let problem = olga.call("StartAgain", wish).refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Run"]);
}

fn runs(person: &Person) -> Vec<Value> {
    let told = person.call("Runs", json!({})).ok();
    told["Runs"].as_array().expect("runs").clone()
}

#[test]
fn a_list_starts_again_and_the_closed_run_is_read_as_it_was() {
    let server = Server::demo();
    let olga = olga(&server);
    olga.tick("A");
    olga.add("By hand");
    let before = olga.list();
    assert_eq!(before.0.get("Run"), None, "a list has one run at first");
    let begun = again(&olga).ok();
    assert_eq!(
        (&begun["Run"], &begun["State"]),
        (&json!(2), &json!("Open"))
    );

    let list = olga.list();
    assert_eq!((list.texts(), list.status("A")), (vec!["A", "B"], "Open"));
    assert_eq!(list.0["Run"]["Number"], 2);
    assert!(list.ids().iter().all(|id| !before.ids().contains(id)));
    assert_eq!(list.revision(), before.revision() + 1);

    let closed = run(&olga, 1);
    assert_eq!(closed.items(), before.items());
    assert_eq!(closed.0["Title"], before.0["Title"]);
    assert_eq!(closed.0["Permissions"], json!(["Read"]));
    assert_eq!(closed.0["Run"]["Closed"]["Reason"], "It came back");
    assert_eq!(closed.0["Locked"]["By"]["Name"], "Olga Owner");

    olga.tick("B");
    again(&olga).ok();
    let told = runs(&olga);
    let numbers: Vec<_> = told.iter().map(|run| &run["Run"]["Number"]).collect();
    assert_eq!(numbers, [3, 2, 1]);
    let done: Vec<_> = told.iter().map(|run| &run["Counts"]["Done"]).collect();
    assert_eq!(done, [0, 1, 1]);
    assert_eq!(
        told[0]["Run"].get("Closed"),
        None,
        "the present one is open"
    );
    let reader = server.as_reader("Rita").on(&olga.place);
    assert_eq!(run(&reader, 2).status("B"), "Done");
    olga.call("GetItems", json!({ "Run": 4 }))
        .refused(404, "RunNotFound");
}

#[test]
fn a_list_that_nobody_has_touched_is_closed_as_its_template_shows_it() {
    let server = Server::demo();
    let olga = olga(&server);
    let begun = again(&olga).ok();
    assert_eq!((&begun["Run"], &begun["Revision"]), (&json!(2), &json!(1)));
    let closed = run(&olga, 1);
    assert_eq!(closed.texts(), ["A", "B"]);
    assert_eq!(
        closed.0["State"], "Open",
        "nobody did it, and that is known"
    );
    assert_eq!(olga.list().texts(), ["A", "B"]);
}

#[test]
fn the_next_run_follows_the_newest_version_and_the_closed_one_keeps_its_own() {
    let server = Server::demo();
    let olga = olga(&server);
    olga.tick("A");
    publish(
        &server,
        &fragment("f", [item("a", "A, in new words"), item("c", "C")]),
    );
    again(&olga).ok();
    assert_eq!(olga.list().texts(), ["A, in new words", "C"]);
    let closed = run(&olga, 1);
    assert_eq!(
        (closed.texts(), closed.status("A")),
        (vec!["A", "B"], "Done")
    );
    let versions: Vec<_> = runs(&olga)
        .iter()
        .map(|run| run["TemplateVersion"].clone())
        .collect();
    assert_eq!(versions, [2, 1]);
}

#[test]
fn whoever_still_has_the_closed_run_open_changes_nothing_in_the_new_one() {
    let server = Server::demo();
    let olga = olga(&server);
    let body =
        json!({ "OperationId": "tick", "Items": [{ "Id": olga.id("A"), "Status": "Done" }] });
    olga.call("UpdateItems", body).ok();
    let (old, revision) = (olga.id("B"), olga.list().revision());
    again(&olga).ok();
    let late = olga.call(
        "UpdateItems",
        json!({ "Items": [{ "Id": old, "Status": "Done" }] }),
    );
    let late = late.refused(409, "NotApplied");
    assert_eq!(late["Results"][0]["Problem"]["Code"], "ItemNotFound");
    let whole = olga
        .call("GetItems", json!({ "SinceRevision": revision }))
        .ok();
    assert_eq!(whole["Delta"], false, "nothing is left to compare with");
    let since = olga.call("GetItems", json!({ "SinceRevision": revision + 1 }));
    assert_eq!(since.ok()["Delta"], true);
    let undone = olga.undo("tick").refused(409, "CannotUndo");
    assert!(undone["detail"].as_str().unwrap().contains("started again"));
    assert_eq!(olga.list().counts()[1], 0, "nothing is done");
}

#[test]
fn two_programs_that_start_a_list_again_at_the_same_time_start_it_once() {
    let server = Server::demo();
    let olga = olga(&server);
    olga.tick("A");
    let wanted = json!({ "Reason": "Monday", "Run": 1 });
    let answers: Vec<_> = std::thread::scope(|scope| {
        let begin = || scope.spawn(|| olga.call("StartAgain", wanted.clone()).status);
        let calls = [begin(), begin(), begin()];
        calls.map(|call| call.join().unwrap()).to_vec()
    });
    let once = answers.iter().filter(|status| **status == 200).count();
    let refused = answers.iter().filter(|status| **status == 409).count();
    assert_eq!((once, refused), (1, 2));
    olga.call("StartAgain", wanted).refused(409, "RunChanged");
    assert_eq!(runs(&olga).len(), 2);
    let named = json!({ "Reason": "Tuesday", "OperationId": "o" });
    let first = olga.call("StartAgain", named.clone()).ok();
    assert_eq!(olga.call("StartAgain", named).ok(), first, "a repeat");
    assert_eq!(runs(&olga).len(), 3);
    let undone = olga.undo("o").refused(409, "CannotUndo");
    assert!(undone["detail"].as_str().unwrap().contains("started again"));
}

#[test]
fn what_cannot_be_met_is_said_and_nothing_is_closed() {
    let server = Server::demo();
    let olga = olga(&server);
    for reason in ["", " \u{200b}\n"] {
        let blank = olga.call("StartAgain", json!({ "Reason": reason }));
        let problem = blank.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), ["/Reason"]);
    }
    server
        .as_editor("Ed")
        .on(&olga.place)
        .call("StartAgain", json!({ "Reason": "x" }))
        .refused(403, "PermissionDenied");
    olga.lock("audit");
    again(&olga).refused(409, "Locked");
    olga.unlock();
    for (body, pointer) in [
        (json!({ "Run": 0 }), "/Run"),
        (json!({ "Run": 1, "SinceRevision": 1 }), "/SinceRevision"),
    ] {
        let problem = olga.call("GetItems", body).refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [pointer]);
    }
    let many = json!({ "Contexts": [olga.place.context()], "Run": 1 });
    let problem = olga.send("GetItems", &many).refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Run"]);
    let unknown = olga.at(&incident("1").from_template("nothing"));
    again(&unknown).refused(404, "TemplateNotFound");
    let elsewhere = server.as_owner("Olga").only_for(&[incident("2")]);
    let elsewhere = elsewhere.on(&olga.place);
    elsewhere
        .call("Runs", json!({}))
        .refused(404, "ContextNotFound");
    elsewhere
        .call("GetItems", json!({ "Run": 1 }))
        .refused(404, "ContextNotFound");
    assert_eq!(runs(&olga).len(), 1);
    assert_eq!(olga.list().0.get("Run"), None);
}

#[test]
fn a_closed_run_is_found_by_no_search_and_told_by_history_and_trail() {
    let server = Server::demo();
    let olga = olga(&server);
    olga.change("A", json!({ "Assignee": "zoe", "Due": "2020-01-01" }));
    olga.tick("B");
    let (ticked, open) = (olga.id("B"), json!({ "Filter": { "Assignee": "zoe" } }));
    let found = |person: &Person| person.send("FindItems", &open).ok()["Items"].clone();
    assert_eq!(found(&olga).as_array().map(Vec::len), Some(1));
    again(&olga).ok();
    assert_eq!(found(&olga), json!([]));

    let history = olga.call("GetItemHistory", json!({ "Id": ticked })).ok();
    assert_eq!(history["Entries"][0]["What"], "Checked", "{history}");
    let admin = server.as_admin().on(&olga.place);
    let rows = admin.audit_of_lists();
    let started = rows.last().expect("a row");
    assert_eq!(started["Event"]["What"], "StartedAgain");
    assert_eq!(started["Event"]["After"], "It came back");
}

#[test]
fn the_trail_proves_closed_runs_and_names_what_was_changed_in_one() {
    let mut server = Server::demo();
    let olga = olga(&server);
    olga.tick("A");
    again(&olga).ok();
    olga.tick("B");
    again(&olga).ok();
    let tenant = ["audit", "verify", "--lists"];
    server.stop();
    let sound = server.run(&tenant);
    assert!(sound.status.success(), "{}", sound.said);
    server.spoil(
        "UPDATE closed_run SET document = replace(document, '\"Done\"', '\"Open\"') WHERE number = 1",
    );
    let ended = server.run(&tenant);
    assert!(!ended.status.success());
    let named = "run 1 of the list of incident 1: item";
    assert!(ended.said.contains(named), "{}", ended.said);
    server.spoil("DELETE FROM closed_run WHERE number = 2");
    let ended = server.run(&tenant);
    let missing = "run 2 of the list of incident 1 is missing";
    assert!(ended.said.contains(missing), "{}", ended.said);
}

#[test]
fn a_template_applied_before_can_be_applied_to_the_next_run() {
    let server = Server::demo();
    let olga = olga(&server);
    olga.tick("A");
    publish(&server, &fragment("g", [item("x", "X")]));
    let admin = server.as_admin().on(&olga.place);
    let admin = admin.program("Sync", &["admin"]);
    let apply = || {
        let body = json!({ "Contexts": [incident("1").context()], "Template": "g" });
        let run = admin.send("ApplyTemplate", &body).ok();
        let address = format!("ApplyTemplate/Runs/{}", run["Id"].as_str().expect("an id"));
        until("the end of the run", || {
            (!admin.get(&address).ok()["EndedAt"].is_null()).then_some(())
        });
    };
    apply();
    assert_eq!(olga.list().texts(), ["A", "B", "X"]);
    again(&olga).ok();
    assert_eq!(olga.list().texts(), ["A", "B"]);
    apply();
    assert_eq!(olga.list().texts(), ["A", "B", "X"]);
}
