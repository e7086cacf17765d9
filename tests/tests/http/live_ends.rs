//! Events: how streams end, and what they cost while they last.
//!
//! What they tell is in `live`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use checklist_tests::follow::asking_for;
use checklist_tests::host::now;
use checklist_tests::{API, HostKey, Person, Server, Setup, incident, promise};
use serde_json::{Value, json};

fn host_server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")]).start()
}

/// An editor whose token ends in so many seconds.
fn editor_for(server: &Server, seconds: u64) -> Person {
    server
        .as_editor("Erin")
        .with_claim("exp", json!(now() + seconds))
        .on(&incident("1").for_purpose("x"))
}

#[test]
fn before_the_token_ends_the_stream_says_so_and_then_it_ends() {
    let server = host_server();
    let anna = editor_for(&server, 4);
    let stream = anna.follow();
    stream.next("list");
    let told = stream.next("reauth");
    assert!(told["ExpiresAt"].is_string(), "{told}");
    anna.add("before the end");
    stream.next("items");
    stream.next("list");
    assert_eq!(stream.up_to_end(), Vec::<String>::new());
    let ben = server.editor_on(&anna.place);
    let (events, _) = ben.follow_after("0").up_to_id();
    assert_eq!(events[0].0, "items", "another token goes on");
}

#[test]
fn nothing_is_told_after_the_token_has_ended() {
    let server = host_server();
    let anna = editor_for(&server, 2);
    let stream = anna.follow();
    let ben = server.editor_on(&anna.place);
    ben.add("A");
    stream.until("reauth", |_| true);
    let end = now() + 3;
    while now() <= end {
        ben.change("A", json!({ "Note": format!("at {}", now()) }));
    }
    ben.change("A", json!({ "Note": "too late" }));
    stream.until_end(|name, data| {
        let late = name == "items" && data.to_string().contains("too late");
        assert!(!late, "{data}");
    });
    promise::held("S10", "token ended: 0 events after that");
}

#[test]
fn a_server_that_stops_ends_a_hundred_streams_at_once() {
    let mut server = host_server();
    let place = incident("1").for_purpose("x");
    let streams: Vec<_> = (0..100)
        .map(|n| {
            let stream = server.as_editor(&format!("Erin {n}")).on(&place).follow();
            stream.id();
            stream
        })
        .collect();
    server.stop();
    for stream in streams {
        assert_eq!(stream.up_to_end(), Vec::<String>::new());
    }
}

#[test]
fn after_a_restart_a_stream_goes_on_where_it_was() {
    let mut server = host_server();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    anna.add("A");
    let stream = anna.follow();
    let (_, id) = stream.up_to_id();
    server.crash_and_restart();
    let anna = server.editor_on(&place);
    anna.tick("A");
    let stream = anna.follow_after(&id);
    assert_eq!(stream.next("items")["Items"][0]["Status"], "Done");
    anna.add("B");
    stream.next("locked");
    stream.next("waived");
    stream.next("list");
    assert_eq!(stream.next("items")["Items"][0]["Text"], "B");
}

#[test]
fn a_caller_has_so_many_streams_and_no_more() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let body = asking_for(std::slice::from_ref(&anna.place), None);
    let mut streams: Vec<_> = (0..64).map(|_| anna.follow()).collect();
    let refused = anna.try_to_follow(&body);
    refused.refused(429, "TooManyRequests");
    assert!(!refused.header("retry-after").is_empty());
    server
        .as_editor("Ben")
        .on(&anna.place)
        .follow()
        .next("list");
    drop(streams.pop());
    // The server notices that a reader is gone when it next writes to it.
    drop(streams);
    anna.add("A");
    checklist_tests::until("a place to follow from", || {
        anna.add("B");
        (anna.try_status(&body) == 200).then_some(())
    });
}

#[test]
fn a_program_that_asks_too_often_keeps_its_stream() {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--rate-limit=5")
        .start();
    let place = incident("1").for_purpose("x");
    let board = server.as_admin().on(&place).program("Board", &["reader"]);
    let stream = board.follow();
    stream.next("list");
    let ask = || board.send("GetItems", &json!({ "Context": place.context() }));
    // For longer than the server trusts what it knows of a credential.
    let end = now() + 4;
    let mut refused = 0;
    while now() < end {
        refused += u32::from(ask().status == 429);
    }
    assert!(refused > 0, "it never asked too often");
    server.editor_on(&place).add("afterwards");
    stream.until("items", |data| data.to_string().contains("afterwards"));
}

#[test]
fn streams_that_end_with_a_revoked_token_are_no_failed_sign_ins() {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--failed-sign-ins=1")
        .start();
    let place = incident("1").for_purpose("x");
    let anna = server
        .as_editor("Anna")
        .with_claim("jti", json!("lost"))
        .on(&place);
    let streams = [anna.follow(), anna.follow()];
    for stream in &streams {
        stream.next("list");
    }
    let admin = server.as_admin().on(&place);
    admin.send("Revocations", &json!({ "Jti": "lost" })).ok();
    for stream in streams {
        stream.until_end(|_, _| {});
    }
    // The first failed sign-in of that address is refused as what it is.
    anna.send("GetItems", &json!({ "Context": place.context() }))
        .refused(401, "Unauthenticated");
}

#[test]
fn a_slow_reader_gets_the_newest_state_and_costs_no_memory() {
    // Slow, and not gone: that is told apart by time, of which this test takes what it needs.
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--write-timeout=600")
        .start();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    let ids = anna.add_many(200);

    let mut slow = TcpStream::connect(&server.address).unwrap();
    let body = asking_for(std::slice::from_ref(&place), None).to_string();
    let head = format!(
        "POST {API}/Events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.address,
        anna.token,
        body.len()
    );
    slow.write_all(head.as_bytes()).unwrap();
    slow.write_all(body.as_bytes()).unwrap();
    let mut first = [0; 1024];
    assert!(slow.read(&mut first).unwrap() > 0);

    // Each change touches every item: a quarter of a megabyte to be told.
    let change = |round: usize| {
        let note = format!("round {round}: {}", "x".repeat(800));
        let items: Vec<Value> = ids
            .iter()
            .map(|id| json!({ "Id": id, "Note": note }))
            .collect();
        anna.update(json!(items))
    };
    for round in 0..40 {
        change(round);
    }
    let before = server.memory();
    for round in 40..160 {
        change(round);
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 24 * 1024 * 1024, "grown by {grown} bytes");

    let last = anna.list().revision();
    slow.set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut text = String::new();
    let mut bytes = vec![0; 256 * 1024];
    let told_last = format!("\"Revision\":{last}");
    while !text.contains(&told_last) {
        let count = slow.read(&mut bytes).unwrap();
        assert!(count > 0, "the stream ended before the newest state");
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let told = text.matches("event: list").count();
    assert!(told < 120, "{told} changes were told one by one");
}
