//! Firefox, from the system or from Debian's packages, and geckodriver, its driver, which Debian
//! does not package; it is built once from its crate. If either is unavailable, the
//! stage prints the reason, and the tests are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::OtherBrowser;
use crate::cargo_tool;
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
        "unsent::a_browser_that_keeps_nothing_is_told_to_both_and_what_was_done_is_sent_all_the_same",
        "unsent::leaving_is_asked_about_only_while_something_is_unsent",
        "unsent::what_a_closed_tab_has_left_unsent_is_shown_and_sent_by_the_next_page",
        "unsent::with_unsent_tab_nothing_is_left_for_another_page_and_the_sentence_says_so",
        "upgrade::two_hundred_mounts_leak_no_nodes_no_listeners_no_memory_and_no_streams",
        "words::paper_shows_the_day_of_what_was_done_today",
    ],
};

const PACKAGES: unpacked::Programs<'_> = unpacked::Programs {
    title: "Firefox",
    packages: &["firefox-esr"],
    starters: &[("firefox-esr", "usr/lib/firefox-esr/firefox-esr")],
};

const NAMES: [&str; 2] = ["firefox-esr", "firefox"];

const DRIVER: &str = "geckodriver";
/// The version of the driver that is built when none is there.
const VERSION: &str = "0.37.1";
/// The oldest one that lets tests set what a reader's system prefers.
const OLDEST: (u32, u32) = (0, 36);

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
    let driver = match find_driver(project) {
        Some(found) => found,
        None => step("build geckodriver (once)", || {
            cargo_tool::install(project, DRIVER, VERSION)
        })?,
    };
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
        .find(|program| program.is_file() && version(program).is_some())
}

fn find_driver(project: &Project) -> Option<PathBuf> {
    [
        PathBuf::from(DRIVER),
        cargo_tool::installed(project, DRIVER),
    ]
    .into_iter()
    .find(|program| version(program).is_some_and(|version| version >= OLDEST))
}

fn version(program: &Path) -> Option<(u32, u32)> {
    let output = output_of(Command::new(program).arg("--version")).ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `Mozilla Firefox 140.10.2esr` and `geckodriver 0.37.1 (…)`.
fn version_in(said: &str) -> Option<(u32, u32)> {
    said.split_whitespace().find_map(|word| {
        let mut numbers = word.split('.').map(str::parse::<u32>);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_the_programs_say() {
        assert_eq!(version_in("Mozilla Firefox 140.10.2esr\n"), Some((140, 10)));
        assert_eq!(
            version_in("geckodriver 0.37.1 (abc 2026-01-01)"),
            Some((0, 37))
        );
        assert_eq!(version_in("Error: no DISPLAY"), None);
    }
}
