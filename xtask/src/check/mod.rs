//! `cargo xtask check`: everything that can be told without running the product. Format, our own
//! rules (`layers`, `packages`), licences and sources (`deny`), clippy natively and for WASM, and
//! generated files (`generated`). `test` runs the same stages before its tests.

mod deny;
mod generated;
mod layers;
mod packages;
mod paths;
mod rules;
mod source;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build;
use crate::project::{Project, WASM, run as run_command};
use crate::stages::{Outcome, Stages, in_ci};

/// Checks format, lints, layers, licences and generated files.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask check")]
pub struct Options {}

/// Runs the command: all stages, then the table.
///
/// # Errors
/// None of its own; what fails is a stage that failed.
pub fn run(project: &Project, _options: &Options) -> Result<ExitCode> {
    let mut stages = Stages::default();
    without_building(project, &mut stages);
    let built = control(project, &mut stages);
    lints(project, &mut stages, built);
    generated_files(project, &mut stages, built);
    println!("{}", stages.table());
    Ok(stages.exit_code(in_ci()))
}

/// The stages that take seconds and compile nothing of the project.
pub fn without_building(project: &Project, stages: &mut Stages) {
    stages.run("format", || {
        run_command(&mut project.cargo(["fmt", "--all", "--check"]))?;
        Ok(Outcome::Passed)
    });
    stages.run("layers", || {
        let findings = rules::findings(project)?;
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

/// The stage that builds the control, which the server cannot be compiled without.
pub fn control(project: &Project, stages: &mut Stages) -> bool {
    stages.run("build the control", || {
        println!("{}", build::control(project)?.summary());
        Ok(Outcome::Passed)
    })
}

/// Clippy over everything, in the same selections that are built and tested.
pub fn lints(project: &Project, stages: &mut Stages, built: bool) {
    let missing = "the control was not built";
    stages.run_after(built, missing, "clippy, native", || {
        let mut command = project.cargo(["clippy", "--all-targets"]);
        command.args(project.native_selection());
        run_command(command.args(["--", "-D", "warnings"]))?;
        Ok(Outcome::Passed)
    });
    stages.run("clippy, browser", || {
        run_command(&mut project.cargo([
            "clippy",
            "--package=checklist-shared",
            "--package=checklist-control",
            "--package=checklist-element",
            "--target",
            WASM,
            "--locked",
            "--",
            "-D",
            "warnings",
        ]))?;
        Ok(Outcome::Passed)
    });
    stages.run("clippy, tools", || {
        run_command(&mut project.cargo([
            "clippy",
            "--package=xtask",
            "--package=xtask-wasm-runner",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]))?;
        Ok(Outcome::Passed)
    });
}

/// Whether what is generated and committed is still what would be generated.
pub fn generated_files(project: &Project, stages: &mut Stages, built: bool) {
    let missing = "the control was not built";
    stages.run_after(built, missing, "generated files", || {
        let mut command = project.cargo(["build", "--bin=checklist-server"]);
        run_command(command.args(project.native_selection()))?;
        generated::check(project)?;
        Ok(Outcome::Passed)
    });
}

/// The same, where the server has been built already.
pub fn generated_files_after_build(project: &Project, stages: &mut Stages, built: bool) {
    let missing = "the server was not built";
    stages.run_after(built, missing, "generated files", || {
        generated::check(project)?;
        Ok(Outcome::Passed)
    });
}
