//! A certificate by which this server says who it is at an authorization server, instead of a
//! secret: a statement signed with its key (RFC 7523, `private_key_jwt`).
//!
//! Signed as today's identity platforms ask for it: PS256, with the certificate's SHA-256 in
//! `x5t#S256`. Called by `grant`, and by `services::connections` to look at what was given.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_shared::time::Timestamp;
use rustls::SignatureScheme;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::clock::random;

/// What says that a statement is one.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// How long a statement holds, in seconds.
const HOLDS: i64 = 5 * 60;
/// How far another clock may be behind this one, in seconds.
const SKEW: i64 = 60;

/// Why a certificate cannot be used. None of them shows anything of what was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// There is no certificate.
    #[error("There is no certificate in it; give the certificate and its private key as PEM")]
    NoCertificate,
    /// There is no private key, or one behind a passphrase.
    #[error("There is no private key in it that can be read; give it as PEM, without a passphrase")]
    NoKey,
    /// They do not belong together, or are of no kind that is known.
    #[error("The private key does not belong to the certificate, or one of them cannot be read")]
    NoPair,
    /// It is no RSA key.
    #[error("The key has to be one of RSA, with 2048 bits at least")]
    NotRsa,
    /// There is no randomness.
    #[error("The system gave no randomness")]
    NoRandomness,
}

/// A certificate with its key.
pub struct ClientCertificate(CertifiedKey);

impl ClientCertificate {
    /// Reads both from PEM, in any order; further certificates of a chain may stand behind the
    /// first.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn read(pem: &SecretString) -> Result<Self, CertificateError> {
        let pem = pem.expose_secret().as_bytes();
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let chain = chain.map_err(|_| CertificateError::NoCertificate)?;
        if chain.is_empty() {
            return Err(CertificateError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| CertificateError::NoKey)?;
        let pair = CertifiedKey::from_der(chain, key, &ring::default_provider())
            .map_err(|_| CertificateError::NoPair)?;
        if pair
            .key
            .choose_scheme(&[SignatureScheme::RSA_PSS_SHA256])
            .is_none()
        {
            return Err(CertificateError::NotRsa);
        }
        Ok(Self(pair))
    }

    /// The statement that this is that client, for one server, now.
    ///
    /// # Errors
    /// There is no randomness.
    pub fn assertion(
        &self,
        client_id: &str,
        token_endpoint: &str,
        now: Timestamp,
    ) -> Result<SecretString, CertificateError> {
        let mut id = [0; 16];
        random(&mut id).map_err(|_| CertificateError::NoRandomness)?;
        let seconds = now.as_millis() / 1_000;
        let thumbprint = self.0.cert.first().map(Sha256::digest).unwrap_or_default();
        let head = json!({ "alg": "PS256", "typ": "JWT",
            "x5t#S256": URL_SAFE_NO_PAD.encode(thumbprint) });
        let claims = json!({ "iss": client_id, "sub": client_id, "aud": token_endpoint,
            "jti": URL_SAFE_NO_PAD.encode(id), "iat": seconds, "nbf": seconds - SKEW,
            "exp": seconds + HOLDS });
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&head), part(&claims));
        let signer = self.0.key.choose_scheme(&[SignatureScheme::RSA_PSS_SHA256]);
        let signature = signer
            .ok_or(CertificateError::NotRsa)?
            .sign(text.as_bytes())
            .map_err(|_| CertificateError::NoRandomness)?;
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)).into())
    }
}
