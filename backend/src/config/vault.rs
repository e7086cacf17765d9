//! `--vault-key`: the file with the keys that encrypt credentials for other systems.
//!
//! The demo generates one in its folder. Without a key file, no such credentials can be stored.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use checklist_store::database::Database;
use checklist_vault::VaultKeys;

use super::{StartupError, refuse_open_file};

/// The name of the demo's key file.
const OF_DEMO: &str = "vault.key";

/// Reads the key file, if configured.
///
/// # Errors
/// The file cannot be read, is readable by others, or contains no keys.
pub fn read(file: Option<&Path>) -> Result<Option<VaultKeys>, StartupError> {
    let Some(file) = file else { return Ok(None) };
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| {
        StartupError::configuration(
            format!("The key file of the vault {shown} cannot be read: {error}."),
            "Name the file that holds this server's keys, or put it back from your copy. Only a server that has sealed \
             nothing yet gets a new one: checklist-server vault new-key FILE --name NAME.",
        )
    })?;
    refuse_open_file(file)?;
    let keys = VaultKeys::parse(&text).map_err(|error| {
        StartupError::configuration(
            format!("The key file of the vault {shown} cannot be used: {error}."),
            "Put the file back from your copy: a new key cannot open what the old ones have sealed.",
        )
    })?;
    Ok(Some(keys))
}

/// The demo's keys, generated at its first start.
///
/// # Errors
/// The folder is not writable.
pub fn of_demo(database: &Database) -> Result<Option<VaultKeys>, StartupError> {
    let Some(folder) = database.folder() else {
        return Ok(None);
    };
    let file = folder.join(OF_DEMO);
    if !file.exists() {
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        write_new(&file, "demo", None)?;
    }
    read(Some(&file))
}

/// Writes a key file, readable by its owner only, with a new key before those of `old`. Atomic: the
/// file is complete or absent.
///
/// # Errors
/// The file cannot be written, or the operating system has no random numbers.
pub fn write_new(file: &Path, name: &str, old: Option<&VaultKeys>) -> Result<(), StartupError> {
    let text = VaultKeys::with_new_key(name, old).map_err(|error| {
        StartupError::configuration(format!("No key could be made: {error}."), "Try again.")
    })?;
    let beside = file.with_extension("new");
    let mut how = fs::File::options();
    how.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        how.mode(0o600);
    }
    let mut out = how
        .open(&beside)
        .map_err(|error| cannot_write(file, &error))?;
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.sync_all())
        .and_then(|()| fs::rename(&beside, file));
    written.map_err(|error| {
        // A partial file would block the next attempt.
        let _ = fs::remove_file(&beside);
        cannot_write(file, &error)
    })
}

fn cannot_write(path: &Path, error: &std::io::Error) -> StartupError {
    let hint = match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            "Make room on that disk, or choose another place for the key file of the vault."
        }
        _ => "Choose another place for the key file of the vault.",
    };
    StartupError::configuration(
        format!("{} cannot be written: {error}.", path.display()),
        hint,
    )
}
