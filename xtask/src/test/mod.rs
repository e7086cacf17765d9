//! `cargo xtask test`: runs all tests, stage by stage. The checks come first, then the build of the
//! control, all native tests (with the server as a program), those on PostgreSQL, the tests in a real
//! browser, some of them in two others, the npm package in pages of each framework, and the shared
//! vectors compiled to WASM. CI runs exactly this command (`.ci/run`).

mod authentication_servers;
mod browsers;
pub mod chromium;
mod debian;
mod frameworks;
pub mod libtest;
pub mod nextest;
pub mod npm;
mod other_browsers;
pub mod postgres;
pub mod report;
mod system_kerberos;
pub mod tool;
mod unpacked;
mod wasm;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build::{self, Manifest};
use crate::check;
use crate::project::{Environment, Project, in_ci, run as run_command};
use crate::stages::{Outcome, Stages};
use browsers::Browsers;
use chromium::Search;
use nextest::Tests;
use other_browsers::{FIREFOX, OtherBrowser, WEBKIT};
use tool::{
    AUTHENTICATION_SERVERS, IDENTITY_PROVIDER, IDENTITY_PROVIDER_ON_POSTGRES, LOOKS, SCHEMATHESIS,
    SITE_CLIENTS, SYSTEMD,
};

/// The tests that need neither a browser nor a PostgreSQL.
const NATIVE: &str = "not binary(/^(browser|frameworks|postgres)/)";

/// Why stages are skipped behind those that build.
const NOT_BUILT: &str = "the server and the tests were not built";

/// Checks and tests everything, and fetches what the tests need.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask test\n  \
    cargo xtask test --only native -- refresh\n  \
    cargo xtask test --only browser")]
pub struct Options {
    /// Run one part only.
    #[arg(long, value_name = "PART")]
    only: Option<Part>,
    /// A filter and options for the test programs, as behind `cargo test --`.
    #[arg(last = true, value_name = "FILTER")]
    filter: Vec<String>,
}

/// The parts that `--only` knows.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Part {
    /// Format, rules, licences, lints and generated files.
    Check,
    /// Unit, property, vector and HTTP tests.
    Native,
    /// The store and the HTTP tests on PostgreSQL.
    Postgres,
    /// The shared vectors, compiled to WASM.
    Wasm,
    /// The tests that drive a real browser: Chromium.
    Browser,
    /// The tests of the control that are about browsers, in Firefox.
    Firefox,
    /// The same in `WebKitGTK`.
    Webkit,
    /// The npm package, and pages built with each framework around the elements.
    Frameworks,
}

/// Runs the command: all stages, the table, and the closing line with the number of tests.
///
/// # Errors
/// None of its own; what fails is a stage that failed.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let mut run = Run {
        project,
        options,
        stages: Stages::default(),
        built: false,
        chromium: None,
    };
    if run.wants(Part::Check) {
        check::without_building(project, &mut run.stages);
        check::lints(project, &mut run.stages);
    }
    if options.only != Some(Part::Wasm) {
        run.built_parts();
    }
    if run.wants(Part::Wasm) {
        let browser = run.chromium();
        run.stages.run("vectors in WASM", || {
            wasm::run(project, &browser, &options.filter)
        });
    }
    println!("{}", run.stages.table());
    println!("{}", run.stages.totals());
    Ok(run.stages.exit_code(in_ci()))
}

/// Builds all programs and tests of the native selection.
///
/// # Errors
/// When something does not compile.
pub fn build_tests(project: &Project) -> Result<()> {
    let mut command = project.cargo(["build", "--bins", "--tests"]);
    run_command(command.args(project.native_selection()))
}

/// What the stages of a run have in common.
struct Run<'a> {
    project: &'a Project,
    options: &'a Options,
    stages: Stages,
    /// Whether the server and the tests are there.
    built: bool,
    /// Looked for once.
    chromium: Option<Search>,
}

impl Run<'_> {
    fn wants(&self, part: Part) -> bool {
        self.options.only.is_none_or(|only| only == part)
    }

    /// The stages that need the control and the native tests built.
    fn built_parts(&mut self) {
        let project = self.project;
        let mut manifest = None;
        let control = self.stages.run("build the control", || {
            let built = build::control(project)?;
            println!("{}", built.summary());
            manifest = Some(built);
            Ok(Outcome::Passed)
        });
        let missing = "the control was not built";
        self.built = self
            .stages
            .run_after(control, missing, "build the tests", || {
                build_tests(project)?;
                Ok(Outcome::Passed)
            });
        if self.wants(Part::Check) {
            self.stage("generated files", || check::generated_files(project));
        }
        if self.wants(Part::Native) {
            self.native();
        }
        if self.wants(Part::Postgres) {
            self.on_postgres();
        }
        if self.wants(Part::Browser) {
            self.in_chromium();
        }
        for (part, browser) in [(Part::Firefox, FIREFOX), (Part::Webkit, WEBKIT)] {
            // A filter of the whole run may name any test, also one that is for Chromium alone.
            let only = self.options.only;
            if only == Some(part) || only.is_none() && self.options.filter.is_empty() {
                self.in_other_browser(&browser);
            }
        }
        if self.wants(Part::Frameworks) {
            self.on_frameworks(manifest.as_ref());
        }
    }

    /// A stage that needs the server and the tests.
    fn stage(&mut self, name: &str, work: impl FnOnce() -> Result<Outcome>) {
        self.stages.run_after(self.built, NOT_BUILT, name, work);
    }

    /// A stage of tests.
    fn tests(&mut self, name: &str, tests: Tests<'_>) {
        let filter = &self.options.filter;
        self.stages.run_after(self.built, NOT_BUILT, name, || {
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    fn native(&mut self) {
        let (project, filter) = (self.project, &self.options.filter);
        let mut tests = Tests::that(project, NATIVE);
        tests.without(system_kerberos::TESTS);
        tests.that_wait();
        for tool in [IDENTITY_PROVIDER, SITE_CLIENTS, SCHEMATHESIS] {
            tool.give(project, &mut self.stages, &mut tests);
        }
        let servers = AUTHENTICATION_SERVERS.look_for(project, &mut self.stages);
        match &servers {
            Some(servers) => tests.tell(servers.clone()),
            None => AUTHENTICATION_SERVERS.leave_out(&mut tests),
        }
        if let Err(reason) = (SYSTEMD.find)(project) {
            println!("without the test of the service's unit: {reason:#}");
            SYSTEMD.leave_out(&mut tests);
        }
        self.tests("native tests", tests);
        self.with_own_ticket(servers);
        self.stage("examples in the docs", || {
            let mut command = project.cargo(["test", "--doc", "--no-fail-fast"]);
            command.args(project.native_selection()).arg("--");
            Ok(Outcome::Tests(libtest::run(command.args(filter))?))
        });
        self.stages.run("tests of the tools", || {
            let tools = ["test", "--package=xtask*", "--locked", "--"];
            Ok(Outcome::Tests(libtest::run(
                project.cargo(tools).args(filter),
            )?))
        });
    }

    /// The stages about a server that signs in as itself: the headers to build it with, and its
    /// tests. Another server is built for them, so a filter has to ask for them.
    fn with_own_ticket(&mut self, servers: Option<Environment>) {
        let (project, filter) = (self.project, &self.options.filter);
        let asked = |text: &String| text.contains(system_kerberos::TESTS.trim_end_matches(':'));
        if !filter.is_empty() && !filter.iter().any(asked) {
            return;
        }
        let mut kerberos = None;
        self.stages.run(
            "find the system's Kerberos",
            || match system_kerberos::find_or_fetch(project) {
                Ok(found) => {
                    kerberos = Some(found);
                    Ok(Outcome::Passed)
                }
                Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
            },
        );
        self.stage("tests with the server's own ticket", || {
            match (&kerberos, servers) {
                (Some(kerberos), Some(servers)) => {
                    system_kerberos::run(project, kerberos, servers, filter)
                }
                _ => Ok(Outcome::Skipped(
                    "there is no Kerberos to build it with, or no server to sign in at".to_owned(),
                )),
            }
        });
    }

    fn on_postgres(&mut self) {
        let (project, filter) = (self.project, &self.options.filter);
        let mut tests = Tests::that(project, "binary(/^postgres/)");
        tests.that_wait();
        IDENTITY_PROVIDER_ON_POSTGRES.give(project, &mut self.stages, &mut tests);
        let mut found = None;
        self.stages.run("find a PostgreSQL", || {
            match postgres::find_or_fetch(project) {
                postgres::Search::Found(programs) => {
                    println!("PostgreSQL: {}", programs.folder.display());
                    found = Some(programs);
                    Ok(Outcome::Passed)
                }
                postgres::Search::Missing(reason) => Ok(Outcome::Skipped(reason)),
            }
        });
        self.stage("tests on PostgreSQL", || {
            let Some(programs) = found else {
                return Ok(Outcome::Skipped("there is no PostgreSQL".to_owned()));
            };
            let server = postgres::Server::start(&programs, false)?;
            tests.tell(programs.environment(&server.url()));
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    /// Looks for Chromium once, under a separate heading.
    fn chromium(&mut self) -> Search {
        if let Some(search) = &self.chromium {
            return search.clone();
        }
        let mut search = Search::Missing("it was not looked for".to_owned());
        self.stages.run("find a browser", || {
            search = chromium::find_or_fetch(self.project);
            match &search {
                Search::Found(browser) => {
                    println!("Chromium: {}", browser.chromium.display());
                    println!("Driver:   {}", browser.driver.display());
                    Ok(Outcome::Passed)
                }
                Search::Missing(reason) => Ok(Outcome::Skipped(reason.clone())),
            }
        });
        self.chromium.insert(search).clone()
    }

    fn in_chromium(&mut self) {
        let project = self.project;
        let mut tests = Tests::that(project, "binary(=browser)");
        let search = self.chromium();
        LOOKS.give(project, &mut self.stages, &mut tests);
        IDENTITY_PROVIDER.give(project, &mut self.stages, &mut tests);
        if let Search::Found(browser) = &search
            && let Some(major) = browser.major()
            && !has_baselines(project, major)
        {
            // No failure, in CI neither: which browser there is, the distribution decides.
            println!(
                "Skipped: screenshots, because there are no pictures of Chromium {major} yet."
            );
            tests.without("screenshots::");
        }
        self.in_browser("browser tests", tests, in_chromium(&search));
    }

    fn in_other_browser(&mut self, browser: &OtherBrowser) {
        let tests = browser.tests(self.project, &self.options.filter);
        let found = browser.tool.look_for(self.project, &mut self.stages);
        let title = browser.tool.title;
        let found = found.ok_or_else(|| format!("there is no {title}"));
        self.in_browser(&format!("tests in {title}"), tests, found);
    }

    /// A stage of tests in a browser, or the reason why there is none.
    fn in_browser(&mut self, name: &str, mut tests: Tests<'_>, found: Result<Environment, String>) {
        let filter = &self.options.filter;
        self.stage(name, || {
            let environment = match found {
                Ok(environment) => environment,
                Err(reason) => return Ok(Outcome::Skipped(reason)),
            };
            let browsers = Browsers::none_yet()?;
            tests.tell(environment);
            tests.tell(browsers.environment());
            tests.retried_in_ci();
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    /// The stages of the npm package: building a page with each framework, and the tests of them.
    fn on_frameworks(&mut self, manifest: Option<&Manifest>) {
        let project = self.project;
        let mut pages = Err("the pages were not built".to_owned());
        self.stages.run("build pages with frameworks", || {
            let Some(manifest) = manifest else {
                bail!("the control was not built");
            };
            let found = match frameworks::find_or_fetch(project) {
                Ok(found) => found,
                Err(error) => return Ok(Outcome::Skipped(format!("{error:#}"))),
            };
            found.build(project, manifest)?;
            pages = Ok(found.environment());
            Ok(Outcome::Passed)
        });
        let found = in_chromium(&self.chromium());
        let found = found.and_then(|browser| Ok([browser, pages?].concat()));
        let tests = Tests::that(project, "binary(=frameworks)");
        self.in_browser("pages of frameworks", tests, found);
    }
}

/// What tests have to know about Chromium, or why there is none.
fn in_chromium(search: &Search) -> Result<Environment, String> {
    match search {
        Search::Found(browser) => Ok(browser.environment()),
        Search::Missing(reason) => Err(reason.clone()),
    }
}

/// Whether pictures of this version of the browser are there, or are to be taken now.
fn has_baselines(project: &Project, major: u32) -> bool {
    let folder = format!("tests/baselines/chromium-{major}");
    project.root.join(folder).is_dir() || std::env::var_os("CHECKLIST_BASELINES").is_some()
}
