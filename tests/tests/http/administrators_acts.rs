//! Every call by which somebody administers anything writes a row of the audit trail.
//!
//! The calls come from the server's own API document, so a new one fails here until it writes a row, or is
//! listed with the reason why it does not.

use checklist_tests::{HostKey, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

use super::matrix::{self, Need, World};

/// Calls without a row of administration, and why.
const NO_ACT: [(&str, &str); 42] = [
    ("AddItems", LISTS),
    ("BeginLists", LISTS),
    ("DeleteItems", LISTS),
    ("Lock", LISTS),
    ("ProposeItems", LISTS),
    ("SendSignals", LISTS),
    ("RefreshItemsOnTemplateChange", LISTS),
    ("RestoreItems", LISTS),
    ("Undo", LISTS),
    ("UpdateItems", LISTS),
    ("FindItems", READS),
    ("Waive", LISTS),
    ("StartAgain", LISTS),
    ("GetListRuns", READS),
    ("FollowEvents", READS),
    ("GetItemHistory", READS),
    ("GetItems", READS),
    ("Render", READS),
    ("GetSiteItem", READS),
    ("GetSiteItems", READS),
    ("AddSiteItem", REMOTE),
    ("DeleteSiteItem", REMOTE),
    ("EditSiteItem", REMOTE),
    (
        "EstablishSiteConnection",
        "a handle of some minutes, which nothing is kept of",
    ),
    (
        "MintEmbedToken",
        "a token of some minutes; what it is used for is recorded",
    ),
    (
        "ConnectServiceConnection",
        "begins a consent; the row is written when it is given",
    ),
    ("TestServiceConnection", SITE),
    ("StartComputerExport", RUNS),
    ("CancelRun", RUNS),
    ("ConfirmRun", RUNS),
    ("RetryFailedOfRun", RUNS),
    ("StopTemplateRun", ENDED),
    ("ResumeTemplateRun", ENDED),
    ("OpenAdminLink", BROWSER),
    ("UseAdminLink", BROWSER),
    ("UsePasskey", BROWSER),
    ("BeginPasskeySignIn", BROWSER),
    ("AddPasskey", BROWSER),
    ("BeginPasskey", BROWSER),
    ("RenamePasskey", BROWSER),
    ("RemovePasskey", BROWSER),
    ("SignOut", BROWSER),
];

const LISTS: &str = "a change of a list: its rows are those of `audit`";
const READS: &str = "reads, by POST because of what it asks";
const REMOTE: &str = "changes a list of another system, which has its own record";
const SITE: &str = "needs a site that answers: `services::sites::test` writes the row";
const RUNS: &str = "needs a run on a real site: the store's tests of runs look for the row";
const ENDED: &str = "needs a run that has not ended: `apply` looks for the row";
const BROWSER: &str =
    "needs a browser's cookie: `admin_links`, `passkeys` and the store's tests look for the row";

/// The rows of administration so far.
fn acts(world: &World) -> usize {
    let admin = world.server.as_admin().on(&incident("N-1"));
    let mut rows = 0;
    let mut after = 0;
    loop {
        let path = format!("Audit?Category=Administration&Limit=500&After={after}");
        let page = admin.get(&path).ok();
        rows += page["Rows"].as_array().map_or(0, Vec::len);
        if page["More"] != true {
            return rows;
        }
        after = page["Cursor"].as_u64().expect("a cursor");
    }
}

#[test]
fn every_act_of_an_administrator_is_a_row() {
    let world = matrix::world();
    let admin = world.server.as_admin().on(&incident("N-1"));
    let key = |role: &str| admin.program(role, &[role]).token;
    let of_sites = key("site-operator");
    let mut calls = world.calls(&world.ids);
    // What deletes comes after what changes, and what revokes everything last.
    calls.sort_by_key(|call| {
        let is_offer = call.operation == "OfferTemplate";
        (
            call.operation == "Revoke",
            call.method == Method::DELETE,
            is_offer,
        )
    });
    let mut drafts = world.calls(&world.ids);
    drafts.retain(|call| call.operation == "PutTemplateDraft");
    let (mut tried, mut without) = (0, Vec::new());
    for call in &mut calls {
        // An example that repeats what is there, or only tries, is no act.
        match (call.operation.as_str(), &mut call.body) {
            ("PutType", Some(body)) => body["AlwaysJournal"] = json!(true),
            ("ImportComputers" | "ApplyTemplate", Some(body)) => body["DryRun"] = json!(false),
            _ => {}
        }
        let is_known = NO_ACT.iter().any(|(name, _)| *name == call.operation);
        if call.method == Method::GET || is_known || call.need == Need::Demo {
            continue;
        }
        let ada = world.server.admin_key(&world.north.tenant, "Ada Admin");
        let token = match call.need {
            Need::Sites => &of_sites,
            _ => &ada,
        };
        if ["DiscardTemplateDraft", "PublishTemplate"].contains(&call.operation.as_str()) {
            world.ask(&drafts[0], Some(&ada));
        }
        let before = acts(&world);
        let (status, body) = world.ask(call, Some(token));
        let is_done = (200..300).contains(&status);
        if !is_done || call.operation != "Revoke" && acts(&world) == before {
            without.push(format!("{}: {status} {body}", call.operation));
        }
        tried += 1;
    }
    assert_eq!(without, Vec::<String>::new(), "no row was written");
    assert!(tried >= 25, "only {tried} calls");
}

#[test]
fn calls_without_a_row_are_calls_of_the_document() {
    let world = matrix::world();
    let calls = world.calls(&world.ids);
    for (name, _) in NO_ACT {
        assert!(calls.iter().any(|call| call.operation == name), "{name}");
    }
}

#[test]
fn an_export_of_a_log_as_a_file_is_a_row_and_reading_it_is_none() {
    let world = matrix::world();
    let admin = world.server.as_admin().on(&incident("N-1"));
    let exported = || -> Vec<Value> {
        let page = admin.get("Audit?Action=Exported").ok();
        page["Rows"].as_array().expect("rows").clone()
    };
    admin.get("Journal").ok();
    assert_eq!(exported(), Vec::<Value>::new());
    for path in ["Audit?Format=Csv", "Journal?Format=Csv"] {
        assert_eq!(admin.get(path).status, 200);
    }
    let subjects: Vec<Value> = exported()
        .iter()
        .map(|row| row["Act"]["Subject"].clone())
        .collect();
    assert_eq!(subjects, [json!("AuditTrail"), json!("Journal")]);
}

#[test]
fn with_audit_reads_whoever_reads_the_trail_or_a_proof_of_it_is_in_it() {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--audit-reads")
        .start();
    let admin = server.as_admin().on(&incident("N-1"));
    let auditor = server.as_editor("Ada").on(&incident("N-1"));
    assert_eq!(auditor.get("Audit").status, 403);
    admin.get("Audit?Limit=1").ok();
    admin.get("Audit/Verification").ok();
    let read = || -> usize {
        let page = admin.get("Audit?Action=Read").ok();
        page["Rows"].as_array().expect("rows").len()
    };
    assert_eq!(read(), 2, "whoever was refused has read nothing");
    assert_eq!(read(), 3, "and this was a read, too");
    assert_eq!(admin.get("Audit?Format=Csv").status, 200);
    let rows = admin.get("Audit?Action=Exported").ok();
    assert_eq!(rows["Rows"].as_array().map(Vec::len), Some(1), "{rows}");
    assert_eq!(read(), 5, "a file is an export and no read");
}
