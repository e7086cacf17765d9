//! The command line: what can be asked of the binary, and how it ends.
//!
//! `serve` runs the server, `data` opens its database for the other commands. Whatever is
//! refused comes out as one sentence and one hint on stderr, with an exit code that stays.

mod access;
mod admin_link;
mod audit;
mod authorities;
mod backup;
mod computers;
mod config;
mod config_file;
mod data;
mod data_options;
#[cfg(test)]
mod documented_tests;
mod environment;
mod init;
mod key_files;
mod listener;
mod log;
mod outbound_options;
mod output;
mod replicate;
mod retention_options;
mod serve;
mod serve_options;
mod service;
mod setting;
mod site;
mod stop_signals;
mod suggestion;
mod template;
mod user;
mod vault;
mod webhook;
mod workflow;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use config_file::ConfigFile;
use data_options::DataOptions;
use output::say;
use serve_options::ServeOptions;

use crate::config::{Exit, StartupError};
use crate::http::embedded::{Embedded, embed};
use crate::http::router;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "checklist-server",
    version,
    about = crate::PITCH,
    long_about = None,
    after_help = "Exit codes:\n  0  all is well\n  1  something failed while it was running\n  2  the options do not \
                  fit\n  3  the data directory or the database cannot be used\n  4  the address cannot be listened \
                  on\n  5  the audit trail was altered\n  6  a run was carried out, but for some computers\n  \
                  7  a run waits to be confirmed\n  8  `template diff` has found what would change\n\nExample:\n  checklist-server serve --demo"
)]
struct Command {
    /// A file with the variables that the options name, one NAME=VALUE a line, as `init` writes it.
    /// Options and the environment win over it. Without it, checklist.env in the data directory is
    /// read, if it is there.
    #[arg(long, value_name = "FILE", env = config_file::VARIABLE, global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    what: Subcommands,
    /// A file with certificate authorities (PEM) that are trusted beside the system's, wherever the
    /// server connects to: identity providers, webhooks, sites, PostgreSQL. May be given several
    /// times.
    #[arg(
        long,
        value_name = "FILE",
        env = "CHECKLIST_CA_FILE",
        value_delimiter = ',',
        global = true
    )]
    ca_file: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Run the server.
    ///
    /// Prints a line on stdout as soon as it serves requests: `listening on URL`. Ends within
    /// ten seconds of Ctrl+C, and of SIGTERM after --drain-seconds, when all accepted writes are
    /// stored.
    #[command(
        after_help = "Examples:\n  checklist-server serve --demo\n  checklist-server serve --base-url \
                            https://checks.example.org/platform --embed-key acme=acme.pem --tenant acme\n  \
                            CHECKLIST_DATABASE_URL=postgres://checklist:secret@db.example.org/checklist \
                            checklist-server serve --embed-key acme=acme.pem --tenant acme"
    )]
    Serve(Box<ServeOptions>),
    /// Bring the database to the layout of this version, without serving it.
    ///
    /// `serve` does the same at its start; this is for those who want to do it apart.
    #[command(after_help = "Example:\n  checklist-server migrate --data-dir /var/lib/checklist")]
    Migrate(DataOptions),
    /// Copy the database into another folder, also while the server works.
    ///
    /// The copy shows the moment at which it was begun, and is read again before it gets its name.
    #[command(
        after_help = "Example:\n  checklist-server backup --data-dir /var/lib/checklist /backup/2027-01-31"
    )]
    Backup(backup::BackupOptions),
    /// Put a copy back into a folder without a database.
    #[command(
        after_help = "Example:\n  checklist-server restore /backup/2027-01-31 --data-dir /var/lib/checklist"
    )]
    Restore(backup::RestoreOptions),
    /// Keep a copy of the database in step in another folder, beside the running server.
    ///
    /// Writes every commit of the server into the copy, a second later unless told otherwise. After
    /// a loss, `restore` takes the copy like any backup. Ends with Ctrl+C or SIGTERM.
    #[command(
        after_help = "Example:\n  checklist-server replicate --data-dir /var/lib/checklist /mnt/other-disk/checklist"
    )]
    Replicate(replicate::ReplicateOptions),
    /// Show or check the configuration of `serve`.
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Print the API document (OpenAPI 3.1, JSON).
    #[command(after_help = "Example:\n  checklist-server openapi > openapi.json")]
    Openapi,
    /// Make everything that a first server needs.
    Init(init::InitOptions),
    /// Manage tenants.
    #[command(subcommand)]
    Tenant(access::TenantCommand),
    /// Manage the keys of programs and host platforms.
    #[command(subcommand)]
    Key(access::KeyCommand),
    /// Manage the people who may sign in.
    #[command(subcommand)]
    User(user::UserCommand),
    /// Make a one-time link that opens the administration without an identity provider.
    ///
    /// It holds for ten minutes and one use, for the first browser that opens it; whoever uses it
    /// is an administrator of the tenant. Where there are administrators already, --subject names
    /// the one whom it signs in, such as one who has lost the last passkey, or --new makes another.
    #[command(
        after_help = "Examples:\n  checklist-server admin-link --tenant acme --base-url https://checks.example.org\n  \
                      checklist-server admin-link --tenant acme --subject 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    AdminLink(admin_link::AdminLinkOptions),
    /// Revoke a token, or every token and session of a tenant.
    #[command(after_help = "Example:\n  checklist-server revoke --tenant acme --everything")]
    Revoke(access::RevokeOptions),
    /// Manage templates as files.
    #[command(subcommand)]
    Template(template::TemplateCommand),
    /// Run a site-list activity.
    #[command(subcommand)]
    Site(Box<site::SiteCommand>),
    /// Manage the inventory of computers.
    #[command(subcommand)]
    Computers(computers::ComputersCommand),
    /// Run the example workflow, which keeps a site list in step with computers.
    #[command(subcommand)]
    Workflow(workflow::WorkflowCommand),
    /// Manage webhooks, which send events to other systems.
    #[command(subcommand)]
    Webhook(Box<webhook::WebhookCommand>),
    /// Manage the keys that encrypt passwords of service connections.
    #[command(subcommand)]
    Vault(vault::VaultCommand),
    /// Verify the audit trail, and manage the key that signs it.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
}

/// Runs what the command line asks for, with the files that are inside the program.
#[must_use]
pub fn main(files: Embedded) -> ExitCode {
    embed(files);
    match run(std::env::args_os().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => {
            eprintln!("{refusal}");
            refusal.exit.into()
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the configuration file is found, and misspelt names are looked for, before options are parsed"
)]
fn run(arguments: Vec<OsString>) -> Result<(), StartupError> {
    let file = ConfigFile::find(&arguments, |name| std::env::var_os(name))?;
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = config::unknown_names(&Command::command(), set, &file);
    let matches = file
        .with_defaults(Command::command())
        .get_matches_from(arguments);
    let Command { what, ca_file, .. } =
        Command::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    // `config` reports them beside everything else.
    if !matches!(what, Subcommands::Config(_)) {
        refuse(unknown.clone())?;
    }
    authorities::trust(&ca_file)?;
    match what {
        Subcommands::Serve(options) => {
            if let Some(path) = &file.path {
                say(&format!("settings: {}", path.display()));
            }
            let settings = options.settings()?;
            serve::run(settings, &options.log, options.log_format)
        }
        Subcommands::Migrate(options) => options
            .database()
            .and_then(|database| data::migrate(&database)),
        Subcommands::Backup(options) => backup::back_up(&options),
        Subcommands::Restore(options) => backup::restore(&options),
        Subcommands::Replicate(options) => replicate::run(&options),
        Subcommands::Config(command) => config::run(command, &file, unknown),
        Subcommands::Openapi => print_document(),
        Subcommands::Init(options) => init::run(&options),
        Subcommands::Tenant(command) => access::tenant(command),
        Subcommands::Key(command) => access::key(command),
        Subcommands::User(command) => user::run(command),
        Subcommands::AdminLink(options) => admin_link::run(&options),
        Subcommands::Revoke(options) => access::revoke(&options),
        Subcommands::Vault(command) => vault::run(command),
        Subcommands::Template(command) => template::run(command),
        Subcommands::Site(command) => site::run(*command),
        Subcommands::Computers(command) => computers::run(command),
        Subcommands::Workflow(command) => workflow::run(command),
        Subcommands::Webhook(command) => webhook::run(*command),
        Subcommands::Audit(command) => audit::run(command),
    }
}

/// Refuses settings that there are not: prints all but the last, which is the error.
fn refuse(mut problems: Vec<StartupError>) -> Result<(), StartupError> {
    let Some(last) = problems.pop() else {
        return Ok(());
    };
    for problem in problems {
        eprintln!("{problem}");
    }
    Err(last)
}

fn print_document() -> Result<(), StartupError> {
    let text = router::openapi().to_pretty_json().map_err(|error| {
        StartupError::new(
            Exit::Failed,
            format!("The API document cannot be written: {error}."),
            "This is a fault of the server.",
        )
    })?;
    say(&text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Command::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        fn walk(command: &clap::Command) {
            let is_leaf = command.get_subcommands().next().is_none();
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                !is_leaf || command.get_name() == "help" || help.contains("Example"),
                "{}",
                command.get_name()
            );
            command.get_subcommands().for_each(walk);
        }
        walk(&Command::command());
    }

    #[test]
    fn the_manual_has_every_command_and_every_exit_code() {
        let manual = include_str!("../../service/checklist-server.8").replace("\\-", "-");
        let words: Vec<&str> = manual.split([' ', '\n', '"']).collect();
        let command = Command::command();
        for known in command.get_subcommands() {
            let name = known.get_name();
            assert!(words.contains(&name), "{name}");
        }
        let help = command.get_after_help().expect("help").to_string();
        let codes = help.lines().filter_map(|line| {
            let (code, meaning) = line.trim().split_once("  ")?;
            code.parse::<u8>().ok().map(|code| (code, meaning))
        });
        let manual = manual.replace(".B ", "").replace('\n', " ").to_lowercase();
        let mut known = 0;
        for (code, meaning) in codes {
            let meaning = meaning.replace('`', "").to_lowercase();
            assert!(
                manual.contains(&format!(".TP {code} {meaning}").to_lowercase()),
                "{code} {meaning}"
            );
            known += 1;
        }
        assert_eq!(known, Exit::WouldChange as usize + 1);
    }
}
