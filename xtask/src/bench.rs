//! `cargo xtask bench`: the size of the control and the throughput of the server against a bare
//! program doing the same, both built for release and measured in one run.

use std::process::{Command, ExitCode};

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
    run_command(command.args(&options.bench))?;
    Ok(ExitCode::SUCCESS)
}
