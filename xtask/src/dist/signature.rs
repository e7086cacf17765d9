//! Checksums of a release, and their signature: whoever verifies the one file has verified all.
//! The signature is minisign's; the key comes from whoever makes the release, and is never made here.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minisign::{PublicKey, SecretKey, SecretKeyBox};

use super::archive;
use crate::build::sha256;
use crate::files::{read, read_text, write};

/// The checksums, as `sha256sum` writes and reads them.
pub const SUMS: &str = "SHA256SUMS";
/// At the end of a secret key.
const CHECKSUM_BYTES: usize = 32;

/// Where the key is.
#[derive(clap::Args)]
pub struct SigningKey {
    /// The secret key that signs the checksums: a file that `minisign -G` made.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_SIGNING_KEY_FILE")]
    signing_key: Option<PathBuf>,
    /// The password of that key, where it has one.
    #[arg(
        long,
        value_name = "TEXT",
        env = "CHECKLIST_SIGNING_PASSWORD",
        hide_env_values = true
    )]
    signing_password: Option<String>,
}

impl SigningKey {
    /// Reads it, before hours are spent on what it is for; `None` where none was named.
    ///
    /// # Errors
    /// When it is no key, or has another password.
    pub fn read(&self) -> Result<Option<SecretKey>> {
        let Some(path) = &self.signing_key else {
            return Ok(None);
        };
        key(&read_text(path)?, self.signing_password.clone())
            .with_context(|| format!("reading the signing key {}", path.display()))
            .map(Some)
    }
}

/// Reads a secret key as minisign keeps it.
fn key(text: &str, password: Option<String>) -> Result<SecretKey> {
    let boxed = || SecretKeyBox::from_string(text).map_err(|error| anyhow!("{error}"));
    // One without a password says so only when it is opened as one.
    if let Ok(key) = boxed()?.into_unencrypted_secret_key() {
        return Ok(key);
    }
    if let Some(key) = key_without_checksum(text) {
        return Ok(key);
    }
    let password = password.context("it has a password: name it in CHECKLIST_SIGNING_PASSWORD")?;
    boxed()?
        .into_secret_key(Some(password))
        .map_err(|error| anyhow!("{error}"))
}

/// A key as `minisign -G -W` writes it up to its version 0.11: without a password, and with zeros where
/// the crate expects a checksum of the key.
fn key_without_checksum(text: &str) -> Option<SecretKey> {
    let bytes = BASE64_STANDARD.decode(text.lines().nth(1)?).ok()?;
    let key_derivation = bytes.get(2..4)?;
    let checksum = bytes.last_chunk::<CHECKSUM_BYTES>()?;
    let is_plain = key_derivation == [0; 2] && *checksum == [0; CHECKSUM_BYTES];
    SecretKey::from_bytes(&bytes).ok().filter(|_| is_plain)
}

/// Writes the checksums of a folder's files.
///
/// # Errors
/// When something cannot be read or written.
pub fn write_sums(folder: &Path) -> Result<()> {
    write(&folder.join(SUMS), sums(folder)?)
}

fn sums(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for file in archive::content(folder)? {
        text.push_str(&format!("{}  {}\n", sha256(&file.bytes), file.name));
    }
    Ok(text)
}

/// Signs the checksums, and answers the public key as minisign's `-P` takes it.
///
/// # Errors
/// When they cannot be signed, or written.
pub fn sign(folder: &Path, key: &SecretKey, version: &str) -> Result<String> {
    let said = |error| anyhow!("signing: {error}");
    let public = PublicKey::from_secret_key(key).map_err(said)?;
    let sums = Cursor::new(read(&folder.join(SUMS))?);
    // Signed with the rest, so that an old release cannot be passed off as this one.
    let trusted = format!("checklist-server {version}");
    let untrusted = Some("signature of a release of checklist-server");
    let signature = minisign::sign(Some(&public), key, sums, Some(&trusted), untrusted);
    let signature = signature.map_err(said)?.into_string();
    write(&folder.join(format!("{SUMS}.minisig")), signature)?;
    Ok(public.to_base64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use minisign::{KeyPair, SignatureBox};
    use std::fs;

    fn with_files() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "").expect("a file");
        fs::write(folder.path().join("a"), "abc").expect("a file");
        folder
    }

    #[test]
    fn checksums_are_written_as_sha256sum_reads_them() {
        assert_eq!(
            sums(with_files().path()).expect("sums"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
    }

    #[test]
    fn a_signature_is_of_these_checksums_and_this_version() {
        let folder = with_files();
        let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair().expect("a key");
        write_sums(folder.path()).expect("checksums");
        assert_eq!(
            sign(folder.path(), &sk, "1.2.3").expect("a signature"),
            pk.to_base64()
        );
        let path = folder.path().join("SHA256SUMS.minisig");
        let signature = SignatureBox::from_file(path).expect("a signature");
        let comment = signature.trusted_comment().expect("a comment");
        assert_eq!(comment, "checklist-server 1.2.3");
        let verify = |text: Vec<u8>| {
            minisign::verify(&pk, &signature, Cursor::new(text), true, false, false)
        };
        let mut text = read(&folder.path().join(SUMS)).expect("checksums");
        verify(text.clone()).expect("the signature is right");
        text[0] ^= 1;
        verify(text).expect_err("of other checksums");
    }

    #[test]
    fn a_key_without_a_password_signs_whether_it_has_a_checksum_or_not() {
        let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair().expect("a key");
        let text = sk.to_box(None).expect("a key").into_string();
        let mut bytes = sk.to_bytes();
        let checksum = bytes.len() - CHECKSUM_BYTES;
        bytes[checksum..].fill(0);
        let without = format!("untrusted comment: x\n{}\n", BASE64_STANDARD.encode(&bytes));
        let folder = with_files();
        write_sums(folder.path()).expect("checksums");
        for text in [text, without] {
            let key = key(&text, None).expect("a key without a password");
            let public = sign(folder.path(), &key, "1.2.3").expect("a signature");
            assert_eq!(public, pk.to_base64());
        }
        bytes[checksum] = 1;
        let wrong = format!("untrusted comment: x\n{}\n", BASE64_STANDARD.encode(&bytes));
        key(&wrong, None).expect_err("another checksum");
    }

    #[test]
    fn a_key_with_a_password_asks_for_it_and_takes_no_other() {
        let pair = KeyPair::generate_encrypted_keypair(Some("secret".to_owned())).expect("a key");
        let text = pair.sk.to_box(None).expect("a key").into_string();
        let error = key(&text, None).expect_err("no password");
        assert!(
            error.to_string().contains("CHECKLIST_SIGNING_PASSWORD"),
            "{error}"
        );
        key(&text, Some("other".to_owned())).expect_err("another password");
        key(&text, Some("secret".to_owned())).expect("the password");
    }
}
