//! Erasure of people over HTTP: what the wire shows of an erased person, and their token afterwards.

use checklist_tests::host::now;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use serde_json::{Value, json};

const ISSUER: &str = "https://portal.example";

struct World {
    server: Server,
    admin: Person,
}

fn world() -> World {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .start();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    World { server, admin }
}

impl World {
    /// Zoe, with a token that was issued at that second.
    fn zoe(&self, issued_at: u64) -> Person {
        self.server
            .as_editor("Zoe Quill")
            .with_claim("iss", json!(ISSUER))
            .with_claim("sub", json!("zoe-7"))
            .with_claim("iat", json!(issued_at))
            .on(&self.admin.place)
    }

    fn erase(&self) -> Value {
        let who = json!({ "Issuer": ISSUER, "Subject": "zoe-7" });
        self.admin.send("Users/Erase", &who).ok()
    }
}

fn names_her(value: &Value) -> bool {
    let text = value.to_string();
    text.contains("Quill") || text.contains("zoe-7")
}

#[test]
fn an_erased_person_is_nobody_in_json_and_in_csv() {
    let world = world();
    let zoe = world.zoe(now() - 30);
    zoe.add("Ask the owner");
    zoe.tick("Ask the owner");
    assert!(names_her(&world.admin.list().0));
    let erasure = world.erase();
    assert_eq!(
        erasure["AuditRows"], 3,
        "created, added, checked: {erasure}"
    );
    let list = world.admin.list();
    let erased = json!({ "Id": "", "Name": "", "Kind": "Erased" });
    assert_eq!(list.item("Ask the owner")["StatusBy"], erased);
    let rows = world.admin.audit();
    let of_list: Vec<&Value> = rows.iter().filter(|row| row["Event"].is_object()).collect();
    assert_eq!(of_list.len(), 3);
    for row in of_list {
        assert_eq!(row["Actor"], erased, "{row}");
    }
    assert!(!names_her(&json!(rows)));
    let file = world.admin.get("Audit?Format=Csv");
    let csv = file.text();
    assert!(
        csv.contains(",,,Erased,") && !csv.contains("Quill"),
        "{csv}"
    );
    let found = world.admin.get("Audit/Verification").ok();
    assert_eq!(found["Broken"], Value::Null, "{found}");
}

#[test]
fn a_token_from_before_the_erasure_is_refused_and_writes_nothing() {
    let world = world();
    let old = world.zoe(now() - 30);
    old.add("Ask the owner");
    world.erase();
    let rows = world.admin.audit().len();
    let refused = old.call("AddItems", json!({ "Items": [{ "Text": "Too late" }] }));
    refused.refused(401, "Unauthenticated");
    assert_eq!(world.admin.audit().len(), rows);
    assert!(!names_her(&json!(world.admin.audit())));
}

#[test]
fn a_token_from_after_the_erasure_is_a_new_persons() {
    let world = world();
    world.zoe(now() - 30).add("Ask the owner");
    world.erase();
    // Later than the second in which she was erased.
    let new = world.zoe(now() + 3);
    new.add("Back again");
    let list = world.admin.list();
    assert_eq!(list.item("Ask the owner")["CreatedBy"]["Kind"], "Erased");
    assert_eq!(list.item("Back again")["CreatedBy"]["Name"], "Zoe Quill");
}

#[test]
fn an_erasure_that_a_command_begins_beside_the_server_is_finished_at_its_next_start() {
    let mut world = world();
    let zoe = world.zoe(now() - 30);
    zoe.add("Ask the owner");
    let command = ["user", "delete", "--tenant", "north", "--erase"];
    let who = ["--issuer", ISSUER, "--subject", "zoe-7"];
    let begun = world.server.run(&[&command[..], &who].concat());
    assert!(begun.status.success(), "{}", begun.said);
    until("her token to have ended", || {
        (zoe.call("GetItems", json!({})).status == 401).then_some(())
    });
    world.server.stop();
    world.server.start_again();
    let admin = world.server.as_admin().on(&world.admin.place);
    until("nobody to name her", || {
        (!names_her(&admin.list().0) && !names_her(&json!(admin.audit()))).then_some(())
    });
    assert_eq!(
        admin.list().item("Ask the owner")["CreatedBy"]["Kind"],
        "Erased"
    );
}

#[test]
fn a_stream_and_the_presence_of_an_erased_person_end() {
    let world = world();
    let old = world.zoe(now() - 30);
    old.add("Ask the owner");
    let stream = old.follow();
    stream.next("list");
    world.erase();
    stream.until_end(|_, _| {});
}

#[test]
fn no_row_of_somebody_else_repeats_the_reason_of_an_erased_persons_lock() {
    let world = world();
    let policy = json!({ "Texts": ["Reasons"] });
    world.admin.put("Retention", &policy).ok();
    let zoe = world
        .server
        .as_owner("Zoe Quill")
        .with_claim("iss", json!(ISSUER))
        .with_claim("sub", json!("zoe-7"))
        .with_claim("iat", json!(now() - 30))
        .on(&world.admin.place);
    zoe.add("Ask the owner");
    zoe.lock("My sister is ill");
    world.admin.unlock();
    world.erase();
    let rows = json!(world.admin.audit()).to_string();
    assert!(
        rows.contains("Unlocked") && !rows.contains("sister"),
        "{rows}"
    );
}

#[test]
fn whoever_is_erased_is_assigned_to_nothing_and_whoever_has_the_name_stays() {
    let world = world();
    let policy = json!({ "PersonalDays": null });
    world.admin.put("Retention", &policy).ok();
    let zoe = json!({ "Id": "zoe-7", "Name": "Zoe Quill" });
    let other = json!({ "Id": "zoe-8", "Name": "Zoe Q." });
    let admin = &world.admin;
    admin.add_items(
        json!([{ "Text": "Hers", "Assignee": zoe }, { "Text": "His", "Assignee": other }]),
    );
    admin.change("Hers", json!({ "Assignee": other }));
    let again =
        json!({ "OperationId": "op", "Items": [{ "Id": admin.id("Hers"), "Assignee": "zoe-7" }] });
    admin.call("UpdateItems", again.clone()).ok();
    admin.change("Hers", json!({ "Assignee": zoe }));
    let due = json!({ "Assignee": zoe, "Due": "2020-01-01" });
    admin.change("His", due);
    admin.change("His", json!({ "Assignee": other }));
    let late = json!({ "Filter": { "Assignee": "zoe-7" } });
    let found = |of: &Value| {
        let page = world.admin.send("FindItems", of).ok();
        page["Items"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(found(&late), 1);
    let erasure = world.erase();
    assert_eq!(erasure["Lists"], 1, "{erasure}");
    assert_eq!(
        erasure["AuditRows"], 5,
        "she was assigned, or had been: {erasure}"
    );
    let list = admin.list();
    assert_eq!(list.item("Hers")["Assignee"], Value::Null);
    assert_eq!(list.item("His")["Assignee"], other);
    assert!(!names_her(&list.0));
    assert_eq!(found(&late), 0);
    let rows = json!(admin.audit());
    assert!(!names_her(&rows), "{rows}");
    let history = admin.call("GetItemHistory", json!({ "Id": list.id("Hers") }));
    assert!(!names_her(&history.ok()));
    let remembered = admin.call("UpdateItems", again).ok();
    assert!(!names_her(&remembered), "{remembered}");
    let verified = admin.get("Audit/Verification").ok();
    assert_eq!(verified["Broken"], Value::Null, "{verified}");
    assert_eq!(world.erase()["Lists"], 0, "nothing is left");
}

#[test]
fn no_row_of_somebody_else_repeats_the_help_that_an_erased_person_added_an_item_with() {
    let world = world();
    let policy = json!({ "Texts": ["AddedItems"] });
    world.admin.put("Retention", &policy).ok();
    let zoe = world.zoe(now() - 30);
    let help = "Call my sister";
    zoe.add_items(json!([{ "Text": "Ask the owner", "Help": help }]));
    // Rows that repeat her text go for that.
    world.admin.reword("Ask the owner", "Ask the boss");
    for help in ["Call the boss", "Write to the boss"] {
        world
            .admin
            .change("Ask the boss", json!({ "Help": help }))
            .only("Updated");
    }
    let rows = || json!(world.admin.audit()).to_string();
    assert!(rows().contains(help));
    for _ in 0..2 {
        world.erase();
        assert!(!rows().contains("sister"), "{}", rows());
        assert!(rows().contains("Write to the boss"), "{}", rows());
    }
}
