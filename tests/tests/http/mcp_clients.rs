//! `/mcp`, driven by clients that are not ours (`tests/mcp-clients`): npm's, which begins with the
//! handshake of the protocol's earlier revisions, and PyPI's, which speaks the present one.

use std::path::Path;
use std::process::Command;

use checklist_tests::process::feed;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

/// A variable that `cargo xtask test` sets.
fn variable(name: &str) -> std::ffi::OsString {
    std::env::var_os(name).expect("`cargo xtask test` brings the clients and says where they are")
}

fn npm() -> Command {
    let mut command = Command::new(variable("CHECKLIST_NODE"));
    command.arg(Path::new(&variable("CHECKLIST_MCP_NPM")).join("client.mjs"));
    command
}

fn pypi() -> Command {
    let mut command = Command::new(variable("CHECKLIST_MCP_PYTHON"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp-clients/client.py"));
    command
}

fn run(mut client: Command, input: &Value) -> Value {
    let ended = feed(&mut client, input.to_string().as_bytes());
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success(), "{errors}");
    serde_json::from_slice(&ended.stdout).expect("JSON")
}

fn drives_checklists(client: fn() -> Command) -> Value {
    let (host, server) = Server::with_host();
    let claims = host.claims(&server.base_url(), "ada", &["Read", "Check", "Add"]);
    let token = host.sign(&claims);
    let context = incident("1").context();
    let needs = with(item("a", "A"), json!({ "NeedsPerson": true }));
    publish(&server, &fragment("f", [needs]));
    let other = incident("2").from_template("f").context();
    let run = |calls: Value| {
        let url = format!("{}/mcp", server.base_url());
        run(
            client(),
            &json!({ "url": url, "token": token, "calls": calls }),
        )
    };
    let items = json!([{ "Text": "A" }, { "Text": "B" }]);
    let input = json!({ "Context": context, "Items": items });
    let begun = run(json!([{ "name": "add_items", "arguments": input }]));
    let tools = begun["tools"].as_array().expect("tools");
    assert!(tools.contains(&json!("tick")), "{begun}");
    assert!(tools.contains(&json!("propose")), "{begun}");
    let read = run(json!([{ "name": "read_list", "arguments": { "Context": other } }]));
    let for_a_person = read["results"][0]["structuredContent"]["Items"][0]["Id"].clone();
    let id = begun["results"][0]["structuredContent"]["Results"][0]["Id"].clone();

    let tick = json!({ "Context": context, "Items": [{ "Id": id }] });
    let comment = json!({ "Context": context, "Id": id, "Note": "Done" });
    let read = json!({ "Context": context });
    let ended = run(json!([
        { "name": "tick", "arguments": tick },
        { "name": "comment", "arguments": comment },
        { "name": "read_list", "arguments": read },
        { "name": "tick", "arguments": { "Context": other, "Items": [{ "Id": for_a_person }] } },
        { "name": "propose", "arguments": { "Context": other, "Id": for_a_person, "Status": "Done",
            "Evidence": { "Name": "Run 7", "Url": "https://ci.example/7" } } },
    ]));
    let results = &ended["results"];
    assert_eq!(results[0]["isError"], false, "{ended}");
    // Ada may not edit.
    assert_eq!(results[1]["isError"], true, "{ended}");
    assert_eq!(results[1]["structuredContent"]["Code"], "PermissionDenied");
    assert_eq!(results[3]["isError"], true, "{ended}");
    let refusal = &results[3]["structuredContent"]["Results"][0];
    assert_eq!(refusal["Problem"]["Code"], "NeedsPerson");
    assert_eq!(results[4]["isError"], false, "{ended}");
    let proposed = &results[4]["structuredContent"]["Results"][0]["Item"];
    assert_eq!(proposed["Proposal"]["By"]["OnBehalfOf"]["Id"], "ada");
    let list = &results[2]["structuredContent"];
    assert_eq!(list["Items"][0]["Status"], "Done", "{ended}");
    assert_eq!(list["Blockers"][0]["Text"], "B", "{ended}");
    list["Items"][0]["StatusBy"].clone()
}

#[test]
fn the_client_from_npm_ticks_as_an_agent_for_the_person() {
    let by = drives_checklists(npm);
    assert_eq!(by["Kind"], "Agent");
    assert_eq!(by["OnBehalfOf"]["Id"], "ada");
    // Its revision of the protocol names the client in the handshake alone, which nobody keeps.
    assert_eq!(by["Name"], "MCP client");
}

#[test]
fn the_client_from_pypi_ticks_as_the_agent_that_it_names_for_the_person() {
    let by = drives_checklists(pypi);
    assert_eq!(by["Kind"], "Agent");
    assert_eq!(by["OnBehalfOf"]["Id"], "ada");
    assert_eq!(
        by["Software"],
        json!({ "Client": "client-from-pypi", "Version": "1.0.0" })
    );
}
