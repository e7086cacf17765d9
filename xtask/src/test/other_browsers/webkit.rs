//! `WebKitGTK`'s minimal browser, its driver, and an X server for it, from Debian's
//! packages. The browser finds its own processes only where the packages put them, so they have to
//! be installed; if this user may not do that, the stage prints the reason, and the tests are
//! skipped.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::OtherBrowser;
use crate::project::{Environment, Project};
use crate::stages::step;
use crate::test::debian;
use crate::test::tool::Tool;

pub const WEBKIT: OtherBrowser = OtherBrowser {
    tool: Tool {
        title: "WebKitGTK",
        tests: &[],
        find: find_or_fetch,
    },
    name: "webkit",
    left_out: &[
        "accessibility::a_list_with_the_readers_spacing_of_text_is_whole",
        "accessibility::a_narrow_view_needs_no_horizontal_scrolling",
        "accessibility::targets_are_larger_for_fingers",
        "first_paint::the_list_can_be_read_while_the_script_is_blocked",
        "first_paint::times_read_the_same_before_and_after_the_takeover_in_every_language",
        "first_paint::what_the_server_draws_is_small_and_offers_nothing_that_cannot_act",
        "gestures::a_finger_that_scrolls_over_boxes_and_texts_ticks_nothing_and_one_that_taps_does",
        "history::a_page_that_is_loaded_anew_counts_as_it_stood_until_its_list_is_read",
        "item_history::the_menu_tells_what_was_done_to_an_item_and_by_whom",
        "rows::a_double_click_on_the_text_edits_it_and_leaves_the_status_alone",
        "rows::a_row_is_40_pixels_high_and_66_with_a_second_line",
        "rows::a_tick_moves_no_row_and_makes_none_higher",
        "rows::in_a_narrow_view_the_title_stands_above_the_tools_and_words_stay_whole",
        "rows::the_menu_of_a_row_is_whole_in_a_box_that_cuts_and_at_the_windows_edge",
        "rows::three_quick_clicks_at_remembered_places_tick_three_items",
        "upgrade::two_hundred_mounts_leak_no_nodes_no_listeners_no_memory_and_no_streams",
    ],
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

fn find_or_fetch(_project: &Project) -> Result<Environment> {
    if let Some(found) = find() {
        return Ok(found.environment());
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
    Ok(found.environment())
}

/// What was found: browser, driver, server of the screen.
struct Found([PathBuf; 3]);

impl Found {
    fn environment(self) -> Environment {
        let Self([browser, driver, screen]) = self;
        vec![
            ("CHECKLIST_WEBKIT", browser.into()),
            ("CHECKLIST_WEBKIT_DRIVER", driver.into()),
            ("CHECKLIST_SCREEN", screen.into()),
        ]
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
