//! `vault`: the keys that seal what authenticates towards other systems.
//!
//! A key is changed in two steps, with servers running: put a new one in front and start the
//! servers again, then seal everything anew and drop the old one.

use std::path::{Path, PathBuf};

use checklist_services::connections::rotation;
use checklist_store::sqlite::{self, backup};
use clap::{Args, Subcommand};

use super::access::with_present;
use super::data::OutboundServices;
use super::data_options::DataOptions;
use super::output::say;
use crate::config::{Exit, StartupError, vault};

/// Where a server in this folder writes the names of the keys that it has.
pub const VAULT_KEYS_IN_USE: &str = "server.vault-keys";

/// The keys of the vault.
#[derive(Debug, Subcommand)]
pub enum VaultCommand {
    /// Make a key file, or put a new key before those that a file holds.
    ///
    /// The first key seals, all of them open. Keep a copy apart from the database: without the
    /// keys, passwords of service connections have to be given anew.
    #[command(
        after_help = "Example:\n  checklist-server vault new-key /etc/checklist/vault.key --name 2027-01"
    )]
    NewKey {
        /// The key file.
        file: PathBuf,
        /// The key's name: letters, digits, `-`, `_`, `.`.
        #[arg(long, value_name = "NAME", value_parser = key_name)]
        name: String,
        #[command(flatten)]
        data: DataOptions,
    },
    /// Seal everything anew with the first key; afterwards the others can be dropped.
    ///
    /// The order, without a moment in which a password cannot be opened: `vault new-key` puts the
    /// new key in front; every server gets the file and is started again; `vault rotate`; the older
    /// keys are dropped from the file. May be run beside the servers, and again. A server that was
    /// started without the new key makes it refuse.
    #[command(
        after_help = "Example:\n  checklist-server vault rotate --data-dir /var/lib/checklist --vault-key \
                      /etc/checklist/vault.key"
    )]
    Rotate(RotateOptions),
}

/// What is sealed anew, and with what.
#[derive(Debug, Args)]
pub struct RotateOptions {
    #[command(flatten)]
    data: DataOptions,
    /// The key file.
    #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
    vault_key: PathBuf,
}

fn key_name(text: &str) -> Result<String, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if (1..=64).contains(&text.len()) && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Err("1 to 64 letters, digits, `-`, `_` or `.`".to_owned())
}

/// Runs it.
///
/// # Errors
/// What was refused, and why.
pub fn run(command: VaultCommand) -> Result<(), StartupError> {
    match command {
        VaultCommand::NewKey { file, name, data } => {
            if !file.exists()
                && let Some(folder) = data.database()?.folder()
            {
                refuse_beside_sealed(folder, &file)?;
            }
            let old = if file.exists() {
                vault::read(Some(&file))?
            } else {
                None
            };
            if old.as_ref().is_some_and(|keys| keys.has(&name)) {
                return Err(StartupError::new(
                    Exit::Configuration,
                    format!("{} holds a key named {name} already.", file.display()),
                    "Choose another name, such as the month.",
                ));
            }
            vault::write_new(&file, &name, old.as_ref())?;
            say(&format!("{} seals with the key {name} now", file.display()));
            if old.is_some() {
                say(
                    "next: give every server this file and start it again; then run `checklist-server vault rotate`; \
                     then the older keys can be dropped from the file",
                );
            }
            Ok(())
        }
        VaultCommand::Rotate(options) => {
            let keys = vault::read(Some(&options.vault_key))?;
            let current = keys.as_ref().map(|keys| keys.current().to_owned());
            if let (Some(folder), Some(current)) = (options.data.database()?.folder(), &current) {
                refuse_unknown_to_server(folder, current)?;
            }
            let reach = OutboundServices {
                vault: keys,
                egress: None,
                ..OutboundServices::default()
            };
            with_present(&options.data, reach, async |app| {
                let done = rotation::reseal(app).await?;
                say(&format!(
                    "{} of {} connections were sealed anew; all are sealed with the key {}",
                    done.anew,
                    done.sealed,
                    current.as_deref().unwrap_or("?")
                ));
                Ok(())
            })
        }
    }
}

/// A new key file beside secrets that another key has sealed would leave them closed for good.
fn refuse_beside_sealed(folder: &Path, file: &Path) -> Result<(), StartupError> {
    let sealed = backup::sealed_with(folder).unwrap_or_default();
    let Some((key, _)) = sealed.first() else {
        return Ok(());
    };
    let count: u64 = sealed.iter().map(|(_, count)| count).sum();
    Err(StartupError::new(
        Exit::Configuration,
        format!(
            "{} is not there, and {count} secrets in {} (of service connections, webhooks or the audit trail) are sealed \
             with the key {key}: a new key would open none of them.",
            file.display(),
            folder.display()
        ),
        "Put the key file back from your copy, or name it; then this command puts a new key before the old ones.",
    ))
}

/// A running server has to have the key that everything is about to be sealed with.
fn refuse_unknown_to_server(folder: &Path, current: &str) -> Result<(), StartupError> {
    let Some(process) = sqlite::process_of(folder) else {
        return Ok(());
    };
    let Ok(names) = std::fs::read_to_string(folder.join(VAULT_KEYS_IN_USE)) else {
        return Ok(());
    };
    if names.lines().any(|name| name == current) {
        return Ok(());
    }
    Err(StartupError::new(
        Exit::Configuration,
        format!(
            "The running server (process {process}) was started without the vault key {current}; nothing was changed."
        ),
        "Start it again with this key file, then run `vault rotate` once more.",
    ))
}
