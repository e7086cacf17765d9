//! The API document: generated from the router, kept as a snapshot, with an example a call that
//! the live server takes.
//! `cargo xtask describe` writes the snapshot anew.

use std::path::Path;

use checklist_tests::client::{json as with_json, send};
use checklist_tests::data::on_postgres;
use checklist_tests::process::Process;
use checklist_tests::setup::program;
use checklist_tests::{COMPUTERS, Server, Setup, WORKFLOWS, incident};
use reqwest::Method;
use serde_json::{Value, json};

use crate::bad_input::CALLS;

fn committed() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_committed_document_is_the_one_that_the_program_prints() {
    let ended = Process::start(program().arg("openapi")).ended();
    assert!(ended.status.success(), "{}", ended.said);
    let printed: Value = serde_json::from_str(&ended.said).unwrap();
    assert_eq!(
        printed,
        committed(),
        "docs/openapi.json is out of date; write it with `checklist-server openapi`"
    );
}

#[test]
fn the_served_document_differs_in_its_address_alone() {
    let server = Server::demo();
    let mut served = server.http().get("/openapi.json").ok();
    let mut document = committed();
    assert_eq!(served["servers"][0]["url"], server.base_url());
    for one in [&mut served, &mut document] {
        one.as_object_mut().unwrap().remove("servers");
    }
    assert_eq!(served, document);
}

#[test]
fn every_call_is_in_it_and_has_an_example() {
    let document = committed();
    let paths = document["paths"].as_object().unwrap();
    let others = [
        "Events",
        "Template/{fragmentId}",
        "Types",
        "Types/{name}",
        "Templates",
        "Templates/{id}",
        "Templates/{id}/Publish",
        "Journal",
        "Audit",
        "Preview/{fragmentId}",
        "Preview/Type/{name}",
    ];
    for call in CALLS.into_iter().chain(others) {
        let path = format!("{}/{call}", checklist_tests::API);
        assert!(
            paths.contains_key(&path),
            "{path} is not in the document: {:?}",
            paths.keys().collect::<Vec<_>>()
        );
    }
    for (path, method, operation) in operations(&document) {
        if operation.get("requestBody").is_some() {
            assert!(
                !examples(&document, operation).is_empty(),
                "{method} {path} has no example"
            );
        }
        assert!(
            operation["operationId"].is_string(),
            "{method} {path} has no name"
        );
        assert!(
            operation["summary"].is_string() || operation["description"].is_string(),
            "{method} {path} says nothing"
        );
    }
}

#[test]
fn every_example_is_taken_by_the_live_server() {
    let document = committed();
    let mut tried = 0;
    let calls = operations(&document).into_iter().flat_map(|call| {
        let bodies = examples(&document, call.2).into_iter();
        bodies.map(move |body| (call, body))
    });
    for ((path, method, operation), body) in calls {
        // `--demo` refuses PostgreSQL.
        if on_postgres() && path.starts_with("/demo/") {
            continue;
        }
        let server = Setup::demo()
            .with_vault()
            // Nobody listens there.
            .argument("--allow-origin")
            .argument("http://127.0.0.1:1")
            .start();
        let admin = server.as_admin().on(&incident("1"));
        let id = if path.contains("ServiceConnections/{id}") {
            let wish = json!({ "Name": "x", "Method": "Anonymous", "Url": "http://127.0.0.1:1/" });
            let made = admin.about_sites().send("ServiceConnections", &wish).ok();
            made["Id"].as_str().unwrap().to_owned()
        } else if path.contains("/Webhooks/{id}") {
            let wish =
                json!({ "Name": "x", "Url": "http://127.0.0.1:1/", "Events": ["journal.entry"] });
            let made = admin.about_webhooks().send("", &wish).ok();
            made["Webhook"]["Id"].as_str().unwrap().to_owned()
        } else {
            "onboarding".to_owned()
        };
        let path = path
            .replace("{id}", &id)
            .replace("{kid}", "portal")
            .replace("{name}", body["Name"].as_str().unwrap_or("incident"));
        let path = match body["Id"].as_str() {
            Some(id) => path.replace("/onboarding", &format!("/{id}")),
            None => path,
        };
        if path.ends_with("/Publish") {
            let mut draft = admin.get("Template/onboarding").ok();
            for member in ["Status", "Version"] {
                draft.as_object_mut().unwrap().remove(member);
            }
            admin.put("Templates/onboarding", &draft).ok();
        }
        if path.ends_with("/Users/Delete") || path.ends_with("/Users/EndSessions") {
            let mut user = body.clone();
            user["Name"] = json!("Anna Auditor");
            user["Roles"] = json!(["auditor"]);
            admin.put("Users", &user).ok();
        }
        // Tokens are given to programs with a key alone, and sites are asked for them alone.
        let activity = path.ends_with("SiteItem")
            || path.ends_with("SiteItems")
            || path.ends_with("/EstablishSiteConnection")
            || path.starts_with(COMPUTERS)
            || path.starts_with(WORKFLOWS);
        let is_run = path.ends_with("/ApplyTemplate");
        let takes_key = is_run
            || ["/EmbedTokens", "/Signals"]
                .iter()
                .any(|end| path.ends_with(end));
        let token = if activity || takes_key {
            let role = match (activity, is_run) {
                (true, _) => "site-operator",
                (false, true) => "admin",
                (false, false) => "editor",
            };
            let key = json!({ "Name": "Portal", "Roles": [role], "Sources": ["Backup server"] });
            let made = admin.send("ApiKeys", &key).ok();
            made["Secret"].as_str().unwrap().to_owned()
        } else {
            admin.token.clone()
        };
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let request = server
            .http()
            .request(method.clone(), &path)
            .bearer_auth(&token);
        // What our own pages alone may ask comes from one of them.
        let request = match path.starts_with("/session/") {
            true => request.header("sec-fetch-site", "same-origin"),
            false => request,
        };
        let request = with_json(request, &body);
        if operation["responses"]["200"]["content"]["text/event-stream"].is_object() {
            // It goes on for as long as the token does.
            assert_eq!(request.send().unwrap().status(), 200, "{path} with {body}");
            tried += 1;
            continue;
        }
        let answer = send(request);
        // An example cannot know of an operation that happened, nor of a connection that was
        // established, a run or the inventory's computers; all else has to succeed.
        let elsewhere = activity && {
            let problem = answer.json();
            let code = problem["Code"].as_str().unwrap_or_default();
            let unknown = problem["Errors"][0]["Pointer"] == "/ComputerIds/0";
            ["ConnectionNotFound", "RunNotFound"].contains(&code)
                || path.starts_with(WORKFLOWS) && unknown
        };
        // Nor of a one-time link that was made here.
        let link = path == "/session/link/sign-in" && answer.status == 401;
        // Nor of an authenticator: `http/passkeys` has one, and a server with a host name.
        let passkey = path.starts_with("/session/passkey") && matches!(answer.status, 401 | 404);
        // Nor of a list that has started again.
        let run = path.ends_with("/GetItems")
            && answer.status == 404
            && answer.json()["Code"] == "RunNotFound";
        let undo = path.ends_with("/Undo")
            && answer.status == 409
            && answer.json()["Code"] == "CannotUndo";
        // Nor of an item that somebody added.
        let strange = ["/UpdateItems", "/DeleteItems", "/RestoreItems"]
            .iter()
            .any(|call| path.ends_with(call))
            && answer.status == 409
            && answer
                .written()
                .results()
                .iter()
                .all(|result| result["Problem"]["Code"] == "ItemNotFound");
        // Where there is no demo, the caller is a program, and those waive nothing: `http/waive` has people.
        let waiver = path.ends_with("/Waive")
            && answer.status == 409
            && answer.json()["Code"] == "CannotWaive";
        assert!(
            undo || run
                || strange
                || waiver
                || link
                || passkey
                || elsewhere
                || (200..300).contains(&answer.status),
            "{method} {path} with {body}: {} {}",
            answer.status,
            answer.text()
        );
        tried += 1;
    }
    assert!(tried >= 9, "only {tried} examples were tried");
}

#[test]
fn a_body_may_be_left_out_of_those_calls_alone_of_which_the_document_says_so() {
    let document = committed();
    let server = Server::demo();
    let wish = json!({ "Name": "Client", "Roles": ["admin", "site-operator"] });
    let key = server
        .as_admin()
        .on(&incident("1"))
        .send("ApiKeys", &wish)
        .ok();
    let mut may_be_left_out = Vec::new();
    for (path, method, operation) in operations(&document) {
        if operation["requestBody"]["content"]["application/json"].is_null() {
            continue;
        }
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let address = path.replace("{id}", "x").replace("{kid}", "x");
        let request = server
            .http()
            .request(method, &address.replace("{name}", "x"))
            .bearer_auth(key["Secret"].as_str().unwrap())
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/json");
        let answer = send(request);
        let refused = answer.status == 400 && answer.json()["Code"] == "MalformedJson";
        let required = operation["requestBody"]["required"] == true;
        assert_eq!(
            required,
            refused,
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
        if !required {
            may_be_left_out.push(operation["operationId"].as_str().unwrap());
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            assert!(schema["$ref"].is_string(), "{path} takes no null: {schema}");
        }
    }
    assert!(
        may_be_left_out.contains(&"ConfirmRun"),
        "{may_be_left_out:?}"
    );
}

#[test]
fn every_body_that_is_a_text_has_an_example_that_is_imported_whole() {
    let document = committed();
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let wish = json!({ "Name": "Inventory", "Roles": ["admin", "site-operator"] });
    let key = admin.send("ApiKeys", &wish).ok();
    let mut tried = 0;
    for (path, method, operation) in operations(&document) {
        let contents = operation["requestBody"]["content"].as_object();
        for (kind, content) in contents.into_iter().flatten() {
            if kind == "application/json" {
                continue;
            }
            let text = content["example"].as_str();
            let text = text.unwrap_or_else(|| panic!("{path} has no example of {kind}"));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = server.http().request(method, path);
            let request = request.bearer_auth(key["Secret"].as_str().expect("a secret"));
            let request = request.header("content-type", kind.as_str());
            let answer = send(request.body(text.to_owned())).ok();
            assert_eq!(answer.get("Notes"), None, "{path} as {kind}: {answer}");
            assert_ne!(answer["Templates"], json!([]), "{path} as {kind}: {answer}");
            assert_ne!(answer["Created"], json!(0), "{path} as {kind}: {answer}");
            tried += 1;
        }
    }
    assert_eq!(tried, 4);
}

#[test]
fn answers_have_the_members_that_the_document_requires() {
    let document = committed();
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    admin.add("A");
    let answers = [
        ("GetItems", admin.list().0),
        ("UpdateItems", admin.tick("A").0),
        ("Types", admin.get("Types").ok()),
        ("Journal", admin.get("Journal").ok()),
        ("Audit", admin.get("Audit").ok()),
    ];
    for (call, answer) in answers {
        let operation = &document["paths"][format!("{}/{call}", checklist_tests::API)];
        let operation = operation
            .get("post")
            .or_else(|| operation.get("get"))
            .unwrap();
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let fits = alternatives(&document, schema).into_iter().any(|schema| {
            schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .all(|name| answer.get(name.as_str().unwrap()).is_some())
        });
        assert!(fits, "{call}: {answer} does not fit {schema}");
    }
}

#[test]
fn every_call_of_the_document_is_in_the_reference() {
    let server = Server::demo();
    let pages: Vec<String> = committed()["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| {
            tag["name"]
                .as_str()
                .unwrap()
                .to_lowercase()
                .replace(' ', "-")
        })
        .map(|topic| {
            server
                .http()
                .get(&format!("/docs/api/{topic}"))
                .text()
                .to_owned()
        })
        .collect();
    for (path, method, operation) in operations(&committed()) {
        let id = operation["operationId"].as_str().unwrap();
        let heading = format!("<h2 id=\"{id}\">");
        let Some((_, rest)) = pages.iter().find_map(|page| page.split_once(&heading)) else {
            panic!("{method} {path} is not in the reference");
        };
        let call = rest.split("</section>").next().unwrap_or_default();
        assert_eq!(
            call.contains("The body may be left out."),
            operation["requestBody"].is_object() && operation["requestBody"]["required"] != true,
            "{method} {path}: {call}"
        );
    }
}

fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods
                .filter(|(_, operation)| operation.is_object())
                .map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
        })
        .collect()
}

/// The examples of a request body: those at the media type, else the one at its schema.
fn examples(document: &Value, operation: &Value) -> Vec<Value> {
    let media = &operation["requestBody"]["content"]["application/json"];
    let named = media["examples"].as_object().into_iter().flatten();
    let named = named.map(|(_, one)| &one["value"]);
    let shown: Vec<&Value> = media.get("example").into_iter().chain(named).collect();
    if !shown.is_empty() {
        return shown.into_iter().cloned().collect();
    }
    let schema = resolve(document, &media["schema"]);
    let of_schema = (schema.get("example")).or_else(|| schema["examples"].get(0));
    let of_schema = of_schema.filter(|value| !value.is_null() && **value != json!({}));
    of_schema.into_iter().cloned().collect()
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"]
        .as_str()
        .and_then(|name| document.pointer(name.trim_start_matches('#')))
        .unwrap_or(schema)
}

fn alternatives<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let schema = resolve(document, schema);
    match schema["oneOf"]
        .as_array()
        .or_else(|| schema["anyOf"].as_array())
    {
        Some(all) => all.iter().map(|one| resolve(document, one)).collect(),
        None => vec![schema],
    }
}
