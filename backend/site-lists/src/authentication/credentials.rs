//! User name and password of a connection, and headers that carry secrets.
//!
//! Invariant: a header made here is marked as sensitive, so that it is never logged.

use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};

/// A header value that is never logged.
pub(super) fn secret_header(text: &str) -> Result<HeaderValue> {
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
pub(super) fn credentials(connection: &SiteConnection) -> Result<(&str, &SecretString)> {
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

/// The same, with the domain before the user name where the connection names one.
///
/// # Errors
/// User name or password is missing.
pub(super) fn qualified_credentials(connection: &SiteConnection) -> Result<(String, SecretString)> {
    let (username, password) = credentials(connection)?;
    let domain = connection.domain.as_deref().unwrap_or_default();
    let username = match domain {
        "" => username.to_owned(),
        domain => format!("{domain}\\{username}"),
    };
    Ok((username, password.clone()))
}
