//! Streams whose readers do not read, and more streams than there may be.
//!
//! Both are made cheap by options: two streams, and a second of patience.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use checklist_tests::follow::asking_for;
use checklist_tests::{API, HostKey, Person, Server, Setup, incident, until};
use serde_json::json;

fn for_two() -> Server {
    Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-streams=2")
        .argument("--write-timeout=1")
        .start()
}

/// Opens a stream, reads its first words and then nothing more.
fn stops_reading(server: &Server, person: &Person) -> TcpStream {
    let body = asking_for(std::slice::from_ref(&person.place), None).to_string();
    let mut connection = TcpStream::connect(&server.address).expect("the server listens");
    let request = format!(
        "POST {API}/Events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        person.token,
        body.len()
    );
    connection
        .write_all(request.as_bytes())
        .expect("the request goes out");
    let mut first = [0; 64];
    let count = connection.read(&mut first).expect("an answer");
    assert!(first[..count].starts_with(b"HTTP/1.1 200"));
    connection
}

#[test]
fn a_reader_who_stops_reading_is_dropped_while_others_go_on() {
    let server = for_two();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    let ids = anna.add_many(200);
    let mut slow = stops_reading(&server, &anna);
    let others = anna.follow();
    others.next("list");
    let body = asking_for(std::slice::from_ref(&place), None);
    anna.try_to_follow(&body).refused(503, "Busy");

    // A quarter of a megabyte to be told, again and again, until the system keeps no more of it.
    let mut round = 0;
    until("the place of the reader who does not read", || {
        round += 1;
        let note = format!("round {round}: {}", "x".repeat(800));
        let change = |id| json!({ "Id": id, "Note": note });
        anna.update(json!(ids.iter().map(change).collect::<Vec<_>>()));
        (anna.try_status(&body) == 200).then_some(())
    });
    let told = others.until("items", |data| {
        data.to_string().contains(&format!("round {round}:"))
    });
    assert!(told["Items"].is_array(), "{told}");

    // What lay in the reader's own system is still there, and then comes the end.
    let mut bytes = vec![0; 1024 * 1024];
    loop {
        match slow.read(&mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::ConnectionReset);
                break;
            }
        }
    }
}

#[test]
fn whoever_comes_when_there_is_no_place_is_told_to_come_back() {
    let server = for_two();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    let ben = server.as_reader("Ben").on(&place);
    let streams = [anna.follow(), ben.follow()];
    for stream in &streams {
        stream.next("list");
    }
    let body = asking_for(std::slice::from_ref(&place), None);
    let refused = server.as_reader("Carl").on(&place).try_to_follow(&body);
    refused.refused(503, "Busy");
    let wait: u32 = refused.header("retry-after").parse().expect("seconds");
    assert!(wait > 0);
    // Everything else goes on.
    anna.add("A");
    for stream in &streams {
        stream.next("items");
    }
    drop(streams);
    until("a place", || {
        anna.add("B");
        (anna.try_status(&body) == 200).then_some(())
    });
}
