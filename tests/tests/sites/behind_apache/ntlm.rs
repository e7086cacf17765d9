//! NTLM, proved to Apache's mod_auth_gssapi with gss-ntlmssp.
//!
//! It binds the connection: nobody else's request may travel on one that was signed in.

use checklist_tests::sign_in::apache::BRIEF;
use checklist_tests::sign_in::people::DOMAIN;
use checklist_tests::sign_in::{Person, Realm, VirtualHost};
use site_lists::{AuthenticationType, SiteConnection};

use super::{attempts, connection, visits};
use crate::work::{self, Program, run};

const METHOD: AuthenticationType = AuthenticationType::Ntlm;

fn in_domain(connection: SiteConnection) -> SiteConnection {
    SiteConnection {
        domain: Some(DOMAIN.to_owned()),
        ..connection
    }
}

fn alice(virtual_host: VirtualHost) -> SiteConnection {
    in_domain(super::right(virtual_host, METHOD, Person::Alice))
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    let program = Program::new();
    let item = run(async { work::add(&program.open(&alice(VirtualHost::Ntlm)), "by NTLM").await });
    assert_eq!(work::author(&item), "Alice Archer");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn the_domain_may_stand_before_the_name() {
    let program = Program::new();
    let written = format!("{DOMAIN}\\{}", Person::Bob.name());
    let bob = SiteConnection {
        username: Some(written),
        ..super::right(VirtualHost::Ntlm, METHOD, Person::Bob)
    };
    let item = run(async { work::add(&program.open(&bob), "by NTLM").await });
    assert_eq!(work::author(&item), "Bob Baker");
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    let program = Program::new();
    let wrong = in_domain(connection(
        VirtualHost::Ntlm,
        METHOD,
        Person::Alice,
        "guessed",
    ));
    run(async { work::refused_nine_times(&program.open(&wrong)).await });
    assert_eq!(attempts(&program), 1);
    assert!(Realm::get().reached_site(&program.agent).is_empty());
}

#[test]
fn a_connection_that_ends_in_the_middle_is_signed_in_again() {
    let program = Program::new();
    run(async {
        let site = program.open(&alice(VirtualHost::BriefNtlm));
        for number in 0..6 {
            work::add(&site, &format!("entry {number}")).await;
        }
        work::post_a_large_body(&site).await;
    });
    let again = attempts(&program);
    let reached = Realm::get().reached_site(&program.agent);
    assert!(
        again > 1,
        "one connection carried more than {BRIEF} requests"
    );
    work::all_acted_as("alice", &reached);
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let program = Program::new();
    run(async { work::fifty_at_eight_at_once(&program.open(&alice(VirtualHost::Ntlm))).await });
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_few_connections_are_signed_in_once_each_and_carry_everything() {
    let program = Program::new();
    run(async { work::fifty_at_eight_at_once(&program.open(&alice(VirtualHost::Ntlm))).await });
    let visits = visits(&program);
    let signed_in = attempts(&program);
    let connections = visits
        .iter()
        .filter(|visit| visit.before_on_connection == 0)
        .count();
    assert_eq!(signed_in, connections, "{visits:#?}");
    assert!(connections <= 8, "{connections} connections");
}

#[test]
fn two_people_at_once_never_travel_on_each_others_connections() {
    let (first, mut second) = (Program::new(), Program::new());
    // One way out for both of them, as in a server.
    second.transport = first.transport.clone();
    run(async {
        let alice = first.open(&alice(VirtualHost::Ntlm));
        let bob = second.open(&in_domain(super::right(
            VirtualHost::Ntlm,
            METHOD,
            Person::Bob,
        )));
        let work = |site, name| async move {
            for number in 0..10 {
                let item = work::add(site, &format!("entry {number}")).await;
                assert_eq!(work::author(&item), name);
            }
        };
        let (alice, bob) = (work(&alice, "Alice Archer"), work(&bob, "Bob Baker"));
        futures_util::future::join(alice, bob).await;
    });
    work::all_acted_as("alice", &Realm::get().reached_site(&first.agent));
    work::all_acted_as("bob", &Realm::get().reached_site(&second.agent));
}

#[test]
fn the_first_thing_sent_may_have_a_large_body() {
    let program = Program::new();
    let item =
        run(async { work::post_a_large_body(&program.open(&alice(VirtualHost::Ntlm))).await });
    assert_eq!(work::author(&item), "Alice Archer");
    let visits = visits(&program);
    let unsigned = visits
        .iter()
        .filter(|visit| visit.status == 401 && visit.request.starts_with("POST"));
    assert_eq!(unsigned.count(), 0, "a body travelled in vain: {visits:#?}");
}
