//! What is stored of a connection: settings in plain text, and encrypted secrets.

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::{
    ConnectionIdentity, ConnectionMethod, GrantedAccess, SiteProtocol,
};
use checklist_store::administration::Cause;
use checklist_store::connections::{ConnectionRecord, SaveOutcome, SealedSecret};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_vault::{Binding, SealError};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::app::App;

/// The settings, stored as JSON in plain text.
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
    /// Increases when a person changes the connection, but not when a token is refreshed.
    pub(super) revision: u64,
}

impl ConnectionSettings {
    /// Parses the settings of a record.
    pub(super) fn of(record: &ConnectionRecord) -> ServiceResult<Self> {
        serde_json::from_str(&record.settings).map_err(|error| {
            tracing::error!(id = record.id, %error, "the settings of a connection cannot be read");
            ServiceError::new(
                ProblemCode::Internal,
                "The connection cannot be read; delete it and make it anew.",
            )
        })
    }

    pub(super) const fn takes_password(&self) -> bool {
        self.method.has_password() && matches!(self.identity, ConnectionIdentity::Credentials)
    }

    pub(super) fn json(&self) -> ServiceResult<String> {
        serde_json::to_string(self)
            .map_err(|_| ServiceError::new(ProblemCode::Internal, "The connection cannot be kept."))
    }
}

/// The secrets, stored encrypted. Has no `Debug` that reveals them.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ConnectionSecrets {
    #[serde(
        serialize_with = "serialize_exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) password: Option<SecretString>,
    #[serde(
        serialize_with = "serialize_exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) client_secret: Option<SecretString>,
    #[serde(
        serialize_with = "serialize_exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) refresh_token: Option<SecretString>,
    /// Certificate and private key, PEM.
    #[serde(
        serialize_with = "serialize_exposed",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub(super) client_certificate: Option<SecretString>,
    /// The access token of the last refresh, shared with the other nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) access: Option<StoredAccessToken>,
}

/// A stored access token. Has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredAccessToken {
    #[serde(serialize_with = "exposed_one")]
    pub(super) token: SecretString,
    /// The time until which a request may be started with it.
    pub(super) until: Timestamp,
}

fn exposed_one<S: Serializer>(secret: &SecretString, out: S) -> Result<S::Ok, S::Error> {
    secret.expose_secret().serialize(out)
}

/// Serialises a secret. Only for input of the vault.
fn serialize_exposed<S: Serializer>(
    secret: &Option<SecretString>,
    out: S,
) -> Result<S::Ok, S::Error> {
    secret
        .as_ref()
        .map(ExposeSecret::expose_secret)
        .serialize(out)
}

impl ConnectionSecrets {
    /// Decrypts the secrets of a record.
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

    /// Encrypts the secrets for a record; `None` if there are none.
    pub(super) fn seal(
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

    /// Seals the secrets into the record and saves it as its next revision, without a person.
    pub(super) async fn keep(
        &self,
        app: &App,
        record: &mut ConnectionRecord,
    ) -> ServiceResult<SaveOutcome> {
        record.sealed = self.seal(app, record)?;
        record.revision += 1;
        let saved = app.store().save_connection(record.clone(), Cause::Upkeep);
        Ok(saved.await?)
    }

    pub(super) fn is_empty(&self) -> bool {
        // An access token alone does not count: nobody has provided it.
        let given = [
            &self.password,
            &self.client_secret,
            &self.client_certificate,
            &self.refresh_token,
        ];
        given.iter().all(|secret| secret.is_none())
    }
}

/// The data that the ciphertext is bound to (associated data).
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
