//! Retired templates: nothing new begins with them, and what follows them goes on.

use checklist_tests::client::{error_pointers, json as with_json, send};
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

fn version(texts: &[&str]) -> Value {
    fragment(
        "f",
        texts.iter().map(|text| item(&text.to_lowercase(), text)),
    )
}

/// A server whose incidents follow `f`, and its administrator.
fn world() -> (Server, Person) {
    let server = Server::demo();
    publish(&server, &version(&["Ask", "Build"]));
    let admin = server.as_admin().on(&incident("1"));
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": "f" } });
    admin.put("Types/incident", &kind).ok();
    (server, admin)
}

fn retire(admin: &Person) -> Value {
    admin.send("Templates/f/Retire", &json!({})).ok()
}

fn offer(admin: &Person) -> Value {
    admin.send("Templates/f/Offer", &json!({})).ok()
}

fn row(admin: &Person) -> Value {
    let page = admin.get("Templates?Limit=500").ok();
    let rows = page["Templates"].as_array().cloned().unwrap_or_default();
    let found = rows.into_iter().find(|row| row["Id"] == "f");
    found.expect("the template")
}

#[test]
fn a_list_that_nobody_has_begun_is_empty_while_its_template_is_retired_and_is_back_afterwards() {
    let (_server, admin) = world();
    let before = admin.list();
    assert_eq!(before.texts(), ["Ask", "Build"]);
    assert_eq!(row(&admin)["Status"], "Published");
    assert!(retire(&admin)["RetiredAt"].is_string());
    assert_eq!(row(&admin)["Status"], "Retired");
    let empty = admin.list();
    assert_eq!(
        (empty.texts().len(), &empty.0["State"]),
        (0, &json!("Empty"))
    );
    assert!(empty.0["TemplateId"].is_null());
    // A purpose that names it itself is no error either.
    let named = admin.at(&incident("2").from_template("f"));
    assert_eq!(named.list().texts().len(), 0);
    assert_eq!(offer(&admin)["RetiredAt"], Value::Null);
    assert_eq!(admin.list().id("Ask"), before.id("Ask"));
    assert_eq!(row(&admin)["Status"], "Published");
}

#[test]
fn lists_that_follow_it_go_on_and_are_refreshed() {
    let (server, admin) = world();
    admin.tick("Ask");
    retire(&admin);
    assert!(admin.tick("Build").completed());
    publish(&server, &version(&["Ask", "Build", "Check"]));
    assert_eq!(
        row(&admin)["Status"],
        "Retired",
        "a new version is for its lists"
    );
    assert!(admin.list().0["TemplateUpdate"].is_object());
    admin.call("RefreshItemsOnTemplateChange", json!({})).ok();
    assert_eq!(admin.list().texts(), ["Ask", "Build", "Check"]);
    let refused = admin.remove("Templates/f/Versions").refused(409, "InUse");
    assert!(
        refused.to_string().contains("1 checklist follows it"),
        "{refused}"
    );
}

#[test]
fn nothing_new_begins_with_it() {
    let (_server, admin) = world();
    retire(&admin);
    let contexts = json!([{ "ObjectType": "incident", "ObjectId": "7", "Purpose": "" }]);
    let begun = admin.send("Lists", &json!({ "Contexts": contexts })).ok();
    let problem = &begun["Results"][0]["Problem"];
    assert_eq!(problem["Code"], "TemplateRetired", "{begun}");
    let apply = json!({ "Template": "f", "Contexts": contexts, "DryRun": true });
    admin
        .send("ApplyTemplate", &apply)
        .refused(409, "TemplateRetired");
    let other = admin.at(&incident("8").for_purpose("x"));
    other.add("Own");
    let moved = other.at(&incident("8").for_purpose("x").from_template("f"));
    moved
        .call("RefreshItemsOnTemplateChange", json!({}))
        .refused(409, "TemplateRetired");
    assert_eq!(other.list().texts(), ["Own"]);
}

#[test]
fn a_list_that_follows_it_starts_again_with_it_and_one_that_nobody_has_begun_does_not() {
    let (_server, admin) = world();
    admin.tick("Ask");
    retire(&admin);
    let again = |person: &Person| person.call("StartAgain", json!({ "Reason": "It came back" }));
    assert_eq!(again(&admin).ok()["Run"], 2);
    let next = admin.list();
    assert_eq!(next.texts(), ["Ask", "Build"]);
    assert_eq!(next.status("Ask"), "Open");
    let other = admin.at(&incident("2"));
    again(&other).refused(409, "TemplateRetired");
    assert_eq!(other.list().revision(), 0, "nothing was closed");
}

#[test]
fn a_type_keeps_naming_it_and_names_it_nowhere_else() {
    let (_server, admin) = world();
    retire(&admin);
    let kind = |templates: Value| json!({ "Name": "incident", "Templates": templates });
    admin.put("Types/incident", &kind(json!({ "": "f" }))).ok();
    let refused = admin
        .put("Types/incident", &kind(json!({ "": "f", "x": "f" })))
        .refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&refused), ["/Templates/x"]);
    let new = json!({ "Name": "change", "Classes": [], "Templates": { "": "f" } });
    admin
        .put("Types/change", &new)
        .refused(422, "InvalidRequest");
    let overview = admin.get("Overview").ok();
    assert_eq!(overview["TypesWithRetiredTemplates"], json!(["incident"]));
    offer(&admin);
    let overview = admin.get("Overview").ok();
    assert_eq!(overview["TypesWithRetiredTemplates"], json!([]));
    admin.put("Types/change", &new).ok();
}

#[test]
fn a_token_that_pins_it_is_not_given() {
    let (_server, admin) = world();
    let key = admin
        .send("ApiKeys", &json!({ "Name": "desk", "Roles": ["editor"] }))
        .ok();
    let desk = admin.with_token(key["Secret"].as_str().expect("the key"));
    let ask = |template: Value, pinned: Value| {
        let contexts = json!([{ "ObjectType": "incident", "ObjectId": "1", "TemplateId": pinned }]);
        let mut wish = json!({ "Subject": "ada", "Name": "Ada", "Contexts": contexts });
        wish["Template"] = template;
        desk.send("EmbedTokens", &wish)
    };
    ask(json!("f"), json!("f")).ok();
    retire(&admin);
    let refused = ask(json!("f"), json!("f")).refused(422, "InvalidRequest");
    assert_eq!(
        error_pointers(&refused),
        ["/Contexts/0/TemplateId", "/Template"]
    );
    ask(json!(null), json!("*")).ok();
    offer(&admin);
    ask(json!("f"), json!("f")).ok();
}

#[test]
fn a_draft_is_written_meanwhile_and_a_stale_retirement_is_refused() {
    let (_server, admin) = world();
    let seen = admin.get("Templates/f");
    let tag = seen.header("etag").to_owned();
    retire(&admin);
    // Whoever has the template open saves their draft all the same.
    let draft = version(&["Ask"]);
    let with_tag = |method, path| admin.request(method, path).header("if-match", &tag);
    let saved = send(with_json(with_tag(Method::PUT, "Templates/f"), &draft)).ok();
    assert_eq!(saved["Status"], "Draft");
    send(with_tag(Method::POST, "Templates/f/Offer")).refused(412, "TemplateChanged");
    assert_eq!(row(&admin)["Status"], "Retired");
    admin
        .send("Templates/nowhere/Retire", &json!({}))
        .refused(404, "TemplateNotFound");
}

#[test]
fn the_trail_tells_each_change_once() {
    let (_server, admin) = world();
    retire(&admin);
    retire(&admin);
    offer(&admin);
    offer(&admin);
    let rows = admin.audit();
    let acts: Vec<&Value> = rows.iter().map(|row| &row["Act"]).collect();
    let of_f = acts
        .iter()
        .filter(|act| act["Subject"] == "Template" && act["Id"] == "f");
    let actions: Vec<&Value> = of_f.map(|act| &act["Action"]).collect();
    assert_eq!(actions[actions.len() - 2..], ["Retired", "OfferedAgain"]);
    let last = acts.last().expect("a row");
    let change = json!([{ "Field": "Retired", "Before": "true", "After": "false" }]);
    assert_eq!(last["Changes"], change, "{last}");
}
