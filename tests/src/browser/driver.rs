//! Starting a browser and its driver, and ending both.
//!
//! Which browser it is, `engine` says. A test that finds none fails and says so. One that has ended
//! well fails after all when Chromium has kept a page of it from something: no page may ever need
//! more than its policy gives it.

use std::future::Future;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;
use tempfile::TempDir;
use thirtyfour::WebDriver;
use tokio::runtime::Runtime;

use super::control::Control;
use super::engine::Engine;
use super::screen::Screen;
use crate::process::Process;

/// Starts the driver in a process group of its own and ends the whole group, browser included,
/// as soon as the test program is gone, however it went: its end of the pipe is closed then.
const KEEPER: &str = r#"profile=$1; shift; "$@" & read -r _; trap '' TERM; kill 0; wait; rm -rf "$profile" || rm -rf "$profile""#;

/// Browsers whose test has ended well, ready for the next one. Starting one takes longer than
/// most tests.
static RESTING: Mutex<Vec<Program>> = Mutex::new(Vec::new());

/// One browser window, with nothing of an earlier test in it.
pub struct Browser {
    program: Option<Program>,
    /// Words of violations that the test is about.
    meant: Mutex<Vec<&'static str>>,
}

/// A running browser and the connection to it.
struct Program {
    engine: Engine,
    runtime: Runtime,
    driver: WebDriver,
    _keeper: Process,
    /// What it is drawn on, which ends after it.
    _screen: Option<Screen>,
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
            meant: Mutex::default(),
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

    /// Which browser it is.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.program().engine
    }

    /// Says that the test breaks a policy on purpose: how what the browser says of it reads.
    ///
    /// # Panics
    /// When another thread of the test has failed.
    pub fn breaks_on_purpose(&self, words: &'static str) {
        self.meant.lock().expect("nobody panics here").push(words);
    }

    /// A command of Chromium's own protocol.
    ///
    /// # Panics
    /// In any other browser; `docs/BROWSERS.md` names the tests that are left out there.
    #[track_caller]
    pub fn command(&self, name: &str, parameters: Value) -> Value {
        let engine = self.engine();
        assert!(engine == Engine::Chromium, "{engine:?} knows no {name}");
        match self.wait_for(self.driver().cdp().send_raw(name, parameters)) {
            Ok(answer) => answer,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

impl Program {
    #[track_caller]
    fn start() -> Self {
        let engine = Engine::chosen();
        let browser = engine.browser();
        let profile = TempDir::new().expect("a temporary directory").keep();
        let (driver, arguments) = engine.driver(&profile);
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(&profile)
            .arg(driver)
            .args(&arguments);
        let screen = engine.screen();
        if let Some(screen) = &screen {
            screen.tell(&mut keeper);
        }
        let mut keeper = Process::start_with_input(keeper.process_group(0));
        let address = engine.address(&mut keeper, &arguments);
        let wish = engine.wish(&browser, &profile);
        crate::tls::provide();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for the connection to the driver");
        let driver = runtime.block_on(WebDriver::new(address, wish));
        match driver {
            Ok(driver) => Self {
                engine,
                runtime,
                driver,
                _keeper: keeper,
                _screen: screen,
            },
            Err(error) => panic!("the browser does not start: {error}\n{}", keeper.errors()),
        }
    }

    /// What pages were kept from by their policies since the last test, as the browser tells it, on
    /// whatever page it was; the others tell such things to their pages alone.
    fn violations(&self) -> Vec<String> {
        if self.engine != Engine::Chromium {
            return Vec::new();
        }
        let told = self.runtime.block_on(self.driver.browser_log());
        let entries = told.unwrap_or_default().into_iter();
        entries
            .map(|entry| entry.message)
            .filter(|message| is_violation(message))
            .collect()
    }

    /// Gives up all windows, with everything that a test has set in them, for a fresh one: the next
    /// test may look for one that it has opened itself.
    fn fresh_window(&self) -> Result<(), thirtyfour::error::WebDriverError> {
        self.runtime.block_on(async {
            let left = self.driver.windows().await?;
            let fresh = self.driver.new_tab().await?;
            for window in left {
                self.driver.switch_to_window(window).await?;
                self.driver.close_window().await?;
            }
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
        if std::thread::panicking() {
            return;
        }
        let engine = program.engine;
        let violations = program.violations();
        if program.fresh_window().is_ok()
            && let Ok(mut resting) = RESTING.lock()
        {
            resting.push(program);
        }
        let meant = self.meant.lock().map(|meant| meant.clone());
        let meant = meant.unwrap_or_default();
        let others: Vec<&String> = violations
            .iter()
            .filter(|message| !meant.iter().any(|words| message.contains(words)))
            .collect();
        assert!(others.is_empty(), "against a page's policy: {others:#?}");
        // A browser that told nothing of what was broken on purpose would tell nothing of the rest.
        let untold: Vec<&&str> = meant
            .iter()
            .filter(|words| !violations.iter().any(|message| message.contains(**words)))
            .collect();
        let tells = engine == Engine::Chromium;
        assert!(
            !tells || untold.is_empty(),
            "nothing was told of {untold:?}"
        );
    }
}

/// Whether what Chromium says is about a policy. Its own wish for an icon is none of the page's.
fn is_violation(message: &str) -> bool {
    let of_a_policy = ["Content Security Policy", "Trusted Type", "'Trusted"];
    of_a_policy.iter().any(|words| message.contains(words)) && !message.contains("/favicon.ico")
}
