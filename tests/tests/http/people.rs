//! People who may sign in: deleted, signed out everywhere, when they last signed in, and many of
//! them.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::data::on_postgres;
use checklist_tests::identity_provider::{IdentityProvider, Visitor};
use checklist_tests::{API, Answer, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// A server with a real identity provider, and its administrator.
struct World {
    provider: IdentityProvider,
    server: Server,
    admin: Person,
}

fn world() -> World {
    let provider = IdentityProvider::start();
    let server = provider.trusted_by(Setup::demo()).start();
    let admin = server.as_admin().on(&incident("1"));
    World {
        provider,
        server,
        admin,
    }
}

impl World {
    fn user(&self, subject: &str, roles: &[&str]) -> Value {
        json!({ "Issuer": self.provider.issuer, "Subject": subject, "Name": "Anna Berg",
            "Roles": roles })
    }

    /// Registers somebody, and signs them in; the cookie.
    fn signs_in(&self, subject: &str, roles: &[&str]) -> String {
        self.admin.put("Users", &self.user(subject, roles)).ok();
        self.begin(subject)
    }

    fn begin(&self, subject: &str) -> String {
        let answer = Visitor::default().sign_in(&self.server, subject, "/admin/");
        let mut set = answer.headers.get_all("set-cookie").iter();
        let set = set.find_map(|set| {
            let set = set.to_str().ok()?;
            set.starts_with("checklist-session=").then_some(set)
        });
        let set = set.unwrap_or_else(|| panic!("nobody signed in: {}", answer.text()));
        set.split(';').next().unwrap_or_default().to_owned()
    }

    fn session(&self, cookie: &str) -> Answer {
        self.ask(Method::GET, "/session", cookie, None)
    }

    fn ask(&self, method: Method, path: &str, cookie: &str, body: Option<&Value>) -> Answer {
        let request = self.server.http().request(method, path);
        let request = request
            .header("cookie", cookie)
            .header("sec-fetch-site", "same-origin");
        send(match body {
            Some(body) => with_json(request, body),
            None => request,
        })
    }

    fn about(&self, call: &str, subject: &str) -> Answer {
        let who = json!({ "Issuer": self.provider.issuer, "Subject": subject });
        self.admin.send(&format!("Users/{call}"), &who)
    }

    fn listed(&self, subject: &str) -> Option<Value> {
        let page = self.admin.get("Users?Limit=500").ok();
        let users = page["Users"].as_array().expect("users").clone();
        users.into_iter().find(|user| user["Subject"] == subject)
    }
}

#[test]
fn the_sessions_of_one_person_are_ended_and_those_of_others_go_on() {
    let world = world();
    let (one, again) = (world.signs_in("anna", &["auditor"]), world.begin("anna"));
    // The same name, and somebody else.
    let other = world.signs_in("berta", &["auditor"]);
    assert_eq!(world.about("EndSessions", "anna").status, 204);
    for ended in [&one, &again] {
        world.session(ended).refused(401, "Unauthenticated");
    }
    world.session(&other).ok();
    world.session(&world.begin("anna")).ok();
    world
        .about("EndSessions", "nobody")
        .refused(404, "UserNotFound");
    let acts = world.admin.get("Audit?Subject=User&Order=Newest").ok();
    let rows = acts["Rows"].as_array().expect("rows");
    let ended = rows.iter().find(|row| row["Act"]["Action"] == "Revoked");
    let ended = ended.unwrap_or_else(|| panic!("nothing is audited: {acts}"));
    assert_eq!(ended["Actor"]["Name"], "Ada Admin");
    assert_eq!(ended["Act"]["Name"], "Anna Berg");
}

#[test]
fn who_is_deleted_is_out_at_once_and_comes_back_only_when_registered_again() {
    let world = world();
    let cookie = world.signs_in("anna", &["auditor"]);
    let editing = world.listed("anna").expect("she is registered");
    assert_eq!(world.about("Delete", "anna").status, 204);
    world.session(&cookie).refused(401, "Unauthenticated");
    assert_eq!(world.listed("anna"), None);
    world.about("Delete", "anna").refused(404, "UserNotFound");
    // Somebody else still has the form open: saving it must not bring her back.
    let request = world
        .admin
        .request(Method::PUT, "Users")
        .header("if-match", "*");
    send(with_json(request, &editing)).refused(404, "UserNotFound");
    assert_eq!(world.listed("anna"), None);
    world.session(&world.signs_in("anna", &["auditor"])).ok();
    let trail = world.admin.get("Audit?Subject=User&Order=Newest").ok();
    let rows = trail["Rows"].as_array().expect("rows");
    let deleted = rows.iter().find(|row| row["Act"]["Action"] == "Deleted");
    let act = &deleted.unwrap_or_else(|| panic!("nothing is audited: {trail}"))["Act"];
    assert_eq!(act["Name"], "Anna Berg");
    let changed = act["Changes"].as_array().expect("what there was");
    assert!(
        changed.iter().all(|field| field.get("After").is_none()),
        "{act}"
    );
}

#[test]
fn the_last_administrator_cannot_be_deleted_even_by_herself() {
    let world = world();
    let cookie = world.signs_in("anna", &["admin"]);
    let delete = |subject: &str| {
        let who = json!({ "Issuer": world.provider.issuer, "Subject": subject });
        world.ask(
            Method::POST,
            &format!("{API}/Users/Delete"),
            &cookie,
            Some(&who),
        )
    };
    delete("anna").refused(409, "LastAdministrator");
    world.session(&cookie).ok();
    world.signs_in("berta", &["admin"]);
    assert_eq!(delete("berta").status, 204);
    delete("anna").refused(409, "LastAdministrator");
    world.signs_in("berta", &["admin"]);
    assert_eq!(delete("anna").status, 204);
    world.session(&cookie).refused(401, "Unauthenticated");
}

#[test]
fn a_person_has_the_time_of_the_last_sign_in_and_can_be_sent_back_with_it() {
    let world = world();
    world
        .admin
        .put("Users", &world.user("anna", &["auditor"]))
        .ok();
    let listed = world.listed("anna").expect("she is registered");
    assert_eq!(listed.get("LastSignInAt"), None, "she never signed in");
    world.begin("anna");
    let mut listed = world.listed("anna").expect("she is registered");
    let first = listed["LastSignInAt"].as_str().expect("a time").to_owned();
    listed["Name"] = json!("Anna Berger");
    world.admin.put("Users", &listed).ok();
    let renamed = world.listed("anna").expect("she is registered");
    assert_eq!(
        renamed["LastSignInAt"],
        json!(first),
        "a change is no sign-in"
    );
    world.begin("anna");
    let again = world.listed("anna").expect("she is registered");
    assert!(again["LastSignInAt"].as_str() > Some(&first), "{again}");
}

#[test]
fn two_thousand_people_are_read_page_by_page_and_one_of_them_is_found() {
    let server = Setup::demo().start();
    let admin = server.as_admin().on(&incident("1"));
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let admin = &admin;
            scope.spawn(move || {
                for number in (thread..2_000).step_by(16) {
                    // Two people of each name.
                    let name = format!("Person {} 100%_", 5_000 + number / 2);
                    let user = json!({ "Issuer": "https://id.example", "Name": name,
                        "Subject": format!("s-{number:04}"), "Roles": ["reader"] });
                    admin.put("Users", &user).ok();
                }
            });
        }
    });
    let mut subjects = Vec::new();
    let mut after = String::new();
    loop {
        let page = admin.get(&format!("Users?Limit=500{after}")).ok();
        let users = page["Users"].as_array().expect("users");
        let found = users
            .iter()
            .filter(|user| user["Issuer"] == "https://id.example");
        subjects.extend(found.map(|user| user["Subject"].as_str().expect("a text").to_owned()));
        let Some(next) = page["Next"].as_str() else {
            break;
        };
        after = format!("&After={next}");
    }
    let expected: Vec<String> = (0..2_000).map(|number| format!("s-{number:04}")).collect();
    assert_eq!(subjects, expected);
    for (search, count) in [
        ("person 5999", 2),
        ("100%25_", 100),
        ("%25%25", 0),
        ("s-1998", 1),
    ] {
        let page = admin.get(&format!("Users?Search={search}")).ok();
        let users = page["Users"].as_array().expect("users");
        assert_eq!(users.len(), count, "{search}");
    }
    if on_postgres() {
        return;
    }
    // The last of them, while somebody reads on from him.
    let who = json!({ "Issuer": "https://id.example", "Subject": "s-1000" });
    let page = admin.get("Users?Search=s-1&Limit=1").ok();
    let next = page["Next"].as_str().expect("another page").to_owned();
    admin.send("Users/Delete", &who).ok();
    let page = admin
        .get(&format!("Users?Search=s-1&Limit=1&After={next}"))
        .ok();
    assert_eq!(page["Users"][0]["Subject"], "s-1001");
}
