//! Roles by groups of an identity provider, in the shapes in which known providers write them, and
//! which claim identifies a person.
//!
//! The provider is a real one; what its tokens claim is said by each test.

use checklist_tests::identity_provider::{IdentityProvider, USUAL, Visitor};
use checklist_tests::{HostKey, Setup};
use serde_json::{Value, json};

use crate::oidc::World;

const DESK: &str = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
const LEADS: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// A server with these options of its own.
fn world(arguments: &[&str]) -> World {
    let provider = IdentityProvider::start();
    let hosts = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]);
    let setup = arguments
        .iter()
        .fold(provider.trusted_by(hosts), |setup, one| setup.argument(one));
    World {
        server: setup.start(),
        provider,
    }
}

/// Entra's shape: ids of groups.
fn entra(more: &[&str]) -> World {
    let (desk, leads) = (
        format!("--oidc-role={DESK}=north:editor"),
        format!("--oidc-role={LEADS}=north:auditor;{LEADS}=south:owner"),
    );
    let usual = ["--oidc-role-claim=groups", &desk, &leads];
    world(&[&usual, more].concat())
}

impl World {
    /// Signs in with these claims; gives the session, or where the browser was sent back to.
    fn sign_in(&self, name: &str, claims: &Value) -> Result<Value, String> {
        self.sign_in_at(name, claims, "/admin/")
    }

    fn sign_in_at(&self, name: &str, claims: &Value, page: &str) -> Result<Value, String> {
        self.provider.set_claims(name, claims);
        let mut visitor = Visitor::default();
        let back = visitor.sign_in(&self.server, name, page);
        let session = visitor.session(&self.server);
        if session.status == 200 {
            return Ok(session.json());
        }
        Err(back.header("location").to_owned())
    }
}

#[test]
fn people_of_a_group_are_registered_with_its_role_at_their_first_sign_in() {
    let world = entra(&["--oidc-register-people"]);
    let session = world.sign_in("anna", &json!({ "groups": ["other", DESK] }));
    let session = session.expect("anna is let in");
    assert_eq!(session["Tenant"], "north");
    assert_eq!(session["Roles"], json!(["editor"]));
    let people = world.admin().get("Users").ok();
    assert_eq!(people["Users"][0]["Subject"], "anna");
    let audit = world.admin().get("Audit?Category=Administration").ok();
    assert!(
        audit.to_string().contains("anna"),
        "who got which role is in the audit trail"
    );
}

#[test]
fn without_registration_nobody_unknown_gets_in_whatever_groups_they_have() {
    let world = entra(&[]);
    let back = world.sign_in("anna", &json!({ "groups": [DESK] }));
    let back = back.expect_err("anna is not registered");
    assert!(back.contains("SignInProblem=NotRegistered&"), "{back}");
    assert!(back.ends_with("&SignInSubject=anna"), "{back}");
    world.register("anna", &["reader"]);
    let session = world.sign_in("anna", &json!({ "groups": [DESK] }));
    assert_eq!(session.expect("anna is let in")["Roles"], json!(["editor"]));
}

#[test]
fn two_groups_give_two_roles_and_two_tenants() {
    let world = entra(&["--oidc-register-people"]);
    let both = json!({ "groups": [LEADS, DESK] });
    let session = world.sign_in("anna", &both).expect("anna is let in");
    assert_eq!(session["Tenant"], "north");
    assert_eq!(session["Roles"], json!(["editor", "auditor"]));
    let south = world.sign_in_at("anna", &both, "/admin/&Tenant=south");
    assert_eq!(south.expect("anna is let in")["Roles"], json!(["owner"]));
}

#[test]
fn a_group_that_was_left_takes_its_role_along_and_the_sessions_too() {
    let world = entra(&["--oidc-register-people"]);
    world
        .provider
        .set_claims("anna", &json!({ "groups": [LEADS, DESK] }));
    let mut elsewhere = Visitor::default();
    elsewhere.sign_in(&world.server, "anna", "/admin/");
    assert_eq!(
        elsewhere.session(&world.server).ok()["Roles"],
        json!(["editor", "auditor"])
    );

    let session = world.sign_in("anna", &json!({ "groups": [LEADS] }));
    assert_eq!(session.expect("still a lead")["Roles"], json!(["auditor"]));
    assert_eq!(
        elsewhere.session(&world.server).ok()["Roles"],
        json!(["auditor"])
    );

    // Some providers leave the claim out of the token of somebody without groups.
    for none in [json!({ "groups": [] }), json!({})] {
        let back = world.sign_in("anna", &none).expect_err("no group, no role");
        assert!(
            back.contains("SignInProblem=NoRole&SignInIssuer="),
            "{back}"
        );
        assert!(back.ends_with("&SignInSubject=anna"), "{back}");
    }
    let left = elsewhere.session(&world.server).ok();
    assert_eq!(left["Permissions"], json!([]), "{left}");
    // And comes back with the group.
    let session = world.sign_in("anna", &json!({ "groups": [DESK] }));
    assert_eq!(
        session.expect("back at the desk")["Roles"],
        json!(["editor"])
    );
}

#[test]
fn whoever_an_administrator_has_disabled_no_group_brings_back() {
    let world = entra(&["--oidc-register-people"]);
    let claims = json!({ "groups": [DESK] });
    world.sign_in("anna", &claims).expect("anna is let in");
    let user = json!({ "Issuer": world.provider.issuer, "Subject": "anna", "Name": "Anna", "Roles": ["editor"], "Disabled": true });
    world.admin().put("Users", &user).ok();
    let back = world.sign_in("anna", &claims).expect_err("disabled");
    assert!(back.contains("SignInSubject=anna"), "{back}");
    let people = world.admin().get("Users").ok();
    assert_eq!(people["Users"][0]["Disabled"], true);
}

#[test]
fn roles_deep_in_a_claim_and_a_scope_that_has_to_be_asked_for() {
    let keycloak = world(&[
        "--oidc-role-claim=realm_access.roles",
        "--oidc-role=/desk/leads=north:owner",
        "--oidc-register-people",
    ]);
    let claims = json!({ "realm_access": { "roles": ["offline_access", "/desk/leads"] } });
    let session = keycloak.sign_in("anna", &claims).expect("anna is let in");
    assert_eq!(session["Roles"], json!(["owner"]));

    let teams = |more: &[&str]| {
        let usual = [
            "--oidc-role-claim=teams",
            "--oidc-role=CN=Desk,OU=IT=north:checker",
            "--oidc-register-people",
        ];
        let world = world(&[&usual, more].concat());
        world.sign_in("anna", &json!({ "teams": "CN=Desk,OU=IT" }))
    };
    let asked = teams(&["--oidc-sign-in-scope=teams"]).expect("anna is let in");
    assert_eq!(asked["Roles"], json!(["checker"]));
    let back = teams(&[]).expect_err("the provider does not name them");
    assert!(back.contains("NoRole"), "{back}");
}

#[test]
fn hundreds_of_groups_are_read_and_groups_that_were_left_out_change_nothing() {
    let world = entra(&["--oidc-register-people"]);
    let mut groups: Vec<String> = (0..900)
        .map(|n| format!("00000000-0000-0000-0000-{n:012}"))
        .collect();
    groups.push(DESK.to_owned());
    let session = world.sign_in("anna", &json!({ "groups": groups }));
    assert_eq!(session.expect("anna is let in")["Roles"], json!(["editor"]));

    let overage = json!({
        "_claim_names": { "groups": "src1" },
        "_claim_sources": { "src1": { "endpoint": "https://graph.example/getMemberObjects" } },
    });
    let back = world
        .sign_in("anna", &overage)
        .expect_err("nobody knows anna's groups");
    assert!(back.contains("SignInProblem=GroupsLeftOut&"), "{back}");
    assert!(back.ends_with("&SignInSubject=anna"), "{back}");
    let people = world.admin().get("Users").ok();
    assert_eq!(
        people["Users"][0]["Roles"],
        json!(["editor"]),
        "as they were"
    );
}

#[test]
fn another_claim_than_sub_identifies_people() {
    let world = world(&["--oidc-subject-claim=oid"]);
    let oid = "00000000-0000-0000-66f3-3332eca7ea81";
    let back = world.sign_in("anna", &json!({ "oid": oid }));
    let back = back.expect_err("anna is not registered");
    assert!(back.ends_with(&format!("&SignInSubject={oid}")), "{back}");
    world.register(oid, &["reader"]);
    let session = world.sign_in("anna", &json!({ "oid": oid }));
    assert_eq!(session.expect("anna is let in")["Subject"], oid);
    world.register("anna", &["admin"]);
    let back = world
        .sign_in("anna", &json!({}))
        .expect_err("nobody without that claim");
    assert!(back.contains("ProviderFailed"), "{back}");

    world
        .provider
        .set_claims("robot", &json!({ "oid": "robot-1" }));
    let token = world.provider.token_of("robot", USUAL);
    let problem = world.read_with(&token).refused(401, "Unauthenticated");
    let detail = problem["detail"].as_str().unwrap_or_default().to_owned();
    assert!(
        detail.contains("Signed in as robot-1, who is not registered here"),
        "{detail}"
    );
    world.register("robot-1", &["reader"]);
    world.read_with(&token).ok();
}

#[test]
fn an_access_token_with_groups_is_worth_what_they_give_and_registers_nobody() {
    let world = entra(&["--oidc-register-people"]);
    world
        .provider
        .set_claims("robot", &json!({ "groups": [DESK] }));
    let token = world.provider.token_of("robot", USUAL);
    world.read_with(&token).refused(401, "Unauthenticated");
    world.register("robot", &["reader"]);
    let list = world.read_with(&token).ok();
    assert!(list["Permissions"].to_string().contains("Edit"), "{list}");
    world
        .provider
        .set_claims("robot", &json!({ "groups": ["other"] }));
    let token = world.provider.token_of("robot", USUAL);
    world.read_with(&token).refused(401, "Unauthenticated");
    // Without the claim what is stored counts.
    world.provider.set_claims("robot", &json!({}));
    let token = world.provider.token_of("robot", USUAL);
    assert_eq!(world.read_with(&token).ok()["Permissions"], json!(["Read"]));
}

#[test]
fn options_that_say_nothing_together_stop_the_start() {
    for (arguments, says) in [
        (&["--oidc-role=desk=north:editor"][..], "--oidc-role-claim"),
        (&["--oidc-register-people"], "--oidc-role-claim"),
        (&["--oidc-role-claim=groups"], "--oidc-role"),
        (
            &["--oidc-role-claim=groups", "--oidc-role=desk"],
            "GROUP=TENANT:ROLE",
        ),
        (
            &["--oidc-role-claim=groups", "--oidc-role=desk=north:boss"],
            "no role boss",
        ),
        (&["--oidc-subject-claim=a b"], "names no claim"),
    ] {
        let provider = ["--oidc-issuer=http://127.0.0.1:9", "--oidc-audience=checks"];
        let setup = Setup::for_hosts(&[HostKey::of("north")]);
        let setup = provider
            .iter()
            .chain(arguments)
            .fold(setup, |setup, one| setup.argument(one));
        let said = setup.refused(2);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}
