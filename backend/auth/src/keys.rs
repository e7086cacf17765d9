//! The public keys that host platforms sign embed tokens with.
//!
//! A key comes from a file: PEM (SubjectPublicKeyInfo), a JWK or a JWK set; Ed25519 or P-256. The
//! key determines the algorithm: a token's header is only compared with it.

use std::collections::HashMap;

use checklist_shared::time::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, crypto, jwk};
use serde::Deserialize;

use super::ceiling::Ceiling;

/// A public key with its algorithm and restrictions.
#[derive(Clone)]
pub struct EmbedKey {
    /// The key id that tokens name in their header.
    pub kid: String,
    /// EdDSA or ES256.
    pub algorithm: Algorithm,
    /// The only tenant that it may sign for; `None` for any.
    pub tenant: Option<String>,
    /// The only origins whose pages may use its tokens; `None` for any.
    pub origins: Option<Vec<String>>,
    /// The only issuer that its tokens may name; `None` for any except the server itself.
    pub issuer: Option<String>,
    /// The most that its tokens may allow.
    pub ceiling: Ceiling,
    /// Whether the server itself signs with it, for API keys or in the demo.
    pub own: bool,
    /// The expiry of the key.
    pub expires_at: Option<Timestamp>,
    pub(super) key: DecodingKey,
}

impl EmbedKey {
    /// A key from a file, for any tenant, origin and issuer.
    fn of_file(kid: String, (algorithm, key): (Algorithm, DecodingKey)) -> Self {
        Self {
            kid,
            algorithm,
            tenant: None,
            origins: None,
            issuer: None,
            ceiling: Ceiling::default(),
            own: false,
            expires_at: None,
            key,
        }
    }
}

/// Why a key cannot be used. The message continues a sentence that starts with the file name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Neither PEM nor JSON of the expected form.
    #[error("is neither a PEM public key nor a JWK nor a JWK set")]
    Unreadable,
    /// A private key.
    #[error("holds a private key; register the public half only")]
    Private,
    /// Another algorithm than Ed25519 or P-256.
    #[error("holds a key of another kind; use Ed25519 (EdDSA) or P-256 (ES256)")]
    Unsupported,
    /// A key of a set without `kid`.
    #[error("holds a JWK without a kid")]
    Unnamed,
    /// An empty set.
    #[error("holds no key")]
    Empty,
    /// One name for several keys.
    #[error(
        "holds several keys, so they keep the kids in the file; leave out the KID= before its name"
    )]
    Several,
}

/// Parses the keys in a file. `name` is the `kid` of a key without one, or replaces it if `chosen`.
///
/// # Errors
/// The file contains no usable key.
pub fn read_keys(content: &str, name: &str, chosen: bool) -> Result<Vec<EmbedKey>, KeyError> {
    if content.trim_start().starts_with('{') {
        read_json(content, name, chosen)
    } else {
        read_pem(content).map(|key| vec![EmbedKey::of_file(name.to_owned(), key)])
    }
}

fn read_pem(content: &str) -> Result<(Algorithm, DecodingKey), KeyError> {
    if content.contains("PRIVATE KEY") {
        return Err(KeyError::Private);
    }
    if !content.contains("-----BEGIN ") {
        return Err(KeyError::Unreadable);
    }
    let pem = content.as_bytes();
    let found = DecodingKey::from_ed_pem(pem)
        .map(|key| (Algorithm::EdDSA, key))
        .or_else(|_| DecodingKey::from_ec_pem(pem).map(|key| (Algorithm::ES256, key)));
    let (algorithm, key) = found.map_err(|_| KeyError::Unsupported)?;
    check_signing_key(algorithm, key)
}

fn read_json(content: &str, name: &str, chosen: bool) -> Result<Vec<EmbedKey>, KeyError> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Jwk>,
    }
    let jwks = match serde_json::from_str::<Set>(content) {
        Ok(set) => set.keys,
        Err(_) => vec![serde_json::from_str::<Jwk>(content).map_err(|_| KeyError::Unreadable)?],
    };
    if jwks.is_empty() {
        return Err(KeyError::Empty);
    }
    if chosen && jwks.len() > 1 {
        return Err(KeyError::Several);
    }
    jwks.into_iter()
        .map(|jwk| {
            let kid = if chosen {
                Some(name.to_owned())
            } else {
                jwk.kid.clone()
            };
            let key = jwk.decode()?;
            let kid = kid.filter(|kid| !kid.is_empty()).ok_or(KeyError::Unnamed)?;
            Ok(EmbedKey::of_file(kid, key))
        })
        .collect()
}

/// The members of a JWK (RFC 7517) that matter here.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    crv: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    x: Option<String>,
    y: Option<String>,
    d: Option<serde_json::Value>,
    k: Option<serde_json::Value>,
}

impl Jwk {
    fn decode(&self) -> Result<(Algorithm, DecodingKey), KeyError> {
        if self.d.is_some() || self.k.is_some() {
            return Err(KeyError::Private);
        }
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let (algorithm, key) = match (self.kty.as_str(), self.crv.as_deref()) {
            ("OKP", Some("Ed25519")) => (
                Algorithm::EdDSA,
                DecodingKey::from_ed_components(&text(&self.x)),
            ),
            ("EC", Some("P-256")) => (
                Algorithm::ES256,
                DecodingKey::from_ec_components(&text(&self.x), &text(&self.y)),
            ),
            _ => return Err(KeyError::Unsupported),
        };
        let wanted = if algorithm == Algorithm::EdDSA {
            ["EdDSA", "Ed25519"]
        } else {
            ["ES256", "ES256"]
        };
        let other_algorithm = self
            .alg
            .as_deref()
            .is_some_and(|alg| !wanted.contains(&alg));
        let other_purpose = self
            .purpose
            .as_deref()
            .is_some_and(|purpose| purpose != "sig");
        if other_algorithm || other_purpose {
            return Err(KeyError::Unsupported);
        }
        check_signing_key(algorithm, key.map_err(|_| KeyError::Unreadable)?)
    }
}

/// Fails for a point that is not on the key's curve, by verifying a dummy signature.
fn check_signing_key(
    algorithm: Algorithm,
    key: DecodingKey,
) -> Result<(Algorithm, DecodingKey), KeyError> {
    let bytes = if algorithm == Algorithm::EdDSA {
        32
    } else {
        65
    };
    if key.try_get_as_bytes().map_or(0, <[u8]>::len) != bytes {
        return Err(KeyError::Unsupported);
    }
    match crypto::verify("AA", b"", &key, algorithm) {
        Ok(_) => Ok((algorithm, key)),
        Err(_) => Err(KeyError::Unsupported),
    }
}

/// The public key as a JWK with its `kid`, as it is stored and shown.
#[must_use]
pub fn public_jwk(key: &EmbedKey) -> Option<String> {
    let mut jwk = jwk::Jwk::from_decoding_key(&key.key, Some(key.algorithm)).ok()?;
    jwk.common.key_id = Some(key.kid.clone());
    serde_json::to_string(&jwk).ok()
}

/// The name of the algorithm (RFC 7518).
#[must_use]
pub const fn algorithm_name(key: &EmbedKey) -> &'static str {
    match key.algorithm {
        Algorithm::ES256 => "ES256",
        _ => "EdDSA",
    }
}

/// The keys of the configuration and of the demo, by `kid`.
#[derive(Clone, Default)]
pub struct KeyRing(HashMap<String, EmbedKey>);

impl KeyRing {
    /// Adds a key.
    ///
    /// # Errors
    /// The `kid` of a duplicate; the ring is unchanged.
    pub fn add(&mut self, key: EmbedKey) -> Result<(), String> {
        if self.0.contains_key(&key.kid) {
            return Err(key.kid);
        }
        self.0.insert(key.kid.clone(), key);
        Ok(())
    }

    /// Looks up a key by `kid`.
    #[must_use]
    pub fn get(&self, kid: &str) -> Option<&EmbedKey> {
        self.0.get(kid)
    }

    /// Whether the ring has no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = &EmbedKey> {
        self.0.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ED25519: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAEsD6qhHOvUB67+lvDjRcUWk6ZYxBqc8qXBKZyT/8QW8=\n-----END PUBLIC KEY-----\n";

    fn error(content: &str) -> KeyError {
        read_keys(content, "name", false).err().expect("a refusal")
    }

    #[test]
    fn a_pem_key_takes_the_name_of_its_file() {
        let keys = read_keys(ED25519, "platform", false).expect("a key");
        assert_eq!(
            (keys[0].kid.as_str(), keys[0].algorithm),
            ("platform", Algorithm::EdDSA)
        );
    }

    #[test]
    fn a_set_keeps_its_own_names() {
        let set = r#"{"keys":[
            {"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
            {"kty":"EC","crv":"P-256","kid":"b","alg":"ES256","use":"sig",
             "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#;
        let keys = read_keys(set, "file", false).expect("two keys");
        let seen: Vec<_> = keys
            .iter()
            .map(|key| (key.kid.as_str(), key.algorithm))
            .collect();
        assert_eq!(seen, [("a", Algorithm::EdDSA), ("b", Algorithm::ES256)]);
        assert_eq!(read_keys(set, "one", true).err(), Some(KeyError::Several));
    }

    #[test]
    fn what_is_no_usable_public_key_is_refused_with_its_reason() {
        assert_eq!(error("hello"), KeyError::Unreadable);
        assert_eq!(error("{}"), KeyError::Unreadable);
        assert_eq!(error(r#"{"keys":[]}"#), KeyError::Empty);
        assert_eq!(error("-----BEGIN PRIVATE KEY-----"), KeyError::Private);
        assert_eq!(
            error(r#"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA","d":"AA"}"#),
            KeyError::Private
        );
        assert_eq!(
            error(r#"{"kty":"oct","kid":"a","k":"c2VjcmV0"}"#),
            KeyError::Private
        );
        assert_eq!(
            error(r#"{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}"#),
            KeyError::Unsupported
        );
        assert_eq!(
            error(r#"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AAAA"}"#),
            KeyError::Unsupported
        );
        let unnamed =
            r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
        assert_eq!(error(unnamed), KeyError::Unnamed);
    }

    #[test]
    fn a_name_is_taken_once() {
        let key = read_keys(ED25519, "same", false).expect("a key").remove(0);
        let mut ring = KeyRing::default();
        assert!(ring.add(key.clone()).is_ok());
        assert!(ring.add(key).is_err());
    }
}
