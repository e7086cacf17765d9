//! `cargo xtask bench`: the size of the control and the throughput of the server against a bare
//! program doing the same, both built for release and measured in one run.

use std::process::ExitCode;

use anyhow::Result;

use crate::build;
use crate::project::{Project, run as run_command};

/// Measures the control's size and the server's throughput.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench")]
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
    let mut command = project.cargo([
        "run",
        "--release",
        "--package=checklist-tests",
        "--bin=bench",
        "--locked",
        "--",
    ]);
    run_command(command.args(&options.bench))?;
    Ok(ExitCode::SUCCESS)
}
