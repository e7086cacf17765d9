//! What a server needs beside its database: the vault's key, the private keys that `init` has made,
//! and the configuration. Found, copied apart, put back, and named where they are missing.
//!
//! Every file is written for its owner's eyes, and none is ever overwritten.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use checklist_store::sqlite::backup::sealed_with;

use crate::config::{Exit, StartupError, vault};

/// The names under which `init` writes them.
const VAULT: &str = "vault.key";
const CONFIG: &str = "checklist.env";
const PRIVATE: &str = ".private.pem";

/// Where they are.
pub struct KeyFiles {
    /// The keys of the vault.
    pub vault: Option<PathBuf>,
    /// The configuration.
    config: Option<PathBuf>,
    /// Private keys of host platforms.
    private: Vec<PathBuf>,
}

impl KeyFiles {
    /// Those of a server: the named ones, else what lies in its folder.
    pub fn of(folder: &Path, vault: Option<PathBuf>, config: Option<PathBuf>) -> Self {
        let there = |name: &str| Some(folder.join(name)).filter(|file| file.exists());
        let mut private: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| is_private_key(path))
            .collect();
        private.sort();
        Self {
            vault: vault.or_else(|| there(VAULT)),
            config: config.or_else(|| there(CONFIG)),
            private,
        }
    }

    /// Copies them into a folder; what it holds then.
    ///
    /// # Errors
    /// A file cannot be read or written, or is there already.
    pub fn copy_to(&self, folder: &Path) -> Result<Vec<String>, StartupError> {
        make_folder(folder)?;
        let mut copied = Vec::new();
        let named = [(&self.vault, VAULT), (&self.config, CONFIG)];
        let named = named
            .into_iter()
            .filter_map(|(file, name)| file.as_ref().map(|file| (file, name.to_owned())));
        let private = self.private.iter().map(|file| (file, name_of(file)));
        for (file, name) in named.chain(private) {
            copy(file, &folder.join(&name))?;
            copied.push(format!("{name} (of {})", file.display()));
        }
        Ok(copied)
    }

    /// A line for each of them.
    pub fn not_in_the_copy(&self) -> Vec<String> {
        let of = |what: &str, file: Option<&PathBuf>, how: &str| match file {
            Some(file) => format!("{what}: {}", file.display()),
            None => format!("{what}: {how}"),
        };
        let mut lines = vec![
            of(
                "the vault's key, without which nobody opens the sealed passwords",
                self.vault.as_ref(),
                "wherever CHECKLIST_VAULT_KEY of the server names it",
            ),
            of(
                "the configuration",
                self.config.as_ref(),
                "wherever the service reads it, such as /etc/checklist/checklist.env",
            ),
        ];
        let private = self.private.iter();
        lines.extend(private.map(|file| format!("a private key: {}", file.display())));
        lines
    }
}

fn is_private_key(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.ends_with(PRIVATE))
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Puts what [`KeyFiles::copy_to`] has written into the folder of a server.
///
/// # Errors
/// A file cannot be read or written, or another one of its name is there.
pub fn put_back(from: &Path, folder: &Path) -> Result<Vec<String>, StartupError> {
    let files = KeyFiles::of(from, None, None);
    if files.vault.is_none() && files.config.is_none() && files.private.is_empty() {
        return Err(StartupError::new(
            Exit::Data,
            format!("{} holds no keys and no configuration.", from.display()),
            "Name the folder that `backup --with-keys` has written.",
        ));
    }
    let mut done = Vec::new();
    let all = files
        .vault
        .iter()
        .chain(&files.config)
        .chain(&files.private);
    for file in all {
        let name = name_of(file);
        copy(file, &folder.join(&name))?;
        done.push(name);
    }
    Ok(done)
}

/// What the folder of a server lacks, in sentences; nothing where all is there.
pub fn still_missing(folder: &Path, vault_key: Option<&Path>) -> Vec<String> {
    let files = KeyFiles::of(folder, vault_key.map(Path::to_owned), None);
    let mut lines = Vec::new();
    let keys = files
        .vault
        .as_ref()
        .filter(|file| file.exists())
        .and_then(|file| vault::read(Some(file)).ok().flatten());
    for (key, count) in sealed_with(folder).unwrap_or_default() {
        if keys.as_ref().is_some_and(|keys| keys.has(&key)) {
            continue;
        }
        lines.push(format!(
            "MISSING: the vault key {key}, which has sealed {count} secrets (of service connections, webhooks or the audit \
             trail). Put its file back and name it with CHECKLIST_VAULT_KEY; do not make a new one, it would open none of them."
        ));
    }
    match &files.config {
        None => lines.push(format!(
            "not here: the configuration ({CONFIG}). Put it back, or write it anew; the service's is usually \
             /etc/checklist/{CONFIG}."
        )),
        Some(config) => {
            let text = fs::read_to_string(config).unwrap_or_default();
            let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
            let named = text
                .lines()
                .find_map(|line| line.strip_prefix("CHECKLIST_DATA_DIR="))
                .map(|value| value.trim_matches(['\'', '"']));
            if named.is_some_and(|named| Path::new(named) != whole) {
                lines.push(format!(
                    "{} still names {}: change the paths in it to {}.",
                    config.display(),
                    named.unwrap_or_default(),
                    whole.display()
                ));
            }
        }
    }
    if files.private.is_empty() {
        lines.push(
            "not here: private keys of host platforms. The platforms have their own copies; nothing is lost for the server."
                .to_owned(),
        );
    }
    lines
}

fn make_folder(folder: &Path) -> Result<(), StartupError> {
    let mut how = fs::DirBuilder::new();
    how.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut how, 0o700);
    how.create(folder)
        .map_err(|error| cannot(folder, "made", &error))
}

/// Copies a file to where there is none, for the owner's eyes alone. The same file again is no
/// difference.
fn copy(from: &Path, to: &Path) -> Result<(), StartupError> {
    let bytes = fs::read(from).map_err(|error| cannot(from, "read", &error))?;
    if to.exists() {
        if fs::read(to).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        return Err(StartupError::new(
            Exit::Data,
            format!("{} is there already and is another one.", to.display()),
            "Move it away first; nothing is ever overwritten.",
        ));
    }
    let mut how = fs::File::options();
    how.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    how.open(to)
        .and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        })
        .map_err(|error| cannot(to, "written", &error))
}

fn cannot(path: &Path, what: &str, error: &std::io::Error) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("{} cannot be {what}: {error}.", path.display()),
        "Look at the space and the rights there.",
    )
}
