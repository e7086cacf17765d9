//! What strangers can do to a server that lets them in nowhere: fill its memory, its log or its
//! head with what it does not understand.
//! Memory is read from the server's own process, and what is logged from its standard error.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_tests::host::now;
use checklist_tests::{Answer, HostKey, Server, Setup};
use serde_json::{Value, json};

fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")])
        .argument("--failed-sign-ins=0")
        .start()
}

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

fn read(server: &Server, token: &str) -> Answer {
    server.get_items_with(token, None)
}

#[test]
fn unsigned_tokens_leave_nothing_behind() {
    let server = server();
    let header = part(&json!({ "alg": "EdDSA", "kid": "north-key" }));
    let send_many = |length: usize, count: usize| {
        for n in 0..count {
            let tenant = format!("{n:08}{}", "t".repeat(length - 8));
            let claims = json!({ "iss": "https://x.example", "tenant": tenant });
            let token = format!("{header}.{}.AAAA", part(&claims));
            read(&server, &token).refused(401, "Unauthenticated");
        }
    };
    // Whatever the first requests need is there before the memory is looked at.
    send_many(45_000, 50);
    let before = server.memory();
    send_many(45_000, 800);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 16 * 1024 * 1024, "{grown} bytes are kept");
}

#[test]
fn a_token_whose_header_asks_for_an_extension_is_refused() {
    let server = server();
    let host = HostKey::of("north");
    let claims = host.claims(&server.base_url(), "anna", &["Read"]);
    read(&server, &host.sign(&claims)).ok();
    for crit in [json!(["unheard"]), json!(["exp"]), json!([])] {
        let header = json!({ "alg": "EdDSA", "kid": host.kid, "crit": crit, "unheard": true });
        let token = host.sign_with_header(&header, &claims);
        read(&server, &token).refused(401, "Unauthenticated");
    }
}

fn raw(server: &Server, request: &str) -> String {
    let mut connection = TcpStream::connect(&server.address).expect("the server listens");
    connection
        .write_all(request.as_bytes())
        .expect("the request goes out");
    let mut answer = String::new();
    connection
        .read_to_string(&mut answer)
        .expect("the answer comes to its end");
    answer
}

#[test]
fn a_request_that_names_two_hosts_is_refused() {
    let server = server();
    let ask = |hosts: &str| {
        let request = format!("GET /healthz HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        raw(&server, &request)
    };
    let own = format!("Host: {}\r\n", server.address);
    assert!(ask(&own).starts_with("HTTP/1.1 200"));
    for two in [
        format!("{own}{own}"),
        format!("{own}Host: evil.example\r\n"),
    ] {
        let answer = ask(&two);
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
}

#[test]
fn a_failed_sign_in_is_logged_with_its_address_and_nothing_of_its_token() {
    let server = server();
    let host = HostKey::of("north");
    let mut claims = host.claims(&server.base_url(), "anna", &["Read"]);
    claims["exp"] = json!(now() + 300);
    let forged = HostKey::of("stranger").called(&host.kid).sign(&claims);
    for _ in 0..5 {
        read(&server, &forged).refused(401, "Unauthenticated");
    }
    let lines = |errors: &str| {
        let failed = |line: &&str| line.contains("a sign-in has failed");
        errors.lines().filter(failed).count()
    };
    checklist_tests::until("the line in the log", || {
        (lines(&server.errors()) > 0).then_some(())
    });
    let errors = server.errors();
    let line = errors
        .lines()
        .find(|line| line.contains("a sign-in has failed"))
        .unwrap_or_default();
    assert!(line.contains("127.0.0.1"), "{line}");
    assert!(!errors.contains(&forged), "the token stands in the log");
}
