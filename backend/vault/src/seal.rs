//! Encryption with XChaCha20-Poly1305, a random nonce each time, and the binding as associated
//! data.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use checklist_runtime::clock::random;
use checklist_store::connections::SealedSecret;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::keys::{Key, VaultKeys};

const NONCE: usize = 24;

/// What a secret is bound to. It can be decrypted with exactly this binding.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The tenant of the connection.
    pub tenant: &'a str,
    /// The id of the connection.
    pub connection: &'a str,
    /// The only origin that the secret may be sent to.
    pub origin: &'a str,
}

/// Why encryption or decryption failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The key with this name is not in the key file.
    #[error("the vault has no key named {0}")]
    UnknownKey(String),
    /// The ciphertext was changed, or has another binding.
    #[error("the sealed secret was changed, or belongs to another connection")]
    Changed,
    /// The system has no random numbers for a nonce.
    #[error("the system gave no randomness")]
    NoRandomness,
}

impl Binding<'_> {
    /// Serializes the binding. Each part has a length prefix, so that two bindings never have the
    /// same bytes.
    fn encode(&self) -> Vec<u8> {
        let mut written = b"checklist-vault-1".to_vec();
        for part in [self.tenant, self.connection, self.origin] {
            written.extend_from_slice(&(part.len() as u64).to_be_bytes());
            written.extend_from_slice(part.as_bytes());
        }
        written
    }
}

impl VaultKeys {
    /// Encrypts with the first key.
    ///
    /// # Errors
    /// `NoRandomness`.
    pub fn seal(&self, secret: &[u8], binding: Binding<'_>) -> Result<SealedSecret, SealError> {
        let (name, key) = self.first();
        Ok(SealedSecret {
            key_id: name.to_owned(),
            bytes: seal(key, secret, &binding.encode())?,
        })
    }

    /// Decrypts with the key that encrypted the secret; the binding has to be the same.
    ///
    /// # Errors
    /// `UnknownKey`, `Changed`.
    pub fn open(
        &self,
        sealed: &SealedSecret,
        binding: Binding<'_>,
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let key = self
            .find(&sealed.key_id)
            .ok_or_else(|| SealError::UnknownKey(sealed.key_id.clone()))?;
        open(key, &sealed.bytes, &binding.encode())
    }
}

/// Encrypts with a key that is derived from a text of at least 256 random bits, such as a handle or
/// a cookie. Only its holder can decrypt.
pub struct HandleSeal(Key);

impl HandleSeal {
    /// Derives the key from a text, for one purpose.
    #[must_use]
    pub fn of(text: &str, purpose: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"checklist-handle-1\0");
        hash.update(purpose.as_bytes());
        hash.update([0]);
        hash.update(text.as_bytes());
        Self(Zeroizing::new(hash.finalize().into()))
    }

    /// Encrypts.
    ///
    /// # Errors
    /// `NoRandomness`.
    pub fn seal(&self, secret: &[u8]) -> Result<Vec<u8>, SealError> {
        seal(&self.0, secret, &[])
    }

    /// Decrypts.
    ///
    /// # Errors
    /// `Changed`.
    pub fn open(&self, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        open(&self.0, sealed, &[])
    }
}

fn seal(key: &Key, secret: &[u8], bound: &[u8]) -> Result<Vec<u8>, SealError> {
    let mut nonce = [0; NONCE];
    random(&mut nonce).map_err(|_| SealError::NoRandomness)?;
    let payload = Payload {
        msg: secret,
        aad: bound,
    };
    let sealed = cipher(key)
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| SealError::Changed)?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn open(key: &Key, sealed: &[u8], bound: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
    let (nonce, rest) = sealed
        .split_first_chunk::<NONCE>()
        .ok_or(SealError::Changed)?;
    let payload = Payload {
        msg: rest,
        aad: bound,
    };
    cipher(key)
        .decrypt(&XNonce::from(*nonce), payload)
        .map(Zeroizing::new)
        .map_err(|_| SealError::Changed)
}

fn cipher(key: &Key) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new((&**key).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(name: &str) -> VaultKeys {
        let text = VaultKeys::with_new_key(name, None).expect("randomness");
        VaultKeys::parse(&text).expect("keys")
    }

    const HERE: Binding<'static> = Binding {
        tenant: "acme",
        connection: "7",
        origin: "https://sites.example",
    };

    proptest! {
        #[test]
        fn whatever_is_sealed_opens_again_and_is_nowhere_to_be_seen(secret in prop::collection::vec(any::<u8>(), 8..400)) {
            let keys = keys("one");
            let sealed = keys.seal(&secret, HERE).expect("sealed");
            prop_assert!(!sealed.bytes.windows(secret.len()).any(|window| window == secret));
            prop_assert_eq!(&*keys.open(&sealed, HERE).expect("opened"), &secret);
        }

        #[test]
        fn a_changed_bit_anywhere_opens_nothing(at in 0_usize..1_000, bit in 0_u8..8) {
            let keys = keys("one");
            let mut sealed = keys.seal(b"correct horse battery staple", HERE).expect("sealed");
            let at = at % sealed.bytes.len();
            sealed.bytes[at] ^= 1 << bit;
            prop_assert_eq!(keys.open(&sealed, HERE).err(), Some(SealError::Changed));
        }
    }

    #[test]
    fn a_secret_opens_for_its_own_tenant_connection_and_origin_alone() {
        let keys = keys("one");
        let sealed = keys.seal(b"secret", HERE).expect("sealed");
        for elsewhere in [
            Binding {
                tenant: "beta",
                ..HERE
            },
            Binding {
                connection: "8",
                ..HERE
            },
            Binding {
                origin: "https://evil.example",
                ..HERE
            },
            Binding {
                tenant: "acme7",
                connection: "",
                ..HERE
            },
        ] {
            assert_eq!(
                keys.open(&sealed, elsewhere).err(),
                Some(SealError::Changed)
            );
        }
    }

    #[test]
    fn the_same_secret_is_sealed_differently_each_time() {
        let keys = keys("one");
        let once = keys.seal(b"secret", HERE).expect("sealed");
        let again = keys.seal(b"secret", HERE).expect("sealed");
        assert_ne!(once.bytes, again.bytes);
    }

    #[test]
    fn a_key_that_is_gone_is_named() {
        let sealed = keys("old").seal(b"secret", HERE).expect("sealed");
        assert_eq!(
            keys("new").open(&sealed, HERE).err(),
            Some(SealError::UnknownKey("old".to_owned()))
        );
        assert_eq!(
            keys("old").open(&sealed, HERE).err(),
            Some(SealError::Changed),
            "the name alone opens nothing"
        );
    }

    #[test]
    fn what_a_handle_stands_for_opens_with_the_handle_alone() {
        let sealed = HandleSeal::of("handle", "site")
            .seal(b"secret")
            .expect("sealed");
        assert_eq!(
            &**HandleSeal::of("handle", "site")
                .open(&sealed)
                .expect("opened"),
            b"secret"
        );
        assert!(HandleSeal::of("other", "site").open(&sealed).is_err());
        assert!(HandleSeal::of("handle", "consent").open(&sealed).is_err());
        assert!(HandleSeal::of("handle", "site").open(b"short").is_err());
    }
}
