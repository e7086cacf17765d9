//! `cargo xtask check`: all checks that do not run the product. Format, our own
//! rules (`rules`, `limits`, `accessibility`), licences, sources and which package uses which (`deny`),
//! clippy natively and for WASM, and generated files (`generated`). `test` runs the same stages before its tests.

pub mod accessibility;
mod deny;
mod generated;
mod limits;
mod rules;
pub mod rustc_wrapper;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use crate::build::{self, ensure_target, overlook};
use crate::project::{Project, WASM, in_ci, linted, output_of, run as run_command};
use crate::stages::{Outcome, Stages};

pub use generated::check as generated_files;

/// Checks format, rules, licences, lints and generated files.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask check\n  cargo xtask check --advisories")]
pub struct Options {
    /// Look for known faults of the dependencies as well; needs the network.
    #[arg(long)]
    advisories: bool,
}

/// Runs the command: all stages, then the table.
///
/// # Errors
/// None of its own; what fails is a stage that failed.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let stages = Stages::default();
    without_building(project, &stages);
    stages.run("compile and lint", || {
        compile_and_lint(project)?;
        Ok(Outcome::Passed)
    });
    tools_lints(project, &stages);
    browser_lints(project, &stages);
    stages.run("generated files", || {
        build::server(project)?;
        generated_files(project)
    });
    if options.advisories {
        stages.run("known faults", || {
            deny::advisories(project)?;
            Ok(Outcome::Passed)
        });
    }
    println!("{}", stages.table());
    Ok(stages.exit_code(in_ci()))
}

/// The stages that take seconds and compile nothing of the project.
pub fn without_building(project: &Project, stages: &Stages) {
    stages.run("format", || {
        // Names only; `cargo fmt --all` mends them faster than a difference is read.
        run_command(&mut project.cargo(["fmt", "--all", "--check", "--", "-l"]))?;
        Ok(Outcome::Passed)
    });
    stages.run("rules", || {
        let mut findings = rules::findings(project)?;
        findings.extend(limits::findings(project)?);
        findings.extend(accessibility::findings(project)?);
        for (path, sentence) in xtask_docs::faults(&project.root)? {
            findings.push(rules::Finding {
                path,
                line: 1,
                sentence,
            });
        }
        for finding in &findings {
            println!("{finding}");
        }
        if findings.is_empty() {
            return Ok(Outcome::Passed);
        }
        bail!("{} findings", findings.len())
    });
    stages.run("licences and sources", || {
        deny::check(project)?;
        Ok(Outcome::Passed)
    });
}

/// Compiles the server and the tests, in the selection that is tested; clippy lints them on the way.
///
/// # Errors
/// When something does not compile, or there are warnings.
pub fn compile_and_lint(project: &Project) -> Result<()> {
    let mut command = project.cargo(["build", "--all-targets"]);
    without_warnings(project.select_native(&mut command))
}

/// Selects the tools, the runner of WASM tests among them. All at once: `xtask` asks for the features
/// that only the runner needs, so that their dependencies are compiled once.
pub const TOOLS: [&str; 4] = [
    "--package=xtask",
    "--package=xtask-docs",
    "--package=xtask-passes",
    "--package=xtask-wasm-runner",
];

/// Compiles the tools and their tests, with other features than what is tested; clippy lints them on
/// the way.
pub fn tools_lints(project: &Project, stages: &Stages) {
    stages.run("clippy, tools", || {
        let mut command = project.cargo(["build", "--all-targets", "--locked"]);
        command.args(TOOLS);
        without_warnings(linted(&mut command))?;
        Ok(Outcome::Passed)
    });
}

/// Runs a build, and fails if cargo has warnings for it, also of what was compiled before.
///
/// # Errors
/// When it does not compile, or there are warnings.
pub fn without_warnings(command: &mut Command) -> Result<()> {
    run_command(command)?;
    let messages = output_of(command.args(["--quiet", "--message-format=json"]))?;
    let messages = String::from_utf8_lossy(&messages.stdout);
    let warnings = messages.lines().filter(|line| is_warning(line)).count();
    ensure!(warnings == 0, "{warnings} warnings");
    Ok(())
}

/// Whether a line of cargo's JSON is a warning of the compiler or of clippy.
fn is_warning(line: &str) -> bool {
    let message: Value = serde_json::from_str(line).unwrap_or_default();
    message["reason"] == "compiler-message" && message["message"]["level"] == "warning"
}

/// What runs in browsers: selected as one, so that dependencies have the same features for its lints and
/// for its documentation, and are checked once.
const IN_BROWSERS: [&str; 6] = [
    "--package=checklist-shared",
    "--package=checklist-control",
    "--package=checklist-element",
    "--package=checklist-worklist",
    "--package=checklist-pages",
    "--package=checklist-leptos-page",
];

/// Clippy over what runs in browsers, and its documentation: unless both have passed for every package
/// while it was compiled.
pub fn browser_lints(project: &Project, stages: &Stages) {
    let packages = IN_BROWSERS.iter();
    let packages = packages.filter_map(|package| package.strip_prefix("--package="));
    if rustc_wrapper::all_passed(project.lint_results.as_deref(), packages) {
        stages.run("clippy and documentation, browser", || {
            println!("Both passed for every package while it was compiled.");
            Ok(Outcome::Passed)
        });
        return;
    }
    stages.run("clippy, browser", || {
        // On a machine where nothing was built yet, this is the first to need the target.
        ensure_target(WASM)?;
        let mut command = in_browsers(project, "clippy");
        run_command(overlook(command.args(["--", "-D", "warnings"])))?;
        Ok(Outcome::Passed)
    });
    stages.run("documentation of the components", || {
        let mut command = in_browsers(project, "doc");
        command.arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings");
        run_command(overlook(&mut command))?;
        Ok(Outcome::Passed)
    });
}

/// A command of cargo over all of [`IN_BROWSERS`], with the profile of the build, so that macros are
/// compiled once for both.
fn in_browsers(project: &Project, what: &str) -> Command {
    let mut command = project.cargo([what, "--target", WASM, "--profile=browser", "--locked"]);
    command.args(IN_BROWSERS);
    command
}
