//! Events: what others do to a list arrives, at once and after an absence.
//!
//! How streams end, and what they cost, is in `live_ends`.

use std::sync::atomic::{AtomicBool, Ordering};

use checklist_tests::follow::{Said, Stream, asking_for};
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

/// A list with the items A, B and C.
fn abc(server: &Server) -> Person {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "A" }, { "Text": "B" }, { "Text": "C" }]));
    anna
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_tick_of_another_arrives_with_its_item_and_the_list() {
    let server = Server::demo();
    let anna = abc(&server);
    let stream = anna.follow();
    assert_eq!(stream.next("list")["Counts"]["Done"], 0);
    server.as_checker("Ben Checker").on(&anna.place).tick("B");

    let (events, _) = {
        stream.id();
        stream.up_to_id()
    };
    assert_eq!(names(&events), ["items", "list"]);
    let (items, list) = (&events[0].1, &events[1].1);
    let after = anna.list();
    assert_eq!(items["Context"], anna.place.context());
    assert_eq!(
        (&items["Since"], &items["Revision"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(items["Items"], json!([after.item("B")]));
    assert_eq!(items["Items"][0]["StatusBy"]["Name"], "Ben Checker");
    for member in [
        "Revision",
        "State",
        "Completed",
        "Counts",
        "Blockers",
        "Permissions",
    ] {
        assert_eq!(list[member], after.0[member], "{member}");
    }
    assert_eq!(list.get("Items"), None);
}

#[test]
fn what_was_deleted_is_told_as_removed() {
    let server = Server::demo();
    let anna = abc(&server);
    let (stream, id) = (anna.follow(), anna.id("B"));
    stream.next("list");
    anna.delete("B");
    let removed = stream.next("removed");
    assert_eq!(removed["Removed"], json!([id]));
    assert_eq!(stream.next("list")["Counts"]["Total"], 2);
}

#[test]
fn a_list_never_written_is_shown_as_it_is_and_told_when_it_is_written() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let stream = anna.follow();
    let list = stream.next("list");
    assert_eq!(
        (&list["Revision"], &list["Counts"]["Total"]),
        (&json!(0), &json!(2))
    );
    anna.tick("A");
    let items = stream.next("items");
    assert_eq!(
        (&items["Since"], &items["Revision"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(items["Items"].as_array().map(Vec::len), Some(2), "{items}");
    assert_eq!(stream.next("list")["Revision"], 1);
}

#[test]
fn after_an_absence_everything_that_happened_meanwhile_is_told_once() {
    let server = Server::demo();
    let anna = abc(&server);
    let other = anna.at(&incident("2").for_purpose("x"));
    let places = [anna.place.clone(), other.place.clone()];
    let stream = anna.follow_from(&places, None);
    let (_, id) = stream.up_to_id();
    drop(stream);

    let gone = anna.id("C");
    anna.tick("A");
    other.add("D");
    anna.reword("B", "B as it should be");
    anna.delete("C");
    let stream = anna.follow_from(&places, Some(&id));
    let (events, id) = stream.up_to_id();
    assert_eq!(
        names(&events),
        [
            "items", "removed", "locked", "waived", "list", "items", "locked", "waived", "list"
        ]
    );
    let list = anna.list();
    assert_eq!(events[0].1["Items"], json!(list.items()));
    assert_eq!(events[1].1["Removed"], json!([gone]));
    assert_eq!(events[4].1["Revision"], list.revision());
    assert_eq!(events[5].1["Items"], json!(other.list().items()));

    let (events, _) = anna.follow_from(&places, Some(&id)).up_to_id();
    assert_eq!(names(&events), ["list", "list"], "nothing is told again");
}

#[test]
fn no_change_falls_between_what_is_told_again_and_what_is_told_live() {
    let server = Server::demo();
    let anna = abc(&server);
    let (_, mut id) = anna.follow().up_to_id();
    let mut known = anna.list().revision();
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for n in 0.. {
                anna.change("A", json!({ "Note": format!("note {n}") }));
                if enough.load(Ordering::Relaxed) {
                    break;
                }
            }
            anna.list().revision()
        });
        let mut look = |stream: &Stream| {
            let (events, id) = stream.up_to_id();
            for (name, data) in &events {
                assert_ne!(name, "reset");
                if name == "items" {
                    let since = data["Since"].as_u64().unwrap();
                    assert!(since <= known, "{known} to {since} is missing");
                    known = data["Revision"].as_u64().unwrap();
                }
            }
            (known, id)
        };
        // Comes and goes, and always goes on from where it was.
        for _ in 0..20 {
            let stream = anna.follow_after(&id);
            for _ in 0..3 {
                id = look(&stream).1;
            }
        }
        enough.store(true, Ordering::Relaxed);
        let last = writing.join().unwrap();
        assert_eq!(look(&anna.follow_after(&id)).0, last);
    });
}

#[test]
fn an_id_of_another_database_asks_to_read_the_list_whole() {
    let server = Server::demo();
    let anna = abc(&server);
    let (events, id) = anna.follow_after("999999").up_to_id();
    assert_eq!(names(&events), ["reset", "list"]);
    assert_eq!(events[0].1["Context"], anna.place.context());
    let (events, _) = anna.follow_after(&id).up_to_id();
    assert_eq!(names(&events), ["list"]);
}

#[test]
fn lists_that_the_token_does_not_cover_are_problems_and_stay_silent() {
    let host = [HostKey::of("north"), HostKey::of("south")];
    let server = Setup::for_hosts(&host).start();
    let (mine, foreign) = (
        incident("1").for_purpose("x"),
        incident("2").for_purpose("x"),
    );
    let neighbour = server.editor_on(&foreign);
    neighbour.add("secret");
    let anna = server
        .as_editor("Anna")
        .only_for(std::slice::from_ref(&mine))
        .on(&mine);
    let unknown = incident("never written").for_purpose("x");
    let stream = anna.follow_from(&[foreign.clone(), mine.clone(), unknown.clone()], None);
    let (events, _) = stream.up_to_id();
    assert_eq!(names(&events), ["problem", "list", "problem"]);
    for (told, place) in [(&events[0].1, &foreign), (&events[2].1, &unknown)] {
        assert_eq!(told["Context"], place.context());
        assert_eq!(told["Problem"]["Code"], "ContextNotFound");
    }
    assert_eq!(events[0].1["Problem"], events[2].1["Problem"]);
    neighbour.add("another secret");
    anna.add("A");
    assert_eq!(stream.next("items")["Context"], mine.context());
}

#[test]
fn the_same_list_of_another_tenant_is_another_list() {
    let hosts = [HostKey::of("north"), HostKey::of("south")];
    let server = Setup::for_hosts(&hosts).start();
    let place = incident("1").for_purpose("x");
    let north = server.editor_on(&place);
    let claims = hosts[1].claims(&server.base_url(), "sue", &["Read", "Add"]);
    let south = north.with_token(&hosts[1].sign(&claims));
    let stream = north.follow();
    stream.next("list");
    south.add("of the south");
    north.add("of the north");
    assert_eq!(stream.next("items")["Items"][0]["Text"], "of the north");
}

#[test]
fn a_list_without_its_template_is_a_problem_until_the_template_is_there() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").from_template("later"));
    let stream = anna.follow();
    assert_eq!(
        stream.next("problem")["Problem"]["Code"],
        "TemplateNotFound"
    );
    publish(&server, &fragment("other", [item("a", "A")]));
    publish(&server, &fragment("later", [item("a", "A")]));
    assert_eq!(stream.next("list")["Counts"]["Total"], 1);
}

#[test]
fn a_new_version_of_the_template_is_told_to_lists_that_follow_it() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    anna.tick("A");
    let untouched = anna.at(&incident("2").from_template("f"));
    let places = [anna.place.clone(), untouched.place.clone()];
    let stream = anna.follow_from(&places, None);
    stream.id();
    publish(&server, &fragment("f", [item("a", "A"), item("c", "C")]));
    let (events, _) = (0..4).fold((Vec::new(), ()), |(mut events, ()), _| {
        events.extend(stream.event());
        (events, ())
    });
    assert_eq!(names(&events), ["template", "list", "reset", "list"]);
    let told = &events[0].1;
    assert_eq!(
        (&told["Context"], &told["TemplateId"]),
        (&anna.place.context(), &json!("f"))
    );
    assert_eq!(told["TemplateUpdate"], anna.list().0["TemplateUpdate"]);
    assert_eq!(told["TemplateUpdate"]["Added"], 1);
    assert_eq!(events[2].1["Context"], untouched.place.context());
}

#[test]
fn locking_waiving_and_taking_that_back_are_told() {
    let server = Server::demo();
    let anna = abc(&server);
    let stream = anna.follow();
    stream.next("list");
    let owner = server.as_owner("Olga Owner").on(&anna.place);
    owner.lock("closed");
    let locked = stream.next("locked");
    assert_eq!(locked["Locked"]["Reason"], "closed");
    assert_eq!(stream.next("list")["Locked"], locked["Locked"]);
    owner.unlock();
    assert_eq!(stream.next("locked")["Locked"], Value::Null);
    assert_eq!(stream.next("list").get("Locked"), None);
    owner.waive("urgent");
    let waived = stream.next("waived");
    assert_eq!(waived["Waived"]["Reason"], "urgent");
    let list = stream.next("list");
    assert_eq!(
        (&list["State"], &list["Waived"]),
        (&json!("Waived"), &waived["Waived"])
    );
    owner.revoke_waiver("not urgent");
    assert_eq!(stream.next("waived")["Waived"], Value::Null);
    assert_eq!(stream.next("list")["State"], "Open");
}

#[test]
fn everybody_reads_their_own_language() {
    let server = Server::demo();
    let texts = json!({ "Key": "a", "Text": { "en": "Call", "de": "Anrufen" } });
    publish(&server, &fragment("f", [texts]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let bert = anna.reading("de");
    let asked = {
        let mut body = asking_for(std::slice::from_ref(&anna.place), None);
        body["Language"] = json!("de");
        body
    };
    let streams = [anna.follow(), bert.follow(), anna.open_stream(&asked)];
    for stream in &streams {
        stream.next("list");
    }
    anna.tick("Call");
    let text = |index: usize| streams[index].next("items")["Items"][0]["Text"].clone();
    assert_eq!([text(0), text(1), text(2)], ["Call", "Anrufen", "Anrufen"]);
}

#[test]
fn whoever_made_a_change_recognises_it_by_its_operation() {
    let server = Server::demo();
    let anna = abc(&server);
    let stream = anna.follow();
    assert_eq!(stream.next("list").get("OperationId"), None);
    let update =
        json!({ "OperationId": "mine", "Items": [{ "Id": anna.id("A"), "Status": "Done" }] });
    anna.call("UpdateItems", update).ok();
    stream.next("items");
    assert_eq!(stream.next("list")["OperationId"], "mine");
    anna.tick("B");
    stream.next("items");
    assert_eq!(stream.next("list").get("OperationId"), None);
}

#[test]
fn one_stream_follows_as_many_lists_as_a_page_may_have() {
    let server = Server::demo();
    let places: Vec<_> = (0..200)
        .map(|n| incident(&n.to_string()).for_purpose("x"))
        .collect();
    let anna = server.editor_on(&places[0]);
    let stream = anna.follow_from(&places, None);
    assert_eq!(stream.up_to_id().0.len(), 200);
    for place in [&places[0], &places[100], &places[199]] {
        anna.at(place).add("A");
        assert_eq!(stream.next("items")["Context"], place.context());
        stream.next("list");
    }
}

#[test]
fn what_cannot_be_followed_is_refused_with_a_reason() {
    let server = Server::demo();
    let anna = abc(&server);
    let many: Vec<_> = (0..201).map(|n| incident(&n.to_string())).collect();
    let one = std::slice::from_ref(&anna.place);
    let errors = |body: &Value, code: &str| {
        checklist_tests::client::field_errors(&anna.try_to_follow(body).refused(422, code))
    };
    let pair = |pointer: &str, code: &str| vec![(pointer.to_owned(), code.to_owned())];
    assert_eq!(
        errors(&asking_for(&[], None), "InvalidRequest"),
        pair("/Contexts", "Required")
    );
    assert_eq!(
        errors(&asking_for(&many, None), "LimitExceeded"),
        pair("/Contexts", "LimitExceeded")
    );
    assert_eq!(
        errors(&asking_for(one, Some("yesterday")), "InvalidRequest"),
        pair("/LastEventId", "Invalid")
    );
    assert_eq!(
        errors(
            &json!({ "Contexts": [anna.place.context()], "Since": 1 }),
            "InvalidRequest"
        ),
        pair("/Since", "UnknownField")
    );
    errors(&json!({}), "InvalidRequest");
    let blind = server.as_somebody_who_may(&["Check"]).on(&anna.place);
    blind
        .try_to_follow(&asking_for(one, None))
        .refused(403, "PermissionDenied");
}

#[test]
fn a_silent_stream_shows_that_it_is_alive() {
    let server = Server::demo();
    let anna = abc(&server);
    let stream = anna.follow();
    stream.id();
    assert_eq!(stream.say(), Some(Said::Comment));
}

#[test]
fn a_stream_is_not_held_back_to_be_compressed() {
    let server = Server::demo();
    let anna = abc(&server);
    let request = anna
        .request(reqwest::Method::POST, "Events")
        .header("accept-encoding", "gzip");
    let body = asking_for(std::slice::from_ref(&anna.place), None);
    let response = checklist_tests::client::json(request, &body)
        .send()
        .unwrap();
    assert_eq!(response.headers().get("content-encoding"), None);
    assert_eq!(response.headers()["cache-control"], "no-store");
}
