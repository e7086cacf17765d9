//! The tests of the control in Firefox and in WebKitGTK: those of forms, focus,
//! keyboard, pointers, history and accessibility, where browsers differ.
//!
//! It is the same test program as for Chromium, with another browser. Tests that a driver
//! cannot run are excluded by name; `docs/BROWSERS.md` has the reason for each.

#[cfg(test)]
mod documented;
pub mod firefox;
pub mod webkit;

use super::nextest::Tests;
use super::tool::Tool;
use crate::project::Project;

/// The modules of tests that run in every browser.
const MODULES: [&str; 13] = [
    "accessibility::",
    "compact::",
    "events::",
    "first_paint::",
    "forms::",
    "gestures::",
    "history::",
    "keyboard::",
    "page_language::",
    "rows::",
    "unsent::",
    "upgrade::",
    "words::",
];

/// Tests of other modules that do, too: what is announced, where the focus goes, what is moved and
/// brought back, and what a browser keeps for a server that is away.
const TESTS: [&str; 7] = [
    "items::a_deleted_item_comes_back_on_undo_without_time_pressure",
    "items::items_move_up_down_and_to_a_position",
    "live::a_tick_of_another_appears_by_itself",
    "live::the_focus_stays_when_its_row_is_moved_and_goes_to_the_next_when_it_is_deleted",
    "live::what_a_person_does_is_said_once",
    "troubled::a_list_that_cannot_be_loaded_says_so_and_is_not_completed",
    "troubled::a_tick_made_while_the_server_is_away_survives_a_reload_and_is_sent_once",
];

/// Another browser than Chromium.
pub struct OtherBrowser {
    pub tool: Tool,
    /// The value of `CHECKLIST_BROWSER`.
    name: &'static str,
    /// Tests that cannot be run in it.
    left_out: &'static [&'static str],
}

impl OtherBrowser {
    /// The tests that run in it: those of every browser, or of Chromium's those that a filter names.
    pub fn tests<'a>(&self, project: &'a Project, filter: &[String]) -> Tests<'a> {
        let mut condition = String::from("binary(=browser)");
        if filter.is_empty() {
            let chosen = MODULES.iter().chain(&TESTS);
            let chosen: Vec<String> = chosen.map(|name| format!("test({name})")).collect();
            condition = format!("{condition} and ({})", chosen.join(" or "));
        }
        let mut tests = Tests::that(project, condition);
        for name in self.left_out {
            tests.without(name);
        }
        tests.tell(vec![("CHECKLIST_BROWSER", self.name.into())]);
        tests
    }
}
