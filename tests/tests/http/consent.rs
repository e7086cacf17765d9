//! "Connect": an administrator grants access to a site in a browser, and activities act on their
//! behalf, with tokens that are renewed, until the consent is gone.
//!
//! The authorization server is a real one, and the site takes its tokens alone. Access tokens live
//! two seconds there, and a refresh token that is used twice ends the consent.

use checklist_tests::client::field_errors;
use checklist_tests::granted_site::{World, add};
use checklist_tests::identity_provider::{IdentityProvider, Visitor};
use checklist_tests::until;
use rcgen::{CertificateParams, KeyPair};
use serde_json::json;

#[test]
fn what_a_person_grants_is_used_on_their_behalf_and_renewed() {
    let world = World::start();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    let operator = world.operator();
    add(&operator, &path).refused(409, "ConnectionNeedsSignIn");
    world.connect(&mut ada, &path);
    add(&operator, &path).ok();
    // Longer than an access token lives, several times: each refresh token is used once.
    for _ in 0..3 {
        std::thread::sleep(std::time::Duration::from_millis(2_100));
        add(&operator, &path).ok();
    }
    let users = world.site.users();
    assert!(users.iter().any(|user| user.contains("ada")), "{users:?}");
    assert_eq!(
        ada.person.get(&path).ok()["Revision"],
        1,
        "renewing is no change of anybody's"
    );
}

#[test]
fn many_calls_at_once_renew_once() {
    let world = World::start();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    world.connect(&mut ada, &path);
    let operator = world.operator();
    for _ in 0..2 {
        std::thread::sleep(std::time::Duration::from_millis(2_100));
        // A refresh token that is sent twice would end the consent, and the next round with it.
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| add(&operator, &path).ok());
            }
        });
    }
}

#[test]
fn a_consent_that_is_gone_asks_the_owner_to_connect_again() {
    let mut world = World::start();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    world.connect(&mut ada, &path);
    let operator = world.operator();
    add(&operator, &path).ok();
    // It forgets what was granted.
    world.provider.restart_with_another_key();
    until("the consent to be gone", || {
        (add(&operator, &path).status == 409).then_some(())
    });
    add(&operator, &path).refused(409, "ConnectionNeedsSignIn");
    let shown = ada.person.get(&path).ok();
    assert_eq!(shown["State"], "NeedsSignIn");
    assert!(
        shown["Problem"].as_str().unwrap().contains("taken back"),
        "{shown}"
    );
    let tested = ada.person.send(&format!("{path}/Test"), &json!({})).ok();
    assert_eq!(tested["Steps"][2]["Step"], "SignIn");
    assert_eq!(tested["Steps"][2]["Outcome"], "Failed");
}

#[test]
fn a_consent_ends_in_the_browser_that_began_it_and_once() {
    let world = World::start();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    let callback = world.agreed(&mut ada, &path);
    let mut mallory = Visitor::without_cookies();
    let stolen = mallory.get(&callback);
    assert!(
        stolen
            .header("location")
            .ends_with("?ConsentProblem=Expired")
    );
    let again = ada.browser.get(&callback);
    assert!(
        again
            .header("location")
            .ends_with("?ConsentProblem=Expired"),
        "the attempt has used it up"
    );
    assert_eq!(ada.person.get(&path).ok()["State"], "NeedsSignIn");
}

#[test]
fn a_person_who_says_no_and_a_connection_that_was_changed_are_told() {
    let world = World::start();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    let callback = world.agreed(&mut ada, &path);
    let no = callback.replace("code=", "error=access_denied&x=");
    let back = ada.browser.get(&no);
    assert!(back.header("location").ends_with("?ConsentProblem=Refused"));

    let callback = world.agreed(&mut ada, &path);
    let mut renamed = world.wish();
    renamed["Name"] = json!("Renamed");
    ada.person.put(&path, &renamed).ok();
    let back = ada.browser.get(&callback);
    assert!(back.header("location").ends_with("?ConsentProblem=Changed"));
}

#[test]
fn nobody_connects_what_belongs_to_somebody_else() {
    let world = World::start();
    let ada = world.admin("ada");
    let ben = world.admin("ben");
    let path = world.connection(&ada);
    let problem = ben
        .person
        .send(&format!("{path}/Connect"), &json!({}))
        .refused(403, "PermissionDenied");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("belongs to ada")
    );
    let mut own = world.wish();
    own["Name"] = json!("Ben's");
    ben.person.put(&path, &own).ok();
    let problem = ada.person.send(&format!("{path}/Connect"), &json!({}));
    problem.refused(403, "PermissionDenied");
}

#[test]
fn an_application_asks_for_itself_and_needs_nobody() {
    let world = World::start();
    let ada = world.admin("ada");
    let mut wish = world.wish();
    wish["Method"] = json!("Application");
    let made = ada.person.send("ServiceConnections", &wish).ok();
    assert_eq!(made["State"], "Ready");
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    add(&world.operator(), &path).ok();
    let begun = ada.person.send(&format!("{path}/Connect"), &json!({}));
    begun.refused(422, "InvalidRequest");
}

#[test]
fn an_application_shows_a_certificate_instead_of_a_secret() {
    let world = World::start();
    let ada = world.admin("ada");
    let pem = world.provider.client_certificate();
    let mut wish = world.wish();
    wish["Method"] = json!("Application");
    wish["ClientId"] = json!("site-app-certified");
    wish.as_object_mut().unwrap().remove("ClientSecret");
    let made = ada.person.send("ServiceConnections", &wish).ok();
    assert_eq!(made["State"], "NeedsSecret");
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    wish["ClientCertificate"] = json!(pem);
    let changed = ada.person.put(&path, &wish);
    assert!(!changed.text().contains("PRIVATE KEY"));
    assert_eq!(changed.ok()["HasClientCertificate"], true);
    assert_eq!(changed.ok()["State"], "Ready");
    let operator = world.operator();
    add(&operator, &path).ok();
    // It stays when it is left out, and is tried again with each token.
    wish.as_object_mut().unwrap().remove("ClientCertificate");
    assert_eq!(
        ada.person.put(&path, &wish).ok()["HasClientCertificate"],
        true
    );
    add(&operator, &path).ok();
    assert!(!world.server.keeps("PRIVATE KEY"));
    assert_eq!(world.provider.granted("client_credentials"), 2);
}

#[test]
fn an_application_may_show_a_certificate_of_an_elliptic_curve() {
    let world = World::start();
    let ada = world.admin("ada");
    let mut wish = world.wish();
    wish["Method"] = json!("Application");
    wish["ClientId"] = json!("site-app-certified-curve");
    wish.as_object_mut().unwrap().remove("ClientSecret");
    wish["ClientCertificate"] = json!(world.provider.client_certificate_of_curve());
    let path = world.connection_as(&ada, &wish);
    let operator = world.operator();
    // Often enough for a number of a signature that is shorter than the others, or longer.
    for _ in 0..3 {
        add(&operator, &path).ok();
    }
    assert!(world.provider.granted("client_credentials") > 0);
}

#[test]
fn of_a_certificate_everything_but_the_key_is_told_until_it_is_removed_or_replaced() {
    let world = World::start();
    let ada = world.admin("ada");
    let pem = world.provider.client_certificate();
    let mut wish = world.wish();
    wish["Method"] = json!("Application");
    wish.as_object_mut().unwrap().remove("ClientSecret");
    wish["ClientCertificate"] = json!(pem);
    let made = ada.person.send("ServiceConnections", &wish).ok();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    let facts = &made["CertificateFacts"];
    assert_eq!(facts["Subject"], "CN=rcgen self signed cert");
    assert_eq!(facts["Thumbprint"].as_str().unwrap().len(), 64);
    assert!(facts["NotAfter"].as_str() > facts["NotBefore"].as_str());
    let first = facts.clone();
    wish["ClientCertificate"] = json!(world.provider.client_certificate_of_curve());
    let replaced = ada.person.put(&path, &wish).ok();
    assert_ne!(
        replaced["CertificateFacts"]["Thumbprint"],
        first["Thumbprint"]
    );

    wish["RemoveClientCertificate"] = json!(true);
    let problem = ada.person.put(&path, &wish).refused(422, "InvalidRequest");
    let fault = &problem["Errors"][0];
    assert_eq!(fault["Pointer"], "/RemoveClientCertificate");
    assert_eq!(fault["Phrase"]["Code"], "CertificateAndRemoval");
    wish.as_object_mut().unwrap().remove("ClientCertificate");
    let removed = ada.person.put(&path, &wish).ok();
    assert_eq!(removed["HasClientCertificate"], false);
    assert_eq!(removed.get("CertificateFacts"), None);
    assert_eq!(removed["State"], "NeedsSecret");
    wish.as_object_mut()
        .unwrap()
        .remove("RemoveClientCertificate");
    wish["ClientSecret"] = json!("a secret");
    assert_eq!(ada.person.put(&path, &wish).ok()["State"], "Ready");
    wish["Method"] = json!("Anonymous");
    for name in ["ClientSecret", "ClientId", "Issuer"] {
        wish.as_object_mut().unwrap().remove(name);
    }
    wish["RemoveClientCertificate"] = json!(true);
    let problem = ada.person.put(&path, &wish).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/RemoveClientCertificate");
}

#[test]
fn a_person_grants_access_to_a_client_with_a_certificate() {
    let world = World::start();
    let mut ada = world.admin("ada");
    let mut wish = world.wish();
    wish["ClientId"] = json!("site-app-certified");
    wish.as_object_mut().unwrap().remove("ClientSecret");
    wish["ClientCertificate"] = json!(world.provider.client_certificate());
    let path = world.connection_as(&ada, &wish);
    world.connect(&mut ada, &path);
    add(&world.operator(), &path).ok();
}

#[test]
fn a_certificate_that_is_none_or_has_another_key_is_refused_with_a_reason() {
    let world = World::start();
    let ada = world.admin("ada");
    let pem = world.provider.client_certificate();
    let other = IdentityProvider::start().client_certificate();
    let end = "-----END CERTIFICATE-----";
    let certificate = pem.split_inclusive(end).next().unwrap();
    let key = other.split(end).nth(1).unwrap();
    let unknown = KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
    let of_unknown = CertificateParams::default().self_signed(&unknown).unwrap();
    let of_unknown = format!("{}{}", of_unknown.pem(), unknown.serialize_pem());
    for (wrong, why, code) in [
        (
            "nonsense".to_owned(),
            "no certificate",
            "CertificateMissing",
        ),
        (
            certificate.to_owned(),
            "no private key",
            "CertificateKeyMissing",
        ),
        (key.to_owned(), "no certificate", "CertificateMissing"),
        (
            format!("{certificate}{key}"),
            "does not belong",
            "CertificateKeyOfAnother",
        ),
        (of_unknown, "curve P-256", "CertificateKeyUnsupported"),
    ] {
        let mut wish = world.wish();
        wish["Method"] = json!("Application");
        wish.as_object_mut().unwrap().remove("ClientSecret");
        wish["ClientCertificate"] = json!(wrong);
        let problem = ada.person.send("ServiceConnections", &wish);
        let problem = problem.refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/ClientCertificate");
        assert!(problem.to_string().contains(why), "{problem}");
        assert_eq!(problem["Errors"][0]["Phrase"]["Code"], code);
    }
    let mut both = world.wish();
    both["ClientCertificate"] = json!(pem);
    let problem = ada.person.send("ServiceConnections", &both);
    let problem = problem.refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/ClientCertificate");
}
