//! The nine ways to sign in, one file each, behind one small interface: a request goes in, signed
//! in it is sent, the answer comes out.
//!
//! Chosen by `site` from the connection's authentication type. Every method tries a credential
//! once: a refused password is told at once, so that no account is locked out.

mod anonymous;
pub(crate) mod authenticator;
#[cfg(feature = "windows-sign-in")]
mod bound;
mod challenge;
mod cookies;
mod credentials;
mod digest;
mod forms;
#[cfg(feature = "windows-sign-in")]
mod kerberos;
#[cfg(feature = "windows-sign-in")]
mod negotiate;
#[cfg(feature = "windows-sign-in")]
mod ntlm;
#[cfg(feature = "system-kerberos")]
mod own_ticket;
mod pass_through;
#[cfg(feature = "windows-sign-in")]
mod refusals;
#[cfg(feature = "windows-sign-in")]
mod security;
mod service_connection;
mod site_online;
#[cfg(all(feature = "windows-sign-in", any(feature = "system-kerberos", test)))]
mod spnego;
mod trial;
mod xml;

use std::sync::Arc;

use url::Url;

use crate::account::Account;
use crate::connection::{AuthenticationType, SiteConnection};
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::{Identity, SiteOptions};
use authenticator::Authenticator;

/// Whom a site has to know the caller as.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Nobody in particular.
    Nobody,
    /// Somebody; whom the connection names, where it does.
    Somebody(Option<Account>),
}

/// Whom a connection signs in as.
pub(crate) fn expected(connection: &SiteConnection, options: &SiteOptions) -> Expected {
    use AuthenticationType as Type;
    if options.identity == Identity::Service {
        return Expected::Somebody(None);
    }
    let username = connection.username.as_deref();
    let domain = connection.domain.as_deref();
    Expected::Somebody(match connection.authentication_type {
        Type::Anonymous => return Expected::Nobody,
        Type::ServiceConnection => None,
        Type::PassThrough => pass_through::account(options),
        Type::SiteOnline if options.tokens.is_some() => None,
        Type::SiteOnline | Type::Forms | Type::Digest => {
            username.map(|name| Account::plain(name, domain))
        }
        Type::Ntlm | Type::Negotiate | Type::Kerberos => {
            username.map(|name| Account::windows(name, domain))
        }
    })
}

/// The method for a connection.
///
/// # Errors
/// The connection lacks what the method needs.
pub(crate) fn sign_in(
    connection: &SiteConnection,
    site: &Url,
    options: &SiteOptions,
) -> Result<Arc<dyn Authenticator>> {
    use AuthenticationType as Type;
    if options.identity == Identity::Service {
        return with_own_ticket(connection, site);
    }
    Ok(match connection.authentication_type {
        Type::Anonymous => Arc::new(anonymous::Anonymous),
        Type::PassThrough => Arc::new(pass_through::PassThrough::new(options)?),
        Type::SiteOnline => match (&options.tokens, &options.legacy_token_service) {
            (Some(_), _) => Arc::new(service_connection::Bearer::new(site, options)?),
            (None, Some(service)) => Arc::new(site_online::Former::new(connection, site, service)?),
            (None, None) => return Err(site_online::switched_off()),
        },
        Type::Forms => Arc::new(forms::Forms::new(connection, site)?),
        Type::Digest => Arc::new(digest::Digest::new(connection)?),
        Type::ServiceConnection => Arc::new(service_connection::Bearer::new(site, options)?),
        Type::Ntlm | Type::Negotiate | Type::Kerberos => windows(connection, site, options)?,
    })
}

/// The method for a connection that signs in as this program itself.
fn with_own_ticket(connection: &SiteConnection, site: &Url) -> Result<Arc<dyn Authenticator>> {
    let method = connection.authentication_type;
    if method != AuthenticationType::Kerberos {
        return Err(SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{method} does not sign in with a ticket of the system; Kerberos does."),
        )
        .with_field("AuthenticationType"));
    }
    own_ticket_to(site)
}

#[cfg(feature = "system-kerberos")]
#[expect(clippy::unnecessary_wraps, reason = "other builds refuse")]
fn own_ticket_to(site: &Url) -> Result<Arc<dyn Authenticator>> {
    let ticket = own_ticket::OwnTicket::new(site);
    Ok(Arc::new(bound::Bound::new(ticket, site)))
}

#[cfg(not(feature = "system-kerberos"))]
fn own_ticket_to(_site: &Url) -> Result<Arc<dyn Authenticator>> {
    Err(SiteError::new(
        ErrorKind::NotSupported,
        "Kerberos with a ticket of the system is not part of this build (feature system-kerberos).",
    ))
}

/// The method for a connection that signs in as Windows does.
#[cfg(feature = "windows-sign-in")]
fn windows(
    connection: &SiteConnection,
    site: &Url,
    options: &SiteOptions,
) -> Result<Arc<dyn Authenticator>> {
    use negotiate::{NegotiateMechanism, Packages};
    let account = security::Account::new(connection, site)?;
    Ok(match connection.authentication_type {
        AuthenticationType::Kerberos => Arc::new(bound::Bound::new(
            kerberos::mechanism(account, options)?,
            site,
        )),
        AuthenticationType::Negotiate => {
            let centre = options.key_distribution_centre.clone();
            let packages = centre.map_or(Packages::NtlmOnly, Packages::Either);
            Arc::new(bound::Bound::new(
                NegotiateMechanism { account, packages },
                site,
            ))
        }
        _ => Arc::new(bound::Bound::new(ntlm::NtlmMechanism(account), site)),
    })
}

#[cfg(not(feature = "windows-sign-in"))]
fn windows(
    connection: &SiteConnection,
    _site: &Url,
    _options: &SiteOptions,
) -> Result<Arc<dyn Authenticator>> {
    let method = connection.authentication_type;
    Err(crate::error::SiteError::new(
        ErrorKind::NotSupported,
        format!("{method} is not part of this build (feature windows-sign-in)."),
    ))
}
