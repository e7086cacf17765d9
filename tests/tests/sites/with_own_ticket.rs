//! The server signs in as itself: with the ticket that its system has for it, from a keytab or from
//! a ticket cache, where its operator has opened that and an administrator has chosen it, and for
//! nobody else.
//!
//! Needs a server that was built with the system's Kerberos (feature `system-kerberos`), named in
//! `CHECKLIST_SERVER_WITH_KERBEROS`; `cargo xtask test` builds it. Apache and the realm are those of
//! `behind_apache`.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

use checklist_tests::client::field_errors;
use checklist_tests::sign_in::kdc::SERVER;
use checklist_tests::sign_in::people::{DOMAIN, REALM};
use checklist_tests::sign_in::{Person, Realm, VirtualHost};
use checklist_tests::wait::until;
use checklist_tests::{HostKey, Server, Setup, incident};
use serde_json::{Value, json};

use crate::work::authors_of_eight;

/// A server of that build that finds the realm, and may ask the site behind each of those virtual hosts.
fn setup(virtual_hosts: &[VirtualHost]) -> Setup {
    let realm = Realm::get();
    let program = std::env::var_os("CHECKLIST_SERVER_WITH_KERBEROS").map(PathBuf::from);
    let program =
        program.expect("a server with the system's Kerberos; `cargo xtask test` builds it");
    let mut setup = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .built_as(program)
        .argument("--allow-origin")
        .argument(&realm.kdc.url());
    for virtual_host in virtual_hosts {
        setup = setup
            .argument("--allow-origin")
            .argument(&realm.apache.origin(*virtual_host));
    }
    for (name, value) in realm.kdc.environment() {
        setup = setup.environment(name, &value);
    }
    // Whoever runs the tests may have a ticket.
    setup
        .environment("KRB5CCNAME", "FILE:/nowhere/at-all")
        .environment("KRB5_CLIENT_KTNAME", "FILE:/nowhere/at-all")
}

fn opened_at(virtual_host: VirtualHost) -> Setup {
    setup(&[virtual_host])
        .argument("--own-identity")
        .argument(&Realm::get().apache.origin(virtual_host))
}

/// With a keytab, and a cache of that name for what it brings.
fn with_keytab(setup: Setup, cache: &str) -> Setup {
    let folder = tempfile::TempDir::new().expect("a temporary directory");
    let keys = format!("FILE:{}", Realm::get().kdc.keys_of_server().display());
    let cache = format!("FILE:{}", folder.path().join(cache).display());
    setup
        .environment("KRB5_CLIENT_KTNAME", &keys)
        .environment("KRB5CCNAME", &cache)
        .keeping(folder)
}

fn as_itself(virtual_host: VirtualHost) -> Value {
    json!({ "Name": "As itself", "Method": "Kerberos", "Identity": "Service",
        "Url": Realm::get().site_url(virtual_host) })
}

fn admin(server: &Server) -> checklist_tests::Person {
    server.as_admin().on(&incident("1")).about_sites()
}

fn invalid(pointer: &str) -> (String, String) {
    (pointer.to_owned(), "Invalid".to_owned())
}

/// A program that may run activities.
fn operator(server: &Server) -> checklist_tests::Person {
    let admin = server.as_admin().on(&incident("1"));
    admin.program("Program", &["site-operator"]).about_sites()
}

/// Who have made the entries of eight callers, by a connection that is made like this.
fn eight_entries_by(server: &Server, wish: &Value) -> Vec<String> {
    let made = admin(server).send("ServiceConnections", wish).ok();
    assert_eq!(made["Identity"], "Service");
    assert_eq!(made["State"], "Ready");
    assert_eq!(made["HasPassword"], false);
    authors_of_eight(&operator(server), &made["Id"])
}

/// So many requests at least were let in at a virtual host, all of them as the server itself.
#[track_caller]
fn came_as_itself(virtual_host: VirtualHost, times: usize) {
    let users = until("Apache's log", || {
        let users = Realm::get().apache.users_at(virtual_host);
        (users.len() >= times).then_some(users)
    });
    let own = format!("{SERVER}@{REALM}");
    assert!(users.iter().all(|user| *user == own), "{users:?}");
}

#[test]
fn a_keytab_signs_the_server_in_and_the_site_knows_it() {
    let server = with_keytab(opened_at(VirtualHost::Kerberos), "by-keytab").start();
    let authors = eight_entries_by(&server, &as_itself(VirtualHost::Kerberos));
    assert!(
        authors.iter().all(|author| author.contains(SERVER)),
        "{authors:?}"
    );
    came_as_itself(VirtualHost::Kerberos, 16);
}

#[test]
fn a_ticket_cache_signs_the_server_in_at_a_site_that_asks_every_time() {
    let cache = Realm::get().kdc.tickets_of_server("server.cache");
    let cache = format!("FILE:{}", cache.display());
    let virtual_host = VirtualHost::KerberosEachTime;
    let server = opened_at(virtual_host)
        .environment("KRB5CCNAME", &cache)
        .start();
    eight_entries_by(&server, &as_itself(virtual_host));
    came_as_itself(virtual_host, 16);
}

#[test]
fn connections_that_end_in_the_middle_are_signed_in_again() {
    let server = with_keytab(opened_at(VirtualHost::BriefKerberos), "brief").start();
    for round in 0..3 {
        let mut wish = as_itself(VirtualHost::BriefKerberos);
        wish["Name"] = json!(format!("round {round}"));
        eight_entries_by(&server, &wish);
    }
    came_as_itself(VirtualHost::BriefKerberos, 48);
}

#[test]
fn a_server_without_a_ticket_says_so_and_asks_the_site_for_nothing() {
    // A virtual host of its own, so that nobody else is seen there.
    let virtual_host = VirtualHost::Basic;
    let server = opened_at(virtual_host).start();
    let made = admin(&server)
        .send("ServiceConnections", &as_itself(virtual_host))
        .ok();
    let establish = json!({ "ServiceConnection": made["Id"] });
    let problem = operator(&server)
        .send("EstablishSiteConnection", &establish)
        .refused(424, "SignInRefused");
    let text = problem.to_string();
    assert!(text.contains("no ticket"), "{text}");
    assert!(text.contains("KRB5_CLIENT_KTNAME"), "{text}");
    assert!(!text.contains("password"), "nobody typed one: {text}");
    let test = format!(
        "ServiceConnections/{}/Test",
        made["Id"].as_str().expect("an id")
    );
    let tested = admin(&server).send(&test, &json!({})).ok();
    assert_eq!(tested["Works"], false);
    let steps = tested["Steps"].as_array().expect("steps");
    let failed = steps.iter().find(|step| step["Outcome"] == "Failed");
    assert_eq!(
        failed.expect("a step that failed")["Step"],
        "SignIn",
        "{tested}"
    );
    assert!(Realm::get().apache.users_at(virtual_host).is_empty());
}

#[test]
fn a_realm_that_is_gone_is_told_as_such() {
    let folder = tempfile::TempDir::new().expect("a temporary directory");
    let conf = std::fs::read_to_string(&Realm::get().kdc.environment()[0].1)
        .expect("the realm's configuration");
    let nobody = checklist_tests::setup::free_address();
    let lines = conf
        .lines()
        .map(|line| match line.trim().strip_prefix("kdc =") {
            Some(_) => format!("  kdc = {nobody}\n"),
            None => format!("{line}\n"),
        });
    let file = folder.path().join("krb5.conf");
    std::fs::write(&file, lines.collect::<String>()).expect("the test's own directory");
    let server = with_keytab(opened_at(VirtualHost::Kerberos), "gone")
        .environment("KRB5_CONFIG", &file.display().to_string())
        .keeping(folder)
        .start();
    let made = admin(&server)
        .send("ServiceConnections", &as_itself(VirtualHost::Kerberos))
        .ok();
    let establish = json!({ "ServiceConnection": made["Id"] });
    let answer = operator(&server).send("EstablishSiteConnection", &establish);
    let text = answer.text();
    assert!(answer.status >= 400, "{text}");
    assert!(text.contains("cannot be reached"), "{text}");
}

/// A proxy before a virtual host that passes everything on except the proof of the site; its address.
fn impostor_before(virtual_host: VirtualHost) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
    let port = listener.local_addr().expect("an address").port();
    let behind = Realm::get().apache.origin(virtual_host);
    let behind = behind.rsplit(':').next().unwrap_or_default().to_owned();
    std::thread::spawn(move || {
        for caller in listener.incoming().flatten() {
            let site = TcpStream::connect(format!("127.0.0.1:{behind}")).expect("a connection");
            let (mut asks, mut answers) = (caller.try_clone().expect("a line"), caller);
            let (mut to_site, mut of_site) = (site.try_clone().expect("a line"), site);
            std::thread::spawn(move || std::io::copy(&mut asks, &mut to_site));
            std::thread::spawn(move || {
                let mut bytes = [0; 65_536];
                while let Ok(count @ 1..) = of_site.read(&mut bytes) {
                    // A proof follows the scheme's name; a mere offer ends there.
                    let told = bytes[..count].to_vec();
                    let told = with_another_name(told, b"WWW-Authenticate: Negotiate o");
                    if answers.write_all(&told).is_err() {
                        break;
                    }
                }
            });
        }
    });
    format!("http://localhost:{port}")
}

/// The same with the header's first letter changed wherever it stands.
fn with_another_name(mut bytes: Vec<u8>, header: &[u8]) -> Vec<u8> {
    let found = bytes.windows(header.len()).position(|part| part == header);
    if let Some(at) = found {
        bytes[at] = b'X';
    }
    bytes
}

#[test]
fn a_site_that_does_not_prove_itself_is_not_believed() {
    let origin = impostor_before(VirtualHost::Kerberos);
    let setup = with_keytab(setup(&[]), "impostor")
        .argument("--allow-origin")
        .argument(&origin)
        .argument("--own-identity")
        .argument(&origin);
    let server = setup.start();
    let mut wish = as_itself(VirtualHost::Kerberos);
    wish["Url"] = json!(format!("{origin}/sites/demo"));
    let made = admin(&server).send("ServiceConnections", &wish).ok();
    let establish = json!({ "ServiceConnection": made["Id"] });
    let problem = operator(&server)
        .send("EstablishSiteConnection", &establish)
        .refused(424, "SignInRefused");
    assert!(problem.to_string().contains("does not prove"), "{problem}");
}

#[test]
fn the_servers_ticket_is_lent_to_nobody() {
    let server = with_keytab(
        opened_at(VirtualHost::Windows)
            .argument("--allow-origin")
            .argument(&Realm::get().apache.origin(VirtualHost::Kerberos)),
        "lent",
    )
    .start();
    let (admin, operator) = (admin(&server), operator(&server));
    let url = Realm::get().site_url(VirtualHost::Windows);
    // A user's connection with a password that is wrong, in each of the ways that Windows has.
    for (method, domain) in [("Kerberos", REALM), ("Negotiate", REALM), ("NTLM", DOMAIN)] {
        let mut wish = json!({ "Name": method, "Method": method, "Url": url, "Username": "nobody",
            "Password": "guessed", "Domain": domain });
        if domain == REALM {
            wish["Kdc"] = json!(Realm::get().kdc.url());
        }
        let made = admin.send("ServiceConnections", &wish).ok();
        let establish = json!({ "ServiceConnection": made["Id"] });
        operator
            .send("EstablishSiteConnection", &establish)
            .refused(424, "SignInRefused");
    }
    // Credentials that a caller brings along, without a password, and with one.
    for credentials in [
        json!({ "Url": url, "AuthenticationType": "Kerberos" }),
        json!({ "Url": url, "AuthenticationType": "Negotiate" }),
        json!({ "Url": url, "AuthenticationType": "Kerberos", "Username": SERVER, "Password": "x",
            "Domain": REALM }),
        json!({ "Url": url, "AuthenticationType": "Anonymous" }),
        json!({ "Url": url, "AuthenticationType": "Kerberos", "Identity": "Service" }),
    ] {
        let establish = json!({ "Credentials": credentials });
        let answer = operator.send("EstablishSiteConnection", &establish);
        assert!(answer.status >= 400, "{credentials}: {}", answer.text());
    }
    // Another site, which the operator has not opened for it, another method, and a mixture.
    let elsewhere = admin
        .send("ServiceConnections", &as_itself(VirtualHost::Kerberos))
        .refused(422, "InvalidRequest");
    assert_eq!(field_errors(&elsewhere), [invalid("/Identity")]);
    let mut other = as_itself(VirtualHost::Windows);
    other["Method"] = json!("Negotiate");
    let other = admin
        .send("ServiceConnections", &other)
        .refused(422, "InvalidRequest");
    assert_eq!(field_errors(&other), [invalid("/Identity")]);
    let mut mixed = as_itself(VirtualHost::Windows);
    mixed["Username"] = json!(Person::Alice.name());
    mixed["Password"] = json!("hers");
    mixed["Kdc"] = json!(Realm::get().kdc.url());
    let mixed = admin
        .send("ServiceConnections", &mixed)
        .refused(422, "InvalidRequest");
    assert_eq!(
        field_errors(&mixed),
        ["/Kdc", "/Password", "/Username"].map(invalid)
    );
    assert!(
        Realm::get()
            .apache
            .users_at(VirtualHost::Windows)
            .is_empty()
    );
}

#[test]
fn what_the_operator_closes_is_closed_for_connections_that_are_there() {
    let virtual_host = VirtualHost::Kerberos;
    let mut server = with_keytab(opened_at(virtual_host), "closed").start();
    let made = admin(&server)
        .send("ServiceConnections", &as_itself(virtual_host))
        .ok();
    server.take_away("--own-identity");
    server.restart();
    let establish = json!({ "ServiceConnection": made["Id"] });
    let problem = operator(&server)
        .send("EstablishSiteConnection", &establish)
        .json();
    assert!(problem.to_string().contains("--own-identity"), "{problem}");
}
