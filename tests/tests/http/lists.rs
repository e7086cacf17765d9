//! Checklists found across objects, and the figures of a tenant.
//!
//! The state of a found list is compared with the one that `GetItems` answers, so that two counts of
//! the same items cannot differ.

use std::collections::BTreeMap;

use checklist_tests::client::field_errors;
use checklist_tests::template::{fragment, item, publish, publish_as, required};
use checklist_tests::{HostKey, Person, Place, Server, Setup, incident};
use serde_json::{Value, json};

fn north() -> (Server, Person) {
    let (host, server) = Server::with_host();
    let key = server.admin_key(&host.tenant, "Ada");
    let admin = server.as_admin().on(&incident("none")).with_token(&key);
    (server, admin)
}

/// `type/id/purpose` of each list of a page, and its cursor.
fn page(admin: &Person, query: &str) -> (Vec<String>, Option<String>) {
    let page = admin.get(&format!("Lists?{query}")).ok();
    let rows = page["Lists"].as_array().expect("lists");
    let name = |row: &Value| {
        let part = |name: &str| row["Context"][name].as_str().expect("a text").to_owned();
        [part("ObjectType"), part("ObjectId"), part("Purpose")].join("/")
    };
    let next = page["Next"].as_str().map(str::to_owned);
    (rows.iter().map(name).collect(), next)
}

fn all(admin: &Person, query: &str) -> Vec<String> {
    let (rows, next) = page(admin, query);
    assert_eq!(next, None, "{query}");
    rows
}

fn write(admin: &Person, places: &[(&str, &str, &str)]) {
    for (object_type, id, purpose) in places {
        let place = Place::new(object_type, id).for_purpose(purpose);
        admin.at(&place).add("A");
    }
}

#[test]
fn lists_are_found_by_type_object_and_purpose() {
    let (_server, admin) = north();
    assert_eq!(page(&admin, ""), (vec![], None), "an empty table");
    write(
        &admin,
        &[
            ("task", "INC-2", ""),
            ("incident", "INC-1", "handover"),
            ("incident", "INC-1", ""),
            ("incident", "INC-10", ""),
            ("incident", "inc-1", ""),
            ("incident", "10%_a", ""),
            ("incident", "10xya", ""),
        ],
    );
    let everything = [
        "incident/10%_a/",
        "incident/10xya/",
        "incident/INC-1/",
        "incident/INC-1/handover",
        "incident/INC-10/",
        "task/INC-2/",
        "incident/inc-1/",
    ];
    assert_eq!(all(&admin, ""), everything);
    let of_the_object = [
        "incident/INC-1/",
        "incident/INC-1/handover",
        "incident/INC-10/",
    ];
    assert_eq!(all(&admin, "ObjectId=INC-1"), of_the_object);
    assert_eq!(
        all(&admin, "ObjectId=INC-1&ObjectType=incident"),
        of_the_object
    );
    assert_eq!(all(&admin, "ObjectType=task"), ["task/INC-2/"]);
    assert_eq!(all(&admin, "ObjectType=task&ObjectId=INC-1"), [""; 0]);
    assert_eq!(all(&admin, "Purpose=handover"), ["incident/INC-1/handover"]);
    assert_eq!(all(&admin, "Purpose=&ObjectId=INC-1").len(), 2);
    // Signs that SQL gives a meaning have none here.
    assert_eq!(all(&admin, "ObjectId=10%25_"), ["incident/10%_a/"]);
    assert_eq!(all(&admin, "ObjectId=%25"), [""; 0]);
    for query in ["", "ObjectType=incident", "Purpose=", "ObjectId=I"] {
        let mut seen = Vec::new();
        let mut after = String::new();
        loop {
            let (rows, next) = page(&admin, &format!("{query}&Limit=1{after}"));
            seen.extend(rows);
            let Some(next) = next else { break };
            after = format!("&After={next}");
        }
        assert_eq!(seen, all(&admin, query), "{query}");
    }
}

#[test]
fn a_found_list_has_the_state_and_counts_that_it_answers_itself() {
    let (server, admin) = north();
    let mut rule = fragment("few", [required(item("a", "A")), item("b", "B")]);
    rule["CompletionRule"] = json!("Required");
    publish(&server, &rule);
    let of = |id: &str| admin.at(&incident(id));
    of("1-open").add("A");
    of("2-done").add("A");
    of("2-done").tick("A");
    let resolved = of("3-resolved");
    resolved.add_items(json!([{ "Text": "A", "Kind": "Section" }, { "Text": "B" }]));
    resolved.tick("B");
    of("4-empty").add("A");
    of("4-empty").delete("A");
    let of_template = admin.at(&incident("5-required").from_template("few"));
    of_template.tick("A");
    let locked = of("6-locked");
    locked.add("A");
    locked.lock("It is under review");
    for id in ["7-waived", "8-waived-and-done"] {
        of(id).add("A");
        let owner = server.as_owner("Olga").on(&incident(id));
        owner.waive("The part comes on Monday");
    }
    of("8-waived-and-done").tick("A");
    let found = admin.get("Lists").ok();
    let found = found["Lists"].as_array().expect("lists");
    let mut states = BTreeMap::new();
    for row in found {
        let id = row["Context"]["ObjectId"].as_str().expect("an id");
        let own = of(id).list().0;
        for member in [
            "State",
            "Counts",
            "Revision",
            "TemplateId",
            "Locked",
            "Waived",
        ] {
            assert_eq!(row.get(member), own.get(member), "{member} of {id}");
        }
        states.insert(
            id.to_owned(),
            row["State"].as_str().expect("a state").to_owned(),
        );
    }
    assert_eq!(states.len(), 8);
    assert_eq!(states["5-required"], "Complete");
    assert_eq!(states["8-waived-and-done"], "Complete");
    for state in ["Open", "Complete", "Waived", "Empty"] {
        let expected: Vec<String> = states
            .iter()
            .filter(|(_, of)| *of == state)
            .map(|(id, _)| format!("incident/{id}/"))
            .collect();
        assert!(!expected.is_empty(), "no list is {state}");
        assert_eq!(all(&admin, &format!("State={state}")), expected);
    }
    assert_eq!(all(&admin, "Template=few"), ["incident/5-required/"]);
    assert_eq!(all(&admin, "Template=fe"), [""; 0]);
    let overview = admin.get("Overview").ok();
    let figures =
        json!({ "Total": 8, "Open": 2, "Complete": 4, "Waived": 1, "Empty": 1, "HasMore": false });
    assert_eq!(overview["Lists"], figures);
}

#[test]
fn lists_are_found_that_follow_an_older_version_of_their_template() {
    let (server, admin) = north();
    let begin = |id: &str, template: &str| {
        admin.at(&incident(id).from_template(template)).tick("A");
    };
    for template in ["old", "same"] {
        publish(&server, &fragment(template, [item("a", "A")]));
    }
    begin("1-old", "old");
    begin("2-same", "same");
    admin.at(&incident("3-none")).add("A");
    publish(&server, &fragment("old", [item("a", "A"), item("b", "B")]));
    begin("4-new", "old");

    assert_eq!(all(&admin, "UpdateOffered=true"), ["incident/1-old/"]);
    assert_eq!(
        all(&admin, "UpdateOffered=false"),
        ["incident/2-same/", "incident/3-none/", "incident/4-new/"]
    );
    assert_eq!(
        all(&admin, "UpdateOffered=false&Template=old"),
        ["incident/4-new/"]
    );
    let found = admin.get("Lists").ok();
    let newer: Vec<&Value> = (found["Lists"].as_array().expect("lists").iter())
        .map(|row| &row["NewerVersion"])
        .collect();
    assert_eq!(newer, [&json!(2), &Value::Null, &Value::Null, &Value::Null]);
    // A draft is no version that a list could follow.
    let draft = fragment("same", [item("a", "A"), item("c", "C")]);
    admin.put("Templates/same", &draft).ok();
    assert_eq!(all(&admin, "UpdateOffered=true"), ["incident/1-old/"]);
    admin.at(&incident("1-old")).refresh();
    assert_eq!(all(&admin, "UpdateOffered=true"), [""; 0]);
}

#[test]
fn a_search_that_makes_no_sense_is_refused_at_its_parameter() {
    let (_server, admin) = north();
    let long = "x".repeat(201);
    for (query, pointer) in [
        ("State=Unknown", "/State"),
        ("State=Late", "/State"),
        ("UpdateOffered=perhaps", "/UpdateOffered"),
        ("Limit=0", "/Limit"),
        ("After=nowhere", "/After"),
        (&format!("ObjectId={long}"), "/ObjectId"),
        ("Purpose=%00", "/Purpose"),
        ("Colour=red", "/Colour"),
    ] {
        let problem = admin
            .get(&format!("Lists?{query}"))
            .refused(422, "InvalidRequest");
        let errors = field_errors(&problem);
        assert_eq!(
            errors.first().map(|(at, _)| at.as_str()),
            Some(pointer),
            "{query}"
        );
    }
}

#[test]
fn who_may_read_some_lists_alone_searches_none_and_a_foreign_cursor_opens_nothing() {
    let hosts = [HostKey::of("north"), HostKey::of("south")];
    let server = Setup::for_hosts(&hosts).start();
    let admin = |host: &HostKey| {
        let key = server.admin_key(&host.tenant, "Ada");
        server.as_admin().on(&incident("none")).with_token(&key)
    };
    let (north, south) = (admin(&hosts[0]), admin(&hosts[1]));
    write(&north, &[("incident", "N-1", ""), ("incident", "N-2", "")]);
    write(&south, &[("incident", "M-1", ""), ("incident", "S-1", "")]);
    let (_, next) = page(&north, "Limit=1");
    let cursor = format!("After={}", next.expect("another page"));
    assert_eq!(
        all(&south, &cursor),
        ["incident/S-1/"],
        "of its own tenant alone"
    );
    assert_eq!(all(&south, "ObjectId=N"), [""; 0]);
    let key = json!({ "Name": "Some", "Roles": ["reader"],
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
    let some = north.program_as(&key);
    some.get("Lists").refused(403, "PermissionDenied");
    some.get("Overview").refused(403, "PermissionDenied");
}

#[test]
fn an_overview_counts_what_there_is_and_not_what_has_ended() {
    let (_server, admin) = north();
    let before = admin.get("Overview").ok();
    let nothing = [
        "Templates",
        "PublishedTemplates",
        "Types",
        "EmbedKeys",
        "People",
    ];
    for name in nothing {
        assert_eq!(before[name], 0, "{name}");
    }
    let keys = before["ApiKeys"].as_u64().expect("a number");
    assert_eq!(before["HasVault"], false);
    assert_eq!(before["Lists"]["Total"], 0);
    publish_as(&admin, &fragment("one", [item("a", "A")]));
    admin.put("Templates/two", &fragment("two", [])).ok();
    let kind = json!({ "Name": "incident", "Classes": [], "Templates": {} });
    admin.put("Types/incident", &kind).ok();
    let wish = |name: &str| json!({ "Name": name, "Roles": ["reader"] });
    admin.send("ApiKeys", &wish("Portal")).ok();
    let old = admin.send("ApiKeys", &wish("Old portal")).ok();
    let id = old["Id"].as_str().expect("an id");
    admin.remove(&format!("ApiKeys/{id}")).ok();
    let key = json!({ "PublicKey": HostKey::of("other").public_pem });
    admin.put("EmbedKeys/portal", &key).ok();
    for (subject, is_out) in [("in", false), ("out", true)] {
        let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": "Anna",
            "Roles": ["reader"], "Disabled": is_out });
        admin.put("Users", &user).ok();
    }
    let after = admin.get("Overview").ok();
    for (name, count) in [
        ("Templates", 2),
        ("PublishedTemplates", 1),
        ("Types", 1),
        ("ApiKeys", keys + 1),
        ("EmbedKeys", 1),
        ("People", 1),
    ] {
        assert_eq!(after[name], count, "{name}");
    }
}
