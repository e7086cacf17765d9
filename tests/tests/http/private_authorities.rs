//! `--ca-file`: another system whose certificate comes from an authority of the operator's own.
//!
//! What is asked is a webhook's receiver with TLS; everything that the server asks goes the same
//! way, and PostgreSQL is in `on_postgres/protected.rs`.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

use checklist_tests::{HostKey, Setup, incident, until};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use tempfile::TempDir;

/// An authority whose certificate is written into a file, and the TLS of a server of its network.
fn authority(file: &Path) -> Arc<ServerConfig> {
    let (key, own_key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let mut asked = CertificateParams::new(Vec::new()).unwrap();
    asked.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    std::fs::write(file, asked.self_signed(&key).unwrap().pem()).unwrap();
    let own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let own = own.signed_by(&own_key, &Issuer::new(asked, key)).unwrap();
    let key = PrivateKeyDer::try_from(own_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.der().clone()], key);
    Arc::new(tls.unwrap())
}

/// Takes every request as it is; ends with the test. Gives its origin.
fn receiver(tls: Arc<ServerConfig>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let tls = Arc::clone(&tls);
            std::thread::spawn(move || answer(stream, tls));
        }
    });
    format!("https://localhost:{port}")
}

fn answer(stream: TcpStream, tls: Arc<ServerConfig>) {
    let Ok(connection) = ServerConnection::new(tls) else {
        return;
    };
    let mut stream = StreamOwned::new(connection, stream);
    let mut bytes = [0; 8_192];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        // The body is JSON and comes at the end.
        let done = bytes[..count].trim_ascii_end().ends_with(b"}");
        if done
            && stream
                .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                .is_err()
        {
            return;
        }
    }
}

/// The first delivery to a receiver, after it was tried once.
fn first_delivery(setup: Setup, origin: &str) -> Value {
    let server = setup.argument("--allow-origin").argument(origin).start();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let wish = json!({ "Name": "Desk", "Url": format!("{origin}/hooks"), "Events": ["checklist.completed"] });
    admin.about_webhooks().send("", &wish).ok();
    admin.add("Ask");
    admin.tick("Ask");
    until("a delivery to be tried", || {
        let all = admin.about_deliveries().get("").ok();
        let first = all["Deliveries"].get(0)?;
        let one = admin.about_deliveries().get(first["Id"].as_str()?).ok();
        (one["Attempts"].as_u64() >= Some(1)).then_some(one)
    })
}

#[test]
fn an_authority_of_the_operators_own_is_trusted_once_it_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("authority.pem");
    let origin = receiver(authority(&file));
    let setup = || Setup::for_hosts(&[HostKey::of("north")]).with_vault();
    let refused = first_delivery(setup(), &origin);
    assert_ne!(refused["State"], "Delivered", "{refused}");
    let stranger = folder.path().join("stranger.pem");
    authority(&stranger);
    let both = [&stranger, &file]
        .map(|file| file.display().to_string())
        .join(",");
    let taken = first_delivery(setup().argument("--ca-file").argument(&both), &origin);
    assert_eq!(taken["State"], "Delivered", "{taken}");
}

#[test]
fn a_file_without_a_certificate_stops_the_start() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("empty.pem");
    std::fs::write(&file, "nothing").unwrap();
    for (file, says) in [
        (file.display().to_string(), "no certificate"),
        ("/not/there.pem".to_owned(), "/not/there.pem"),
    ] {
        let setup = Setup::for_hosts(&[HostKey::of("north")]);
        let said = setup.argument("--ca-file").argument(&file).refused(2);
        assert!(said.contains(says) && said.contains("hint:"), "{said}");
    }
}
