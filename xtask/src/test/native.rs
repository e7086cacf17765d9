//! The tests that run on this machine: unit, property, vector and HTTP tests, and those that drive
//! a browser. They are built together with the server, so that nothing is built twice;
//! the stages then select test targets by name: `browser…` for the browser stage,
//! `postgres…` for the one with a PostgreSQL, `frameworks` for the one that has built
//! the pages.

use std::process::Command;

use anyhow::Result;

use super::authentication_servers::{self, AuthenticationServers};
use super::chromium::Browser;
use super::frameworks::Frameworks;
use super::identity_provider::{self, IdentityProvider};
use super::libtest;
use super::looks::{self, Looks};
use super::postgres::Programs;
use super::schemathesis::Schemathesis;
use super::site_clients::{self, SiteClients};
use super::{schemathesis, system_kerberos, systemd};
use crate::project::{Project, run as run_command};
use crate::stages::{Outcome, in_ci};

const BROWSER_TARGETS: &str = "browser";
const POSTGRES_TARGETS: &str = "postgres";
const FRAMEWORKS_TARGET: &str = "frameworks";

/// Builds all programs and tests of the native selection.
///
/// # Errors
/// When something does not compile.
pub fn build(project: &Project) -> Result<()> {
    let mut command = project.cargo(["build", "--bins", "--tests"]);
    run_command(command.args(project.native_selection()))
}

/// Runs the tests that need neither a browser nor a PostgreSQL.
///
/// # Errors
/// When a test program cannot be run.
pub fn run(
    project: &Project,
    provider: Option<&IdentityProvider>,
    servers: Option<&AuthenticationServers>,
    clients: Option<&SiteClients>,
    schemathesis: Option<&Schemathesis>,
    filter: &[String],
) -> Result<Outcome> {
    let mut command = tests(project);
    command.args(["--lib", "--bins"]);
    let targets = project.packages.iter().flat_map(|package| &package.tests);
    let elsewhere = [BROWSER_TARGETS, POSTGRES_TARGETS, FRAMEWORKS_TARGET];
    for target in targets.filter(|name| !elsewhere.iter().any(|of| name.starts_with(of))) {
        command.args(["--test", target]);
    }
    with_provider(command.arg("--").args(filter), provider);
    command.args(["--skip", system_kerberos::TESTS]);
    match servers {
        Some(servers) => servers.tell(&mut command),
        None => {
            command.args(["--skip", authentication_servers::TESTS]);
        }
    }
    match clients {
        Some(clients) => clients.tell(&mut command),
        None => {
            for tests in site_clients::TESTS {
                command.args(["--skip", tests]);
            }
        }
    }
    match schemathesis {
        Some(schemathesis) => schemathesis.tell(&mut command),
        None => {
            command.args(["--skip", schemathesis::TESTS]);
        }
    }
    if let Err(reason) = systemd::find_or_fetch() {
        println!("without the test of the service's unit: {reason:#}");
        command.args(["--skip", systemd::TESTS]);
    }
    Ok(Outcome::Tests(libtest::run(&mut command)?))
}

/// Runs the examples in the documentation.
///
/// # Errors
/// When they cannot be run.
pub fn run_doc_tests(project: &Project, filter: &[String]) -> Result<Outcome> {
    let mut command = tests(project);
    command.args(["--doc", "--"]);
    Ok(Outcome::Tests(libtest::run(command.args(filter))?))
}

/// Runs the tests of the tools, which are not part of the native selection.
///
/// # Errors
/// When they cannot be run.
pub fn run_tools(project: &Project, filter: &[String]) -> Result<Outcome> {
    let mut command = project.cargo(["test", "--package=xtask", "--locked", "--"]);
    Ok(Outcome::Tests(libtest::run(command.args(filter))?))
}

/// Runs the tests that need a PostgreSQL, on the server of that URL; some of them start one of
/// their own with the programs.
///
/// # Errors
/// When a test program cannot be run.
pub fn run_on_postgres(
    project: &Project,
    programs: &Programs,
    url: &str,
    provider: Option<&IdentityProvider>,
    filter: &[String],
) -> Result<Outcome> {
    let mut command = tests(project);
    let targets = format!("{POSTGRES_TARGETS}*");
    command
        .args(["--test", &targets, "--"])
        .args(filter)
        .env("CHECKLIST_POSTGRES", url)
        .env("CHECKLIST_POSTGRES_PROGRAMS", &programs.folder);
    if let Some(libraries) = &programs.libraries {
        command.env("CHECKLIST_POSTGRES_LIBRARIES", libraries);
    }
    with_provider(&mut command, provider);
    if provider.is_none() {
        command.args(["--skip", identity_provider::TESTS_ON_POSTGRES]);
    }
    Ok(Outcome::Tests(libtest::run(&mut command)?))
}

/// Runs the tests that drive a browser.
///
/// # Errors
/// When a test program cannot be run.
pub fn run_in_browser(
    project: &Project,
    browser: &Browser,
    provider: Option<&IdentityProvider>,
    (looks, pictures): &(Option<Looks>, bool),
    filter: &[String],
) -> Result<Outcome> {
    let any = project
        .packages
        .iter()
        .flat_map(|package| &package.tests)
        .any(|name| name.starts_with(BROWSER_TARGETS));
    if !any {
        return Ok(Outcome::Skipped("there are no browser tests".to_owned()));
    }
    let told = libtest::run_twice(in_ci(), filter, |filter| {
        let mut command = tests(project);
        command
            .args(["--test", "browser*", "--"])
            .args(filter)
            .env("CHECKLIST_CHROMIUM", &browser.chromium)
            .env("CHECKLIST_CHROMEDRIVER", &browser.driver);
        match looks {
            Some(looks) => looks.tell(&mut command),
            None => {
                for tests in looks::TESTS {
                    command.args(["--skip", tests]);
                }
            }
        }
        if !pictures {
            command.args(["--skip", looks::PICTURES]);
        }
        with_provider(&mut command, provider);
        command
    })?;
    Ok(Outcome::TestsTwice(told))
}

/// Runs the tests of the npm package and of the pages that are built with it.
///
/// # Errors
/// When the test program cannot be run.
pub fn run_on_frameworks(
    project: &Project,
    browser: &Browser,
    frameworks: &Frameworks,
    filter: &[String],
) -> Result<Outcome> {
    let told = libtest::run_twice(in_ci(), filter, |filter| {
        let mut command = tests(project);
        command
            .args(["--test", FRAMEWORKS_TARGET, "--"])
            .args(filter)
            .env("CHECKLIST_CHROMIUM", &browser.chromium)
            .env("CHECKLIST_CHROMEDRIVER", &browser.driver);
        frameworks.tell(&mut command);
        command
    })?;
    Ok(Outcome::TestsTwice(told))
}

/// Passes the identity provider to the tests; without one, those that need it are skipped. Call it
/// last: it appends to the arguments after `--`.
fn with_provider(command: &mut Command, provider: Option<&IdentityProvider>) {
    match provider {
        Some(provider) => provider.tell(command),
        None => {
            for tests in identity_provider::TESTS {
                command.args(["--skip", tests]);
            }
        }
    }
}

/// `cargo test` over the native selection; a failed program does not keep the others from running.
pub(super) fn tests(project: &Project) -> Command {
    let mut command = project.cargo(["test", "--no-fail-fast"]);
    command
        .args(project.native_selection())
        .env("CHECKLIST_SERVER_BIN", project.program("checklist-server"));
    command
}
