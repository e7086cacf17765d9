//! Programs and agents that act for people: the claim `act` of a token, from the host's own
//! signature or asked for with an API key, and where it is seen afterwards.

use checklist_tests::client::error_pointers;
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

const EDITOR: [&str; 4] = ["Read", "Check", "Add", "Edit"];

fn server(host: &HostKey) -> Server {
    Setup::for_hosts(std::slice::from_ref(host)).start()
}

/// Ada herself, or whoever acts for her.
fn ada(server: &Server, host: &HostKey, act: Option<Value>) -> Person {
    let mut claims = host.claims(&server.base_url(), "ada", &EDITOR);
    if let Some(act) = act {
        claims["act"] = act;
    }
    let anybody = server.as_reader("Rita").on(&incident("1"));
    anybody.with_token(&host.sign(&claims))
}

fn finch() -> Value {
    json!({ "sub": "finch", "name": "Finch", "client": "Desk", "version": "3.1", "model": "m-9" })
}

fn tick(person: &Person, id: &str, operation: &str) -> Value {
    let items = json!([{ "Id": id, "Status": "Done" }]);
    let body = json!({ "OperationId": operation, "Items": items });
    person.call("UpdateItems", body).json()["Results"][0].clone()
}

#[test]
fn what_an_agent_does_names_the_agent_the_person_and_the_mode_in_list_journal_and_audit_trail() {
    let host = HostKey::of("north");
    let server = server(&host);
    let mut act = finch();
    act["mode"] = json!("Approved");
    let agent = ada(&server, &host, Some(act));
    let id = agent.add("A");
    tick(&agent, &id, "one");
    let person = json!({ "Id": "ada", "Name": "ada", "Kind": "Person", "Source": "EmbedToken",
        "Issuer": "https://north.example", "Key": "north-key" });
    let expected = json!({ "Id": "finch", "Name": "Finch", "Kind": "Agent", "Source": "EmbedToken",
        "Issuer": "https://north.example", "Key": "north-key", "Mode": "Approved",
        "Software": { "Client": "Desk", "Version": "3.1", "Model": "m-9" },
        "OnBehalfOf": person });
    assert_eq!(agent.list().item("A")["StatusBy"], expected);
    let admin = server.as_admin().on(&incident("1"));
    let trail = admin.get("Audit?ObjectId=1").ok();
    let rows = trail["Rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["Actor"] == expected), "{rows:#?}");
    for sought in ["finch", "ada"] {
        let found = admin.get(&format!("Audit?ObjectId=1&Actor={sought}")).ok();
        let found = found["Rows"].as_array().map(Vec::len);
        assert_eq!(found, Some(rows.len()), "{sought}");
    }
    let count = |kind: &str| {
        let page = admin
            .get(&format!("Audit?ObjectId=1&ActorKind={kind}"))
            .ok();
        page["Rows"].as_array().map(Vec::len)
    };
    // The person for whom it acted has done nothing.
    assert_eq!(count("Person"), Some(0));
    assert_eq!(count("Agent"), Some(rows.len()));
    let refused = admin.get("Audit?ActorKind=Robot");
    let problem = refused.refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/ActorKind"]);
    let table = admin.get("Audit?ObjectId=1&Format=Csv");
    let row = table.text().lines().nth(1).unwrap_or_default().to_owned();
    assert!(
        row.contains(",Finch,finch,Agent,Approved,EmbedToken,"),
        "{row}"
    );
}

#[test]
fn the_operations_of_a_person_and_of_an_agent_are_not_mistaken_for_each_other() {
    let host = HostKey::of("north");
    let server = server(&host);
    let person = ada(&server, &host, None);
    let agent = ada(&server, &host, Some(finch()));
    let id = person.add("A");
    tick(&agent, &id, "same");
    // Were it the same operation, this would be refused: its body is another.
    let body = json!({ "OperationId": "same", "Items": [{ "Id": id, "Note": "read" }] });
    let answer = person.call("UpdateItems", body).ok();
    assert_eq!(answer["Results"][0]["Outcome"], "Updated", "{answer}");
    let other = agent.add("B");
    tick(&agent, &other, "agents own");
    let undo = json!({ "Undoes": "agents own" });
    person.call("Undo", undo.clone()).refused(409, "CannotUndo");
    agent.call("Undo", undo).ok();
}

#[test]
fn a_claim_that_names_nobody_a_person_or_a_program_with_a_mode_is_refused() {
    let host = HostKey::of("north");
    let server = server(&host);
    let bad = [
        json!({}),
        json!({ "sub": "" }),
        json!({ "name": "Finch" }),
        json!({ "sub": "bob", "kind": "Person" }),
        json!({ "sub": "bob", "kind": "Robot" }),
        json!({ "sub": "sync", "kind": "Program", "mode": "Autonomous" }),
        json!({ "sub": "finch", "version": "\u{7}" }),
        json!("finch"),
    ];
    for act in bad {
        let caller = ada(&server, &host, Some(act.clone()));
        let refused = caller.call("GetItems", json!({}));
        assert_eq!(refused.status, 401, "{act}: {}", refused.text());
    }
}

#[test]
fn a_token_for_an_agent_can_be_asked_for_with_an_api_key() {
    let host = HostKey::of("north");
    let server = server(&host);
    let admin = server.as_admin().on(&incident("1"));
    let portal = admin.program("Portal", &["editor"]);
    let everywhere = json!([{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*" }]);
    let wish =
        |act: Value| json!({ "Subject": "ada", "Name": "Ada", "Contexts": everywhere, "Act": act });
    let minted = portal.send("EmbedTokens", &wish(json!({ "Subject": "finch" })));
    let agent = portal.with_token(minted.ok()["Token"].as_str().unwrap());
    agent.add("A");
    let by = agent.list().item("A")["CreatedBy"].clone();
    assert_eq!(
        (&by["Kind"], &by["Mode"]),
        (&json!("Agent"), &json!("Autonomous"))
    );
    assert_eq!(by["OnBehalfOf"]["Name"], "Ada");
    let bad = [
        (json!({ "Subject": "" }), "/Act/Subject"),
        (json!({ "Subject": "x", "Model": "" }), "/Act/Model"),
        (json!({ "Subject": "x", "Kind": "Person" }), "/Act/Kind"),
        (
            json!({ "Subject": "x", "Kind": "Program", "Mode": "Approved" }),
            "/Act/Mode",
        ),
    ];
    for (act, pointer) in bad {
        let refused = portal.send("EmbedTokens", &wish(act.clone()));
        let problem = refused.refused(422, "InvalidRequest");
        assert_eq!(problem["Errors"][0]["Pointer"], pointer, "{act}");
    }
}
