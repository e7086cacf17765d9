//! `workflow`: the example workflow from the command line, as the operator.
//!
//! A run that is begun here is carried out here, or by a server that works with the same database,
//! whoever takes it first; when this program ends before the run, a server goes on with it.

mod progress;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checklist_auth::Principal;
use checklist_services::app::App;
use checklist_services::listing::every_row;
use checklist_services::workflows::{self, RunQuery};
use checklist_shared::computer::ComputerField;
use checklist_shared::wire::workflow::{
    COMPUTER_EXPORT, ConfirmRun, ConnectionReference, FieldMapping, Run, RunAnswer, RunState,
    RunsPage, StartRun,
};
use checklist_store::keyset::Keyset;
use clap::{Args, Subcommand};
use tokio::sync::watch;

use super::access::{TenantOptions, with_present};
use super::data::OutboundServices;
use super::outbound_options::{OutboundOptions, RunRetryOptions};
use super::output::{print, say};
use super::serve;
use super::site::startup_error;
use crate::config::{Exit, StartupError};
use progress::RunProgressLine;

/// How often the run is looked at.
const EVERY: Duration = Duration::from_millis(200);
/// The most computers that are read at once.
const PAGE: u32 = 1_000;

/// The example workflow.
#[derive(Debug, Subcommand)]
pub enum WorkflowCommand {
    /// Export computers to a site list, and wait until that is done.
    ///
    /// Exit codes: 0 done; 1 the run failed or was cancelled; 6 done, but for some computers; 7 it
    /// waits for a confirmation.
    #[command(
        after_help = "Examples:\n  checklist-server workflow run VENDOR_SITE_Example_ComputerExport --tenant acme \
                      --connection Intranet --list Computers --all --dry-run\n  checklist-server workflow run \
                      VENDOR_SITE_Example_ComputerExport --tenant acme --connection Intranet --list Computers \
                      --ids-from ids.txt --map Name=Title --map Status=State --confirm"
    )]
    Run(Box<RunOptions>),
    /// List runs, the newest first.
    #[command(after_help = "Example:\n  checklist-server workflow runs --tenant acme")]
    Runs {
        #[command(flatten)]
        of: TenantOptions,
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Show a run, with what became of its computers.
    #[command(
        after_help = "Example:\n  checklist-server workflow show --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Show {
        #[command(flatten)]
        of: TenantOptions,
        /// The run's id.
        id: String,
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Confirm everything that a run waits for, and wait until it is done.
    #[command(
        after_help = "Example:\n  checklist-server workflow confirm --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Confirm(Box<ResumeOptions>),
    /// Try once more what has failed, was ambiguous or was skipped, and wait until that is done.
    #[command(
        after_help = "Example:\n  checklist-server workflow retry --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Retry(Box<ResumeOptions>),
    /// Stop a run before its next chunk.
    #[command(
        after_help = "Example:\n  checklist-server workflow cancel --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Cancel {
        #[command(flatten)]
        of: TenantOptions,
        /// The run's id.
        id: String,
    },
}

/// What to run.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// The workflow.
    #[arg(value_name = "WORKFLOW", value_parser = [COMPUTER_EXPORT])]
    workflow: String,
    #[command(flatten)]
    of: TenantOptions,
    #[command(flatten)]
    reach: OutboundOptions,
    #[command(flatten)]
    run_retries: RunRetryOptions,
    /// The service connection, by id or name.
    #[arg(long, value_name = "ID")]
    connection: String,
    /// The list, by title or id.
    #[arg(long, value_name = "NAME")]
    list: String,
    #[command(flatten)]
    which: ComputerSelection,
    /// Only say what would happen.
    #[arg(long)]
    dry_run: bool,
    /// A field and the column that it goes to: FIELD=COLUMN. May be given several times; without
    /// it every field goes to the column of its name, and Name to Title.
    #[arg(long = "map", value_name = "FIELD=COLUMN", value_parser = mapping)]
    map: Vec<FieldMapping>,
    /// By what entries made by hand are found: SerialNumber, Name. May be given several times.
    #[arg(long = "match", value_name = "FIELD", value_parser = field)]
    match_fields: Vec<ComputerField>,
    /// An existing text column, indexed and unique, that holds the keys instead of SyncKey.
    #[arg(long, value_name = "COLUMN")]
    key_column: Option<String>,
    #[command(flatten)]
    way: WaitOptions,
}

/// Which computers.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ComputerSelection {
    /// A computer's id. May be given several times.
    #[arg(long = "computer", value_name = "ID")]
    computers: Vec<String>,
    /// All computers of the inventory.
    #[arg(long)]
    all: bool,
    /// A file with one id a line; - for stdin.
    #[arg(long, value_name = "FILE")]
    ids_from: Option<PathBuf>,
}

/// How to go on with a run.
#[derive(Debug, Args)]
pub struct ResumeOptions {
    #[command(flatten)]
    of: TenantOptions,
    #[command(flatten)]
    reach: OutboundOptions,
    #[command(flatten)]
    run_retries: RunRetryOptions,
    /// The run's id.
    id: String,
    #[command(flatten)]
    way: WaitOptions,
}

/// How to wait.
#[derive(Debug, Args)]
pub struct WaitOptions {
    /// Confirm whatever the run waits for.
    #[arg(long)]
    confirm: bool,
    /// JSON on stdout instead of sentences.
    #[arg(long)]
    json: bool,
}

fn mapping(text: &str) -> Result<FieldMapping, String> {
    let (name, column) = text
        .split_once('=')
        .filter(|(_, column)| !column.trim().is_empty())
        .ok_or("a line of the map is FIELD=COLUMN")?;
    Ok(FieldMapping {
        field: field(name)?,
        column: column.trim().to_owned(),
    })
}

fn field(text: &str) -> Result<ComputerField, String> {
    ComputerField::from_name(text.trim()).ok_or_else(|| {
        let names = ComputerField::ALL.map(ComputerField::name);
        format!("a field is one of {}", names.join(", "))
    })
}

/// Does what the command says.
///
/// # Errors
/// What was refused, or that the run did not come to a good end.
pub fn run(command: WorkflowCommand) -> Result<(), StartupError> {
    match command {
        WorkflowCommand::Run(options) => begin(&options),
        WorkflowCommand::Runs { of, json } => list(&of, json),
        WorkflowCommand::Show { of, id, json } => {
            with_present(&of.data, OutboundServices::default(), async |app| {
                let run = whole(app, &Principal::operator(&of.tenant), &id).await?;
                if json { print(&run) } else { show(&run) }
            })
        }
        WorkflowCommand::Confirm(go_on) => {
            let ResumeOptions { of, id, .. } = &*go_on;
            let reach = connections(&go_on.reach, &go_on.run_retries)?;
            with_present(&of.data, reach, async |app| {
                let principal = Principal::operator(&of.tenant);
                confirm(app, &principal, id).await?;
                wait(app, &principal, id, &go_on.way).await
            })
        }
        WorkflowCommand::Retry(go_on) => {
            let ResumeOptions { of, id, .. } = &*go_on;
            let reach = connections(&go_on.reach, &go_on.run_retries)?;
            with_present(&of.data, reach, async |app| {
                let principal = Principal::operator(&of.tenant);
                workflows::retry_failed(app, &principal, id)
                    .await
                    .map_err(startup_error)?;
                wait(app, &principal, id, &go_on.way).await
            })
        }
        WorkflowCommand::Cancel { of, id } => {
            with_present(&of.data, OutboundServices::default(), async |app| {
                let principal = Principal::operator(&of.tenant);
                let run = workflows::cancel(app, &principal, &id).await;
                run.map_err(startup_error)?;
                say("the run stops before its next chunk");
                Ok(())
            })
        }
    }
}

fn connections(
    options: &OutboundOptions,
    retries: &RunRetryOptions,
) -> Result<OutboundServices, StartupError> {
    Ok(OutboundServices {
        run_retries: retries.policy(),
        vault: options.vault()?,
        egress: Some(Arc::new(options.egress()?)),
    })
}

fn begin(options: &RunOptions) -> Result<(), StartupError> {
    with_present(
        &options.of.data,
        connections(&options.reach, &options.run_retries)?,
        async |app| {
            let principal = Principal::operator(&options.of.tenant);
            let request = StartRun {
                service_connection: ConnectionReference::Id(connection(app, options).await?),
                list: options.list.clone(),
                computer_ids: computers(app, options).await?,
                field_map: Some(options.map.clone()).filter(|map| !map.is_empty()),
                match_fields: Some(options.match_fields.clone())
                    .filter(|fields| !fields.is_empty()),
                key_column: options.key_column.clone(),
                dry_run: options.dry_run,
                operation_id: None,
            };
            let run = workflows::start(app, &principal, request).await;
            let run = run.map_err(startup_error)?;
            wait(app, &principal, &run.id, &options.way).await
        },
    )
}

/// The id of the connection, which may be given by name.
async fn connection(app: &App, options: &RunOptions) -> Result<String, StartupError> {
    let found = app
        .store()
        .connections(&options.of.tenant, Keyset::whole())
        .await;
    let found = found.map_err(|error| unreadable(&error))?;
    let named = found
        .into_iter()
        .find(|record| record.id == options.connection || record.name == options.connection);
    named.map(|record| record.id).ok_or_else(|| {
        StartupError::new(
            Exit::Failed,
            format!(
                "The tenant {} has no service connection {:?}.",
                options.of.tenant, options.connection
            ),
            "Name one by its id or name, as the page of connections shows them.",
        )
    })
}

async fn computers(app: &App, options: &RunOptions) -> Result<Vec<String>, StartupError> {
    let which = &options.which;
    if which.all {
        let all = app.store().names_and_serials(&options.of.tenant).await;
        let all = all.map_err(|error| unreadable(&error))?;
        return Ok(all.into_iter().map(|computer| computer.id).collect());
    }
    let Some(file) = &which.ids_from else {
        return Ok(which.computers.clone());
    };
    let text = if file.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| {
        StartupError::new(
            Exit::Failed,
            format!("{} cannot be read: {error}.", file.display()),
            "Name a text file with one id a line.",
        )
    })?;
    let ids = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(ids.map(str::to_owned).collect())
}

/// Carries a run out, or watches somebody else do it, until it has come to rest.
async fn wait(
    app: &App,
    principal: &Principal,
    id: &str,
    way: &WaitOptions,
) -> Result<(), StartupError> {
    let (rest, stop_signal) = watch::channel(false);
    let worker = tokio::spawn(serve::worker(app)?.only(id).work(stop_signal));
    let mut progress = RunProgressLine::start();
    let ended = loop {
        tokio::time::sleep(EVERY).await;
        let run = whole_run(app, principal, id).await?;
        progress.show(&run);
        match run.state {
            RunState::AwaitingConfirmation if way.confirm => {
                confirm(app, principal, id).await?;
            }
            RunState::AwaitingConfirmation => break run,
            state if state.is_final() => break run,
            _ => {}
        }
    };
    progress.end();
    rest.send_replace(true);
    let _ = worker.await;
    let run = whole(app, principal, id).await?;
    if way.json {
        print(&run)?;
    } else {
        say(&progress::sentence(&run.run));
    }
    judge(&ended)
}

/// How the command ends.
fn judge(run: &Run) -> Result<(), StartupError> {
    let show = format!(
        "Look at them with: checklist-server workflow show {}",
        run.id
    );
    match run.state {
        RunState::AwaitingConfirmation => {
            let asked = run.confirmation.unwrap_or_default();
            let first = if asked.first_run {
                " The list has entries made by hand, and nothing was written yet."
            } else {
                ""
            };
            Err(StartupError::new(
                Exit::AwaitingConfirmation,
                format!(
                    "The run waits to be confirmed: {} adoptions, {} deletes.{first}",
                    asked.adoptions, asked.deletes
                ),
                format!("{show}; then: checklist-server workflow confirm {}", run.id),
            ))
        }
        RunState::Completed if run.counts.failed + run.counts.ambiguous > 0 => {
            Err(StartupError::new(
                Exit::ComputersFailed,
                format!(
                    "{} computers failed, {} are ambiguous.",
                    run.counts.failed, run.counts.ambiguous
                ),
                show,
            ))
        }
        RunState::Failed => {
            let problem = run.problem.as_ref();
            let why = problem.and_then(|problem| problem.detail.clone());
            Err(StartupError::new(
                Exit::Failed,
                why.unwrap_or_else(|| "The run failed.".to_owned()),
                show,
            ))
        }
        RunState::Cancelled => Err(StartupError::new(
            Exit::Failed,
            "The run was cancelled.",
            show,
        )),
        _ => Ok(()),
    }
}

async fn confirm(app: &App, principal: &Principal, id: &str) -> Result<(), StartupError> {
    let run = whole_run(app, principal, id).await?;
    let asked = run.confirmation.unwrap_or_default();
    let request = ConfirmRun {
        adoptions: Some(asked.adoptions),
        deletes: Some(asked.deletes),
        choices: Vec::new(),
    };
    let confirmed = workflows::confirm(app, principal, id, request).await;
    confirmed.map_err(startup_error)?;
    Ok(())
}

async fn whole_run(app: &App, principal: &Principal, id: &str) -> Result<Run, StartupError> {
    let part = RunQuery {
        limit: Some(1),
        ..RunQuery::default()
    };
    let run = workflows::get(app, principal, id, part).await;
    run.map(|answer| answer.run).map_err(startup_error)
}

/// A run with all of its computers.
async fn whole(app: &App, principal: &Principal, id: &str) -> Result<RunAnswer, StartupError> {
    let mut part = RunQuery {
        limit: Some(PAGE),
        ..RunQuery::default()
    };
    let first = workflows::get(app, principal, id, part).await;
    let mut run = first.map_err(startup_error)?;
    while let Some(next) = run.next.take() {
        part.after = Some(next);
        let more = workflows::get(app, principal, id, part).await;
        let more = more.map_err(startup_error)?;
        run.computers.extend(more.computers);
        run.next = more.next;
    }
    Ok(run)
}

fn list(of: &TenantOptions, json: bool) -> Result<(), StartupError> {
    with_present(&of.data, OutboundServices::default(), async |app| {
        let principal = Principal::operator(&of.tenant);
        let runs = every_row(async |query| {
            let page = workflows::list(app, &principal, query).await?;
            Ok((page.runs, page.next))
        });
        let runs = runs.await.map_err(startup_error)?;
        if json {
            return print(&RunsPage { runs, next: None });
        }
        for run in &runs {
            let fields = [
                run.id.clone(),
                run.created_at.to_string(),
                run.state.name().to_owned(),
                format!("{}/{}", run.settled, run.total),
                run.connection_name.clone(),
                run.list.clone(),
            ];
            say(&fields.join("\t"));
        }
        Ok(())
    })
}

fn show(run: &RunAnswer) -> Result<(), StartupError> {
    say(&progress::sentence(&run.run));
    for computer in &run.computers {
        let outcome = computer.outcome.map_or("-", |outcome| outcome.name());
        let fields = [
            computer.computer_id.as_str(),
            &computer.name,
            outcome,
            computer.reason.as_deref().unwrap_or_default(),
        ];
        say(&fields.join("\t"));
    }
    Ok(())
}

fn unreadable(error: &checklist_store::store::StoreError) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("The database cannot be read: {error}."),
        "Try again in a moment.",
    )
}
