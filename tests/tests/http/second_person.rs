//! Items that take a second person: one does it, another one confirms, on every path.

use checklist_tests::template::{fragment, item, optional_to_apply, publish, with};
use checklist_tests::{Person, Written};
use serde_json::{Value, json};

use crate::one_host::OneHost;

const EDITOR: [&str; 5] = ["Read", "Check", "UncheckOthers", "Refresh", "Delete"];

/// A list with an item that takes a second person, and one that does not.
fn world() -> OneHost {
    let second = json!({ "SecondPerson": true });
    let items = [
        with(optional_to_apply(item("a", "Pay it")), second),
        item("b", "Tell the team"),
    ];
    OneHost::with(&fragment("f", items))
}

fn ada_and_bob(world: &OneHost) -> (Person, Person) {
    (world.person("ada", &EDITOR), world.person("bob", &EDITOR))
}

fn program(world: &OneHost) -> Person {
    world.program(&json!({ "Name": "Sync", "Roles": ["editor"] }))
}

/// Decides about what waits, as it is read now.
fn decide(person: &Person, decision: &str) -> Written {
    let version = person.list().item("Pay it")["Version"].clone();
    let fields = json!({ "Proposal": decision, "BaseVersion": version });
    person.change("Pay it", fields)
}

#[test]
fn one_does_it_and_only_another_person_confirms_it_and_the_trail_names_both() {
    let world = world();
    let (ada, bob) = ada_and_bob(&world);
    ada.tick("Tell the team");
    let ticked = ada.tick("Pay it");
    let answer = ticked.only("Updated")["Item"].clone();
    assert_eq!(answer["Status"], "Open");
    assert_eq!(answer["AwaitingConfirmation"], true);
    assert_eq!(answer["Proposal"]["By"]["Id"], "ada");
    let waiting = bob.list();
    assert!(!waiting.completed(), "it counts as open");
    assert_eq!(waiting.0["Counts"]["Done"], 1);

    let approved = json!({ "sub": "finch", "name": "Finch", "mode": "Approved" });
    let refused = [
        (ada.clone(), "NeedsSecondPerson"),
        (
            world.acting_for("ada", &EDITOR, approved.clone()),
            "NeedsPerson",
        ),
        (world.acting_for("bob", &EDITOR, approved), "NeedsPerson"),
        (program(&world), "NeedsPerson"),
    ];
    for (person, code) in &refused {
        assert_eq!(decide(person, "Accept").problem("Failed"), *code);
    }
    assert_eq!(bob.tick("Pay it").problem("Conflict"), "ProposalConflict");
    assert!(!bob.list().completed(), "nothing was confirmed");

    decide(&bob, "Accept");
    let list = bob.list();
    assert!(list.completed());
    let shown = list.item("Pay it");
    assert_eq!(shown["StatusBy"]["Id"], "bob");
    assert_eq!(shown["Proposal"]["By"]["Id"], "ada");
    assert_eq!(shown["AwaitingConfirmation"], Value::Null);
    let rows = world.admin().audit();
    let row = |what: &str, who: &str| {
        let is_it = |row: &&Value| row["Event"]["What"] == what && row["Actor"]["Id"] == who;
        rows.iter().find(is_it).cloned().unwrap_or_default()
    };
    let (did, confirmed) = (row("Proposed", "ada"), row("Checked", "bob"));
    assert_eq!(did["Event"]["Status"], "Done");
    assert_eq!(did["Event"]["Basis"], "Assumed");
    assert_eq!(confirmed["Event"]["ProposedIn"], did["Revision"]);
}

#[test]
fn what_a_program_or_an_assistant_did_a_person_confirms_who_is_not_behind_it() {
    let world = world();
    let (ada, bob) = ada_and_bob(&world);
    let finch = world.acting_for("ada", &EDITOR, json!({ "sub": "finch", "name": "Finch" }));
    finch.tick("Pay it");
    assert_eq!(
        decide(&ada, "Accept").problem("Failed"),
        "NeedsSecondPerson"
    );
    decide(&ada, "Decline").only("Updated");
    let program = program(&world);
    program.set("Pay it", "NotApplicable");
    decide(&bob, "Decline").only("Updated");
    let item = program.id("Pay it");
    let wish =
        json!({ "Items": [{ "Id": item, "Status": "NotApplicable", "Reason": "Paid twice" }] });
    program.call("ProposeItems", wish).ok();
    decide(&ada, "Accept");
    let shown = ada.list().item("Pay it").clone();
    assert_eq!(shown["Status"], "NotApplicable");
    assert_eq!(shown["Reason"], "Paid twice");
}

#[test]
fn undo_deletion_and_a_newer_template_keep_to_it_and_an_erasure_leaves_it_confirmed() {
    let world = world();
    let (ada, bob) = ada_and_bob(&world);
    ada.tick("Pay it");
    decide(&bob, "Accept");
    let opened =
        json!({ "OperationId": "opened", "Items": [{ "Id": ada.id("Pay it"), "Status": "Open" }] });
    ada.call("UpdateItems", opened).ok();
    assert_eq!(ada.list().status("Pay it"), "Open");
    let refused = ada.undo("opened").refused(409, "CannotUndo");
    assert!(refused.to_string().contains("second person"));
    assert_eq!(ada.delete("Pay it").problem("Failed"), "RequiredItem");

    ada.tick("Pay it");
    decide(&bob, "Accept");
    ada.tick("Tell the team");
    let second = json!({ "SecondPerson": true });
    let items = [item("a", "Pay it"), item("b", "Tell the team")];
    publish(
        &world.server,
        &fragment("f", items.map(|item| with(item, second.clone()))),
    );
    ada.refresh();
    let list = ada.list();
    assert_eq!(list.status("Pay it"), "Done", "two have resolved it");
    assert_eq!(list.status("Tell the team"), "Open", "only one has");

    world.erase_name("ada");
    let shown = bob.list().item("Pay it").clone();
    assert_eq!(shown["Status"], "Done");
    assert_eq!(shown["Proposal"]["By"]["Kind"], "Erased");
    assert_eq!(shown["StatusBy"]["Id"], "bob");
}
