//! Templates that a credential pins: what a list may be begun with or moved to, on every path, and
//! what stays allowed on a list that has begun with another.

use checklist_tests::client::error_pointers;
use checklist_tests::role::OWNER;
use checklist_tests::template::{fragment, item, publish, publish_as};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

const REFRESH: &str = "RefreshItemsOnTemplateChange";

/// A server with the templates `gate` and `easy`.
fn server() -> Server {
    let server = Server::demo();
    publish(&server, &fragment("gate", [item("a", "Ask the owner")]));
    publish(&server, &fragment("easy", [item("b", "Smile")]));
    server
}

/// Somebody who may do all work on lists, which may only be begun with `gate`.
fn anna(server: &Server) -> Person {
    let place = incident("*").for_purpose("*").from_template("gate");
    let grant = server.as_owner("Anna").only_for(&[place]);
    grant.on(&incident("1"))
}

#[track_caller]
fn is_refused(answer: &Answer) {
    let problem = answer.refused(403, "PermissionDenied");
    assert_eq!(error_pointers(&problem), ["/Context/TemplateId"]);
}

#[test]
fn a_list_is_begun_with_the_pinned_template_and_with_no_other() {
    let server = server();
    let anna = anna(&server);
    // The type has a template for this purpose, which counts less than the token's.
    assert_eq!(anna.list().0["TemplateId"], "gate");

    let easy = anna.at(&incident("1").from_template("easy"));
    for (call, body) in [
        ("GetItems", json!({})),
        ("GetItems", json!({ "View": "Summary" })),
        ("AddItems", json!({ "Items": [{ "Text": "A" }] })),
        ("Lock", json!({ "Locked": true })),
        ("Waive", json!({ "Reason": "urgent" })),
        (REFRESH, json!({})),
        (REFRESH, json!({ "DryRun": true })),
    ] {
        is_refused(&easy.call(call, body));
    }
    let missing = anna.at(&incident("1").from_template("no-such-template"));
    is_refused(&missing.call("GetItems", json!({})));
    let contexts = [incident("2"), incident("3").from_template("easy")].map(|one| one.context());
    let batch = anna.send("GetItems", &json!({ "Contexts": contexts })).ok();
    assert_eq!(batch["Results"][0]["TemplateId"], "gate");
    let refused = &batch["Results"][1];
    assert_eq!(refused["Code"], "PermissionDenied", "{refused}");
    assert_eq!(error_pointers(refused), ["/Contexts/1/TemplateId"]);

    let bob = server.as_owner("Bob").on(&incident("1"));
    assert_eq!(bob.list().0["Revision"], 0, "nothing was begun");
    anna.tick("Ask the owner");
    assert_eq!(bob.list().0["TemplateId"], "gate");
}

#[test]
fn a_list_that_has_begun_with_another_template_stays_as_usable_as_any() {
    let server = server();
    let bob = server
        .as_owner("Bob")
        .on(&incident("1").from_template("easy"));
    bob.add("Bring cake");
    let anna = anna(&server);

    anna.tick("Smile");
    anna.refresh();
    let names_it = anna.at(&incident("1").from_template("easy"));
    names_it.tick("Bring cake");
    names_it.refresh();
    assert_eq!(anna.list().0["TemplateId"], "easy");

    let standard = anna.at(&incident("1").from_template("incident-standard"));
    standard.list();
    is_refused(&standard.call(REFRESH, json!({})));
    is_refused(&standard.call(REFRESH, json!({ "DryRun": true })));
    assert_eq!(anna.list().0["TemplateId"], "easy");

    let gate = anna.at(&incident("1").from_template("gate"));
    gate.call(REFRESH, json!({ "OperationId": "move" })).ok();
    assert_eq!(anna.list().0["TemplateId"], "gate");
    is_refused(&anna.undo("move"));
    assert_eq!(anna.list().0["TemplateId"], "gate", "there is no way back");
}

#[test]
fn a_star_and_an_entry_without_a_template_allow_any() {
    let server = server();
    let easy = incident("1").from_template("easy");
    for places in [
        vec![incident("1").from_template("*")],
        vec![incident("1").from_template("gate"), incident("1")],
        vec![incident("1").from_template("gate"), easy.clone()],
    ] {
        let anna = server.as_owner("Anna").only_for(&places).on(&easy);
        assert_eq!(anna.list().0["TemplateId"], "easy", "{places:?}");
    }
}

#[test]
fn a_key_that_pins_a_template_gives_tokens_that_pin_it_too() {
    let server = server();
    let admin = server.as_admin().on(&incident("1"));
    let of = |id: &str, template: Value| json!([{ "ObjectType": "incident", "ObjectId": id, "Purpose": "", "TemplateId": template }]);
    let wish = json!({ "Name": "Portal", "Roles": ["editor"], "Contexts": of("*", json!("gate")) });
    let portal = admin.program_as(&wish);
    is_refused(
        &portal
            .at(&incident("1").from_template("easy"))
            .call("GetItems", json!({})),
    );
    let ask = |template: Value| {
        let wish = json!({ "Subject": "anna", "Name": "Anna", "Contexts": of("1", template) });
        portal.send("EmbedTokens", &wish)
    };
    for template in [json!("easy"), json!("*"), json!(null)] {
        ask(template).refused(403, "PermissionDenied");
    }
    ask(json!("")).refused(422, "InvalidRequest");
    let token = ask(json!("gate")).ok();
    let anna = admin.with_token(token["Token"].as_str().expect("a token"));
    assert_eq!(anna.list().0["TemplateId"], "gate");
    is_refused(
        &anna
            .at(&incident("1").from_template("easy"))
            .call("GetItems", json!({})),
    );
}

#[test]
fn the_ceiling_of_an_embed_key_pins_templates_whatever_its_tokens_claim() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = server.as_admin().on(&incident("1"));
    for (template, text) in [("gate", "Ask the owner"), ("easy", "Smile")] {
        let items = [item("a", text)];
        publish_as(&admin, &fragment(template, items));
    }
    let portal = HostKey::on_p256("north").called("portal");
    let key = json!({
        "PublicKey": portal.public_pem,
        "Contexts": [{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*", "TemplateId": "gate" }],
    });
    admin.put("EmbedKeys/portal", &key).ok();
    let mut claims = portal.claims(&server.base_url(), "anna", OWNER);
    claims["template"] = json!("easy");
    let anna = admin.with_token(&portal.sign(&claims));
    assert_eq!(anna.list().0["TemplateId"], "gate");
    is_refused(
        &anna
            .at(&incident("1").from_template("easy"))
            .call("GetItems", json!({})),
    );
    claims["contexts"][0]["TemplateId"] = json!("easy");
    let other = admin.with_token(&portal.sign(&claims));
    let answer = other.call("GetItems", json!({}));
    answer.refused(404, "ContextNotFound");
}
