//! What holds for every refresh: dry run, repeat, undo, the announcement, and the refusals.
//!
//! The cases themselves are tested in `refresh`.

use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Server, incident};
use serde_json::json;

use crate::refresh::list_between;

#[test]
fn a_dry_run_tells_the_same_changes_and_writes_nothing() {
    let (server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.tick("A")),
        [item("a", "A!"), item("n", "N")],
    );
    let before = anna.list();
    let audit = server.as_admin().on(&anna.place).audit().len();
    let planned = anna.try_refresh();
    assert_eq!(
        planned.cases(),
        [
            ("Added", "n"),
            ("ChangedSinceChecked", "a"),
            ("Removed", "b")
        ]
    );
    assert_eq!(anna.list(), before);
    assert_eq!(server.as_admin().on(&anna.place).audit().len(), audit);
    let done = anna.refresh();
    assert_eq!(done.0["Changes"], planned.0["Changes"]);
    let texts = &done.0["Changes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["TemplateKey"] == "a")
        .unwrap();
    assert_eq!(
        (&texts["Before"], &texts["After"]),
        (&json!("A"), &json!("A!"))
    );
}

#[test]
fn the_same_refresh_again_changes_nothing() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |anna| drop(anna.tick("A")),
        [item("a", "A!"), item("n", "N")],
    );
    anna.refresh();
    let after = anna.list();
    let again = anna.refresh();
    assert_eq!(again.cases(), [] as [(&str, &str); 0]);
    assert_eq!(anna.list(), after);
}

#[test]
fn a_newer_version_is_announced_until_the_list_has_it() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B")],
        |_| {},
        [item("a", "A!"), item("n", "N"), item("m", "M")],
    );
    let update = &anna.list().0["TemplateUpdate"];
    let expected =
        json!({ "FromVersion": 1, "ToVersion": 2, "Added": 2, "Changed": 1, "Removed": 1 });
    assert_eq!(*update, expected);
    anna.refresh();
    assert_eq!(anna.list().0["TemplateUpdate"], json!(null));
}

#[test]
fn a_refresh_goes_to_the_version_asked_for_and_back() {
    let (server, anna) = list_between([item("a", "one")], |_| {}, [item("a", "two")]);
    publish(&server, &fragment("f", [item("a", "three")]));
    let to = |version: u64| {
        anna.call(
            "RefreshItemsOnTemplateChange",
            json!({ "ToVersion": version }),
        )
        .ok();
        let list = anna.list();
        (
            list.0["TemplateVersion"].as_u64().unwrap(),
            list.by_key("a")["Text"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(to(2), (2, "two".into()));
    assert_eq!(to(1), (1, "one".into()));
    assert_eq!(to(3), (3, "three".into()));
    let unknown = anna.call("RefreshItemsOnTemplateChange", json!({ "ToVersion": 9 }));
    unknown.refused(404, "TemplateNotFound");
}

#[test]
fn a_refresh_of_a_list_that_is_not_what_the_caller_expects_changes_nothing() {
    let (_server, anna) = list_between([item("a", "A")], |_| {}, [item("a", "A!")]);
    let before = anna.list();
    let stale = json!({ "ExpectedRevision": before.revision() - 1 });
    anna.call("RefreshItemsOnTemplateChange", stale)
        .refused(409, "RevisionMismatch");
    assert_eq!(anna.list(), before);
    let right = json!({ "ExpectedRevision": before.revision() });
    anna.call("RefreshItemsOnTemplateChange", right).ok();
    assert_eq!(anna.list().by_key("a")["Text"], "A!");
}

#[test]
fn a_refresh_of_a_locked_list_changes_nothing() {
    let (_server, anna) = list_between([item("a", "A")], |_| {}, [item("a", "A!")]);
    anna.lock("closed");
    let before = anna.list();
    anna.call("RefreshItemsOnTemplateChange", json!({}))
        .refused(409, "Locked");
    assert_eq!(anna.list(), before);
}

#[test]
fn a_refresh_that_would_go_over_the_limit_changes_nothing() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let many: Vec<_> = (0..150)
        .map(|n| json!({ "Text": format!("local {n}") }))
        .collect();
    anna.add_items(json!(many));
    publish(
        &server,
        &fragment("f", (0..60).map(|n| item(&format!("k{n}"), "more"))),
    );
    let before = anna.list();
    anna.call("RefreshItemsOnTemplateChange", json!({}))
        .refused(422, "LimitExceeded");
    assert_eq!(anna.list(), before);
}

#[test]
fn a_whole_refresh_is_taken_back_in_one_step() {
    let (_server, anna) = list_between(
        [item("a", "A"), item("b", "B"), item("c", "C")],
        |anna| {
            anna.tick("A");
            anna.change("B", json!({ "Note": "n" }));
        },
        [
            item("n", "N"),
            with(item("a", "A!"), json!({ "OnTextChange": "Reopen" })),
        ],
    );
    let before = anna.list();
    anna.call(
        "RefreshItemsOnTemplateChange",
        json!({ "OperationId": "refresh-1" }),
    )
    .ok();
    assert_eq!(anna.list().texts(), ["N", "A!", "B", "local"]);
    anna.undo("refresh-1").ok();
    let after = anna.list();
    assert_eq!(after.texts(), before.texts());
    assert_eq!(after.0["TemplateVersion"], 1);
    assert_eq!(after.counts(), before.counts());
    for (was, is) in before.items().iter().zip(after.items()) {
        for member in [
            "Id",
            "Text",
            "Status",
            "StatusBy",
            "Note",
            "RetiredAt",
            "Attested",
        ] {
            assert_eq!(is[member], was[member], "{member} of {}", was["Text"]);
        }
    }
    assert_eq!(
        after.0["TemplateUpdate"]["ToVersion"], 2,
        "the update is on offer again"
    );
}

#[test]
fn a_list_without_a_template_has_nothing_to_refresh_to() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("mine");
    let before = anna.list();
    anna.call("RefreshItemsOnTemplateChange", json!({}))
        .refused(404, "TemplateNotFound");
    assert_eq!(anna.list(), before);
}

#[test]
fn with_the_automatic_policy_open_lists_follow_and_locked_and_complete_ones_do_not() {
    let server = Server::demo();
    let auto = |text: &str| {
        let mut template = fragment("f", [item("a", text)]);
        template["RefreshPolicy"] = json!("Auto");
        template
    };
    publish(&server, &auto("old"));
    let list = |id: &str| server.as_owner("Anna").on(&incident(id).from_template("f"));
    let (open, complete, locked) = (list("open"), list("complete"), list("locked"));
    open.add("local");
    complete.tick("old");
    locked.add("local");
    locked.lock("closed");
    publish(&server, &auto("new"));
    checklist_tests::until("the open list to follow", || {
        open.list().has("new").then_some(())
    });
    assert_eq!(complete.list().by_key("a")["Text"], "old");
    assert_eq!(locked.list().by_key("a")["Text"], "old");
}
