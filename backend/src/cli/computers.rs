//! `computers`: the inventory from the command line, as the operator.
//!
//! Works on the server's folder, also while the server runs. Tables for people on stdout, the
//! answers of the web services with `--json`; errors of a file are reported row by row on
//! stderr.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use checklist_auth::Principal;
use checklist_services::app::App;
use checklist_services::computers::import::{self, Rows};
use checklist_services::computers::{self, ComputerQuery, MOST};
use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::wire::computers::{
    ComputersPage, ImportAnswer, ImportChange, ImportComputers, ImportOutcome,
};
use checklist_store::error::ServiceError;
use clap::{Args, Subcommand, ValueEnum};

use super::access::{TenantOptions, with_present};
use super::data::OutboundServices;
use super::output::{print, say};
use crate::config::{Exit, StartupError};

/// The inventory of computers.
#[derive(Debug, Subcommand)]
pub enum ComputersCommand {
    /// List computers, by name.
    #[command(
        after_help = "Examples:\n  checklist-server computers list --tenant acme --search köln --status InRepair\n  \
                      checklist-server computers list --tenant acme --json > computers.json"
    )]
    List(ListOptions),
    /// Import computers from a file: all of them, or none when a row is wrong.
    ///
    /// A table names its columns in the first row: Id, Name, Status, and any other field of a
    /// computer in any order. Computers that the file does not name stay as they are.
    #[command(
        after_help = "Examples:\n  checklist-server computers import --tenant acme computers.csv --dry-run\n  \
                      checklist-server computers import --tenant acme computers.json\n  \
                      inventory-export | checklist-server computers import --tenant acme --format csv -"
    )]
    Import(ImportOptions),
}

/// Which computers to list.
#[derive(Debug, Args)]
pub struct ListOptions {
    #[command(flatten)]
    of: TenantOptions,
    /// Words that all have to stand in name, serial number, asset tag, assignee or location.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Of this status only: Ordered, InStock, InUse, InRepair, Missing or Scrapped.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<ComputerStatus>,
    /// JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// What to import.
#[derive(Debug, Args)]
pub struct ImportOptions {
    #[command(flatten)]
    of: TenantOptions,
    /// The file; - for stdin.
    file: PathBuf,
    /// Only say what would change.
    #[arg(long)]
    dry_run: bool,
    /// What the file is, where its name does not say so.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// JSON instead of sentences.
    #[arg(long)]
    json: bool,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table with a head row, in UTF-8.
    Csv,
    /// {"Computers": […]}, or the list alone.
    Json,
}

fn status(text: &str) -> Result<ComputerStatus, String> {
    ComputerStatus::from_name(text).ok_or_else(|| {
        let names = ComputerStatus::ALL.map(ComputerStatus::name);
        format!("one of {}", names.join(", "))
    })
}

/// `computers`.
///
/// # Errors
/// What was refused, and why.
pub fn run(command: ComputersCommand) -> Result<(), StartupError> {
    match command {
        ComputersCommand::List(options) => list(&options),
        ComputersCommand::Import(options) => import(&options),
    }
}

fn list(options: &ListOptions) -> Result<(), StartupError> {
    with_present(&options.of.data, OutboundServices::default(), async |app| {
        let page = everything(app, options).await?;
        if options.json {
            return print(&page);
        }
        for view in &page.computers {
            let field = |field| view.computer.text(field).unwrap_or_default();
            let fields = [
                ComputerField::Id,
                ComputerField::Name,
                ComputerField::Status,
                ComputerField::SerialNumber,
                ComputerField::AssignedTo,
                ComputerField::Location,
            ];
            say(&fields.map(field).join("\t"));
        }
        eprintln!("{} computers", page.total);
        Ok(())
    })
}

/// All pages as one.
async fn everything(app: &App, options: &ListOptions) -> Result<ComputersPage, StartupError> {
    let operator = Principal::operator(&options.of.tenant);
    let mut query = ComputerQuery {
        search: options.search.clone(),
        status: options.status,
        after: None,
        limit: Some(MOST),
    };
    let mut all = ComputersPage::default();
    loop {
        let page = computers::list(app, &operator, &query).await?;
        all.total = page.total;
        all.computers.extend(page.computers);
        query.after = page.next;
        if query.after.is_none() {
            return Ok(all);
        }
    }
}

fn import(options: &ImportOptions) -> Result<(), StartupError> {
    let rows = rows_of(options)?;
    with_present(&options.of.data, OutboundServices::default(), async |app| {
        let operator = Principal::operator(&options.of.tenant);
        // Looked at first, so that every error is reported row by row.
        let looked_at = import::run(app, &operator, rows.clone(), true).await;
        let looked_at = looked_at.map_err(unreadable)?;
        let answer = if options.dry_run || looked_at.failed > 0 {
            looked_at
        } else {
            let done = import::run(app, &operator, rows.clone(), false).await;
            done.map_err(unreadable)?
        };
        if options.json {
            print(&answer)?;
        } else {
            tell(&answer);
        }
        if answer.failed == 0 {
            return Ok(());
        }
        let wrong = match answer.failed {
            1 => "One row is wrong".to_owned(),
            many => format!("{many} rows are wrong"),
        };
        Err(StartupError::new(
            Exit::Failed,
            format!("{wrong}; nothing was imported."),
            "Mend the rows that are named above, and import the file again.",
        ))
    })
}

/// A file that was refused as a whole.
fn unreadable(error: ServiceError) -> StartupError {
    let problem = error.problem;
    let mut sentence = problem.detail.unwrap_or(problem.title);
    for error in &problem.errors {
        if !sentence.contains(&error.detail) {
            sentence.push(' ');
            sentence.push_str(&error.detail);
        }
    }
    StartupError::new(
        Exit::Failed,
        sentence,
        "Nothing was imported; --help says what a file looks like.",
    )
}

/// What the file holds, as far as that can be said without the database.
fn rows_of(options: &ImportOptions) -> Result<Rows, StartupError> {
    let bytes = read(&options.file)?;
    let by_name = || {
        let extension = options.file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "csv" | "txt" | "tsv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            _ => None,
        }
    };
    match options.format.or_else(by_name) {
        Some(Format::Csv) => Ok(Rows::Csv(bytes)),
        Some(Format::Json) => computers_of(&bytes).map(Rows::Computers).map_err(|error| {
            StartupError::new(
                Exit::Failed,
                format!("The file is no JSON with computers: {error}."),
                "It holds {\"Computers\": [{\"Id\": …, \"Name\": …, \"Status\": …}, …]}, or the list alone.",
            )
        }),
        None => Err(StartupError::configuration(
            "The name of the file does not say what it is.",
            "Say so with --format csv or --format json.",
        )),
    }
}

fn computers_of(
    bytes: &[u8],
) -> Result<Vec<checklist_shared::computer::Computer>, serde_json::Error> {
    let starts_with_list = bytes
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())
        .is_some_and(|byte| *byte == b'[');
    if starts_with_list {
        return serde_json::from_slice(bytes);
    }
    Ok(serde_json::from_slice::<ImportComputers>(bytes)?.computers)
}

fn read(file: &Path) -> Result<Vec<u8>, StartupError> {
    let read = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| {
        StartupError::configuration(
            format!("{} cannot be read: {error}.", file.display()),
            "Name a file with computers, or - for stdin.",
        )
    })
}

fn tell(answer: &ImportAnswer) {
    for change in &answer.changes {
        match change.outcome {
            ImportOutcome::Failed => {
                for error in &change.errors {
                    let column = error.pointer.trim_start_matches('/');
                    let column = if column.is_empty() {
                        String::new()
                    } else {
                        format!("{column}: ")
                    };
                    eprintln!("row {}\t{column}{}", change.row, error.detail);
                }
            }
            ImportOutcome::Created => {
                say(&format!("created\t{}\t{}", change.id, change.name));
            }
            ImportOutcome::Updated => {
                say(&format!(
                    "updated\t{}\t{}\t{}",
                    change.id,
                    change.name,
                    fields(change)
                ));
            }
        }
    }
    let done = if answer.dry_run {
        "would be created"
    } else {
        "created"
    };
    eprintln!(
        "{} {done}, {} updated, {} unchanged, {} wrong, of {} rows",
        answer.created, answer.updated, answer.unchanged, answer.failed, answer.rows
    );
}

fn fields(change: &ImportChange) -> String {
    let changed = change.fields.iter().map(|field| {
        let text = |text: &Option<String>| match text {
            Some(text) => text.replace(['\n', '\t'], " "),
            None => "nothing".to_owned(),
        };
        format!(
            "{}: {} -> {}",
            field.field.name(),
            text(&field.before),
            text(&field.after)
        )
    });
    changed.collect::<Vec<_>>().join("; ")
}
