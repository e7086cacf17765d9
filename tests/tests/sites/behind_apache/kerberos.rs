//! Kerberos, proved to Apache's mod_auth_gssapi with tickets of MIT's key distribution centre.
//! The realm is the tests' own; the site proves itself as well.
//! Part of `behind_apache`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checklist_tests::sign_in::people::REALM;
use checklist_tests::sign_in::{Person, Realm, VirtualHost};
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;
use site_lists::{
    AuthenticationType, ByteStream, ErrorKind, Limits, Request, Response, SiteConnection,
    Transport, TransportError, get_site_item,
};

use super::{attempts, connection};
use crate::work::{self, Program, run};

const METHOD: AuthenticationType = AuthenticationType::Kerberos;

/// A program that is told where the realm gives tickets.
pub fn program() -> Program {
    let mut program = Program::new();
    let centre = Realm::get().kdc.url().parse();
    program.options.key_distribution_centre = Some(centre.expect("an address"));
    program
}

fn in_realm(connection: SiteConnection) -> SiteConnection {
    SiteConnection {
        domain: Some(REALM.to_owned()),
        ..connection
    }
}

fn person(virtual_host: VirtualHost, person: Person) -> SiteConnection {
    in_realm(super::right(virtual_host, METHOD, person))
}

#[test]
fn the_right_password_signs_in_and_the_site_knows_who_it_is() {
    let program = program();
    let site = program.open(&person(VirtualHost::Kerberos, Person::Alice));
    let item = run(async { work::add(&site, "by ticket").await });
    assert_eq!(work::author(&item), "Alice Archer");
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    let program = program();
    let wrong = in_realm(connection(
        VirtualHost::Kerberos,
        METHOD,
        Person::Clumsy,
        "guessed",
    ));
    run(async { work::refused_nine_times(&program.open(&wrong)).await });
    assert_eq!(Realm::get().kdc.failed_attempts(Person::Clumsy), 1);
    // No ticket, so nothing to show at the virtual host either.
    assert_eq!(attempts(&program), 0);
}

#[test]
fn tickets_and_connections_that_end_in_the_middle_are_had_again() {
    let program = program();
    run(async {
        let site = program.open(&person(VirtualHost::BriefKerberos, Person::Hasty));
        work::add(&site, "with the first ticket").await;
        tokio::time::sleep(Duration::from_secs(4)).await;
        for number in 0..4 {
            work::add(&site, &format!("entry {number}")).await;
        }
        work::post_a_large_body(&site).await;
    });
    assert!(attempts(&program) > 1);
    assert!(Realm::get().kdc.tickets_of(Person::Hasty) > 1);
    work::all_acted_as("hasty", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_password_that_is_changed_in_the_middle_is_tried_twice_at_most() {
    let program = program();
    run(async {
        let site = program.open(&person(VirtualHost::BriefKerberos, Person::Leaver));
        work::add(&site, "with the old password").await;
        Realm::get().kdc.change_password(Person::Leaver, "another");
        let mut refused = Vec::new();
        for _ in 0..30 {
            refused.extend(get_site_item(&site, &work::computers(), 1).await.err());
        }
        assert!(refused.len() > 2, "the connection never ended");
        for error in refused {
            assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
        }
    });
    let attempts = Realm::get().kdc.failed_attempts(Person::Leaver);
    assert!((1..=2).contains(&attempts), "{attempts} attempts");
}

#[test]
fn a_site_that_asks_for_a_ticket_with_every_request_gets_one() {
    let program = program();
    let site = program.open(&person(VirtualHost::KerberosEachTime, Person::Alice));
    let item = run(async { work::post_a_large_body(&site).await });
    assert_eq!(work::author(&item), "Alice Archer");
    let reached = Realm::get().reached_site(&program.agent);
    assert_eq!(attempts(&program), reached.len());
    work::all_acted_as("alice", &reached);
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let program = program();
    let site = program.open(&person(VirtualHost::Kerberos, Person::Alice));
    run(async { work::fifty_at_eight_at_once(&site).await });
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_large_body_arrives_whole() {
    let program = program();
    let site = program.open(&person(VirtualHost::Kerberos, Person::Bob));
    let item = run(async { work::post_a_large_body(&site).await });
    assert_eq!(work::author(&item), "Bob Baker");
}

#[test]
fn a_site_that_takes_ntlm_only_gets_none_of_it() {
    let program = program();
    let site = program.open(&person(VirtualHost::Ntlm, Person::Alice));
    let error = run(async { get_site_item(&site, &work::computers(), 1).await });
    assert_eq!(error.expect_err("no NTLM").kind(), ErrorKind::SignInRefused);
    assert!(Realm::get().reached_site(&program.agent).is_empty());
}

/// Somebody who answers in the site's place: takes every ticket, and has no proof or a wrong one.
struct Impostor {
    site: Arc<dyn Transport>,
    proof: Option<&'static str>,
}

#[async_trait]
impl Transport for Impostor {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let mut answer = self.site.send(request, limits).await?;
        if answer.status().is_success() {
            answer.headers_mut().remove(WWW_AUTHENTICATE);
            if let Some(proof) = self.proof {
                let proof = HeaderValue::from_static(proof);
                answer.headers_mut().insert(WWW_AUTHENTICATE, proof);
            }
        }
        Ok(answer)
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self {
            site: self.site.open_dedicated()?,
            proof: self.proof,
        }))
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        self.site.dial(host, port).await
    }
}

#[test]
fn a_site_that_does_not_prove_itself_is_not_believed() {
    // Nothing, no token, and one that only says that all is well.
    for proof in [None, Some("Negotiate AAAA"), Some("Negotiate oQcwBaADCgEA")] {
        let mut program = program();
        let site = program.transport.clone();
        program.transport = Arc::new(Impostor { site, proof });
        let site = program.open(&person(VirtualHost::Kerberos, Person::Alice));
        let error = run(async { get_site_item(&site, &work::computers(), 1).await });
        let error = error.expect_err("it proved nothing");
        assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
        assert!(error.to_string().contains("does not prove"), "{error}");
    }
}

#[test]
fn a_realm_that_does_not_answer_is_told_as_such_and_not_as_a_wrong_password() {
    let mut program = program();
    let nobody = checklist_tests::setup::free_address();
    program.options.key_distribution_centre = format!("tcp://{nobody}").parse().ok();
    let site = program.open(&person(VirtualHost::Kerberos, Person::Alice));
    let error = run(async { get_site_item(&site, &work::computers(), 1).await });
    let error = error.expect_err("nobody answers");
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
    assert!(
        error.to_string().contains("key distribution centre"),
        "{error}"
    );
}
