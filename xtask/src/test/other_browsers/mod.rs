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
const MODULES: [&str; 8] = [
    "events::",
    "first_paint::",
    "forms::",
    "gestures::",
    "history::",
    "keyboard::",
    "rows::",
    "upgrade::",
];

/// Tests of other modules that do, too: what is announced, where the focus goes, how large things are, what
/// is moved and brought back, and what is kept and posted while the server is away or slow.
const TESTS: [&str; 18] = [
    "accessibility::a_list_is_a_list_with_native_checkboxes_and_says_how_far_it_is",
    "accessibility::a_list_with_the_readers_spacing_of_text_is_whole",
    "accessibility::a_narrow_view_needs_no_horizontal_scrolling",
    "accessibility::every_target_is_large_enough",
    "accessibility::focus_is_always_seen_and_never_obscured",
    "accessibility::focus_survives_a_delete_and_a_change_from_elsewhere",
    "accessibility::targets_are_larger_for_fingers",
    "accessibility::what_happens_is_announced_politely_in_one_place",
    "compact::it_opens_and_closes_by_keyboard_and_the_focus_comes_back",
    "compact::the_form_points_at_the_line_and_focus_opens_it",
    "items::a_deleted_item_comes_back_on_undo_without_time_pressure",
    "items::items_move_up_down_and_to_a_position",
    "live::a_tick_of_another_appears_by_itself",
    "live::the_focus_stays_when_its_row_is_moved_and_goes_to_the_next_when_it_is_deleted",
    "live::what_a_person_does_is_said_once",
    "troubled::a_list_that_cannot_be_loaded_says_so_and_is_not_completed",
    "troubled::a_tick_made_while_the_server_is_away_survives_a_reload_and_is_sent_once",
    "unsent::a_form_that_is_submitted_at_once_posts_what_the_server_has_whatever_the_latency",
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
