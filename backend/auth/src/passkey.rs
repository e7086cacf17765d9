//! Passkeys (WebAuthn): the two ceremonies, adding a credential and signing in with it.
//!
//! `webauthn_rp` checks what an authenticator answers; this file decides what it is checked against.
//! Invariants: the authenticator has verified its user (PIN, fingerprint); an answer counts for this
//! server's origin only; a signature counter never goes back. Whoever calls keeps the challenges,
//! each for one answer.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_store::directory::{PasskeyRecord, SecretHash, UserRecord};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle,
};
use webauthn_rp::request::{AsciiDomain, ExtensionInfo, RpId};
use webauthn_rp::response::SentChallenge;
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

/// The length of a user handle: a SHA-256.
const HANDLE: usize = 32;

/// A public key, as it is stored.
type StoredKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// The server as authenticators know it: the host name of its address, and its origin.
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

/// A ceremony that has begun.
#[derive(Debug)]
pub struct Ceremony {
    /// SHA-256 of the challenge, by which the ceremony is found again.
    pub challenge: SecretHash,
    /// What the answer is checked against.
    pub state: String,
    /// The options for `navigator.credentials`, as JSON.
    pub options: Value,
}

/// A credential that was added.
#[derive(Debug, PartialEq, Eq)]
pub struct NewCredential {
    /// Its id, base64url.
    pub id: String,
    /// Its public key, encoded.
    pub public_key: String,
    /// Its flags and its counter, encoded.
    pub state: String,
}

/// Why an answer does not count. The text is for the log, and names nothing secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CeremonyError(String);

impl CeremonyError {
    fn new(reason: impl ToString) -> Self {
        Self(reason.to_string())
    }
}

/// What an authenticator has answered, before it is checked.
pub struct Answer<T> {
    parsed: T,
    /// SHA-256 of the challenge that it answers.
    pub challenge: SecretHash,
}

/// The answer that adds a credential.
pub type RegistrationAnswer = Answer<Registration>;
/// The answer that signs in.
pub type SignInAnswer = Answer<DiscoverableAuthentication<HANDLE>>;

impl RegistrationAnswer {
    /// Reads `RegistrationResponseJSON`.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(credential: &Value) -> Result<Self, CeremonyError> {
        let parsed = Registration::from_json_relaxed(credential.to_string().as_bytes())
            .map_err(CeremonyError::new)?;
        let challenge = parsed.challenge_relaxed().map_err(CeremonyError::new)?;
        Ok(Self {
            parsed,
            challenge: hash(challenge),
        })
    }
}

impl SignInAnswer {
    /// Reads `AuthenticationResponseJSON`.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(credential: &Value) -> Result<Self, CeremonyError> {
        let text = credential.to_string();
        let parsed = DiscoverableAuthentication::from_json_relaxed(text.as_bytes())
            .map_err(CeremonyError::new)?;
        let challenge = parsed.challenge_relaxed().map_err(CeremonyError::new)?;
        Ok(Self {
            parsed,
            challenge: hash(challenge),
        })
    }

    /// The id of the credential that has signed, base64url.
    #[must_use]
    pub fn credential_id(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.parsed.raw_id())
    }
}

impl RelyingParty {
    /// The server at that host and origin. `None` for an IP address, for which browsers make no
    /// passkeys.
    #[must_use]
    pub fn new(host: &str, origin: &str) -> Option<Self> {
        let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
        let domain = AsciiDomain::try_from(host.to_owned()).ok()?;
        (!is_address).then(|| Self {
            id: RpId::Domain(domain),
            origin: origin.to_owned(),
        })
    }

    /// Begins to add a credential for a person who has these already.
    ///
    /// # Errors
    /// The ceremony cannot be written down.
    pub fn begin_registration(
        &self,
        user: &UserRecord,
        present: &[PasskeyRecord],
    ) -> Result<Ceremony, CeremonyError> {
        let handle = user_handle(user)?;
        let entity = PublicKeyCredentialUserEntity::from(&handle);
        let mut options = PublicKeyCredentialCreationOptions::passkey(&self.id, entity, Vec::new());
        // Wished for and not enforced: most authenticators of platforms do not know the extension,
        // and a browser refuses them where it is enforced. Each sign-in asks for verification anyway.
        options.extensions.cred_protect =
            CredProtect::UserVerificationRequired(ExtensionInfo::AllowDontEnforceValue);
        let (server, client) = options.start_ceremony().map_err(CeremonyError::new)?;
        let mut options = serde_json::to_value(&client).map_err(CeremonyError::new)?;
        // What only the browser reads: the library takes no blanks in a name.
        options["user"]["name"] = json!(user.name);
        options["user"]["displayName"] = json!(user.name);
        options["rp"]["name"] = json!("Checklist Control");
        options["excludeCredentials"] = present
            .iter()
            .map(|passkey| json!({ "type": "public-key", "id": passkey.id }))
            .collect();
        ceremony(options, &server.encode().map_err(CeremonyError::new)?)
    }

    /// Checks the answer to [`Self::begin_registration`].
    ///
    /// # Errors
    /// The answer does not belong to the ceremony, to this server or to what was asked for.
    pub fn finish_registration(
        &self,
        state: &str,
        answer: &RegistrationAnswer,
    ) -> Result<NewCredential, CeremonyError> {
        let state = decoded(state)?;
        let server = RegistrationServerState::<HANDLE>::decode(state.as_slice())
            .map_err(CeremonyError::new)?;
        let origins = [self.origin.as_str()];
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            // Authenticators may add extensions of their own.
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        let credential = server
            .verify(&self.id, &answer.parsed, &options)
            .map_err(CeremonyError::new)?;
        let public_key = credential.static_state();
        let public_key = public_key.encode().map_err(CeremonyError::new)?;
        let state = credential.dynamic_state();
        let state = state.encode().map_err(CeremonyError::new)?;
        Ok(NewCredential {
            id: URL_SAFE_NO_PAD.encode(credential.id()),
            public_key: URL_SAFE_NO_PAD.encode(public_key),
            state: URL_SAFE_NO_PAD.encode(state),
        })
    }

    /// Begins to sign in, with whatever passkey the browser offers.
    ///
    /// # Errors
    /// The ceremony cannot be written down.
    pub fn begin_sign_in(&self) -> Result<Ceremony, CeremonyError> {
        let options = DiscoverableCredentialRequestOptions::passkey(&self.id);
        let (server, client) = options.start_ceremony().map_err(CeremonyError::new)?;
        let options = serde_json::to_value(&client).map_err(CeremonyError::new)?;
        ceremony(options, &server.encode().map_err(CeremonyError::new)?)
    }

    /// Checks the answer to [`Self::begin_sign_in`] by the stored passkey. Returns its new state.
    ///
    /// # Errors
    /// The answer does not belong to the ceremony, to this server or to the person, the signature
    /// is wrong, or the counter has gone back.
    pub fn finish_sign_in(
        &self,
        state: &str,
        answer: &SignInAnswer,
        passkey: &PasskeyRecord,
        user: &UserRecord,
    ) -> Result<String, CeremonyError> {
        let state = decoded(state)?;
        let server = DiscoverableAuthenticationServerState::decode(state.as_slice())
            .map_err(CeremonyError::new)?;
        let handle = user_handle(user)?;
        let public_key = decoded(&passkey.public_key)?;
        let public_key =
            StaticState::<StoredKey>::decode(public_key.as_slice()).map_err(CeremonyError::new)?;
        let before = decoded(&passkey.state)?.try_into();
        let before = before.map_err(|_| CeremonyError::new("the stored state is not whole"))?;
        let before = DynamicState::decode(before).map_err(CeremonyError::new)?;
        let id = answer.parsed.raw_id();
        let mut credential = AuthenticatedCredential::new(id, &handle, public_key, before)
            .map_err(CeremonyError::new)?;
        let origins = [self.origin.as_str()];
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        server
            .verify(&self.id, &answer.parsed, &mut credential, &options)
            .map_err(CeremonyError::new)?;
        let after = credential.dynamic_state();
        let after = after.encode().map_err(CeremonyError::new)?;
        Ok(URL_SAFE_NO_PAD.encode(after))
    }
}

/// The challenge is taken from what the browser is given, so that both are the same.
fn ceremony(options: Value, state: &[u8]) -> Result<Ceremony, CeremonyError> {
    let challenge = options["challenge"].as_str().unwrap_or_default();
    let challenge = decoded(challenge)?;
    Ok(Ceremony {
        challenge: Sha256::digest(challenge).into(),
        state: URL_SAFE_NO_PAD.encode(state),
        options,
    })
}

fn hash(challenge: SentChallenge) -> SecretHash {
    // As the library writes it into the options.
    Sha256::digest(challenge.0.to_le_bytes()).into()
}

fn decoded(text: &str) -> Result<Vec<u8>, CeremonyError> {
    URL_SAFE_NO_PAD.decode(text).map_err(CeremonyError::new)
}

/// The name of a person towards authenticators. It follows from the registration, so that it need
/// not be stored, and says nothing about the person.
fn user_handle(user: &UserRecord) -> Result<UserHandle<HANDLE>, CeremonyError> {
    let mut digest = Sha256::new();
    for part in [&user.tenant, &user.issuer, &user.subject] {
        // The length distinguishes ("ab", "c") from ("a", "bc").
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    UserHandle::decode(digest.finalize().into()).map_err(CeremonyError::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_name_is_no_relying_party() {
        for (host, is_one) in [
            ("checks.example.org", true),
            ("localhost", true),
            ("127.0.0.1", false),
            ("[::1]", false),
            ("::1", false),
        ] {
            assert_eq!(
                RelyingParty::new(host, "https://x").is_some(),
                is_one,
                "{host}"
            );
        }
    }

    #[test]
    fn each_ceremony_has_a_challenge_of_its_own_that_the_options_hold() {
        let server = RelyingParty::new("localhost", "http://localhost:8080").expect("a host name");
        let one = server.begin_sign_in().expect("a ceremony");
        let other = server.begin_sign_in().expect("a ceremony");
        assert_ne!(one.challenge, other.challenge);
        assert_eq!(one.options["rpId"], "localhost");
        assert_eq!(one.options["userVerification"], "required");
    }
}
