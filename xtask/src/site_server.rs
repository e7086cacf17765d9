//! `cargo xtask site-server`: builds the local site server and becomes it.
//! It stands in for a site-list system where there is none: for the demo, and for people who want
//! to look at what was exported.

use std::process::{Command, ExitCode};

use anyhow::Result;

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

/// Runs the command; comes back only when the server ends or nothing could be started.
///
/// # Errors
/// When it does not build, or cannot be started.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let package = "--package=checklist-site-server";
    step("compile the site server", || {
        run_command(&mut project.cargo(["build", package, "--locked"]))
    })?;
    let mut server = Command::new(project.program("checklist-site-server"));
    server.args(&options.server);
    become_server(server)
}
