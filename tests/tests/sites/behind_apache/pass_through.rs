//! A user name and a password that the caller brought, handed on as they came; Apache asks the
//! realm about them.
//! Part of `behind_apache`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checklist_tests::sign_in::{PASSWORD, Person, Realm, VirtualHost};
use site_lists::{AuthenticationType, SiteConnection};

use super::attempts;
use crate::work::{self, Program, run};

fn connection() -> SiteConnection {
    SiteConnection::new(
        Realm::get().site_url(VirtualHost::Basic),
        AuthenticationType::PassThrough,
    )
}

/// A program whose caller brought a person's name and that password.
fn program(person: Person, password: &str) -> Program {
    let mut program = Program::new();
    let pair = STANDARD.encode(format!("{}:{password}", person.name()));
    program.options.pass_through = Some(format!("Basic {pair}").into());
    program
}

#[test]
fn what_the_caller_brought_signs_in_and_the_site_knows_who_it_is() {
    let program = program(Person::Bob, PASSWORD);
    let item = run(work::post_a_large_body(&program.open(&connection())));
    assert_eq!(work::author(&item), "Bob Baker");
    work::all_acted_as("bob", &Realm::get().reached_site(&program.agent));
}

#[test]
fn a_wrong_password_is_told_by_all_requests_and_tried_once() {
    let program = program(Person::Careless, "guessed");
    run(work::refused_nine_times(&program.open(&connection())));
    assert_eq!(attempts(&program), 1);
    assert_eq!(Realm::get().kdc.failed_attempts(Person::Careless), 1);
    assert!(Realm::get().reached_site(&program.agent).is_empty());
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let program = program(Person::Alice, PASSWORD);
    run(work::fifty_at_eight_at_once(&program.open(&connection())));
    work::all_acted_as("alice", &Realm::get().reached_site(&program.agent));
}
