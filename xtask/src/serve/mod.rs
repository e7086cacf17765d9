//! `cargo xtask serve`: builds the control and the server and runs the server with the demo.
//! On Unix this process becomes the server, so Ctrl+C, signals and the exit code are the server's
//! own.

mod arguments;

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::project::{Project, become_server};
use crate::stages::step;
use crate::{build, site_server};

/// Builds everything and runs the server with the demo on http://127.0.0.1:8080.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask serve\n  \
    cargo xtask serve --with-site-server\n  \
    cargo xtask serve -- --listen 127.0.0.1:9000\n  \
    cargo xtask serve -- --embed-key key.pem --data-dir data")]
pub struct Options {
    /// Also run the local site server on http://127.0.0.1:8090, with a service connection to it in
    /// the demo.
    #[arg(long)]
    with_site_server: bool,
    /// Options of `checklist-server serve`; those given here replace the demo's own.
    #[arg(last = true, value_name = "SERVER OPTIONS")]
    server: Vec<String>,
}

/// Runs the command; returns only when the server ends or cannot be started.
///
/// # Errors
/// When something does not build, or the server cannot be started.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    build::control(project)?;
    step("compile the server", || build::server(project))?;

    let data = project.target.join("demo-data");
    let mut arguments = arguments::complete(&options.server, &data.to_string_lossy());
    if options.with_site_server {
        site_server::start_beside(project)?;
        arguments.extend(site_server::ARGUMENTS.map(str::to_owned));
    }
    println!("-> start the server (Ctrl+C ends it)");
    let mut server = Command::new(project.program("checklist-server"));
    server.current_dir(&project.root).args(&arguments);
    become_server(server)
}
