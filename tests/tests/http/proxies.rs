//! Proxies before the server: whose failed sign-ins are counted together, and who is believed.
//!
//! The tests' own address, 127.0.0.1, is the proxy's. How headers are read is tested where they are.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::process::Process;
use checklist_tests::setup::program;
use checklist_tests::{API, HostKey, Server, Setup, incident};
use reqwest::Method;
use serde_json::json;

/// Takes two failed sign-ins a minute from each address.
fn strict(arguments: &[&str]) -> Server {
    let setup = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--failed-sign-ins")
        .argument("2");
    arguments
        .iter()
        .fold(setup, |setup, argument| setup.argument(argument))
        .start()
}

/// The status of a failed sign-in, with what a proxy says of it.
fn fail(server: &Server, header: &str, value: &str) -> u16 {
    let request = server
        .http()
        .request(Method::POST, &format!("{API}/GetItems"))
        .bearer_auth("nonsense")
        .header(header, value);
    send(with_json(
        request,
        &json!({ "Context": incident("1").context() }),
    ))
    .status
}

#[test]
fn behind_a_trusted_proxy_each_caller_is_counted_alone() {
    let server = strict(&["--trusted-proxy", "127.0.0.0/8"]);
    let fail = |said| fail(&server, "x-forwarded-for", said);
    assert_eq!([(); 3].map(|()| fail("203.0.113.1")), [401, 401, 429]);
    assert_eq!(fail("203.0.113.2"), 401, "another caller");
    assert_eq!(
        fail("198.51.100.7, 203.0.113.1"),
        429,
        "what a caller says of itself stands to the left"
    );
    let anna = server.as_reader("Anna").on(&incident("1"));
    anna.call("GetItems", json!({})).ok();
}

#[test]
fn the_standard_header_counts_where_the_proxy_writes_that_one() {
    let server = strict(&[
        "--trusted-proxy",
        "127.0.0.1",
        "--forwarded-header",
        "forwarded",
    ]);
    let by_standard = |said| fail(&server, "forwarded", said);
    assert_eq!(
        [(); 3].map(|()| by_standard("for=203.0.113.1;proto=https")),
        [401, 401, 429]
    );
    assert_eq!(by_standard("for=\"[2001:db8::1]:4711\""), 401);
    // The other header is a caller's own.
    let made_up = |n: u8| fail(&server, "x-forwarded-for", &format!("203.0.113.{n}"));
    assert_eq!([10, 11, 12].map(made_up), [401, 401, 429]);
}

#[test]
fn nobody_else_is_believed() {
    for arguments in [&[][..], &["--trusted-proxy", "10.0.0.0/8"]] {
        let server = strict(arguments);
        let made_up = |n: u8| fail(&server, "x-forwarded-for", &format!("203.0.113.{n}"));
        assert_eq!([1, 2, 3].map(made_up), [401, 401, 429], "{arguments:?}");
    }
}

#[test]
fn what_does_not_say_who_is_trusted_is_refused() {
    for (arguments, says) in [
        (&["--trusted-proxy", "0.0.0.0/0"][..], "everybody"),
        (&["--trusted-proxy", "10.1.2.3/8"], "10.0.0.0/8"),
        (&["--trusted-proxy", "proxy.example"], "10.0.0.0/8"),
        (
            &["--demo", "--forwarded-header", "forwarded"],
            "--trusted-proxy",
        ),
    ] {
        let ended = Process::start(program().arg("serve").args(arguments)).ended();
        assert_eq!(ended.status.code(), Some(2), "{}", ended.said);
        assert!(ended.said.contains(says), "{arguments:?}: {}", ended.said);
    }
}
