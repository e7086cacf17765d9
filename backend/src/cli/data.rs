//! The database for the command line: opening it with clear words, migrating, verifying.
//!
//! Called by `cli` for `migrate` and `audit verify`, and by `serve` to open what it serves.

use std::path::Path;

use tokio::runtime::Builder;

use super::say;
use crate::app::{App, AppOptions, OpenError};
use crate::config::{Exit, Refusal};
use crate::services::audit;
use crate::storage::sqlite::DATABASE;

/// Opens the database.
///
/// # Errors
/// What is wrong with the data directory, and what to do about it.
pub fn open(options: AppOptions) -> Result<App, Refusal> {
    App::open(options).map_err(|error| explain(&error))
}

fn explain(error: &OpenError) -> Refusal {
    let hint = match error {
        OpenError::Unwritable { .. } => {
            "Choose another folder with --data-dir, or make this one writable.".to_owned()
        }
        OpenError::InUse {
            process: Some(process),
            ..
        } => {
            format!(
                "Stop the other server (process {process}), or choose another folder with --data-dir."
            )
        }
        OpenError::InUse { process: None, .. } => {
            "Stop the other server, or choose another folder with --data-dir.".to_owned()
        }
        OpenError::IsDemo { .. } => {
            "Start with --demo, or choose another folder with --data-dir for real data.".to_owned()
        }
        OpenError::IsNotDemo { .. } => {
            "Leave out --demo, or choose another folder with --data-dir.".to_owned()
        }
        OpenError::Newer { .. } => {
            "Use the version of the server that wrote it, or a newer one.".to_owned()
        }
        OpenError::Corrupt { .. } => {
            "Restore the folder from a backup, or choose another with --data-dir.".to_owned()
        }
    };
    let mut sentence = error.to_string();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Refusal::new(Exit::Data, format!("{sentence}."), hint)
}

/// Opens a database that is there already, to look at it.
fn open_present(data_dir: &Path) -> Result<App, Refusal> {
    if !data_dir.join(DATABASE).exists() {
        return Err(no_database(data_dir));
    }
    open_any(data_dir)
}

fn no_database(data_dir: &Path) -> Refusal {
    Refusal::new(
        Exit::Data,
        format!("There is no database in {}.", data_dir.display()),
        "Name the server's folder with --data-dir, or make one with checklist-server init.",
    )
}

/// Opens a database of either kind.
fn open_any(data_dir: &Path) -> Result<App, Refusal> {
    let options = |demo| AppOptions {
        demo,
        ..AppOptions::new(data_dir.to_owned())
    };
    match App::open(options(false)) {
        Err(OpenError::IsDemo { .. }) => open(options(true)),
        other => other.map_err(|error| explain(&error)),
    }
}

/// Opens a database to change who may sign in, also while a server works with it.
///
/// # Errors
/// What is wrong with the data directory, and what to do about it.
pub fn open_directory(data_dir: &Path) -> Result<App, Refusal> {
    let options = |demo, beside| AppOptions {
        demo,
        beside,
        ..AppOptions::new(data_dir.to_owned())
    };
    match App::open(options(false, false)) {
        Err(OpenError::IsDemo { .. }) => open(options(true, false)),
        // The server notices the change within a second.
        Err(OpenError::InUse { .. }) => open(options(false, true)),
        other => other.map_err(|error| explain(&error)),
    }
}

/// The same for a database that has to be there already.
///
/// # Errors
/// Like [`open_directory`], and when there is none.
pub fn open_present_directory(data_dir: &Path) -> Result<App, Refusal> {
    if data_dir.join(DATABASE).exists() {
        return open_directory(data_dir);
    }
    Err(no_database(data_dir))
}

/// `migrate`.
///
/// # Errors
/// When the database cannot be opened or brought to this version's layout.
pub fn migrate(data_dir: &Path) -> Result<(), Refusal> {
    with_runtime(async {
        open_any(data_dir)?
            .close()
            .await
            .map_err(|_| not_closed())?;
        say(&format!(
            "the database in {} has the layout of this version",
            data_dir.display()
        ));
        Ok(())
    })
}

/// `audit verify`.
///
/// # Errors
/// `AuditBroken` when a row is not what was written.
pub fn verify_audit(data_dir: &Path, tenant: Option<&str>) -> Result<(), Refusal> {
    with_runtime(async {
        let app = open_present(data_dir)?;
        let verdicts = audit::verify(&app, tenant).await.map_err(|error| {
            let detail = error.problem.detail.unwrap_or(error.problem.title);
            Refusal::new(
                Exit::Failed,
                format!("The audit trail cannot be read: {detail}"),
                "Try again on a copy of the folder.",
            )
        })?;
        app.close().await.map_err(|_| not_closed())?;
        let mut broken = Vec::new();
        for verdict in &verdicts {
            match &verdict.broken {
                None => say(&format!(
                    "tenant {}: {} rows, unbroken",
                    verdict.tenant, verdict.rows
                )),
                Some(found) => {
                    say(&format!(
                        "tenant {}: broken at row {}: {}",
                        verdict.tenant, found.sequence, found.reason
                    ));
                    broken.push(verdict.tenant.as_str());
                }
            }
        }
        if verdicts.is_empty() {
            say("there is no audit trail yet");
        }
        if broken.is_empty() {
            return Ok(());
        }
        Err(Refusal::new(
            Exit::AuditBroken,
            format!(
                "The audit trail of {} is not what was written.",
                broken.join(", ")
            ),
            "Compare with a backup from before; rows up to the one named are as they were written.",
        ))
    })
}

fn not_closed() -> Refusal {
    Refusal::new(
        Exit::Failed,
        "The database could not be closed well.",
        "Nothing acknowledged is lost; look at the disk.",
    )
}

/// Runs to the end on a runtime of its own.
pub fn with_runtime<T>(work: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            Refusal::new(
                Exit::Failed,
                format!("The system gives no threads: {error}."),
                "Look at the limits of this user.",
            )
        })?;
    runtime.block_on(work)
}
