//! Generates signing keys. The server's own keys stay in memory and are never stored.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checklist_runtime::clock::{NoKey, random};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};

use super::ceiling::Ceiling;
use super::keys::EmbedKey;

/// The PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410).
const PKCS8: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// The private key as PKCS #8, PEM.
#[must_use]
pub fn private_pem(key: &EncodingKey) -> String {
    let text = STANDARD.encode(key.as_bytes());
    format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n")
}

/// Generates an Ed25519 key with this `kid` for tokens of `tenant`. Returns both halves.
///
/// # Errors
/// The operating system has no random numbers.
pub fn generate(kid: &str, tenant: &str) -> Result<(EncodingKey, EmbedKey), NoKey> {
    let mut der = [0; 48];
    let (head, seed) = der.split_at_mut(PKCS8.len());
    head.copy_from_slice(&PKCS8);
    random(seed).map_err(|_| NoKey)?;
    let key = EncodingKey::from_ed_der(&der);
    let public = Jwk::from_encoding_key(&key, Algorithm::EdDSA)
        .and_then(|jwk| DecodingKey::from_jwk(&jwk))
        .map_err(|_| NoKey)?;
    let public = EmbedKey {
        kid: kid.to_owned(),
        algorithm: Algorithm::EdDSA,
        tenant: Some(tenant.to_owned()),
        origins: None,
        issuer: None,
        ceiling: Ceiling::default(),
        own: true,
        expires_at: None,
        key: public,
    };
    Ok((key, public))
}
