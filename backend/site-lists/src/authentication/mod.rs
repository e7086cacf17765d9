//! The nine authentication types, one file each, behind the `Authenticator` trait.
//!
//! Invariant: a rejected credential is reported at once and not sent again, so that no account is
//! locked out.

mod anonymous;
pub(crate) mod authenticator;
mod bearer;
mod challenge;
#[cfg(feature = "windows-sign-in")]
mod connection_bound;
mod cookies;
mod credentials;
mod digest;
mod forms;
#[cfg(feature = "windows-sign-in")]
mod kerberos;
#[cfg(feature = "windows-sign-in")]
mod kerberos_errors;
#[cfg(feature = "windows-sign-in")]
mod negotiate;
#[cfg(feature = "windows-sign-in")]
mod ntlm;
mod pass_through;
mod password_guard;
mod site_online;
#[cfg(feature = "windows-sign-in")]
mod spnego;
#[cfg(feature = "windows-sign-in")]
mod system_ticket;
#[cfg(feature = "windows-sign-in")]
mod windows;
mod xml;

use std::sync::Arc;

use url::Url;

use crate::account::Account;
use crate::connection::{AuthenticationType, SiteConnection};
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::{Identity, SiteOptions};
#[cfg(feature = "windows-sign-in")]
use crate::system_kerberos;
use authenticator::Authenticator;

/// The user that a site has to take the caller for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ExpectedUser {
    Anonymous,
    /// The account that the connection names, where it names one.
    User(Option<Account>),
}

pub(crate) fn expected_user(connection: &SiteConnection, options: &SiteOptions) -> ExpectedUser {
    use AuthenticationType as Type;
    if options.identity == Identity::Service {
        return ExpectedUser::User(None);
    }
    let username = connection.username.as_deref();
    let domain = connection.domain.as_deref();
    ExpectedUser::User(match connection.authentication_type {
        Type::Anonymous => return ExpectedUser::Anonymous,
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

/// The authenticator for a connection.
///
/// # Errors
/// The connection lacks what the method needs.
pub(crate) fn authenticator_for(
    connection: &SiteConnection,
    site: &Url,
    options: &SiteOptions,
) -> Result<Arc<dyn Authenticator>> {
    use AuthenticationType as Type;
    if options.identity == Identity::Service {
        return system_ticket_authenticator(connection, site);
    }
    Ok(match connection.authentication_type {
        Type::Anonymous => Arc::new(anonymous::Anonymous),
        Type::PassThrough => Arc::new(pass_through::PassThrough::new(options)?),
        Type::SiteOnline => match (&options.tokens, &options.legacy_token_service) {
            (Some(_), _) => Arc::new(bearer::Bearer::new(site, options)?),
            (None, Some(service)) => {
                Arc::new(site_online::legacy_site_online(connection, site, service)?)
            }
            (None, None) => return Err(site_online::unavailable_error()),
        },
        Type::Forms => Arc::new(forms::forms(connection, site)?),
        Type::Digest => Arc::new(digest::Digest::new(connection)?),
        Type::ServiceConnection => Arc::new(bearer::Bearer::new(site, options)?),
        Type::Ntlm | Type::Negotiate | Type::Kerberos => {
            windows_authenticator(connection, site, options)?
        }
    })
}

/// The method for a connection that signs in as this program itself.
fn system_ticket_authenticator(
    connection: &SiteConnection,
    site: &Url,
) -> Result<Arc<dyn Authenticator>> {
    let method = connection.authentication_type;
    if method != AuthenticationType::Kerberos {
        return Err(SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{method} does not sign in with a ticket of the system; Kerberos does."),
        )
        .with_field("AuthenticationType"));
    }
    connection_with_system_ticket(site)
}

#[cfg(feature = "windows-sign-in")]
fn connection_with_system_ticket(site: &Url) -> Result<Arc<dyn Authenticator>> {
    let library = system_kerberos::of_this_program().ok_or_else(no_system_kerberos_error)?;
    let ticket = system_ticket::SystemTicket::new(site, library);
    Ok(Arc::new(connection_bound::ConnectionBound::new(
        ticket, site,
    )))
}

#[cfg(not(feature = "windows-sign-in"))]
fn connection_with_system_ticket(_site: &Url) -> Result<Arc<dyn Authenticator>> {
    Err(no_system_kerberos_error())
}

fn no_system_kerberos_error() -> SiteError {
    SiteError::new(
        ErrorKind::NotSupported,
        "Kerberos with a ticket of the system is not part of this build (feature system-kerberos).",
    )
}

/// The method for a connection that signs in as Windows does.
#[cfg(feature = "windows-sign-in")]
fn windows_authenticator(
    connection: &SiteConnection,
    site: &Url,
    options: &SiteOptions,
) -> Result<Arc<dyn Authenticator>> {
    use negotiate::{NegotiateMechanism, Packages};
    let account = windows::WindowsAccount::new(connection, site)?;
    Ok(match connection.authentication_type {
        AuthenticationType::Kerberos => Arc::new(connection_bound::ConnectionBound::new(
            kerberos::kerberos_mechanism(account, options)?,
            site,
        )),
        AuthenticationType::Negotiate => {
            let kdc = options.key_distribution_centre.clone();
            let packages = kdc.map_or(Packages::NtlmOnly, Packages::Either);
            Arc::new(connection_bound::ConnectionBound::new(
                NegotiateMechanism { account, packages },
                site,
            ))
        }
        _ => Arc::new(connection_bound::ConnectionBound::new(
            ntlm::NtlmMechanism(account),
            site,
        )),
    })
}

#[cfg(not(feature = "windows-sign-in"))]
fn windows_authenticator(
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
