//! The options that say where the data is.
//!
//! Invariant: a wrong database URL is never repeated, since it may contain a password.

use std::path::PathBuf;

use checklist_store::database::{Database, DatabaseUrl};
use clap::Args;

use crate::config::StartupError;

#[derive(Debug, Args)]
pub(super) struct DataOptions {
    /// The folder that holds the database; made when it is not there.
    #[arg(
        long,
        value_name = "DIR",
        env = "CHECKLIST_DATA_DIR",
        default_value = "data"
    )]
    pub(super) data_dir: PathBuf,
    /// A PostgreSQL database that several nodes may share, instead of the folder's SQLite file:
    /// postgres://ROLE:PASSWORD@HOST:PORT/DATABASE. Better given in the environment, where others
    /// on this machine do not see the password.
    #[arg(
        long,
        value_name = "URL",
        env = "CHECKLIST_DATABASE_URL",
        hide_env_values = true
    )]
    pub(super) database_url: Option<String>,
}

impl DataOptions {
    /// Read here and not by the parser, which would repeat a wrong value, password and all.
    pub(super) fn database(&self) -> Result<Database, StartupError> {
        let Some(url) = &self.database_url else {
            return Ok(Database::Folder(self.data_dir.clone()));
        };
        let url: DatabaseUrl = url.parse().map_err(|error| {
            StartupError::configuration(
                format!("--database-url (or CHECKLIST_DATABASE_URL) cannot be read: {error}."),
                "Leave it out to keep the data in --data-dir.",
            )
        })?;
        Ok(Database::Shared(url))
    }
}
