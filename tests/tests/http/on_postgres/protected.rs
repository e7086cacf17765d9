//! TLS between the server and PostgreSQL: what each `sslmode` lets pass, and what it refuses.
//!
//! A PostgreSQL of the test's own shows a certificate that was made for `127.0.0.1`.

use std::path::{Path, PathBuf};

use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::{HostKey, Server, Setup, incident};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// An authority whose certificate lies in a file.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut asked = CertificateParams::new(Vec::new()).unwrap();
        asked.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        asked.distinguished_name.push(DnType::CommonName, name);
        let certificate = asked.self_signed(&key).unwrap();
        let file = folder.join(format!("{name}.pem"));
        std::fs::write(&file, certificate.pem()).unwrap();
        Self {
            issuer: Issuer::new(asked, key),
            file,
        }
    }

    /// Writes a certificate for that host and its key, as PostgreSQL reads them.
    fn certify(&self, folder: &Path, host: &str) {
        let key = KeyPair::generate().unwrap();
        let asked = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let certificate = asked.signed_by(&key, &self.issuer).unwrap();
        std::fs::write(folder.join("server.pem"), certificate.pem()).unwrap();
        let file = folder.join("server.key");
        std::fs::write(&file, key.serialize_pem()).unwrap();
        // PostgreSQL takes no key that others may read.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&file, mode).unwrap();
    }
}

/// A PostgreSQL whose certificate is for that host, the file of its authority, and that of another
/// one.
fn with_tls(host: &str) -> (OwnPostgres, PathBuf, PathBuf) {
    let mut files = None;
    let settings = [
        "ssl=on",
        "ssl_cert_file=../server.pem",
        "ssl_key_file=../server.key",
    ];
    let own = OwnPostgres::start(&settings, |folder| {
        let authority = Authority::new(folder, "authority");
        authority.certify(folder, host);
        files = Some((authority.file, Authority::new(folder, "stranger").file));
    });
    let (authority, stranger) = files.unwrap();
    (own, authority, stranger)
}

fn setup(own: &OwnPostgres, options: &str) -> Setup {
    Setup::for_hosts(&[HostKey::of("north")]).in_own_postgres(own, options)
}

/// Asserts that a list can be written and heard of, and whether the connections are protected.
#[track_caller]
fn works(server: &Server, is_protected: bool) {
    let person = server.editor_on(&incident("1").for_purpose("x"));
    let stream = person.follow();
    stream.next("list");
    person.add("over this connection");
    stream.next("items");
    let not = if is_protected { "NOT" } else { "" };
    // Sessions and the one that listens; the administrator who asks is another role.
    server.postgres().unwrap().run(&format!(
        "DO $$ BEGIN ASSERT (SELECT count(*) FROM pg_stat_activity \
             WHERE application_name = 'checklist-server') >= 2, 'connections'; \
         ASSERT NOT EXISTS (SELECT FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) \
             WHERE application_name = 'checklist-server' AND {not} ssl), 'protection'; END $$"
    ));
}

#[test]
fn with_require_every_connection_is_protected() {
    let (own, _, _) = with_tls("127.0.0.1");
    works(&setup(&own, "sslmode=require").start(), true);
}

#[test]
fn without_a_word_about_it_tls_is_used_where_the_server_has_it_unless_it_is_disabled() {
    let (own, _, _) = with_tls("127.0.0.1");
    works(&setup(&own, "").start(), true);
    works(&setup(&own, "sslmode=disable").start(), false);
}

#[test]
fn the_right_authority_and_the_right_name_are_let_pass() {
    let (own, authority, _) = with_tls("127.0.0.1");
    let options = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    works(&setup(&own, &options).start(), true);
}

#[test]
fn an_authority_that_the_operator_names_counts_like_the_systems() {
    let (own, authority, stranger) = with_tls("127.0.0.1");
    let trusting = |file: &Path| {
        let file = file.display().to_string();
        setup(&own, "sslmode=verify-full").environment("CHECKLIST_CA_FILE", &file)
    };
    works(&trusting(&authority).start(), true);
    let said = trusting(&stranger).refused(3);
    assert!(said.contains("authority"), "{said}");
}

#[test]
fn a_certificate_of_somebody_else_is_refused_with_its_reason() {
    let (own, _, stranger) = with_tls("127.0.0.1");
    for mode in ["require", "verify-ca", "verify-full"] {
        let options = format!("sslmode={mode}&sslrootcert={}", stranger.display());
        let said = setup(&own, &options).refused(3);
        assert!(said.contains("authority"), "{said}");
        assert!(said.contains("hint:"), "{said}");
    }
    // The system's authorities know nothing of it either.
    let said = setup(&own, "sslmode=verify-full").refused(3);
    assert!(said.contains("authority"), "{said}");
}

#[test]
fn a_certificate_for_another_host_is_refused_unless_nobody_asks_for_the_name() {
    let (own, authority, _) = with_tls("db.example.org");
    let options = |mode: &str| format!("sslmode={mode}&sslrootcert={}", authority.display());
    let said = setup(&own, &options("verify-full")).refused(3);
    assert!(said.contains("db.example.org"), "{said}");
    assert!(said.contains("127.0.0.1"), "{said}");
    works(&setup(&own, &options("verify-ca")).start(), true);
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    let own = OwnPostgres::start(&[], |_| {});
    for options in ["sslmode=require", "sslmode=verify-full"] {
        let said = setup(&own, options).refused(3);
        assert!(said.contains("TLS"), "{said}");
        assert!(said.contains("hint:"), "{said}");
    }
    works(&setup(&own, "sslmode=prefer").start(), false);
}

#[test]
fn options_that_are_not_understood_are_refused_with_their_names() {
    let own = OwnPostgres::start(&[], |_| {});
    for (options, word) in [
        ("sslmode=allow", "allow"),
        ("sslmode=yes", "verify-full"),
        ("sslcert=/me.pem", "sslcert"),
        (
            "sslmode=verify-full&sslrootcert=/not/there.pem",
            "/not/there.pem",
        ),
    ] {
        let said = setup(&own, options).refused(2);
        assert!(said.contains(word), "{said}");
    }
}
