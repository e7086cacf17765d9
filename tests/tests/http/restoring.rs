//! RestoreItems: what was deleted is named with who and when, and comes back.
//!
//! What comes along, where it stands, and what stays away is tested with the rules in `shared`.

use checklist_tests::template::{fragment, item, publish, required, section, under};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

#[test]
fn a_delete_without_an_operation_id_is_restored_by_somebody_else_who_sees_who_deleted_and_when() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    let id = anna.add("Build");
    anna.add("Clean");
    anna.change("Build", json!({ "Status": "Done", "Note": "by hand" }));
    let before = anna.list();
    anna.delete("Build").only("Deleted");
    assert_eq!(anna.list().0.get("Deleted"), None, "only who asks is told");

    let bob = server.as_editor("Bob").on(&anna.place);
    let deleted = bob.deleted();
    let [gone] = deleted.as_slice() else {
        panic!("{deleted:?}")
    };
    assert_eq!(
        (&gone["Id"], &gone["Text"], &gone["DeletedBy"]["Name"]),
        (&json!(id), &json!("Build"), &json!("Erin Editor"))
    );
    assert!(gone["DeletedAt"].is_string() && gone["RestorableUntil"].is_string());
    let restored = bob.restore(&[&id]);
    let back = &restored.only("Restored")["Item"];
    assert_eq!(
        (&back["Note"], &back["Status"]),
        (&json!("by hand"), &json!("Done"))
    );
    assert_eq!(back["ModifiedBy"]["Name"], "Bob");
    assert_eq!(back.get("DeletedAt"), None);
    let after = anna.list();
    assert_eq!(after.texts(), before.texts());
    assert_eq!(after.counts(), before.counts());
    assert!(bob.deleted().is_empty());
    bob.restore(&[&id]).only("Unchanged");
    assert_eq!(anna.list().revision(), after.revision());
}

#[test]
fn a_section_comes_back_with_what_was_deleted_with_it_and_the_answer_names_all() {
    let server = Server::demo();
    let section = [
        section("s", "S"),
        under("s", item("a", "A")),
        under("s", item("b", "B")),
    ];
    publish(&server, &fragment("f", section));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let (id, texts) = (anna.id("S"), anna.list().0["Items"].clone());
    anna.delete("S");
    let restored = anna.restore(&[&id]);
    assert_eq!(restored.outcomes(), ["Restored", "Restored", "Restored"]);
    let named = restored
        .results()
        .iter()
        .map(|result| result["Item"]["Text"].clone());
    assert_eq!(named.collect::<Vec<Value>>(), ["S", "A", "B"]);
    let of = |items: &Value| -> Vec<Value> {
        let items = items.as_array().expect("items").iter();
        items.map(|item| item["Text"].clone()).collect()
    };
    assert_eq!(of(&anna.list().0["Items"]), of(&texts));
}

#[test]
fn a_restore_stands_in_the_journal_and_the_audit_trail_and_is_told_at_once() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let id = anna.add("Ask");
    anna.delete("Ask");
    let stream = anna.follow();
    stream.next("list");
    let body = json!({ "Ids": [id], "LogInJournal": true, "OperationId": "back" });
    let written = anna.call("RestoreItems", body.clone()).ok();
    assert_eq!(written["Journal"]["Written"], true);
    let told = stream.next("items");
    assert_eq!(told["Items"][0]["Id"], json!(id));
    let entries = anna.journal();
    let text = entries.last().expect("an entry")["Text"].to_string();
    assert!(text.contains("1 restored"), "{text}");
    let admin = server.as_admin().on(&anna.place);
    let rows = admin.get("Audit?Limit=500").ok();
    let row = rows["Rows"].as_array().expect("rows").last().cloned();
    let row = row.expect("a row");
    assert_eq!(row["Event"]["What"], "Restored", "{row}");
    assert_eq!(
        (&row["OperationId"], &row["Event"]["Text"]),
        (&json!("back"), &json!("Ask"))
    );
    // A repeat gets the same answer; the operation is taken back like any other.
    assert_eq!(anna.call("RestoreItems", body).ok(), written);
    anna.undo("back").ok();
    assert!(!anna.list().has("Ask"));
    assert_eq!(anna.deleted().len(), 1);
}

#[test]
fn who_may_not_delete_neither_sees_nor_restores_what_was_deleted_and_a_lock_holds() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    let id = anna.add("Ask");
    anna.delete("Ask");
    let carl = server.as_checker("Carl").on(&anna.place);
    carl.call("GetItems", json!({ "IncludeDeleted": true }))
        .refused(403, "PermissionDenied");
    carl.call("RestoreItems", json!({ "Ids": [id] }))
        .refused(403, "PermissionDenied");
    anna.lock("audit");
    anna.call("RestoreItems", json!({ "Ids": [id] }))
        .refused(409, "Locked");
    assert_eq!(anna.deleted().len(), 1);
}

#[test]
fn what_the_template_has_taken_away_is_named_without_a_date_and_refused_with_the_reason() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("f"));
    anna.tick("A");
    publish(&server, &fragment("f", [item("a", "A")]));
    anna.refresh();
    let deleted = anna.deleted();
    assert_eq!(deleted[0]["Text"], "B");
    assert_eq!(deleted[0].get("RestorableUntil"), None);
    let id = deleted[0]["Id"].as_str().expect("an id").to_owned();
    let answer = anna.call("RestoreItems", json!({ "Ids": [id] }));
    answer.refused(409, "NotApplied");
    assert_eq!(answer.written().problem("Failed"), "NotInTemplate");
}

#[test]
fn a_refresh_after_an_undone_one_brings_again_what_the_template_added_required_or_not() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("f"));
    anna.tick("A");
    let new = [
        item("a", "A"),
        required(item("b", "B")),
        item("c", "C"),
        section("s", "S"),
        under("s", item("d", "D")),
    ];
    publish(&server, &fragment("f", new));
    anna.call(
        "RefreshItemsOnTemplateChange",
        json!({ "OperationId": "refresh" }),
    )
    .ok();
    let once = anna.list();
    assert_eq!(once.texts(), ["A", "B", "C", "S", "D"]);
    anna.undo("refresh").ok();
    assert_eq!(anna.list().texts(), ["A"]);
    let again = anna.refresh();
    assert_eq!(
        again.cases(),
        [
            ("Added", "b"),
            ("Added", "c"),
            ("Added", "d"),
            ("Added", "s")
        ]
    );
    let list = anna.list();
    assert_eq!((list.texts(), list.ids()), (once.texts(), once.ids()));
    assert_eq!(list.counts(), once.counts());
}

#[test]
fn an_editor_does_not_delete_what_the_template_requires_nor_its_section() {
    let server = Server::demo();
    let items = [
        section("s", "S"),
        under("s", required(item("a", "A"))),
        item("b", "B"),
    ];
    publish(&server, &fragment("f", items));
    let anna = server.editor_on(&incident("1").from_template("f"));
    for text in ["A", "S"] {
        let refused = anna.delete(text);
        assert_eq!(refused.problem("Failed"), "RequiredItem", "{text}");
        let detail = refused.results()[0]["Problem"]["Detail"].to_string();
        assert!(detail.contains("DeleteRequired"), "{detail}");
    }
    anna.delete("B").only("Deleted");
    let owner = server.as_owner("Olga").on(&anna.place);
    owner.delete("S").only("Deleted");
    assert_eq!(owner.list().state(), "Empty");
}
