//! The same sign-ins where the client runs inside the server, whose connections all go through
//! its rules about addresses.
//! Part of `behind_apache`; the server is a process of its own.

use checklist_tests::client::Answer;
use checklist_tests::sign_in::people::{DOMAIN, REALM};
use checklist_tests::sign_in::{PASSWORD, Person, Realm, VirtualHost};
use checklist_tests::{HostKey, Server, Setup, incident};
use serde_json::{Value, json};

use crate::work::authors_of_eight;

/// A server that may ask the site behind a virtual host, and the realm.
fn server(virtual_host: VirtualHost) -> Server {
    let realm = Realm::get();
    Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&realm.apache.origin(virtual_host))
        .argument("--allow-origin")
        .argument(&realm.kdc.url())
        .start()
}

/// What an administrator's service connection is, for a person of the realm.
fn wish(
    virtual_host: VirtualHost,
    method: &str,
    domain: &str,
    person: Person,
    password: &str,
) -> Value {
    let mut wish = json!({ "Name": method, "Method": method,
        "Url": Realm::get().site_url(virtual_host), "Username": person.name(), "Password": password });
    if !domain.is_empty() {
        wish["Domain"] = json!(domain);
    }
    if domain == REALM {
        wish["Kdc"] = json!(Realm::get().kdc.url());
    }
    wish
}

/// A program that may run activities.
fn operator(server: &Server) -> checklist_tests::Person {
    let admin = server.as_admin().on(&incident("1"));
    admin.program("Program", &["site-operator"]).about_sites()
}

fn add(operator: &checklist_tests::Person, connection: &str, title: &str) -> Answer {
    let body = json!({ "Connection": { "ServiceConnection": connection }, "List": "Computers",
        "Fields": [{ "Name": "Title", "Value": title }] });
    operator.send("AddSiteItem", &body)
}

/// Who have made the entries of eight callers.
fn authors(virtual_host: VirtualHost, wish: &Value) -> Vec<String> {
    let server = server(virtual_host);
    let admin = server.as_admin().on(&incident("1")).about_sites();
    let made = admin.send("ServiceConnections", wish).ok();
    authors_of_eight(&operator(&server), &made["Id"])
}

#[test]
fn eight_callers_at_once_are_signed_in_by_ntlm() {
    let wish = wish(
        VirtualHost::BriefNtlm,
        "NTLM",
        DOMAIN,
        Person::Bob,
        PASSWORD,
    );
    assert_eq!(authors(VirtualHost::BriefNtlm, &wish), ["Bob Baker"; 8]);
}

#[test]
fn eight_callers_at_once_are_signed_in_by_ticket() {
    let wish = wish(
        VirtualHost::Kerberos,
        "Kerberos",
        REALM,
        Person::Alice,
        PASSWORD,
    );
    assert_eq!(authors(VirtualHost::Kerberos, &wish), ["Alice Archer"; 8]);
}

#[test]
fn eight_callers_at_once_are_signed_in_by_digest() {
    let wish = wish(VirtualHost::Digest, "Digest", "", Person::Alice, PASSWORD);
    assert_eq!(authors(VirtualHost::Digest, &wish), ["Alice Archer"; 8]);
}

#[test]
fn a_wrong_password_is_told_to_every_caller_and_tried_once() {
    let server = server(VirtualHost::Windows);
    let admin = server.as_admin().on(&incident("1")).about_sites();
    let wish = wish(
        VirtualHost::Windows,
        "Negotiate",
        REALM,
        Person::Hapless,
        "guessed",
    );
    let made = admin.send("ServiceConnections", &wish).ok();
    let connection = made["Id"].as_str().expect("an id");
    let operator = operator(&server);
    for _ in 0..4 {
        let problem = add(&operator, connection, "never there").refused(424, "SignInRefused");
        assert!(!problem.to_string().contains("guessed"), "{problem}");
    }
    assert_eq!(Realm::get().kdc.failed_attempts(Person::Hapless), 1);
}
