//! Sixty-four callers who begin at once on a service connection that nobody has used, with a wrong
//! password: it is tried once between them, whatever they do, and all are told the same. A
//! password that is changed is tried at once.
//!
//! Forms and SiteOnline here; what needs Apache and Kerberos is in `behind_apache`.

use std::ops::Deref;
use std::sync::Barrier;

use checklist_site_server::{Options, SiteServer};
use checklist_tests::client::Answer;
use checklist_tests::sign_in::PASSWORD;
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

use crate::work::requests_to;

/// So many begin at once.
const CALLERS: usize = 64;

/// A server, and those who use a service connection of it.
pub struct Crowd {
    pub server: Server,
    users: Users,
}

impl Deref for Crowd {
    type Target = Users;

    fn deref(&self) -> &Users {
        &self.users
    }
}

/// A service connection, and those who use it.
pub struct Users {
    admin: Person,
    operator: Person,
    connection: Value,
    wish: Value,
}

impl Crowd {
    /// Who use a connection of that wish, of a server that may ask these origins.
    pub fn of(wish: Value, origins: &[&str]) -> Self {
        let mut setup = Setup::for_hosts(&[HostKey::of("north")]).with_vault();
        for origin in origins {
            setup = setup.argument("--allow-origin").argument(origin);
        }
        let server = setup.argument("--log").argument("trace").start();
        let admin = server.as_admin().on(&incident("1"));
        let operator = admin.program("Program", &["site-operator"]).about_sites();
        let admin = admin.about_sites();
        let connection = admin.send("ServiceConnections", &wish).ok();
        let users = Users {
            admin,
            operator,
            connection,
            wish,
        };
        Self { server, users }
    }
}

impl Users {
    /// All begin at once: some try the connection, some establish it, some write an entry, and
    /// all are told that the password is refused.
    #[track_caller]
    pub fn is_refused(&self) {
        let begin = Barrier::new(CALLERS);
        let told = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS)
                .map(|number| {
                    let begin = &begin;
                    scope.spawn(move || {
                        begin.wait();
                        self.once(number)
                    })
                })
                .collect();
            let told = callers
                .into_iter()
                .map(|caller| caller.join().expect("told"));
            told.collect::<Vec<String>>()
        });
        for told in told {
            assert!(told.contains("SignInRefused"), "{told}");
            assert!(told.contains("refuses the credentials"), "{told}");
        }
        assert!(self.once(1).contains("SignInRefused"));
    }

    fn once(&self, number: usize) -> String {
        let id = self.connection["Id"].as_str().expect("an id");
        if number.is_multiple_of(4) {
            return self.test().to_string();
        }
        let answer = if number % 4 == 1 {
            let establish = json!({ "ServiceConnection": id });
            self.operator.send("EstablishSiteConnection", &establish)
        } else {
            self.add(number)
        };
        answer.refused(424, "SignInRefused").to_string()
    }

    /// What the test of the connection says of the sign-in.
    pub fn test(&self) -> Value {
        let id = self.connection["Id"].as_str().expect("an id");
        let path = format!("ServiceConnections/{id}/Test");
        self.admin.send(&path, &json!({})).ok()["Steps"][2].clone()
    }

    fn add(&self, number: usize) -> Answer {
        self.adds(&format!("entry {number}"))
    }

    /// Adds an entry.
    pub fn adds(&self, title: &str) -> Answer {
        let body = json!({ "Connection": { "ServiceConnection": self.connection["Id"] },
            "List": "Computers", "Fields": [{ "Name": "Title", "Value": title }] });
        self.operator.send("AddSiteItem", &body)
    }

    /// The password is set right, and works at once.
    #[track_caller]
    pub fn works_with(&self, password: &str) {
        let mut wish = self.wish.clone();
        wish["Password"] = json!(password);
        let id = self.connection["Id"].as_str().expect("an id");
        let path = format!("ServiceConnections/{id}");
        self.admin.put(&path, &wish).ok();
        self.add(1_000).ok();
        let tested = self.test();
        assert_eq!(tested["Finding"], "SignedIn", "{tested}");
    }
}

fn site() -> SiteServer {
    crate::work::closed(Options {
        password: PASSWORD.to_owned(),
        ..Options::default()
    })
}

#[test]
fn a_wrong_password_is_tried_once_by_forms() {
    let site = site();
    let wish = json!({ "Name": "Forms", "Method": "Forms", "Url": site.site_url(),
        "Username": "alice", "Password": "guessed" });
    let crowd = Crowd::of(wish, &[&site.origin()]);
    crowd.is_refused();
    assert_eq!(requests_to(&site, "authentication.asmx"), 1);
    crowd.works_with(PASSWORD);
    assert_eq!(requests_to(&site, "authentication.asmx"), 2);
}

#[test]
fn a_wrong_password_is_tried_once_by_the_former_dialogue() {
    let site = site();
    let wish = json!({ "Name": "Online", "Method": "SiteOnline", "Url": site.site_url(),
        "TokenService": format!("{}/extSTS.srf", site.origin()),
        "Username": "alice@demo.test", "Password": "guessed" });
    let crowd = Crowd::of(wish, &[&site.origin()]);
    crowd.is_refused();
    assert_eq!(requests_to(&site, "extsts.srf"), 1);
    crowd.works_with(PASSWORD);
    assert_eq!(requests_to(&site, "extsts.srf"), 2);
}

#[test]
fn site_online_sends_no_password_where_no_token_service_is_named() {
    let site = site();
    let wish = json!({ "Name": "Online", "Method": "SiteOnline", "Url": site.site_url(),
        "Username": "alice@demo.test", "Password": PASSWORD });
    let crowd = Crowd::of(wish.clone(), &[&site.origin()]);
    let answer = crowd.add(1).refused(422, "NotSupported");
    assert!(answer.to_string().contains("TokenService"), "{answer}");
    let tested = crowd.once(0);
    assert!(tested.contains("no longer signs in"), "{tested}");
    // Neither for credentials that a caller brings along.
    let own = json!({ "Url": site.site_url(), "AuthenticationType": "SiteOnline",
        "Username": "alice@demo.test", "Password": PASSWORD });
    let own = json!({ "Credentials": own });
    let answer = crowd.operator.send("EstablishSiteConnection", &own);
    answer.refused(422, "NotSupported");
    let posted = site
        .requests()
        .into_iter()
        .filter(|seen| seen.method == "POST");
    assert_eq!(posted.count(), 0);
    // Elsewhere than at the site, or with another method, none is taken.
    for (name, value) in [
        ("TokenService", "https://login.example/extSTS.srf"),
        ("Method", "Forms"),
    ] {
        let mut wrong = wish.clone();
        wrong["Name"] = json!("Wrong");
        wrong["TokenService"] = json!(format!("{}/extSTS.srf", site.origin()));
        wrong[name] = json!(value);
        let answer = crowd.admin.send("ServiceConnections", &wrong);
        let answer = answer.refused(422, "InvalidRequest");
        assert!(answer.to_string().contains("/TokenService"), "{answer}");
    }
}
