//! Who acted: an id counts together with who vouches for it, so nobody passes for somebody else by
//! the name in a token.
//! Every name here is somebody else's as well: a test that uses one issuer alone would prove nothing.

use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

struct Two {
    server: Server,
    one: HostKey,
    other: HostKey,
}

/// Two platforms of one tenant, each with a key and an issuer of its own.
fn two_platforms() -> Two {
    let one = HostKey::of("north");
    let mut other = HostKey::on_p256("north").called("other");
    other.issuer = "https://other.example".to_owned();
    Two {
        server: Setup::for_hosts(&[one.clone(), other.clone()]).start(),
        one,
        other,
    }
}

impl Two {
    fn person(&self, host: &HostKey, subject: &str, permissions: &[&str]) -> Person {
        let claims = host.claims(&self.server.base_url(), subject, permissions);
        let reader = self.server.as_reader("Rita").on(&incident("1"));
        reader.with_token(&host.sign(&claims))
    }
}

const CHECKER: [&str; 2] = ["Read", "Check"];
const EDITOR: [&str; 5] = ["Read", "Check", "Add", "Edit", "Delete"];

fn set(person: &Person, id: &str, status: &str) -> Value {
    let body = json!({ "Items": [{ "Id": id, "Status": status }] });
    // Where nothing could be applied the results stand in the problem.
    person.call("UpdateItems", body).json()["Results"][0].clone()
}

#[test]
fn the_same_subject_of_another_issuer_is_somebody_else() {
    let two = two_platforms();
    let id = two.person(&two.one, "ed", &EDITOR).add("A");
    let ada = two.person(&two.one, "ada", &CHECKER);
    let namesake = two.person(&two.other, "ada", &CHECKER);
    assert_eq!(set(&ada, &id, "Done")["Outcome"], "Updated");
    let by = ada.list().item("A")["StatusBy"].clone();
    assert_eq!(
        by,
        json!({ "Id": "ada", "Name": "ada", "Kind": "Person", "Source": "EmbedToken",
            "Issuer": "https://north.example", "Key": "north-key" })
    );
    let refused = set(&namesake, &id, "Open");
    assert_eq!(refused["Outcome"], "Failed", "{refused}");
    // Another key of the same platform is no other person.
    let mut rotated = two.other.clone();
    rotated.issuer.clone_from(&two.one.issuer);
    let again = two.person(&rotated, "ada", &CHECKER);
    assert_eq!(set(&again, &id, "Open")["Outcome"], "Updated");
}

#[test]
fn nobody_takes_back_what_a_namesake_has_done() {
    let two = two_platforms();
    let ada = two.person(&two.one, "ada", &EDITOR);
    let id = ada.add("A");
    let tick = json!({ "OperationId": "tick", "Items": [{ "Id": id, "Status": "Done" }] });
    ada.call("UpdateItems", tick).ok();
    let namesake = two.person(&two.other, "ada", &EDITOR);
    let undo = json!({ "Undoes": "tick" });
    namesake
        .call("Undo", undo.clone())
        .refused(409, "CannotUndo");
    ada.call("Undo", undo).ok();
}

#[test]
fn a_token_that_calls_itself_operator_or_key_is_told_apart_everywhere() {
    let two = two_platforms();
    let admin = two.server.as_admin().on(&incident("1"));
    let wish = json!({ "Name": "Portal", "Roles": ["editor"] });
    let key = admin.send("ApiKeys", &wish).ok();
    let portal = admin.with_token(key["Secret"].as_str().unwrap());
    let id = portal.add("A");
    let named = format!("api-key:{}", key["Id"].as_str().unwrap());
    set(&portal, &id, "Done");
    for subject in [named.as_str(), "operator", "automation"] {
        let pretender = two.person(&two.one, subject, &CHECKER);
        let refused = set(&pretender, &id, "Open");
        assert_eq!(refused["Outcome"], "Failed", "{subject}: {refused}");
        let own = two
            .person(&two.one, subject, &EDITOR)
            .add(&format!("of {subject}"));
        set(&pretender, &own, "Done");
    }
    let rows = admin.get("Audit?ObjectId=1").ok();
    let mut seen = Vec::new();
    for row in rows["Rows"].as_array().unwrap() {
        let actor = &row["Actor"];
        let source = actor["Source"].as_str().expect("a source").to_owned();
        if actor["Kind"] == "Person" {
            assert_eq!(actor["Issuer"], "https://north.example", "{actor}");
            assert_eq!(source, "EmbedToken", "{actor}");
        } else {
            assert_eq!((source.as_str(), &actor["Key"]), ("ApiKey", &key["Id"]));
        }
        seen.push(source);
    }
    for source in ["EmbedToken", "ApiKey"] {
        assert!(seen.iter().any(|one| one == source), "{seen:?}");
    }
    let table = admin.get("Audit?ObjectId=1&Format=Csv");
    let head = table.text().lines().next().unwrap_or_default().to_owned();
    assert!(
        head.contains("ActorId,ActorKind,ActorMode,ActorSource,ActorIssuer,ActorKey"),
        "{head}"
    );
}

#[test]
fn a_token_asked_for_with_an_api_key_names_that_key() {
    let two = two_platforms();
    let admin = two.server.as_admin().on(&incident("1"));
    let key = admin
        .send("ApiKeys", &json!({ "Name": "Portal", "Roles": ["editor"] }))
        .ok();
    let portal = admin.with_token(key["Secret"].as_str().unwrap());
    let wish = json!({ "Subject": "ada", "Name": "Ada",
        "Contexts": [{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*" }] });
    let minted = portal.send("EmbedTokens", &wish).ok();
    let ada = portal.with_token(minted["Token"].as_str().unwrap());
    ada.add("A");
    let by = ada.list().item("A")["CreatedBy"].clone();
    assert_eq!(
        (&by["Source"], &by["Key"]),
        (&json!("EmbedToken"), &key["Id"])
    );
    // No platform signs in the server's name.
    let mut forger = two.one.clone();
    forger.issuer = two.server.base_url();
    two.person(&forger, "ada", &EDITOR)
        .call("GetItems", json!({}))
        .refused(401, "Unauthenticated");
}
