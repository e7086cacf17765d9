//! The signing secrets of a webhook, encrypted by the vault. After a rotation, the old secret stays
//! valid for a while.

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_store::administration::Cause;
use checklist_store::connections::{SaveOutcome, SealedSecret};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::webhooks::WebhookRecord;
use checklist_vault::Binding;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::app::App;

/// The purpose that the ciphertext is bound to, instead of an origin.
const PURPOSE: &str = "webhook";

/// The secrets of a webhook. Has no `Debug`.
#[derive(Serialize, Deserialize)]
pub(super) struct WebhookSecrets {
    #[serde(serialize_with = "serialize_exposed")]
    pub(super) present: SecretString,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) old: Option<OldSecret>,
}

/// An old secret with its expiry.
#[derive(Serialize, Deserialize)]
pub(super) struct OldSecret {
    #[serde(serialize_with = "serialize_exposed")]
    pub(super) secret: SecretString,
    pub(super) until: Timestamp,
}

/// Serialises a secret. Only for input of the vault.
fn serialize_exposed<S: Serializer>(secret: &SecretString, out: S) -> Result<S::Ok, S::Error> {
    secret.expose_secret().serialize(out)
}

impl WebhookSecrets {
    /// The valid secrets, the current one first.
    pub(super) fn in_force(&self, now: Timestamp) -> Vec<&SecretString> {
        let old = self.old.iter().filter(|old| now < old.until);
        std::iter::once(&self.present)
            .chain(old.map(|old| &old.secret))
            .collect()
    }

    /// The expiry of the old secret, if it is still valid.
    pub(super) fn old_until(&self, now: Timestamp) -> Option<Timestamp> {
        let old = self.old.as_ref().map(|old| old.until);
        old.filter(|until| now < *until)
    }

    /// Encrypts the secrets for a webhook.
    pub(super) fn seal(&self, app: &App, tenant: &str, id: &str) -> ServiceResult<SealedSecret> {
        let failed = || ServiceError::new(ProblemCode::Internal, "The secret cannot be sealed.");
        let text = Zeroizing::new(serde_json::to_vec(self).map_err(|_| failed())?);
        let vault = app.vault().ok_or_else(no_vault)?;
        vault.seal(&text, binding(tenant, id)).map_err(|_| failed())
    }
}

/// Decrypts the secrets of a webhook.
///
/// # Errors
/// `VaultMissing` if they cannot be decrypted.
pub(super) fn open(app: &App, record: &WebhookRecord) -> ServiceResult<WebhookSecrets> {
    let vault = app.vault().ok_or_else(no_vault)?;
    let opened = vault.open(&record.sealed, binding(&record.tenant, &record.id));
    let secrets = opened
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok());
    secrets.ok_or_else(|| {
        ServiceError::new(
            ProblemCode::VaultMissing,
            "What this webhook signs with cannot be opened; give it a new secret.",
        )
    })
}

const fn binding<'a>(tenant: &'a str, id: &'a str) -> Binding<'a> {
    Binding {
        tenant,
        connection: id,
        origin: PURPOSE,
    }
}

pub(crate) fn no_vault() -> ServiceError {
    ServiceError::new(
        ProblemCode::VaultMissing,
        "This server keeps no secrets: it was started without a key for the vault (--vault-key).",
    )
}

/// Whether the secrets of a webhook can be decrypted.
#[must_use]
pub fn opens(app: &App, record: &WebhookRecord) -> bool {
    open(app, record).is_ok()
}

/// Re-encrypts the secrets of a webhook with the first key of the vault. `false` if that key has
/// encrypted them already, or the webhook was deleted meanwhile.
///
/// # Errors
/// The secrets cannot be decrypted, or the store failed.
pub async fn reseal(app: &App, record: &WebhookRecord) -> ServiceResult<bool> {
    let mut record = record.clone();
    loop {
        let vault = app.vault().ok_or_else(no_vault)?;
        if record.sealed.key_id == vault.current() {
            return Ok(false);
        }
        let secrets = open(app, &record)?;
        record.sealed = secrets.seal(app, &record.tenant, &record.id)?;
        record.revision += 1;
        match app
            .store()
            .save_webhook(record.clone(), Cause::Upkeep)
            .await?
        {
            SaveOutcome::Done => return Ok(true),
            SaveOutcome::Missing | SaveOutcome::NameTaken => return Ok(false),
            SaveOutcome::Changed => match app.store().webhook(&record.tenant, &record.id).await? {
                Some(newer) => record = newer,
                None => return Ok(false),
            },
        }
    }
}
