//! PUT of what is there already: what the request does not name stays, `null` clears.
//!
//! Types have tests of their own in `platform_types`. Drafts of templates are documents and are
//! replaced as a whole.

use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1"))
}

#[test]
fn a_new_public_key_does_not_widen_what_its_tokens_may_do() {
    let server = Server::demo();
    let admin = admin(&server);
    let contexts = json!([{ "ObjectType": "incident", "ObjectId": "1", "Purpose": "" }]);
    let bounds = json!({
        "PublicKey": HostKey::of("acme").public_pem, "Origins": ["https://desk.example"],
        "Issuer": "https://desk.example", "Permissions": ["Read"], "Contexts": contexts,
        "ExpiresAt": "2031-01-01T00:00:00Z"
    });
    let first = admin.put("EmbedKeys/desk", &bounds).ok();
    let other = json!({ "PublicKey": HostKey::of("other").public_pem });
    let second = admin.put("EmbedKeys/desk", &other).ok();
    assert_ne!(first["PublicKey"], second["PublicKey"]);
    for field in ["Origins", "Issuer", "Permissions", "Contexts", "ExpiresAt"] {
        assert_eq!(first[field], second[field], "{field}: {second}");
    }
    let clearing = json!({ "PublicKey": HostKey::of("other").public_pem, "Origins": null, "Issuer": null,
        "Permissions": null, "Contexts": null, "ExpiresAt": null });
    let third = admin.put("EmbedKeys/desk", &clearing).ok();
    for field in ["Origins", "Issuer", "Contexts", "ExpiresAt"] {
        assert_eq!(third[field], Value::Null, "{field}: {third}");
    }
    assert!(
        third["Permissions"]
            .as_array()
            .is_some_and(|all| all.len() > 1),
        "{third}"
    );
}

#[test]
fn a_person_who_is_kept_out_stays_so_when_only_the_name_changes() {
    let server = Server::demo();
    let admin = admin(&server);
    let person = |more: Value| {
        let mut person = json!({ "Issuer": "https://id.example", "Subject": "anna", "Name": "Anna", "Roles": ["reader"] });
        for (name, value) in more.as_object().expect("fields") {
            person[name] = value.clone();
        }
        admin.put("Users", &person).ok()
    };
    assert_eq!(
        person(json!({}))["Disabled"],
        false,
        "a new person is let in"
    );
    assert_eq!(person(json!({ "Disabled": true }))["Disabled"], true);
    let renamed = person(json!({ "Name": "Anna B." }));
    assert_eq!(
        (&renamed["Name"], &renamed["Disabled"]),
        (&json!("Anna B."), &json!(true))
    );
    assert_eq!(person(json!({ "Disabled": null }))["Disabled"], false);
}

#[test]
fn a_webhook_that_is_off_stays_off_when_only_its_events_change() {
    let server = Setup::demo().with_vault().start();
    let hooks = admin(&server).about_webhooks();
    let wish = |more: Value| {
        let mut wish = json!({ "Name": "Desk", "Url": "https://desk.example/hook", "Events": ["checklist.completed"] });
        for (name, value) in more.as_object().expect("fields") {
            wish[name] = value.clone();
        }
        wish
    };
    let made = hooks.send("", &wish(json!({}))).ok();
    assert_eq!(made["Webhook"]["Enabled"], true, "{made}");
    let id = made["Webhook"]["Id"].as_str().expect("an id").to_owned();
    let put = |more: Value| hooks.put(&id, &wish(more)).ok()["Enabled"].clone();
    assert_eq!(put(json!({ "Enabled": false })), false);
    assert_eq!(put(json!({ "Name": "Service desk" })), false);
    assert_eq!(put(json!({ "Enabled": null })), true);
}

/// A service connection with everything in it, and a way to change it.
fn connection(admin: &Person) -> (Value, impl Fn(Value) -> checklist_tests::client::Answer) {
    let admin = admin.about_sites();
    let whole = json!({
        "Name": "Intranet", "Url": "https://intranet.example/sites/it", "Method": "Kerberos",
        "Protocol": "Rest", "Username": "svc", "Password": "correct horse", "Domain": "CORP",
        "Kdc": "tcp://kdc.example:88", "Timeout": 20
    });
    let made = admin.send("ServiceConnections", &whole).ok();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().expect("an id"));
    let put = move |more: Value| {
        let mut wish = json!({ "Name": "Intranet", "Url": "https://intranet.example/sites/it" });
        for (name, value) in more.as_object().expect("fields") {
            wish[name] = value.clone();
        }
        admin.put(&path, &wish)
    };
    (made, put)
}

#[test]
fn a_connection_keeps_what_a_change_does_not_name_and_null_clears() {
    let server = Setup::demo().with_vault().start();
    let admin = admin(&server);
    let (made, put) = connection(&admin);
    let renamed = put(json!({ "Name": "Renamed" })).ok();
    assert_eq!(renamed["Name"], "Renamed");
    for field in [
        "Method",
        "Protocol",
        "Username",
        "Domain",
        "Kdc",
        "Timeout",
        "HasPassword",
    ] {
        assert_eq!(renamed[field], made[field], "{field}: {renamed}");
    }
    let cleared =
        put(json!({ "Domain": null, "Kdc": null, "Timeout": null, "Protocol": null })).ok();
    for field in ["Domain", "Kdc", "Timeout"] {
        assert_eq!(cleared[field], Value::Null, "{field}: {cleared}");
    }
    assert_eq!(cleared["Protocol"], "Auto");
    assert_eq!(
        (&cleared["Username"], &cleared["HasPassword"]),
        (&json!("svc"), &json!(true))
    );
    for required in ["Method", "Username"] {
        let problem = put(json!({ required: null })).refused(422, "InvalidRequest");
        assert_eq!(
            problem["Errors"][0]["Pointer"],
            format!("/{required}"),
            "{problem}"
        );
    }
    let forgotten = put(json!({ "Password": null })).ok();
    assert_eq!(
        (&forgotten["HasPassword"], &forgotten["State"]),
        (&json!(false), &json!("NeedsSecret"))
    );
}

#[test]
fn what_another_way_to_sign_in_does_not_have_goes_with_the_former_one() {
    let server = Setup::demo().with_vault().start();
    let admin = admin(&server);
    let (_, put) = connection(&admin);
    let open = put(json!({ "Method": "Anonymous" })).ok();
    for field in ["Username", "Domain", "Kdc"] {
        assert_eq!(open[field], Value::Null, "{field}: {open}");
    }
    assert_eq!(
        (&open["HasPassword"], &open["Timeout"]),
        (&json!(false), &json!(20))
    );
    put(json!({ "Username": "svc" })).refused(422, "InvalidRequest");
}

#[test]
fn a_connection_that_somebody_else_has_changed_is_not_overwritten() {
    let server = Setup::demo().with_vault().start();
    let admin = admin(&server);
    let (made, _) = connection(&admin);
    let admin = admin.about_sites();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().expect("an id"));
    let put = |tag: (&str, &str), name: &str| {
        let request = admin
            .request(reqwest::Method::PUT, &path)
            .header(tag.0, tag.1);
        let body = json!({ "Name": name, "Url": "https://intranet.example/sites/it" });
        checklist_tests::client::send(checklist_tests::client::json(request, &body))
    };
    let seen = admin.get(&path).header("etag").to_owned();
    let first = put(("if-match", &seen), "First");
    assert_eq!(first.ok()["Name"], "First");
    put(("if-match", &seen), "Second").refused(412, "ConnectionChanged");
    put(("if-none-match", "*"), "Second").refused(412, "ConnectionChanged");
    assert_eq!(admin.get(&path).header("etag"), first.header("etag"));
    assert_eq!(
        put(("if-match", first.header("etag")), "Second").ok()["Name"],
        "Second"
    );
    assert_eq!(put(("if-match", "*"), "Third").ok()["Name"], "Third");
}
