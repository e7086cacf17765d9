//! Keys of programs and of host platforms: made, used, kept within bounds, revoked.
//!
//! The server is told by an administrator with a token; the keys then act on their own.

use checklist_tests::client::{error_pointers, field_errors, json as with_json, send};
use checklist_tests::role::OWNER;
use checklist_tests::{API, Answer, HostKey, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1"))
}

/// A key that an administrator has just made: its id and its secret.
fn made(server: &Server, wish: &Value) -> (String, String) {
    let key = admin(server).send("ApiKeys", wish).ok();
    let text = |name: &str| key[name].as_str().expect("a text").to_owned();
    (text("Id"), text("Secret"))
}

fn program(server: &Server, wish: &Value) -> Person {
    admin(server).program_as(wish)
}

fn delete(person: &Person, path: &str) -> Answer {
    send(person.request(Method::DELETE, path))
}

fn read(person: &Person, place: &checklist_tests::Place) -> Answer {
    person.at(place).call("GetItems", json!({}))
}

#[test]
fn a_program_acts_with_its_key_and_is_named_in_the_audit_trail() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    let portal = program(&server, &json!({ "Name": "Portal", "Roles": ["editor"] }));
    portal.at(&place).add("A");
    let trail = admin(&server).get("Audit?ObjectId=1&Purpose=x").ok();
    let actor = &trail["Rows"][0]["Actor"];
    assert_eq!(
        (&actor["Name"], &actor["Kind"]),
        (&json!("Portal"), &json!("Program"))
    );
}

#[test]
fn a_secret_is_told_once_and_is_nowhere_in_the_list_or_the_database() {
    let mut server = Server::demo();
    let (id, secret) = made(&server, &json!({ "Name": "Portal", "Roles": ["reader"] }));
    assert!(secret.starts_with("ck_") && secret.len() == 46, "{secret}");
    let listed = admin(&server).get("ApiKeys");
    assert_eq!(listed.ok()["ApiKeys"][0]["Id"], json!(id));
    assert!(!listed.text().contains(&secret[3..]));
    server.stop();
    assert!(
        !server.keeps(&secret[3..]),
        "the secret lies where the data is"
    );
    assert!(server.keeps(&id), "the id does, so the look was a real one");
}

#[test]
fn a_key_does_what_its_roles_allow_on_its_own_lists() {
    let server = Server::demo();
    let wish = json!({
        "Name": "Reader of one", "Roles": ["reader"],
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "1", "Purpose": "*" }],
    });
    let reader = program(&server, &wish);
    read(&reader, &incident("1")).ok();
    read(&reader, &incident("2")).refused(404, "ContextNotFound");
    reader
        .call("AddItems", json!({ "Items": [{ "Text": "A" }] }))
        .refused(403, "PermissionDenied");
    reader.get("ApiKeys").refused(403, "PermissionDenied");
}

#[test]
fn a_page_cannot_use_an_api_key() {
    let server = Server::demo();
    let portal = program(&server, &json!({ "Name": "Portal", "Roles": ["reader"] }));
    let request = portal
        .request(Method::POST, "GetItems")
        .header("origin", "https://forms.example");
    let answer = send(with_json(
        request,
        &json!({ "Context": incident("1").context() }),
    ));
    answer.refused(403, "OriginRefused");
}

#[test]
fn a_revoked_key_and_one_that_has_ended_open_nothing() {
    let server = Server::demo();
    let (id, secret) = made(&server, &json!({ "Name": "Portal", "Roles": ["reader"] }));
    let portal = admin(&server).with_token(&secret);
    read(&portal, &incident("1")).ok();
    assert_eq!(
        delete(&admin(&server), &format!("ApiKeys/{id}")).status,
        204
    );
    read(&portal, &incident("1")).refused(401, "Unauthenticated");
    assert_eq!(
        delete(&admin(&server), &format!("ApiKeys/{id}")).status,
        204
    );
    delete(&admin(&server), "ApiKeys/nobody's").refused(404, "KeyNotFound");

    let soon = checklist_tests::host::now() + 3;
    let end = format_time(soon);
    let short = program(
        &server,
        &json!({ "Name": "Short", "Roles": ["reader"], "ExpiresAt": end }),
    );
    checklist_tests::until("the key to end", || {
        let answer = read(&short, &incident("1"));
        (answer.status == 401).then(|| answer.refused(401, "TokenExpired"))
    });
}

#[test]
fn a_key_that_cannot_be_made_is_refused_at_its_fields() {
    let server = Server::demo();
    let wish = json!({
        "Name": " ", "Roles": [], "ExpiresAt": "2020-01-01T00:00:00Z",
        "Contexts": [{ "ObjectType": "", "ObjectId": "1", "Purpose": "*" }],
    });
    let problem = admin(&server)
        .send("ApiKeys", &wish)
        .refused(422, "InvalidRequest");
    let pointers = error_pointers(&problem);
    assert_eq!(
        pointers,
        ["/Contexts/0/ObjectType", "/ExpiresAt", "/Name", "/Roles"]
    );
    let unknown = json!({ "Name": "A", "Roles": ["emperor"] });
    admin(&server)
        .send("ApiKeys", &unknown)
        .refused(422, "InvalidRequest");
}

#[test]
fn platforms_change_their_key_with_two_of_them_living_side_by_side() {
    let (configured, server) = Server::with_host();
    let admin = server.as_admin().on(&incident("1"));
    let (old, new) = (
        HostKey::on_p256("north").called("north-1"),
        HostKey::of("north").called("north-2"),
    );
    let with_key_of = |host: &HostKey| {
        let claims = host.claims(&server.base_url(), "anna", &["Read"]);
        read(&admin.with_token(&host.sign(&claims)), &incident("1"))
    };
    with_key_of(&old).refused(401, "Unauthenticated");
    for (host, algorithm) in [(&old, "ES256"), (&new, "EdDSA")] {
        let path = format!("EmbedKeys/{}", host.kid);
        let key = admin
            .put(&path, &json!({ "PublicKey": host.public_pem }))
            .ok();
        assert_eq!(
            (&key["Kid"], &key["Algorithm"]),
            (&json!(host.kid), &json!(algorithm))
        );
        with_key_of(host).ok();
    }
    assert_eq!(delete(&admin, "EmbedKeys/north-1").status, 204);
    with_key_of(&old).refused(401, "Unauthenticated");
    with_key_of(&new).ok();
    with_key_of(&configured).ok();
    admin
        .put("EmbedKeys/north-1", &json!({ "PublicKey": old.public_pem }))
        .refused(409, "KeyRevoked");
    let listed = admin.get("EmbedKeys").ok();
    assert!(listed["EmbedKeys"][0]["RevokedAt"].is_string(), "{listed}");
    assert_eq!(listed["EmbedKeys"][1]["RevokedAt"], Value::Null);
}

#[test]
fn a_registered_key_signs_for_its_own_tenant_and_its_own_pages() {
    let (north, south) = (HostKey::of("north"), HostKey::of("south"));
    let server = Setup::for_hosts(&[north.clone(), south]).start();
    let admin = server.as_admin().on(&incident("1"));
    let portal = HostKey::on_p256("north").called("portal");
    let body = json!({ "PublicKey": portal.public_pem, "Origins": ["https://forms.example"] });
    admin.put("EmbedKeys/portal", &body).ok();

    let mut claims = portal.claims(&server.base_url(), "anna", &["Read"]);
    let from = |claims: &Value, origin: &str| {
        let request = server
            .http()
            .request(Method::POST, &format!("{API}/GetItems"))
            .bearer_auth(portal.sign(claims))
            .header("origin", origin);
        send(with_json(
            request,
            &json!({ "Context": incident("1").context() }),
        ))
    };
    from(&claims, "https://forms.example").ok();
    from(&claims, "https://evil.example").refused(403, "OriginRefused");
    claims["tenant"] = json!("south");
    from(&claims, "https://forms.example").refused(401, "Unauthenticated");
}

#[test]
fn what_is_no_public_key_or_no_origin_is_refused_at_its_field() {
    let server = Server::demo();
    let admin = admin(&server);
    for bad in [
        "",
        "nonsense",
        "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----",
    ] {
        let problem = admin
            .put("EmbedKeys/k", &json!({ "PublicKey": bad }))
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/PublicKey", "{bad}");
    }
    let good = HostKey::of("demo").public_pem;
    for origin in [
        "*",
        "https://*.example",
        "https://a.example/path",
        "http://a.example",
        "null",
    ] {
        let body = json!({ "PublicKey": good, "Origins": [origin] });
        let problem = admin
            .put("EmbedKeys/k", &body)
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/Origins/0", "{origin}");
    }
    assert_eq!(admin.get("EmbedKeys").ok()["EmbedKeys"], json!([]));
}

#[test]
fn a_program_asks_for_a_token_that_allows_no_more_than_its_key() {
    let server = Server::demo();
    let wish = json!({
        "Name": "Portal", "Roles": ["editor"],
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "" }],
    });
    let portal = program(&server, &wish);
    let context = |id: &str, purpose: &str| json!([{ "ObjectType": "incident", "ObjectId": id, "Purpose": purpose }]);
    let ask = |contexts: Value, more: Value| {
        let mut body = json!({ "Subject": "anna", "Name": "Anna", "Contexts": contexts });
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        portal.send("EmbedTokens", &body)
    };
    let token = ask(context("7", ""), json!({ "Roles": ["checker"] })).ok();
    let anna = portal
        .with_token(token["Token"].as_str().unwrap())
        .at(&incident("7"));
    let list = anna.list();
    assert_eq!(list.0["Permissions"], json!(["Read", "Check"]));
    read(&anna, &incident("8")).refused(404, "ContextNotFound");

    let usual = ask(context("7", ""), json!({})).ok();
    let anna = portal
        .with_token(usual["Token"].as_str().unwrap())
        .at(&incident("7"));
    anna.add("A");
    anna.call("Lock", json!({ "Locked": true }))
        .refused(403, "PermissionDenied");

    for (contexts, more) in [
        (context("7", "*"), json!({})),
        (context("7", "other"), json!({})),
        (context("7", ""), json!({ "Roles": ["owner"] })),
        (context("7", ""), json!({ "Permissions": ["Admin"] })),
    ] {
        ask(contexts, more).refused(403, "PermissionDenied");
    }
    for more in [
        json!({ "Lifetime": 901 }),
        json!({ "Lifetime": 0 }),
        json!({ "Origin": "*" }),
        json!({ "Contexts": [] }),
        json!({ "Subject": "" }),
    ] {
        ask(context("7", ""), more).refused(422, "InvalidRequest");
    }
    // A token begets no other.
    server
        .as_owner("Anna")
        .on(&incident("1"))
        .send(
            "EmbedTokens",
            &json!({ "Subject": "a", "Name": "A", "Contexts": context("7", "") }),
        )
        .refused(403, "PermissionDenied");
}

#[test]
fn tokens_of_the_server_outlive_its_restart_and_end_with_their_revocation() {
    let host = HostKey::of("north");
    let mut server = Setup::for_hosts(&[host]).start();
    let portal = admin(&server).program("Portal", &["editor"]).token;
    let ask = |server: &Server| {
        let portal = server.as_admin().on(&incident("1")).with_token(&portal);
        let body = json!({ "Subject": "anna", "Name": "Anna",
            "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
        let token = portal.send("EmbedTokens", &body).ok();
        portal.with_token(token["Token"].as_str().unwrap())
    };
    let token = ask(&server).token;
    server.restart();
    let anna = server.as_admin().on(&incident("1")).with_token(&token);
    read(&anna, &incident("1")).ok();
    let again = ask(&server);
    read(&again, &incident("1")).ok();

    let admin = server.as_admin().on(&incident("1"));
    let jti = claims_of(&again.token)["jti"].clone();
    admin.send("Revocations", &json!({ "Jti": jti })).ok();
    read(&again, &incident("1")).refused(401, "Unauthenticated");
    read(&anna, &incident("1")).ok();
    admin
        .send("Revocations", &json!({ "Everything": true }))
        .ok();
    read(&anna, &incident("1")).refused(401, "Unauthenticated");
}

/// A token that a program asks for, for whoever opens any list; and when it ends.
fn token_of(portal: &Person) -> (Person, String) {
    let body = json!({ "Subject": "anna", "Name": "Anna", "Lifetime": 900,
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
    let token = portal.send("EmbedTokens", &body).ok();
    let text = |member: &str| token[member].as_str().unwrap().to_owned();
    (portal.with_token(&text("Token")), text("ExpiresAt"))
}

#[test]
fn a_token_ends_with_the_api_key_that_asked_for_it() {
    let server = Server::demo();
    let wish = |name: &str| json!({ "Name": name, "Roles": ["editor"] });
    let (id, secret) = made(&server, &wish("Portal"));
    let admin = admin(&server);
    let (anna, _) = token_of(&admin.with_token(&secret));
    let (ben, _) = token_of(&program(&server, &wish("Desk")));
    let place = incident("1").for_purpose("x");
    let (anna, ben) = (anna.at(&place), ben.at(&place));
    anna.add("A");
    ben.add("B");
    let stream = anna.follow();
    stream.next("list");

    delete(&admin, &format!("ApiKeys/{id}")).ok();
    let refused = read(&anna, &place).refused(401, "Unauthenticated");
    assert!(
        refused["detail"].as_str().unwrap().contains("API key"),
        "{refused}"
    );
    // One that was asked for before and is shown for the first time now is no better.
    anna.call("AddItems", json!({ "Items": [{ "Text": "C" }] }))
        .refused(401, "Unauthenticated");
    stream.up_to_end();
    assert_eq!(ben.list().texts(), ["A", "B"]);
}

#[test]
fn a_token_that_was_never_shown_ends_with_its_api_key_too() {
    let mut server = Server::demo();
    let (id, secret) = made(&server, &json!({ "Name": "Portal", "Roles": ["editor"] }));
    let (anna, _) = token_of(&admin(&server).with_token(&secret));
    delete(&admin(&server), &format!("ApiKeys/{id}")).ok();
    server.restart();
    let anna = admin(&server).with_token(&anna.token);
    read(&anna, &incident("1")).refused(401, "Unauthenticated");
}

#[test]
fn a_token_ends_no_later_than_the_api_key_that_asked_for_it() {
    let server = Server::demo();
    let end = format_time(checklist_tests::host::now() + 120);
    let portal = program(
        &server,
        &json!({ "Name": "Portal", "Roles": ["editor"], "ExpiresAt": end }),
    );
    let (anna, told) = token_of(&portal);
    read(&anna, &incident("1")).ok();
    let claims = claims_of(&anna.token);
    let ends = claims["exp"].as_f64().unwrap() as u64;
    assert!(format_time(ends) <= end, "{claims} {end}");
    assert!(told <= end, "{told} {end}");
}

#[test]
fn revoking_everything_ends_tokens_and_keys_of_every_kind() {
    let (north, south) = (HostKey::of("north"), HostKey::of("south"));
    let server = Setup::for_hosts(&[north.clone(), south.clone()]).start();
    let admin = server.as_admin().on(&incident("1"));
    let other = HostKey::on_p256("north").called("registered");
    let key = json!({ "PublicKey": other.public_pem });
    admin.put("EmbedKeys/registered", &key).ok();
    let portal = admin.program("Portal", &["reader"]);
    let wish = json!({ "Subject": "anna", "Name": "Anna",
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
    let minted = portal.send("EmbedTokens", &wish).ok();
    let on_a_page = admin.with_token(minted["Token"].as_str().unwrap());
    let signed = |host: &HostKey, subject: &str| {
        let claims = host.claims(&server.base_url(), subject, &["Read"]);
        admin.with_token(&host.sign(&claims))
    };
    let neighbour = signed(&south, "ben");
    let visitor = signed(&other, "vera");
    let all = [
        &portal,
        &on_a_page,
        &visitor,
        &neighbour,
        &signed(&north, "anna"),
    ];
    for caller in all {
        read(caller, &incident("1")).ok();
    }
    for bad in [
        json!({}),
        json!({ "Everything": false }),
        json!({ "Everything": true, "Jti": "a" }),
    ] {
        admin
            .send("Revocations", &bad)
            .refused(422, "InvalidRequest");
    }
    admin
        .send("Revocations", &json!({ "Everything": true }))
        .ok();
    admin.get("ApiKeys").refused(401, "Unauthenticated");
    for caller in [&portal, &on_a_page, &visitor, &signed(&north, "anna")] {
        read(caller, &incident("1")).refused(401, "Unauthenticated");
    }
    read(&neighbour, &incident("1")).ok();

    let later = |host: &HostKey| {
        let mut claims = host.claims(&server.base_url(), "anna", &["Read"]);
        claims["iat"] = json!(checklist_tests::host::now() + 2);
        admin.with_token(&host.sign(&claims))
    };
    // A registered key is gone for good, one of the configuration is the operator's to take away.
    read(&later(&other), &incident("1")).refused(401, "Unauthenticated");
    read(&later(&north), &incident("1")).ok();
}

#[test]
fn an_embed_key_has_a_ceiling_and_none_reaches_administration() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = server.as_admin().on(&incident("1"));
    let portal = HostKey::on_p256("north").called("portal");
    let everything = ["Read", "Check", "Lock", "Audit", "Templates", "Admin"];
    let claims = portal.claims(&server.base_url(), "mallory", &everything);
    let greedy = admin.with_token(&portal.sign(&claims));
    let permissions = || greedy.list().0["Permissions"].clone();

    let mut key = json!({ "PublicKey": portal.public_pem });
    let kept = admin.put("EmbedKeys/portal", &key).ok();
    assert_eq!(kept["Permissions"], json!(OWNER));
    assert_eq!(permissions(), json!(["Read", "Check", "Lock"]));
    let wish = json!({ "Name": "For ever", "Roles": ["admin"] });
    greedy
        .send("ApiKeys", &wish)
        .refused(403, "PermissionDenied");
    greedy.get("Audit").refused(403, "PermissionDenied");

    key["Permissions"] = json!(["Read", "Audit"]);
    key["Contexts"] = json!([{ "ObjectType": "incident", "ObjectId": "1", "Purpose": "*" }]);
    let kept = admin.put("EmbedKeys/portal", &key).ok();
    assert_eq!(kept["Contexts"], key["Contexts"]);
    assert_eq!(permissions(), json!(["Read", "Audit"]));
    read(&greedy, &incident("2")).refused(404, "ContextNotFound");

    for (member, bad, pointer) in [
        ("Permissions", json!(["Read", "Admin"]), "/Permissions/1"),
        ("Permissions", json!([]), "/Permissions"),
        ("Contexts", json!([]), "/Contexts"),
        ("Issuer", json!(""), "/Issuer"),
    ] {
        let mut body = key.clone();
        body[member] = bad;
        let problem = admin
            .put("EmbedKeys/portal", &body)
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, pointer);
    }
    key["Issuer"] = json!("https://elsewhere.example");
    admin.put("EmbedKeys/portal", &key).ok();
    read(&greedy, &incident("1")).refused(401, "Unauthenticated");
    // One of the configuration has a ceiling as well.
    let configured = HostKey::of("north");
    let claims = configured.claims(&server.base_url(), "mallory", &everything);
    let greedy = admin.with_token(&configured.sign(&claims));
    greedy
        .send("ApiKeys", &wish)
        .refused(403, "PermissionDenied");
}

#[test]
fn an_api_key_of_an_administrator_gives_no_token_that_administrates() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = server.as_admin().on(&incident("1"));
    let contexts = json!([{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*" }]);
    for more in [
        json!({ "Permissions": ["Admin"] }),
        json!({ "Roles": ["admin"] }),
    ] {
        let mut wish = json!({ "Subject": "a", "Name": "A", "Contexts": contexts });
        for (name, value) in more.as_object().unwrap() {
            wish[name] = value.clone();
        }
        admin
            .send("EmbedTokens", &wish)
            .refused(403, "PermissionDenied");
    }
}

/// The claims of a token, unverified.
fn claims_of(token: &str) -> Value {
    jsonwebtoken::dangerous::insecure_decode_claims(token).expect("a token")
}

fn format_time(seconds: u64) -> String {
    let millis = i64::try_from(seconds).expect("a time of this century") * 1_000;
    checklist_shared::Timestamp::from_millis(millis).to_string()
}

#[test]
fn a_key_shows_when_it_was_last_used_and_one_that_never_was_shows_nothing() {
    let (host, server) = Server::with_host();
    let key = server.admin_key(&host.tenant, "Ada Admin");
    let admin = server.as_admin().on(&incident("1")).with_token(&key);
    let wish = |name: &str| json!({ "Name": name, "Roles": ["reader"] });
    let used = admin.send("ApiKeys", &wish("Used")).ok();
    admin.send("ApiKeys", &wish("Idle")).ok();
    let program = admin.with_token(used["Secret"].as_str().expect("a secret"));
    let begun = checklist_tests::host::now();
    read(&program, &incident("1")).ok();
    read(&program, &incident("1")).ok();
    let listed = |name: &str| {
        let keys = admin.get("ApiKeys").ok();
        let keys = keys["ApiKeys"].as_array().expect("keys").clone();
        keys.into_iter()
            .find(|key| key["Name"] == name)
            .expect("it is listed")
    };
    let at = checklist_tests::until("the use of the key", || {
        listed("Used")["LastUsedAt"].as_str().map(str::to_owned)
    });
    // To the second: one of the two has fractions of it.
    assert!(at[..19] >= format_time(begun)[..19], "{at}");
    assert_eq!(listed("Idle").get("LastUsedAt"), None);
    assert!(
        listed("Ada Admin")["LastUsedAt"].is_string(),
        "the caller's own key"
    );

    let portal = HostKey::of("north").called("portal");
    let body = json!({ "PublicKey": portal.public_pem });
    admin.put("EmbedKeys/portal", &body).ok();
    let of_portal = || admin.get("EmbedKeys").ok()["EmbedKeys"][0]["LastUsedAt"].clone();
    assert_eq!(of_portal(), Value::Null);
    let claims = portal.claims(&server.base_url(), "anna", &["Read"]);
    let token = portal.sign(&claims);
    read(&admin.with_token(&token), &incident("1")).ok();
    checklist_tests::until("the use of the embed key", || {
        Some(of_portal()).filter(Value::is_string)
    });
}
