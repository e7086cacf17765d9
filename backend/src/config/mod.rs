//! The configuration of `serve`, validated before anything is opened.
//!
//! `check` finds what does not fit together; each other file is one section: `listen`, `keys` (embed keys), `oidc`, `vault`,
//! `proxies`, `traces`. `cli` parses flags and environment variables and builds
//! [`Settings`]. A [`StartupError`] is a sentence, a hint and an exit code.

pub mod check;
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
    /// Origins whose pages get tokens of the demo.
    pub demo_pages: Vec<String>,
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
    /// Whether reading the audit trail is a row in it.
    pub audit_reads: bool,
    /// The maximum number of concurrent live streams.
    pub streams: usize,
    /// How many bytes the lists in use take in memory at most.
    pub list_memory: usize,
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
