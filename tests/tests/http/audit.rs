//! The audit trail: one row a change, with full text, in the same transaction.
//!
//! `audit verify` is given trails that somebody with the file in hand has altered.

use std::collections::BTreeSet;

use checklist_tests::{HostKey, Server, Setup, incident, until};
use serde_json::{Value, json};

#[test]
fn every_change_leaves_a_row_with_text_actor_basis_and_operation() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let anna = server.as_editor("Anna").on(&admin.place);
    anna.add("Ask the owner");
    let item = anna.list();
    let item = item.item("Ask the owner");
    let body = json!({
        "OperationId": "op-1",
        "Items": [{ "Id": item["Id"], "Status": "Done", "SeenTextHash": item["TextHash"] }]
    });
    anna.call("UpdateItems", body).ok();
    anna.delete("Ask the owner");
    let rows = admin.audit();
    let what: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["Event"]["What"].as_str())
        .collect();
    let of_items: Vec<_> = what.into_iter().filter(|what| *what != "Created").collect();
    assert_eq!(of_items, ["Added", "Checked", "Deleted"]);
    let tick = rows
        .iter()
        .find(|row| row["Event"]["What"] == "Checked")
        .unwrap();
    assert_eq!(tick["Event"]["Text"], "Ask the owner");
    assert_eq!(tick["Event"]["Basis"], "Seen");
    assert_eq!(tick["Event"]["ItemId"], item["Id"]);
    assert_eq!(tick["Actor"]["Name"], "Anna");
    assert_eq!(tick["OperationId"], "op-1");
    assert_eq!(tick["Revision"], 2);
    assert_eq!(tick["Context"]["Purpose"], "x");
}

#[test]
fn rows_count_without_gaps_and_each_has_a_hash_of_its_own() {
    let server = Server::demo();
    let admin = server
        .as_admin()
        .on(&incident("1").from_template("onboarding"));
    let list = admin.list();
    for item in list
        .items()
        .iter()
        .filter(|item| item["Kind"] == "Item")
        .take(5)
    {
        admin.update(json!([{ "Id": item["Id"], "Status": "Done" }]));
    }
    let rows = admin.audit();
    assert!(rows.len() >= 5);
    let mut hashes = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["Sequence"], index + 1);
        let hash = row["Hash"].as_str().unwrap();
        assert_eq!(hash.len(), 64);
        assert!(hashes.insert(hash), "{row}");
    }
}

#[test]
fn refused_and_unchanged_writes_leave_no_row() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    admin.add("A");
    admin.tick("A");
    let rows = admin.audit().len();
    admin.tick("A");
    admin.change("A", json!({ "Text": "B", "BaseVersion": 0 }));
    admin.add_items(json!([{ "Text": " " }]));
    assert_eq!(admin.audit().len(), rows);
}

#[test]
fn lock_and_refresh_are_in_the_trail() {
    let server = Server::demo();
    let admin = server
        .as_admin()
        .on(&incident("1").from_template("server-decommission"));
    admin
        .call("RefreshItemsOnTemplateChange", json!({ "ToVersion": 1 }))
        .ok();
    admin.refresh();
    admin.lock("done");
    admin.unlock();
    let what: Vec<Value> = admin
        .audit()
        .iter()
        .map(|row| row["Event"]["What"].clone())
        .collect();
    for expected in ["Refreshed", "Locked", "Unlocked"] {
        assert!(what.contains(&json!(expected)), "no {expected} in {what:?}");
    }
}

#[test]
fn only_auditors_read_it() {
    let server = Server::demo();
    server
        .as_owner("Olga")
        .on(&incident("1"))
        .get("Audit")
        .refused(403, "PermissionDenied");
    server
        .as_somebody_who_may(&["Read", "Audit"])
        .on(&incident("1"))
        .get("Audit")
        .ok();
}

#[test]
fn the_trail_comes_in_pages() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    for n in 0..3 {
        let items: Vec<_> = (0..60)
            .map(|m| json!({ "Text": format!("{n}-{m}") }))
            .collect();
        admin.add_items(json!(items));
    }
    let all = admin.audit();
    assert!(all.len() >= 180);
    let cursor = all[99]["Sequence"].as_u64().unwrap();
    let rest = admin.get(&format!("Audit?After={cursor}")).ok();
    assert_eq!(rest["Rows"][0]["Sequence"], cursor + 1);
}

#[test]
fn a_sound_trail_is_verified() {
    let mut server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("A");
    anna.tick("A");
    server.stop();
    let ended = server.run(&["audit", "verify"]);
    assert!(ended.status.success(), "{}", ended.said);
}

#[test]
fn an_altered_or_missing_row_is_found() {
    let tamper = [
        "UPDATE audit SET words = replace(words, 'Ask the owner', 'Ask nobody')",
        "DELETE FROM audit WHERE sequence = 2",
        "DELETE FROM audit WHERE sequence = (SELECT max(sequence) - 1 FROM audit)",
    ];
    for statement in tamper {
        let mut server = Server::demo();
        let anna = server.editor_on(&incident("1").for_purpose("x"));
        anna.add("Ask the owner");
        anna.tick("Ask the owner");
        anna.untick("Ask the owner");
        anna.tick("Ask the owner");
        server.stop();
        server.tamper(statement);
        let ended = server.run(&["audit", "verify"]);
        assert!(
            !ended.status.success(),
            "{statement} went unseen: {}",
            ended.said
        );
        assert!(!ended.said.contains("panicked"), "{}", ended.said);
    }
}

#[test]
fn a_list_that_is_not_as_the_trail_says_is_named() {
    let tamper = [
        (
            "UPDATE item SET status = 'Done' WHERE status = 'Open'",
            "is done, and by the trail open",
        ),
        (
            "DELETE FROM item WHERE status = 'Done'",
            "is missing, and by the trail there",
        ),
        (
            "UPDATE item SET deleted_at = NULL",
            "is there, and by the trail deleted",
        ),
        (
            "UPDATE checklist SET revision = revision + 1",
            "has revision",
        ),
        (
            "DELETE FROM item; DELETE FROM checklist",
            "the list of incident 1 (x) is missing",
        ),
    ];
    for (statement, said) in tamper {
        let mut server = Server::demo();
        let anna = server.editor_on(&incident("1").for_purpose("x"));
        for name in ["A", "B", "C"] {
            anna.add(name);
        }
        anna.tick("A");
        anna.delete("C");
        server.stop();
        let sound = server.run(&["audit", "verify", "--lists"]);
        assert!(sound.status.success(), "{}", sound.said);
        for part in statement.split("; ") {
            server.tamper(part);
        }
        let blind = server.run(&["audit", "verify"]);
        assert!(blind.status.success(), "{}", blind.said);
        let ended = server.run(&["audit", "verify", "--lists"]);
        assert_eq!(ended.status.code(), Some(5), "{statement}: {}", ended.said);
        assert!(ended.said.contains(said), "{statement}: {}", ended.said);
    }
}

#[test]
fn each_tenant_has_a_trail_of_its_own() {
    let hosts = [HostKey::of("north"), HostKey::of("south")];
    let server = Setup::for_hosts(&hosts).start();
    let place = incident("1").for_purpose("x");
    let south = |name: &str| {
        let claims = hosts[1].claims(&server.base_url(), name, &["Read", "Add", "Audit"]);
        server
            .as_admin()
            .on(&place)
            .with_token(&hosts[1].sign(&claims))
    };
    server.as_admin().on(&place).add("north's");
    south("Sue").add("south's");
    let rows = south("Sue").audit();
    assert!(
        rows.iter().all(|row| row["Event"]["Text"] != "north's"),
        "{rows:?}"
    );
    assert_eq!(rows[0]["Sequence"], 1);
}

#[test]
fn a_trail_without_rows_is_altered_and_a_tenant_that_does_not_exist_is_told() {
    let mut server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("A");
    let unknown = server.run(&["audit", "verify", "--tenant", "nobody's"]);
    assert_eq!(unknown.status.code(), Some(3), "{}", unknown.said);
    assert!(!unknown.said.contains("unbroken"), "{}", unknown.said);
    server.stop();
    server.tamper("DELETE FROM audit");
    let ended = server.run(&["audit", "verify"]);
    assert_eq!(ended.status.code(), Some(5), "{}", ended.said);
}

#[test]
fn a_key_that_can_sign_no_checkpoints_is_told_at_the_start_with_what_to_do() {
    let hosts = [HostKey::of("north"), HostKey::of("south")];
    let mut server = Setup::for_hosts(&hosts).with_vault().start();
    let told = |server: &Server| -> Vec<String> {
        let errors = server.errors();
        let lines = errors.lines().map(str::to_owned);
        lines
            .filter(|line| line.contains("cannot be signed"))
            .collect()
    };
    // Their keys are made when the first checkpoint of each is signed, and that is at the next start.
    for tenant in ["north", "south"] {
        let _ = server.admin_key(tenant, "Ada");
    }
    server.restart();
    assert_eq!(told(&server), [""; 0], "no key is needed yet");
    for tenant in ["north", "south"] {
        until("a checkpoint", || {
            let made = server.run(&["audit", "checkpoint", "--tenant", tenant]);
            made.status.success().then_some(())
        });
    }
    let of_south = "(SELECT verifier FROM audit_key WHERE tenant = 'south')";
    for (change, why, hint) in [
        (
            "UPDATE audit_key SET key_id = 'lost'",
            "cannot be opened",
            "rotate-key",
        ),
        (
            &*format!("UPDATE audit_key SET key_id = 'of-the-tests', verifier = {of_south}"),
            "do not belong together",
            "rotate-key",
        ),
        (
            "UPDATE audit_key SET verifier = ''",
            "cannot be read",
            "backup",
        ),
        ("DELETE FROM audit_key", "is missing", "backup"),
    ] {
        server.stop();
        server.spoil(&format!("{change} WHERE tenant = 'north'"));
        server.start_again();
        // What it logs is read on another thread than its address.
        let told = until(change, || {
            Some(told(&server)).filter(|told| !told.is_empty())
        });
        assert_eq!(told.len(), 1, "{change}: {told:?}");
        for word in [why, hint, "north"] {
            assert!(told[0].contains(word), "{change}: {told:?}");
        }
        server
            .editor_on(&incident("1").for_purpose("x"))
            .add("the server goes on");
    }
    // No new key takes the place of the one that has signed.
    let none = server.run(&["audit", "key", "--tenant", "north"]);
    assert!(!none.status.success(), "{}", none.said);
}
