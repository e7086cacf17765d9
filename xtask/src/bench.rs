//! `cargo xtask bench`: the size of the control and the throughput of the server, compared with bare
//! programs that do the same on SQLite and on PostgreSQL; release builds, measured in one run.
//! Options after `--` choose a part of the benchmark.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::build;
use crate::project::{Project, run as run_command};
use crate::test::postgres::{self, server::Server};
use crate::test::tool::SITE_CLIENTS;

/// Measures the control's size and the server's throughput.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask bench\n  \
    cargo xtask bench -- sites\n  \
    cargo xtask bench -- growth")]
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
        "--package=checklist-program",
        "--package=checklist-tests",
        "--bin=checklist-server",
        "--bin=bench",
        "--locked",
    ]))?;
    let mut command = Command::new(project.target.join("release/bench"));
    // One that waits for the disk, as the product promises on SQLite.
    let server = match postgres::find_or_fetch(project) {
        Ok(programs) => Some(Server::start(&programs, true)?),
        Err(reason) => {
            println!("without PostgreSQL: {reason:#}");
            None
        }
    };
    if let Some(server) = &server {
        command.env("CHECKLIST_POSTGRES", server.url());
    }
    match (SITE_CLIENTS.find)(project) {
        Ok(clients) => drop(command.envs(clients)),
        Err(reason) => println!("without clients of npm: {reason:#}"),
    }
    if options.bench.iter().any(|option| option == GROWTH) {
        command.env(
            "CHECKLIST_BENCH_JSON",
            project.target.join("bench/growth.json"),
        );
    }
    run_command(command.args(&options.bench))?;
    Ok(ExitCode::SUCCESS)
}

/// The benchmark that fills a store.
const GROWTH: &str = "growth";
