//! Digest, NTLM, Negotiate, Kerberos and a credential that is handed on, proved to Apache, which
//! tells the site who it is.
//! All programs are the distribution's own; `checklist_tests::sign_in` starts them once for all
//! tests.

mod digest;
mod forged;
mod kerberos;
mod many_at_once;
mod negotiate;
mod ntlm;
mod open;
mod pass_through;
mod through_the_server;

use checklist_tests::sign_in::{PASSWORD, Person, Realm, VirtualHost, Visit};
use site_lists::{AuthenticationType, SiteConnection};

use crate::work::Program;

/// A connection to the site behind a virtual host, with that password.
fn connection(
    virtual_host: VirtualHost,
    method: AuthenticationType,
    person: Person,
    password: &str,
) -> SiteConnection {
    SiteConnection::new(Realm::get().site_url(virtual_host), method)
        .with_credentials(person.name(), password)
}

/// The same with the right password.
fn right(virtual_host: VirtualHost, method: AuthenticationType, person: Person) -> SiteConnection {
    connection(virtual_host, method, person, PASSWORD)
}

/// What Apache has written down about a program.
fn visits(program: &Program) -> Vec<Visit> {
    let apache = &Realm::get().apache;
    apache.visits_of(&program.agent, program.sent())
}

/// How often a program tried a password at a virtual host.
fn attempts(program: &Program) -> usize {
    let visits = visits(program);
    let tried = visits.iter().filter(|visit| visit.tried_a_password());
    tried.count()
}
