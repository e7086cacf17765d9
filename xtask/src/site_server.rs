//! `cargo xtask site-server`: builds and runs the local site server.
//! It replaces a real site in the demo, and lets people inspect what was exported.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::project::become_server;
use crate::project::{Project, run as run_command};
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
    step("compile the site server", || {
        let mut command = project.cargo(["build", "--bin=checklist-site-server"]);
        run_command(project.select_native(&mut command))
    })
}
