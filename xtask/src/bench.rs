//! `cargo xtask bench`: the size of the control and the throughput of the server, compared with bare
//! programs that do the same on SQLite and on PostgreSQL; release builds, measured in one run.
//! With `--browser`, the control in Chromium, side by side with the same list in other libraries
//! (`tests/bench-pages`). Options after `--` choose a part of the benchmark.

mod pocketbase;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::build;
use crate::project::{Project, run as run_command};
use crate::stages::step;
use crate::test::chromium::{self, Search as Browser};
use crate::test::npm::{self, Package};
use crate::test::postgres::{self, Search, Server};
use crate::test::site_clients;

/// Measures the control's size and the server's throughput.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask bench\n  \
    cargo xtask bench -- sites\n  \
    cargo xtask bench -- growth\n  \
    cargo xtask bench --browser\n  \
    cargo xtask bench --browser -- --sizes 100,1000 --rounds 5")]
pub struct Options {
    /// Measure the control in the browser instead, against the same list in other libraries; the
    /// figures are written to target/bench/browser.json too.
    #[arg(long)]
    browser: bool,
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
    if !options.browser {
        println!("\n=== throughput ===");
    }
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
    if options.browser {
        in_browser(project, &mut command)?;
        run_command(command.args(&options.bench))?;
        return Ok(ExitCode::SUCCESS);
    }
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
    if options.bench.iter().any(|option| option == GROWTH) {
        command.env(
            "CHECKLIST_BENCH_JSON",
            project.target.join("bench/growth.json"),
        );
        match pocketbase::find_or_fetch(project) {
            Ok(program) => {
                command.env("CHECKLIST_POCKETBASE", program);
            }
            Err(reason) => println!("without PocketBase: {reason:#}"),
        }
    }
    run_command(command.args(&options.bench))?;
    Ok(ExitCode::SUCCESS)
}

/// The benchmark that fills a store, and compares with PocketBase.
const GROWTH: &str = "growth";

/// The pages that the control is compared with.
const PAGES: Package<'_> = Package {
    title: "what the control is compared with",
    source: "tests/bench-pages",
    folder: "bench-pages",
    files: &[
        "package.json",
        "package-lock.json",
        "build.js",
        "data.js",
        "vanilla.js",
        "lit.js",
        "react.jsx",
        "survey.js",
    ],
};

/// Builds the pages, finds a browser, and passes both to the benchmark.
fn in_browser(project: &Project, command: &mut Command) -> Result<()> {
    let pages = npm::install(project, &PAGES)?;
    let built = pages.join("built");
    let node = npm::node(project)?;
    step("bundle the pages", || {
        run_command(
            Command::new(node)
                .arg("build.js")
                .arg(&built)
                .current_dir(&pages),
        )
    })?;
    let browser = match chromium::find_or_fetch(project) {
        Browser::Found(browser) => browser,
        Browser::Missing(reason) => bail!("{reason}"),
    };
    command
        .arg("browser")
        .arg("--json")
        .arg(project.target.join("bench/browser.json"))
        .env("CHECKLIST_BENCH_PAGES", built)
        .env("CHECKLIST_CHROMIUM", browser.chromium)
        .env("CHECKLIST_CHROMEDRIVER", browser.driver);
    Ok(())
}
