//! `WebKitGTK`'s small browser and its driver, and a screen to draw it on, from Debian's packages.
//! The browser finds its own processes only where the packages put them, so they have to be
//! installed; where this user may not do that, the reason is told and the tests are skipped. Called by
//! `other_browsers`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{OtherBrowser, Programs};
use crate::project::Project;
use crate::stages::step;
use crate::test::debian;

pub const WEBKIT: OtherBrowser = OtherBrowser {
    title: "WebKitGTK",
    name: "webkit",
    left_out: &[
        "accessibility::a_narrow_view_needs_no_horizontal_scrolling",
        "accessibility::targets_are_larger_for_fingers",
        "gestures::a_finger_that_scrolls_over_boxes_and_texts_ticks_nothing_and_one_that_taps_does",
        "history::a_page_that_is_loaded_anew_counts_as_it_stood_until_its_list_is_read",
        "upgrade::two_hundred_mounts_leak_no_nodes_no_listeners_no_memory_and_no_streams",
    ],
    find_or_fetch,
};

const PACKAGES: [&str; 2] = ["webkit2gtk-driver", "xvfb"];

const DRIVER: &str = "WebKitWebDriver";
const SCREEN: &str = "Xvfb";

/// Where distributions put the browser, below a folder that some name after the machine.
const BROWSERS: [&str; 4] = [
    "webkitgtk-6.0/MiniBrowser",
    "webkit2gtk-4.1/MiniBrowser",
    "webkit2gtk-4.0/MiniBrowser",
    "libexec/webkit2gtk-4.1/MiniBrowser",
];

fn find_or_fetch(_project: &Project) -> Result<Programs> {
    if let Some(found) = find() {
        return start(found);
    }
    step("install WebKitGTK from Debian's packages", || {
        debian::need_apt("WebKitGTK's driver and Xvfb")?;
        match debian::rights() {
            Some(prefix) => debian::install(&prefix, &PACKAGES),
            None => bail!(
                "only root may install {}, and they do not work where they are unpacked",
                PACKAGES.join(" and ")
            ),
        }
    })?;
    start(find().context("the packages hold no MiniBrowser, WebKitWebDriver or Xvfb")?)
}

/// What was found: browser, driver, server of the screen.
struct Found([PathBuf; 3]);

fn start(Found([browser, driver, screen]): Found) -> Result<Programs> {
    Ok(Programs {
        variables: vec![
            ("CHECKLIST_WEBKIT", browser),
            ("CHECKLIST_WEBKIT_DRIVER", driver),
        ],
        screen: Some(Screen::start(&screen)?),
    })
}

fn find() -> Option<Found> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = |name: &str| {
        std::env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|program| program.is_file())
    };
    let browser = library_folders()
        .into_iter()
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .find(|browser| browser.is_file())?;
    Some(Found([browser, program(DRIVER)?, program(SCREEN)?]))
}

fn library_folders() -> Vec<PathBuf> {
    let mut folders = vec![
        PathBuf::from("/usr"),
        PathBuf::from("/usr/lib"),
        PathBuf::from("/usr/libexec"),
    ];
    let named = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    folders.extend(named.map(|entry| entry.path()).filter(|path| path.is_dir()));
    folders
}

/// Starts what follows, waits until its input ends, and ends what it has started.
const KEEPER: &str = r#""$@" & server=$!; read -r _; kill $server; wait $server"#;

/// A screen that nobody looks at.
pub struct Screen {
    keeper: Child,
    /// Its number, as programs want it in `DISPLAY`.
    number: String,
}

impl Screen {
    fn start(program: &Path) -> Result<Self> {
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(program)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let mut said = String::new();
        if let Some(output) = keeper.stdout.take() {
            BufReader::new(output)
                .read_line(&mut said)
                .context("reading the number of the screen")?;
        }
        let number = format!(":{}", said.trim());
        let screen = Self { keeper, number };
        if said.trim().is_empty() {
            bail!("{} gives no screen", program.display());
        }
        Ok(screen)
    }

    /// Tells programs where to draw, and to ask no other session of the desktop for anything.
    pub fn tell(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.number)
            .env("GDK_BACKEND", "x11")
            .env("NO_AT_BRIDGE", "1")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
