//! Forms: the site's own sign-in service takes name and password, and answers with a cookie.
//! The dialogue is served by the local site server.
//! Part of the program `sites`.

use checklist_site_server::Options;
use checklist_tests::sign_in::PASSWORD;
use site_lists::{AuthenticationType, SiteConnection};

use crate::work::{self, ByPassword, Program, closed, of_lists, run};

/// So many seconds last longer than any test.
const LONG: i64 = 1_800;

/// Opened at a site whose sessions last so long.
fn opened_for(session_seconds: i64, password: &str) -> ByPassword {
    let server = closed(Options {
        password: PASSWORD.to_owned(),
        session_seconds,
        ..Options::default()
    });
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::Forms)
        .with_credentials("alice", password);
    ByPassword {
        site: Program::new().open(&connection),
        server,
        service: "authentication.asmx",
    }
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    opened_for(LONG, PASSWORD).signs_alice_in("by form");
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    opened_for(LONG, "guessed").is_refused();
}

#[test]
fn a_session_that_ends_in_the_middle_is_begun_again() {
    opened_for(LONG, PASSWORD).begins_again_after_its_end();
}

#[test]
fn a_session_is_renewed_before_the_site_says_that_it_ends() {
    let opened = opened_for(2, PASSWORD);
    run(async {
        work::add(&opened.site, "in the first session").await;
        tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
        work::add(&opened.site, "in the second").await;
    });
    work::all_acted_as("alice", &of_lists(&opened.server));
    assert!(opened.begun() > 1);
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    opened_for(LONG, PASSWORD).answers_fifty();
}

#[test]
fn fifty_requests_whose_session_ends_sign_in_once_more_and_not_fifty_times() {
    let opened = opened_for(LONG, PASSWORD);
    run(async {
        work::add(&opened.site, "before").await;
        opened.server.end_sessions();
        work::fifty_at_eight_at_once(&opened.site).await;
    });
    assert_eq!(opened.begun(), 2);
}
