//! The keys of the vault: a file with one key per line, the first of which encrypts.
//!
//! The others still decrypt their secrets until `vault rotate` has encrypted all of them again.
//! `config` reads the file once at startup; the demo and `init` create one.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

use checklist_runtime::clock::NoKey;
use checklist_runtime::clock::random;

/// A key of 256 bits.
pub(super) type Key = Zeroizing<[u8; 32]>;

/// The comment at the top of a new key file.
const HEAD: &str = "# Keys of the vault, one a line: a name and 32 bytes. The first one seals, all of them open.\n\
                    # Whoever has this file and the database has every password in it. Keep a copy elsewhere.\n";

/// The keys; the first encrypts. Has no `Debug`, so that no key is logged.
#[derive(Clone)]
pub struct VaultKeys(Vec<(String, Key)>);

/// Why a key file is invalid. Never contains any of its keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// It has no key.
    #[error("it holds no key")]
    Empty,
    /// The line with this number is not a key.
    #[error("line {0} is not a name and 32 bytes in base64url")]
    NoKey(usize),
    /// Two keys have this name.
    #[error("the key {0} stands there twice")]
    Twice(String),
}

impl VaultKeys {
    /// Parses a key file.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub fn parse(text: &str) -> Result<Self, KeyFileError> {
        let mut keys: Vec<(String, Key)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, key) = read_line(line).ok_or_else(|| KeyFileError::NoKey(index + 1))?;
            if keys.iter().any(|(known, _)| *known == name) {
                return Err(KeyFileError::Twice(name));
            }
            keys.push((name, key));
        }
        if keys.is_empty() {
            return Err(KeyFileError::Empty);
        }
        Ok(Self(keys))
    }

    /// The text of a key file with one new key, followed by those of `old`.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn with_new_key(name: &str, old: Option<&Self>) -> Result<Zeroizing<String>, NoKey> {
        let mut key: Key = Zeroizing::new([0; 32]);
        random(key.as_mut_slice()).map_err(|_| NoKey)?;
        let mut text = Zeroizing::new(HEAD.to_owned());
        let others = old.map_or(&[] as &[(String, Key)], |old| &old.0);
        let new = (name.to_owned(), key);
        for (name, key) in std::iter::once(&new).chain(others) {
            let encoded = Zeroizing::new(URL_SAFE_NO_PAD.encode(key.as_slice()));
            let _ = writeln!(text, "{name} {}", encoded.as_str());
        }
        Ok(text)
    }

    /// The key that encrypts.
    pub(super) fn first(&self) -> (&str, &Key) {
        // `parse` rejects a file without keys.
        let (name, key) = &self.0[0];
        (name, key)
    }

    /// The key with that name.
    pub(super) fn find(&self, name: &str) -> Option<&Key> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, key)| key)
    }

    /// The name of the key that encrypts.
    #[must_use]
    pub fn current(&self) -> &str {
        self.first().0
    }

    /// Whether there is a key with that name, to decrypt its secrets.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The names of all keys.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

fn read_line(line: &str) -> Option<(String, Key)> {
    let (name, key) = line.split_once(char::is_whitespace)?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        return None;
    }
    let bytes = Zeroizing::new(
        URL_SAFE_NO_PAD
            .decode(key.trim().trim_end_matches('='))
            .ok()?,
    );
    let mut read: Key = Zeroizing::new([0; 32]);
    if bytes.len() != read.len() {
        return None;
    }
    read.copy_from_slice(&bytes);
    Some((name.to_owned(), read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_seals_and_the_old_ones_still_open() {
        let first = VaultKeys::with_new_key("2026-01", None).expect("randomness");
        let first = VaultKeys::parse(&first).expect("keys");
        assert_eq!(first.current(), "2026-01");
        let second = VaultKeys::with_new_key("2026-07", Some(&first)).expect("randomness");
        let second = VaultKeys::parse(&second).expect("keys");
        assert_eq!(second.names().collect::<Vec<_>>(), ["2026-07", "2026-01"]);
        assert_eq!(second.find("2026-01"), first.find("2026-01"));
        assert_ne!(second.find("2026-07"), first.find("2026-01"));
        assert!(second.has("2026-07") && second.has("2026-01"));
        assert!(!first.has("2026-07") && !second.has("2026-"));
    }

    #[test]
    fn a_name_is_up_to_64_letters_digits_dashes_dots_and_underscores() {
        let key = URL_SAFE_NO_PAD.encode([7; 32]);
        let read = |name: &str| VaultKeys::parse(&format!("{name} {key}"));
        let longest = "k".repeat(64);
        for name in ["a", "A-1_b.c", &longest] {
            let keys = read(name).expect("a key file");
            assert_eq!(keys.current(), name);
        }
        for name in ["ä", "a/b", "a,b", &format!("{longest}k")] {
            assert_eq!(read(name).err(), Some(KeyFileError::NoKey(1)), "{name}");
        }
    }

    #[test]
    fn a_key_is_32_bytes_however_it_is_padded_and_whatever_stands_around_it() {
        let of = |length: usize| URL_SAFE_NO_PAD.encode(vec![7; length]);
        let key = of(32);
        for text in [
            format!("a {key}"),
            format!("  a\t  {key}=  "),
            format!("# of last year\n\n  # b {key}\na {key}\n"),
        ] {
            let keys = VaultKeys::parse(&text).expect("a key file");
            assert_eq!(keys.names().collect::<Vec<_>>(), ["a"], "{text}");
            assert_eq!(keys.first().1.as_slice(), [7; 32]);
        }
        for length in [0, 31, 33] {
            let short = VaultKeys::parse(&format!("a {}", of(length)));
            assert_eq!(short.err(), Some(KeyFileError::NoKey(1)), "{length}");
        }
    }

    #[test]
    fn a_bad_file_is_told_by_its_line_and_never_by_its_content() {
        let key = URL_SAFE_NO_PAD.encode([7; 32]);
        let error = |text: &str| VaultKeys::parse(text).err().expect("a refusal");
        assert_eq!(error(""), KeyFileError::Empty);
        assert_eq!(error("# nothing\n\n"), KeyFileError::Empty);
        assert_eq!(error("a c2hvcnQ"), KeyFileError::NoKey(1));
        assert_eq!(error(&format!("# a\na/b {key}")), KeyFileError::NoKey(2));
        assert_eq!(
            error(&format!("a {key}\na {key}")),
            KeyFileError::Twice("a".to_owned())
        );
        assert!(
            !error("secret-key-without-name")
                .to_string()
                .contains("secret")
        );
    }
}
