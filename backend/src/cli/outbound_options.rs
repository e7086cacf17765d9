//! What opens service connections, and where requests may go: options that the server and the
//! activities of the command line share.

use std::path::PathBuf;
use std::time::Duration;

use checklist_egress::{Egress, PrivateRange, origin_of};
use checklist_vault::VaultKeys;
use checklist_workflow::retry::RetryPolicy;
use clap::Args;
use site_lists::Identity;

use crate::config::{Exit, StartupError, vault};

/// The options.
#[derive(Debug, Args)]
pub struct OutboundOptions {
    /// An origin that may be asked wherever it lies, beside the identity provider's own; a ticket
    /// server (Kerberos) is named as tcp://HOST:PORT. May be given several times.
    #[arg(
        long,
        value_name = "ORIGIN",
        env = "CHECKLIST_ALLOW_ORIGIN",
        value_delimiter = ','
    )]
    pub allow_origin: Vec<String>,
    /// A private network that a site's origin may lie in: ORIGIN=NETWORK, such as
    /// https://intranet.example=10.2.0.0/16. May be given several times.
    #[arg(
        long,
        value_name = "ORIGIN=NETWORK",
        env = "CHECKLIST_ALLOW_PRIVATE_RANGE",
        value_delimiter = ','
    )]
    allow_private_range: Vec<String>,
    /// An origin where service connections may sign in as this server itself, by Kerberos with the
    /// ticket that the system has for it (KRB5CCNAME or KRB5_CLIENT_KTNAME). May be given several
    /// times; only in builds with the feature system-kerberos.
    #[arg(
        long,
        value_name = "ORIGIN",
        env = "CHECKLIST_OWN_IDENTITY",
        value_delimiter = ','
    )]
    own_identity: Vec<String>,
    /// The file with the keys that seal passwords and tokens of service connections; without it
    /// none are kept. Make one with `vault new-key`. The demo makes its own.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
    vault_key: Option<PathBuf>,
}

/// How long runs of workflows try to reach a site that is away.
#[derive(Debug, Args)]
pub struct RunRetryOptions {
    /// For how many seconds a run of a workflow tries to reach a site that is away before it has
    /// failed: 0 to 2592000. A day, unless this says otherwise.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_RUN_GIVE_UP_AFTER",
          default_value_t = RetryPolicy::default().give_up_after.as_secs(),
          value_parser = clap::value_parser!(u64).range(..=2_592_000))]
    run_give_up_after: u64,
    /// The most seconds between two such tries, 1 to 3600. A site that asks to be left alone for
    /// longer is.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_RUN_LONGEST_PAUSE",
          default_value_t = RetryPolicy::default().longest_pause.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    run_longest_pause: u64,
}

impl RunRetryOptions {
    /// The policy that they make.
    #[must_use]
    pub fn policy(&self) -> RetryPolicy {
        RetryPolicy {
            give_up_after: Duration::from_secs(self.run_give_up_after),
            longest_pause: Duration::from_secs(self.run_longest_pause),
        }
    }
}

impl OutboundOptions {
    /// The keys of the vault, where a file is named.
    ///
    /// # Errors
    /// The file cannot be used.
    pub fn vault(&self) -> Result<Option<VaultKeys>, StartupError> {
        vault::read(self.vault_key.as_deref())
    }

    /// The origins where the server may sign in as itself.
    ///
    /// # Errors
    /// One of them is none, or this build has no identity of its own.
    pub fn own_identity(&self) -> Result<Vec<String>, StartupError> {
        if !self.own_identity.is_empty() && !Identity::has_service() {
            return Err(StartupError::configuration(
                "--own-identity cannot be used: this build has no Kerberos of the system's.",
                "Build the server with --features system-kerberos, or leave the option out.",
            ));
        }
        let read = |text: &String| {
            let found = origin_of(text).filter(|found| found == text.trim_end_matches('/'));
            found.ok_or_else(|| {
                StartupError::configuration(
                    format!("--own-identity {text} is not one origin."),
                    "Name scheme, host and port and nothing else: --own-identity https://intranet.example.",
                )
            })
        };
        self.own_identity.iter().map(read).collect()
    }

    /// The rules for what these options open, for a command that asks sites itself.
    ///
    /// # Errors
    /// An option cannot be used, or TLS cannot be set up.
    pub fn egress(&self) -> Result<Egress, StartupError> {
        let ranges = self.private_ranges()?;
        let egress = Egress::new(self.allow_origin.iter().cloned())
            .and_then(|egress| egress.with_private_ranges(&ranges))
            .map_err(|error| {
                StartupError::new(
                    Exit::Failed,
                    format!("No site can be asked: {error}."),
                    "This is a fault of the system's TLS.",
                )
            })?;
        Ok(egress.with_own_identity_at(self.own_identity()?))
    }

    /// The private networks that single origins may lie in.
    ///
    /// # Errors
    /// One of them is none.
    pub fn private_ranges(&self) -> Result<Vec<PrivateRange>, StartupError> {
        let read = |text: &String| {
            text.parse().map_err(|error| {
                StartupError::configuration(
                    format!("--allow-private-range {text} cannot be used: {error}."),
                    "Name one origin and the network that it lies in: --allow-private-range \
                     https://intranet.example=10.2.0.0/16.",
                )
            })
        };
        self.allow_private_range.iter().map(read).collect()
    }
}
