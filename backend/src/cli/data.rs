//! The database for the command line: opening it with clear words, migrating, verifying.

use std::sync::Arc;

use checklist_egress::Egress;
use checklist_services::app::{App, AppOptions, OpenError};
use checklist_store::database::Database;
use checklist_store::directory::Tenant;
use checklist_store::sqlite::DATABASE;
use checklist_store::{postgres, sqlite};
use checklist_vault::VaultKeys;
use checklist_workflow::retry::RetryPolicy;
use tokio::runtime::Builder;

use super::output::say;
use super::suggestion::nearest;
use crate::config::{Exit, StartupError};

/// Opens the database.
///
/// # Errors
/// What is wrong with it, and what to do about it.
pub async fn open(options: AppOptions) -> Result<App, StartupError> {
    App::open(options).await.map_err(|error| explain(&error))
}

fn explain(error: &OpenError) -> StartupError {
    match error {
        OpenError::Sqlite(error) => explain_folder(error),
        OpenError::Postgres(error) => explain_postgres(error),
        OpenError::Egress(_) => StartupError::new(
            Exit::Failed,
            sentence(error),
            "This is a fault of the system's TLS.",
        ),
    }
}

/// Why a folder cannot be used.
pub fn explain_folder(error: &sqlite::OpenError) -> StartupError {
    StartupError::new(Exit::Data, sentence(error), hint_for_folder(error))
}

/// Why a PostgreSQL cannot be used.
pub fn explain_postgres(error: &postgres::OpenError) -> StartupError {
    let exit = match error {
        postgres::OpenError::Url { .. } => Exit::Configuration,
        _ => Exit::Data,
    };
    StartupError::new(exit, sentence(error), hint_for_postgres(error))
}

fn sentence(error: &impl ToString) -> String {
    let mut sentence = error.to_string();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{sentence}.")
}

/// What to do about a folder that cannot be used.
pub fn hint_for_folder(error: &sqlite::OpenError) -> String {
    match error {
        sqlite::OpenError::Unwritable { .. } => {
            "Choose another folder with --data-dir, or make this one writable.".to_owned()
        }
        sqlite::OpenError::Full { .. } => {
            "Make room on that disk, or move the folder to a larger one; the data is whole."
                .to_owned()
        }
        sqlite::OpenError::InUse {
            process: Some(process),
            ..
        } => {
            format!(
                "Stop the other server (process {process}), or choose another folder with --data-dir."
            )
        }
        sqlite::OpenError::InUse { process: None, .. } => {
            "Stop the other server, or choose another folder with --data-dir.".to_owned()
        }
        sqlite::OpenError::IsDemo { .. } => {
            "Start with --demo, or choose another folder with --data-dir for real data.".to_owned()
        }
        sqlite::OpenError::IsNotDemo { .. } => {
            "Leave out --demo, or choose another folder with --data-dir.".to_owned()
        }
        sqlite::OpenError::Newer { .. } => {
            "Use the version of the server that wrote it, or a newer one.".to_owned()
        }
        sqlite::OpenError::Corrupt { .. } => {
            "Restore the folder from a backup, or choose another with --data-dir.".to_owned()
        }
    }
}

fn hint_for_postgres(error: &postgres::OpenError) -> String {
    use postgres::OpenError as Error;
    match error {
        Error::Url { .. } => {
            "Write --database-url as postgres://ROLE:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and its like."
                .to_owned()
        }
        Error::Unreachable { .. } => {
            "Start PostgreSQL, or look at host and port in --database-url and at the network between.".to_owned()
        }
        Error::Unprotected { .. } => {
            "Look at the server's certificate, and at sslmode and sslrootcert in --database-url; without TLS it is \
             sslmode=disable."
                .to_owned()
        }
        Error::Refused { .. } => {
            "Look at role and password in --database-url, and at the server's pg_hba.conf.".to_owned()
        }
        Error::Missing { .. } => {
            "Make one: CREATE DATABASE checklist OWNER checklist ENCODING 'UTF8' TEMPLATE template0.".to_owned()
        }
        Error::Unfit { .. } => {
            "Name another database with --database-url: PostgreSQL 14 or newer, UTF8, the one that is written to."
                .to_owned()
        }
        Error::TooMighty { .. } => {
            "Use a role of its own: CREATE ROLE checklist LOGIN PASSWORD '…' NOSUPERUSER NOBYPASSRLS, and make it \
             the database's owner."
                .to_owned()
        }
        Error::Powerless { role, .. } => {
            format!("Make the role the owner: ALTER DATABASE … OWNER TO {role}, or name another with --database-url.")
        }
        Error::Newer { .. } => {
            "Use the version of the server that wrote it, or a newer one.".to_owned()
        }
        Error::Foreign { .. } => {
            "Name a database of this server's own with --database-url, or restore it from a backup.".to_owned()
        }
    }
}

fn no_database(data_dir: &std::path::Path) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("There is no database in {}.", data_dir.display()),
        "Name the server's folder with --data-dir (or its PostgreSQL with --database-url), or make one with checklist-server init.",
    )
}

/// Opens a database of either kind.
async fn open_any(database: &Database) -> Result<App, StartupError> {
    let options = |demo| AppOptions {
        demo,
        ..AppOptions::on(database.clone())
    };
    match App::open(options(false)).await {
        Err(OpenError::Sqlite(sqlite::OpenError::IsDemo { .. })) => open(options(true)).await,
        other => other.map_err(|error| explain(&error)),
    }
}

/// What opens connections to other systems, and carries requests there.
#[derive(Default)]
pub struct OutboundServices {
    /// The keys of the vault.
    pub vault: Option<VaultKeys>,
    /// The rules for outgoing requests.
    pub egress: Option<Arc<Egress>>,
    /// How long runs try to reach a site that is away.
    pub run_retries: RetryPolicy,
}

/// Opens a database to change who may sign in, also while a server works with it.
///
/// # Errors
/// What is wrong with it, and what to do about it.
pub async fn open_directory(
    database: &Database,
    reach: OutboundServices,
) -> Result<App, StartupError> {
    let options = |demo, beside| AppOptions {
        demo,
        beside,
        vault: reach.vault.clone(),
        egress: reach.egress.clone(),
        run_retries: reach.run_retries,
        ..AppOptions::on(database.clone())
    };
    match App::open(options(false, false)).await {
        Err(OpenError::Sqlite(sqlite::OpenError::IsDemo { .. })) => {
            open(options(true, false)).await
        }
        // The server notices the change within a second.
        Err(OpenError::Sqlite(sqlite::OpenError::InUse { .. })) => open(options(false, true)).await,
        other => other.map_err(|error| explain(&error)),
    }
}

/// The same for a database that has to be there already.
///
/// # Errors
/// Like [`open_directory`], and when there is none.
pub async fn open_present_directory(
    database: &Database,
    reach: OutboundServices,
) -> Result<App, StartupError> {
    match database.folder() {
        Some(folder) if !folder.join(DATABASE).exists() => Err(no_database(folder)),
        _ => open_directory(database, reach).await,
    }
}

/// `migrate`.
///
/// # Errors
/// When the database cannot be opened or brought to this version's layout.
pub fn migrate(database: &Database) -> Result<(), StartupError> {
    with_runtime(async {
        open_any(database)
            .await?
            .close()
            .await
            .map_err(|_| not_closed())?;
        say(&format!(
            "the database in {database} has the layout of this version"
        ));
        Ok(())
    })
}

/// There is no tenant of that id; says which one may be meant.
pub(super) fn no_tenant(id: &str, there: &[Tenant]) -> StartupError {
    let near = nearest(id, there.iter().map(|tenant| tenant.id.as_str()));
    let hint = match (near, there) {
        (Some(near), _) => format!("Did you mean {near}? `checklist-server tenant list` shows them all."),
        (None, []) => "There are none yet; make one with `checklist-server tenant add ID`.".to_owned(),
        (None, _) => "`checklist-server tenant list` shows those that there are; `checklist-server tenant add ID` \
                      makes one."
            .to_owned(),
    };
    StartupError::new(Exit::Data, format!("There is no tenant {id}."), hint)
}

fn not_closed() -> StartupError {
    StartupError::new(
        Exit::Failed,
        "The database could not be closed well.",
        "Nothing acknowledged is lost; look at the disk.",
    )
}

/// Runs to the end on a runtime of its own.
pub fn with_runtime<T>(
    work: impl Future<Output = Result<T, StartupError>>,
) -> Result<T, StartupError> {
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            StartupError::new(
                Exit::Failed,
                format!("The system gives no threads: {error}."),
                "Look at the limits of this user.",
            )
        })?;
    runtime.block_on(work)
}
