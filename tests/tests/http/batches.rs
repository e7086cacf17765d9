//! GetItems with many contexts: an answer or a problem each, in order.
//!
//! What each answer says is tested in `reading`.

use checklist_tests::{Server, incident};
use serde_json::json;

#[test]
fn many_lists_are_answered_in_the_order_asked() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1"));
    let contexts: Vec<_> = (0..200)
        .rev()
        .map(|n| incident(&n.to_string()).context())
        .collect();
    let answer = anna
        .send(
            "GetItems",
            &json!({ "Contexts": contexts, "View": "Summary" }),
        )
        .ok();
    let results = answer["Results"].as_array().unwrap();
    assert_eq!(results.len(), 200);
    for (context, result) in contexts.iter().zip(results) {
        assert_eq!(result["Context"]["ObjectId"], context["ObjectId"]);
        assert_eq!(result["State"], "Open");
    }
}

#[test]
fn a_list_that_the_token_does_not_cover_is_a_problem_of_its_own_entry() {
    let server = Server::demo();
    let anna = server
        .as_reader("Anna")
        .only_for(&[incident("1")])
        .on(&incident("1"));
    let contexts = [
        incident("2").context(),
        incident("1").context(),
        json!({
            "ObjectType": "incident", "ObjectId": "1", "TemplateId": "no such template"
        }),
    ];
    let answer = anna.send("GetItems", &json!({ "Contexts": contexts })).ok();
    assert_eq!(answer["Results"][0]["Code"], "ContextNotFound");
    assert_eq!(answer["Results"][0]["status"], 404);
    assert_eq!(answer["Results"][1]["State"], "Open");
    assert_eq!(answer["Results"][2]["Code"], "TemplateNotFound");
}

#[test]
fn more_than_two_hundred_lists_at_once_are_over_the_limit() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1"));
    let contexts: Vec<_> = (0..201)
        .map(|n| incident(&n.to_string()).context())
        .collect();
    anna.send("GetItems", &json!({ "Contexts": contexts }))
        .refused(422, "LimitExceeded");
}

#[test]
fn one_context_or_many_but_not_both_and_not_none() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1"));
    let one = incident("1").context();
    anna.send("GetItems", &json!({ "Context": one, "Contexts": [one] }))
        .refused(422, "InvalidRequest");
    anna.send("GetItems", &json!({}))
        .refused(422, "InvalidRequest");
}
