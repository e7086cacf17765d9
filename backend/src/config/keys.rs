//! `--embed-key`: files with public keys of host platforms, and the tenants that they sign for.
//!
//! Finds and names the files; `auth::keys` parses their content.

use std::fs;
use std::path::Path;

use checklist_auth::ceiling::Ceiling;
use checklist_auth::keys::{KeyRing, read_keys};

use super::startup_error::StartupError;

/// Reads the keys. Each source is `FILE` or `KID=FILE`. `tenants` is empty (any tenant), a single
/// one (for all keys), or one per source. `ceiling` applies to the tokens of all keys.
///
/// # Errors
/// A file that cannot be read or contains no usable key, a duplicate `kid`, or tenants that do not
/// match the sources.
pub fn read(
    sources: &[String],
    tenants: &[String],
    ceiling: &Ceiling,
) -> Result<KeyRing, StartupError> {
    if tenants.len() > 1 && tenants.len() != sources.len() {
        return Err(StartupError::configuration(
            format!(
                "{} tenants do not go with {} keys.",
                tenants.len(),
                sources.len()
            ),
            "Give --tenant once for all keys, or once for each --embed-key in the same order.",
        ));
    }
    let mut ring = KeyRing::default();
    for (index, source) in sources.iter().enumerate() {
        let tenant = tenants.get(index).or_else(|| tenants.first());
        add(&mut ring, source, tenant, ceiling)?;
    }
    Ok(ring)
}

fn add(
    ring: &mut KeyRing,
    source: &str,
    tenant: Option<&String>,
    ceiling: &Ceiling,
) -> Result<(), StartupError> {
    // A file name may contain `=`.
    let (kid, file) = match source.split_once('=') {
        Some((kid, file)) if !Path::new(source).exists() => (Some(kid), file),
        _ => (None, source),
    };
    let content = fs::read_to_string(file).map_err(|error| {
        StartupError::configuration(
            format!("The key file {file} cannot be read: {error}."),
            "--embed-key takes FILE or KID=FILE; FILE is a public key as PEM, JWK or JWK set.",
        )
    })?;
    let stem = Path::new(file)
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("key");
    let keys = read_keys(&content, kid.unwrap_or(stem), kid.is_some()).map_err(|error| {
        StartupError::configuration(
            format!("The key file {file} {error}."),
            "Make a key pair with: openssl genpkey -algorithm ed25519 -out private.pem && openssl pkey -in \
             private.pem -pubout -out public.pem",
        )
    })?;
    for mut key in keys {
        key.tenant = tenant.cloned();
        key.ceiling = ceiling.clone();
        ring.add(key).map_err(|kid| {
            StartupError::configuration(
                format!("Two keys have the kid {kid}."),
                "Name them apart: --embed-key KID=FILE.",
            )
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEM: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAVAPcLOaM7rVp0yxiZZqfOCRZ6bqnuzeYIm5qGAKfsKw=\n-----END PUBLIC KEY-----\n";

    struct Files(tempfile::TempDir);

    impl Files {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a folder"))
        }

        fn with(&self, name: &str, content: &str) -> String {
            let path = self.0.path().join(name);
            fs::write(&path, content).expect("a writable folder");
            path.to_str().expect("text").to_owned()
        }
    }

    fn tenant_of(ring: &KeyRing, kid: &str) -> Option<String> {
        ring.get(kid).expect("a key").tenant.clone()
    }

    #[test]
    fn a_key_is_named_by_its_file_or_by_the_command_line() {
        let files = Files::new();
        let (one, two) = (files.with("acme.pem", PEM), files.with("a=b.pem", PEM));
        let ring = read(
            &[one.clone(), format!("beta={one}"), two],
            &[],
            &Ceiling::default(),
        )
        .expect("three keys");
        assert!(
            ring.get("acme").is_some() && ring.get("beta").is_some() && ring.get("a=b").is_some()
        );
        assert_eq!(tenant_of(&ring, "acme"), None);
    }

    #[test]
    fn tenants_go_with_all_keys_or_one_by_one() {
        let files = Files::new();
        let keys = [
            format!("a={}", files.with("a.pem", PEM)),
            format!("b={}", files.with("b.pem", PEM)),
        ];
        let tenants = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        let ring = read(&keys, &tenants(&["acme"]), &Ceiling::default()).expect("two keys");
        assert_eq!(tenant_of(&ring, "b").as_deref(), Some("acme"));
        let ring = read(&keys, &tenants(&["acme", "beta"]), &Ceiling::default()).expect("two keys");
        assert_eq!(tenant_of(&ring, "b").as_deref(), Some("beta"));
        assert!(read(&keys, &tenants(&["a", "b", "c"]), &Ceiling::default()).is_err());
    }

    #[test]
    fn a_bad_file_is_named_in_the_refusal() {
        let files = Files::new();
        let refused = |source: &str| {
            read(&[source.to_owned()], &[], &Ceiling::default())
                .err()
                .expect("a refusal")
                .sentence
        };
        assert!(refused("nowhere.pem").contains("nowhere.pem cannot be read"));
        assert!(refused(&files.with("text.pem", "hello")).contains("is neither a PEM"));
        let private = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        assert!(refused(&files.with("private.pem", private)).contains("holds a private key"));
        let same = files.with("same.pem", PEM);
        let twice = read(&[same.clone(), same], &[], &Ceiling::default())
            .err()
            .expect("a refusal");
        assert!(twice.sentence.contains("the kid same"));
    }
}
