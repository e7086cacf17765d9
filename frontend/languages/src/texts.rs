//! Every text of the control, as one record that each language fills in.
//!
//! Names in braces are places, filled by [`fill`](crate::fill). A name of a text is public: hosts
//! put their own words in its place under that name.

/// A text in its plural forms, with `|` between them. They stand in the order zero, one, two,
/// few, many, other, as many as the language distinguishes. The number stands at `{n}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plural(pub &'static str);

impl Plural {
    /// The form at a place; the last one where there are fewer.
    pub(super) fn form(self, place: usize) -> &'static str {
        let mut forms = self.0.split('|');
        let first = forms.next().unwrap_or_default();
        forms.take(place).last().unwrap_or(first)
    }
}

/// Makes the record: a list in which each text has its place, and a method that says it.
macro_rules! texts {
    ($($(#[doc = $about:literal])+ $name:ident: $kind:ident;)+) => {
        /// Where each text stands.
        #[expect(non_camel_case_types, reason = "they are the names of the texts")]
        #[derive(Clone, Copy)]
        enum Place {
            $($name,)+
        }

        /// How many texts there are.
        const COUNT: usize = [$(Place::$name),+].len();

        /// The words of one language.
        #[derive(Debug, PartialEq, Eq)]
        pub struct Texts(pub(crate) [&'static str; COUNT]);

        impl Texts {
            /// The names of the texts, in the order of their places.
            pub const NAMES: [&'static str; COUNT] = [$(stringify!($name)),+];

            $(
                $(#[doc = $about])+
                #[inline]
                #[must_use]
                pub const fn $name(&self) -> texts!(@type $kind) {
                    texts!(@read $kind, self.0[Place::$name as usize])
                }
            )+
        }
    };
    (@type text) => { &'static str };
    (@type plural) => { Plural };
    (@read text, $text:expr) => { $text };
    (@read plural, $text:expr) => { Plural($text) };
}

impl Texts {
    /// The texts from lines in the order of [`Texts::NAMES`]; those that are not there are empty.
    #[must_use]
    pub fn from_lines(lines: &'static str) -> Self {
        let mut texts = Self([""; COUNT]);
        for (text, line) in texts.0.iter_mut().zip(lines.split('\n')) {
            *text = line;
        }
        texts
    }

    /// Every text with its name.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::NAMES.into_iter().zip(self.0)
    }
}

texts! {
    /// The name of a list that has none.
    checklist: text;
    /// `{done}` of `{total}`, as a sentence.
    done_of: text;
    /// `{done}` of `{total}`, at a section.
    count_of: text;
    /// Everything is resolved.
    completed: text;
    /// The item has to be resolved.
    required: text;
    /// The item does not count.
    optional: text;
    /// Status in words.
    open: text;
    /// Status in words.
    done: text;
    /// Status in words.
    not_applicable: text;
    /// With the `{reason}`.
    not_applicable_because: text;
    /// `{who}` set a status, `{when}`.
    by_at: text;
    /// A time of day inside of a sentence: `{when}`.
    at_time: text;
    /// A date with its time inside of a sentence: `{when}`.
    on_date: text;
    /// The template's wording is another one than was checked.
    changed_since: text;
    /// The `{text}` that was confirmed.
    attested: text;
    /// The template's `{text}`, on offer.
    template_says: text;
    /// Takes the template's text.
    use_template: text;
    /// `{when}` in the future.
    due_on: text;
    /// Due today, no time given.
    due_on_this_day: text;
    /// Due tomorrow, no time given.
    due_on_the_next_day: text;
    /// `{time}` of this day.
    due_today: text;
    /// `{time}` of the next day.
    due_tomorrow: text;
    /// It was due `{when}`.
    late: text;
    /// The row's last change is not stored yet.
    unsaved: text;
    /// Opens the help of an item.
    help: text;
    /// The same with the item's `{text}`.
    help_named: text;
    /// Button.
    edit: text;
    /// The same with the item's `{text}`.
    edit_named: text;
    /// Button that opens the menu.
    more: text;
    /// The same with the item's `{text}`.
    more_named: text;
    /// Menu.
    mark_not_applicable: text;
    /// Menu.
    applies_again: text;
    /// Label.
    note: text;
    /// Label.
    assignee: text;
    /// Label.
    due_date: text;
    /// Menu.
    move_up: text;
    /// Menu.
    move_down: text;
    /// Menu.
    move_to: text;
    /// Menu.
    delete: text;
    /// Button.
    save: text;
    /// Button.
    cancel: text;
    /// Label of the field in which an item's text is edited.
    text_label: text;
    /// Label.
    reason_label: text;
    /// Label.
    reason_optional: text;
    /// Error at the field.
    reason_needed: text;
    /// Label; from `{first}` to `{count}`.
    position_label: text;
    /// Button.
    move_it: text;
    /// Opens the field for a new item.
    add_item: text;
    /// The same for the `{section}`.
    add_to: text;
    /// Label of the field for a new item.
    new_item: text;
    /// Button.
    add: text;
    /// Button.
    close: text;
    /// Button that takes a notice away.
    dismiss: text;
    /// Button.
    undo: text;
    /// The item's `{text}`.
    deleted: text;
    /// `{who}` and `{when}`.
    text_conflict: text;
    /// The person's own `{text}`.
    yours: text;
    /// Button.
    take_theirs: text;
    /// Button.
    keep_mine: text;
    /// `{who}` and `{when}`.
    done_by_other: text;
    /// `{who}` and `{when}`.
    not_applicable_by_other: text;
    /// `{who}` and `{when}`.
    opened_by_other: text;
    /// A tick was meant for another wording, which `{who}` has changed `{when}`.
    wording_conflict: text;
    /// `{who}` and `{when}`.
    changed_by_other: text;
    /// Button: opens the field with what was typed.
    edit_again: text;
    /// Somebody whose name is not known.
    somebody: text;
    /// With `{parts}` such as “2 new, 1 changed”.
    template_changed: text;
    /// Button.
    review: text;
    /// Button.
    apply: text;
    /// Button.
    not_now: text;
    /// Heading of the dry run.
    review_title: text;
    /// Case of a refresh.
    case_added: text;
    /// Case of a refresh.
    case_changed: text;
    /// Case of a refresh.
    case_flagged: text;
    /// Case of a refresh.
    case_reopened: text;
    /// Case of a refresh.
    case_kept: text;
    /// Case of a refresh.
    case_removed: text;
    /// Case of a refresh.
    case_retired: text;
    /// Case of a refresh.
    case_returned: text;
    /// Case of a refresh.
    case_moved: text;
    /// `{before}` and `{after}`.
    becomes: text;
    /// `{text}`.
    quoted: text;
    /// The dry run found nothing.
    nothing_new: text;
    /// Button.
    go_to_first: text;
    /// `{names}` and `{n}` others.
    and_more: text;
    /// State.
    loading: text;
    /// State.
    load_failed: text;
    /// Button.
    try_again: text;
    /// While what was pressed waits for a part of the control that is loaded later.
    part_loading: text;
    /// That part cannot be loaded; a button to try again follows.
    part_failed: text;
    /// State.
    empty: text;
    /// State, for somebody who may add.
    empty_add: text;
    /// State, for everybody else.
    empty_read: text;
    /// State of a list that a form requires, for somebody who may not add.
    empty_ask: text;
    /// `{who}` and `{when}`.
    locked: text;
    /// With the `{reason}`.
    locked_because: text;
    /// State: the page allows no changes.
    read_only: text;
    /// State: the form has disabled the control.
    disabled: text;
    /// State: the person may not change anything.
    may_only_read: text;
    /// State.
    draft: text;
    /// State.
    offline: text;
    /// What becomes of changes that are not sent yet.
    unsent_kept: text;
    /// The same, where only the tab keeps them.
    unsent_tab: text;
    /// The same, where nothing keeps them.
    unsent_lost: text;
    /// Why a form waits.
    saving: text;
    /// While a form waits.
    saving_first: text;
    /// Heading.
    retired_group: text;
    /// For people; the `{reason}`, which the title has, is for whoever sets up the platform.
    not_journaled: text;
    /// Announced.
    said_checked: text;
    /// Announced.
    said_opened: text;
    /// Announced.
    said_not_applicable: text;
    /// Announced.
    said_added: text;
    /// Announced.
    said_deleted: text;
    /// Announced.
    said_saved: text;
    /// Announced: `{position}` of `{count}`.
    said_moved: text;
    /// Announced.
    said_undone: text;
    /// Announced.
    said_refreshed: text;
    /// Announced after what was done, while it cannot be sent.
    not_saved_yet: text;
    /// Announced: `{who}`.
    said_changed: text;
    /// Announced: `{who}` and the `{text}`.
    other_checked: text;
    /// Announced: `{who}` and the `{text}`.
    other_opened: text;
    /// Announced: `{who}` and the `{text}`.
    other_not_applicable: text;
    /// Announced: `{who}` and the `{text}`.
    other_changed: text;
    /// Announced: `{who}` and the `{text}`.
    other_added: text;
    /// Announced: `{who}` and the `{text}`.
    other_deleted: text;
    /// Announced: `{who}` and how many.
    other_many: plural;
    /// Who else is on the list: `{names}`.
    also_here: text;
    /// At a row, for a moment: `{who}`.
    just_checked: text;
    /// At a row, for a moment: `{who}`.
    just_changed: text;
    /// Error.
    error_network: text;
    /// Error.
    error_sign_in: text;
    /// Error.
    error_permission: text;
    /// Error.
    error_not_found: text;
    /// Error.
    error_template_not_found: text;
    /// Error.
    error_type_not_found: text;
    /// Error.
    error_item_gone: text;
    /// Error.
    error_locked: text;
    /// Error.
    error_limit: text;
    /// Error.
    error_undo: text;
    /// Error.
    error_moved: text;
    /// Error.
    error_stale: text;
    /// Error; `{detail}` comes from the server.
    error_other: text;
    /// Between the parts of “the template has changed”.
    comma: text;
    /// Between the names of what is still open.
    semicolon: text;
    /// Said of a template without items.
    preview_empty: text;
    /// Said while a template is on its way.
    preview_loading: text;
    /// For which `{role}` an item is.
    for_role: text;
    /// Due so much `{time}` after the list was made.
    due_after: text;
    /// Button.
    hide_done: text;
    /// Button.
    show_done: text;
    /// Button: puts pasted lines into the field as one.
    paste_as_one: text;
    /// Button.
    redo: text;
    /// Said.
    said_redone: text;
    /// Button of a menu.
    select: text;
    /// Button of a menu.
    deselect: text;
    /// Button: gives all rows that are selected to somebody.
    assign: text;
    /// The row is selected.
    selected: text;
    /// Button: checks what is selected.
    check: text;
    /// Button: unchecks what is selected.
    uncheck: text;
    /// Button: nothing is selected any more.
    clear_selection: text;
    /// Box of the `{section}`: checks its items.
    check_section: text;
    /// The item with that `{text}` is selected now.
    said_selected: text;
    /// The item with that `{text}` is not selected any more.
    said_deselected: text;
    /// Nothing is selected any more.
    said_cleared: text;
    /// What the handle of a row does.
    drag: text;
    /// Menu.
    history: text;
    /// Label; the item's `{text}`.
    history_of: text;
    /// Said while it is on its way.
    history_loading: text;
    /// Nothing was done to the item.
    history_empty: text;
    /// It could not be loaded.
    history_failed: text;
    /// Button: loads what came before.
    history_more: text;
    /// What `{who}` has done to an item.
    did_add: text;
    /// What `{who}` has done to an item.
    did_check: text;
    /// What `{who}` has done to an item.
    did_confirm: text;
    /// What `{who}` has done to an item.
    did_reopen: text;
    /// What `{who}` has done to an item.
    did_set_aside: text;
    /// What `{who}` has done to an item.
    did_reason: text;
    /// What `{who}` has done to an item.
    did_text: text;
    /// What `{who}` has done to an item.
    did_note: text;
    /// What `{who}` has done to an item.
    did_assign: text;
    /// What `{who}` has done to an item.
    did_due: text;
    /// What `{who}` has done to an item.
    did_move: text;
    /// What `{who}` has done to an item.
    did_delete: text;
    /// What `{who}` has done to an item.
    did_restore: text;
    /// A template no longer has the item; who took that over.
    did_retire: text;
    /// Who took over what a template has changed.
    did_follow: text;
    /// Anything else that `{who}` has done.
    did_change: text;
    /// Menu: opens note, assignee and due date.
    edit_details: text;
    /// Label: the time of a due date.
    due_time: text;
    /// A due date that is only partly filled in.
    due_incomplete: text;
    /// Button.
    clear_assignee: text;
    /// Button.
    clear_due: text;
    /// What was typed before the form was left is still in it.
    details_draft: text;
    /// Button.
    discard: text;
    /// The key that deletes, as it is written on keyboards.
    key_delete: text;
    /// Name of the search field.
    search_items: text;
    /// Button.
    clear_search: text;
    /// A search finds nothing.
    no_matches: text;
    /// People are asked for.
    people_loading: text;
    /// Asking for people did not work.
    people_failed: text;
    /// Name of the list of people to choose from.
    people_offered: text;
    /// `{n}` items that block, and their `{names}`.
    still_open: plural;
    /// Part of “the template has changed”.
    some_new: plural;
    /// Part of “the template has changed”.
    some_changed: plural;
    /// Part of “the template has changed”.
    some_removed: plural;
    /// Items that still fit in.
    left: plural;
    /// At the head of a preview: `{n}` items.
    preview_count: plural;
    /// Part of a duration.
    years: plural;
    /// Part of a duration.
    months: plural;
    /// Part of a duration.
    weeks: plural;
    /// Part of a duration.
    days: plural;
    /// Part of a duration.
    hours: plural;
    /// Part of a duration.
    minutes: plural;
    /// `{n}` items that are done are not shown.
    done_hidden: plural;
    /// Asks whether `{n}` pasted lines become items.
    paste_question: plural;
    /// `{n}` lines that are not named.
    paste_more: plural;
    /// Only `{n}` items fit in.
    paste_room: plural;
    /// At most `{n}` items can be added at once.
    paste_at_once: plural;
    /// An item's text may have `{n}` characters.
    paste_long: plural;
    /// `{n}` items are selected.
    selected_count: plural;
    /// `{n}` items were checked.
    said_many_checked: plural;
    /// `{n}` items were unchecked.
    said_many_opened: plural;
    /// `{n}` items were assigned.
    said_many_assigned: plural;
    /// `{n}` items were deleted.
    many_deleted: plural;
    /// `{n}` of several items were not changed: their `{names}`.
    not_changed: plural;
    /// At most `{n}` items can be changed at once.
    change_at_once: plural;
    /// `{n}` items were added.
    said_many_added: plural;
}

/// The few sentences that are needed while there is no WASM. The elements' script says them; they
/// stand at the end of each language's table.
#[cfg(any(feature = "all", test))]
#[derive(Debug)]
pub struct Failures {
    /// The list cannot be loaded.
    pub failed: &'static str,
    /// The list has stopped.
    pub stopped: &'static str,
    /// Button: loads again.
    pub again: &'static str,
    /// Said by a form before the list is there.
    pub incomplete: &'static str,
}

#[cfg(any(feature = "all", test))]
impl Failures {
    /// Every text with its name.
    #[must_use]
    pub fn entries(&self) -> [(&'static str, &'static str); 4] {
        [
            ("failed", self.failed),
            ("stopped", self.stopped),
            ("again", self.again),
            ("incomplete", self.incomplete),
        ]
    }
}

/// A language: its texts, which have to be all there are, and what is said without WASM. Where
/// languages are not built in, English is kept as lines, which weigh less in a download.
macro_rules! language {
    (
        texts { $($name:ident: $text:literal,)+ }
        plurals { $($plural:ident: $forms:literal,)+ }
        failures { $($failure:ident: $sentence:literal,)+ }
    ) => {
        #[cfg(any(feature = "all", test))]
        pub static TEXTS: crate::Texts = crate::Texts([$($text,)+ $($forms,)+]);
        #[cfg(any(feature = "all", test))]
        pub static FAILURES: crate::Failures = crate::Failures { $($failure: $sentence,)+ };
        /// The texts, then the plurals, a line for each.
        #[cfg(any(not(feature = "all"), test))]
        pub const LINES: &str = concat!($($text, "\n",)+ $($forms, "\n",)+);
        #[cfg(test)]
        pub const NAMES: &[&str] = &[$(stringify!($name),)+ $(stringify!($plural),)+];
    };
}
pub(crate) use language;

#[cfg(test)]
mod tests {
    use crate::{Texts, ar, de, en, es, fr};

    #[test]
    fn the_lines_of_a_language_become_the_same_texts() {
        for (lines, texts) in [
            (en::LINES, &en::TEXTS),
            (de::LINES, &de::TEXTS),
            (fr::LINES, &fr::TEXTS),
            (es::LINES, &es::TEXTS),
            (ar::LINES, &ar::TEXTS),
        ] {
            assert_eq!(&Texts::from_lines(lines), texts);
        }
    }

    #[test]
    fn every_language_has_its_texts_in_the_same_places() {
        for names in [en::NAMES, de::NAMES, fr::NAMES, es::NAMES, ar::NAMES] {
            assert_eq!(names, Texts::NAMES);
        }
        assert_eq!(de::TEXTS.save(), "Speichern");
    }
}
