//! Parses the database URL and connects, to the one of several servers that accepts writes.
//!
//! `tokio_postgres` parses hosts, names and passwords. `sslmode` and `sslrootcert` are parsed here,
//! because it supports only half of what they can say. `session` and `listener` connect with the
//! result.

use std::error::Error as _;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;
use url::form_urlencoded;

use super::error::said;
use super::tls::{self, CertificateCheck, Roots};

/// Options of libpq for client keys, revocation lists and TLS versions, which are not supported.
const UNREAD: [&str; 11] = [
    "sslcert",
    "sslkey",
    "sslpassword",
    "sslcrl",
    "sslcrldir",
    "sslcertmode",
    "sslsni",
    "sslcompression",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
    "requiressl",
];

/// How long one of several servers may take to answer before the next one is asked.
const PATIENCE_PER_HOST: Duration = Duration::from_secs(2);

/// How to connect.
#[derive(Clone)]
pub(super) struct Connector {
    /// The same database on each of its servers, of which one accepts writes.
    hosts: Vec<Config>,
    /// Over how many partitions the tables of tenants are to be spread.
    partitions: Option<u8>,
    tls: MakeRustlsConnect,
    /// The place of the server that is asked first.
    first: Arc<AtomicUsize>,
    /// The place of the one that accepted the last connection.
    primary: Arc<AtomicUsize>,
    lost: watch::Sender<()>,
}

/// A connection, which has to be polled.
pub(super) type ConnectionDriver =
    Connection<Socket, <MakeRustlsConnect as tokio_postgres::tls::MakeTlsConnect<Socket>>::Stream>;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    /// The server refuses, or cannot be reached.
    #[error("{}", said(.0))]
    Refused(#[from] Error),
    /// It takes the connection and says nothing.
    #[error("no answer in time")]
    Silent,
}

impl Connector {
    /// Parses a URL. The error message contains no secrets.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let ParsedUrl {
            rest,
            protection,
            partitions,
        } = split(url)?;
        let hosts: Result<Vec<Config>, Error> =
            of_each_host(&rest).iter().map(|url| url.parse()).collect();
        let mut hosts = hosts.map_err(|error| said(&error))?;
        if hosts.iter().any(|config| config.get_hosts().is_empty()) {
            return Err("it names no host".to_owned());
        }
        let has_several = hosts.len() > 1;
        for config in &mut hosts {
            let local = |host: &Host| matches!(host, Host::Unix(_));
            // A Unix socket needs no TLS, and the server does not support it there.
            config.ssl_mode(if config.get_hosts().iter().all(local) {
                SslMode::Disable
            } else {
                protection.mode
            });
            // Of several servers one is the primary. Everything that is asked may write.
            if has_several {
                config.target_session_attrs(TargetSessionAttrs::ReadWrite);
            }
            if config.get_application_name().is_none() {
                config.application_name("checklist-server");
            }
            config
                .connect_timeout(Duration::from_secs(5))
                .keepalives_idle(Duration::from_secs(30))
                .tcp_user_timeout(Duration::from_secs(15));
        }
        Ok(Self {
            hosts,
            partitions,
            tls: tls::connector(&protection.trust)?,
            first: Arc::default(),
            primary: Arc::default(),
            lost: watch::Sender::new(()),
        })
    }

    /// The database on each of its servers.
    pub(super) fn hosts(&self) -> &[Config] {
        &self.hosts
    }

    /// Over how many partitions the tables of tenants are to be spread.
    pub(super) const fn partitions(&self) -> Option<u8> {
        self.partitions
    }

    /// Connects to the server that accepts writes, first to the one that did so the last time. The
    /// client does nothing until the connection is polled.
    pub(super) async fn connect(&self) -> Result<(Client, ConnectionDriver), ConnectError> {
        let first = self.first.load(Ordering::Relaxed);
        let mut failed: Option<ConnectError> = None;
        for at in 0..self.hosts.len() {
            let at = (first + at) % self.hosts.len();
            let connecting = self.hosts[at].connect(self.tls.clone());
            // A single server has the time that its caller has.
            let connected = if self.hosts.len() == 1 {
                connecting.await.map_err(ConnectError::from)
            } else {
                let patient = tokio::time::timeout(PATIENCE_PER_HOST, connecting);
                patient
                    .await
                    .map_or(Err(ConnectError::Silent), |connected| {
                        connected.map_err(ConnectError::from)
                    })
            };
            match connected {
                Ok(connected) => {
                    self.first.store(at, Ordering::Relaxed);
                    if self.primary.swap(at, Ordering::Relaxed) != at {
                        // What is still connected to the one before waits for nothing.
                        self.lose_all();
                    }
                    return Ok(connected);
                }
                // Of a standby nothing else can be expected, and a silent server may be the primary.
                Err(error) => match (&failed, &error) {
                    (Some(ConnectError::Silent), _) => {}
                    (Some(_), ConnectError::Refused(error)) if is_standby(error) => {}
                    _ => failed = Some(error),
                },
            }
        }
        if self.hosts.len() > 1 {
            // The time of the caller may not suffice for all: the next attempt begins elsewhere.
            let next = (first + 1) % self.hosts.len();
            self.first.store(next, Ordering::Relaxed);
        }
        Err(failed.unwrap_or(ConnectError::Silent))
    }

    /// Ends all connections: the server does not answer any more. Whoever waits for one is told so.
    pub(super) fn lose_all(&self) {
        self.lost.send_replace(());
    }

    /// Changes when all connections have to end.
    pub(super) fn lost(&self) -> watch::Receiver<()> {
        self.lost.subscribe()
    }
}

/// Whether a server has refused because it cannot be written.
fn is_standby(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref());
    source.is_some_and(|source: &std::io::Error| source.kind() == ErrorKind::PermissionDenied)
}

/// The URL for each of the hosts that it names.
fn of_each_host(url: &str) -> Vec<String> {
    let start = match url.find('@') {
        Some(at) => at + 1,
        None => url.find("://").map_or(0, |at| at + 3),
    };
    let end = url[start..]
        .find(['/', '?'])
        .map_or(url.len(), |at| start + at);
    let hosts = url[start..end].split(',');
    hosts
        .map(|host| [&url[..start], host, &url[end..]].concat())
        .collect()
}

/// The meaning of `sslmode` and `sslrootcert`.
#[derive(Debug, PartialEq, Eq)]
struct TlsSettings {
    mode: SslMode,
    trust: CertificateCheck,
}

/// What a URL says.
struct ParsedUrl {
    /// What `tokio_postgres` parses.
    rest: String,
    protection: TlsSettings,
    partitions: Option<u8>,
}

/// Takes out of a URL what `tokio_postgres` does not know.
fn split(url: &str) -> Result<ParsedUrl, String> {
    // For `tokio_postgres`, everything before the first @ is role and password, which may contain a
    // ?.
    let after = url.find('@').unwrap_or(0);
    let Some(query) = url[after..].find('?').map(|at| after + at) else {
        return Ok(ParsedUrl {
            rest: url.to_owned(),
            protection: protection(None, None)?,
            partitions: None,
        });
    };
    let (mut mode, mut roots, mut partitions) = (None, None, None);
    let mut others = Vec::new();
    for option in url[query + 1..]
        .split('&')
        .filter(|option| !option.is_empty())
    {
        // These URLs do not encode spaces as plus signs.
        let readable = option.replace('+', "%2B");
        let (name, value) = form_urlencoded::parse(readable.as_bytes())
            .next()
            .unwrap_or_default();
        let place = match &*name {
            "sslmode" => &mut mode,
            "sslrootcert" => &mut roots,
            "partitions" => &mut partitions,
            "host" | "hostaddr" | "port" if value.contains(',') => {
                return Err(
                    "several servers are named before the database: db1:5432,db2:5432".to_owned(),
                );
            }
            name if UNREAD.contains(&name) => {
                return Err(format!(
                    "{name} is not supported: of TLS it may name sslmode and sslrootcert"
                ));
            }
            _ => {
                others.push(option);
                continue;
            }
        };
        if place.replace(value.into_owned()).is_some() {
            return Err(format!("{name} is named twice"));
        }
    }
    let mut rest = url[..query].to_owned();
    if !others.is_empty() {
        rest.push('?');
        rest.push_str(&others.join("&"));
    }
    let partitions = partitions.map(|typed: String| match typed.parse() {
        Ok(partitions @ 2..=64) => Ok(partitions),
        _ => Err("partitions is a number from 2 to 64".to_owned()),
    });
    Ok(ParsedUrl {
        rest,
        protection: protection(mode.as_deref(), roots.as_deref())?,
        partitions: partitions.transpose()?,
    })
}

fn protection(mode: Option<&str>, roots: Option<&str>) -> Result<TlsSettings, String> {
    let named = match roots {
        None | Some("") => None,
        Some("system") => Some(Roots::System),
        Some(file) => Some(Roots::File(Path::new(file).to_path_buf())),
    };
    let (mode, trust) = match (mode.unwrap_or("prefer"), named) {
        ("disable", _) => (SslMode::Disable, CertificateCheck::Anybody),
        ("prefer", _) => (SslMode::Prefer, CertificateCheck::Anybody),
        // As in libpq: if a root certificate is named, it is verified.
        ("require", None) => (SslMode::Require, CertificateCheck::Anybody),
        ("require", Some(roots)) => (SslMode::Require, CertificateCheck::Authority(roots)),
        ("verify-ca", roots) => (
            SslMode::Require,
            CertificateCheck::Authority(roots.unwrap_or(Roots::System)),
        ),
        ("verify-full", roots) => (
            SslMode::Require,
            CertificateCheck::Name(roots.unwrap_or(Roots::System)),
        ),
        ("allow", _) => {
            return Err("sslmode=allow is not supported: prefer asks for TLS first".to_owned());
        }
        _ => {
            return Err(
                "sslmode is one of disable, prefer, require, verify-ca and verify-full".to_owned(),
            );
        }
    };
    // Anybody can get a certificate from a public CA: without the host name it proves nothing.
    if trust == CertificateCheck::Authority(Roots::System) {
        return Err(
            "without sslrootcert, or with the system's authorities, sslmode is verify-full"
                .to_owned(),
        );
    }
    Ok(TlsSettings { mode, trust })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Result<ParsedUrl, String> {
        split(&format!("postgres://me:a?b@db:5/x{query}"))
    }

    fn protection_of(query: &str) -> TlsSettings {
        of(query).expect("a URL that is understood").protection
    }

    fn file(name: &str) -> Roots {
        Roots::File(name.into())
    }

    #[test]
    fn what_is_said_of_tls_is_taken_out_and_the_rest_is_left_as_it_was() {
        let url = of(
            "?application_name=a%20b&sslmode=verify-full&sslrootcert=%2Fca+1.pem&partitions=16&connect_timeout=3",
        )
        .expect("a URL that is understood");
        assert_eq!(
            url.rest,
            "postgres://me:a?b@db:5/x?application_name=a%20b&connect_timeout=3"
        );
        assert_eq!(
            url.protection.trust,
            CertificateCheck::Name(file("/ca+1.pem"))
        );
        assert_eq!(url.partitions, Some(16));
        let url = of("?sslmode=disable").expect("a URL that is understood");
        assert_eq!(url.rest, "postgres://me:a?b@db:5/x");
        assert_eq!(url.partitions, None);
    }

    #[test]
    fn each_host_of_a_url_has_its_own_port_and_everything_else_in_common() {
        for (url, hosts) in [
            ("postgres://me:a,b/c@db/x", vec![("db", 5432)]),
            (
                "postgres://me@a,b:6000,[::1]:7000/x?options=-c%20a%3Db,c",
                vec![("a", 5432), ("b", 6000), ("::1", 7000)],
            ),
            ("postgres://a:1,b:2", vec![("a", 1), ("b", 2)]),
        ] {
            let connector = Connector::parse(url).expect(url);
            let found = connector.hosts().iter().map(|config| {
                let host = match config.get_hosts() {
                    [Host::Tcp(host)] => host.as_str(),
                    other => panic!("{url}: {other:?}"),
                };
                (host, config.get_ports().first().copied().unwrap_or(5432))
            });
            assert_eq!(found.collect::<Vec<_>>(), hosts, "{url}");
            let wants = match hosts.len() {
                1 => TargetSessionAttrs::Any,
                _ => TargetSessionAttrs::ReadWrite,
            };
            for config in connector.hosts() {
                assert_eq!(config.get_target_session_attrs(), wants, "{url}");
                let database = url.contains("/x").then_some("x");
                assert_eq!(config.get_dbname(), database, "{url}");
            }
        }
    }

    #[test]
    fn each_mode_asks_for_as_much_as_its_name_says() {
        for (query, mode, trust) in [
            ("", SslMode::Prefer, CertificateCheck::Anybody),
            (
                "?sslmode=disable",
                SslMode::Disable,
                CertificateCheck::Anybody,
            ),
            (
                "?sslmode=prefer",
                SslMode::Prefer,
                CertificateCheck::Anybody,
            ),
            (
                "?sslmode=require",
                SslMode::Require,
                CertificateCheck::Anybody,
            ),
            (
                "?sslmode=require&sslrootcert=ca",
                SslMode::Require,
                CertificateCheck::Authority(file("ca")),
            ),
            (
                "?sslmode=verify-ca&sslrootcert=ca",
                SslMode::Require,
                CertificateCheck::Authority(file("ca")),
            ),
            (
                "?sslmode=verify-full",
                SslMode::Require,
                CertificateCheck::Name(Roots::System),
            ),
            (
                "?sslmode=verify-full&sslrootcert=system",
                SslMode::Require,
                CertificateCheck::Name(Roots::System),
            ),
        ] {
            assert_eq!(protection_of(query), TlsSettings { mode, trust }, "{query}");
        }
    }

    #[test]
    fn what_is_not_supported_is_named() {
        for (query, word) in [
            ("?sslmode=allow", "allow"),
            ("?sslmode=on", "verify-full"),
            ("?sslmode=verify-ca", "sslrootcert"),
            ("?sslmode=require&sslrootcert=system", "verify-full"),
            ("?sslmode=require&sslmode=disable", "twice"),
            ("?sslcert=mine.pem", "sslcert"),
            ("?sslkey=mine.key", "sslkey"),
            ("?partitions=1", "from 2 to 64"),
            ("?partitions=many", "from 2 to 64"),
            ("?host=a,b", "before the database"),
            ("?port=1%2C2", "before the database"),
        ] {
            let reason = of(query).err().expect("it is refused");
            assert!(reason.contains(word), "{query}: {reason}");
        }
    }
}
