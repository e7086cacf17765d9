//! The data contract of a connection: the site, and the credentials for it.
//!
//! Invariant: a password is deserialised and never serialised or printed.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use crate::error::{ErrorKind, Result, SiteError};

/// Seconds that one attempt may take where the connection does not say.
pub const DEFAULT_TIMEOUT: u32 = 30;
/// The longest time that a connection may ask for, in seconds.
pub const MAX_TIMEOUT: u32 = 600;

/// How a connection signs in.
///
/// ```
/// use site_lists::AuthenticationType;
///
/// let method: AuthenticationType = serde_json::from_str("\"NTLM\"")?;
/// assert_eq!(method, AuthenticationType::Ntlm);
/// assert_eq!(method.to_string(), "NTLM");
/// assert_eq!("Kerberos".parse(), Ok(AuthenticationType::Kerberos));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AuthenticationType {
    /// Nobody in particular.
    Anonymous,
    /// With the credential that the caller brings for the site.
    PassThrough,
    /// The hosted service: OAuth, or its former dialogue where a farm still speaks it.
    SiteOnline,
    /// User name and password of the site's own, kept in a cookie.
    Forms,
    /// Kerberos or NTLM, as the two sides agree.
    Negotiate,
    /// Kerberos only.
    Kerberos,
    /// NTLM only.
    #[serde(rename = "NTLM")]
    Ntlm,
    /// HTTP digest.
    Digest,
    /// By a configured service connection.
    ServiceConnection,
}

impl AuthenticationType {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 9] = [
        Self::Anonymous,
        Self::PassThrough,
        Self::SiteOnline,
        Self::Forms,
        Self::Negotiate,
        Self::Kerberos,
        Self::Ntlm,
        Self::Digest,
        Self::ServiceConnection,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "Anonymous",
            Self::PassThrough => "PassThrough",
            Self::SiteOnline => "SiteOnline",
            Self::Forms => "Forms",
            Self::Negotiate => "Negotiate",
            Self::Kerberos => "Kerberos",
            Self::Ntlm => "NTLM",
            Self::Digest => "Digest",
            Self::ServiceConnection => "ServiceConnection",
        }
    }
}

impl fmt::Display for AuthenticationType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// No such way to sign in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no authentication type; there are Anonymous, PassThrough, SiteOnline, Forms, Negotiate, Kerberos, NTLM, Digest and ServiceConnection"
)]
pub struct UnknownAuthenticationType(String);

impl FromStr for AuthenticationType {
    type Err = UnknownAuthenticationType;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|method| method.name() == text)
            .ok_or_else(|| UnknownAuthenticationType(text.to_owned()))
    }
}

/// Where a site is and who asks it.
///
/// ```
/// use site_lists::{AuthenticationType, SiteConnection};
///
/// let connection: SiteConnection = serde_json::from_str(
///     r#"{"Url": "https://intranet.example/sites/it", "AuthenticationType": "NTLM",
///         "Username": "ada", "Password": "s3cret", "Domain": "CORP", "Timeout": 20}"#,
/// )?;
/// assert_eq!(connection.authentication_type, AuthenticationType::Ntlm);
/// // The password goes in and never comes out again.
/// assert!(!serde_json::to_string(&connection)?.contains("s3cret"));
/// assert!(!format!("{connection:?}").contains("s3cret"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteConnection {
    /// Base URL of the site: `https://intranet.example/sites/it`, or for Microsoft Graph
    /// `https://graph.microsoft.com/v1.0/sites/contoso.sharepoint.com:/sites/it`.
    pub url: String,
    /// User name for authentication, where the authentication type has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Password for authentication, where the authentication type has one.
    #[serde(
        default,
        serialize_with = "no_password",
        skip_serializing_if = "is_secret"
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub password: Option<SecretString>,
    /// Domain of the user, or realm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Authentication method.
    pub authentication_type: AuthenticationType,
    /// Seconds until the connection times out, for one attempt: 1 to 600, 30 where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// Reference to a service connection, if one is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_connection: Option<Uuid>,
}

/// What `skip_serializing` does, which would also leave the password out of the schema.
const fn is_secret<T>(_: &T) -> bool {
    true
}

fn no_password<T, S: Serializer>(_: &T, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_none()
}

impl SiteConnection {
    /// A connection with a URL and a way to sign in, and nothing else.
    #[must_use]
    pub fn new(url: impl Into<String>, authentication_type: AuthenticationType) -> Self {
        Self {
            url: url.into(),
            username: None,
            password: None,
            domain: None,
            authentication_type,
            timeout: None,
            service_connection: None,
        }
    }

    /// The same connection with user name and password.
    #[must_use]
    pub fn with_credentials(
        mut self,
        username: impl Into<String>,
        password: impl Into<SecretString>,
    ) -> Self {
        self.username = Some(username.into());
        self.password = Some(password.into());
        self
    }

    /// The time that one attempt may take.
    ///
    /// # Errors
    /// It is not within 1 to 600 seconds.
    pub fn attempt_timeout(&self) -> Result<Duration> {
        let seconds = self.timeout.unwrap_or(DEFAULT_TIMEOUT);
        if !(1..=MAX_TIMEOUT).contains(&seconds) {
            return Err(SiteError::new(
                ErrorKind::InvalidConnection,
                format!("A timeout is 1 to {MAX_TIMEOUT} seconds, not {seconds}."),
            )
            .with_field("Timeout"));
        }
        Ok(Duration::from_secs(seconds.into()))
    }
}
