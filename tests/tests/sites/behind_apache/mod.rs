//! Digest, NTLM, Negotiate, Kerberos and a credential that is handed on, proved to Apache, which
//! tells the site who it is.

mod digest;
mod forged;
mod kerberos;
mod negotiate;
mod ntlm;
mod pass_through;

use checklist_tests::sign_in::{Door, PASSWORD, Person, Realm};
use site_lists::{AuthenticationType, SiteConnection};

/// A connection to the site behind a door, with that password.
fn connection(
    door: Door,
    method: AuthenticationType,
    person: Person,
    password: &str,
) -> SiteConnection {
    SiteConnection::new(Realm::get().site_url(door), method)
        .with_credentials(person.name(), password)
}

/// The same with the right password.
fn right(door: Door, method: AuthenticationType, person: Person) -> SiteConnection {
    connection(door, method, person, PASSWORD)
}

/// How often the program of that name tried a password at a door.
fn attempts(agent: &str) -> usize {
    let visits = Realm::get().apache.visits_of(agent);
    let tried = visits.iter().filter(|visit| visit.tried_a_password());
    tried.count()
}
