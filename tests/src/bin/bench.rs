//! The program behind `cargo xtask bench`: the server against a bare program with the same durability.
//!
//! Reads its options and hands them to `bench::run`; started once more with `bare`, it is the
//! yardstick itself. Needs the server built in the same profile beside it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use checklist_tests::bench::{bare, run};
use clap::{Parser, Subcommand};

/// Measures ticks and reads of the server against a bare axum and SQLite program.
#[derive(Parser)]
#[command(after_help = "Example:\n  cargo xtask bench -- --seconds 2 --rounds 1")]
struct CommandLine {
    /// Seconds of each program at each call.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Turns; the middle one counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Connections at once.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// The bare program alone.
    #[command(hide = true)]
    Bare { directory: PathBuf },
}

#[tokio::main]
async fn main() -> ExitCode {
    let line = CommandLine::parse();
    if let Some(Part::Bare { directory }) = line.part {
        bare::serve(&directory).await;
        return ExitCode::SUCCESS;
    }
    let plan = run::Plan {
        time: Duration::from_secs(line.seconds),
        rounds: line.rounds.max(1),
        connections: line.connections.max(1),
    };
    match run::run(plan).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
