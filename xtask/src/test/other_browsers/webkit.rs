//! `WebKitGTK`'s small browser and its driver, and a server of screens to draw it on, from Debian's packages.
//! The browser finds its own processes only where the packages put them, so they have to be
//! installed; where this user may not do that, the reason is told and the tests are skipped. Called by
//! `other_browsers`.

use std::fs;
use std::path::PathBuf;

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
        "first_paint::the_list_can_be_read_while_the_script_is_blocked",
        "first_paint::times_read_the_same_before_and_after_the_takeover_in_every_language",
        "first_paint::what_the_server_draws_is_small_and_offers_nothing_that_cannot_act",
        "gestures::a_finger_that_scrolls_over_boxes_and_texts_ticks_nothing_and_one_that_taps_does",
        "history::a_page_that_is_loaded_anew_counts_as_it_stood_until_its_list_is_read",
        "item_history::the_menu_tells_what_was_done_to_an_item_and_by_whom",
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
        return Ok(found.programs());
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
    let found = find().context("the packages hold no MiniBrowser, WebKitWebDriver or Xvfb")?;
    Ok(found.programs())
}

/// What was found: browser, driver, server of the screen.
struct Found([PathBuf; 3]);

impl Found {
    fn programs(self) -> Programs {
        let Self([browser, driver, screen]) = self;
        Programs {
            variables: vec![
                ("CHECKLIST_WEBKIT", browser),
                ("CHECKLIST_WEBKIT_DRIVER", driver),
                ("CHECKLIST_SCREEN", screen),
            ],
        }
    }
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
