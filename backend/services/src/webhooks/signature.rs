//! The signature headers of Standard Webhooks: HMAC-SHA256 over id, time and body, one signature
//! per valid secret.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use zeroize::Zeroizing;

use checklist_runtime::clock::random;

/// The prefix of a secret.
const PREFIX: &str = "whsec_";
/// Random bytes in a secret: the size of a digest; the standard requires 24 to 64.
const BYTES: usize = 32;

/// Generates a secret; `None` without randomness.
pub(super) fn new_secret() -> Option<SecretString> {
    let mut bytes = Zeroizing::new([0; BYTES]);
    random(&mut *bytes).ok()?;
    Some(format!("{PREFIX}{}", STANDARD.encode(*bytes)).into())
}

/// The header `webhook-signature`: `v1,` and Base64 for each secret; `None` if a secret is
/// malformed.
pub(super) fn of(secrets: &[&SecretString], id: &str, seconds: i64, body: &str) -> Option<String> {
    let signatures: Option<Vec<String>> = secrets
        .iter()
        .map(|secret| {
            let text = secret.expose_secret().strip_prefix(PREFIX)?;
            let key = Zeroizing::new(STANDARD.decode(text).ok()?);
            let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
            for part in [id, ".", &seconds.to_string(), ".", body] {
                mac.update(part.as_bytes());
            }
            Some(format!(
                "v1,{}",
                STANDARD.encode(mac.finalize().into_bytes())
            ))
        })
        .collect();
    signatures.map(|all| all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with Python's `hmac`, `hashlib` and `base64`.
    #[test]
    fn a_signature_is_the_one_that_others_compute() {
        let secret = SecretString::from("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        let body = r#"{"type":"checklist.completed"}"#;
        let one = of(&[&secret], "msg_1", 1_763_640_000, body);
        assert_eq!(
            one.as_deref(),
            Some("v1,d9YRBh/HZyKh963rGFC+YcvBoVQPOYTOBW/XSbL70TE=")
        );
        let two = of(&[&secret, &secret], "msg_1", 1_763_640_000, body);
        assert_eq!(
            two.as_deref(),
            Some(
                "v1,d9YRBh/HZyKh963rGFC+YcvBoVQPOYTOBW/XSbL70TE= v1,d9YRBh/HZyKh963rGFC+YcvBoVQPOYTOBW/XSbL70TE="
            )
        );
    }

    #[test]
    fn new_secrets_differ_and_sign() {
        let (one, other) = (new_secret().expect("one"), new_secret().expect("another"));
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert_ne!(of(&[&one], "a", 1, "{}"), of(&[&other], "a", 1, "{}"));
        assert!(of(&[&SecretString::from("whsec_?")], "a", 1, "{}").is_none());
    }
}
