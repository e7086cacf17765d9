//! Actions on several items at once: what they are, what they skip, and the box of a section.

use checklist_shared::ItemId;
use checklist_shared::assignee::Assignee;
use checklist_shared::change::allowed::may_set_status;
use checklist_shared::item::{Item, Kind, Status};

use super::list::ListState;
use crate::i18n::{Words, fill, plural};

/// An action on all selected items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// Checks what is open, or unchecks what is checked.
    Check(bool),
    /// Gives all of them to that person; to nobody where it is empty.
    Assign(Assignee),
    /// Deletes the items.
    Delete,
}

/// The items that an action skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Nothing was done: no more than so many can be changed at once.
    AtOnce(u32),
    /// The items with these texts.
    Items(Vec<String>),
}

/// How far a section is checked, for the box in its heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionBox {
    /// Whether everything that counts is checked.
    pub is_checked: bool,
    /// Whether some of it is.
    pub is_mixed: bool,
    /// Whether this person may change any of it, the way the box would.
    pub is_open: bool,
}

/// The box of a section with these rows.
#[must_use]
pub fn section_box(state: &ListState, rows: &[ItemId]) -> SectionBox {
    let counts = |item: &&Item| item.kind == Kind::Item && item.status != Status::NotApplicable;
    let items = || rows.iter().filter_map(|id| state.live(*id)).filter(counts);
    let done = items().filter(|item| item.status == Status::Done).count();
    let (is_checked, is_mixed) = match items().count() {
        all if done == all => (all > 0, false),
        _ => (false, done > 0),
    };
    let wanted = if is_checked {
        Status::Done
    } else {
        Status::Open
    };
    let may = |item: &Item| may_set_status(item, &state.me, state.meta.permissions);
    SectionBox {
        is_checked,
        is_mixed,
        is_open: items()
            .any(|item| item.status == wanted && !item.awaits_confirmation() && may(item)),
    }
}

impl SkipReason {
    /// Those texts; nothing where there are none.
    #[must_use]
    pub fn of(texts: Vec<String>) -> Option<Self> {
        (!texts.is_empty()).then_some(Self::Items(texts))
    }

    /// The message about skipped items.
    #[must_use]
    pub fn sentence(&self, words: Words) -> String {
        /// More names than these are no longer read.
        const NAMED: usize = 3;
        let texts = words.texts;
        let left = match self {
            Self::AtOnce(most) => return plural(words, texts.change_at_once(), *most, &[]),
            Self::Items(left) => left,
        };
        let named: Vec<&str> = left.iter().take(NAMED).map(String::as_str).collect();
        let mut names = named.join(texts.semicolon());
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if left.len() > NAMED {
            let more = words.number(number(left.len() - NAMED));
            names = fill(texts.and_more(), &[("names", &names), ("n", &more)]);
        }
        let count = number(left.len());
        plural(words, texts.not_changed(), count, &[("names", &names)])
    }
}
