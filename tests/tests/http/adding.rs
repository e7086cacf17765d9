//! AddItems: what an added item is, where it stands, and what becomes of bad ones.
//!
//! Limits and permissions have modules of their own, as they hold for every call.

use checklist_tests::{Server, incident};
use serde_json::{Value, json};

#[test]
fn an_added_item_is_there_with_everything_said_about_it() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let written = anna.add_items(json!([{
        "Text": "  Call the owner  ", "Required": true, "Help": "See **wiki**", "Note": "n", "Assignee": "bob",
        "Due": "2030-01-02T03:04:05Z"
    }]));
    let item = &written.only("Created")["Item"];
    assert_eq!(
        item["Text"], "Call the owner",
        "blanks at the ends are not kept"
    );
    assert_eq!(item["Origin"], "Local");
    assert_eq!(item["Version"], 1);
    assert_eq!(item["CreatedBy"]["Name"], "Erin Editor");
    let list = anna.list();
    let item = list.item("Call the owner");
    for (member, value) in [
        ("Required", json!(true)),
        ("Help", json!("See **wiki**")),
        ("Note", json!("n")),
        ("Assignee", json!({ "Id": "bob", "Name": "bob" })),
        ("Due", json!("2030-01-02T03:04:05Z")),
        ("Status", json!("Open")),
    ] {
        assert_eq!(item[member], value, "{member}");
    }
    assert_eq!(written.0["State"], "Open");
    assert_eq!(written.0["Applied"], "All");
    assert_eq!(written.counts(), [1, 0, 0, 1, 1]);
}

#[test]
fn items_stand_where_the_caller_says() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let first = anna.add("first");
    let last = anna.add("last");
    anna.add_items(json!([
        { "Text": "after first", "AfterId": first },
        { "Text": "before last", "BeforeId": last },
        { "Text": "and right behind that" }
    ]));
    anna.add("very last");
    assert_eq!(
        anna.list().texts(),
        [
            "first",
            "after first",
            "before last",
            "and right behind that",
            "last",
            "very last"
        ]
    );
}

#[test]
fn a_section_holds_items_but_no_section() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let section = anna.add_items(json!([{ "Text": "Prepare", "Kind": "Section" }]));
    let section = section.only("Created")["Id"].clone();
    anna.add_items(json!([{ "Text": "inside", "ParentId": section }]))
        .only("Created");
    let nested =
        anna.add_items(json!([{ "Text": "deeper", "ParentId": section, "Kind": "Section" }]));
    assert_eq!(nested.problem("Failed"), "InvalidParent");
    let list = anna.list();
    assert_eq!(list.counts()[0], 1, "the section itself does not count");
    let inside = list.id("inside");
    let below = anna.add_items(json!([{ "Text": "x", "ParentId": inside }]));
    assert_eq!(below.problem("Failed"), "InvalidParent");
}

#[test]
fn a_client_may_choose_the_id_and_repeat_itself() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let id = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    anna.add_items(json!([{ "Id": id, "Text": "Ask" }]))
        .only("Created");
    anna.add_items(json!([{ "Id": id, "Text": "Ask" }]))
        .only("Unchanged");
    let other = anna.add_items(json!([{ "Id": id, "Text": "Something else" }]));
    assert_eq!(other.problem("Failed"), "IdTaken");
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn the_server_makes_ids_of_version_seven() {
    let server = Server::demo();
    let id = server.editor_on(&incident("1").for_purpose("x")).add("Ask");
    assert_eq!(id.len(), 36);
    assert_eq!(id.as_bytes()[14], b'7', "{id}");
}

#[test]
fn the_good_items_of_a_batch_are_added_and_the_bad_ones_told() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let written = anna.add_items(json!([
        { "Text": "good" }, { "Text": "   " }, { "Text": "nowhere", "AfterId": unknown }
    ]));
    assert_eq!(written.outcomes(), ["Created", "Failed", "Failed"]);
    assert_eq!(written.0["Applied"], "Some");
    let codes: Vec<&Value> = written.results()[1..]
        .iter()
        .map(|result| &result["Problem"]["Code"])
        .collect();
    assert_eq!(codes, ["TextRequired", "InvalidPlace"]);
    assert_eq!(anna.list().texts(), ["good"]);
}

#[test]
fn a_batch_of_which_nothing_could_be_added_is_refused_with_its_results_and_leaves_the_revision() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    let before = anna.list();
    let blank = json!([{ "Text": " " }, { "Text": "\u{200b}\u{7}" }]);
    let answer = anna.call("AddItems", json!({ "Items": blank }));
    let problem = answer.refused(409, "NotApplied");
    assert_eq!(problem["Revision"], before.revision());
    for result in problem["Results"].as_array().expect("results") {
        assert_eq!(result["Outcome"], "Failed");
        assert_eq!(result["Problem"]["Code"], "TextRequired");
    }
    assert_eq!(anna.list(), before);
}

#[test]
fn an_item_added_to_a_completed_list_opens_it() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    assert!(anna.tick("Ask").completed());
    let written = anna.add_items(json!([{ "Text": "One more" }]));
    assert!(!written.completed());
    assert_eq!(written.0["Blockers"][0]["Text"], "One more");
}

#[test]
fn text_in_any_script_is_kept_exactly() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let texts = [
        "日本語の項目",
        "مهمة عربية",
        "👩‍👩‍👧‍👦 family",
        "<b>&amp; \"quoted\" \\ back",
        "e\u{301}gal",
    ];
    for text in texts {
        anna.add(text);
    }
    assert_eq!(anna.list().texts(), texts);
}

#[test]
fn hundreds_of_items_put_before_the_first_keep_their_order() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let mut first = anna.add("0");
    for n in 1..150 {
        let written = anna.add_items(json!([{ "Text": n.to_string(), "BeforeId": first }]));
        first = written.only("Created")["Id"].as_str().unwrap().to_owned();
    }
    let expected: Vec<String> = (0..150).rev().map(|n| n.to_string()).collect();
    assert_eq!(anna.list().texts(), expected);
}
