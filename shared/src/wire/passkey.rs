//! Passkeys of local administrators: what pages and server exchange around `navigator.credentials`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::time::Timestamp;

/// What a browser hands to its authenticator: the options of `navigator.credentials`, as JSON
/// (WebAuthn Level 3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PasskeyOptions {
    /// `PublicKeyCredentialCreationOptionsJSON` for a new passkey,
    /// `PublicKeyCredentialRequestOptionsJSON` for signing in.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub public_key: Value,
}

/// `POST /session/passkey`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct UsePasskey {
    /// What the authenticator has answered: `AuthenticationResponseJSON`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub credential: Value,
}

/// `POST /session/passkeys`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct NewPasskey {
    /// The name for people, such as that of the device.
    pub name: String,
    /// What the authenticator has answered: `RegistrationResponseJSON`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub credential: Value,
}

/// `PUT /session/passkeys/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct RenamePasskey {
    /// The new name.
    pub name: String,
}

/// `GET /session/passkeys`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Passkeys {
    /// The passkeys of the person who is signed in, oldest first.
    pub passkeys: Vec<Passkey>,
}

/// A passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Passkey {
    /// The credential id, base64url.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used to sign in; absent when never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
}
