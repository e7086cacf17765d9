//! Fewer rights: whoever's roles were taken away can no longer do what they could, by the token or
//! the session that they have, and hears nothing more by the stream that was opened with it.
//!
//! The people sign in at a real identity provider. On PostgreSQL a second node is asked as well.

use std::time::{Duration, Instant};

use checklist_tests::identity_provider::{IdentityProvider, USUAL, Visitor};
use checklist_tests::{HostKey, Person, Server, Setup, data::on_postgres, incident, until};
use serde_json::json;

/// S10: from then on, at the latest, a stream is silent and another node knows.
const LATEST: Duration = Duration::from_secs(5);

struct World {
    provider: IdentityProvider,
    /// One, or two of the same data.
    nodes: Vec<Server>,
}

fn world() -> World {
    let provider = IdentityProvider::start();
    let hosts = Setup::for_hosts(&[HostKey::of("north")]);
    let one = provider.trusted_by(hosts).start();
    let other = on_postgres().then(|| one.another_node());
    World {
        provider,
        nodes: [one].into_iter().chain(other).collect(),
    }
}

impl World {
    fn admin(&self) -> Person {
        self.nodes[0].as_admin().on(&incident("1").for_purpose("x"))
    }

    fn register(&self, subject: &str, roles: &[&str]) {
        let user = json!({ "Issuer": self.provider.issuer, "Subject": subject, "Name": subject, "Roles": roles });
        self.admin().put("Users", &user).ok();
    }

    /// Somebody with whatever `sign_in` shows, at each node.
    fn at_each_node(&self, sign_in: impl Fn(&Person) -> Person) -> Vec<Person> {
        let place = incident("1").for_purpose("x");
        let people = self.nodes.iter().map(|node| node.as_reader("x").on(&place));
        people.map(|person| sign_in(&person)).collect()
    }

    fn robot(&self) -> Vec<Person> {
        let token = self.provider.token_of("robot", USUAL);
        self.at_each_node(|person| person.with_token(&token))
    }

    fn anna(&self) -> Vec<Person> {
        let mut browser = Visitor::default();
        browser.sign_in(&self.nodes[0], "anna", "/admin/");
        let cookie = browser.cookie(&self.nodes[0], "checklist-session");
        self.at_each_node(|person| person.with_cookie(&cookie))
    }
}

fn add(person: &Person, text: &str) -> checklist_tests::Answer {
    person.call("AddItems", json!({ "Items": [{ "Text": text }] }))
}

/// Makes an editor of a person with an open stream a reader.
fn only_reads_from_now_on(world: &World, subject: &str, people: &[Person]) {
    let streams: Vec<_> = people.iter().map(Person::follow).collect();
    for (person, stream) in people.iter().zip(&streams) {
        stream.next("list");
        add(person, "heard").ok();
        stream.until("items", |data| data.to_string().contains("heard"));
    }

    world.register(subject, &["reader"]);
    let since = Instant::now();
    add(&people[0], "A").refused(403, "PermissionDenied");
    for person in people {
        until("every node to know", || {
            (add(person, "A").status == 403).then_some(())
        });
    }
    assert!(since.elapsed() < LATEST, "{:?}", since.elapsed());

    std::thread::sleep(LATEST.saturating_sub(since.elapsed()));
    add(&world.admin(), "too late").ok();
    for stream in streams {
        stream.until_end(|_, data| assert!(!data.to_string().contains("too late"), "{data}"));
    }
    for person in people {
        assert_eq!(person.list().0["Permissions"], json!(["Read"]));
        person.follow().next("list");
    }
}

/// Takes the last role of a person with an open stream away.
fn does_nothing_from_now_on(world: &World, subject: &str, people: &[Person]) {
    let streams: Vec<_> = people.iter().map(Person::follow).collect();
    for stream in &streams {
        stream.next("list");
    }
    world.register(subject, &[]);
    for (person, stream) in people.iter().zip(streams) {
        until("every node to know", || {
            (person.call("GetItems", json!({})).status == 403).then_some(())
        });
        stream.up_to_end();
        let again = json!({ "Contexts": [person.place.context()] });
        person
            .try_to_follow(&again)
            .refused(403, "PermissionDenied");
    }
}

#[test]
fn a_token_is_worth_what_is_left_of_the_roles_of_its_person() {
    let world = world();
    world.register("robot", &["editor"]);
    let robot = world.robot();
    only_reads_from_now_on(&world, "robot", &robot);
    does_nothing_from_now_on(&world, "robot", &robot);
}

#[test]
fn a_session_is_worth_what_is_left_of_the_roles_of_its_person() {
    let world = world();
    world.register("anna", &["editor"]);
    let anna = world.anna();
    only_reads_from_now_on(&world, "anna", &anna);
    does_nothing_from_now_on(&world, "anna", &anna);
}
