//! A service connection with its credentials decrypted.
//!
//! Invariant: it has no `Debug` and is never serialised.

use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::connections::{ConnectionIdentity, ConnectionMethod, SiteProtocol};
use secrecy::SecretString;
use site_lists::{AuthenticationType, SiteConnection};

use super::settings::{ConnectionSecrets, ConnectionSettings};
use super::{found, token};
use crate::app::App;
use crate::error::{ServiceError, ServiceResult};
use crate::storage::connections::ConnectionRecord;

/// A service connection and its credentials. Has no `Debug`.
#[derive(Clone)]
pub struct DecryptedConnection {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// How to sign in.
    pub method: ConnectionMethod,
    /// Whose identity that is with.
    pub identity: ConnectionIdentity,
    /// What the site speaks.
    pub protocol: SiteProtocol,
    /// What the client of site lists is given.
    pub site: SiteConnection,
    /// The only origin that may be asked.
    pub origin: String,
    /// Where tickets come from.
    pub kdc: Option<String>,
    /// The token service of the former dialogue of SiteOnline.
    pub token_service: Option<String>,
    /// Certificates that count beside the system's, PEM.
    pub ca_bundle: Option<String>,
    settings_revision: u64,
    record: ConnectionRecord,
}

/// Decrypts a connection of a tenant.
///
/// # Errors
/// `ConnectionNotFound`; `ConnectionNeedsSignIn` when its password is missing; `VaultMissing`.
pub async fn open(app: &App, tenant: &str, id: &str) -> ServiceResult<DecryptedConnection> {
    let record = found(app, tenant, id).await?;
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
    /// Differs as soon as somebody has changed the connection; renewed tokens make no difference.
    #[must_use]
    pub fn version(&self) -> String {
        format!("{} {}", self.settings_revision, self.record.created_at)
    }

    /// Whether these are still the settings that it was opened with.
    pub(super) fn is_of(&self, settings: &ConnectionSettings) -> bool {
        self.settings_revision == settings.revision
    }

    /// The access token of a connection that signs in with an authorization server; another one
    /// than the site has refused.
    ///
    /// # Errors
    /// As `token::of`.
    pub async fn access_token(
        &self,
        app: &App,
        refused: Option<&SecretString>,
    ) -> ServiceResult<SecretString> {
        token::of(app, &self.record, refused).await
    }
}

/// The authentication type that a connection's method stands for.
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
