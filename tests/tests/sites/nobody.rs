//! Anonymous: requests go as they are.
//! On a local site server that is open, and on one that is not.
//! Part of the program `sites`.

use checklist_site_server::{Options, SiteServer};
use site_lists::{AuthenticationType, ErrorKind, SiteConnection, get_site_item};

use crate::work::{self, Program, closed, of_lists, run};

fn open_to_all() -> SiteServer {
    SiteServer::start(Options::default()).expect("a site server on this machine")
}

fn connection(server: &SiteServer) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::Anonymous)
}

#[test]
fn the_site_takes_what_nobody_in_particular_writes_as_such() {
    let server = open_to_all();
    let item = run(work::add(
        &Program::new().open(&connection(&server)),
        "by nobody",
    ));
    assert_eq!(work::author(&item), "Anonymous");
    work::all_acted_as("anonymous", &of_lists(&server));
}

#[test]
fn a_password_on_the_connection_is_never_sent() {
    let server = open_to_all();
    let with_password = connection(&server).with_credentials("alice", "not for this");
    let item = run(work::add(&Program::new().open(&with_password), "by nobody"));
    assert_eq!(work::author(&item), "Anonymous");
}

#[test]
fn a_site_that_wants_a_sign_in_is_told_as_such_after_one_request() {
    let server = closed(Options::default());
    let site = Program::new().open(&connection(&server));
    let error = run(async { get_site_item(&site, &work::computers(), 1).await });
    let error = error.expect_err("it is closed");
    assert_eq!(error.kind(), ErrorKind::SignInRefused);
    assert_eq!(error.status(), Some(401));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_digest_that_ends_in_the_middle_is_had_again() {
    let server = open_to_all();
    let site = Program::new().open(&connection(&server));
    run(async {
        work::add(&site, "before").await;
        server.end_digests();
        work::post_a_large_body(&site).await;
    });
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let server = open_to_all();
    run(work::fifty_at_eight_at_once(
        &Program::new().open(&connection(&server)),
    ));
    work::all_acted_as("anonymous", &of_lists(&server));
}
