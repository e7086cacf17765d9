//! Client authentication with a certificate instead of a secret: an assertion that is signed with
//! its key (RFC 7523, `private_key_jwt`).
//!
//! Signed as today's identity platforms require: PS256 with an RSA key, ES256 with a P-256 key, and
//! the certificate's SHA-256 in `x5t#S256`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_shared::phrase::PhraseCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::CertificateFacts;
use rustls::SignatureScheme;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::{Digest, Sha256};
use x509_cert::Certificate;
use x509_cert::der::asn1::UintRef;
use x509_cert::der::{Decode, Reader, SliceReader};

use checklist_runtime::clock::random;

/// The value of `client_assertion_type`.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// The lifetime of an assertion, in seconds.
const HOLDS: i64 = 5 * 60;
/// The permitted clock skew, in seconds.
const SKEW: i64 = 60;

/// The supported keys, the most common first: signature scheme and JWT algorithm.
const SCHEMES: [(SignatureScheme, &str); 2] = [
    (SignatureScheme::RSA_PSS_SHA256, "PS256"),
    (SignatureScheme::ECDSA_NISTP256_SHA256, "ES256"),
];
/// The length of each of the two integers of an ES256 signature, in bytes.
const HALF: usize = 32;

/// Why a certificate cannot be used. No variant contains any of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateError {
    /// There is no certificate.
    NoCertificate,
    /// There is no private key, or it is encrypted.
    NoKey,
    /// Certificate and key do not match, or are of an unsupported kind.
    NoPair,
    /// The kind of key is not supported.
    UnknownKey,
}

impl CertificateError {
    /// The phrase for people.
    #[must_use]
    pub const fn phrase(self) -> PhraseCode {
        match self {
            Self::NoCertificate => PhraseCode::CertificateMissing,
            Self::NoKey => PhraseCode::CertificateKeyMissing,
            Self::NoPair => PhraseCode::CertificateKeyOfAnother,
            Self::UnknownKey => PhraseCode::CertificateKeyUnsupported,
        }
    }
}

/// The system has no random numbers for a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gave no randomness")]
pub struct NoRandomness;

/// A certificate with its private key.
pub struct ClientCertificate {
    pair: CertifiedKey,
    scheme: SignatureScheme,
    algorithm: &'static str,
}

impl ClientCertificate {
    /// Reads both from PEM, in any order. Further certificates of the chain may follow the first.
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
        let (scheme, algorithm) = SCHEMES
            .into_iter()
            .find(|(scheme, _)| pair.key.choose_scheme(&[*scheme]).is_some())
            .ok_or(CertificateError::UnknownKey)?;
        Ok(Self {
            pair,
            scheme,
            algorithm,
        })
    }

    /// An assertion for that client, for one server and the present time.
    ///
    /// # Errors
    /// If there are no random numbers.
    pub fn assertion(
        &self,
        client_id: &str,
        token_endpoint: &str,
        now: Timestamp,
    ) -> Result<SecretString, NoRandomness> {
        let mut id = [0; 16];
        random(&mut id).map_err(|_| NoRandomness)?;
        let seconds = now.as_millis() / 1_000;
        let thumbprint = self.pair.cert.first().map(Sha256::digest);
        let head = json!({ "alg": self.algorithm, "typ": "JWT",
            "x5t#S256": URL_SAFE_NO_PAD.encode(thumbprint.unwrap_or_default()) });
        let claims = json!({ "iss": client_id, "sub": client_id, "aud": token_endpoint,
            "jti": URL_SAFE_NO_PAD.encode(id), "iat": seconds, "nbf": seconds - SKEW,
            "exp": seconds + HOLDS });
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&head), part(&claims));
        // The scheme was found in the key when it was read; only the random numbers can fail.
        let signer = self.pair.key.choose_scheme(&[self.scheme]);
        let signer = signer.ok_or(NoRandomness)?;
        let signed = signer.sign(text.as_bytes()).map_err(|_| NoRandomness)?;
        let signature = if self.scheme == SignatureScheme::ECDSA_NISTP256_SHA256 {
            side_by_side(&signed).ok_or(NoRandomness)?
        } else {
            signed
        };
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)).into())
    }
}

/// The public facts of a certificate; `None` if it cannot be read. Ignores the key.
#[must_use]
pub fn facts(pem: &SecretString) -> Option<CertificateFacts> {
    let pem = pem.expose_secret().as_bytes();
    let der = CertificateDer::pem_slice_iter(pem).next()?.ok()?;
    let tbs = Certificate::from_der(&der).ok()?.tbs_certificate;
    let time = |time: x509_cert::time::Time| {
        let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX / 1_000);
        Timestamp::from_millis(seconds * 1_000)
    };
    let digits = Sha256::digest(&der)
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    Some(CertificateFacts {
        subject: tbs.subject.to_string(),
        thumbprint: digits,
        not_before: time(tbs.validity.not_before),
        not_after: time(tbs.validity.not_after),
    })
}

/// Converts an ECDSA signature from ASN.1 to the form of JWTs (RFC 7518, 3.4): the two integers at
/// full length, concatenated.
fn side_by_side(der: &[u8]) -> Option<Vec<u8>> {
    let mut reader = SliceReader::new(der).ok()?;
    let numbers =
        reader.sequence(|inside| Ok([UintRef::decode(inside)?, UintRef::decode(inside)?]));
    let mut signature = Vec::with_capacity(2 * HALF);
    for number in numbers.ok()? {
        let bytes = number.as_bytes();
        signature.resize(signature.len() + HALF.checked_sub(bytes.len())?, 0);
        signature.extend_from_slice(bytes);
    }
    Some(signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_of_a_signature_are_filled_up_in_front() {
        // The integer 1, and one whose first bit is set, which ASN.1 prefixes with a zero byte.
        let signature = side_by_side(&[0x30, 8, 2, 1, 1, 2, 3, 0, 0x80, 7]).expect("two numbers");
        assert_eq!(signature.len(), 64);
        assert_eq!((signature[30], signature[31]), (0, 1));
        assert_eq!(&signature[61..], [0, 0x80, 7]);
        assert_eq!(side_by_side(&[0x30, 0]), None);
    }
}
