//! `cargo xtask test`: runs all tests, stage by stage. The checks come first, then the build of the
//! control, all native tests (with the server as a program), those on PostgreSQL, the tests in a real
//! browser, some of them in two others, the npm package in pages of each framework, and the shared
//! vectors compiled to WASM. CI runs exactly this command (`.ci/run`).

mod authentication_servers;
pub mod chromium;
mod debian;
mod frameworks;
mod identity_provider;
pub mod libtest;
mod looks;
mod native;
pub mod npm;
mod other_browsers;
pub mod postgres;
mod schemathesis;
pub mod site_clients;
mod system_kerberos;
mod systemd;
mod unpacked;
mod wasm;

use std::cell::OnceCell;
use std::process::ExitCode;

use anyhow::Result;

use crate::build;
use crate::check;
use crate::project::Project;
use crate::stages::{Outcome, Stages, in_ci};
use authentication_servers::AuthenticationServers;
use chromium::{Browser, Search};
use identity_provider::IdentityProvider;
use looks::Looks;
use other_browsers::{FIREFOX, WEBKIT};
use schemathesis::Schemathesis;
use site_clients::SiteClients;

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
    let mut stages = Stages::default();
    let wants = |part| options.only.is_none_or(|only| only == part);
    let filter = &options.filter;
    let search = OnceCell::new();

    if wants(Part::Check) {
        check::without_building(project, &mut stages);
        check::lints(project, &mut stages);
    }
    if options.only != Some(Part::Wasm) {
        native_parts(project, options, &mut stages, &search);
    }
    if wants(Part::Wasm) {
        let browser = browser(project, &search, &mut stages);
        stages.run("vectors in WASM", || wasm::run(project, browser, filter));
    }

    println!("{}", stages.table());
    println!("{}", stages.totals());
    Ok(stages.exit_code(in_ci()))
}

/// The stages that need the control and the native tests built.
fn native_parts(
    project: &Project,
    options: &Options,
    stages: &mut Stages,
    search: &OnceCell<Search>,
) {
    let wants = |part| options.only.is_none_or(|only| only == part);
    let filter = &options.filter;
    let mut manifest = None;
    let control = stages.run("build the control", || {
        let built = build::control(project)?;
        println!("{}", built.summary());
        manifest = Some(built);
        Ok(Outcome::Passed)
    });
    let missing = "the control was not built";
    let built = stages.run_after(control, missing, "build the tests", || {
        native::build(project)?;
        Ok(Outcome::Passed)
    });
    let missing = "the server and the tests were not built";
    if wants(Part::Check) {
        stages.run_after(built, missing, "generated files", || {
            check::generated_files(project)
        });
    }
    let mut provider = None;
    if [Part::Native, Part::Postgres, Part::Browser]
        .into_iter()
        .any(wants)
    {
        stages.run(
            "find an identity provider",
            || match identity_provider::find_or_fetch(project) {
                Ok(found) => {
                    provider = Some(found);
                    Ok(Outcome::Passed)
                }
                Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
            },
        );
    }
    let provider = provider.as_ref();
    if wants(Part::Native) {
        let servers = servers_to_sign_in_with(project, stages);
        let clients = clients_of_site_lists(project, stages);
        let schemathesis = clients_of_the_document(project, stages);
        stages.run_after(built, missing, "native tests", || {
            native::run(
                project,
                provider,
                servers.as_ref(),
                clients.as_ref(),
                schemathesis.as_ref(),
                filter,
            )
        });
        with_own_ticket(project, built, servers.as_ref(), filter, stages);
        stages.run_after(built, missing, "examples in the docs", || {
            native::run_doc_tests(project, filter)
        });
        stages.run("tests of the tools", || native::run_tools(project, filter));
    }
    if wants(Part::Postgres) {
        on_postgres(project, built, provider, filter, stages);
    }
    if wants(Part::Browser) {
        let browser = browser(project, search, stages);
        let looks = looks_of_the_control(project, browser, stages);
        stages.run_after(built, missing, "browser tests", || match browser {
            Search::Found(browser) => {
                native::run_in_browser(project, browser, provider, &looks, filter)
            }
            Search::Missing(reason) => Ok(Outcome::Skipped(reason.clone())),
        });
    }
    for (part, browser) in [(Part::Firefox, FIREFOX), (Part::Webkit, WEBKIT)] {
        // A filter of the whole run may name any test, also one that is for Chromium alone.
        if options.only == Some(part) || options.only.is_none() && filter.is_empty() {
            other_browsers::run(project, &browser, built, filter, stages);
        }
    }
    if wants(Part::Frameworks) {
        let browser = browser(project, search, stages);
        on_frameworks(project, built, manifest.as_ref(), browser, filter, stages);
    }
}

/// The stages of the npm package: building a page with each framework, and the tests of them.
fn on_frameworks(
    project: &Project,
    built: bool,
    manifest: Option<&build::Manifest>,
    browser: &Search,
    filter: &[String],
    stages: &mut Stages,
) {
    let mut ready = Err("the control was not built".to_owned());
    if let Some(manifest) = manifest {
        stages.run("build pages with frameworks", || {
            let found = match frameworks::find_or_fetch(project) {
                Ok(found) => found,
                Err(error) => {
                    let reason = format!("{error:#}");
                    ready = Err(reason.clone());
                    return Ok(Outcome::Skipped(reason));
                }
            };
            ready = Err("the pages were not built".to_owned());
            found.build(project, manifest)?;
            ready = Ok(found);
            Ok(Outcome::Passed)
        });
    }
    let missing = "the server and the tests were not built";
    stages.run_after(built, missing, "pages of frameworks", || {
        match (&ready, browser) {
            (Ok(found), Search::Found(browser)) => {
                native::run_on_frameworks(project, browser, found, filter)
            }
            (Err(reason), _) | (_, Search::Missing(reason)) => Ok(Outcome::Skipped(reason.clone())),
        }
    });
}

/// Looks for Apache and Kerberos, under a separate heading.
fn servers_to_sign_in_with(
    project: &Project,
    stages: &mut Stages,
) -> Option<AuthenticationServers> {
    let mut servers = None;
    stages.run(
        "find authentication servers",
        || match authentication_servers::find_or_fetch(project) {
            Ok(found) => {
                servers = Some(found);
                Ok(Outcome::Passed)
            }
            Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
        },
    );
    servers
}

/// The stages about a server that signs in as itself: the headers to build it with, and its tests.
/// Another server is built for them, so a filter has to ask for them.
fn with_own_ticket(
    project: &Project,
    built: bool,
    servers: Option<&AuthenticationServers>,
    filter: &[String],
    stages: &mut Stages,
) {
    let asked = |text: &String| text.contains(system_kerberos::TESTS.trim_end_matches(':'));
    if !filter.is_empty() && !filter.iter().any(asked) {
        return;
    }
    let mut kerberos = None;
    stages.run(
        "find the system's Kerberos",
        || match system_kerberos::find_or_fetch(project) {
            Ok(found) => {
                kerberos = Some(found);
                Ok(Outcome::Passed)
            }
            Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
        },
    );
    let missing = "the server and the tests were not built";
    stages.run_after(
        built,
        missing,
        "tests with the server's own ticket",
        || match (&kerberos, servers) {
            (Some(kerberos), Some(servers)) => {
                system_kerberos::run(project, kerberos, servers, filter)
            }
            _ => Ok(Outcome::Skipped(
                "there is no Kerberos to build it with, or no server to sign in at".to_owned(),
            )),
        },
    );
}

/// Looks for clients of site lists that are not ours.
fn clients_of_site_lists(project: &Project, stages: &mut Stages) -> Option<SiteClients> {
    let mut clients = None;
    stages.run(
        "find clients of site lists",
        || match site_clients::find_or_fetch(project) {
            Ok(found) => {
                clients = Some(found);
                Ok(Outcome::Passed)
            }
            Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
        },
    );
    clients
}

/// Looks for a client that calls whatever the API document names.
fn clients_of_the_document(project: &Project, stages: &mut Stages) -> Option<Schemathesis> {
    let mut found = None;
    stages.run("find schemathesis", || {
        match schemathesis::find_or_fetch(project) {
            Ok(there) => {
                found = Some(there);
                Ok(Outcome::Passed)
            }
            Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
        }
    });
    found
}

/// What there is for the tests of the looks; what is missing is a stage that was skipped.
fn looks_of_the_control(
    project: &Project,
    browser: &Search,
    stages: &mut Stages,
) -> (Option<Looks>, bool) {
    let (mut found, mut pictures) = (None, true);
    stages.run(
        "find typefaces and a reader of PDF",
        || match looks::find_or_fetch(project) {
            Ok(looks) => {
                found = Some(looks);
                Ok(Outcome::Passed)
            }
            Err(error) => Ok(Outcome::Skipped(format!("{error:#}"))),
        },
    );
    if let Search::Found(browser) = browser
        && let Some(major) = browser.major()
        && !looks::has_baselines(project, major)
    {
        // No failure, in CI neither: which browser there is, the distribution decides.
        println!("Skipped: screenshots, because there are no pictures of Chromium {major} yet.");
        pictures = false;
    }
    (found, pictures)
}

/// The stages that need a PostgreSQL: finding one, and the tests on it.
fn on_postgres(
    project: &Project,
    built: bool,
    provider: Option<&IdentityProvider>,
    filter: &[String],
    stages: &mut Stages,
) {
    use postgres::{Search, Server};
    let mut search = Search::Missing("it was not looked for".to_owned());
    stages.run("find a PostgreSQL", || {
        search = postgres::find_or_fetch(project);
        match &search {
            Search::Found(programs) => {
                println!("PostgreSQL: {}", programs.folder.display());
                Ok(Outcome::Passed)
            }
            Search::Missing(reason) => Ok(Outcome::Skipped(reason.clone())),
        }
    });
    let missing = "the server and the tests were not built";
    stages.run_after(built, missing, "tests on PostgreSQL", || match &search {
        Search::Found(programs) => {
            let server = Server::start(programs, false)?;
            native::run_on_postgres(project, programs, &server.url(), provider, filter)
        }
        Search::Missing(reason) => Ok(Outcome::Skipped(reason.clone())),
    });
}

/// Looks for a browser once, under a separate heading.
fn browser<'a>(project: &Project, search: &'a OnceCell<Search>, stages: &mut Stages) -> &'a Search {
    search.get_or_init(|| {
        let mut found = Search::Missing("it was not looked for".to_owned());
        stages.run("find a browser", || {
            found = chromium::find_or_fetch(project);
            match &found {
                Search::Found(Browser { chromium, driver }) => {
                    println!("Chromium: {}", chromium.display());
                    println!("Driver:   {}", driver.display());
                    Ok(Outcome::Passed)
                }
                Search::Missing(reason) => Ok(Outcome::Skipped(reason.clone())),
            }
        });
        found
    })
}
