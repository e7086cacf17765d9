//! The tests of the control in Firefox and in WebKitGTK: those of forms, focus,
//! keyboard, pointers, history and accessibility, where browsers differ.
//!
//! It is the same test program as for Chromium, with another browser. Tests that a driver
//! cannot run are excluded by name; `docs/BROWSERS.md` has the reason for each.

#[cfg(test)]
mod documented;
mod firefox;
mod webkit;

use std::path::PathBuf;

use anyhow::Result;

use super::libtest;
use super::native;
use crate::project::Project;
use crate::stages::{Outcome, Stages, in_ci};

pub use firefox::FIREFOX;
pub use webkit::WEBKIT;

/// The modules of tests that run in every browser.
const MODULES: [&str; 17] = [
    "accessibility::",
    "compact::",
    "events::",
    "first_paint::",
    "forms::",
    "gate::",
    "gestures::",
    "history::",
    "keyboard::",
    "page_language::",
    "redo::",
    "rows::",
    "troubled::",
    "unsent::",
    "upgrade::",
    "visibility::",
    "words::",
];

/// Tests of other modules that do, too: what is announced, where the focus goes, what is moved and
/// brought back.
const TESTS: [&str; 5] = [
    "items::a_deleted_item_comes_back_on_undo_without_time_pressure",
    "items::items_move_up_down_and_to_a_position",
    "live::a_tick_of_another_appears_by_itself",
    "live::the_focus_stays_when_its_row_is_moved_and_goes_to_the_next_when_it_is_deleted",
    "live::what_a_person_does_is_said_once",
];

/// Another browser than Chromium.
pub struct OtherBrowser {
    title: &'static str,
    /// The value of `CHECKLIST_BROWSER`.
    name: &'static str,
    /// Tests that cannot be run in it.
    left_out: &'static [&'static str],
    find_or_fetch: fn(&Project) -> Result<Programs>,
}

/// The environment variables that describe a browser to the tests.
pub struct Programs {
    variables: Vec<(&'static str, PathBuf)>,
}

/// The two stages of a browser: looking for it, and the tests in it.
pub fn run(
    project: &Project,
    browser: &OtherBrowser,
    built: bool,
    filter: &[String],
    stages: &mut Stages,
) {
    let mut found = Err("it was not looked for".to_owned());
    stages.run(&format!("find {}", browser.title), || {
        match (browser.find_or_fetch)(project) {
            Ok(programs) => {
                for (name, path) in &programs.variables {
                    println!("{name}: {}", path.display());
                }
                found = Ok(programs);
                Ok(Outcome::Passed)
            }
            Err(error) => {
                let reason = format!("{error:#}");
                found = Err(reason.clone());
                Ok(Outcome::Skipped(reason))
            }
        }
    });
    let missing = "the server and the tests were not built";
    stages.run_after(
        built,
        missing,
        &format!("tests in {}", browser.title),
        || match &found {
            Ok(programs) => tests(project, browser, programs, filter),
            Err(reason) => Ok(Outcome::Skipped(reason.clone())),
        },
    );
}

fn tests(
    project: &Project,
    browser: &OtherBrowser,
    programs: &Programs,
    filter: &[String],
) -> Result<Outcome> {
    let told = libtest::run_twice(in_ci(), filter, |filter| {
        let mut command = native::tests(project);
        command.args(["--test", "browser", "--"]);
        if filter.is_empty() {
            command.args(MODULES).args(TESTS);
        } else {
            command.args(filter);
        }
        for name in browser.left_out {
            command.args(["--skip", name]);
        }
        command.env("CHECKLIST_BROWSER", browser.name);
        for (name, path) in &programs.variables {
            command.env(name, path);
        }
        command
    })?;
    Ok(Outcome::TestsTwice(told))
}
