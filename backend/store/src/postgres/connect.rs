//! Parses the database URL and connects.
//!
//! `tokio_postgres` parses hosts, names and passwords. `sslmode` and `sslrootcert` are parsed here,
//! because it supports only half of what they can say. `session` and `listener` connect with the
//! result.

use std::path::Path;

use tokio_postgres::config::{Host, SslMode};
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

/// How to connect.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) config: Config,
    tls: MakeRustlsConnect,
}

/// A connection, which has to be polled.
pub(super) type ConnectionDriver =
    Connection<Socket, <MakeRustlsConnect as tokio_postgres::tls::MakeTlsConnect<Socket>>::Stream>;

impl Connector {
    /// Parses a URL. The error message contains no secrets.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let (rest, protection) = split(url)?;
        let mut config: Config = rest.parse().map_err(|error: Error| said(&error))?;
        if config.get_hosts().is_empty() {
            return Err("it names no host".to_owned());
        }
        let local = |host: &Host| matches!(host, Host::Unix(_));
        // A Unix socket needs no TLS, and the server does not support it there.
        config.ssl_mode(if config.get_hosts().iter().all(local) {
            SslMode::Disable
        } else {
            protection.mode
        });
        Ok(Self {
            config,
            tls: tls::connector(&protection.trust)?,
        })
    }

    /// Connects. The client does nothing until the connection is polled.
    pub(super) async fn connect(&self) -> Result<(Client, ConnectionDriver), Error> {
        self.config.connect(self.tls.clone()).await
    }
}

/// The meaning of `sslmode` and `sslrootcert`.
#[derive(Debug, PartialEq, Eq)]
struct TlsSettings {
    mode: SslMode,
    trust: CertificateCheck,
}

/// The URL for `tokio_postgres`, and the TLS settings.
fn split(url: &str) -> Result<(String, TlsSettings), String> {
    // For `tokio_postgres`, everything before the first @ is role and password, which may contain a
    // ?.
    let after = url.find('@').unwrap_or(0);
    let Some(query) = url[after..].find('?').map(|at| after + at) else {
        return Ok((url.to_owned(), protection(None, None)?));
    };
    let (mut mode, mut roots) = (None, None);
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
    Ok((rest, protection(mode.as_deref(), roots.as_deref())?))
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

    fn of(query: &str) -> Result<(String, TlsSettings), String> {
        split(&format!("postgres://me:a?b@db:5/x{query}"))
    }

    fn protection_of(query: &str) -> TlsSettings {
        of(query).expect("a URL that is understood").1
    }

    fn file(name: &str) -> Roots {
        Roots::File(name.into())
    }

    #[test]
    fn what_is_said_of_tls_is_taken_out_and_the_rest_is_left_as_it_was() {
        let (rest, protection) = of(
            "?application_name=a%20b&sslmode=verify-full&sslrootcert=%2Fca+1.pem&connect_timeout=3",
        )
        .expect("a URL that is understood");
        assert_eq!(
            rest,
            "postgres://me:a?b@db:5/x?application_name=a%20b&connect_timeout=3"
        );
        assert_eq!(protection.trust, CertificateCheck::Name(file("/ca+1.pem")));
        let (rest, _) = of("?sslmode=disable").expect("a URL that is understood");
        assert_eq!(rest, "postgres://me:a?b@db:5/x");
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
        ] {
            let reason = of(query).expect_err("it is refused");
            assert!(reason.contains(word), "{query}: {reason}");
        }
    }
}
