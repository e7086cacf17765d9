//! Signing in by an identity provider: its access tokens as credentials, and the way of a browser.
//!
//! The provider is a real one, started by each test on loopback.

use std::collections::HashMap;

use checklist_tests::client::{json as with_json, send};
use checklist_tests::identity_provider::{
    AUDIENCE, IdentityProvider, OTHER, SHORT, USUAL, Visitor,
};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::json;

use super::mcp::{done, message, post};

/// A server that trusts an identity provider.
pub struct World {
    pub provider: IdentityProvider,
    pub server: Server,
}

fn world() -> World {
    let provider = IdentityProvider::start();
    let hosts = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]);
    // Tests ask again and again until a change has come through; that is no guessing.
    let patient = hosts.argument("--failed-sign-ins").argument("100000");
    World {
        server: provider.trusted_by(patient).start(),
        provider,
    }
}

impl World {
    pub fn admin(&self) -> Person {
        self.server.as_admin().on(&incident("1"))
    }

    pub fn register(&self, subject: &str, roles: &[&str]) {
        let user = json!({ "Issuer": self.provider.issuer, "Subject": subject, "Name": subject, "Roles": roles });
        self.admin().put("Users", &user).ok();
    }

    pub fn read_with(&self, token: &str) -> Answer {
        self.admin().with_token(token).call("GetItems", json!({}))
    }
}

#[test]
fn a_server_with_an_identity_provider_makes_no_administrator_beside_it() {
    let world = world();
    world
        .admin()
        .send("Users/AdminLink", &json!({}))
        .refused(403, "PermissionDenied");
}

#[test]
fn an_access_token_is_worth_what_its_person_is_registered_for() {
    let world = world();
    let token = world.provider.token_of("robot", USUAL);
    world.read_with(&token).refused(401, "Unauthenticated");
    world.register("robot", &["reader"]);
    let list = world.read_with(&token).ok();
    assert_eq!(list["Permissions"], json!(["Read"]));
    let robot = world.admin().with_token(&token);
    robot
        .call("AddItems", json!({ "Items": [{ "Text": "A" }] }))
        .refused(403, "PermissionDenied");
    world.register("robot", &["editor"]);
    robot.add("A");

    let stranger = world.provider.token_of("stranger", USUAL);
    world.read_with(&stranger).refused(401, "Unauthenticated");
}

#[test]
fn an_assistant_learns_of_the_provider_and_its_token_is_worth_what_its_person_is_registered_for() {
    let world = world();
    world.register("robot", &["editor"]);
    let metadata = "/.well-known/oauth-protected-resource/mcp";
    let metadata = world.server.http().get(metadata).ok();
    assert_eq!(
        metadata["authorization_servers"],
        json!([world.provider.issuer])
    );
    let token = world.provider.token_of("robot", USUAL);
    let place = incident("1").context();
    let added = json!({ "Context": place, "Items": [{ "Text": "A" }] });
    done(&world.server, &token, "add_items", added);
    let rows = world.admin().get("Audit?ObjectId=1&ActorKind=Agent").ok();
    let by = &rows["Rows"][0]["Actor"];
    assert_eq!(by["OnBehalfOf"]["Id"], "robot", "{rows}");
    let stranger = world.provider.token_of("stranger", USUAL);
    let list = message("tools/list", json!({}));
    post(&world.server, &stranger, &list).refused(401, "Unauthenticated");
}

#[test]
fn a_token_for_another_service_or_of_another_time_is_refused() {
    let world = world();
    world.register("robot", &["reader"]);
    let other = world.provider.token_of("robot", OTHER);
    world.read_with(&other).refused(401, "Unauthenticated");
    let short = world.provider.token_of("robot", SHORT);
    world.read_with(&short).ok();
    until("the token to end", || {
        (world.read_with(&short).status == 401).then_some(())
    });
    world.read_with(&short).refused(401, "TokenExpired");
}

#[test]
fn an_access_token_without_the_scope_that_is_needed_is_refused() {
    let provider = IdentityProvider::start();
    let hosts = Setup::for_hosts(&[HostKey::of("north")]);
    let world = World {
        server: provider
            .trusted_by(hosts)
            .argument("--oidc-scope=checklists")
            .start(),
        provider,
    };
    world.register("robot", &["reader"]);
    let token = world.provider.token_of("robot", USUAL);
    let problem = world.read_with(&token).refused(401, "Unauthenticated");
    assert!(problem["detail"].as_str().unwrap().contains("scope"));
}

#[test]
fn a_key_that_the_provider_has_changed_to_is_found_and_the_old_one_forgotten() {
    let mut world = world();
    world.register("robot", &["reader"]);
    let old = world.provider.token_of("robot", USUAL);
    world.read_with(&old).ok();
    world.provider.restart_with_another_key();
    let new = world.provider.token_of("robot", USUAL);
    // An unknown key is looked for, but not more often than every few seconds.
    until("the new key to be known", || {
        (world.read_with(&new).status == 200).then_some(())
    });
    world.read_with(&old).refused(401, "Unauthenticated");
}

#[test]
fn while_the_provider_is_away_known_keys_hold_and_others_are_told_to_come_back() {
    let mut world = world();
    world.register("robot", &["reader"]);
    let token = world.provider.token_of("robot", USUAL);
    world.read_with(&token).ok();
    world.provider.stop();
    world.read_with(&token).ok();

    world.server.restart();
    let unknown = world.read_with(&token);
    unknown.refused(503, "Busy");
    assert_ne!(unknown.header("retry-after"), "");
    let mut visitor = Visitor::default();
    let begin = format!("{}/session/sign-in", world.server.base_url());
    let away = visitor.get(&begin);
    assert!(
        away.header("location")
            .ends_with("/admin/?SignInProblem=ProviderFailed")
    );
}

#[test]
fn revoking_everything_and_disabling_a_person_end_their_tokens() {
    let world = world();
    world.register("robot", &["reader"]);
    let token = world.provider.token_of("robot", USUAL);
    world.read_with(&token).ok();
    let put = |disabled: bool| {
        let person = json!({ "Issuer": world.provider.issuer, "Subject": "robot", "Name": "Robot",
            "Roles": ["reader"], "Disabled": disabled });
        world.admin().put("Users", &person).ok();
    };
    put(true);
    world.read_with(&token).refused(401, "Unauthenticated");
    // Whoever is let in again has to sign in again.
    put(false);
    world.read_with(&token).refused(401, "Unauthenticated");
    let token = until("a token that was issued afterwards", || {
        // A token's time counts whole seconds.
        let token = world.provider.token_of("robot", USUAL);
        (world.read_with(&token).status == 200).then_some(token)
    });
    world
        .admin()
        .send("Revocations", &json!({ "Everything": true }))
        .ok();
    world.read_with(&token).refused(401, "Unauthenticated");
    until("a token of a later second", || {
        let token = world.provider.token_of("robot", USUAL);
        (world.read_with(&token).status == 200).then_some(())
    });
}

#[test]
fn a_browser_signs_in_and_has_the_roles_of_its_person() {
    let world = world();
    world.register("anna", &["auditor"]);
    let mut anna = Visitor::default();
    let problem = anna.session(&world.server).refused(401, "Unauthenticated");
    assert_eq!(
        problem["SignIn"],
        json!({ "Oidc": true, "Demo": false, "Passkey": false })
    );
    let back = anna.sign_in(&world.server, "anna", "/admin/journal");
    assert_eq!(back.status, 302);
    assert!(
        back.header("location").ends_with("/admin/journal"),
        "{}",
        back.header("location")
    );
    let session = anna.session(&world.server).ok();
    assert_eq!(session["Subject"], "anna");
    assert_eq!(session["Tenant"], "north");
    assert_eq!(session["Roles"], json!(["auditor"]));
    assert_eq!(session["Permissions"], json!(["Read", "Audit"]));
}

#[test]
fn whoever_is_not_registered_comes_back_without_a_session() {
    let world = world();
    let mut ben = Visitor::default();
    let back = ben.sign_in(&world.server, "ben", "/admin/");
    // With what an administrator registers the person by.
    let place = back.header("location");
    assert!(
        place.contains("/admin/?SignInProblem=NotRegistered&SignInIssuer=http"),
        "{place}"
    );
    assert!(place.ends_with("&SignInSubject=ben"), "{place}");
    ben.session(&world.server).refused(401, "Unauthenticated");
}

#[test]
fn a_sign_in_ends_in_the_browser_that_began_it_and_once() {
    let world = world();
    world.register("anna", &["reader"]);
    let mut anna = Visitor::default();
    let callback = anna.callback_of(&world.server, "anna", "/admin/");
    let mut mallory = Visitor::without_cookies();
    let stolen = mallory.get(&callback);
    assert!(
        stolen
            .header("location")
            .ends_with("?SignInProblem=Expired")
    );
    mallory
        .session(&world.server)
        .refused(401, "Unauthenticated");
    // The attempt has used the sign-in up.
    assert!(
        anna.get(&callback)
            .header("location")
            .ends_with("?SignInProblem=Expired")
    );

    let callback = anna.callback_of(&world.server, "anna", "/admin/");
    anna.get(&callback);
    anna.session(&world.server).ok();
    let again = anna.get(&callback);
    assert!(again.header("location").ends_with("?SignInProblem=Expired"));
}

#[test]
fn what_the_database_keeps_of_a_sign_in_that_was_begun_finishes_nobodys() {
    let world = world();
    let mut anna = Visitor::default();
    let begin = format!(
        "{}/session/sign-in?ReturnTo=/admin/",
        world.server.base_url()
    );
    let answer = anna.get(&begin);
    let to = reqwest::Url::parse(answer.header("location")).expect("an address");
    let sent: HashMap<_, _> = to.query_pairs().into_owned().collect();
    let mut kept = Vec::new();
    for file in std::fs::read_dir(world.server.data_dir())
        .into_iter()
        .flatten()
    {
        kept.extend(std::fs::read(file.expect("a file").path()).unwrap_or_default());
    }
    if let Some(database) = world.server.postgres() {
        kept.extend(database.dump());
    }
    let nonce = sent["nonce"].as_bytes();
    assert!(!kept.windows(nonce.len()).any(|part| part == nonce));
    // A verifier of PKCE has 43 letters; a sealed one has its own nonce and its tag beside it.
    if world.server.postgres().is_none() {
        let database = rusqlite::Connection::open(world.server.database()).expect("a database");
        let query = "SELECT verifier FROM pending_sign_in";
        let verifier: String = database
            .query_row(query, [], |row| row.get(0))
            .expect("a sign-in that was begun");
        assert_eq!(
            verifier.len(),
            ((24 + 43 + 16) * 8_usize).div_ceil(6),
            "{verifier}"
        );
    }
}

#[test]
fn what_comes_back_wrong_signs_nobody_in() {
    let world = world();
    world.register("anna", &["reader"]);
    type Wrong = fn(&str) -> String;
    let ways: [(Wrong, &str); 4] = [
        (|address| address.replace("state=", "state=x"), "Expired"),
        (
            |address| address.replace("code=", "error=access_denied&x="),
            "Refused",
        ),
        (
            |address| address.replace("code=", "code=x"),
            "ProviderFailed",
        ),
        (
            |address| address.replace("iss=http", "iss=https"),
            "Refused",
        ),
    ];
    for (wrong, problem) in ways {
        let mut anna = Visitor::default();
        let callback = wrong(&anna.callback_of(&world.server, "anna", "/admin/"));
        let back = anna.get(&callback);
        let expected = format!("?SignInProblem={problem}");
        assert!(back.header("location").ends_with(&expected), "{callback}");
        anna.session(&world.server).refused(401, "Unauthenticated");
    }
}

#[test]
fn nobody_is_sent_to_another_site_afterwards() {
    let world = world();
    world.register("anna", &["reader"]);
    for page in [
        "https://evil.example/",
        "//evil.example/",
        "/%5Cevil.example",
    ] {
        let mut anna = Visitor::default();
        let back = anna.sign_in(&world.server, "anna", page);
        let expected = format!("{}/admin/", world.server.base_url());
        assert_eq!(back.header("location"), expected, "{page}");
    }
}

#[test]
fn somebody_registered_in_two_tenants_may_choose() {
    let world = world();
    world.register("anna", &["reader"]);
    let admin = world.server.admin_key("south", "sam");
    let user = json!({ "Issuer": world.provider.issuer, "Subject": "anna", "Name": "Anna", "Roles": ["owner"] });
    world.admin().with_token(&admin).put("Users", &user).ok();

    let mut anna = Visitor::default();
    anna.sign_in(&world.server, "anna", "/admin/");
    assert_eq!(anna.session(&world.server).ok()["Tenant"], "north");
    anna.sign_in(&world.server, "anna", "/admin/&Tenant=south");
    assert_eq!(anna.session(&world.server).ok()["Tenant"], "south");
    let mut again = Visitor::default();
    let back = again.sign_in(&world.server, "anna", "/admin/&Tenant=west");
    let place = back.header("location");
    assert!(
        place.contains("?SignInProblem=NotRegistered&SignInIssuer="),
        "{place}"
    );
}

#[test]
fn a_token_that_only_says_it_is_the_providers_is_refused() {
    let world = world();
    world.register("anna", &["admin"]);
    let north = HostKey::of("north");
    let mut claims = north.claims(&world.server.base_url(), "anna", &["Read"]);
    claims["iss"] = json!(world.provider.issuer);
    claims["aud"] = json!(AUDIENCE);
    claims["iat"] = json!(checklist_tests::host::now());
    let request = world
        .admin()
        .with_token(&north.sign(&claims))
        .request(Method::POST, "GetItems");
    let answer = send(with_json(
        request,
        &json!({ "Context": incident("1").context() }),
    ));
    answer.refused(401, "Unauthenticated");
}
