//! A service connection with decrypted credentials.
//!
//! Invariant: the type has no `Debug` and is never serialised.

use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::connections::{ConnectionIdentity, ConnectionMethod, SiteProtocol};
use checklist_store::connections::ConnectionRecord;
use checklist_store::error::{ServiceError, ServiceResult};
use secrecy::SecretString;
use site_lists::{AuthenticationType, SiteConnection};

use super::record::find_record;
use super::settings::{ConnectionSecrets, ConnectionSettings};
use super::token;
use crate::app::App;

/// A service connection with its credentials. Has no `Debug`.
#[derive(Clone)]
pub struct DecryptedConnection {
    /// The id of the connection, a UUID.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The sign-in method.
    pub method: ConnectionMethod,
    /// The identity that the server signs in with.
    pub identity: ConnectionIdentity,
    /// The protocol of the site.
    pub protocol: SiteProtocol,
    /// The argument of the site-lists client.
    pub site: SiteConnection,
    /// The only origin that requests may go to.
    pub origin: String,
    /// The address of the KDC.
    pub kdc: Option<String>,
    /// The token service of the legacy `SiteOnline` sign-in.
    pub token_service: Option<String>,
    /// Additional trusted CA certificates, PEM.
    pub ca_bundle: Option<String>,
    settings_revision: u64,
    record: ConnectionRecord,
}

/// Decrypts a connection of a tenant.
///
/// # Errors
/// `ConnectionNotFound`; `ConnectionNeedsSignIn` if its password is missing; `VaultMissing`.
pub async fn open(app: &App, tenant: &str, id: &str) -> ServiceResult<DecryptedConnection> {
    let record = find_record(app, tenant, id).await?;
    let settings = ConnectionSettings::of(&record)?;
    let secrets = ConnectionSecrets::of(app, &record)?;
    if settings.takes_password() && secrets.password.is_none() {
        return Err(ServiceError::new(
            ProblemCode::ConnectionNeedsSignIn,
            "The connection has no password; its owner has to give it.",
        ));
    }
    Ok(DecryptedConnection {
        id: record.id.clone(),
        name: record.name.clone(),
        method: settings.method,
        identity: settings.identity,
        protocol: settings.protocol,
        site: SiteConnection {
            url: settings.url,
            username: settings.username,
            password: secrets.password,
            domain: settings.domain,
            authentication_type: authentication_type(settings.method),
            timeout: settings.timeout,
            service_connection: uuid::Uuid::try_parse(&record.id).ok(),
        },
        origin: record.origin.clone(),
        kdc: settings.kdc,
        token_service: settings.token_service,
        ca_bundle: settings.ca_bundle,
        settings_revision: settings.revision,
        record,
    })
}

impl DecryptedConnection {
    /// Changes with every change by a person, but not when a token is refreshed.
    #[must_use]
    pub fn version(&self) -> String {
        format!("{} {}", self.settings_revision, self.record.created_at)
    }

    /// Whether the settings are still those that it was decrypted with.
    pub(super) fn is_of(&self, settings: &ConnectionSettings) -> bool {
        self.settings_revision == settings.revision
    }

    /// The access token of a connection that uses OAuth. Never the token that the site has
    /// rejected.
    ///
    /// # Errors
    /// See `token::of`.
    pub async fn access_token(
        &self,
        app: &App,
        refused: Option<&SecretString>,
    ) -> ServiceResult<SecretString> {
        token::of(app, &self.record, refused).await
    }
}

/// The authentication type of a connection's method.
const fn authentication_type(method: ConnectionMethod) -> AuthenticationType {
    match method {
        ConnectionMethod::Anonymous => AuthenticationType::Anonymous,
        ConnectionMethod::PassThrough => AuthenticationType::PassThrough,
        ConnectionMethod::SiteOnline => AuthenticationType::SiteOnline,
        ConnectionMethod::Forms => AuthenticationType::Forms,
        ConnectionMethod::Negotiate => AuthenticationType::Negotiate,
        ConnectionMethod::Kerberos => AuthenticationType::Kerberos,
        ConnectionMethod::Ntlm => AuthenticationType::Ntlm,
        ConnectionMethod::Digest => AuthenticationType::Digest,
        ConnectionMethod::Delegated | ConnectionMethod::Application => {
            AuthenticationType::ServiceConnection
        }
    }
}
