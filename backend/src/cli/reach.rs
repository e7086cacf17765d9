//! What opens service connections, and where requests may go: options that the server and the
//! activities of the command line share.
//!
//! Read by `serve` and `site`.

use std::path::PathBuf;

use clap::Args;

use crate::config::{Refusal, vault};
use crate::egress::PrivateRange;
use crate::vault::VaultKeys;

/// The options.
#[derive(Debug, Args)]
pub struct ReachOptions {
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
    /// The file with the keys that seal passwords and tokens of service connections; without it
    /// none are kept. Make one with `vault new-key`. The demo makes its own.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
    vault_key: Option<PathBuf>,
}

impl ReachOptions {
    /// The keys of the vault, where a file is named.
    ///
    /// # Errors
    /// The file cannot be used.
    pub fn vault(&self) -> Result<Option<VaultKeys>, Refusal> {
        vault::read(self.vault_key.as_deref())
    }

    /// The private networks that single origins may lie in.
    ///
    /// # Errors
    /// One of them is none.
    pub fn private_ranges(&self) -> Result<Vec<PrivateRange>, Refusal> {
        let read = |text: &String| {
            text.parse().map_err(|error| {
                Refusal::configuration(
                    format!("--allow-private-range {text} cannot be used: {error}."),
                    "Name one origin and the network that it lies in: --allow-private-range \
                     https://intranet.example=10.2.0.0/16.",
                )
            })
        };
        self.allow_private_range.iter().map(read).collect()
    }
}
