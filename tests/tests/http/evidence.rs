//! Items that are done only with evidence: what is taken, kept, attested and erased.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, optional_to_apply, publish, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

const CHECKER: [&str; 2] = ["Read", "Check"];

struct World {
    host: HostKey,
    server: Server,
}

impl World {
    fn new() -> Self {
        let host = HostKey::of("north");
        let server = Setup::for_hosts(std::slice::from_ref(&host)).start();
        let evidence = json!({ "RequiresEvidence": true });
        let items = [with(optional_to_apply(item("a", "Test it")), evidence)];
        publish(&server, &fragment("f", items));
        Self { host, server }
    }

    fn person(&self, id: &str) -> Person {
        let claims = self.host.claims(&self.server.base_url(), id, &CHECKER);
        let anybody = self.server.as_reader("Rita");
        let anybody = anybody.on(&incident("1").from_template("f"));
        anybody.with_token(&self.host.sign(&claims))
    }
}

#[test]
fn it_is_done_with_evidence_alone_and_the_trail_attests_it_until_it_is_erased() {
    let world = World::new();
    let ada = world.person("ada");
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
    let admin = world.server.as_admin().on(&incident("1"));
    let rows = admin.audit();
    let checked = rows.iter().find(|row| row["Event"]["What"] == "Checked");
    assert_eq!(checked.expect("a row")["Event"]["Evidence"], evidence);

    let policy = json!({ "Texts": ["Reasons"] });
    admin.put("Retention", &policy).ok();
    let claims = world.host.claims(&world.server.base_url(), "ada", &CHECKER);
    let who = json!({ "Issuer": claims["iss"], "Subject": "ada" });
    admin.send("Users/Erase", &who).ok();
    let shown = world.person("bob").list().item("Test it").clone();
    assert_eq!(shown["Status"], "Done", "it stays done");
    assert_eq!(shown["Proposal"]["Evidence"], Value::Null);
    let rows = Value::from(admin.audit()).to_string();
    assert!(!rows.contains("Run 7 of Ada"), "{rows}");
}

#[test]
fn evidence_that_cannot_be_shown_or_supports_no_status_is_refused_with_where_it_stands() {
    let world = World::new();
    let ada = world.person("ada");
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
