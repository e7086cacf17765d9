//! `cargo xtask test`: runs all tests, stage by stage. First what is built: the checks, the control,
//! the server and the tests, side by side where they do not wait for the same lock of cargo, and
//! beside them what is downloaded. Then the tests: native ones (with the server as a program), those
//! on PostgreSQL, those in a real browser, some of them in two others, the npm package in pages of each
//! framework, the extensions in service desks, and the shared vectors compiled to WASM. CI runs exactly
//! this command (`.ci/run`).

mod browsers;
pub mod chromium;
pub mod debian;
mod debian_tool;
mod frameworks;
pub mod libtest;
pub mod nextest;
pub mod npm;
mod other_browsers;
pub mod postgres;
pub mod release;
pub mod report;
mod scratch;
mod service_desks;
pub mod system_kerberos;
pub mod tool;
mod unpacked;
pub mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{OnceLock, mpsc};
use std::thread;

use anyhow::{Context, Result};

use crate::build::{self, Manifest};
use crate::check;
use crate::dist;
use crate::project::{Environment, Project, in_ci, linted};
use crate::stages::{Outcome, Stages};
use browsers::Browsers;
use chromium::Browser;
use nextest::Tests;
use other_browsers::OtherBrowser;
use other_browsers::firefox::FIREFOX;
use other_browsers::webkit::WEBKIT;
use service_desks::SERVICE_DESKS;
use system_kerberos::SystemKerberos;
use tool::{
    AUDIT_VERIFIER, AUTHENTICATION_SERVERS, IDENTITY_PROVIDER, LOOKS, MCP_CLIENTS, MONO, PATRONI,
    PROMETHEUS, REVERSE_PROXIES, SCHEMATHESIS, SITE_CLIENTS, SYSTEMD,
};

/// The tests that need neither a browser nor a PostgreSQL.
const NATIVE: &str = "not binary(/^(browser|desks|frameworks)$/)";

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
    /// Those of the native tests that install a release.
    Release,
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
    /// The extensions of service desks, in Request Tracker and Redmine with a browser.
    Desks,
}

/// Runs the command: all stages, the table, and the closing line with the number of tests.
///
/// # Errors
/// When the lint results of an earlier run cannot be removed; what fails otherwise is a stage that failed.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let is_checked = options.only.is_none_or(|only| only == Part::Check);
    let linted = is_checked.then(|| check::rustc_wrapper::with_lints(project));
    let linted = linted.transpose()?;
    let run = Run {
        project: linted.as_ref().unwrap_or(project),
        options,
        stages: Stages::default(),
        built: false,
        manifest: None,
        pages: None,
        chromium: OnceLock::new(),
        kerberos: OnceLock::new(),
        with_own_ticket: None,
    };
    run.whole()
}

/// What the stages of a run have in common.
struct Run<'a> {
    project: &'a Project,
    options: &'a Options,
    stages: Stages,
    /// Whether the server and the tests are there.
    built: bool,
    /// The files of the control.
    manifest: Option<Manifest>,
    /// Where the pages with frameworks are.
    pages: Option<Environment>,
    /// Looked for once.
    chromium: OnceLock<Option<Browser>>,
    kerberos: OnceLock<Option<SystemKerberos>>,
    /// The server that signs in as itself.
    with_own_ticket: Option<PathBuf>,
}

impl Run<'_> {
    fn whole(mut self) -> Result<ExitCode> {
        if self.wants(Part::Check) {
            check::without_building(self.project, &self.stages);
        }
        if self.options.only != Some(Part::Wasm) {
            self.build();
            self.test();
        }
        if self.wants(Part::Wasm) {
            let browser = self.chromium();
            self.stages.run("vectors in WASM", || {
                wasm::run(self.project, browser, &self.options.filter)
            });
        }
        println!("{}", self.stages.table());
        println!("{}", self.stages.totals());
        Ok(self.stages.exit_code(in_ci()))
    }

    fn wants(&self, part: Part) -> bool {
        self.options.only.is_none_or(|only| only == part)
    }

    /// Builds everything, and lints it where that was asked for. Cargo has a lock for each profile:
    /// what is for the browser is built beside what is native.
    fn build(&mut self) {
        let project = self.project;
        let run = &*self;
        let (tell, told) = mpsc::channel();
        let (built, pages, manifest, with_own_ticket) = thread::scope(|scope| {
            let downloads = run.is_whole().then(|| scope.spawn(|| run.downloads()));
            let for_browsers = scope.spawn(move || {
                let manifest = run.control();
                // Whoever waits for it is gone only when this run has failed.
                let _ = tell.send(manifest.clone());
                run.for_browsers(manifest.as_ref())
            });
            // While the last steps of the control use one processor. The server embeds the control,
            // so it is compiled again afterwards, and nothing else.
            run.compile_ahead();
            // Nothing comes from a thread that has failed.
            let manifest = told.recv().unwrap_or_default();
            let has_control = manifest.is_some();
            // One crate after the other, so beside the lints for browsers; and before the usual server,
            // whose place it takes.
            let with_own_ticket = has_control.then(|| run.server_with_own_ticket()).flatten();
            if run.wants(Part::Check) {
                check::tools_lints(project, &run.stages);
            }
            if run.wants(Part::Native) {
                run.tests_of_tools();
            }
            let missing = "the control was not built";
            let built = run
                .stages
                .run_after(has_control, missing, "build the tests", || {
                    if run.wants(Part::Check) {
                        // Clippy has looked at what was compiled ahead, too.
                        check::compile_and_lint(project)?;
                    } else {
                        build::tests(project)?;
                    }
                    Ok(Outcome::Passed)
                });
            // What was not downloaded is told by the stages that look for it.
            downloads.map(thread::ScopedJoinHandle::join);
            let pages = for_browsers.join().unwrap_or_default();
            (built, pages, manifest, with_own_ticket)
        });
        (self.built, self.pages, self.manifest) = (built, pages, manifest);
        self.with_own_ticket = with_own_ticket;
    }

    /// What needs the control and, as its build, the browser's profile alone: pages around it, and lints.
    fn for_browsers(&self, manifest: Option<&Manifest>) -> Option<Environment> {
        let wanted = self.wants(Part::Frameworks);
        let pages = wanted.then(|| self.pages_with_frameworks(manifest));
        // After all that is compiled, and linted beside that.
        if self.wants(Part::Check) {
            check::browser_lints(self.project, &self.stages);
        }
        pages.flatten()
    }

    fn compile_ahead(&self) {
        self.stages.run("compile ahead of the control", || {
            if let Err(error) = build::tests(self.project) {
                // What does not compile fails the stage that builds the tests. Where an older control
                // is replaced meanwhile, this can fail on its files alone.
                println!("{error:#}");
            }
            Ok(Outcome::Passed)
        });
    }

    /// Whether everything is tested, so that everything is needed.
    fn is_whole(&self) -> bool {
        self.options.only.is_none() && self.options.filter.is_empty()
    }

    /// Fetches what the tests will look for, while something is compiled.
    fn downloads(&self) {
        self.stages.run("downloads", || {
            let tools = [
                IDENTITY_PROVIDER,
                SITE_CLIENTS,
                SCHEMATHESIS,
                AUDIT_VERIFIER,
                MCP_CLIENTS,
                AUTHENTICATION_SERVERS,
                REVERSE_PROXIES,
                PATRONI,
                PROMETHEUS,
                MONO,
                LOOKS,
                release::TOOLS,
                FIREFOX.tool,
                WEBKIT.tool,
                SERVICE_DESKS,
            ];
            for tool in tools {
                tool.fetch_early(self.project);
            }
            self.chromium();
            self.system_kerberos();
            Ok(Outcome::Passed)
        });
    }

    fn control(&self) -> Option<Manifest> {
        self.stages.make("build the control", || {
            let built = build::control(self.project)?;
            println!("{}", built.summary());
            Ok(built)
        })
    }

    /// The stages that need the control and the native tests built.
    fn test(&self) {
        let project = self.project;
        if self.wants(Part::Check) {
            self.stage("generated files", || check::generated_files(project));
        }
        if self.wants(Part::Native) {
            self.native();
        }
        if self.options.only == Some(Part::Release) {
            self.release_alone();
        }
        if self.wants(Part::Postgres) {
            self.on_postgres();
        }
        if self.wants(Part::Browser) {
            self.in_chromium();
        }
        for (part, browser) in [(Part::Firefox, FIREFOX), (Part::Webkit, WEBKIT)] {
            // A filter of the whole run may name any test, also one that is for Chromium alone.
            if self.options.only == Some(part) || self.is_whole() {
                self.in_other_browser(&browser);
            }
        }
        if self.wants(Part::Frameworks) {
            let found = self.in_chromium_with(self.pages.clone());
            let tests = Tests::that(project, "binary(=frameworks)");
            self.in_browser("pages of frameworks", tests, found);
        }
        if self.wants(Part::Desks) {
            self.in_service_desks();
        }
    }

    /// A stage that needs the server and the tests.
    fn stage(&self, name: &str, work: impl FnOnce() -> Result<Outcome>) {
        self.stages.run_after(self.built, NOT_BUILT, name, work);
    }

    /// A stage of tests.
    fn tests(&self, name: &str, tests: Tests<'_>) {
        let filter = &self.options.filter;
        self.stages.run_after(self.built, NOT_BUILT, name, || {
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    fn native(&self) {
        let (project, filter) = (self.project, &self.options.filter);
        let mut tests = Tests::that(project, NATIVE);
        tests.without(system_kerberos::TESTS);
        tests.that_wait();
        for tool in [
            IDENTITY_PROVIDER,
            SITE_CLIENTS,
            SCHEMATHESIS,
            AUDIT_VERIFIER,
            MCP_CLIENTS,
            PROMETHEUS,
            MONO,
        ] {
            tool.give(project, &self.stages, &mut tests);
        }
        let servers = AUTHENTICATION_SERVERS.look_for(project, &self.stages);
        match &servers {
            Some(servers) => tests.tell(servers.clone()),
            None => AUTHENTICATION_SERVERS.leave_out(&mut tests),
        }
        if let Err(reason) = (SYSTEMD.find)(project) {
            println!("without the test of the service's unit: {reason:#}");
            SYSTEMD.leave_out(&mut tests);
        }
        match self.release() {
            Some(release) => tests.tell(release),
            None => release::TOOLS.leave_out(&mut tests),
        }
        self.tests("native tests", tests);
        self.test_own_ticket(servers);
        self.stage("examples in the docs", || {
            let mut command = project.cargo(["test", "--doc", "--no-fail-fast"]);
            project.select_native(&mut command).arg("--");
            Ok(Outcome::Tests(libtest::run(command.args(filter))?))
        });
    }

    /// Makes a release of the server that is tested, for the tests that install it.
    fn release(&self) -> Option<Environment> {
        let filter = &self.options.filter;
        let is_asked_for = self.options.only == Some(Part::Release)
            || filter.is_empty()
            || filter.iter().any(|text| text.contains("release"));
        if !is_asked_for {
            return None;
        }
        let tools = release::TOOLS.look_for(self.project, &self.stages)?;
        let manifest = self.manifest.as_ref()?;
        if !self.built {
            return None;
        }
        let release = self.stages.make("pack a release", || {
            dist::of_tested_server(self.project, manifest)
        });
        Some([tools, release?].concat())
    }

    fn release_alone(&self) {
        let release = self.release();
        self.stage("install the release", || match release {
            Some(release) => {
                let mut tests = Tests::that(self.project, release::SELECTION);
                tests.tell(release);
                Ok(Outcome::Retried(tests.run(&self.options.filter)?))
            }
            None => Ok(Outcome::Skipped("there is no release".to_owned())),
        });
    }

    fn tests_of_tools(&self) {
        self.stages.run("tests of the tools", || {
            // Not the runner for WASM, which has no tests.
            let tools = ["test", "--package=xtask", "--package=xtask-passes"];
            let filter = &self.options.filter;
            let mut command = self.project.cargo(tools);
            command.args(["--locked", "--"]);
            Ok(Outcome::Tests(libtest::run(
                linted(&mut command).args(filter),
            )?))
        });
    }

    /// Whether a server that signs in as itself is tested: another one is built for that, so a filter has
    /// to ask for it.
    fn wants_own_ticket(&self) -> bool {
        let filter = &self.options.filter;
        let asked = |text: &String| text.contains(system_kerberos::TESTS.trim_end_matches(':'));
        self.wants(Part::Native) && (filter.is_empty() || filter.iter().any(asked))
    }

    fn server_with_own_ticket(&self) -> Option<PathBuf> {
        if !self.wants_own_ticket() {
            return None;
        }
        let kerberos = self.system_kerberos()?;
        self.stages.make("build a server with its own ticket", || {
            system_kerberos::build(self.project, kerberos)
        })
    }

    fn test_own_ticket(&self, servers: Option<Environment>) {
        if !self.wants_own_ticket() {
            return;
        }
        self.stage("tests with the server's own ticket", || {
            let (Some(server), Some(servers)) = (&self.with_own_ticket, servers) else {
                let reason = "there is no server with Kerberos, or none to sign in at";
                return Ok(Outcome::Skipped(reason.to_owned()));
            };
            let mut tests = system_kerberos::tests(self.project, server);
            tests.tell(servers);
            Ok(Outcome::Retried(tests.run(&self.options.filter)?))
        });
    }

    /// Looks for the system's Kerberos once.
    fn system_kerberos(&self) -> Option<&SystemKerberos> {
        let find = || {
            self.stages.find("find the system's Kerberos", || {
                system_kerberos::find_or_fetch(self.project)
            })
        };
        self.kerberos.get_or_init(find).as_ref()
    }

    fn on_postgres(&self) {
        let (project, filter) = (self.project, &self.options.filter);
        let mut tests = Tests::on_postgres(project);
        tests.that_wait();
        if !IDENTITY_PROVIDER.give(project, &self.stages, &mut tests) {
            // There no session can be begun in a demo.
            tests.without("sessions::");
        }
        REVERSE_PROXIES.give(project, &self.stages, &mut tests);
        PATRONI.give(project, &self.stages, &mut tests);
        let found = self.stages.find("find a PostgreSQL", || {
            let programs = postgres::find_or_fetch(project)?;
            println!("PostgreSQL: {}", programs.folder.display());
            Ok(programs)
        });
        self.stage("tests on PostgreSQL", || {
            let Some(programs) = found else {
                return Ok(Outcome::Skipped("there is no PostgreSQL".to_owned()));
            };
            let server = postgres::server::Server::start(&programs, false)?;
            tests.tell(programs.environment(&server.url()));
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    /// Looks for Chromium once, under a separate heading.
    fn chromium(&self) -> Option<&Browser> {
        let find = || {
            self.stages
                .find("find a browser", || chromium::find_or_fetch(self.project))
        };
        self.chromium.get_or_init(find).as_ref()
    }

    /// What tests in Chromium have to know, with what else they need.
    fn in_chromium_with(&self, more: Option<Environment>) -> Option<Environment> {
        Some([self.chromium()?.environment(), more?].concat())
    }

    fn in_chromium(&self) {
        let project = self.project;
        let mut tests = Tests::that(project, "binary(=browser)");
        let browser = self.chromium();
        LOOKS.give(project, &self.stages, &mut tests);
        IDENTITY_PROVIDER.give(project, &self.stages, &mut tests);
        if let Some(major) = browser.and_then(Browser::major)
            && !has_baselines(project, major)
        {
            // No failure, in CI neither: which browser there is, the distribution decides.
            println!(
                "Skipped: screenshots, because there are no pictures of Chromium {major} yet."
            );
            tests.without("screenshots::");
        }
        let found = browser.map(Browser::environment);
        self.in_browser("browser tests", tests, found);
    }

    fn in_other_browser(&self, browser: &OtherBrowser) {
        let tests = browser.tests(self.project, &self.options.filter);
        let found = browser.tool.look_for(self.project, &self.stages);
        self.in_browser(&format!("tests in {}", browser.tool.title), tests, found);
    }

    fn in_service_desks(&self) {
        let mut tests = Tests::that(self.project, "binary(=desks)");
        tests.that_wait_for_desks();
        let desks = SERVICE_DESKS.look_for(self.project, &self.stages);
        let found = self.in_chromium_with(desks);
        self.in_browser("tests in service desks", tests, found);
    }

    /// A stage of tests in a browser, unless what they need was not found.
    fn in_browser(&self, name: &str, mut tests: Tests<'_>, found: Option<Environment>) {
        let filter = &self.options.filter;
        self.stage(name, || {
            let Some(environment) = found else {
                return Ok(Outcome::Skipped("what they need is not there".to_owned()));
            };
            let browsers = Browsers::none_yet()?;
            tests.tell(environment);
            tests.tell(browsers.environment());
            tests.retried_in_ci();
            Ok(Outcome::Retried(tests.run(filter)?))
        });
    }

    /// Builds a page with each framework around the npm package.
    fn pages_with_frameworks(&self, manifest: Option<&Manifest>) -> Option<Environment> {
        let found = self.stages.find("find frameworks", || {
            frameworks::find_or_fetch(self.project)
        })?;
        self.stages.make("build pages with frameworks", || {
            found.build(self.project, manifest.context("the control was not built")?)?;
            Ok(found.environment())
        })
    }
}

/// Whether pictures of this version of the browser are there, or are to be taken now.
fn has_baselines(project: &Project, major: u32) -> bool {
    let folder = format!("tests/baselines/chromium-{major}");
    project.root.join(folder).is_dir() || std::env::var_os("CHECKLIST_BASELINES").is_some()
}
