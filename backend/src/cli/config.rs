//! `config show` and `config check`: what `serve` would start with, and whether it could.
//!
//! Invariant: neither changes anything: no folder is made, no database is migrated, no key is
//! written.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use checklist_auth::oidc::Oidc;
use checklist_store::database::Database;
use checklist_store::postgres::SchemaVersions;
use checklist_store::sqlite::{self, DATABASE};
use clap::{Args, Subcommand};
use tokio::net::TcpListener;

use super::config_file::ConfigFile;
use super::output::say;
use super::serve;
use super::setting::{self, Setting, Source};
use super::{data, environment};
use crate::config::listen::Listen;
use crate::config::{Settings, StartupError};

/// The settings that are addresses to listen on.
const ADDRESSES: [&str; 2] = ["--listen", "--metrics-listen"];

/// The configuration of `serve`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check what `serve` would start with, and report all problems at once.
    ///
    /// Reads options, environment and configuration file as `serve` does, opens the files that they
    /// name, and asks the database and the identity provider. Changes nothing. Ends with the exit
    /// code of the first problem.
    #[command(
        after_help = "Examples:\n  checklist-server config check --config /etc/checklist/checklist.env\n  \
                      checklist-server config check --listen 127.0.0.1:8080 --data-dir data"
    )]
    Check(ServeArguments),
    /// Show every setting of `serve` with its value and where that comes from; secrets are hidden.
    #[command(
        after_help = "Example:\n  checklist-server config show --config /etc/checklist/checklist.env"
    )]
    Show(ServeArguments),
}

/// Options of `serve`, as they would be given to it.
#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Options of `serve`.
    #[arg(
        value_name = "OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    options: Vec<OsString>,
}

/// Runs it.
///
/// # Errors
/// The first problem of the configuration.
pub fn run(
    command: ConfigCommand,
    file: &ConfigFile,
    unknown: Vec<StartupError>,
) -> Result<(), StartupError> {
    let (ConfigCommand::Check(arguments) | ConfigCommand::Show(arguments)) = &command;
    let settings = setting::collect(&without_file(&arguments.options), file)
        .unwrap_or_else(|error| error.exit());
    match command {
        ConfigCommand::Show(_) => {
            show(&settings, file);
            unknown.into_iter().next().map_or(Ok(()), Err)
        }
        ConfigCommand::Check(_) => check(&settings, unknown),
    }
}

/// The arguments without `--config`, which was read before.
fn without_file(arguments: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--config" {
            words.next();
        } else if !word.to_string_lossy().starts_with("--config=") {
            kept.push(word.clone());
        }
    }
    kept
}

fn show(settings: &[Setting], file: &ConfigFile) {
    match &file.path {
        Some(path) => say(&format!("configuration file: {}", path.display())),
        None => say("no configuration file; name one with --config FILE"),
    }
    let width = settings
        .iter()
        .map(|one| one.display_value().chars().count())
        .max();
    let width = width.unwrap_or(0).clamp(5, 40);
    say(&format!("{:<28} {:<width$} FROM", "SETTING", "VALUE"));
    for setting in settings {
        let from = match setting.source {
            Source::Unset => setting.variable(),
            _ => setting.origin(),
        };
        let from = from.trim_start_matches("the ");
        say(format!(
            "{:<28} {:<width$} {from}",
            setting.name(),
            setting.display_value()
        )
        .trim_end());
    }
}

fn check(settings: &[Setting], unknown: Vec<StartupError>) -> Result<(), StartupError> {
    let mut problems = unknown;
    let (options, of_values) = setting::options(settings);
    problems.extend(of_values);
    let read = options.and_then(|options| options.read(&mut problems));
    let mut notes = Vec::new();
    data::with_runtime(async {
        if let Some(settings) = &read {
            check_database(settings, &mut problems, &mut notes).await;
        }
        // Whatever else is wrong.
        check_addresses(settings, &mut problems, &mut notes).await;
        if let Some(settings) = &read {
            check_provider(settings, &mut problems).await;
        }
        Ok(())
    })?;
    for note in notes {
        say(&note);
    }
    let count = problems.len();
    let mut problems = problems.into_iter();
    let Some(first) = problems.next() else {
        say("the configuration can be used");
        return Ok(());
    };
    if count > 1 {
        eprintln!("{first}");
        let mut last = None;
        for problem in problems {
            if let Some(earlier) = last.replace(problem) {
                eprintln!("{earlier}");
            }
        }
        say(&format!("{count} problems"));
        // The caller prints one; its code is that of the first.
        return Err(last.map_or(first.clone(), |last| StartupError {
            exit: first.exit,
            ..last
        }));
    }
    Err(first)
}

/// Whether the database can be opened, without opening it for writing.
async fn check_database(
    settings: &Settings,
    problems: &mut Vec<StartupError>,
    notes: &mut Vec<String>,
) {
    match &settings.database {
        Database::Folder(folder) => {
            match sqlite::inspect(folder, settings.demo) {
                Ok(()) if folder.join(DATABASE).exists() => {
                    notes.push(format!("database: {}", folder.join(DATABASE).display()));
                }
                Ok(()) => {
                    notes.push(format!(
                        "database: none yet; the first start makes it in {}",
                        folder.display()
                    ));
                    if !settings.lets_anybody_in() {
                        problems.push(Settings::nobody_is_let_in());
                    }
                }
                Err(error) => problems.push(data::explain_folder(&error)),
            }
            if let Some(process) = sqlite::process_of(folder) {
                notes.push(format!(
                    "a server is running on this folder (process {process})"
                ));
            }
        }
        Database::Shared(url) => match checklist_store::postgres::inspect(url.reveal()).await {
            Ok(versions) => {
                notes.push("database: PostgreSQL answers".to_owned());
                notes.extend(migration_note(versions));
            }
            Err(error) => problems.push(data::explain_postgres(&error)),
        },
    }
}

/// What a start of this program would do to servers that share the database.
fn migration_note(versions: SchemaVersions) -> Option<String> {
    let SchemaVersions { database, program } = versions;
    (0 < database && database < program).then(|| {
        format!(
            "the first start brings the database from layout {database} to {program}: stop every server that uses it \
             before, none of them knows the new one"
        )
    })
}

/// Whether the addresses can be listened on, those that are any. A server that is running keeps its
/// own.
async fn check_addresses(
    settings: &[Setting],
    problems: &mut Vec<StartupError>,
    notes: &mut Vec<String>,
) {
    let places = ADDRESSES.iter().filter_map(|name| value_of(settings, name));
    for place in places.filter_map(|place| place.parse::<Listen>().ok()) {
        match TcpListener::bind(place.address()).await {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && is_running(settings) => {
                notes.push(format!("{place} is in use, probably by the running server"));
            }
            Err(error) => problems.push(serve::cannot_listen(place, &error)),
        }
    }
}

fn is_running(settings: &[Setting]) -> bool {
    if value_of(settings, "--database-url").is_some() {
        return false; // the data of another server, if any
    }
    let folder = value_of(settings, "--data-dir");
    folder.is_some_and(|folder| sqlite::process_of(Path::new(folder)).is_some())
}

fn value_of<'a>(settings: &'a [Setting], name: &str) -> Option<&'a str> {
    let setting = settings.iter().find(|setting| setting.name() == name)?;
    setting.values.first()?.to_str()
}

/// Whether the identity provider says where people sign in.
async fn check_provider(settings: &Settings, problems: &mut Vec<StartupError>) {
    let Some(provider) = settings.oidc.clone() else {
        return;
    };
    let issuer = provider.issuer.clone();
    let egress = match serve::egress_of(settings) {
        Ok(egress) => Arc::new(egress),
        Err(problem) => return problems.push(problem),
    };
    if Oidc::new(provider, egress).discover().await.is_err() {
        problems.push(StartupError::configuration(
            format!("The identity provider {issuer} does not answer as one does."),
            "Look at --oidc-issuer: below it, /.well-known/openid-configuration has to be reachable from this machine. \
             A provider with a certificate of your own authority needs that in the system's store.",
        ));
    }
}

/// What is set for this program and not known, from the environment and from the file.
#[must_use]
pub fn unknown_names(
    command: &clap::Command,
    set: impl IntoIterator<Item = String>,
    file: &ConfigFile,
) -> Vec<StartupError> {
    let mut problems = environment::unknown(command, set, "the environment");
    if let Some(path) = &file.path {
        let place = path.display().to_string();
        problems.extend(environment::unknown(
            command,
            file.entries.keys().cloned(),
            &place,
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_would_migrate_a_shared_database_says_so_and_no_other() {
        let note = |database, program| migration_note(SchemaVersions { database, program });
        let said = note(17, 18).expect("a note");
        assert!(
            said.contains("layout 17 to 18: stop every server"),
            "{said}"
        );
        assert_eq!(note(18, 18), None);
        assert_eq!(note(0, 18), None, "an empty database has no other servers");
    }
}
