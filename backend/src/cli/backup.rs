//! `backup` and `restore`: a copy of the data, made while the server works, and the way back.
//!
//! Of a PostgreSQL the tools that come with it make better copies, so these commands say which.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use checklist_store::database::Database;
use checklist_store::sqlite::backup::{self, BackupError, Contents};
use clap::Args;

use super::data::hint_for_folder;
use super::data_options::DataOptions;
use super::key_files::{self, KeyFiles};
use super::output::say;
use crate::config::{Exit, StartupError};

/// What is copied, and where to.
#[derive(Debug, Args)]
pub struct BackupOptions {
    #[command(flatten)]
    data: DataOptions,
    /// The folder that gets the copy; made when it is not there.
    #[arg(value_name = "FOLDER")]
    to: PathBuf,
    /// Also copies the vault's key, private keys and the configuration, into this folder: another
    /// one, to be kept apart, because with both in one place whoever has the copy has the passwords.
    #[arg(long, value_name = "FOLDER")]
    with_keys: Option<PathBuf>,
    /// The file with the keys of the vault, where it is not vault.key in the data directory.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
    vault_key: Option<PathBuf>,
    /// The configuration, where it is not checklist.env in the data directory:
    /// /etc/checklist/checklist.env.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What is put back, and where to.
#[derive(Debug, Args)]
pub struct RestoreOptions {
    /// The folder with the copy.
    #[arg(value_name = "BACKUP")]
    from: PathBuf,
    /// The folder that gets the database; it must not hold one.
    #[arg(
        long,
        value_name = "DIR",
        env = "CHECKLIST_DATA_DIR",
        default_value = "data"
    )]
    data_dir: PathBuf,
    /// The folder with the keys and the configuration that `backup --with-keys` has written; they
    /// are put into the data directory.
    #[arg(long, value_name = "FOLDER")]
    with_keys: Option<PathBuf>,
    /// The file with the keys of the vault, where it is kept elsewhere.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
    vault_key: Option<PathBuf>,
}

/// `backup`.
///
/// # Errors
/// Why there is no copy; then nothing is left of it.
pub fn back_up(options: &BackupOptions) -> Result<(), StartupError> {
    let folder = match options.data.database()? {
        Database::Folder(folder) => folder,
        Database::Shared(_) => return Err(not_of_postgres()),
    };
    if let Some(keys) = &options.with_keys {
        refuse_together(&options.to, keys)?;
    }
    let made = backup::back_up(&folder, &options.to, report).map_err(|error| explain(&error))?;
    say(&format!("{} holds {}", options.to.display(), tell(&made)));
    let vault = options.vault_key.clone();
    let config = options.config.clone();
    let files = KeyFiles::of(&folder, vault, config);
    match &options.with_keys {
        Some(keys) => {
            for file in files.copy_to(keys)? {
                say(&format!("{} holds {file}", keys.display()));
            }
            if files.vault.is_none() && !backup::sealed_with(&folder).unwrap_or_default().is_empty()
            {
                say(
                    "the vault's key file was not found: name it with --vault-key FILE (or CHECKLIST_VAULT_KEY)",
                );
            }
            say("keep the two folders apart: with both, every sealed password can be opened");
        }
        None => {
            say(
                "it holds the database alone. Not in it, and to be kept elsewhere (--with-keys FOLDER copies them):",
            );
            for line in files.not_in_the_copy() {
                say(&format!("  {line}"));
            }
        }
    }
    Ok(())
}

/// `restore`.
///
/// # Errors
/// Why nothing was put back; then the folder holds no database.
pub fn restore(options: &RestoreOptions) -> Result<(), StartupError> {
    let made = backup::restore(&options.from, &options.data_dir, report)
        .map_err(|error| explain(&error))?;
    say(&format!(
        "restored into {}: {}",
        options.data_dir.display(),
        tell(&made)
    ));
    if let Some(keys) = &options.with_keys {
        for file in key_files::put_back(keys, &options.data_dir)? {
            say(&format!(
                "restored into {}: {file}",
                options.data_dir.display()
            ));
        }
    }
    for line in key_files::still_missing(&options.data_dir, options.vault_key.as_deref()) {
        say(&line);
    }
    Ok(())
}

/// The keys beside the passwords that they open would make sealing them pointless.
fn refuse_together(copy: &Path, keys: &Path) -> Result<(), StartupError> {
    let whole = |path: &Path| {
        let there = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        std::fs::canonicalize(&there).unwrap_or(there)
    };
    let (copy, keys) = (whole(copy), whole(keys));
    if !keys.starts_with(&copy) && !copy.starts_with(&keys) {
        return Ok(());
    }
    Err(StartupError::configuration(
        "The keys would lie with the copy of the database; whoever has both can open every sealed password.",
        "Name a folder of its own with --with-keys, best on another disk.",
    ))
}

fn tell(contents: &Contents) -> String {
    format!(
        "{} lists and {} rows of audit trail (layout {}, {} bytes); every page was read without a fault",
        contents.lists, contents.audit_rows, contents.layout, contents.bytes
    )
}

/// Where somebody looks on, how far it is.
fn report(done: u64, all: u64) {
    let mut out = std::io::stderr().lock();
    if all > 0 && out.is_terminal() {
        // Nobody needs a report about a report that could not be written.
        let _ = write!(
            out,
            "\r{:3} %{}",
            done * 100 / all,
            if done == all { "\n" } else { "" }
        )
        .and_then(|()| out.flush());
    }
}

pub(super) fn not_of_postgres() -> StartupError {
    StartupError::configuration(
        "A PostgreSQL is copied by its own tools.",
        "Run pg_dump --format=custom as a role that may read everything (BYPASSRLS), and put it back with pg_restore: \
         docs/OPERATION.md shows both.",
    )
}

pub(super) fn explain(error: &BackupError) -> StartupError {
    let hint = match error {
        BackupError::Missing(_) => "Name the folder that holds checklist.sqlite3.".to_owned(),
        BackupError::Occupied(_) => {
            "Name another folder, or move what is there away first; nothing is ever overwritten."
                .to_owned()
        }
        BackupError::Open(error) => hint_for_folder(error),
        BackupError::Damaged { .. } => "Use another copy; this one was not touched.".to_owned(),
        BackupError::Unwritable { .. } => {
            "Look at the space and the rights there; nothing was left behind.".to_owned()
        }
    };
    let mut sentence = error.to_string();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    StartupError::new(Exit::Data, format!("{sentence}."), hint)
}
