//! Items that need a person, and what programs and agents propose for them.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, optional_to_apply, with};
use checklist_tests::{HostKey, Person, Setup, incident};
use serde_json::{Value, json};

use crate::one_host::{CHECKER, OneHost};

/// A list with an item that needs a person, and one that does not.
fn world() -> OneHost {
    let needs = json!({ "NeedsPerson": true });
    let items = [
        with(optional_to_apply(item("a", "Release it")), needs),
        item("b", "Tell the team"),
    ];
    OneHost::with(&fragment("f", items))
}

/// An agent that acts for Ada.
fn finch(world: &OneHost) -> Person {
    world.acting_for("ada", &CHECKER, json!({ "sub": "finch", "name": "Finch" }))
}

fn propose(agent: &Person, mut fields: Value) -> checklist_tests::Written {
    fields["Id"] = json!(agent.id("Release it"));
    agent
        .call("ProposeItems", json!({ "Items": [fields] }))
        .written()
}

/// Decides about what is proposed, as it is read now.
fn decide(person: &Person, decision: &str) -> checklist_tests::Written {
    let version = person.list().item("Release it")["Version"].clone();
    let fields = json!({ "Proposal": decision, "BaseVersion": version });
    person.change("Release it", fields)
}

#[test]
fn an_agent_and_a_program_may_not_resolve_what_needs_a_person_by_any_call() {
    let world = world();
    let finch = finch(&world);
    let program = json!({ "sub": "sync", "kind": "Program" });
    let program = world.acting_for("ada", &["Read", "Check", "Delete"], program);
    for caller in [&finch, &program] {
        for status in ["Done", "NotApplicable"] {
            let refused = caller.set("Release it", status);
            assert_eq!(refused.problem("Failed"), "NeedsPerson");
        }
    }
    assert_eq!(
        program.delete("Release it").problem("Failed"),
        "NeedsPerson"
    );
    assert_eq!(
        finch.list().item("Release it")["Version"],
        1,
        "nothing was begun"
    );

    let batch = |atomic: bool| {
        let done = |text: &str| json!({ "Id": finch.id(text), "Status": "Done" });
        let items = json!([done("Tell the team"), done("Release it")]);
        finch.call("UpdateItems", json!({ "Atomic": atomic, "Items": items }))
    };
    let nothing = batch(true).refused(409, "NotApplied");
    assert_eq!(nothing["Results"][1]["Problem"]["Code"], "NeedsPerson");
    assert_eq!(finch.list().status("Tell the team"), "Open");
    assert_eq!(batch(false).written().outcomes(), ["Updated", "Failed"]);
    assert_eq!(finch.list().status("Tell the team"), "Done");
    assert!(!finch.list().completed());
}

#[test]
fn an_agent_whose_very_act_the_person_has_confirmed_may_and_says_so() {
    let world = world();
    let act = json!({ "sub": "finch", "name": "Finch", "mode": "Approved" });
    let finch = world.acting_for("ada", &CHECKER, act);
    finch.tick("Release it");
    let by = finch.list().item("Release it")["StatusBy"].clone();
    assert_eq!(
        (&by["Kind"], &by["Mode"]),
        (&json!("Agent"), &json!("Approved"))
    );
    assert_eq!(by["OnBehalfOf"]["Id"], "ada");
}

#[test]
fn what_is_proposed_is_shown_with_its_evidence_and_the_trail_says_who_proposed_and_who_accepted() {
    let world = world();
    let finch = finch(&world);
    let evidence = json!({ "Name": "Run 7", "Url": "https://ci.example/7", "Size": 812,
        "Sha256": "ab".repeat(32) });
    let wish = json!({ "Status": "Done", "Reason": "The run is green", "Evidence": evidence });
    assert_eq!(propose(&finch, wish.clone()).outcomes(), ["Updated"]);
    assert_eq!(propose(&finch, wish).outcomes(), ["Unchanged"]);
    let ada = world.checker("ada");
    let shown = ada.list().item("Release it").clone();
    assert_eq!(shown["Status"], "Open");
    let proposal = &shown["Proposal"];
    assert_eq!(proposal["Evidence"], evidence);
    assert_eq!(proposal["Reason"], "The run is green");
    assert_eq!(proposal["By"]["Name"], "Finch");

    assert_eq!(decide(&finch, "Accept").problem("Failed"), "NeedsPerson");
    decide(&ada, "Accept");
    let shown = ada.list().item("Release it").clone();
    assert_eq!(
        (&shown["Status"], &shown["StatusBy"]["Kind"]),
        (&json!("Done"), &json!("Person"))
    );
    assert_eq!(shown["Proposal"]["Accepted"], true);
    let rows = world.admin().get("Audit?ObjectId=1").ok();
    let rows = rows["Rows"].as_array().expect("rows").clone();
    let row = |what: &str| {
        let mut found = rows.iter();
        let found = found.find(|row| row["Event"]["What"] == what);
        found
            .unwrap_or_else(|| panic!("{what} in {rows:#?}"))
            .clone()
    };
    let (proposed, checked) = (row("Proposed"), row("Checked"));
    assert_eq!(proposed["Actor"]["Id"], "finch");
    assert_eq!(proposed["Event"]["Evidence"], evidence);
    assert_eq!(checked["Actor"]["Id"], "ada");
    assert_eq!(checked["Event"]["ProposedIn"], proposed["Revision"]);
}

#[test]
fn one_proposal_waits_and_whoever_decides_has_read_it() {
    let world = world();
    let finch = finch(&world);
    let ada = world.checker("ada");
    propose(&finch, json!({ "Status": "Done" }));
    let read = ada.list().item("Release it")["Version"].clone();
    let other = world.acting_for("ada", &CHECKER, json!({ "sub": "wren", "name": "Wren" }));
    let refused = propose(&other, json!({ "Status": "Done", "Reason": "mine" }));
    assert_eq!(refused.problem("Conflict"), "ProposalConflict");
    propose(
        &finch,
        json!({ "Status": "NotApplicable", "Reason": "No such release" }),
    );
    let late = json!({ "Proposal": "Accept", "BaseVersion": read });
    let late = ada.change("Release it", late);
    assert_eq!(late.problem("Conflict"), "ProposalConflict");
    decide(&ada, "Decline");
    let shown = ada.list().item("Release it").clone();
    assert_eq!(
        (&shown["Status"], &shown["Proposal"]),
        (&json!("Open"), &Value::Null)
    );
    propose(&other, json!({ "Status": "Done" }));
    ada.tick("Release it");
    assert_eq!(
        ada.list().item("Release it")["Proposal"],
        Value::Null,
        "the tick ends it"
    );
}

#[test]
fn what_cannot_be_shown_as_evidence_is_refused_with_where_it_stands() {
    let world = world();
    let finch = finch(&world);
    let id = finch.id("Release it");
    for (evidence, pointer) in [
        (
            json!({ "Name": "x", "Url": "javascript:alert(1)" }),
            "Evidence/Url",
        ),
        (
            json!({ "Name": "x", "Url": "https://u@evil.example/" }),
            "Evidence/Url",
        ),
        (
            json!({ "Name": " ", "Url": "https://ci.example" }),
            "Evidence/Name",
        ),
        (
            json!({ "Name": "x", "Url": "https://ci.example", "Sha256": "AB" }),
            "Evidence/Sha256",
        ),
        (
            json!({ "Name": "x", "Url": "https://ci.example", "Size": -1 }),
            "Evidence/Size",
        ),
        (
            json!({ "Name": "x", "Url": "https://ci.example", "File": "" }),
            "Evidence/File",
        ),
    ] {
        let items = json!([{ "Id": id, "Status": "Done", "Evidence": evidence }]);
        let refused = finch.call("ProposeItems", json!({ "Items": items }));
        let problem = refused.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [format!("/Items/0/{pointer}")]);
    }
    let ada = world.checker("ada");
    for (fields, pointer) in [
        (json!({ "Proposal": "Accept" }), "BaseVersion"),
        (
            json!({ "Proposal": "Decline", "Status": "Done", "BaseVersion": 1 }),
            "Proposal",
        ),
        (
            json!({ "Proposal": "Accept", "Reason": "mine", "BaseVersion": 1 }),
            "Proposal",
        ),
        (
            json!({ "Proposal": "Perhaps", "BaseVersion": 1 }),
            "Proposal",
        ),
    ] {
        let mut fields = fields;
        fields["Id"] = json!(id);
        let refused = ada.call("UpdateItems", json!({ "Items": [fields] }));
        let problem = refused.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [format!("/Items/0/{pointer}")]);
    }
    assert_eq!(ada.list().revision(), 0, "nothing was written");
}

#[test]
fn nobody_proposes_without_the_permission_and_nothing_in_another_tenant() {
    let (north, south) = (HostKey::of("north"), HostKey::of("south"));
    let server = Setup::for_hosts(&[north.clone(), south.clone()]).start();
    let person = |host: &HostKey, permissions: &[&str]| {
        let token = host.sign(&host.claims(&server.base_url(), "ada", permissions));
        let anybody = server.as_reader("Rita").on(&incident("1"));
        anybody.with_token(&token)
    };
    let owner = person(&north, &["Read", "Check", "Add"]);
    let id = owner.add("Release it");
    let wish = json!({ "Items": [{ "Id": id, "Status": "Done" }] });
    person(&north, &["Read", "Add"])
        .call("ProposeItems", wish.clone())
        .refused(403, "PermissionDenied");
    let elsewhere = person(&south, &CHECKER).call("ProposeItems", wish.clone());
    assert_eq!(elsewhere.written().problem("Failed"), "ItemNotFound");
    assert_eq!(owner.list().item("Release it")["Proposal"], Value::Null);
    assert_eq!(
        owner.call("ProposeItems", wish).written().outcomes(),
        ["Updated"]
    );
}

#[test]
fn a_proposal_is_repeated_without_harm_and_taken_back_by_its_agent() {
    let world = world();
    let finch = finch(&world);
    let items = json!([{ "Id": finch.id("Release it"), "Status": "Done" }]);
    let wish = json!({ "OperationId": "once", "Items": items });
    let first = finch.call("ProposeItems", wish.clone()).ok();
    assert_eq!(finch.call("ProposeItems", wish).ok(), first);
    finch.undo("once").ok();
    assert_eq!(finch.list().item("Release it")["Proposal"], Value::Null);
    propose(&finch, json!({ "Status": "Done" }));
    decide(&finch, "Decline");
    assert_eq!(finch.list().item("Release it")["Proposal"], Value::Null);
}
