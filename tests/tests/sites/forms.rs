//! Forms: the site's own sign-in service takes name and password, and answers with a cookie.
//! The dialogue is served by the local site server.
//! Part of the program `sites`.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::sign_in::PASSWORD;
use site_lists::{AuthenticationType, SiteConnection};

use crate::work::{self, Program, closed, of_lists, requests_to, run};

/// The address of the sign-in service.
const SERVICE: &str = "authentication.asmx";

fn site_server() -> SiteServer {
    closed(Options {
        password: PASSWORD.to_owned(),
        ..Options::default()
    })
}

fn connection(server: &SiteServer, password: &str) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::Forms)
        .with_credentials("alice", password)
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    let server = site_server();
    let site = Program::new().open(&connection(&server, PASSWORD));
    let item = run(work::add(&site, "by form"));
    assert_eq!(work::author(&item), "Alice Archer");
    work::all_acted_as("alice", &of_lists(&server));
    assert_eq!(requests_to(&server, SERVICE), 1);
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    let server = site_server();
    let site = Program::new().open(&connection(&server, "guessed"));
    run(work::refused_nine_times(&site));
    assert_eq!(requests_to(&server, SERVICE), 1);
    assert!(of_lists(&server).is_empty());
}

#[test]
fn a_session_that_ends_in_the_middle_is_begun_again() {
    let server = site_server();
    let site = Program::new().open(&connection(&server, PASSWORD));
    let item = run(async {
        work::add(&site, "before").await;
        server.end_sessions();
        work::post_a_large_body(&site).await
    });
    assert_eq!(work::author(&item), "Alice Archer");
    assert_eq!(requests_to(&server, SERVICE), 2);
}

#[test]
fn a_session_is_renewed_before_the_site_says_that_it_ends() {
    let server = closed(Options {
        password: PASSWORD.to_owned(),
        session_seconds: 2,
        ..Options::default()
    });
    let site = Program::new().open(&connection(&server, PASSWORD));
    run(async {
        work::add(&site, "in the first session").await;
        tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
        work::add(&site, "in the second").await;
    });
    work::all_acted_as("alice", &of_lists(&server));
    assert!(requests_to(&server, SERVICE) > 1);
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let server = site_server();
    let site = Program::new().open(&connection(&server, PASSWORD));
    run(work::fifty_at_eight_at_once(&site));
    work::all_acted_as("alice", &of_lists(&server));
    assert_eq!(requests_to(&server, SERVICE), 1);
}

#[test]
fn fifty_requests_whose_session_ends_sign_in_once_more_and_not_fifty_times() {
    let server = site_server();
    let site = Program::new().open(&connection(&server, PASSWORD));
    run(async {
        work::add(&site, "before").await;
        server.end_sessions();
        work::fifty_at_eight_at_once(&site).await;
    });
    assert_eq!(requests_to(&server, SERVICE), 2);
}
