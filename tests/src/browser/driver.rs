//! Starting a browser and its driver, and ending both.
//!
//! Which browser it is, `engine` says. A test that finds none fails and says so. One that has ended
//! well fails after all when Chromium has kept a page of it from something: no page may ever need
//! more than its policy gives it.
//!
//! Starting a browser takes longer than most tests, and each test is a process of its own, so a
//! browser whose test has ended well rests in the folder that `CHECKLIST_BROWSERS` names, for the
//! next test. Without that folder a browser ends with its test. A window in which a test has only
//! opened pages serves the next test as well: a new one takes twice as long as a page.

use std::future::Future;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs, process};

use async_trait::async_trait;
use bytes::Bytes;
use http::{Method, Request, Response};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::WebDriverResult;
use thirtyfour::session::http::{Body, HttpClient};
use thirtyfour::{Capabilities, WebDriver};
use tokio::runtime::Runtime;

use super::control::Control;
use super::engine::Engine;

/// Starts the driver in a process group of its own, with the screen that it needs, and ends the whole
/// group, browser included, as soon as its input ends: whoever holds the other end is gone then,
/// however that went.
const KEEPER: &str = r#"folder=$1; screen=$2; shift 2
if [ -n "$screen" ]; then
    "$screen" -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp -noreset 3>"$folder/display" &
    until [ -s "$folder/display" ]; do sleep 0.05; done
    DISPLAY=":$(cat "$folder/display")"; export DISPLAY
fi
"$@" & read -r _; trap '' TERM; kill 0; wait; rm -rf "$folder" || rm -rf "$folder""#;

/// Longer than any command of a test takes.
const LONGEST: Duration = Duration::from_secs(120);

/// One browser window, with nothing of an earlier test in it.
pub struct Browser {
    program: Option<Program>,
    /// Words of violations that the test is about.
    meant: Mutex<Vec<&'static str>>,
    /// Whether the test has changed the window itself, such as its size, and not only what it shows.
    is_changed: AtomicBool,
}

/// A running browser and the connection to it.
struct Program {
    engine: Engine,
    runtime: Runtime,
    driver: WebDriver,
    /// The process group of everything that was started for it.
    group: u32,
    /// What keeps it running, where this test has started it.
    keeper: Option<Child>,
    /// Whether its window was prepared by an earlier test.
    is_prepared: bool,
}

/// A browser that waits for its next test.
#[derive(Serialize, Deserialize)]
struct Resting {
    address: String,
    session: Value,
    group: u32,
    is_prepared: bool,
}

/// A connection to a session that another process has begun: the driver is not asked for a new one.
struct Resumed {
    client: reqwest::Client,
    session: Bytes,
}

#[async_trait]
impl HttpClient for Resumed {
    async fn send(&self, request: Request<Body<'_>>) -> WebDriverResult<Response<Bytes>> {
        if request.method() == Method::POST && request.uri().path() == "/session" {
            return Ok(Response::new(self.session.clone()));
        }
        HttpClient::send(&self.client, request).await
    }

    async fn new(&self) -> Arc<dyn HttpClient> {
        Arc::new(self.client.clone())
    }
}

impl Browser {
    /// A window of a browser.
    ///
    /// # Panics
    /// When there is none on this machine.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        let program = Program::resume().unwrap_or_else(Program::start);
        let is_prepared = program.is_prepared;
        let browser = Self {
            program: Some(program),
            meant: Mutex::default(),
            is_changed: AtomicBool::default(),
        };
        if !is_prepared {
            browser.prepare();
        }
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
        self.is_changed.store(true, Ordering::Relaxed);
        self.send_command(name, parameters)
    }

    /// The same for one that leaves the window as each test expects it.
    #[track_caller]
    pub(super) fn send_command(&self, name: &str, parameters: Value) -> Value {
        let engine = self.engine();
        assert!(engine == Engine::Chromium, "{engine:?} knows no {name}");
        match self.wait_for(self.driver().cdp().send_raw(name, parameters)) {
            Ok(answer) => answer,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

impl Program {
    /// A browser that rests; one that has ended meanwhile is passed over.
    fn resume() -> Option<Self> {
        let folder = folder()?;
        let names = fs::read_dir(&folder).ok()?.flatten();
        let resting =
            names.filter(|entry| entry.path().extension().is_some_and(|end| end == "json"));
        resting
            .filter_map(|entry| {
                // Of several tests that want the same, one can rename it.
                let taken = folder.join(format!("taken-by-{}", process::id()));
                fs::rename(entry.path(), &taken).ok()?;
                let text = fs::read(&taken).ok()?;
                fs::remove_file(&taken).ok()?;
                let resting: Resting = serde_json::from_slice(&text).ok()?;
                Self::connected(resting)
            })
            .next()
    }

    fn connected(resting: Resting) -> Option<Self> {
        crate::tls::provide();
        let client = Resumed {
            client: reqwest::Client::builder().timeout(LONGEST).build().ok()?,
            session: resting.session.to_string().into(),
        };
        let runtime = runtime();
        let driver = WebDriver::builder(resting.address, Capabilities::new()).client(client);
        let driver = runtime.block_on(driver.connect()).ok()?;
        Some(Self {
            engine: Engine::chosen(),
            runtime,
            driver,
            group: resting.group,
            keeper: None,
            is_prepared: resting.is_prepared,
        })
    }

    #[track_caller]
    fn start() -> Self {
        let engine = Engine::chosen();
        let browser = engine.browser();
        let profile = match folder() {
            Some(folder) => TempDir::new_in(folder),
            None => TempDir::new(),
        };
        let profile = profile.expect("a temporary directory").keep();
        let (driver, arguments) = engine.driver(&profile);
        let keeper = keeper(engine, &profile, &driver, &arguments);
        let address = engine.address(&arguments, || errors(&profile));
        let wish = engine.wish(&browser, &profile);
        crate::tls::provide();
        let runtime = runtime();
        match runtime.block_on(WebDriver::new(address, wish)) {
            Ok(driver) => Self {
                engine,
                runtime,
                driver,
                group: keeper.id(),
                keeper: Some(keeper),
                is_prepared: false,
            },
            Err(error) => panic!("the browser does not start: {error}\n{}", errors(&profile)),
        }
    }

    /// Leaves the browser to the next test, where there may be one.
    fn rest(self, is_prepared: bool) {
        let Some(folder) = folder() else {
            return self.end();
        };
        let resting = Resting {
            address: self.driver.server_url().to_string(),
            session: json!({ "value": {
                "sessionId": self.driver.session_id().to_string(),
                "capabilities": self.driver.capabilities(),
            } }),
            group: self.group,
            is_prepared,
        };
        let text = serde_json::to_string(&resting).expect("plain JSON");
        // Under its lasting name only once it is whole.
        let begun = folder.join(format!("begun-by-{}", process::id()));
        fs::write(&begun, text).expect("the folder of browsers is writable");
        fs::rename(&begun, folder.join(format!("{}.json", self.group)))
            .expect("the folder of browsers is writable");
        // Dropped, it would end the session.
        let _never_quit = self.driver.leak();
    }

    fn end(mut self) {
        let input = self.keeper.as_mut().and_then(|keeper| keeper.stdin.take());
        if input.is_none() {
            let group = i32::try_from(self.group).ok().and_then(Pid::from_raw);
            // What is left of it ends with the folder's pipe.
            let _ended = group.map(|group| kill_process_group(group, Signal::TERM));
        }
        drop(input);
        // One that another test has started is nobody's here to wait for.
        let _ended = self.keeper.take().map(|mut keeper| keeper.wait());
        let _never_quit = self.driver.leak();
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

    /// Moves the pointer away from what the window shows; whether the next test can have the window.
    fn keep_window(&self) -> bool {
        let leave = async {
            let windows = self.driver.windows().await?;
            let away = json!({ "type": "mouseMoved", "x": 0, "y": 0 });
            let cdp = self.driver.cdp();
            cdp.send_raw("Input.dispatchMouseEvent", away).await?;
            Ok::<bool, thirtyfour::error::WebDriverError>(windows.len() == 1)
        };
        self.engine == Engine::Chromium && self.runtime.block_on(leave).unwrap_or(false)
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
            return program.end();
        }
        let engine = program.engine;
        let violations = program.violations();
        let is_prepared = !self.is_changed.load(Ordering::Relaxed) && program.keep_window();
        let is_ready = is_prepared || program.fresh_window().is_ok();
        if is_ready {
            program.rest(is_prepared);
        } else {
            program.end();
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

/// Where browsers rest between tests.
fn folder() -> Option<PathBuf> {
    env::var_os("CHECKLIST_BROWSERS").map(PathBuf::from)
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime for the connection to the driver")
}

/// Starts what keeps the driver running. Its input is the test's, or a pipe that stays open for as
/// long as browsers may rest.
#[track_caller]
fn keeper(engine: Engine, profile: &Path, driver: &Path, arguments: &[String]) -> Child {
    let mut keeper = Command::new("sh");
    keeper
        .args(["-c", KEEPER, "keeper"])
        .arg(profile)
        .arg(engine.screen().unwrap_or_default())
        .arg(driver)
        .args(arguments);
    if engine.screen().is_some() {
        keeper
            .env("GDK_BACKEND", "x11")
            .env("NO_AT_BRIDGE", "1")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY");
    }
    let input = match folder() {
        Some(folder) => fs::File::open(folder.join("pipe"))
            .expect("whoever names the folder keeps its pipe open")
            .into(),
        None => Stdio::piped(),
    };
    // A file and no pipe: it may outlive this process, which nextest would wait for.
    let log = fs::File::create(profile.join("log")).expect("its own directory");
    keeper
        .stdin(input)
        .stdout(log.try_clone().expect("an open file"))
        .stderr(log)
        .process_group(0);
    keeper.spawn().expect("there is a shell")
}

/// What the driver and its browser have said.
fn errors(profile: &Path) -> String {
    fs::read_to_string(profile.join("log")).unwrap_or_default()
}
