//! Connections that do nothing: they end after a while, and when there are too many of them they
//! make room for somebody who asks. Streams stay.
//! The server is given few open files, so that the limit is reached with what a test can open.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use checklist_tests::{HostKey, Server, Setup, incident, until};
use serde_json::json;

/// Fewer than the idle callers of these tests.
const OPEN_FILES: u32 = 256;

fn connect(server: &Server) -> TcpStream {
    let connection = TcpStream::connect(&server.address).expect("the server listens");
    let short = Some(Duration::from_millis(50));
    connection.set_read_timeout(short).expect("a socket");
    connection
}

/// Whether the server has ended the connection.
fn has_ended(connection: &mut TcpStream) -> bool {
    match connection.read(&mut [0; 256]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

#[test]
fn more_idle_sockets_than_the_system_allows_shut_nobody_out() {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .with_open_files(OPEN_FILES)
        .start();
    let place = incident("1");
    let anna = server.editor_on(&place);
    let stream = anna.follow();
    stream.next("list");
    // Some have said nothing, some half a request.
    let idle: Vec<TcpStream> = (0..OPEN_FILES * 2)
        .map(|n| {
            let mut connection = connect(&server);
            if n % 2 == 0 {
                let half = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n", server.address);
                // It may have made room already.
                let _ = connection.write_all(half.as_bytes());
            }
            connection
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(server.http().get("/healthz").status, 200);
    }
    anna.add("A");
    stream.next("items");
    let refused = server
        .errors()
        .lines()
        .filter(|line| line.contains("not accepted") || line.contains("no connection is left"))
        .count();
    assert!(refused < 30, "{refused} lines");
    drop(idle);
}

#[test]
fn slow_heads_and_idle_connections_end_and_streams_do_not() {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--header-timeout=1")
        .argument("--idle-timeout=1")
        .start();
    let place = incident("1");
    let anna = server.editor_on(&place);
    let stream = anna.follow();
    stream.next("list");

    let mut silent = connect(&server);
    let mut slow = connect(&server);
    let mut rest = "GET /healthz HTTP/1.1\r\n"
        .bytes()
        .chain(std::iter::repeat(b'x'));
    let mut kept = connect(&server);
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    kept.write_all(request.as_bytes()).expect("it goes out");
    let mut ended = [false; 3];
    until("all that do nothing to end", || {
        let byte = [rest.next().unwrap_or(b'x')];
        let fails = !ended[1] && slow.write_all(&byte).is_err();
        ended[0] = ended[0] || has_ended(&mut silent);
        ended[1] = ended[1] || fails || has_ended(&mut slow);
        ended[2] = ended[2] || has_ended(&mut kept);
        (ended == [true; 3]).then_some(())
    });
    anna.call("AddItems", json!({ "Items": [{ "Text": "A" }] }))
        .ok();
    stream.next("items");
}
