//! Checkpoints in the formats of C2SP: tlog-checkpoint in a signed note, signed with Ed25519.
//!
//! A note is text, an empty line, and one line for each signature. Whoever has the verifier key
//! needs nothing of this server to check it.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checklist_shared::audit_trail::merkle::Hash;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

/// The algorithm in key ids and verifier keys: Ed25519.
const ED25519: u8 = 1;

/// What a checkpoint says: the trail of `origin` has `size` rows, and their tree this root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// Names the trail, for ever.
    pub origin: String,
    /// The number of rows.
    pub size: u64,
    /// The hash of their tree.
    pub root: Hash,
}

/// A public key with the name that it signs as: `NAME+ID+KEY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    key: VerifyingKey,
}

/// Why a checkpoint is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// It is no checkpoint in a signed note.
    #[error("it is no signed checkpoint")]
    Malformed,
    /// None of the keys has signed it.
    #[error("none of the known keys has signed it")]
    NotSigned,
}

/// A text is no verifier key of Ed25519.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no verifier key: NAME+ID+KEY")]
pub struct InvalidVerifierKey;

impl TreeHead {
    /// The text of the note.
    fn text(&self) -> String {
        let root = STANDARD.encode(self.root);
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }

    /// Signs the checkpoint as its origin.
    #[must_use]
    pub fn sign(&self, key: &SigningKey) -> String {
        let text = self.text();
        let verifier = VerifierKey {
            name: self.origin.clone(),
            key: key.verifying_key(),
        };
        let signature = key.sign(text.as_bytes());
        let signed = [verifier.id().as_slice(), &signature.to_bytes()].concat();
        format!("{text}\n— {} {}\n", verifier.name, STANDARD.encode(signed))
    }

    /// Reads a checkpoint that one of these keys has signed. Signatures of others, such as
    /// witnesses, are not looked at.
    ///
    /// # Errors
    /// See [`NoteError`].
    pub fn open(note: &str, keys: &[VerifierKey]) -> Result<Self, NoteError> {
        let (text, signatures) = note.rsplit_once("\n\n").ok_or(NoteError::Malformed)?;
        let text = format!("{text}\n");
        let head = Self::parse(&text).ok_or(NoteError::Malformed)?;
        let is_signed = signatures.lines().any(|line| {
            let signature = line
                .strip_prefix("— ")
                .and_then(|line| line.split_once(' '));
            signature.is_some_and(|(name, signature)| {
                name == head.origin
                    && keys
                        .iter()
                        .any(|key| key.has_signed(name, signature, &text))
            })
        });
        if is_signed {
            Ok(head)
        } else {
            Err(NoteError::NotSigned)
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let origin = lines.next().filter(|origin| !origin.is_empty())?;
        let size = lines.next()?;
        let number: u64 = size.parse().ok()?;
        let root = STANDARD.decode(lines.next()?).ok()?;
        (number.to_string() == size).then_some(())?;
        Some(Self {
            origin: origin.to_owned(),
            size: number,
            root: root.try_into().ok()?,
        })
    }
}

impl VerifierKey {
    /// The public half of a key that signs as `name`.
    #[must_use]
    pub fn of(name: &str, key: &SigningKey) -> Self {
        Self {
            name: name.to_owned(),
            key: key.verifying_key(),
        }
    }

    /// The name that it signs as: the origin of its checkpoints.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of SHA-256 over name and key.
    fn id(&self) -> [u8; 4] {
        let mut hash = Sha256::new();
        hash.update(self.name.as_bytes());
        hash.update([b'\n', ED25519]);
        hash.update(self.key.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    fn has_signed(&self, name: &str, signature: &str, text: &str) -> bool {
        let signature = STANDARD.decode(signature).unwrap_or_default();
        let Some((id, signature)) = signature.split_first_chunk::<4>() else {
            return false;
        };
        let Ok(signature) = Signature::from_slice(signature) else {
            return false;
        };
        name == self.name
            && *id == self.id()
            && self.key.verify_strict(text.as_bytes(), &signature).is_ok()
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = u32::from_be_bytes(self.id());
        let key = STANDARD.encode([&[ED25519], self.key.as_bytes().as_slice()].concat());
        write!(out, "{}+{id:08x}+{key}", self.name)
    }
}

impl FromStr for VerifierKey {
    type Err = InvalidVerifierKey;

    fn from_str(text: &str) -> Result<Self, InvalidVerifierKey> {
        let read = || {
            let (name, rest) = text.split_once('+')?;
            let (_, key) = rest.split_once('+')?;
            let bytes = STANDARD.decode(key).ok()?;
            let (algorithm, key) = bytes.split_first()?;
            (*algorithm == ED25519 && !name.is_empty()).then_some(())?;
            Some(Self {
                name: name.to_owned(),
                key: VerifyingKey::from_bytes(key.try_into().ok()?).ok()?,
            })
        };
        read()
            .filter(|key| key.to_string() == text)
            .ok_or(InvalidVerifierKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORIGIN: &str = "checks.example.org/platform/acme";

    fn key(seed: u8) -> (SigningKey, VerifierKey) {
        let key = SigningKey::from_bytes(&[seed; 32]);
        let verifier = VerifierKey::of(ORIGIN, &key);
        (key, verifier)
    }

    fn head(size: u64) -> TreeHead {
        TreeHead {
            origin: ORIGIN.to_owned(),
            size,
            root: [7; 32],
        }
    }

    #[test]
    fn a_checkpoint_opens_with_its_key_and_no_other() {
        let (signing, verifier) = key(1);
        let note = head(408).sign(&signing);
        let (_, other) = key(2);
        assert_eq!(
            TreeHead::open(&note, &[other.clone(), verifier.clone()]),
            Ok(head(408))
        );
        assert_eq!(TreeHead::open(&note, &[other]), Err(NoteError::NotSigned));
        assert_eq!(TreeHead::open(&note, &[]), Err(NoteError::NotSigned));
        let elsewhere = VerifierKey::of("checks.example.org/beta", &signing);
        assert_eq!(
            TreeHead::open(&note, &[elsewhere]),
            Err(NoteError::NotSigned)
        );
        // A witness has signed as well.
        let witnessed = format!("{note}— witness.example AAAAAAAA\n");
        assert_eq!(TreeHead::open(&witnessed, &[verifier]), Ok(head(408)));
    }

    #[test]
    fn a_verifier_key_is_written_and_read() {
        let (_, verifier) = key(1);
        let text = verifier.to_string();
        assert_eq!(text.parse(), Ok(verifier));
        for other in [
            String::new(),
            "a+b".to_owned(),
            text.replace("acme", "beta"),
            text.replace("+", " "),
            text.to_uppercase(),
        ] {
            assert_eq!(
                other.parse::<VerifierKey>(),
                Err(InvalidVerifierKey),
                "{other}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_changed_byte_anywhere_is_refused(at in any::<prop::sample::Index>(), bit in 0_u8..7) {
            let (signing, verifier) = key(1);
            let note = head(408).sign(&signing);
            let mut bytes = note.clone().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            // The end of the last line may be missing, which says nothing else.
            if let Ok(forged) = String::from_utf8(bytes) && forged.trim_end() != note.trim_end() {
                prop_assert!(TreeHead::open(&forged, &[verifier]).is_err(), "{}", forged);
            }
        }
    }
}
