//! `cargo xtask bench`: the size of the control and the throughput of the server against bare
//! programs doing the same on SQLite and on PostgreSQL, all built for release and measured in one run.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::build;
use crate::project::{Project, run as run_command};
use crate::test::postgres::{self, Search, Server};
use crate::test::site_clients;

/// Measures the control's size and the server's throughput.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask bench\n  cargo xtask bench -- sites")]
pub struct Options {
    /// Options of the measuring program.
    #[arg(last = true, value_name = "BENCH OPTIONS")]
    bench: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When something does not build or the measuring program fails.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let manifest = build::control(project)?;
    println!("\n=== size ===\n{}", manifest.summary());
    println!("\n=== throughput ===");
    // Both in one selection: the measured server is the one that was just built.
    run_command(&mut project.cargo([
        "build",
        "--release",
        "--package=checklist-server",
        "--package=checklist-tests",
        "--bin=checklist-server",
        "--bin=bench",
        "--locked",
    ]))?;
    let program = format!("bench{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(project.target.join("release").join(program));
    // One that waits for the disk, as the product promises on SQLite.
    let server = match postgres::find_or_fetch(project) {
        Search::Found(programs) => Some(Server::start(&programs, true)?),
        Search::Missing(reason) => {
            println!("without PostgreSQL: {reason}");
            None
        }
    };
    if let Some(server) = &server {
        command.env("CHECKLIST_POSTGRES", server.url());
    }
    match site_clients::find_or_fetch(project) {
        Ok(clients) => clients.tell(&mut command),
        Err(reason) => println!("without clients of npm: {reason:#}"),
    }
    run_command(command.args(&options.bench))?;
    Ok(ExitCode::SUCCESS)
}
