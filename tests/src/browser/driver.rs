//! Finding Chromium and its driver, starting both, and ending both.
//!
//! `cargo xtask test` names them in `CHECKLIST_CHROMIUM` and `CHECKLIST_CHROMEDRIVER`; without
//! that they are looked for where programs are. A test that finds none fails and says so.

use std::future::Future;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver};
use tokio::runtime::Runtime;

use super::control::Control;
use crate::server::Process;

const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1000,900",
];

/// One browser window.
pub struct Browser {
    runtime: Runtime,
    driver: Option<WebDriver>,
    // Ended after the window was closed: fields are dropped in this order.
    _process: Process,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser that has never been anywhere.
    ///
    /// # Panics
    /// When there is none on this machine.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        let chromium = program(
            "CHECKLIST_CHROMIUM",
            &["chromium", "chromium-browser", "google-chrome"],
        );
        let driver = program("CHECKLIST_CHROMEDRIVER", &["chromedriver"]);
        let profile = TempDir::new().expect("a temporary directory");
        let mut process =
            Process::start(Command::new(driver).args(["--port=0", "--allowed-origins=*"]));
        let said = process.says("started successfully on port ");
        let port = said.trim_end_matches('.');

        let mut wish = DesiredCapabilities::chrome();
        let mut ask = || -> Result<(), thirtyfour::error::WebDriverError> {
            wish.set_binary(&chromium.display().to_string())?;
            for flag in FLAGS {
                wish.add_arg(flag)?;
            }
            wish.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
            wish.add_arg("--lang=en-GB")
        };
        ask().expect("capabilities are plain JSON");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for the connection to the driver");
        let driver = runtime.block_on(WebDriver::new(format!("http://127.0.0.1:{port}"), wish));
        let driver = match driver {
            Ok(driver) => driver,
            Err(error) => panic!("the browser does not start: {error}\n{}", process.errors()),
        };
        let browser = Self {
            runtime,
            driver: Some(driver),
            _process: process,
            _profile: profile,
        };
        browser.prepare();
        browser
    }

    /// The checklist that a selector names, after its list is there.
    #[must_use]
    #[track_caller]
    pub fn control<'a>(&'a self, selector: &str) -> Control<'a> {
        Control::on(self, selector)
    }

    pub(super) fn driver(&self) -> &WebDriver {
        self.driver
            .as_ref()
            .expect("the window is closed at the end alone")
    }

    pub(super) fn wait_for<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    #[track_caller]
    pub(super) fn command(&self, name: &str, parameters: Value) -> Value {
        match self.wait_for(self.driver().cdp().send_raw(name, parameters)) {
            Ok(answer) => answer,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            // The driver is ended right after; a window that does not close goes with it.
            let _ = self.runtime.block_on(driver.quit());
        }
    }
}

#[track_caller]
fn program(variable: &str, names: &[&str]) -> PathBuf {
    if let Some(path) = std::env::var_os(variable) {
        return PathBuf::from(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file());
    match found {
        Some(path) => path,
        None => panic!(
            "no {} on this machine; `cargo xtask test` fetches one, or name it in {variable}",
            names[0]
        ),
    }
}
