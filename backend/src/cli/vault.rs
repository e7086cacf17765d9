//! `vault`: the keys that seal what authenticates towards other systems.
//!
//! A key is changed in two steps, with servers running: put a new one in front and start the
//! servers again, then seal everything anew and drop the old one. Called by `cli`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::access::with_present;
use super::data::Reach;
use super::{DataOptions, say};
use crate::config::{Exit, Refusal, vault};
use crate::services::connections::rotation;

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
    },
    /// Seal everything anew with the first key; afterwards the others can be dropped.
    ///
    /// May be run beside servers that have the same key file, and again.
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
pub fn run(command: VaultCommand) -> Result<(), Refusal> {
    match command {
        VaultCommand::NewKey { file, name } => {
            let old = if file.exists() {
                vault::read(Some(&file))?
            } else {
                None
            };
            if old.as_ref().is_some_and(|keys| keys.has(&name)) {
                return Err(Refusal::new(
                    Exit::Configuration,
                    format!("{} holds a key named {name} already.", file.display()),
                    "Choose another name, such as the month.",
                ));
            }
            vault::write_new(&file, &name, old.as_ref())?;
            say(&format!("{} seals with the key {name} now", file.display()));
            Ok(())
        }
        VaultCommand::Rotate(options) => {
            let keys = vault::read(Some(&options.vault_key))?;
            let current = keys.as_ref().map(|keys| keys.current().to_owned());
            let reach = Reach {
                vault: keys,
                egress: None,
                ..Reach::default()
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
