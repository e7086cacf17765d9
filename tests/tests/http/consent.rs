//! "Connect": an administrator grants access to a site in a browser, and activities act on their
//! behalf, with tokens that are renewed, until the consent is gone.
//!
//! The authorization server is a real one, and the site takes its tokens alone. Access tokens live
//! two seconds there, and a refresh token that is used twice ends the consent.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::identity_provider::{IdentityProvider, SECRET, Visitor};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident, until};
use serde_json::{Value, json};

struct World {
    provider: IdentityProvider,
    site: SiteServer,
    server: Server,
}

fn world() -> World {
    let provider = IdentityProvider::start();
    let site = SiteServer::start(Options {
        check_tokens: Some(provider.issuer.clone()),
        ..Options::default()
    });
    let site = site.expect("a site server");
    let hosts = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&site.origin());
    World {
        server: provider.trusted_by(hosts).start(),
        provider,
        site,
    }
}

/// An administrator in a browser.
struct Admin {
    browser: Visitor,
    person: Person,
}

impl World {
    fn admin(&self, name: &str) -> Admin {
        let first = self.server.as_admin().on(&incident("1"));
        let user = json!({ "Issuer": self.provider.issuer, "Subject": name, "Name": name, "Roles": ["admin"] });
        first.put("Users", &user).ok();
        let mut browser = Visitor::default();
        browser.sign_in(&self.server, name, "/admin/");
        let cookie = browser.cookie(&self.server, "checklist-session");
        Admin {
            browser,
            person: first.with_cookie(&cookie).about_sites(),
        }
    }

    /// A program that runs activities.
    fn operator(&self) -> Person {
        let admin = self.server.as_admin().on(&incident("1"));
        let wish = json!({ "Name": "Program", "Roles": ["site-operator"] });
        let key = admin.send("ApiKeys", &wish).ok();
        let secret = key["Secret"].as_str().expect("a secret");
        admin.with_token(secret).about_sites()
    }

    fn wish(&self) -> Value {
        json!({ "Name": "Team site", "Method": "Delegated", "Url": self.site.site_url(),
            "Issuer": self.provider.issuer, "ClientId": "site-app", "ClientSecret": SECRET })
    }

    /// A connection of that administrator; its path.
    fn connection(&self, admin: &Admin) -> String {
        let made = admin.person.send("ServiceConnections", &self.wish()).ok();
        format!("ServiceConnections/{}", made["Id"].as_str().expect("an id"))
    }

    /// Begins a consent and agrees to it; the address that the provider sends back to.
    fn agreed(&self, admin: &mut Admin, path: &str) -> String {
        let begun = admin.person.send(&format!("{path}/Connect"), &json!({}));
        admin.browser.keep_cookies_of(&self.server, &begun);
        let address = begun.ok()["AuthorizationUrl"].clone();
        let name = admin.person.get(path).ok()["Owner"].clone();
        let name = name.as_str().unwrap_or_default();
        admin
            .browser
            .agree(address.as_str().expect("an address"), name)
    }

    /// Connects, all the way.
    fn connect(&self, admin: &mut Admin, path: &str) {
        let callback = self.agreed(admin, path);
        let back = admin.browser.get(&callback);
        assert!(
            back.header("location").ends_with("?Connected=true"),
            "{}",
            back.header("location")
        );
        assert_eq!(admin.person.get(path).ok()["State"], "Ready");
    }
}

fn add(operator: &Person, path: &str) -> Answer {
    let id = path.trim_start_matches("ServiceConnections/");
    let body = json!({ "Connection": { "ServiceConnection": id }, "List": "Computers",
        "Fields": [{ "Name": "Title", "Value": "PC" }] });
    operator.send("AddSiteItem", &body)
}

#[test]
fn what_a_person_grants_is_used_on_their_behalf_and_renewed() {
    let world = world();
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
    let users: Vec<String> = world
        .site
        .requests()
        .into_iter()
        .map(|seen| seen.user)
        .collect();
    assert!(users.iter().any(|user| user.contains("ada")), "{users:?}");
    assert_eq!(
        ada.person.get(&path).ok()["Revision"],
        1,
        "renewing is no change of anybody's"
    );
}

#[test]
fn many_calls_at_once_renew_once() {
    let world = world();
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
    let mut world = world();
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
    let world = world();
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
    let world = world();
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
    let world = world();
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
    let world = world();
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
