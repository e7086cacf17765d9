//! `cargo xtask <command>`: builds, runs, checks and tests the whole project with cargo alone.
//! Each command lives in a module of its own name; `project` knows the folders and starts cargo,
//! `stages` runs named steps and sums them up. Nothing of the product depends on this crate.

mod bench;
mod build;
mod check;
mod describe;
mod package;
mod project;
mod serve;
mod site_server;
mod stages;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::project::Project;

/// Builds, runs, checks and tests the project.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "Example:\n  cargo xtask serve"
)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Serve(serve::Options),
    Build(build::Options),
    Test(test::Options),
    Check(check::Options),
    Bench(bench::Options),
    Describe(describe::Options),
    Package(package::Options),
    SiteServer(site_server::Options),
    SiteRecordings(site_server::Recordings),
    #[command(hide = true)]
    Announce(serve::announce::Options),
}

fn main() -> ExitCode {
    let task = CommandLine::parse().task;
    let done = match task {
        // Waits beside a running server: it needs no project, only an address.
        Task::Announce(options) => Ok(serve::announce::run(&options)),
        Task::Serve(options) => Project::find().and_then(|project| serve::run(&project, &options)),
        Task::Build(options) => Project::find().and_then(|project| build::run(&project, &options)),
        Task::Test(options) => Project::find().and_then(|project| test::run(&project, &options)),
        Task::Check(options) => Project::find().and_then(|project| check::run(&project, &options)),
        Task::Bench(options) => Project::find().and_then(|project| bench::run(&project, &options)),
        Task::Describe(options) => {
            Project::find().and_then(|project| describe::run(&project, &options))
        }
        Task::Package(options) => {
            Project::find().and_then(|project| package::run(&project, &options))
        }
        Task::SiteServer(options) => {
            Project::find().and_then(|project| site_server::run(&project, &options))
        }
        Task::SiteRecordings(options) => {
            Project::find().and_then(|project| site_server::compare(&project, &options))
        }
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
