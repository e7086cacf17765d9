//! Which browser the tests drive, and how each of them is started.
//!
//! `CHECKLIST_BROWSER` says `firefox` or `webkit`; without it, it is Chromium. Their programs are
//! looked for where programs are, unless `cargo xtask test` names them.

use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::json;
use thirtyfour::Capabilities;

use crate::setup::free_address;
use crate::wait::until_or_none;

const CHROMIUM_FLAGS: [&str; 11] = [
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
    "--lang=en-GB",
];

/// What drives the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Chromium, through chromedriver and its own protocol.
    Chromium,
    /// Firefox, through geckodriver.
    Firefox,
    /// The small browser that comes with `WebKitGTK`, through its driver, on a screen.
    WebKit,
}

impl Engine {
    /// The one that this test program drives.
    ///
    /// # Panics
    /// When there is no such browser.
    #[must_use]
    pub fn chosen() -> Self {
        match std::env::var("CHECKLIST_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok("webkit") => Self::WebKit,
            Ok(other) => panic!("CHECKLIST_BROWSER is chromium, firefox or webkit, not {other}"),
        }
    }

    /// Where its browser is.
    pub(super) fn browser(self) -> PathBuf {
        match self {
            Self::Chromium => program(
                "CHECKLIST_CHROMIUM",
                &["chromium", "chromium-browser", "google-chrome"],
            ),
            Self::Firefox => program("CHECKLIST_FIREFOX", &["firefox-esr", "firefox"]),
            Self::WebKit => program("CHECKLIST_WEBKIT", &["MiniBrowser"]),
        }
    }

    /// The server of a screen of its own, for the one that draws on nothing else: where several
    /// windows share a screen, a page in any but the last one shows no focus.
    #[track_caller]
    pub(super) fn screen(self) -> Option<PathBuf> {
        (self == Self::WebKit).then(|| program("CHECKLIST_SCREEN", &["Xvfb"]))
    }

    /// Where its driver is, and how it is started with a folder of its own; its port comes first.
    pub(super) fn driver(self, folder: &Path) -> (PathBuf, Vec<String>) {
        let mut arguments = vec![format!("--port={}", free_port())];
        let driver = match self {
            Self::Chromium => program("CHECKLIST_CHROMEDRIVER", &["chromedriver"]),
            Self::Firefox => {
                arguments.push(format!("--profile-root={}", folder.display()));
                // What a reader's system asks for is a preference of the browser itself.
                arguments.push("--allow-system-access".to_owned());
                program("CHECKLIST_GECKODRIVER", &["geckodriver"])
            }
            Self::WebKit => program("CHECKLIST_WEBKIT_DRIVER", &["WebKitWebDriver"]),
        };
        (driver, arguments)
    }

    /// The address of a driver that was started with those arguments, once it answers; `errors` says
    /// why it does not.
    ///
    /// # Panics
    /// When it does not answer.
    #[track_caller]
    pub(super) fn address(self, arguments: &[String], errors: impl Fn() -> String) -> String {
        let port = arguments[0].trim_start_matches("--port=");
        let address = format!("127.0.0.1:{port}");
        let answers = until_or_none(|| TcpStream::connect(&address).ok());
        assert!(answers.is_some(), "{self:?} has no driver: {}", errors());
        format!("http://{address}")
    }

    /// What a session asks for.
    pub(super) fn wish(self, browser: &Path, folder: &Path) -> Capabilities {
        let browser = browser.display().to_string();
        let (key, options) = match self {
            Self::Chromium => {
                let mut flags = CHROMIUM_FLAGS.map(str::to_owned).to_vec();
                flags.push(format!("--user-data-dir={}", folder.display()));
                (
                    "goog:chromeOptions",
                    json!({ "binary": browser, "args": flags }),
                )
            }
            Self::Firefox => (
                "moz:firefoxOptions",
                json!({
                    "binary": browser,
                    "args": ["-headless", "--width=1000", "--height=900"],
                    "prefs": { "intl.accept_languages": "en-GB, en" },
                }),
            ),
            Self::WebKit => (
                "webkitgtk:browserOptions",
                json!({ "binary": browser, "args": ["--automation"] }),
            ),
        };
        let mut wish = Capabilities::new();
        wish.set(key, options).expect("capabilities are plain JSON");
        if self == Self::Chromium {
            // What every page was kept from is read when its test ends.
            wish.set("goog:loggingPrefs", json!({ "browser": "SEVERE" }))
                .expect("capabilities are plain JSON");
        }
        wish
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

/// A port that nobody listens at.
fn free_port() -> u16 {
    let address = free_address();
    let port = address.rsplit_once(':').map(|(_, port)| port.parse());
    port.and_then(Result::ok)
        .expect("an address ends in its port")
}
