//! What a server can be told when it starts; the command line and tests fill this in.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::query::THRESHOLD;

/// How a server is to be.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens without TLS.
    pub listen: SocketAddr,
    /// Where it listens with TLS, when it does.
    pub tls: Option<SocketAddr>,
    /// Where the certificate of the test authority is written; a file of its own otherwise.
    pub ca_file: Option<PathBuf>,
    /// Where the site is kept; in memory otherwise.
    pub data: Option<PathBuf>,
    /// Whose bearer tokens are taken; anybody's otherwise.
    pub check_tokens: Option<String>,
    /// What those tokens must be issued for, where that matters.
    pub audience: Option<String>,
    /// The header in which a proxy on this machine names who has signed in with it.
    pub remote_user_header: Option<String>,
    /// Whether a request without any sign-in is refused.
    pub sign_in_required: bool,
    /// The path of the site.
    pub site: String,
    /// The zone of dates without a time.
    pub zone: String,
    /// How many seconds a form digest holds.
    pub digest_seconds: i64,
    /// How many seconds a sign-in by form holds.
    pub session_seconds: i64,
    /// Beyond how many rows a query needs an index.
    pub threshold: usize,
    /// Whether ETags carry the item's id, as those of today's lists do.
    pub guid_etags: bool,
    /// The password of everybody who signs in by form.
    pub password: String,
}

impl Default for Options {
    /// A server for a test: on a free port of this machine, in memory.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls: None,
            ca_file: None,
            data: None,
            check_tokens: None,
            audience: None,
            remote_user_header: None,
            sign_in_required: false,
            site: "/sites/demo".to_owned(),
            zone: "America/Los_Angeles".to_owned(),
            digest_seconds: 1_800,
            session_seconds: 1_800,
            threshold: THRESHOLD,
            guid_etags: false,
            password: "Passw0rd!".to_owned(),
        }
    }
}

impl Options {
    /// A server for a test that also listens with TLS, which Graph's own client insists on.
    #[must_use]
    pub fn with_tls() -> Self {
        Self {
            tls: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            ..Self::default()
        }
    }
}
