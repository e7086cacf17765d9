//! `cargo xtask site-server`: builds and runs the local site server.
//! `cargo xtask site-recordings`: compares it with recorded responses of the service.
//! It replaces a real site in the demo, and lets people inspect what was exported.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::project::{Project, run as run_command};
use crate::serve::become_server;
use crate::stages::step;

/// Builds the local site server and runs it on http://127.0.0.1:8090.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask site-server\n  \
    cargo xtask site-server -- --tls --data target/site.json\n  \
    cargo xtask site-server -- --help")]
pub struct Options {
    /// Options of `checklist-site-server`.
    #[arg(last = true, value_name = "SERVER OPTIONS")]
    server: Vec<String>,
}

/// Compares the local site server with recorded answers of the service.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask site-recordings ../pnpcore/src/sdk/PnP.Core.Test")]
pub struct Recordings {
    /// A folder with `*.response.json` files, outside of the project.
    folder: PathBuf,
    /// How many differences are printed.
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    differences: usize,
}

/// Runs the command; comes back only when the server ends or nothing could be started.
///
/// # Errors
/// When it does not build, or cannot be started.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    build(project)?;
    let mut server = Command::new(project.program("checklist-site-server"));
    server.args(&options.server);
    become_server(server)
}

/// Runs the comparison.
///
/// # Errors
/// When the server does not build, or the folder holds no recordings.
pub fn compare(project: &Project, options: &Recordings) -> Result<ExitCode> {
    build(project)?;
    let mut command = Command::new(project.program("checklist-site-server"));
    let number = options.differences.to_string();
    run_command(
        command
            .arg("recordings")
            .arg(&options.folder)
            .args(["--differences", &number]),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The options with which the demo's server uses the site server.
pub const ARGUMENTS: [&str; 4] = [
    "--allow-origin",
    "http://127.0.0.1:8090",
    "--demo-site",
    "http://127.0.0.1:8090/sites/demo",
];

/// Builds the local site server and starts it next to the server that this process becomes; it
/// ends with that server.
///
/// # Errors
/// When it does not build, or cannot be started.
pub fn start_beside(project: &Project) -> Result<()> {
    build(project)?;
    Command::new(project.program("checklist-site-server"))
        .arg("--end-with-parent")
        .spawn()
        .context("starting the site server")?;
    Ok(())
}

fn build(project: &Project) -> Result<()> {
    let package = "--package=checklist-site-server";
    step("compile the site server", || {
        run_command(&mut project.cargo(["build", package, "--locked"]))
    })
}
