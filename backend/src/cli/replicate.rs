//! `replicate`: keeps a copy of the SQLite database in step, beside the running server.
//!
//! Runs until a signal; a failed step is told once, and tried again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use checklist_runtime::clock::{Clock as _, SystemClock};
use checklist_store::database::Database;
use checklist_store::sqlite::backup::BackupError;
use checklist_store::sqlite::replica::{REPLICATED_AT, Replica, Step};
use clap::Args;

use super::backup::{explain, not_of_postgres};
use super::data;
use super::data_options::DataOptions;
use super::output::say;
use super::stop_signals::StopSignals;
use crate::config::StartupError;

/// What is followed, and where to.
#[derive(Debug, Args)]
pub struct ReplicateOptions {
    #[command(flatten)]
    data: DataOptions,
    /// The folder that gets the copy, best on another disk; made when it is not there.
    #[arg(value_name = "FOLDER")]
    to: PathBuf,
    /// How many seconds the copy may be behind, besides the time that copying takes: 1 to 3600.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_REPLICATE_SECONDS", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    every_seconds: u64,
}

/// `replicate`.
///
/// # Errors
/// Why it cannot begin. Later errors are told, and end nothing.
pub fn run(options: &ReplicateOptions) -> Result<(), StartupError> {
    let folder = match options.data.database()? {
        Database::Folder(folder) => folder,
        Database::Shared(_) => return Err(not_of_postgres()),
    };
    let every = Duration::from_secs(options.every_seconds);
    data::with_runtime(async {
        let mut signals = StopSignals::listen();
        let failed = |error: BackupError| explain(&error);
        let mut replica = Replica::open(&folder, &options.to).map_err(failed)?;
        replica.step().map_err(failed)?;
        note(&options.to);
        say(&format!(
            "{} follows {}, every {} s",
            options.to.display(),
            folder.display(),
            options.every_seconds
        ));
        let mut is_failing = false;
        loop {
            let stopped = tokio::select! {
                _ = signals.next() => true,
                () = tokio::time::sleep(every) => false,
            };
            match replica.step() {
                Ok(step) => {
                    note(&options.to);
                    if is_failing {
                        say("in step again");
                    }
                    if let Step::Compared(pages) = step {
                        say(&format!("all pages were compared, {pages} copied"));
                    }
                    is_failing = false;
                }
                Err(error) if !is_failing => {
                    eprintln!("{}", explain(&error));
                    is_failing = true;
                }
                Err(_) => {}
            }
            if stopped {
                return Ok(());
            }
        }
    })
}

/// Writes the time of the step, for whoever watches that the copy is in step.
fn note(folder: &Path) {
    let now = format!("{}\n", SystemClock.now());
    if let Err(error) = std::fs::write(folder.join(REPLICATED_AT), now) {
        eprintln!("the time of the copy cannot be written: {error}");
    }
}
