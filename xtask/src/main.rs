//! `cargo xtask <command>`: builds, runs, checks and tests the whole project with cargo alone.
//! Each command has a module of its own name; `project` knows the folders and starts cargo,
//! `stages` runs named steps and summarizes them. No part of the product depends on this crate.

mod bench;
mod build;
mod cargo_tool;
mod check;
mod describe;
mod dist;
mod files;
mod fuzz;
mod mutants;
mod package;
mod project;
mod serve;
mod site_server;
mod stages;
mod test;
mod trust;

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
    Dist(dist::Options),
    Trust(trust::Options),
    Fuzz(fuzz::Options),
    Mutants(mutants::Options),
    SiteServer(site_server::Options),
}

fn main() -> ExitCode {
    if let Some(code) = check::rustc_wrapper::run() {
        return code;
    }
    let task = CommandLine::parse().task;
    let done = Project::find().and_then(|project| match task {
        Task::Serve(options) => serve::run(&project, &options),
        Task::Build(options) => build::run(&project, &options),
        Task::Test(options) => test::run(&project, &options),
        Task::Check(options) => check::run(&project, &options),
        Task::Bench(options) => bench::run(&project, &options),
        Task::Describe(options) => describe::run(&project, &options),
        Task::Package(options) => package::run(&project, &options),
        Task::Dist(options) => dist::run(&project, &options),
        Task::Trust(options) => trust::run(&project, &options),
        Task::Fuzz(options) => fuzz::run(&project, &options),
        Task::Mutants(options) => mutants::run(&project, &options),
        Task::SiteServer(options) => site_server::run(&project, &options),
    });
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The commands inside fences of a page, without what the shell takes for itself.
    fn shown(page: &str) -> Vec<Vec<&str>> {
        let fences = page.split("```").skip(1).step_by(2);
        let lines = fences.flat_map(str::lines);
        let commands = lines.filter(|line| line.starts_with("cargo xtask "));
        commands
            .map(|line| {
                let line = line
                    .split(['#', '&', '|', '>', '\\'])
                    .next()
                    .unwrap_or_default();
                line.split_whitespace().skip(1).collect()
            })
            .collect()
    }

    #[test]
    fn every_command_that_the_documents_show_is_taken() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut pages = vec![root.join("README.md")];
        let docs = std::fs::read_dir(root.join("docs")).expect("the documents");
        pages.extend(docs.flatten().map(|entry| entry.path()));
        let mut count = 0;
        for path in pages
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "md"))
        {
            let page = std::fs::read_to_string(path).expect("a page");
            for words in shown(&page) {
                if let Err(refused) = CommandLine::try_parse_from(&words) {
                    panic!("{}: {words:?}\n{refused}", path.display());
                }
                count += 1;
            }
        }
        assert!(count >= 10, "only {count} commands were found");
    }
}
