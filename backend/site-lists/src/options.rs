//! What a caller decides besides the connection's own data: protocol, tokens, size of responses.

use std::fmt;
use std::sync::Arc;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::system_kerberos;
use crate::token_source::TokenSource;

/// Which protocol a site is spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Protocol {
    /// Microsoft Graph where the host is Graph's or the path begins with `/v1.0/`, else REST.
    #[default]
    Auto,
    /// SharePoint REST (`_api`).
    Rest,
    /// Microsoft Graph lists.
    Graph,
}

/// Who signs in, with a method that has more than one answer to that: `Kerberos`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Identity {
    /// Whom the connection names, with the password that it carries.
    #[default]
    Credentials,
    /// This program itself, with the ticket that the system has for it: from its ticket cache
    /// (`KRB5CCNAME`) or its keytab (`KRB5_CLIENT_KTNAME`). Never chosen for anybody: a caller says
    /// so, for a connection of its own. Only in programs that name the
    /// [system's Kerberos](crate::use_system_kerberos).
    Service,
}

impl Identity {
    /// Whether this program can sign in as itself.
    #[must_use]
    pub fn has_service() -> bool {
        system_kerberos::of_this_program().is_some()
    }
}

/// Decisions of the caller.
///
/// ```
/// use site_lists::{Protocol, SiteOptions};
///
/// let options = SiteOptions { protocol: Protocol::Graph, ..SiteOptions::default() };
/// assert!(options.user_agent.starts_with("NONISV|"));
/// ```
#[derive(Clone)]
pub struct SiteOptions {
    /// The protocol.
    pub protocol: Protocol,
    /// How the client introduces itself; decorated traffic is preferred:
    /// `NONISV|Company|App/1.0`.
    pub user_agent: String,
    /// Where tokens come from, for `ServiceConnection` and `SiteOnline`.
    pub tokens: Option<Arc<dyn TokenSource>>,
    /// The caller's own credential for the site, for `PassThrough`: `Bearer …` or `Basic …`.
    pub pass_through: Option<SecretString>,
    /// The token service of the former sign-in with user name and password, for `SiteOnline` on
    /// farms that still have one. The hosted service switched it off in 2026.
    pub legacy_token_service: Option<Url>,
    /// Where Kerberos tickets come from, `tcp://kdc.corp.example:88`.
    pub key_distribution_centre: Option<Url>,
    /// Who signs in.
    pub identity: Identity,
    /// Whether what Microsoft Graph cannot write (links) is written over SharePoint REST, at the
    /// site's own address and with a token for it.
    pub uses_rest_fallback: bool,
    /// The largest answer that is read, in bytes.
    pub max_response_bytes: usize,
}

impl Default for SiteOptions {
    fn default() -> Self {
        Self {
            protocol: Protocol::default(),
            user_agent: concat!(
                "NONISV|ChecklistControl|SiteLists/",
                env!("CARGO_PKG_VERSION")
            )
            .to_owned(),
            tokens: None,
            pass_through: None,
            legacy_token_service: None,
            key_distribution_centre: None,
            identity: Identity::default(),
            uses_rest_fallback: false,
            max_response_bytes: 64 << 20,
        }
    }
}

impl fmt::Debug for SiteOptions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SiteOptions")
            .field("protocol", &self.protocol)
            .field("identity", &self.identity)
            .field("user_agent", &self.user_agent)
            .field("rest_beside_graph", &self.uses_rest_fallback)
            .field("answer_bytes", &self.max_response_bytes)
            .finish_non_exhaustive()
    }
}
