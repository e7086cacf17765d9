//! A host platform: it holds a key, registers the public half with the server and mints tokens
//! for the people on its pages.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{EncodePrivateKey, EncodePublicKey};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

/// How a host signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// Ed25519.
    EdDsa,
    /// ECDSA on P-256.
    Es256,
}

/// A host platform's key.
#[derive(Clone, Debug)]
pub struct HostKey {
    /// The key's id in token headers.
    pub kid: String,
    /// Who signs.
    pub issuer: String,
    /// The tenant whose lists the key opens.
    pub tenant: String,
    /// How it signs.
    pub signature: Signature,
    private_pem: String,
    /// The public half, as PEM.
    pub public_pem: String,
}

impl HostKey {
    /// An Ed25519 key for a tenant, the same at each call.
    #[must_use]
    pub fn of(tenant: &str) -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&seed(tenant));
        Self::new(
            tenant,
            Signature::EdDsa,
            key.to_pkcs8_pem(LineEnding::LF)
                .expect("a valid key")
                .to_string(),
            key.verifying_key()
                .to_public_key_pem(LineEnding::LF)
                .expect("a valid key"),
        )
    }

    /// A P-256 key for a tenant, the same at each call.
    #[must_use]
    pub fn on_p256(tenant: &str) -> Self {
        let key = p256::SecretKey::from_slice(&seed(tenant)).expect("a number below the order");
        Self::new(
            tenant,
            Signature::Es256,
            key.to_pkcs8_pem(LineEnding::LF)
                .expect("a valid key")
                .to_string(),
            key.public_key()
                .to_public_key_pem(LineEnding::LF)
                .expect("a valid key"),
        )
    }

    fn new(tenant: &str, signature: Signature, private_pem: String, public_pem: String) -> Self {
        Self {
            kid: format!("{tenant}-key"),
            issuer: format!("https://{tenant}.example"),
            tenant: tenant.to_owned(),
            signature,
            private_pem,
            public_pem,
        }
    }

    /// The same key under another name.
    #[must_use]
    pub fn called(mut self, kid: &str) -> Self {
        kid.clone_into(&mut self.kid);
        self
    }

    /// Complete claims for `subject` on a server at `audience`, five minutes long, for everything
    /// in the tenant; tests replace what they need otherwise.
    #[must_use]
    pub fn claims(&self, audience: &str, subject: &str, permissions: &[&str]) -> Value {
        json!({
            "iss": self.issuer,
            "aud": audience,
            "sub": subject,
            "name": subject,
            "tenant": self.tenant,
            "contexts": [{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*" }],
            "perm": permissions,
            "exp": now() + 300,
            "jti": format!("{subject}-{}", now()),
        })
    }

    /// A token with these claims whose header is just that.
    #[must_use]
    pub fn sign_with_header(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(header), part(claims));
        let (algorithm, key) = self.signing_key();
        let signature = jsonwebtoken::crypto::sign(signed.as_bytes(), &key, algorithm);
        format!("{signed}.{}", signature.expect("the key was made here"))
    }

    /// A token with these claims.
    #[must_use]
    pub fn sign(&self, claims: &Value) -> String {
        let (algorithm, key) = self.signing_key();
        let header = Header {
            kid: Some(self.kid.clone()),
            ..Header::new(algorithm)
        };
        jsonwebtoken::encode(&header, claims, &key).expect("claims are JSON")
    }

    fn signing_key(&self) -> (Algorithm, EncodingKey) {
        let pem = self.private_pem.as_bytes();
        let (algorithm, key) = match self.signature {
            Signature::EdDsa => (Algorithm::EdDSA, EncodingKey::from_ed_pem(pem)),
            Signature::Es256 => (Algorithm::ES256, EncodingKey::from_ec_pem(pem)),
        };
        (algorithm, key.expect("the key was made here"))
    }
}

/// Seconds since 1970.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "a host platform has a clock of its own"
)]
pub fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |age| age.as_secs())
}

fn seed(tenant: &str) -> [u8; 32] {
    let mut seed = [7; 32];
    for (place, byte) in seed.iter_mut().zip(tenant.bytes()) {
        *place = byte;
    }
    seed
}
