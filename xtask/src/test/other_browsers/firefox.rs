//! Firefox, from the system or from Debian's packages, and geckodriver, its driver, which Debian
//! does not package; it is built once from its crate. If either is unavailable, the
//! stage prints the reason, and the tests are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::OtherBrowser;
use crate::cargo_tool::CargoTool;
use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::tool::Tool;
use crate::test::unpacked;

pub const FIREFOX: OtherBrowser = OtherBrowser {
    tool: Tool {
        title: "Firefox",
        tests: &[],
        find: find_or_fetch,
    },
    name: "firefox",
    left_out: &[
        "accessibility::targets_are_larger_for_fingers",
        "first_paint::the_list_can_be_read_while_the_script_is_blocked",
        "first_paint::times_read_the_same_before_and_after_the_takeover_in_every_language",
        "first_paint::what_the_server_draws_is_small_and_offers_nothing_that_cannot_act",
        "item_history::the_menu_tells_what_was_done_to_an_item_and_by_whom",
        "rows::a_double_click_on_the_text_edits_it_and_leaves_the_status_alone",
        "upgrade::two_hundred_mounts_leak_no_nodes_no_listeners_no_memory_and_no_streams",
    ],
};

const PACKAGES: unpacked::Programs<'_> = unpacked::Programs {
    title: "Firefox",
    packages: &["firefox-esr"],
    starters: &[("firefox-esr", "usr/lib/firefox-esr/firefox-esr")],
};

const NAMES: [&str; 2] = ["firefox-esr", "firefox"];

const DRIVER: CargoTool = CargoTool {
    name: "geckodriver",
    version_of: &["--version"],
    // The first that lets tests set what a reader's system prefers.
    oldest: (0, 36, 0),
    crate_version: "0.37.1",
    prebuilt: None,
};

fn find_or_fetch(project: &Project) -> Result<Environment> {
    let folder = project.tools().join("firefox");
    let browser = match find(&folder) {
        Some(found) => found,
        None => {
            step("fetch Firefox from Debian's packages", || {
                unpacked::fetch(&folder, &PACKAGES)
            })?;
            find(&folder).context("the packages hold no Firefox that starts")?
        }
    };
    let driver = DRIVER.find_or_fetch(project)?;
    Ok(vec![
        ("CHECKLIST_FIREFOX", browser.into()),
        ("CHECKLIST_GECKODRIVER", driver.into()),
    ])
}

fn find(unpacked: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([unpacked::programs(unpacked)])
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|program| program.is_file() && starts(program))
}

fn starts(program: &Path) -> bool {
    output_of(Command::new(program).arg("--version")).is_ok()
}
