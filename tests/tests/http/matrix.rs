//! Every call of the server's own API document, asked by every kind of caller: who is let in, who
//! is refused, and that nobody of another tenant learns or changes anything.
//!
//! A call of which the document does not say what it needs fails the test, so none can be forgotten.

use std::collections::BTreeMap;

use checklist_tests::client::{json as with_json, send};
use checklist_tests::data::on_postgres;
use checklist_tests::promise::held;
use checklist_tests::role::{self, AUDITOR, CHECKER, EDITOR, OWNER, READER, TEMPLATE_ADMIN};
use checklist_tests::{Answer, HostKey, Server, Setup, incident, until};
use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

/// What a call asks for, as `x-needs` of the document says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Need {
    /// No credential at all.
    Nothing,
    /// One of these permissions.
    Any(Vec<String>),
    /// An API key; nobody of the table has one.
    ApiKey,
    /// The permission for sites, and any credential but an embed token, which all of the table
    /// have.
    Sites,
    /// A cookie of the built-in pages, or a browser on its way; tokens mean nothing.
    Browser,
    /// Only there with `--demo`.
    Demo,
}

use Need::{Any, ApiKey, Browser, Demo, Nothing, Sites};

impl Need {
    fn of(operation: &Value) -> Self {
        let words = operation["x-needs"].as_array();
        let words =
            words.unwrap_or_else(|| panic!("{} needs nothing known", operation["operationId"]));
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        match words.as_slice() {
            [] => Nothing,
            ["ApiKey"] => ApiKey,
            ["Sites"] => Sites,
            ["Browser"] => Browser,
            ["Demo"] => Demo,
            permissions => Any(permissions.iter().map(|one| (*one).to_owned()).collect()),
        }
    }

    /// Whether exactly one permission lets a caller in, and it is this one.
    fn is_only(&self, permission: &str) -> bool {
        matches!(self, Any(permissions) if permissions == &[permission])
    }
}

/// The calls that need no permission. Written here once more, because a row of the document that
/// lost its needs would let everybody in without any test that fails.
const WITHOUT_PERMISSION: [(&str, Need); 20] = [
    ("AddPasskey", Browser),
    ("BeginPasskey", Browser),
    ("BeginPasskeySignIn", Browser),
    ("BeginSignIn", Browser),
    ("DemoSession", Demo),
    ("DemoToken", Demo),
    ("FinishConsent", Browser),
    ("FinishSignIn", Browser),
    ("GetSession", Browser),
    ("Healthz", Nothing),
    ("ListPasskeys", Browser),
    ("MintEmbedToken", ApiKey),
    ("OpenAdminLink", Browser),
    ("Readyz", Nothing),
    ("RemovePasskey", Browser),
    ("RenamePasskey", Browser),
    ("SendSignals", ApiKey),
    ("SignOut", Browser),
    ("UseAdminLink", Browser),
    ("UsePasskey", Browser),
];

/// What stands in every text of the tenant that is looked at from elsewhere.
const SECRET: &str = "NORTH-SECRET";

/// A call with everything filled in.
pub(super) struct Call {
    pub(super) operation: String,
    pub(super) need: Need,
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
}

/// What there is in the tenant north, by the place where its id can stand.
pub(super) struct Ids {
    item: String,
    operation: String,
    api_key: String,
    connection: String,
    other_connection: String,
    webhook: String,
    other_webhook: String,
    delivery: String,
    template_run: String,
}

pub(super) struct World {
    pub(super) server: Server,
    pub(super) north: HostKey,
    south: HostKey,
    pub(super) ids: Ids,
}

pub(super) fn world() -> World {
    let (north, south) = (HostKey::of("north"), HostKey::of("south"));
    let server = Setup::for_hosts(&[north.clone(), south.clone()])
        .with_vault()
        .start();
    let place = incident("N-1").for_purpose("x");
    let admin = server.as_admin().on(&place);
    use checklist_tests::template::{fragment, item, publish};
    publish(&server, &fragment("north-fragment", [item("a", SECRET)]));
    let kind = json!({ "Name": "north-type", "Classes": ["UnitOfWork", "ChecklistItem"],
        "Templates": { "": "north-fragment" } });
    admin.put("Types/north-type", &kind).ok();
    let item = admin.add(SECRET);
    let operation = "north-operation";
    let tick = json!({ "OperationId": operation, "Items": [{ "Id": item, "Status": "Done" }] });
    admin.call("UpdateItems", tick).ok();
    let wish = json!({ "Name": SECRET, "Roles": ["reader"] });
    let api_key = admin.send("ApiKeys", &wish).ok()["Id"]
        .as_str()
        .unwrap()
        .to_owned();
    let key = json!({ "PublicKey": HostKey::of("other").public_pem });
    admin.put("EmbedKeys/north-portal", &key).ok();
    for subject in ["anna", "left", "forgotten"] {
        let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": SECRET, "Roles": ["reader"] });
        admin.put("Users", &user).ok();
    }
    publish_unused(&server);
    let connect = |name: &str| {
        let wish = json!({ "Name": name, "Method": "NTLM", "Url": "https://intranet.example/sites/it",
            "Username": SECRET, "Password": SECRET });
        let made = admin.about_sites().send("ServiceConnections", &wish).ok();
        made["Id"].as_str().unwrap().to_owned()
    };
    let hooks = admin.about_webhooks();
    let tell = |name: &str| {
        let wish = json!({ "Name": name, "Url": format!("https://desk.example/{SECRET}"),
            "Events": ["checklist.completed"] });
        let made = hooks.send("", &wish).ok();
        made["Webhook"]["Id"].as_str().unwrap().to_owned()
    };
    let webhook = tell(SECRET);
    let apply = json!({ "Template": "north-fragment", "Contexts": [incident("N-1").context()] });
    let applied = admin.send("ApplyTemplate", &apply).ok();
    let template_run = applied["Id"].as_str().unwrap().to_owned();
    until("the run has ended", || {
        let run = admin
            .get(&format!("ApplyTemplate/Runs/{template_run}"))
            .ok();
        (!run["EndedAt"].is_null()).then_some(())
    });
    let tried = hooks.send(&format!("{webhook}/Test"), &json!({})).ok();
    World {
        ids: Ids {
            delivery: tried["Id"].as_str().unwrap().to_owned(),
            template_run,
            other_webhook: tell("Other"),
            webhook,
            connection: connect(SECRET),
            other_connection: connect("Other"),
            item,
            operation: operation.to_owned(),
            api_key,
        },
        server,
        north,
        south,
    }
}

/// A template and a type that nothing uses, so that both can be deleted.
pub(super) fn publish_unused(server: &Server) {
    use checklist_tests::template::{fragment, item, publish};
    publish(server, &fragment("north-unused", [item("a", SECRET)]));
    let admin = server.as_admin().on(&incident("N-1"));
    let kind = json!({ "Name": "north-unused", "Classes": [], "Templates": {} });
    admin.put("Types/north-unused", &kind).ok();
}

impl World {
    fn token(
        &self,
        host: &HostKey,
        permissions: &[&str],
        change: impl FnOnce(&mut Value),
    ) -> String {
        let mut claims = host.claims(&self.server.base_url(), "somebody", permissions);
        change(&mut claims);
        host.sign(&claims)
    }

    /// All calls of the document, about what there is in north.
    pub(super) fn calls(&self, ids: &Ids) -> Vec<Call> {
        let document = self.server.http().get("/openapi.json").ok();
        let mut calls = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let id = operation["operationId"].as_str().unwrap().to_owned();
                let media = &operation["requestBody"]["content"]["application/json"];
                // Of several the usual one.
                let body = match &media["examples"]["Default"]["value"] {
                    Value::Null => &media["example"],
                    body => body,
                };
                let mut body = Some(body.clone()).filter(|body| !body.is_null());
                if let Some(body) = &mut body {
                    fill(body, ids, &id);
                }
                calls.push(Call {
                    need: Need::of(operation),
                    method: method.to_uppercase().parse().unwrap(),
                    path: with_ids(path, ids, &id),
                    operation: id,
                    body,
                });
            }
        }
        calls
    }

    pub(super) fn ask(&self, call: &Call, token: Option<&str>) -> (u16, Value) {
        let mut request = self.server.http().request(call.method.clone(), &call.path);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = &call.body {
            request = with_json(request, body);
        }
        let response: Response = request.send().expect("an answer");
        let status = response.status().as_u16();
        let kind = response.headers().get("content-type").cloned();
        let kind = kind
            .and_then(|kind| kind.to_str().ok().map(str::to_owned))
            .unwrap_or_default();
        // A stream has no end.
        if kind.starts_with("text/event-stream") {
            return (status, Value::Null);
        }
        let text = response.text().unwrap_or_default();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        (status, body)
    }

    /// What there is in north, as its administrator sees it.
    fn snapshot(&self) -> BTreeMap<&'static str, Value> {
        let admin = self.server.as_admin().on(&incident("N-1").for_purpose("x"));
        let mut seen: BTreeMap<&str, Value> = [
            "Types",
            "Templates",
            "Templates/north-fragment",
            "ApiKeys",
            "EmbedKeys",
            "Users",
            "Audit",
            "Journal",
            "ApplyTemplate/Runs",
        ]
        .into_iter()
        .map(|path| (path, admin.get(path).ok()))
        .collect();
        let connections = admin.about_sites().get("ServiceConnections").ok();
        seen.insert("connections", connections);
        // What the receiver has not taken meanwhile stands in there, too.
        let mut hooks = admin.about_webhooks().get("").ok();
        for hook in hooks["Webhooks"].as_array_mut().unwrap() {
            hook.as_object_mut().unwrap().remove("FailingSince");
        }
        seen.insert("webhooks", hooks);
        seen.insert("list", admin.list().0);
        seen
    }
}

/// Calls about somebody who is registered.
const ABOUT_A_PERSON: [&str; 3] = ["DeleteUser", "EndSessions", "EraseUser"];

/// Puts north's ids wherever an id stands in an example.
fn fill(value: &mut Value, ids: &Ids, operation: &str) {
    let context = json!({ "ObjectType": "incident", "ObjectId": "N-1", "Purpose": "x",
        "TemplateId": "north-fragment" });
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match (name.as_str(), &member) {
                    ("Context", _) => *member = context.clone(),
                    ("Contexts", Value::Array(_)) => *member = json!([context]),
                    ("Undoes", _) => *member = json!(ids.operation),
                    // An undo is an operation of its own.
                    ("OperationId", _) if operation == "Undo" => {}
                    ("OperationId", _) => *member = json!(ids.operation),
                    ("ToVersion", _) => *member = json!(1),
                    ("Jti", _) => *member = json!("nobody's"),
                    ("Id" | "AfterId" | "BeforeId" | "ParentId", Value::String(id))
                        if id.len() == 36 =>
                    {
                        *member = json!(ids.item);
                    }
                    ("Template", Value::String(_)) => *member = json!("north-fragment"),
                    ("Ids", Value::Array(_)) => *member = json!([ids.item]),
                    ("Id", _) if operation == "PutTemplateDraft" => {
                        *member = json!("north-fragment")
                    }
                    ("Issuer", _) if ABOUT_A_PERSON.contains(&operation) => {
                        *member = json!("https://id.example");
                    }
                    ("Subject", _) if operation == "DeleteUser" => *member = json!("left"),
                    ("Subject", _) if operation == "EndSessions" => *member = json!("anna"),
                    ("Subject", _) if operation == "EraseUser" => *member = json!("forgotten"),
                    ("Name", Value::String(_)) if operation == "PutType" => {
                        *member = json!("north-type")
                    }
                    ("Templates", Value::Object(_)) => *member = json!({ "": "north-fragment" }),
                    _ => fill(member, ids, operation),
                }
            }
        }
        Value::Array(entries) => entries
            .iter_mut()
            .for_each(|entry| fill(entry, ids, operation)),
        _ => {}
    }
}

fn with_ids(path: &str, ids: &Ids, operation: &str) -> String {
    let name = match operation {
        "DeleteType" => "north-unused",
        _ => "north-type",
    };
    let id = match operation {
        "DeleteTemplate" => "north-unused",
        "RevokeApiKey" => &ids.api_key,
        "DeleteServiceConnection" => &ids.other_connection,
        _ if path.contains("/ServiceConnections/{id}") => &ids.connection,
        "DeleteWebhook" => &ids.other_webhook,
        _ if path.contains("/Webhooks/{id}") => &ids.webhook,
        _ if path.contains("/WebhookDeliveries/{id}") => &ids.delivery,
        _ if path.contains("/ApplyTemplate/Runs/{id}") => &ids.template_run,
        _ => "north-fragment",
    };
    path.replace("{id}", id)
        .replace("{list}", "Computers")
        .replace("{kid}", "north-portal")
        .replace("{name}", name)
        .replace("{fragmentId}", "north-fragment")
}

fn code(body: &Value) -> &str {
    body["Code"].as_str().unwrap_or("")
}

const ROLES: [(&str, &[&str]); 9] = [
    ("nobody's rights", &[]),
    ("reader", READER),
    ("checker", CHECKER),
    ("editor", EDITOR),
    ("owner", OWNER),
    // Claimed and not given: administration is above the ceiling of every key.
    (
        "a token that claims administration",
        &["Read", "Check", "Sites"],
    ),
    ("auditor", AUDITOR),
    ("template-admin", TEMPLATE_ADMIN),
    ("admin", role::ADMIN),
];

#[test]
fn every_call_lets_in_those_alone_who_may() {
    let world = world();
    let mut calls = world.calls(&world.ids);
    // What is retired is offered again for those who come after.
    calls.sort_by_key(|call| call.operation == "OfferTemplate");
    let mut cells = 0;
    for (role, permissions) in ROLES {
        publish_unused(&world.server);
        let token = if role == "admin" {
            world.server.admin_key(&world.north.tenant, "Ada Admin")
        } else {
            world.token(&world.north, permissions, |claims| {
                if role.contains("claims administration") {
                    claims["perm"] = json!(["Read", "Check", "Sites", "Admin"]);
                }
            })
        };
        for call in &calls {
            // What an administrator revokes is gone for those who come after.
            if call.operation == "Revoke" && role == "admin" {
                continue;
            }
            let (status, body) = world.ask(call, Some(&token));
            let what = format!("{role}: {} is {status} {body}", call.operation);
            assert!(status < 500, "{what}");
            match &call.need {
                Any(needed) if !needed.iter().any(|one| permissions.contains(&one.as_str())) => {
                    assert_eq!((status, code(&body)), (403, "PermissionDenied"), "{what}");
                }
                Any(_) => assert!(matches!(status, 200..=299 | 409 | 422), "{what}"),
                // What an API key does with sites is tried with sites.
                Sites if role == "admin" => continue,
                // It takes a key that names the source.
                ApiKey if call.operation == "SendSignals" => {
                    assert_eq!((status, code(&body)), (403, "PermissionDenied"), "{what}");
                }
                ApiKey if role == "admin" => assert_eq!(status, 200, "{what}"),
                ApiKey | Sites => {
                    assert_eq!((status, code(&body)), (403, "PermissionDenied"), "{what}")
                }
                Nothing => assert_eq!(status, 200, "{what}"),
                Demo => assert_eq!(status, 404, "{what}"),
                Browser => assert!(matches!(status, 302 | 401 | 403 | 404), "{what}"),
            }
            cells += 1;
        }
    }
    assert!(cells > 300, "only {cells} cells");
    let database = if on_postgres() {
        "PostgreSQL"
    } else {
        "SQLite"
    };
    held(
        "S1",
        format!(
            "{database}: {} calls, {} roles, {cells} cells as they should be, and those of strangers and of nobody",
            calls.len(),
            ROLES.len()
        ),
    );
}

#[test]
fn these_calls_alone_need_no_permission() {
    let world = world();
    let mut without: Vec<(String, Need)> = world
        .calls(&world.ids)
        .into_iter()
        .filter(|call| !matches!(call.need, Any(_) | Sites))
        .map(|call| (call.operation, call.need))
        .collect();
    without.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = WITHOUT_PERMISSION.map(|(name, need)| (name.to_owned(), need));
    assert_eq!(without, expected);
}

#[test]
fn without_a_credential_that_holds_nothing_is_answered() {
    let world = world();
    let calls = world.calls(&world.ids);
    let admin = role::ADMIN;
    let expired = world.token(&world.north, admin, |claims| claims["exp"] = json!(1_000));
    let revoked = world.token(&world.north, admin, |claims| {
        claims["jti"] = json!("stolen")
    });
    let revoke = json!({ "Jti": "stolen" });
    world
        .server
        .as_admin()
        .on(&incident("1"))
        .send("Revocations", &revoke)
        .ok();
    let before = world.snapshot();
    let unsigned = format!("{}.", revoked.rsplit_once('.').unwrap().0);
    for (who, token, expected) in [
        ("nobody", None, "Unauthenticated"),
        ("expired", Some(&expired), "TokenExpired"),
        ("revoked", Some(&revoked), "Unauthenticated"),
        ("unsigned", Some(&unsigned), "Unauthenticated"),
        (
            "no token",
            Some(&"ck_nonsense".to_owned()),
            "Unauthenticated",
        ),
    ] {
        for call in calls
            .iter()
            .filter(|call| matches!(call.need, Any(_) | ApiKey | Sites))
        {
            let (status, body) = world.ask(call, token.map(String::as_str));
            assert_eq!(
                (status, code(&body)),
                (401, expected),
                "{who}: {} {body}",
                call.operation
            );
        }
    }
    assert_eq!(world.snapshot(), before);
}

#[test]
fn another_tenants_administrator_learns_and_changes_nothing() {
    let world = world();
    let before = world.snapshot();
    let administrator = world.server.admin_key(&world.south.tenant, "Sam");
    let on_a_page = world.token(&world.south, role::ADMIN, |_| {});
    let of_nobody = Ids {
        connection: "0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f".to_owned(),
        other_connection: "0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9e".to_owned(),
        item: "019a9f3e-0000-7000-8000-000000000000".to_owned(),
        operation: "nobody's".to_owned(),
        api_key: "019a9f3e-0000-7000-8000-000000000001".to_owned(),
        webhook: "019a9f3e-0000-7000-8000-000000000002".to_owned(),
        other_webhook: "019a9f3e-0000-7000-8000-000000000003".to_owned(),
        delivery: "019a9f3e-0000-7000-8000-000000000004".to_owned(),
        template_run: "019a9f3e-0000-7000-8000-000000000004".to_owned(),
    };
    let foreign = world.calls(&world.ids);
    let unknown = world.calls(&of_nobody);
    for (foreign, unknown) in foreign.iter().zip(&unknown) {
        // The stranger's own tokens would end; a name of their own is taken the second time.
        if ["Revoke", "CreateServiceConnection"].contains(&foreign.operation.as_str()) {
            continue;
        }
        let elsewhere = Call {
            operation: unknown.operation.clone(),
            need: unknown.need.clone(),
            method: unknown.method.clone(),
            path: unknown.path.replace("north-", "nowhere-"),
            body: unknown.body.as_ref().map(|body| {
                let text = body
                    .to_string()
                    .replace("north-", "nowhere-")
                    .replace("N-1", "N-2");
                serde_json::from_str(&text).unwrap()
            }),
        };
        let stranger = match &foreign.need {
            Sites | ApiKey => &on_a_page,
            _ => &administrator,
        };
        let (status, body) = world.ask(foreign, Some(stranger));
        let (expected, as_unknown) = world.ask(&elsewhere, Some(stranger));
        let what = format!("{}: {body} / {as_unknown}", foreign.operation);
        assert!(!body.to_string().contains(SECRET), "{what}");
        assert_eq!(
            (status, code(&body)),
            (expected, code(&as_unknown)),
            "{what}"
        );
    }
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_token_for_one_list_reaches_no_other_by_any_id() {
    let world = world();
    let place = incident("N-2").for_purpose("x");
    let token = world.token(&world.north, role::ADMIN, |claims| {
        claims["contexts"] = json!([place.context()]);
    });
    let before = world.snapshot();
    for call in world.calls(&world.ids) {
        let about_a_list = call
            .body
            .as_ref()
            .is_some_and(|body| body.get("Context").is_some());
        let (status, body) = world.ask(&call, Some(&token));
        if about_a_list {
            assert_eq!(
                (status, code(&body)),
                (404, "ContextNotFound"),
                "{}",
                call.operation
            );
        }
        if call.need.is_only("Admin") {
            assert_eq!(
                (status, code(&body)),
                (403, "PermissionDenied"),
                "{}",
                call.operation
            );
        }
    }
    let own = world.server.as_admin().on(&place).with_token(&token);
    let item = own.add("own");
    for body in [
        json!({ "Items": [{ "Id": world.ids.item, "Status": "Open" }] }),
        json!({ "Items": [{ "Id": item, "AfterId": world.ids.item, "BaseVersion": 1 }] }),
        json!({ "Items": [{ "Id": item, "ParentId": world.ids.item, "BaseVersion": 1 }] }),
    ] {
        let answer: Answer = own.call("UpdateItems", body.clone());
        let written = answer.written();
        assert_eq!(written.outcomes(), ["Failed"], "{body}");
    }
    for call in ["DeleteItems", "RestoreItems"] {
        let foreign = own.call(call, json!({ "Ids": [world.ids.item] }));
        assert_eq!(foreign.written().outcomes(), ["Failed"], "{call}");
    }
    own.call("Undo", json!({ "Undoes": world.ids.operation }))
        .refused(409, "CannotUndo");
    let after = world.snapshot();
    for what in ["list", "ApiKeys", "EmbedKeys", "Users"] {
        assert_eq!(after[what], before[what], "{what}");
    }
    drop(send(world.server.http().request(Method::GET, "/healthz")));
}

/// Administrative writes that change nothing by themselves: what they begin is recorded when it
/// ends, with what came of it.
const RECORDED_LATER: [&str; 1] = ["ConnectServiceConnection"];

/// Administrative writes on what has not ended, or on what was stopped: `apply` looks for their rows.
const OF_A_RUN: [&str; 2] = ["StopTemplateRun", "ResumeTemplateRun"];

/// The writes on templates, in an order in which each finds what it needs; all others do not
/// depend on one another, but for keys and records that are deleted last.
fn turn(operation: &str) -> u8 {
    match operation {
        "PutTemplateDraft" => 1,
        "PublishTemplate" => 2,
        "ImportTemplates" => 3,
        "DiscardTemplateDraft" | "RetireTemplate" => 5,
        "OfferTemplate" => 6,
        _ if operation.starts_with("Delete") || operation.starts_with("Revoke") => 7,
        _ => 4,
    }
}

/// The example of a call, made a change: of what there is, or of nothing.
fn as_a_change(call: &mut Call) {
    let Some(body) = call.body.as_mut().and_then(Value::as_object_mut) else {
        return;
    };
    body.remove("Revision");
    match call.operation.as_str() {
        "PutType" => body.insert("AlwaysJournal".to_owned(), json!(true)),
        "PutTemplateDraft" => body.insert("Key".to_owned(), json!("changed")),
        "ImportTemplates" => {
            let mut first = body["Templates"][0].clone();
            first["Id"] = json!("north-fragment");
            first["Key"] = json!("imported");
            body.insert("Templates".to_owned(), json!([first]))
        }
        "PutServiceConnection" => body.insert("Password".to_owned(), json!("another")),
        "ApplyTemplate" => body.insert("DryRun".to_owned(), json!(false)),
        _ => None,
    };
}

#[test]
fn every_administrative_write_leaves_exactly_one_row_in_the_audit_trail() {
    let world = world();
    let admin = world.server.as_admin().on(&incident("N-1"));
    let token = world.server.admin_key(&world.north.tenant, "Ada Admin");
    let acts = || {
        let page = admin.get("Audit?Category=Administration&Limit=500").ok();
        let mut rows = page["Rows"].as_array().cloned().unwrap_or_default();
        // The server makes a key for checkpoints whenever it comes to it.
        rows.retain(|row| row["Act"]["Subject"] != "AuditKey");
        rows
    };
    let mut calls = world.calls(&world.ids);
    calls.retain(|call| {
        (call.need.is_only("Admin") || call.need.is_only("Templates")) && call.method != Method::GET
    });
    calls.retain(|call| !OF_A_RUN.contains(&call.operation.as_str()));
    calls.sort_by_key(|call| turn(&call.operation));
    assert!(calls.len() > 20, "the writes were not found");
    for call in &mut calls {
        as_a_change(call);
        let before = acts().len();
        let (status, body) = world.ask(call, Some(&token));
        let rows = acts();
        let what = format!("{}: {status} {body}", call.operation);
        if RECORDED_LATER.contains(&call.operation.as_str()) {
            assert_eq!(rows.len(), before, "{what}");
            continue;
        }
        assert!((200..300).contains(&status), "{what}");
        assert_eq!(rows.len(), before + 1, "{what}");
        let row = &rows[before];
        assert_eq!(row["Actor"]["Name"], "Ada Admin", "{what}: {row}");
        assert!(row["Act"]["Action"].is_string(), "{what}: {row}");
        assert!(row.get("Context").is_none(), "{what}: {row}");
    }
    let text = json!(acts()).to_string();
    assert!(!text.contains("another"), "a password is in the trail");
    let verdict = admin.get("Audit/Verification").ok();
    assert!(verdict.get("Broken").is_none(), "{verdict}");
}
