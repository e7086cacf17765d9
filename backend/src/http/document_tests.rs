//! Tests of the API document: its examples are valid, its references resolve, and the copy in
//! `docs/` is up to date.
//!
//! A failing test says what a new call lacks.

use std::collections::HashSet;
use std::path::Path;

use checklist_services::sites::wire::{Established, ItemAdded, ItemChanged, ItemRead, ItemsRead};
use checklist_shared::problem::Problem;
use checklist_shared::template::Template;
use checklist_shared::wire::access::{
    AdminLink, ApiKeys, CreatedApiKey, EmbedKey, EmbedKeys, EmbedTokenRequest, NewApiKey,
    OpenAdminLink, PutEmbedKey, PutUser, Revocation, Revoked, Session, UseAdminLink, User, Users,
};
use checklist_shared::wire::admin::{
    AuditPage, AuditVerification, DemoTokenRequest, JournalPage, PutType, TemplateBundle,
    TemplateHistory, TemplateImpact, Templates, Token, Type, Types,
};
use checklist_shared::wire::computers::{
    ComputerView, ComputersPage, ImportAnswer, ImportComputers,
};
use checklist_shared::wire::connections::{
    ConnectionTest, ConsentBegun, PutServiceConnection, ServiceCapabilityProviders,
    ServiceConnection, ServiceConnections, TestServiceConnection,
};
use checklist_shared::wire::history::{GetItemHistory, ItemHistory};
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::live::OpenEvents;
use checklist_shared::wire::render::{Render, RenderAnswer};
use checklist_shared::wire::site_lists::{SiteColumns, SiteLists};
use checklist_shared::wire::webhooks::{
    PutWebhook, RotateSecret, Webhook, WebhookDeliveriesPage, WebhookDelivery,
    WebhookDeliveryAnswer, WebhookWithSecret, Webhooks,
};
use checklist_shared::wire::workflow::{ConfirmRun, Run, RunAnswer, RunsPage, StartRun};
use checklist_shared::wire::write::{
    AddItems, DeleteItems, LockList, RefreshItems, RestoreItems, Undo, UpdateItems, WriteAnswer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::*;
use crate::http::examples::Example;
use crate::http::extract::errors_of;
use crate::http::router::openapi;

fn document() -> Value {
    serde_json::to_value(openapi()).expect("a document")
}

/// All operations with their paths.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .expect("operations")
                .iter()
                .map(move |(verb, operation)| (format!("{verb} {path}"), operation))
        })
        .collect()
}

/// Asserts that a text deserializes as `T` and serializes to the same JSON.
fn same<T: DeserializeOwned + Serialize>(what: &str, text: &str) {
    let value: Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{what} is no JSON: {error}"));
    let read: T =
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut again = serde_json::to_value(&read).expect("JSON");
    // What a request leaves out may have a default.
    if what.ends_with("request")
        && let (Some(again), Some(value)) = (again.as_object_mut(), value.as_object())
    {
        again.retain(|name, _| value.contains_key(name));
    }
    for name in value.as_object().expect("an object").keys() {
        assert!(again.get(name).is_some(), "{what}: {name} is not a field");
    }
}

fn pair<Request: DeserializeOwned + Serialize, Answer: DeserializeOwned + Serialize>(
    example: &Example,
) {
    if let Some(request) = example.request {
        same::<Request>(&format!("{} request", example.operation), request);
    }
    same::<Answer>(&format!("{} answer", example.operation), example.answer);
}

#[test]
fn every_example_is_one_of_its_type() {
    for example in EXAMPLES {
        match example.operation {
            "GetTemplate" | "PublishTemplate" => pair::<(), Template>(example),
            "GetItemHistory" => pair::<GetItemHistory, ItemHistory>(example),
            "GetItems" => pair::<GetItems, ListAnswer>(example),
            "Render" => pair::<Render, RenderAnswer>(example),
            "AddItems" => pair::<AddItems, WriteAnswer>(example),
            "UpdateItems" => pair::<UpdateItems, WriteAnswer>(example),
            "DeleteItems" => pair::<DeleteItems, WriteAnswer>(example),
            "RestoreItems" => pair::<RestoreItems, WriteAnswer>(example),
            "RefreshItemsOnTemplateChange" => pair::<RefreshItems, WriteAnswer>(example),
            "Undo" => pair::<Undo, WriteAnswer>(example),
            "Lock" => pair::<LockList, WriteAnswer>(example),
            "FollowEvents" => {
                let request = example.request.expect("a request");
                same::<OpenEvents>("FollowEvents request", request);
            }
            "ListTypes" => pair::<(), Types>(example),
            "GetType" => pair::<(), Type>(example),
            "PutType" => pair::<PutType, Type>(example),
            "ListTemplates" => pair::<(), Templates>(example),
            "GetTemplateHistory" => pair::<(), TemplateHistory>(example),
            "ExportTemplates" => pair::<(), TemplateBundle>(example),
            "ImportTemplates" => pair::<TemplateBundle, Templates>(example),
            "GetTemplateImpact" => pair::<(), TemplateImpact>(example),
            "PutTemplateDraft" => pair::<Template, Template>(example),
            "ReadJournal" => pair::<(), JournalPage>(example),
            "ReadAudit" => pair::<(), AuditPage>(example),
            "VerifyAudit" => pair::<(), AuditVerification>(example),
            "ListApiKeys" => pair::<(), ApiKeys>(example),
            "CreateApiKey" => pair::<NewApiKey, CreatedApiKey>(example),
            "ListEmbedKeys" => pair::<(), EmbedKeys>(example),
            "PutEmbedKey" => pair::<PutEmbedKey, EmbedKey>(example),
            "ListUsers" => pair::<(), Users>(example),
            "PutUser" => pair::<PutUser, User>(example),
            "Revoke" => pair::<Revocation, Revoked>(example),
            "MintEmbedToken" => pair::<EmbedTokenRequest, Token>(example),
            "GetSession" | "DemoSession" => pair::<(), Session>(example),
            "OpenAdminLink" => pair::<OpenAdminLink, AdminLink>(example),
            "UseAdminLink" => pair::<UseAdminLink, Session>(example),
            "EstablishSiteConnection" => same::<Established>("answer", example.answer),
            "AddSiteItem" => same::<ItemAdded>("answer", example.answer),
            "EditSiteItem" | "DeleteSiteItem" => same::<ItemChanged>("answer", example.answer),
            "GetSiteItem" => same::<ItemRead>("answer", example.answer),
            "GetSiteItems" => same::<ItemsRead>("answer", example.answer),
            "TestServiceConnection" => pair::<TestServiceConnection, ConnectionTest>(example),
            "GetSiteLists" => pair::<(), SiteLists>(example),
            "GetSiteColumns" => pair::<(), SiteColumns>(example),
            "ListWebhooks" => pair::<(), Webhooks>(example),
            "GetWebhook" => pair::<(), Webhook>(example),
            "CreateWebhook" => pair::<PutWebhook, WebhookWithSecret>(example),
            "PutWebhook" => pair::<PutWebhook, Webhook>(example),
            "RotateWebhookSecret" => pair::<RotateSecret, WebhookWithSecret>(example),
            "TestWebhook" | "ReplayWebhookDelivery" => pair::<(), WebhookDelivery>(example),
            "ListWebhookDeliveries" => pair::<(), WebhookDeliveriesPage>(example),
            "GetWebhookDelivery" => pair::<(), WebhookDeliveryAnswer>(example),
            "ListComputers" => pair::<(), ComputersPage>(example),
            "GetComputer" => pair::<(), ComputerView>(example),
            "ImportComputers" => pair::<ImportComputers, ImportAnswer>(example),
            "ListServiceConnections" => pair::<(), ServiceConnections>(example),
            "GetServiceConnection" => pair::<(), ServiceConnection>(example),
            "CreateServiceConnection" | "PutServiceConnection" => {
                pair::<PutServiceConnection, ServiceConnection>(example);
            }
            "ConnectServiceConnection" => pair::<(), ConsentBegun>(example),
            "ListServiceCapabilityProviders" => pair::<(), ServiceCapabilityProviders>(example),
            "StartComputerExport" => pair::<StartRun, Run>(example),
            "ListRuns" => pair::<(), RunsPage>(example),
            "GetRun" => pair::<(), RunAnswer>(example),
            "CancelRun" | "RetryFailedOfRun" => pair::<(), Run>(example),
            "ConfirmRun" => pair::<ConfirmRun, Run>(example),
            "DemoToken" => pair::<DemoTokenRequest, Token>(example),
            other => panic!("no type is known for the example of {other}"),
        }
    }
}

#[test]
fn every_example_fits_the_schema_that_bodies_are_held_against() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let mut count = 0;
    for (what, operation) in operations(&document) {
        let request = &operation["requestBody"]["content"]["application/json"];
        let answer = &operation["responses"]["200"]["content"]["application/json"];
        for content in [request, answer] {
            if let (Some(schema), Some(example)) = (content.get("schema"), content.get("example")) {
                assert_eq!(errors_of(example, schema, schemas), [], "{what}");
                count += 1;
            }
        }
    }
    assert!(count > 80, "only {count} examples");
}

#[test]
fn every_problem_is_an_example_of_its_status() {
    for problem in PROBLEMS {
        same::<Problem>(problem.name, problem.example);
        let read: Problem = serde_json::from_str(problem.example).expect("a problem");
        assert_eq!(read.status.to_string(), problem.status, "{}", problem.name);
        assert_eq!(read.code.status(), read.status, "{}", problem.name);
        assert_eq!(read.code.title(), read.title, "{}", problem.name);
    }
}

#[test]
fn every_call_is_told_in_full() {
    let document = document();
    let mut names = HashSet::new();
    for (what, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        assert!(
            names.insert(id.to_owned()),
            "{what}: the name {id} is taken"
        );
        for member in ["summary", "tags"] {
            assert!(!operation[member].is_null(), "{what} has no {member}");
        }
        let answer = &operation["responses"]["200"]["content"]["application/json"];
        assert!(
            answer.is_null() || !answer["example"].is_null(),
            "{what}: the answer has no example"
        );
        let request = &operation["requestBody"]["content"]["application/json"];
        assert!(
            request.is_null() || !request["example"].is_null(),
            "{what}: the request has no example"
        );
        let is_api = what.contains("/api/Vendor/");
        let documented = |status: &str| !operation["responses"][status].is_null();
        assert!(
            !is_api || (documented("401") && documented("404") && documented("422")),
            "{what}: problems are missing"
        );
        assert!(
            is_api || operation["security"].is_array(),
            "{what} needs no token and does not say so"
        );
    }
    assert!(
        names.contains("RefreshItemsOnTemplateChange") && names.len() > 20,
        "calls are missing: {names:?}"
    );
}

#[test]
fn every_reference_leads_somewhere() {
    fn walk<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    found.push(reference);
                }
                members.values().for_each(|member| walk(member, found));
            }
            Value::Array(list) => list.iter().for_each(|entry| walk(entry, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    walk(&document, &mut found);
    assert!(found.len() > 50);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("references stay inside");
        assert!(
            document.pointer(pointer).is_some(),
            "{reference} leads nowhere"
        );
    }
}

#[test]
fn the_copy_in_docs_is_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let kept = std::fs::read_to_string(&path).expect("docs/openapi.json");
    let now = openapi().to_pretty_json().expect("a document");
    assert!(
        kept.trim_end() == now.trim_end(),
        "docs/openapi.json is not what the router says; write it anew: checklist-server openapi > docs/openapi.json"
    );
}

/// Calls `look` with each object of the document and its position.
fn each_object(value: &Value, place: &str, look: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            look(place, value);
            for (name, member) in members {
                each_object(member, &format!("{place}/{name}"), look);
            }
        }
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                each_object(entry, &format!("{place}/{index}"), look);
            }
        }
        _ => {}
    }
}

#[test]
fn no_description_holds_examples_in_rust_and_no_default_is_null() {
    let mut found = Vec::new();
    each_object(&document(), "", &mut |place, object| {
        if object.get("default").is_some_and(Value::is_null) {
            found.push(format!("{place}: default null"));
        }
        for text in ["description", "summary"] {
            if object[text].as_str().is_some_and(|text| {
                text.contains("```") || text.contains("[`") || text.contains("crate::")
            }) {
                found.push(format!("{place}: {}", object[text]));
            }
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_contracts_of_the_site_lists_are_schemas_with_their_properties() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let properties = |name: &str| -> Vec<String> {
        let properties = schemas[name]["properties"].as_object();
        let properties = properties.unwrap_or_else(|| panic!("no schema {name}"));
        properties.keys().cloned().collect()
    };
    let required = |name: &str| -> Vec<&str> {
        let required = schemas[name]["required"].as_array().into_iter().flatten();
        required.filter_map(Value::as_str).collect()
    };
    assert_eq!(
        properties("SiteConnection"),
        [
            "Url",
            "Username",
            "Password",
            "Domain",
            "AuthenticationType",
            "Timeout",
            "ServiceConnection"
        ]
    );
    assert_eq!(required("SiteConnection"), ["Url", "AuthenticationType"]);
    assert_eq!(
        properties("SiteItemField"),
        ["InternalName", "DisplayName", "Type", "Value"]
    );
    assert_eq!(
        required("SiteItemField"),
        ["InternalName", "DisplayName", "Type"]
    );
    assert_eq!(
        properties("SiteUserOrGroup"),
        [
            "IsGroup",
            "Name",
            "Title",
            "Email",
            "FirstName",
            "LastName",
            "IsSiteAdmin"
        ]
    );
    assert_eq!(required("SiteUserOrGroup"), ["IsGroup"]);
    assert_eq!(
        properties("ObjectExpressionParameter"),
        ["Name", "Value", "Type"]
    );
    assert_eq!(
        schemas["AuthenticationType"]["enum"],
        serde_json::json!([
            "Anonymous",
            "PassThrough",
            "SiteOnline",
            "Forms",
            "Negotiate",
            "Kerberos",
            "NTLM",
            "Digest",
            "ServiceConnection"
        ])
    );
    let list = &schemas["AddSiteItem"]["properties"]["List"];
    assert!(
        list.to_string().contains("#/components/schemas/SiteList"),
        "{list}"
    );
    assert!(schemas["SiteList"]["oneOf"].is_array());
}
