//! What stands in a connection: what is kept in the clear, and what is sealed.

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::{
    ConnectionIdentity, ConnectionMethod, GrantedAccess, SiteProtocol,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::app::App;
use crate::error::{ServiceError, ServiceResult};
use crate::storage::connections::{ConnectionRecord, SealedSecret};
use crate::vault::{Binding, SealError};

/// What is kept in the clear, JSON in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ConnectionSettings {
    pub(super) method: ConnectionMethod,
    #[serde(default)]
    pub(super) identity: ConnectionIdentity,
    pub(super) protocol: SiteProtocol,
    pub(super) url: String,
    pub(super) username: Option<String>,
    pub(super) domain: Option<String>,
    pub(super) kdc: Option<String>,
    #[serde(default)]
    pub(super) token_service: Option<String>,
    pub(super) ca_bundle: Option<String>,
    pub(super) timeout: Option<u32>,
    pub(super) provider: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) access: GrantedAccess,
    /// Grows when a person changes the connection, and not when a token is renewed.
    pub(super) revision: u64,
}

impl ConnectionSettings {
    /// Those of a record.
    pub(super) fn of(record: &ConnectionRecord) -> ServiceResult<Self> {
        serde_json::from_str(&record.settings).map_err(|error| {
            tracing::error!(id = record.id, %error, "the settings of a connection cannot be read");
            ServiceError::new(
                ProblemCode::Internal,
                "The connection cannot be read; delete it and make it anew.",
            )
        })
    }

    /// Whether a user signs in with a password.
    pub(super) const fn takes_password(&self) -> bool {
        self.method.has_password() && matches!(self.identity, ConnectionIdentity::Credentials)
    }

    /// As they are stored.
    pub(super) fn json(&self) -> ServiceResult<String> {
        serde_json::to_string(self)
            .map_err(|_| ServiceError::new(ProblemCode::Internal, "The connection cannot be kept."))
    }
}

/// What is sealed. Has no `Debug` that shows anything.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ConnectionSecrets {
    #[serde(
        serialize_with = "exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) password: Option<SecretString>,
    #[serde(
        serialize_with = "exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) client_secret: Option<SecretString>,
    #[serde(
        serialize_with = "exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) refresh_token: Option<SecretString>,
    /// Certificate and private key, PEM.
    #[serde(
        serialize_with = "exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) client_certificate: Option<SecretString>,
    /// What the last refresh brought, for the other nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) access: Option<StoredAccessToken>,
}

/// An access token that a refresh has brought. Has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredAccessToken {
    #[serde(serialize_with = "exposed_one")]
    pub(super) token: SecretString,
    /// Until when something may be begun with it.
    pub(super) until: Timestamp,
}

fn exposed_one<S: Serializer>(secret: &SecretString, out: S) -> Result<S::Ok, S::Error> {
    secret.expose_secret().serialize(out)
}

/// Written for the vault alone.
fn exposed<S: Serializer>(secret: &Option<SecretString>, out: S) -> Result<S::Ok, S::Error> {
    secret
        .as_ref()
        .map(ExposeSecret::expose_secret)
        .serialize(out)
}

impl ConnectionSecrets {
    /// Those of a record.
    pub(super) fn of(app: &App, record: &ConnectionRecord) -> ServiceResult<Self> {
        let Some(sealed) = &record.sealed else {
            return Ok(Self::default());
        };
        let vault = app.vault().ok_or_else(no_vault)?;
        let opened = vault
            .open(sealed, binding(record))
            .map_err(|error| not_opened(record, &error))?;
        serde_json::from_slice(&opened).map_err(|_| not_opened(record, &SealError::Changed))
    }

    /// Sealed for a record; nothing where there is nothing to seal.
    pub(super) fn sealed(
        &self,
        app: &App,
        record: &ConnectionRecord,
    ) -> ServiceResult<Option<SealedSecret>> {
        if self.is_empty() {
            return Ok(None);
        }
        let vault = app.vault().ok_or_else(no_vault)?;
        let failed = || ServiceError::new(ProblemCode::Internal, "The secret cannot be sealed.");
        let text = Zeroizing::new(serde_json::to_vec(self).map_err(|_| failed())?);
        let sealed = vault.seal(&text, binding(record)).map_err(|_| failed())?;
        Ok(Some(sealed))
    }

    pub(super) fn is_empty(&self) -> bool {
        // An access token alone would be nothing that anybody has given.
        let given = [
            &self.password,
            &self.client_secret,
            &self.client_certificate,
            &self.refresh_token,
        ];
        given.iter().all(|secret| secret.is_none())
    }
}

/// What the secrets of a record are bound to.
pub(super) fn binding(record: &ConnectionRecord) -> Binding<'_> {
    Binding {
        tenant: &record.tenant,
        connection: &record.id,
        origin: &record.origin,
    }
}

fn not_opened(record: &ConnectionRecord, error: &SealError) -> ServiceError {
    tracing::error!(id = record.id, %error, "the secrets of a connection cannot be opened");
    ServiceError::new(
        ProblemCode::VaultMissing,
        "What authenticates this connection cannot be opened; give it anew.",
    )
}

pub(super) fn no_vault() -> ServiceError {
    ServiceError::new(
        ProblemCode::VaultMissing,
        "This server keeps no secrets: it was started without a key for the vault (--vault-key).",
    )
}
