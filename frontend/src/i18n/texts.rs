//! Every text of the control, as one record that each language fills in.
//!
//! Names in braces are places, filled by `i18n::fill`. Called by the languages next door.

use super::Plural;

/// The words of one language.
#[derive(Debug)]
pub struct Texts {
    /// The name of a list that has none.
    pub checklist: &'static str,
    /// `{done}` of `{total}`, as a sentence.
    pub done_of: &'static str,
    /// `{done}` of `{total}`, at a section.
    pub count_of: &'static str,
    /// Everything is resolved.
    pub completed: &'static str,
    /// The item has to be resolved.
    pub required: &'static str,
    /// Status in words.
    pub open: &'static str,
    /// Status in words.
    pub done: &'static str,
    /// Status in words.
    pub not_applicable: &'static str,
    /// With the `{reason}`.
    pub not_applicable_because: &'static str,
    /// `{who}` set a status, `{when}`.
    pub by_at: &'static str,
    /// The template's wording is another one than was checked.
    pub changed_since: &'static str,
    /// The `{text}` that was confirmed.
    pub attested: &'static str,
    /// The template's `{text}`, on offer.
    pub template_says: &'static str,
    /// Takes the template's text.
    pub use_template: &'static str,
    /// `{when}` in the future.
    pub due_on: &'static str,
    /// `{time}` of this day.
    pub due_today: &'static str,
    /// `{time}` of the next day.
    pub due_tomorrow: &'static str,
    /// It was due `{when}`.
    pub late: &'static str,
    /// The row's last change is not stored yet.
    pub unsaved: &'static str,
    /// Opens the help of an item.
    pub help: &'static str,
    /// Button.
    pub edit: &'static str,
    /// The same with the item's `{text}`.
    pub edit_named: &'static str,
    /// Button that opens the menu.
    pub more: &'static str,
    /// The same with the item's `{text}`.
    pub more_named: &'static str,
    /// Menu.
    pub mark_not_applicable: &'static str,
    /// Menu.
    pub applies_again: &'static str,
    /// Menu and label.
    pub note: &'static str,
    /// Menu.
    pub assign: &'static str,
    /// Label.
    pub assignee: &'static str,
    /// Menu and label.
    pub due_date: &'static str,
    /// Menu.
    pub move_up: &'static str,
    /// Menu.
    pub move_down: &'static str,
    /// Menu.
    pub move_to: &'static str,
    /// Menu.
    pub delete: &'static str,
    /// Button.
    pub save: &'static str,
    /// Button.
    pub cancel: &'static str,
    /// Label of the field in which an item's text is edited.
    pub text_label: &'static str,
    /// Label.
    pub reason_label: &'static str,
    /// Label.
    pub reason_optional: &'static str,
    /// Error at the field.
    pub reason_needed: &'static str,
    /// Label; from 1 to `{count}`.
    pub position_label: &'static str,
    /// Button.
    pub move_it: &'static str,
    /// Opens the field for a new item.
    pub add_item: &'static str,
    /// The same for the `{section}`.
    pub add_to: &'static str,
    /// Label of the field for a new item.
    pub new_item: &'static str,
    /// Button.
    pub add: &'static str,
    /// Button.
    pub close: &'static str,
    /// Button that takes a notice away.
    pub dismiss: &'static str,
    /// Button.
    pub undo: &'static str,
    /// The item's `{text}`.
    pub deleted: &'static str,
    /// `{who}` and `{when}`.
    pub text_conflict: &'static str,
    /// The person's own `{text}`.
    pub yours: &'static str,
    /// Button.
    pub take_theirs: &'static str,
    /// Button.
    pub keep_mine: &'static str,
    /// `{who}` and `{when}`.
    pub done_by_other: &'static str,
    /// `{who}` and `{when}`.
    pub not_applicable_by_other: &'static str,
    /// `{who}` and `{when}`.
    pub opened_by_other: &'static str,
    /// A tick was meant for another wording.
    pub wording_conflict: &'static str,
    /// `{who}` and `{when}`.
    pub changed_by_other: &'static str,
    /// Button: opens the field with what was typed.
    pub edit_again: &'static str,
    /// Somebody whose name is not known.
    pub somebody: &'static str,
    /// With `{parts}` such as “2 new, 1 changed”.
    pub template_changed: &'static str,
    /// Button.
    pub review: &'static str,
    /// Button.
    pub apply: &'static str,
    /// Button.
    pub not_now: &'static str,
    /// Heading of the dry run.
    pub review_title: &'static str,
    /// Case of a refresh.
    pub case_added: &'static str,
    /// Case of a refresh.
    pub case_changed: &'static str,
    /// Case of a refresh.
    pub case_flagged: &'static str,
    /// Case of a refresh.
    pub case_reopened: &'static str,
    /// Case of a refresh.
    pub case_kept: &'static str,
    /// Case of a refresh.
    pub case_removed: &'static str,
    /// Case of a refresh.
    pub case_retired: &'static str,
    /// Case of a refresh.
    pub case_returned: &'static str,
    /// Case of a refresh.
    pub case_moved: &'static str,
    /// `{before}` and `{after}`.
    pub becomes: &'static str,
    /// `{text}`.
    pub quoted: &'static str,
    /// The dry run found nothing.
    pub nothing_new: &'static str,
    /// Button.
    pub go_to_first: &'static str,
    /// `{names}` and `{n}` others.
    pub and_more: &'static str,
    /// State.
    pub loading: &'static str,
    /// State.
    pub load_failed: &'static str,
    /// Button.
    pub try_again: &'static str,
    /// State.
    pub empty: &'static str,
    /// State, for somebody who may add.
    pub empty_add: &'static str,
    /// State, for everybody else.
    pub empty_read: &'static str,
    /// `{who}` and `{when}`.
    pub locked: &'static str,
    /// With the `{reason}`.
    pub locked_because: &'static str,
    /// State.
    pub draft: &'static str,
    /// State.
    pub offline: &'static str,
    /// Heading.
    pub retired_group: &'static str,
    /// With the `{reason}`.
    pub not_journaled: &'static str,
    /// Announced.
    pub said_checked: &'static str,
    /// Announced.
    pub said_opened: &'static str,
    /// Announced.
    pub said_not_applicable: &'static str,
    /// Announced.
    pub said_added: &'static str,
    /// Announced.
    pub said_deleted: &'static str,
    /// Announced.
    pub said_saved: &'static str,
    /// Announced: `{position}` of `{count}`.
    pub said_moved: &'static str,
    /// Announced.
    pub said_undone: &'static str,
    /// Announced.
    pub said_refreshed: &'static str,
    /// Announced: `{who}`.
    pub said_changed: &'static str,
    /// Error.
    pub error_network: &'static str,
    /// Error.
    pub error_sign_in: &'static str,
    /// Error.
    pub error_permission: &'static str,
    /// Error.
    pub error_not_found: &'static str,
    /// Error.
    pub error_item_gone: &'static str,
    /// Error.
    pub error_locked: &'static str,
    /// Error.
    pub error_limit: &'static str,
    /// Error.
    pub error_undo: &'static str,
    /// Error.
    pub error_moved: &'static str,
    /// Error.
    pub error_stale: &'static str,
    /// Error; `{detail}` comes from the server.
    pub error_other: &'static str,
    /// `{n}` items that block, and their `{names}`.
    pub still_open: Plural,
    /// Part of “the template has changed”.
    pub new: Plural,
    /// Part of “the template has changed”.
    pub changed: Plural,
    /// Part of “the template has changed”.
    pub removed: Plural,
    /// Items that still fit in.
    pub left: Plural,
}
