//! Names that lead elsewhere than they seem to: public when they are looked at and this machine when
//! they are connected to, several addresses at once, other names for this machine, and sites that
//! send on. The whole server, its own resolver, and a network in which every address is a canary's.
//!
//! Nothing leaves the machine: the network has no way out (`own_network`).

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use checklist_tests::name_server::{NameServer, Said};
use checklist_tests::own_network::{Canary, RESOLVER, is_inside};
use checklist_tests::promise::held;
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

/// Addresses that look like somebody's, and are nobody's here.
const PUBLIC: &str = "93.184.216.34";
const PUBLIC_V6: &str = "2606:2800:220:1:248:1893:25c8:1946";
/// An address in a network that the operator has opened for one site.
const OPENED: &str = "10.2.0.5";
/// TLS, that of another site, tickets, and what else listens on a machine.
const PORTS: [u16; 5] = [443, 8443, 88, 80, 22];

/// Addresses that nobody may be made to ask.
const FORBIDDEN: [&str; 14] = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "169.254.169.254",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "fe80::1",
    "64:ff9b::7f00:1",
];

/// A network with its name server, its canary, and the server in it.
struct World {
    names: NameServer,
    canary: Canary,
    /// What the public site is trusted by.
    certificate: String,
    admin: Person,
    operator: Person,
    /// How many sites were tried out.
    tried: AtomicUsize,
    _server: Server,
}

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

fn has(addresses: &[&str]) -> Said {
    Said::Has(addresses.iter().map(|text| address(text)).collect())
}

impl World {
    fn begin() -> Self {
        let names = vec!["*.public.example".to_owned()];
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(names).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("TLS")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("TLS");
        let tls = Arc::new(tls);
        let canary = Canary::on(&PORTS, move |line| send_on(line, Arc::clone(&tls)));
        let server = Setup::for_hosts(&[HostKey::of("north")])
            .with_vault()
            .argument("--allow-private-range")
            .argument("https://opened.public.example=10.2.0.0/16")
            .start();
        let admin = server.as_admin().on(&incident("1"));
        Self {
            names: NameServer::at(RESOLVER),
            canary,
            certificate: cert.pem(),
            operator: admin.program("Program", &["site-operator"]).about_sites(),
            admin: admin.about_sites(),
            tried: AtomicUsize::new(0),
            _server: server,
        }
    }

    /// Makes a connection to a site of that name, tries it in each way there is, and gives what was
    /// answered.
    fn try_out(&self, host: &str, more: &Value) -> Vec<Value> {
        let mut wish = json!({ "Name": format!("{host} {more}"), "Method": "Anonymous",
            "Url": format!("https://{host}/sites/it"), "CaBundle": self.certificate, "Timeout": 5 });
        for (name, value) in more.as_object().expect("an object") {
            wish[name] = value.clone();
        }
        let made = self.admin.send("ServiceConnections", &wish).ok();
        let by = json!({ "ServiceConnection": made["Id"] });
        let id = made["Id"].as_str().expect("an id");
        let test = format!("ServiceConnections/{id}/Test");
        let tested = self.admin.send(&test, &json!({ "List": "Computers" }));
        let established = self.operator.send("EstablishSiteConnection", &by);
        let read = json!({ "Connection": by, "List": "Computers" });
        let read = self.operator.send("GetSiteItems", &read);
        assert!(established.status >= 400, "{host}: {}", established.text());
        assert!(read.status >= 400, "{host}: {}", read.text());
        assert_eq!(tested.ok()["Works"], false, "{host}");
        self.tried.fetch_add(1, Ordering::Relaxed);
        vec![tested.json(), established.json(), read.json()]
    }

    /// Nobody was connected to but these, whatever was tried.
    #[track_caller]
    fn only(&self, tried: &str, allowed: &[&str]) -> Vec<SocketAddr> {
        let allowed: Vec<IpAddr> = allowed.iter().map(|text| address(text)).collect();
        let seen = self.canary.seen();
        let others: Vec<_> = seen
            .iter()
            .filter(|at| !allowed.contains(&at.ip()))
            .collect();
        assert!(others.is_empty(), "somebody came to {others:?}");
        let sites = self.tried.load(Ordering::Relaxed);
        held("S2", format!("{sites} {tried}: 0 canaries heard anything"));
        seen
    }
}

/// The public site: sends every request on to places where nobody may be sent. Other addresses that
/// are connected to answer nothing.
fn send_on(line: TcpStream, tls: Arc<ServerConfig>) {
    let Ok(ours) = line.local_addr() else { return };
    let public = [PUBLIC, PUBLIC_V6, OPENED].map(address);
    if ours.port() != 443 || !public.contains(&ours.ip().to_canonical()) {
        return;
    }
    let Ok(connection) = ServerConnection::new(tls) else {
        return;
    };
    let mut line = StreamOwned::new(connection, line);
    let mut asked = Vec::new();
    let mut bytes = [0; 2_048];
    let targets = [
        "http://127.0.0.1:80/",
        "https://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://localhost/",
        "//10.0.0.1/",
    ];
    let mut turn = 0;
    while let Ok(count @ 1..) = line.read(&mut bytes) {
        asked.extend_from_slice(&bytes[..count]);
        if !asked.windows(4).any(|end| end == b"\r\n\r\n") {
            continue;
        }
        asked.clear();
        let status = [
            "302 Found",
            "307 Temporary Redirect",
            "301 Moved Permanently",
        ][turn % 3];
        let target = targets[turn % targets.len()];
        let answer =
            format!("HTTP/1.1 {status}\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n");
        turn += 1;
        if line.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// The ways to ask a site: with connections of everybody, and with one's own.
fn ways() -> [Value; 3] {
    [
        json!({}),
        json!({ "Method": "NTLM", "Username": "svc", "Password": "secret" }),
        json!({ "Method": "Forms", "Username": "svc", "Password": "secret" }),
    ]
}

#[test]
fn a_name_that_changes_between_the_look_and_the_connection_reaches_nobody_else() {
    if !is_inside(
        "rebinding::a_name_that_changes_between_the_look_and_the_connection_reaches_nobody_else",
    ) {
        return;
    }
    let world = World::begin();
    for (number, forbidden) in FORBIDDEN.iter().enumerate() {
        for (way, more) in ways().iter().enumerate() {
            // Looked at once, twice, or as often as it takes to be connected to.
            for looks in 0..3 {
                let host = format!("flip-{number}-{way}-{looks}.public.example");
                let mut said = vec![has(&[PUBLIC]); looks];
                said.push(has(&[forbidden]));
                world.names.says(&host, &said);
                let answers = world.try_out(&host, more);
                assert!(world.names.times_asked(&host) > looks, "{host}");
                let last = answers.last().expect("an answer");
                assert_eq!(last["Code"], "AddressRefused", "{host}: {last}");
            }
        }
    }
    let seen = world.only("names that change", &[PUBLIC]);
    assert!(!seen.is_empty(), "the canary was never tried");
}

#[test]
fn of_several_addresses_only_those_are_asked_that_may_be() {
    if !is_inside("rebinding::of_several_addresses_only_those_are_asked_that_may_be") {
        return;
    }
    let world = World::begin();
    for (number, forbidden) in FORBIDDEN.iter().enumerate() {
        for (way, more) in ways().iter().enumerate() {
            let host = format!("mixed-{number}-{way}.public.example");
            let orders = [
                has(&[forbidden, PUBLIC]),
                has(&[PUBLIC, PUBLIC_V6, forbidden]),
                has(&[forbidden, "127.0.0.1", PUBLIC_V6, "::1"]),
            ];
            world.names.says(&host, &orders);
            world.try_out(&host, more);
        }
    }
    let seen = world.only("names with several addresses", &[PUBLIC, PUBLIC_V6]);
    for public in [PUBLIC, PUBLIC_V6] {
        let there = |at: &SocketAddr| at.ip() == address(public);
        assert!(seen.iter().any(there), "nobody came to {public}");
    }
}

#[test]
fn another_name_for_this_machine_is_this_machine() {
    if !is_inside("rebinding::another_name_for_this_machine_is_this_machine") {
        return;
    }
    let world = World::begin();
    world.names.says("localhost", &[has(&["127.0.0.1", "::1"])]);
    world
        .names
        .says("metadata.internal", &[has(&["169.254.169.254"])]);
    world
        .names
        .says("chain.public.example", &[Said::Is("localhost")]);
    for (number, other) in ["localhost", "metadata.internal", "chain.public.example"]
        .into_iter()
        .enumerate()
    {
        for (way, more) in ways().iter().enumerate() {
            let host = format!("alias-{number}-{way}.public.example");
            world.names.says(&host, &[Said::Is(other)]);
            world.try_out(&host, more);
            let flips = format!("flips-{number}-{way}.public.example");
            world.names.says(&flips, &[has(&[PUBLIC]), Said::Is(other)]);
            world.try_out(&flips, more);
        }
    }
    world.only("names of names", &[PUBLIC]);
}

#[test]
fn a_site_that_sends_on_sends_nobody_anywhere() {
    if !is_inside("rebinding::a_site_that_sends_on_sends_nobody_anywhere") {
        return;
    }
    let world = World::begin();
    world.names.says("steady.public.example", &[has(&[PUBLIC])]);
    for more in ways() {
        world.try_out("steady.public.example", &more);
    }
    let seen = world.only("sites that send on", &[PUBLIC]);
    assert!(seen.len() >= 3, "the site was asked for nothing: {seen:?}");
}

#[test]
fn ticket_servers_and_authorization_servers_are_looked_at_likewise() {
    if !is_inside("rebinding::ticket_servers_and_authorization_servers_are_looked_at_likewise") {
        return;
    }
    let world = World::begin();
    world.names.says("steady.public.example", &[has(&[PUBLIC])]);
    // One of each kind: whoever cannot be reached is asked again, which takes its time.
    let few = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1"];
    for (number, forbidden) in few.into_iter().enumerate() {
        let tickets = format!("kdc-{number}.public.example");
        let issuer = format!("login-{number}.public.example");
        for name in [&tickets, &issuer] {
            world.names.says(name, &[has(&[PUBLIC]), has(&[forbidden])]);
        }
        for method in ["Kerberos", "Negotiate"] {
            let more = json!({ "Method": method, "Username": "svc", "Password": "secret",
                "Domain": "CORP.EXAMPLE", "Kdc": format!("tcp://{tickets}:88") });
            world.try_out("steady.public.example", &more);
        }
        let more = json!({ "Method": "Application", "Issuer": format!("https://{issuer}/tenant"),
            "ClientId": "checklists", "ClientSecret": "secret" });
        world.try_out("steady.public.example", &more);
        assert!(world.names.times_asked(&tickets) > 1, "{tickets}");
        assert!(world.names.times_asked(&issuer) > 1, "{issuer}");
    }
    world.only("servers of tickets and tokens", &[PUBLIC]);
}

#[test]
fn an_opened_network_opens_nothing_else() {
    if !is_inside("rebinding::an_opened_network_opens_nothing_else") {
        return;
    }
    let world = World::begin();
    let host = "opened.public.example";
    for forbidden in FORBIDDEN {
        world.names.says(
            host,
            &[has(&[OPENED]), has(&[forbidden, OPENED]), has(&[forbidden])],
        );
        for more in ways() {
            let name = json!(format!("{forbidden} {more}"));
            let mut more = more;
            more["Name"] = name;
            world.try_out(host, &more);
        }
    }
    // Another origin does not lie there.
    world.names.says("closed.public.example", &[has(&[OPENED])]);
    world.try_out("closed.public.example", &json!({}));
    let before = world.only("names in an opened network", &[OPENED]);
    assert!(!before.is_empty(), "the opened network was never tried");
}
