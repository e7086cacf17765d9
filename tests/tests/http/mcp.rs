//! `/mcp`: what an assistant may do with checklists, as whom it is recorded, and what it is refused.

use checklist_tests::client::{Answer, Http, error_pointers, json as with_json, send};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

const EDITOR: [&str; 4] = ["Read", "Check", "Add", "Edit"];

/// A message of the present protocol, which names the client in each message.
pub(super) fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "finch", "title": "Finch", "version": "3.1" },
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

#[track_caller]
pub(super) fn post(server: &Server, token: &str, message: &Value) -> Answer {
    let http = Http::to(&server.base_url());
    let request = http
        .request(Method::POST, "/mcp")
        .header("authorization", format!("Bearer {token}"))
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", message["method"].as_str().unwrap_or_default());
    let request = match message["params"]["name"].as_str() {
        Some(name) => request.header("mcp-name", name),
        None => request,
    };
    send(with_json(request, message))
}

/// The result of a tool, and whether it is an error.
#[track_caller]
fn call(server: &Server, token: &str, tool: &str, arguments: Value) -> (Value, bool) {
    let params = json!({ "name": tool, "arguments": arguments });
    let answer = post(server, token, &message("tools/call", params)).ok();
    let result = &answer["result"];
    let is_error = result["isError"].as_bool().unwrap_or_default();
    // For clients that know no structured content.
    let text = result["content"][0]["text"].as_str().expect("a text");
    let read: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(read, result["structuredContent"]);
    (read, is_error)
}

#[track_caller]
pub(super) fn done(server: &Server, token: &str, tool: &str, arguments: Value) -> Value {
    let (answer, is_error) = call(server, token, tool, arguments);
    assert!(!is_error, "{answer}");
    answer
}

/// Ada's own token, without an acting party.
fn ada(server: &Server, host: &HostKey, permissions: &[&str]) -> String {
    host.sign(&host.claims(&server.base_url(), "ada", permissions))
}

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1"))
}

fn place() -> Value {
    incident("1").context()
}

#[test]
fn tools_say_what_they_take_in_schemas_that_need_no_other_document() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let answer = post(&server, &token, &message("tools/list", json!({}))).ok();
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "find_lists",
            "read_list",
            "explain_open",
            "tick",
            "mark_not_applicable",
            "propose",
            "add_items",
            "comment"
        ]
    );
    for tool in &tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40),
            "{tool}"
        );
        let text = schema.to_string();
        for reference in text.split("\"$ref\":\"").skip(1) {
            let pointer = reference.split('"').next().unwrap_or_default();
            let pointer = pointer
                .strip_prefix('#')
                .expect("a reference within the schema");
            assert!(schema.pointer(pointer).is_some(), "{pointer} in {tool}");
        }
    }
}

#[test]
fn what_an_assistant_ticks_is_recorded_as_the_assistants_for_the_person_of_the_token() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let added =
        json!({ "Context": place(), "Items": [{ "Text": "Ask the owner", "Note": "soon" }] });
    let added = done(&server, &token, "add_items", added);
    let list = done(&server, &token, "read_list", json!({ "Context": place() }));
    let item = &list["Items"][0];
    assert_eq!(added["Results"][0]["Id"], item["Id"]);
    let ticked = json!({ "Context": place(),
        "Items": [{ "Id": item["Id"], "TextHash": item["TextHash"] }] });
    let ticked = done(&server, &token, "tick", ticked);
    assert_eq!(ticked["Results"][0]["Outcome"], "Updated");
    let operation = ticked["OperationId"]
        .as_str()
        .expect("an operation")
        .to_owned();

    let admin = admin(&server);
    let item = admin.list().item("Ask the owner").clone();
    let by = &item["StatusBy"];
    assert_eq!(by["Kind"], "Agent");
    assert_eq!(by["Mode"], "Autonomous");
    assert_eq!(by["Name"], "Finch");
    assert_eq!(
        by["Software"],
        json!({ "Client": "Finch", "Version": "3.1" })
    );
    assert_eq!(by["OnBehalfOf"]["Id"], "ada");
    assert_eq!(item["Attested"]["Text"], "Ask the owner");
    let rows = admin.get("Audit?ObjectId=1").ok();
    let rows = rows["Rows"].as_array().expect("rows").clone();
    assert!(
        rows.iter()
            .any(|row| row["OperationId"] == json!(operation)),
        "{rows:#?}"
    );
    assert!(
        rows.iter().all(|row| row["Actor"]["Kind"] == "Agent"),
        "{rows:#?}"
    );
}

#[test]
fn what_needs_a_person_is_proposed_with_evidence_and_not_ticked() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let needs = with(item("a", "Release it"), json!({ "NeedsPerson": true }));
    let second = with(item("b", "Pay it"), json!({ "SecondPerson": true }));
    publish(&server, &fragment("f", [needs, second]));
    let place = incident("1").from_template("f").context();
    let list = done(&server, &token, "read_list", json!({ "Context": place }));
    let pay = json!({ "Context": place, "Items": [{ "Id": list["Items"][1]["Id"] }] });
    let waiting = &done(&server, &token, "tick", pay)["Results"][0]["Item"];
    assert_eq!(waiting["Status"], "Open");
    assert_eq!(
        waiting["AwaitingConfirmation"], true,
        "another person has to confirm it"
    );
    let item = &list["Items"][0];
    assert_eq!(item["NeedsPerson"], true);
    let tick = json!({ "Context": place, "Items": [{ "Id": item["Id"] }] });
    for (tool, arguments) in [("tick", tick.clone()), ("mark_not_applicable", tick)] {
        let (refusal, is_error) = call(&server, &token, tool, arguments);
        assert!(is_error);
        let code = &refusal["Results"][0]["Problem"]["Code"];
        assert_eq!(code, "NeedsPerson", "{tool}");
    }
    let mut wish = json!({ "Context": place, "Id": item["Id"], "Status": "Done",
        "Reason": "The run is green", "TextHash": item["TextHash"],
        "Evidence": { "Name": "Run 7", "Url": "ftp://ci.example/7" } });
    let (refusal, is_error) = call(&server, &token, "propose", wish.clone());
    assert!(is_error);
    assert_eq!(error_pointers(&refusal), ["/Items/0/Evidence/Url"]);
    wish["Evidence"]["Url"] = json!("https://ci.example/7");
    let proposed = done(&server, &token, "propose", wish);
    assert_eq!(proposed["Results"][0]["Outcome"], "Updated");
    assert_eq!(proposed["Completed"], false);
    let item = admin(&server).list().item("Release it").clone();
    assert_eq!(item["Status"], "Open");
    assert_eq!(item["Proposal"]["By"]["Name"], "Finch");
    assert_eq!(item["Proposal"]["By"]["OnBehalfOf"]["Id"], "ada");
}

#[test]
fn an_assistant_answers_what_an_item_asks_for_or_proposes_the_answer() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let cold = json!({ "Type": "Number", "Unit": "°C", "Max": 8 });
    let measure = with(item("a", "Measure"), json!({ "AnswerFormat": cold }));
    let judge = json!({ "NeedsPerson": true, "AnswerFormat": { "Type": "Text" } });
    publish(
        &server,
        &fragment("f", [measure, with(item("b", "Judge"), judge)]),
    );
    let place = incident("1").from_template("f").context();
    let list = done(&server, &token, "read_list", json!({ "Context": place }));
    let (measure, judge) = (&list["Items"][0]["Id"], &list["Items"][1]["Id"]);
    let tick = |answer: Value| json!({ "Context": place, "Items": [with(json!({ "Id": measure }), answer)] });
    for (answer, code) in [
        (json!({}), "AnswerRequired"),
        (json!({ "Answer": 9 }), "InvalidAnswer"),
        (json!({ "Answer": "cold" }), "InvalidAnswer"),
    ] {
        let (refusal, is_error) = call(&server, &token, "tick", tick(answer));
        assert!(is_error);
        assert_eq!(refusal["Results"][0]["Problem"]["Code"], code, "{refusal}");
    }
    done(&server, &token, "tick", tick(json!({ "Answer": 4.5 })));
    let wish =
        json!({ "Context": place, "Id": judge, "Status": "Done", "Answer": "Worn, not broken" });
    done(&server, &token, "propose", wish);
    let list = server
        .as_admin()
        .on(&incident("1").from_template("f"))
        .list();
    assert_eq!(list.item("Measure")["Answer"]["Value"], 4.5);
    assert_eq!(list.status("Measure"), "Done");
    assert_eq!(list.status("Judge"), "Open");
    assert_eq!(
        list.item("Judge")["Proposal"]["Answer"]["Value"],
        "Worn, not broken"
    );
}

#[test]
fn a_program_with_an_api_key_is_an_agent_here_and_a_program_elsewhere() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = admin(&server);
    let key = admin
        .send(
            "ApiKeys",
            &json!({ "Name": "Night shift", "Roles": ["editor"] }),
        )
        .ok();
    let key = key["Secret"].as_str().expect("the key").to_owned();
    let added = json!({ "Context": place(), "Items": [{ "Text": "A" }] });
    done(&server, &key, "add_items", added);
    let program = admin.with_token(&key);
    program.add("B");
    let list = admin.list();
    let by = |text: &str| list.item(text)["CreatedBy"].clone();
    assert_eq!(by("A")["Kind"], "Agent");
    assert_eq!(by("A")["Name"], "Night shift");
    assert_eq!(by("A")["Software"]["Client"], "Finch");
    assert_eq!(by("B")["Kind"], "Program");
    assert_eq!(by("A")["Id"], by("B")["Id"]);
    let found = done(
        &server,
        &key,
        "find_lists",
        json!({ "ObjectType": "incident" }),
    );
    assert_eq!(found["Lists"][0]["Context"]["ObjectId"], "1");
}

#[test]
fn an_assistant_learns_what_is_open_and_why_an_item_cannot_be_left_out() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let items = json!([{ "Text": "A" }, { "Text": "B" }]);
    let added = json!({ "Context": place(), "Items": items });
    let added = done(&server, &token, "add_items", added);
    let id = added["Results"][1]["Id"].clone();
    let left_out =
        json!({ "Context": place(), "Items": [{ "Id": id }], "Reason": "No such owner" });
    done(&server, &token, "mark_not_applicable", left_out);
    let note = json!({ "Context": place(), "Id": id, "Note": "Asked twice" });
    done(&server, &token, "comment", note);
    let open = done(
        &server,
        &token,
        "explain_open",
        json!({ "Context": place() }),
    );
    assert_eq!(open["Completed"], false);
    let blockers = open["Blockers"].as_array().expect("blockers");
    let texts: Vec<&Value> = blockers.iter().map(|one| &one["Text"]).collect();
    assert_eq!(texts, ["A"]);
    assert!(open.get("Items").is_none(), "{open}");
    let item = admin(&server).list().item("B").clone();
    assert_eq!(item["Reason"], "No such owner");
    assert_eq!(item["Note"], "Asked twice");
}

#[test]
fn a_call_that_is_repeated_with_its_operation_id_changes_nothing_more() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let once = json!({ "Context": place(), "Items": [{ "Text": "A" }], "OperationId": "once" });
    let first = done(&server, &token, "add_items", once.clone());
    let again = done(&server, &token, "add_items", once);
    assert_eq!(first, again);
    assert_eq!(admin(&server).list().texts(), ["A"]);
    let other = json!({ "Context": place(), "Items": [{ "Text": "B" }], "OperationId": "once" });
    let (refusal, is_error) = call(&server, &token, "add_items", other);
    assert!(is_error);
    assert_eq!(refusal["Code"], "OperationIdReused");
}

#[test]
fn what_the_web_services_refuse_is_a_result_that_the_assistant_can_read() {
    let (host, server) = Server::with_host();
    let editor = ada(&server, &host, &EDITOR);
    let added = json!({ "Context": place(), "Items": [{ "Text": "A" }] });
    let added = done(&server, &editor, "add_items", added);
    let items = json!([{ "Id": added["Results"][0]["Id"] }]);
    let tick = json!({ "Context": place(), "Items": items });

    let reader = ada(&server, &host, &["Read"]);
    let (refusal, is_error) = call(&server, &reader, "tick", tick.clone());
    assert!(is_error);
    assert_eq!(refusal["Code"], "PermissionDenied");

    let mut unknown = tick.clone();
    unknown["Force"] = json!(true);
    unknown["Items"][0]["Id"] = json!("first");
    let (refusal, is_error) = call(&server, &editor, "tick", unknown);
    assert!(is_error);
    assert_eq!(refusal["Code"], "InvalidRequest");
    assert_eq!(error_pointers(&refusal), ["/Force", "/Items/0/Id"]);

    let nobody =
        json!({ "Context": place(), "Items": [{ "Id": "0197a3c4-0000-7000-8000-000000000000" }] });
    let (refusal, is_error) = call(&server, &editor, "tick", nobody);
    assert!(is_error);
    assert_eq!(refusal["Code"], "NotApplied");
    assert_eq!(refusal["Results"][0]["Problem"]["Code"], "ItemNotFound");

    let params = json!({ "name": "delete_everything", "arguments": {} });
    let answer = post(&server, &editor, &message("tools/call", params)).json();
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(admin(&server).list().item("A")["Status"], "Open");
}

#[test]
fn whoever_comes_without_a_token_is_told_where_tokens_come_from() {
    let server = Server::demo();
    let http = Http::to(&server.base_url());
    let answer = http.post("/mcp", &message("tools/list", json!({})));
    answer.refused(401, "Unauthenticated");
    let challenge = answer.header("www-authenticate").to_owned();
    let address = challenge
        .split("resource_metadata=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("the address of the metadata");
    let path = address
        .strip_prefix(&server.base_url())
        .expect("an address of this server");
    let metadata = http.get(path).ok();
    assert_eq!(metadata["resource"], format!("{}/mcp", server.base_url()));
    assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
    // There is no identity provider.
    assert!(
        metadata.get("authorization_servers").is_none(),
        "{metadata}"
    );

    post(&server, "nonsense", &message("tools/list", json!({}))).refused(401, "Unauthenticated");
    http.get("/mcp").refused(405, "MethodNotAllowed");
}

#[test]
fn what_is_no_message_is_a_problem_like_everywhere() {
    let (host, server) = Server::with_host();
    let token = ada(&server, &host, &EDITOR);
    let http = Http::to(&server.base_url());
    let ask = |body: String, kind: &str| {
        let request = http
            .request(Method::POST, "/mcp")
            .header("authorization", format!("Bearer {token}"))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", kind);
        send(request.body(body))
    };
    ask("{}".to_owned(), "text/plain").refused(415, "UnsupportedMediaType");
    let large = format!(
        "{{\"jsonrpc\":\"2.0\",\"x\":\"{}\"}}",
        "x".repeat(1_100_000)
    );
    ask(large, "application/json").refused(413, "BodyTooLarge");
    let answer = ask("{".to_owned(), "application/json");
    assert!((400..500).contains(&answer.status), "{}", answer.status);
}

#[test]
fn an_assistant_reads_what_applies_by_the_facts_of_its_token_and_brings_none_itself() {
    let (host, server) = Server::with_host();
    let mail = json!({ "When": { "Fact": "Queue", "Is": "Mail" } });
    let items = [item("a", "Always"), with(item("m", "Headers"), mail)];
    publish(&server, &fragment("f", items));
    let place = || incident("1").from_template("f");
    let facts = json!({ "Queue": "Mail" });
    let mut claims = host.claims(&server.base_url(), "ada", &EDITOR);
    claims["contexts"] = json!([place().with_facts(facts.clone()).context()]);
    let token = host.sign(&claims);
    let asked = json!({ "Context": place().context() });
    let list = done(&server, &token, "read_list", asked);
    assert_eq!(list["Counts"]["Total"], 2);
    assert_eq!(list["Facts"], facts);
    let brought = json!({ "Context": place().with_facts(json!({})).context() });
    let (refused, is_error) = call(&server, &token, "read_list", brought.clone());
    assert!(is_error);
    assert_eq!(refused["Code"], "PermissionDenied");
    assert_eq!(error_pointers(&refused), ["/Context/Facts"]);

    // A program brings its own, with an API key.
    let key = admin(&server).program("Desk", &["editor"]).token;
    let list = done(&server, &key, "read_list", brought);
    assert_eq!(list["Counts"]["Total"], 1);
    let added = json!({ "Context": place().with_facts(facts.clone()).context(), "Items": [{ "Text": "Own" }] });
    done(&server, &key, "add_items", added);
    let list = done(
        &server,
        &key,
        "read_list",
        json!({ "Context": place().context() }),
    );
    assert_eq!(
        (&list["Facts"], &list["Counts"]["Total"]),
        (&facts, &json!(3))
    );
}
