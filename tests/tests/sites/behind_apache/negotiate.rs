//! Negotiate, as Windows offers it: a ticket where there is a realm, NTLM inside otherwise.
//! Against a realm of the tests' own, with and without a key distribution centre.
//! Part of `behind_apache`.

use checklist_tests::sign_in::people::{DOMAIN, REALM};
use checklist_tests::sign_in::{Person, Realm, VirtualHost};
use site_lists::{AuthenticationType, SiteConnection};

use super::{attempts, connection, kerberos};
use crate::work::{self, Program, run};

const METHOD: AuthenticationType = AuthenticationType::Negotiate;

fn in_domain(connection: SiteConnection, domain: &str) -> SiteConnection {
    SiteConnection {
        domain: Some(domain.to_owned()),
        ..connection
    }
}

/// Alice, without a realm to ask for tickets.
fn by_ntlm(virtual_host: VirtualHost) -> SiteConnection {
    in_domain(super::right(virtual_host, METHOD, Person::Alice), DOMAIN)
}

/// Alice, with one.
fn by_ticket(virtual_host: VirtualHost) -> SiteConnection {
    in_domain(super::right(virtual_host, METHOD, Person::Alice), REALM)
}

#[test]
fn without_a_realm_ntlm_travels_inside_and_the_site_knows_who_it_is() {
    let program = Program::new();
    let item = run(async {
        work::add(&program.open(&by_ntlm(VirtualHost::Ntlm)), "by NTLM inside").await
    });
    assert_eq!(work::author(&item), "Alice Archer");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn ntlm_inside_is_taken_by_a_site_that_would_take_tickets_as_well() {
    let program = Program::new();
    let item = run(async {
        work::add(
            &program.open(&by_ntlm(VirtualHost::Windows)),
            "by NTLM inside",
        )
        .await
    });
    assert_eq!(work::author(&item), "Alice Archer");
}

#[test]
fn with_a_realm_a_ticket_travels_inside_and_the_site_knows_who_it_is() {
    let program = kerberos::program();
    let item = run(async {
        work::add(&program.open(&by_ticket(VirtualHost::Windows)), "by ticket").await
    });
    assert_eq!(work::author(&item), "Alice Archer");
    let reached = Realm::get().reached_site(&program.agent);
    work::all_acted_as("alice", &reached);
    // A ticket names the realm, NTLM its domain.
    assert!(
        reached
            .iter()
            .all(|seen| seen.user == format!("alice@{REALM}")),
        "{reached:#?}"
    );
}

#[test]
fn a_site_without_a_name_gets_ntlm_as_from_windows() {
    let program = kerberos::program();
    let mut connection = by_ticket(VirtualHost::Windows);
    connection.url = connection.url.replace("localhost", "127.0.0.1");
    let item = run(async { work::add(&program.open(&connection), "by number").await });
    assert_eq!(work::author(&item), "Alice Archer");
    let reached = Realm::get().reached_site(&program.agent);
    assert!(
        reached.iter().all(|seen| seen.user.contains('\\')),
        "{reached:#?}"
    );
}

#[test]
fn a_wrong_password_within_ntlm_is_told_by_all_requests_and_tried_once() {
    let program = Program::new();
    let wrong = connection(VirtualHost::Ntlm, METHOD, Person::Alice, "guessed");
    run(async { work::refused_nine_times(&program.open(&in_domain(wrong, DOMAIN))).await });
    assert_eq!(attempts(&program), 1);
    assert!(Realm::get().reached_site(&program.agent).is_empty());
}

#[test]
fn a_wrong_password_is_tried_once_by_the_realm_and_never_by_ntlm_after_that() {
    let program = kerberos::program();
    let wrong = connection(VirtualHost::Windows, METHOD, Person::Forgetful, "guessed");
    run(async { work::refused_nine_times(&program.open(&in_domain(wrong, REALM))).await });
    assert_eq!(Realm::get().kdc.failed_attempts(Person::Forgetful), 1);
    assert_eq!(attempts(&program), 0);
}

#[test]
fn a_connection_that_ends_in_the_middle_is_signed_in_again() {
    let program = Program::new();
    run(async {
        let site = program.open(&by_ntlm(VirtualHost::BriefNtlm));
        for number in 0..6 {
            work::add(&site, &format!("entry {number}")).await;
        }
        work::post_a_large_body(&site).await;
    });
    assert!(attempts(&program) > 1);
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let (inside, ticket) = (Program::new(), kerberos::program());
    run(async {
        work::fifty_at_eight_at_once(&inside.open(&by_ntlm(VirtualHost::Windows))).await;
        work::fifty_at_eight_at_once(&ticket.open(&by_ticket(VirtualHost::Windows))).await;
    });
    work::all_acted_as("alice", &Realm::get().reached_site(&inside.agent));
    work::all_acted_as("alice", &Realm::get().reached_site(&ticket.agent));
}

#[test]
fn a_large_body_arrives_whole() {
    let program = Program::new();
    let item =
        run(async { work::post_a_large_body(&program.open(&by_ntlm(VirtualHost::Windows))).await });
    assert_eq!(work::author(&item), "Alice Archer");
}
