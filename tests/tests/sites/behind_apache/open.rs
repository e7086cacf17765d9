//! Sites that let anybody in beside those who sign in: who is signed in is asked, and whoever
//! the site does not know writes nothing.
//! Part of `behind_apache`.

use checklist_tests::sign_in::people::{DOMAIN, REALM};
use checklist_tests::sign_in::{PASSWORD, Person, Realm, VirtualHost};
use site_lists::{
    AuthenticationType, ErrorKind, ObjectExpressionParameter, SiteConnection, add_site_item,
};

use super::{attempts, connection, kerberos, visits};
use crate::work::{self, Program, run};

/// How somebody signs in there.
fn of(
    virtual_host: VirtualHost,
    method: AuthenticationType,
    person: Person,
    password: &str,
) -> (Program, SiteConnection) {
    let domain = match method {
        AuthenticationType::Kerberos => Some(REALM.to_owned()),
        AuthenticationType::Ntlm | AuthenticationType::Negotiate => Some(DOMAIN.to_owned()),
        _ => None,
    };
    let program = if method == AuthenticationType::Kerberos {
        kerberos::program()
    } else {
        Program::new()
    };
    let connection = SiteConnection {
        domain,
        ..connection(virtual_host, method, person, password)
    };
    (program, connection)
}

/// The error of whoever adds an entry there. Nothing was written.
#[track_caller]
fn refused(program: &Program, connection: &SiteConnection) -> site_lists::SiteError {
    let fields = [ObjectExpressionParameter::new(
        "Title",
        program.agent.as_str(),
    )];
    let site = program.open(connection);
    let added = run(async { add_site_item(&site, &work::computers(), &fields).await });
    let method = connection.authentication_type;
    let error = added.expect_err(&format!("{method}: nobody is signed in"));
    let reached = Realm::get().reached_site(&program.agent);
    let wrote = reached.iter().any(|seen| seen.method != "GET");
    assert!(!wrote, "{method}: {reached:#?}");
    error
}

#[test]
fn a_site_that_lets_anybody_in_is_not_taken_for_signed_in_with_any_password() {
    use AuthenticationType::{Digest, Kerberos, Negotiate, Ntlm};
    for (virtual_host, method) in [
        (VirtualHost::OpenDigest, Digest),
        (VirtualHost::OpenWindows, Ntlm),
        (VirtualHost::OpenWindows, Negotiate),
        (VirtualHost::OpenWindows, Kerberos),
    ] {
        for password in ["guessed", PASSWORD] {
            if (method, password) == (Kerberos, "guessed") {
                // The realm refuses it before the site is asked.
                continue;
            }
            let (program, connection) = of(virtual_host, method, Person::Stray, password);
            let error = refused(&program, &connection);
            let kind = error.kind();
            // By Kerberos the site would have had to prove itself first.
            let expected = if method == Kerberos {
                ErrorKind::SignInRefused
            } else {
                ErrorKind::NotSignedIn
            };
            assert_eq!(kind, expected, "{method}: {error:?}");
            let text = format!("{error:?}");
            assert!(!text.contains(password), "{method}: {text}");
        }
    }
}

#[test]
fn a_site_that_takes_credentials_and_needs_none_is_made_to_take_them_by_digest() {
    let method = AuthenticationType::Digest;
    let (program, connection) = of(VirtualHost::OptionalDigest, method, Person::Bob, PASSWORD);
    let item = run(async { work::add(&program.open(&connection), "by digest").await });
    assert_eq!(work::author(&item), "Bob Baker");
    let (program, connection) = of(
        VirtualHost::OptionalDigest,
        method,
        Person::Stray,
        "guessed",
    );
    let error = refused(&program, &connection);
    assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
    let with_a_hash = visits(&program);
    let with_a_hash = with_a_hash.iter().filter(|visit| visit.is_of("stray"));
    assert_eq!(with_a_hash.count(), 1);
}

#[test]
fn a_site_that_forgets_by_the_next_request_who_has_signed_in_gets_nothing_to_write() {
    for method in [AuthenticationType::Ntlm, AuthenticationType::Negotiate] {
        let (program, connection) = of(
            VirtualHost::OptionalWindows,
            method,
            Person::Alice,
            PASSWORD,
        );
        let error = refused(&program, &connection);
        assert_eq!(error.kind(), ErrorKind::NotSignedIn, "{method}: {error:?}");
        let (program, connection) = of(
            VirtualHost::OptionalWindows,
            method,
            Person::Stray,
            "guessed",
        );
        let error = refused(&program, &connection);
        assert_eq!(
            error.kind(),
            ErrorKind::SignInRefused,
            "{method}: {error:?}"
        );
        assert_eq!(attempts(&program), 1, "{method}");
    }
}

#[test]
fn who_is_signed_in_is_told_and_compared() {
    for (virtual_host, method) in [
        (VirtualHost::Digest, AuthenticationType::Digest),
        (VirtualHost::Ntlm, AuthenticationType::Ntlm),
        (VirtualHost::Windows, AuthenticationType::Negotiate),
        (VirtualHost::Kerberos, AuthenticationType::Kerberos),
    ] {
        let (program, connection) = of(virtual_host, method, Person::Alice, PASSWORD);
        let who = run(async { program.open(&connection).current_user().await });
        let who = who.expect("signed in").expect("somebody");
        assert_eq!(who.name.as_deref(), Some("Alice Archer"), "{method}");
        let login = who.login.unwrap_or_default();
        assert!(login.contains("alice@demo.test"), "{method}: {login}");
    }
}
