//! The configuration of `serve`, validated before anything is opened.
//!
//! Each file is one section: `listen`, `keys` (embed keys), `oidc`, `vault`,
//! `proxies`, `traces`. `cli` parses flags and environment variables and builds
//! [`Settings`]. A [`StartupError`] is a sentence, a hint and an exit code.

pub mod keys;
pub mod listen;
pub mod oidc;
pub mod proxies;
mod startup_error;
pub mod traces;
pub mod vault;

use std::fs;
use std::path::Path;

use std::time::Duration;

use checklist_shared::limits::Limits;

use checklist_auth::keys::KeyRing;
use checklist_auth::oidc::OidcSettings;
use checklist_auth::rates::Rates;
use checklist_egress::PrivateRange;
use checklist_services::base_url::BaseUrl;
use checklist_services::retention::Retention;
use checklist_store::database::Database;
use checklist_vault::VaultKeys;
use checklist_workflow::retry::RetryPolicy;

pub use proxies::{ForwardedBy, Proxies};
pub use startup_error::{Exit, StartupError};

/// The settings of `serve`.
pub struct Settings {
    /// Whether this is the demo: listens on loopback only and gives everybody tokens.
    pub demo: bool,
    /// The URL of a site that the demo connects to.
    pub demo_site: Option<String>,
    /// The address to listen on.
    pub listen: listen::Listen,
    /// The address of the metrics listener, if enabled.
    pub metrics_listen: Option<listen::Listen>,
    /// The public URL; `None` for the listening address.
    pub base_url: Option<BaseUrl>,
    /// The location of the data.
    pub database: Database,
    /// The embed keys of the configuration.
    pub keys: KeyRing,
    /// The identity provider.
    pub oidc: Option<OidcSettings>,
    /// Origins that requests may go to even in private networks, in addition to the provider's.
    pub allowed_origins: Vec<String>,
    /// Private networks that single origins may be in.
    pub private_ranges: Vec<PrivateRange>,
    /// Origins that the server may sign in to with its own identity.
    pub own_identity: Vec<String>,
    /// Encrypts and decrypts credentials for other systems.
    pub vault: Option<VaultKeys>,
    /// The rate limits.
    pub rates: Rates,
    /// The proxies whose forwarding headers are trusted.
    pub proxies: Proxies,
    /// The lifetime of a connection handle, in seconds.
    pub handle_seconds: u32,
    /// How long runs retry a site that does not respond.
    pub run_retries: RetryPolicy,
    /// How long rows are kept.
    pub retention: Retention,
    /// The maximum number of concurrent live streams.
    pub streams: usize,
    /// The maximum number of concurrent connections; `None` for the limit of the system.
    pub max_connections: Option<usize>,
    /// The timeout for the header of a request.
    pub head_timeout: Duration,
    /// The keep-alive timeout of an idle connection.
    pub idle_timeout: Duration,
    /// The timeout for a client that does not read its response.
    pub write_timeout: Duration,
    /// How long the server still answers after SIGTERM while `readyz` says that it stops.
    pub drain: Duration,
    /// The lifetime of a session of the built-in pages, in seconds.
    pub session_seconds: i64,
    /// Whether a commit waits for the disk.
    pub synchronous: Synchronous,
    /// The limits of lists and requests.
    pub limits: Limits,
}

/// Whether a commit waits until the disk has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Synchronous {
    /// Nothing acknowledged is lost when the power fails.
    #[default]
    Full,
    /// Faster; a power failure may take the last moments with it, a crash of the server does not.
    Normal,
}

impl Settings {
    /// Whether the configuration alone lets anybody sign in. Otherwise the database has to contain
    /// a key.
    #[must_use]
    pub fn lets_anybody_in(&self) -> bool {
        self.demo || self.oidc.is_some() || !self.keys.is_empty()
    }

    /// The error if nobody can sign in.
    #[must_use]
    pub fn nobody_is_let_in() -> StartupError {
        StartupError::configuration(
            "Nobody could sign in: no key of a host platform is registered, and no identity provider is named.",
            "Make a first key with checklist-server init, register one with --embed-key KID=FILE, name a provider with \
             --oidc-issuer URL, or try the product with --demo.",
        )
    }

    /// Checks combinations of options.
    ///
    /// # Errors
    /// Nobody could sign in, or the demo would be reachable from other machines.
    pub fn check(self) -> Result<Self, StartupError> {
        if let Some(origin) = self
            .allowed_origins
            .iter()
            .find(|text| !is_plain_origin(text))
        {
            return Err(StartupError::configuration(
                format!("{origin} is no single origin."),
                "Name scheme, host and port and nothing else, without a star: --allow-origin https://id.internal:8443.",
            ));
        }
        if self.demo && self.database.folder().is_none() {
            return Err(StartupError::configuration(
                "--demo gives everybody a token, so it does not work on a PostgreSQL that others may share.",
                "Leave out --database-url (or CHECKLIST_DATABASE_URL): the demo keeps its data in --data-dir.",
            ));
        }
        let places = [Some(self.listen), self.metrics_listen];
        let mut open = places.into_iter().flatten().filter(|at| !at.is_loopback());
        if let Some(open) = open.next().filter(|_| self.demo) {
            return Err(StartupError::configuration(
                format!("--demo gives everybody a token, so it does not listen on {open}."),
                "Listen on 127.0.0.1, or leave out --demo and register a key with --embed-key KID=FILE.",
            ));
        }
        if let Some(base) = self
            .base_url
            .as_ref()
            .filter(|base| self.demo && !base.is_loopback())
        {
            return Err(StartupError::configuration(
                format!("--demo gives everybody a token, so it is not reached as {base}."),
                "Use a base URL on localhost or 127.0.0.1, or leave out --demo and register a key with \
                 --embed-key KID=FILE.",
            ));
        }
        if let Some(base) = self
            .base_url
            .as_ref()
            .filter(|base| !base.is_https() && !base.is_loopback())
        {
            return Err(StartupError::configuration(
                format!("Tokens would travel to {base} in the clear."),
                "Put a proxy with TLS before the server and name its address: --base-url https://checks.example.org.",
            ));
        }
        if self.base_url.is_none() && !self.listen.is_loopback() && !self.listen.is_everywhere() {
            return Err(StartupError::configuration(
                format!(
                    "Tokens would travel to http://{} in the clear.",
                    self.listen
                ),
                "Put a proxy with TLS before the server and name its address: --base-url https://checks.example.org.",
            ));
        }
        if self.base_url.is_none() && self.listen.is_everywhere() {
            return Err(StartupError::configuration(
                format!(
                    "Listening on {} does not say how browsers reach the server.",
                    self.listen
                ),
                "Say it with --base-url, for example --base-url https://checks.example.org/platform.",
            ));
        }
        Ok(self)
    }
}

/// Whether a text is a single origin without wildcards. KDCs have the scheme `tcp`.
fn is_plain_origin(text: &str) -> bool {
    if let Some(tickets) = text.strip_prefix("tcp://") {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.[]:".contains(letter);
        let port = tickets
            .rsplit_once(':')
            .map(|(_, port)| port.parse::<u16>());
        return tickets.chars().all(plain) && matches!(port, Some(Ok(_)));
    }
    text.parse::<BaseUrl>()
        .is_ok_and(|base| base.path().is_empty() && base.to_string() == text)
        && !text.contains('*')
}

/// Fails if every user of the machine can access a secret file.
///
/// # Errors
/// The permissions of the file are too open.
#[cfg(unix)]
pub(crate) fn refuse_open_file(file: &Path) -> Result<(), StartupError> {
    use std::os::unix::fs::PermissionsExt as _;
    let open = fs::metadata(file).is_ok_and(|meta| meta.permissions().mode() & 0o007 != 0);
    if !open {
        return Ok(());
    }
    Err(StartupError::configuration(
        format!(
            "Everybody on this machine can read the secret file {}.",
            file.display()
        ),
        "Keep it to the server: chmod 600 FILE.",
    ))
}

#[cfg(not(unix))]
pub(crate) fn refuse_open_file(_file: &Path) -> Result<(), StartupError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_auth::demo::DemoIssuer;

    fn settings(
        demo: bool,
        keys: bool,
        listen: &str,
        base_url: Option<&str>,
    ) -> Result<Settings, StartupError> {
        let mut ring = KeyRing::default();
        if keys {
            let (_, key) = DemoIssuer::new("http://127.0.0.1").expect("randomness");
            assert!(ring.add(key).is_ok());
        }
        Settings {
            demo,
            listen: listen.parse().expect("an address"),
            metrics_listen: None,
            base_url: base_url.map(|url| url.parse().expect("a URL")),
            database: Database::Folder("data".into()),
            keys: ring,
            oidc: None,
            allowed_origins: Vec::new(),
            demo_site: None,
            private_ranges: Vec::new(),
            own_identity: Vec::new(),
            vault: None,
            rates: Rates::default(),
            proxies: Proxies::default(),
            handle_seconds: 60,
            run_retries: RetryPolicy::default(),
            streams: 10,
            max_connections: None,
            head_timeout: Duration::from_secs(1),
            idle_timeout: Duration::from_secs(1),
            write_timeout: Duration::from_secs(1),
            drain: Duration::ZERO,
            retention: Retention::default(),
            session_seconds: 3_600,
            synchronous: Synchronous::Full,
            limits: Limits::default(),
        }
        .check()
    }

    fn refused(demo: bool, keys: bool, listen: &str, base_url: Option<&str>) -> StartupError {
        let refusal = settings(demo, keys, listen, base_url)
            .err()
            .expect("a refusal");
        assert_eq!(refusal.exit, Exit::Configuration);
        refusal
    }

    #[test]
    fn a_demo_here_and_a_server_with_a_key_anywhere_may_start() {
        assert!(settings(true, false, "127.0.0.1:8080", None).is_ok());
        assert!(
            settings(
                true,
                true,
                "localhost:0",
                Some("http://localhost:8080/platform")
            )
            .is_ok()
        );
        assert!(settings(false, true, "127.0.0.1:8080", None).is_ok());
        assert!(
            settings(
                false,
                true,
                "0.0.0.0:80",
                Some("https://checks.example.org")
            )
            .is_ok()
        );
    }

    #[test]
    fn a_demo_does_not_share_a_database() {
        let mut settings = settings(true, false, "127.0.0.1:8080", None).expect("a demo");
        settings.database = Database::Shared("postgres://db/x".parse().expect("a URL"));
        let refusal = settings.check().err().expect("a refusal");
        assert_eq!(refusal.exit, Exit::Configuration);
        assert!(refusal.hint.contains("--database-url"));
    }

    #[test]
    fn a_demo_is_reached_from_this_machine_only() {
        for listen in ["0.0.0.0:8080", "192.168.1.5:8080", "[::]:8080"] {
            assert!(refused(true, false, listen, None).sentence.contains(listen));
        }
        for base in [
            "https://checks.example.org",
            "http://127.0.0.1.example.org",
            "http://192.168.1.5:8080",
        ] {
            assert!(
                refused(true, false, "127.0.0.1:8080", Some(base))
                    .sentence
                    .contains(base)
            );
        }
    }

    #[test]
    fn listening_everywhere_needs_a_base_url() {
        assert!(
            refused(false, true, "0.0.0.0:80", None)
                .hint
                .contains("--base-url")
        );
    }
}
