//! The nine ways to sign in, one file each, behind one small interface: a request goes in, signed
//! in it is sent, the answer comes out.
//!
//! Chosen by `site` from the connection's authentication type. Every method tries a credential
//! once: a refused password is told at once, so that no account is locked out.

mod anonymous;
mod pass_through;
mod service_connection;

use std::sync::Arc;

use async_trait::async_trait;
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::connection::{AuthenticationType, SiteConnection};
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;
use crate::transport::{Request, Response};
use crate::wire::{Failure, Way};

pub use service_connection::TokenSource;

/// Sends requests signed in.
#[async_trait]
pub(crate) trait SignIn: Send + Sync {
    /// Sends a request, and once more where the session had ended. An answer 401 that comes back
    /// means that the credentials are refused.
    async fn exchange(
        &self,
        request: Request,
        way: Way<'_>,
    ) -> std::result::Result<Response, Failure>;

    /// Whether writes to SharePoint need a form digest as well; not with a bearer token.
    fn needs_digest(&self) -> bool {
        true
    }
}

/// The method for a connection.
///
/// # Errors
/// The connection lacks what the method needs.
pub(crate) fn sign_in(
    connection: &SiteConnection,
    site: &Url,
    options: &SiteOptions,
) -> Result<Arc<dyn SignIn>> {
    Ok(match connection.authentication_type {
        AuthenticationType::Anonymous => Arc::new(anonymous::Anonymous),
        AuthenticationType::PassThrough => Arc::new(pass_through::PassThrough::new(options)?),
        AuthenticationType::ServiceConnection => {
            Arc::new(service_connection::Bearer::new(site, options)?)
        }
        other => {
            return Err(SiteError::new(
                ErrorKind::NotSupported,
                format!("{other} is not supported by this build."),
            ));
        }
    })
}

/// A header's value that is never shown.
fn secret_header(text: &str) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(text).map_err(|_| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            "The credential holds characters that no header can carry.",
        )
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// User name and password of a connection.
///
/// # Errors
/// One of them is missing.
#[expect(dead_code, reason = "the methods with passwords follow")]
fn credentials(connection: &SiteConnection) -> Result<(&str, &SecretString)> {
    let method = connection.authentication_type;
    let missing = |what: &str, field: &str| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{method} needs a {what}."),
        )
        .with_field(field)
    };
    let username = connection
        .username
        .as_deref()
        .filter(|name| !name.is_empty());
    let username = username.ok_or_else(|| missing("user name", "Username"))?;
    let password = connection
        .password
        .as_ref()
        .filter(|password| !password.expose_secret().is_empty());
    let password = password.ok_or_else(|| missing("password", "Password"))?;
    Ok((username, password))
}
