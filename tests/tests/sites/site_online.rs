//! SiteOnline, as farms and emulators still speak its former dialogue: a token for name and
//! password, cookies for the token. With tokens of a provider it is in `with_tokens`.
//! Part of the program `sites`.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::sign_in::PASSWORD;
use site_lists::{AuthenticationType, ErrorKind, SiteConnection, get_site_item};

use crate::work::{self, ByPassword, Program, closed, run};

fn site_server() -> SiteServer {
    closed(Options {
        password: PASSWORD.to_owned(),
        ..Options::default()
    })
}

fn connection(server: &SiteServer, password: &str) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::SiteOnline)
        .with_credentials("alice@demo.test", password)
}

/// A program that is told of the server's own token service.
fn program(server: &SiteServer) -> Program {
    let mut program = Program::new();
    let service = format!("{}/extSTS.srf", server.origin()).parse();
    program.options.legacy_token_service = Some(service.expect("an address"));
    program
}

fn opened(password: &str) -> ByPassword {
    let server = site_server();
    ByPassword {
        site: program(&server).open(&connection(&server, password)),
        server,
        service: "extsts.srf",
    }
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    opened(PASSWORD).signs_alice_in("by the former dialogue");
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    opened("guessed").is_refused();
}

#[test]
fn a_session_that_ends_in_the_middle_is_begun_again() {
    opened(PASSWORD).begins_again_after_its_end();
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    opened(PASSWORD).answers_fifty();
}

#[test]
fn without_a_token_service_it_is_told_that_passwords_are_no_longer_taken_and_nothing_is_sent() {
    let server = site_server();
    let program = Program::new();
    let opened = site_lists::Site::open(
        &connection(&server, PASSWORD),
        program.transport.clone(),
        program.options.clone(),
    );
    let error = opened.expect_err("switched off");
    assert_eq!(error.kind(), ErrorKind::NotSupported);
    assert!(
        error
            .hint()
            .is_some_and(|hint| hint.contains("service connection"))
    );
    assert!(server.requests().is_empty());
}

#[test]
fn a_token_service_that_does_not_answer_is_told_as_such_and_not_as_a_wrong_password() {
    let server = site_server();
    let mut program = program(&server);
    let nobody = checklist_tests::setup::free_address();
    program.options.legacy_token_service = format!("http://{nobody}/extSTS.srf").parse().ok();
    let site = program.open(&connection(&server, PASSWORD));
    let error = run(async { get_site_item(&site, &work::computers(), 1).await });
    let error = error.expect_err("nobody answers");
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
}
