//! Promise S8, the part of bodies: what is packed to burst, nested to overflow, or never comes.
//!
//! Each is refused with its status, and the server's memory stays what it was.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use checklist_tests::client::send;
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise};
use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::Method;
use serde_json::json;

/// The most that the server's memory may grow by, as promised.
const MOST: u64 = 64 << 20;

fn server() -> (Server, Person) {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    (server, anna)
}

/// The memory that is held after something, beyond that before it.
fn growth(server: &Server, work: impl FnOnce()) -> u64 {
    let before = server.memory();
    work();
    server.memory().saturating_sub(before)
}

#[test]
fn a_packed_body_is_refused_before_anything_of_it_is_unpacked() {
    let (server, anna) = server();
    // 150 MiB of spaces in less than a megabyte.
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..150 {
        packed.write_all(&spaces).unwrap();
    }
    let bomb = packed.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    let grown = growth(&server, || {
        for _ in 0..promise::times(5, 200) {
            let request = anna
                .request(Method::POST, "AddItems")
                .header("content-type", "application/json")
                .header("content-encoding", "gzip")
                .body(bomb.clone());
            let status = send(request).status;
            assert!([400, 413, 415].contains(&status), "{status}");
        }
    });
    assert!(grown <= MOST, "{grown}");
    promise::held(
        "S8",
        format!("packed bodies: refused, memory +{} MiB", grown >> 20),
    );
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn deep_nesting_is_refused_and_breaks_nothing() {
    let (server, anna) = server();
    let depth = 10_000;
    let arrays = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let grown = growth(&server, || {
        for nested in [&arrays, &objects] {
            let context = json!({ "ObjectType": "incident", "ObjectId": "1", "Purpose": "x" });
            for body in [
                nested.clone(),
                format!("{{\"Context\":{context},\"Items\":{nested}}}"),
                format!("{{\"Context\":{nested},\"Items\":[]}}"),
            ] {
                let request = anna
                    .request(Method::POST, "AddItems")
                    .header("content-type", "application/json")
                    .body(body);
                let status = send(request).status;
                assert_eq!(status, 400);
            }
        }
    });
    assert!(grown <= MOST, "{grown}");
    promise::held(
        "S8",
        format!("JSON {depth} deep: refused, memory +{} MiB", grown >> 20),
    );
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn callers_who_never_finish_a_sentence_do_not_keep_others_out() {
    let (server, anna) = server();
    let callers = promise::times(100, 1_000);
    let mut waiting = Vec::new();
    let grown = growth(&server, || {
        for caller in 0..callers {
            let mut line = TcpStream::connect(&server.address).expect("a connection");
            let head = match caller % 2 {
                0 => {
                    "POST /api/Vendor/ChecklistControl/AddItems HTTP/1.1\r\nHost: x\r\n".to_owned()
                }
                _ => format!(
                    "POST /api/Vendor/ChecklistControl/AddItems HTTP/1.1\r\nHost: {}\r\n\
                     Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{{",
                    server.address
                ),
            };
            line.write_all(head.as_bytes()).expect("sent");
            waiting.push(line);
        }
        assert_eq!(anna.list().texts(), ["Ask"]);
    });
    assert!(grown <= MOST, "{grown}");
    promise::held(
        "S8",
        format!(
            "{callers} callers who never finish: others are answered, memory +{} MiB",
            grown >> 20
        ),
    );
    // Whoever has begun a request without a credential is told so at once.
    let told = &mut waiting[1];
    told.set_read_timeout(Some(Duration::from_secs(40)))
        .unwrap();
    let mut answer = [0; 12];
    told.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 401");
}
