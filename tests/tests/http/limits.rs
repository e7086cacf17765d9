//! Limits: over one of them nothing changes at all.
//!
//! And exactly at one of them everything still works.

use checklist_tests::{Server, incident};
use serde_json::{Value, json};

#[test]
fn what_is_too_long_or_too_many_changes_nothing() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let id = anna.add("Ask");
    let long = |length: usize| "é".repeat(length);
    let good = json!({ "Text": "good" });
    let many = |count: usize| json!(vec![good.clone(); count]);
    let bodies: [(&str, Value); 9] = [
        (
            "AddItems",
            json!({ "Items": [good, { "Text": long(1001) }] }),
        ),
        (
            "AddItems",
            json!({ "Items": [good, { "Text": "x", "Help": long(8001) }] }),
        ),
        (
            "AddItems",
            json!({ "Items": [good, { "Text": "x", "Note": long(1001) }] }),
        ),
        ("AddItems", json!({ "Items": many(201) })),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Note": long(1001) }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Text": long(1001), "BaseVersion": 1 }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Status": "NotApplicable", "Reason": long(1001) }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": vec![json!({ "Id": id, "Status": "Done" }); 201] }),
        ),
        ("DeleteItems", json!({ "Ids": vec![id.clone(); 201] })),
    ];
    let before = anna.list();
    for (call, body) in bodies {
        anna.call(call, body).refused(422, "LimitExceeded");
    }
    assert_eq!(anna.list(), before);
}

#[test]
fn what_is_exactly_at_a_limit_is_accepted() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let long = |length: usize| "é".repeat(length);
    let item = json!({ "Text": long(1000), "Help": long(8000), "Note": long(1000) });
    anna.add_items(json!([item])).only("Created");
}

#[test]
fn a_list_holds_two_hundred_items_and_not_one_more() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let items: Vec<_> = (0..199).map(|n| json!({ "Text": n.to_string() })).collect();
    anna.add_items(json!(items));
    let before = anna.list();
    let two = json!({ "Items": [{ "Text": "199" }, { "Text": "200" }] });
    anna.call("AddItems", two).refused(422, "LimitExceeded");
    assert_eq!(
        anna.list(),
        before,
        "not even the one that would have fitted"
    );
    anna.add("199");
    assert_eq!(
        anna.list().0["Limits"]["Items"],
        json!({ "Max": 200, "WarnAt": 180, "Used": 200 })
    );
    anna.call("AddItems", json!({ "Items": [{ "Text": "200" }] }))
        .refused(422, "LimitExceeded");
    anna.delete("0");
    anna.add("200");
}

#[test]
fn an_object_has_at_most_twenty_purposes() {
    let server = Server::demo();
    let list =
        |purpose: usize| server.editor_on(&incident("1").for_purpose(&format!("p{purpose}")));
    for purpose in 0..20 {
        list(purpose).add("x");
    }
    list(20)
        .call("AddItems", json!({ "Items": [{ "Text": "x" }] }))
        .refused(422, "LimitExceeded");
    assert_eq!(list(20).list().state(), "Empty");
    list(3).add("the ones that are there go on");
    server
        .editor_on(&incident("2").for_purpose("p20"))
        .add("and so do other objects");
}

#[test]
fn a_body_over_one_mebibyte_is_refused_before_it_is_read() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let answer = anna.call(
        "AddItems",
        json!({ "Items": [{ "Text": "x".repeat(1 << 20) }] }),
    );
    answer.refused(413, "BodyTooLarge");
}
