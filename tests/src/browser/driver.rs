//! Finding Chromium and its driver, starting both, and ending both.
//!
//! `cargo xtask test` names them in `CHECKLIST_CHROMIUM` and `CHECKLIST_CHROMEDRIVER`; without
//! that they are looked for where programs are. A test that finds none fails and says so.

use std::future::Future;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;
use tempfile::TempDir;
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver};
use tokio::runtime::Runtime;

use super::control::Control;
use crate::process::Process;

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

/// Starts the driver in a process group of its own and ends the whole group, browser included,
/// as soon as the test program is gone, however it went: its end of the pipe is closed then.
const KEEPER: &str = r#"profile=$1; shift; "$@" & read -r _; trap '' TERM; kill 0; wait; rm -rf "$profile" || rm -rf "$profile""#;

/// Browsers whose test has ended well, ready for the next one. Starting one takes longer than
/// most tests.
static RESTING: Mutex<Vec<Program>> = Mutex::new(Vec::new());

/// One browser window, with nothing of an earlier test in it.
pub struct Browser {
    program: Option<Program>,
}

/// A running browser and the connection to it.
struct Program {
    runtime: Runtime,
    driver: WebDriver,
    _keeper: Process,
}

impl Browser {
    /// A window of a browser.
    ///
    /// # Panics
    /// When there is none on this machine.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        let resting = RESTING.lock().ok().and_then(|mut resting| resting.pop());
        let program = resting.unwrap_or_else(Program::start);
        let browser = Self {
            program: Some(program),
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

    fn program(&self) -> &Program {
        self.program
            .as_ref()
            .expect("a browser is given away at the end alone")
    }

    pub(super) fn driver(&self) -> &WebDriver {
        &self.program().driver
    }

    pub(super) fn wait_for<F: Future>(&self, work: F) -> F::Output {
        self.program().runtime.block_on(work)
    }

    /// A command of the browser's own protocol.
    #[track_caller]
    pub fn command(&self, name: &str, parameters: Value) -> Value {
        match self.wait_for(self.driver().cdp().send_raw(name, parameters)) {
            Ok(answer) => answer,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

impl Program {
    #[track_caller]
    fn start() -> Self {
        let chromium = program(
            "CHECKLIST_CHROMIUM",
            &["chromium", "chromium-browser", "google-chrome"],
        );
        let driver = program("CHECKLIST_CHROMEDRIVER", &["chromedriver"]);
        let profile = TempDir::new().expect("a temporary directory").keep();
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(&profile)
            .arg(driver)
            .arg("--port=0");
        let mut keeper = Process::start_with_input(keeper.process_group(0));
        let said = keeper.says("started successfully on port ");
        let port = said.trim_end_matches('.');

        let mut wish = DesiredCapabilities::chrome();
        let mut ask = || -> Result<(), thirtyfour::error::WebDriverError> {
            wish.set_binary(&chromium.display().to_string())?;
            for flag in FLAGS {
                wish.add_arg(flag)?;
            }
            wish.add_arg(&format!("--user-data-dir={}", profile.display()))?;
            wish.add_arg("--lang=en-GB")
        };
        ask().expect("capabilities are plain JSON");
        crate::tls::provide();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for the connection to the driver");
        let driver = runtime.block_on(WebDriver::new(format!("http://127.0.0.1:{port}"), wish));
        match driver {
            Ok(driver) => Self {
                runtime,
                driver,
                _keeper: keeper,
            },
            Err(error) => panic!("the browser does not start: {error}\n{}", keeper.errors()),
        }
    }

    /// Gives up the window, with everything that a test has set in it, for a fresh one.
    fn fresh_window(&self) -> Result<(), thirtyfour::error::WebDriverError> {
        self.runtime.block_on(async {
            let fresh = self.driver.new_tab().await?;
            self.driver.close_window().await?;
            self.driver.switch_to_window(fresh).await
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let Some(program) = self.program.take() else {
            return;
        };
        // What a failed test has left behind nobody knows; its browser ends with it.
        if !std::thread::panicking()
            && program.fresh_window().is_ok()
            && let Ok(mut resting) = RESTING.lock()
        {
            resting.push(program);
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
