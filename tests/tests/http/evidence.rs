//! Items that are done only with evidence: what is taken, kept, attested and erased.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, optional_to_apply, with};
use serde_json::{Value, json};

use crate::one_host::OneHost;

fn world() -> OneHost {
    let evidence = json!({ "RequiresEvidence": true });
    let items = [with(optional_to_apply(item("a", "Test it")), evidence)];
    OneHost::with(&fragment("f", items))
}

#[test]
fn it_is_done_with_evidence_alone_and_the_trail_attests_it_until_it_is_erased() {
    let world = world();
    let ada = world.checker("ada");
    assert_eq!(ada.tick("Test it").problem("Failed"), "EvidenceRequired");
    let evidence = json!({ "Name": "Run 7 of Ada", "Url": "https://ci.example/7", "Size": 812,
        "Sha256": "ab".repeat(32) });
    let fields = json!({ "Status": "Done", "Evidence": evidence });
    ada.change("Test it", fields.clone()).only("Updated");
    ada.change("Test it", fields).only("Unchanged");
    let list = ada.list();
    assert!(list.completed());
    assert_eq!(list.item("Test it")["Proposal"]["Evidence"], evidence);
    assert_eq!(list.item("Test it")["Proposal"]["By"]["Id"], "ada");
    let admin = world.admin();
    let rows = admin.audit();
    let checked = rows.iter().find(|row| row["Event"]["What"] == "Checked");
    assert_eq!(checked.expect("a row")["Event"]["Evidence"], evidence);

    world.erase("ada");
    let shown = world.checker("bob").list().item("Test it").clone();
    assert_eq!(shown["Status"], "Done", "it stays done");
    assert_eq!(shown["Proposal"]["Evidence"], Value::Null);
    let rows = Value::from(admin.audit()).to_string();
    assert!(!rows.contains("Run 7 of Ada"), "{rows}");
}

#[test]
fn evidence_that_cannot_be_shown_or_supports_no_status_is_refused_with_where_it_stands() {
    let world = world();
    let ada = world.checker("ada");
    let run = json!({ "Name": "Run 7", "Url": "https://ci.example/7" });
    let wrong = json!({ "Name": " ", "Url": "javascript:alert(1)", "Sha256": "AB" });
    for (fields, pointers) in [
        (
            json!({ "Status": "Done", "Evidence": wrong }),
            vec!["Evidence/Name", "Evidence/Sha256", "Evidence/Url"],
        ),
        (json!({ "Evidence": run }), vec!["Evidence"]),
        (
            json!({ "Status": "Open", "Evidence": run }),
            vec!["Evidence"],
        ),
        (
            json!({ "Proposal": "Accept", "BaseVersion": 1, "Status": "Done", "Evidence": run }),
            vec!["Evidence"],
        ),
    ] {
        let mut fields = fields;
        fields["Id"] = json!(ada.id("Test it"));
        let refused = ada.call("UpdateItems", json!({ "Items": [fields] }));
        let problem = refused.refused(422, "InvalidRequest");
        let wanted: Vec<String> = pointers.iter().map(|at| format!("/Items/0/{at}")).collect();
        assert_eq!(error_pointers(&problem), wanted);
    }
    assert_eq!(ada.list().revision(), 0, "nothing was written");
    let set_aside = json!({ "Status": "NotApplicable", "Reason": "No build" });
    ada.change("Test it", set_aside).only("Updated");
}
