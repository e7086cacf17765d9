//! Presence: who else is on a list, as those who look at it at the same time are told.
//!
//! How nodes agree on it is in `postgres/nodes`, what the control shows of it in `browser/presence`.

use std::cell::Cell;
use std::io::{Read, Write};
use std::net::TcpStream;

use checklist_tests::follow::{Said, Stream, asking_for};
use checklist_tests::{API, HostKey, Person, Place, Server, Setup, incident};
use serde_json::{Value, json};

fn host_server() -> Server {
    Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]).start()
}

fn place() -> Place {
    incident("1").for_purpose("x")
}

/// Waits until the stream tells that exactly these are there, too.
#[track_caller]
fn meets(stream: &Stream, names: &[&str]) -> Value {
    let there = |told: &Value| -> Vec<String> {
        let people = told["People"].as_array().into_iter().flatten();
        people
            .filter_map(|person| person["Name"].as_str().map(str::to_owned))
            .collect()
    };
    stream.until("presence", |told| there(told) == names)
}

/// Somebody with a page open, who goes when this is dropped.
struct Page {
    _connection: TcpStream,
}

impl Page {
    #[track_caller]
    fn of(server: &Server, person: &Person, events: &str) -> Self {
        let mut connection = TcpStream::connect(&server.address).expect("the server is there");
        let body = asking_for(std::slice::from_ref(&person.place), None).to_string();
        let head = format!(
            "POST {API}/{events} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            server.address,
            person.token,
            body.len()
        );
        connection
            .write_all([head, body].concat().as_bytes())
            .expect("the server reads");
        let mut first = [0; 12];
        connection.read_exact(&mut first).expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 200");
        Self {
            _connection: connection,
        }
    }
}

#[test]
fn those_on_a_list_are_told_of_each_other_and_of_whoever_leaves() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&place());
    let ben = server.as_checker("Ben Checker").on(&place());
    let stream = anna.attend();
    let alone = stream.until("presence", |_| true);
    assert_eq!(
        alone,
        json!({ "Context": anna.place.context(), "People": [], "Others": 0 })
    );
    let page = Page::of(&server, &ben, "Events?Presence=true");
    let told = meets(&stream, &["Ben Checker"]);
    assert_eq!(told["People"][0]["Id"], "ben.checker");
    meets(&ben.attend(), &["Anna"]);
    let carla = Page::of(
        &server,
        &server.as_reader("Carla").on(&place()),
        "Events?Presence=true",
    );
    meets(&stream, &["Ben Checker", "Carla"]);
    drop(carla);
    meets(&stream, &["Ben Checker"]);
    drop(page);
    // Ben has a second stream still, and is there for as long as that.
    server.as_reader("Dora").on(&place()).attend().next("list");
    meets(&stream, &["Ben Checker", "Dora"]);
}

#[test]
fn a_person_with_two_pages_counts_once_and_goes_with_the_last_of_them() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&place());
    let ben = server.as_checker("Ben").on(&place());
    let stream = anna.attend();
    let pages = [(); 2].map(|()| Page::of(&server, &ben, "Events?Presence=true"));
    meets(&stream, &["Ben"]);
    let [one, other] = pages;
    drop(one);
    let carla = server.as_reader("Carla").on(&place());
    let page = Page::of(&server, &carla, "Events?Presence=true");
    meets(&stream, &["Ben", "Carla"]);
    drop(other);
    meets(&stream, &["Carla"]);
    drop(page);
    meets(&stream, &[]);
}

#[test]
fn whoever_does_not_ask_is_neither_seen_nor_told() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&place());
    let stream = anna.attend();
    stream.until("presence", |_| true);
    let quiet = server.as_checker("Ben").on(&place()).follow();
    let carla = server.as_reader("Carla").on(&place()).attend();
    meets(&stream, &["Carla"]);
    meets(&carla, &["Anna"]);
    anna.add("A");
    quiet.next("list");
    assert_eq!(
        quiet.event().map(|(name, _)| name).as_deref(),
        Some("items")
    );
}

#[test]
fn a_program_is_not_among_the_people() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&place());
    let wish = json!({ "Name": "Portal", "Roles": ["editor"] });
    let key = server.as_admin().on(&place()).send("ApiKeys", &wish).ok();
    let program = anna.with_token(key["Secret"].as_str().expect("a key"));
    let stream = anna.attend();
    stream.until("presence", |_| true);
    let mechanical = program.attend();
    mechanical.next("list");
    let carla = server.as_reader("Carla").on(&place()).attend();
    meets(&stream, &["Carla"]);
    meets(&carla, &["Anna"]);
    anna.add("A");
    assert_eq!(
        mechanical.event().map(|(name, _)| name).as_deref(),
        Some("items")
    );
}

#[test]
fn nobody_is_told_of_lists_that_are_not_theirs_and_of_other_tenants() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&place());
    let stream = anna.attend();
    stream.until("presence", |_| true);
    let outsider = server.as_editor("Olga").only_for(&[incident("2")]);
    let outside = outsider.on(&place()).attend();
    outside.next("problem");
    let elsewhere = server.as_editor("Emil").on(&incident("2")).attend();
    meets(&elsewhere, &[]);
    let south = HostKey::of("south");
    let claims = south.claims(&server.audience(), "sam", &["Read"]);
    let foreign = anna.with_token(&south.sign(&claims)).attend();
    meets(&foreign, &[]);
    let carla = server.as_reader("Carla").on(&place()).attend();
    meets(&stream, &["Carla"]);
    meets(&carla, &["Anna"]);
    for stream in [outside, foreign] {
        let heard = stream.heard_so_far();
        let told = |said: &Said| matches!(said, Said::Event(name, _) if name == "presence");
        assert!(!heard.iter().any(told), "{heard:?}");
    }
}

#[test]
fn a_crowd_is_named_in_part_and_counted_and_comes_as_few_pieces_of_news() {
    let server = host_server();
    let stream = server.as_editor("Anna").on(&place()).attend();
    let pages: Vec<Page> = (0..30)
        .map(|n| {
            let person = server.as_reader(&format!("Reader {n}")).on(&place());
            Page::of(&server, &person, "Events?Presence=true")
        })
        .collect();
    let pieces = Cell::new(0);
    let told = stream.until("presence", |told| {
        pieces.set(pieces.get() + 1);
        told["Others"] == 10
    });
    assert_eq!(told["People"].as_array().map(Vec::len), Some(20));
    assert!(pieces.get() <= 15, "{pieces:?} for thirty people");
    drop(pages);
    meets(&stream, &[]);
}
