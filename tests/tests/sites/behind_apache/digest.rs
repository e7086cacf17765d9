//! Digest, proved to Apache's mod_auth_digest.
//! Against a realm of the tests' own: a challenge, a stale nonce, a password that is wrong.
//! Part of `behind_apache`.

use std::time::Duration;

use checklist_tests::sign_in::{Person, Realm, VirtualHost};
use serde_json::json;
use site_lists::{AuthenticationType, SiteConnection, get_site_items};

use super::{attempts, connection, visits};
use crate::work::{self, Program, run};

fn alice(virtual_host: VirtualHost) -> SiteConnection {
    super::right(virtual_host, AuthenticationType::Digest, Person::Alice)
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    let program = Program::new();
    let item = run(work::add(
        &program.open(&alice(VirtualHost::Digest)),
        "by digest",
    ));
    assert_eq!(work::author(&item), "Alice Archer");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    let program = Program::new();
    let wrong = connection(
        VirtualHost::Digest,
        AuthenticationType::Digest,
        Person::Alice,
        "guessed",
    );
    run(work::refused_nine_times(&program.open(&wrong)));
    assert_eq!(attempts(&program), 1);
    assert!(Realm::get().reached_site(&program.agent).is_empty());
}

#[test]
fn a_nonce_that_grows_old_in_the_middle_is_replaced() {
    let program = Program::new();
    run(async {
        let site = program.open(&alice(VirtualHost::BriefDigest));
        work::add(&site, "before").await;
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        work::post_a_large_body(&site).await;
    });
    let visits = visits(&program);
    let stale = visits
        .iter()
        .filter(|visit| visit.status == 401 && visit.challenge.contains("stale=true"));
    assert!(stale.count() >= 1, "{visits:#?}");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let program = Program::new();
    run(async { work::fifty_at_eight_at_once(&program.open(&alice(VirtualHost::Digest))).await });
    // One challenge, which serves all of them.
    let visits = visits(&program);
    let refused = visits.iter().filter(|visit| visit.status == 401).count();
    assert_eq!(refused, 1, "{visits:#?}");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_large_body_arrives_whole() {
    let program = Program::new();
    let item =
        run(async { work::post_a_large_body(&program.open(&alice(VirtualHost::Digest))).await });
    assert_eq!(work::author(&item), "Alice Archer");
}

#[test]
fn special_characters_in_the_address_are_hashed_as_they_travel() {
    let program = Program::new();
    run(async {
        let site = program.open(&alice(VirtualHost::Digest));
        let title = "O'Brien & \"Söhne\" 100% #1, a\\b";
        work::add(&site, title).await;
        let (list, title) = (work::computers(), json!(title));
        let found = get_site_items(&site, &list, "Title", &title).await;
        assert_eq!(found.expect("a search").result.len(), 1);
    });
}
