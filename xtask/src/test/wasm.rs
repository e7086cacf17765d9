//! Runs the shared test vectors compiled to WASM: in Chromium through its driver, or in Node
//! if there is no browser. The runner is a separate program (`xtask/wasm-runner`).

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use super::chromium::{Browser, FLAGS};
use super::libtest;
use crate::build::ensure_target;
use crate::check::TOOLS;
use crate::files;
use crate::project::{Project, WASM, linted, output_of, run as run_command};
use crate::stages::Outcome;

const RUNNER: &str = "xtask-wasm-runner";

/// Builds the runner and the vectors and runs them.
///
/// # Errors
/// When something does not build or cannot be run.
pub fn run(project: &Project, browser: Option<&Browser>, filter: &[String]) -> Result<Outcome> {
    ensure_target(WASM)?;
    let mut command = project.cargo([
        "test",
        "--package=checklist-shared",
        "--test=vectors",
        "--target",
        WASM,
        "--locked",
        // Optimised for thousands of generated lists, of which there are none here.
        "--config=profile.dev.package.checklist-shared.opt-level=0",
        "--",
    ]);
    match browser {
        Some(browser) => {
            let settings = browser_settings(project, browser)?;
            command
                .env("WASM_BINDGEN_USE_BROWSER", "1")
                .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings)
                .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
                .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "30")
                .env("CHROMEDRIVER", &browser.driver);
        }
        None if has_node() => println!("in Node, because there is no browser"),
        None => {
            let reason = "there is neither a browser nor Node";
            return Ok(Outcome::Skipped(reason.to_owned()));
        }
    }
    let mut build = project.cargo(["build", "--locked", "--bin", RUNNER]);
    run_command(linted(build.args(TOOLS)))?;
    let runner = project.program(RUNNER);
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .args(filter);
    Ok(Outcome::Tests(libtest::run(&mut command)?))
}

fn has_node() -> bool {
    output_of(Command::new("node").arg("--version")).is_ok()
}

/// The runner's configuration file: which browser to start, and how.
fn browser_settings(project: &Project, browser: &Browser) -> Result<PathBuf> {
    let settings = json!({
        "goog:chromeOptions": { "binary": browser.chromium, "args": FLAGS },
    });
    let path = project.tools().join("webdriver.json");
    files::write(&path, settings.to_string())?;
    Ok(path)
}
