//! Whether a list is completed: one implementation, for the browser and the server.
//!
//! Sections, info rows, retired and deleted items never count; "not applicable" resolves an
//! item and removes it from the denominator. A waiver lets a list pass and completes nothing; what is
//! complete all the same is `Complete`.

use serde::{Deserialize, Serialize};

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::{Item, Status};
use crate::names::names;
use crate::order;
use crate::template::CompletionRule;

names! {
    /// The state of a list. Completed is true for `Complete` alone.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum State {
        /// Not loaded, or it could not be loaded; exists in the browser only.
        #[default]
        Unknown,
        /// There is nothing to resolve.
        Empty,
        /// Something is still open.
        Open,
        /// Everything that counts is resolved.
        Complete,
        /// Not complete, and a person has let it pass.
        Waived,
    }
}

/// How many items there are of each status. People read "Done of Total − NotApplicable".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Counts {
    /// All that count, including the ones that do not apply.
    pub total: u32,
    /// Checked.
    pub done: u32,
    /// Resolved as not applicable.
    pub not_applicable: u32,
    /// Still to do.
    pub open: u32,
    /// Still to do and required.
    pub required_open: u32,
}

/// How many blockers an answer names at most.
pub const MAX_BLOCKERS: usize = 20;

/// What a gate needs to know about a list, and to say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The state.
    pub state: State,
    /// The counts.
    pub counts: Counts,
    /// The first items that keep the list from being complete, in display order.
    pub blockers: Vec<ItemId>,
}

impl State {
    /// The brief's Completed.
    #[must_use]
    pub const fn is_completed(self) -> bool {
        matches!(self, Self::Complete)
    }

    /// Whether whatever waits for the list may go on: a form may be sent, a ticket resolved.
    #[must_use]
    pub const fn may_pass(self) -> bool {
        matches!(self, Self::Complete | Self::Waived)
    }
}

impl Counts {
    /// How many have to be done: what people read "Done of" this.
    #[must_use]
    pub const fn applicable(&self) -> u32 {
        self.total - self.not_applicable
    }

    /// How many keep the list from being complete.
    #[must_use]
    pub const fn blocking(&self, rule: CompletionRule) -> u32 {
        match rule {
            CompletionRule::All => self.open,
            CompletionRule::Required => self.required_open,
        }
    }

    /// The state of a list with these counts, and with a waiver in force or without.
    #[must_use]
    pub const fn state(&self, rule: CompletionRule, is_waived: bool) -> State {
        match (self.total, self.blocking(rule), is_waived) {
            (1.., 0, _) => State::Complete,
            (_, _, true) => State::Waived,
            (0, _, _) => State::Empty,
            _ => State::Open,
        }
    }
}

/// Whether the item keeps its list from being complete.
#[must_use]
pub fn is_blocker(item: &Item, rule: CompletionRule) -> bool {
    item.counts() && item.status == Status::Open && (rule == CompletionRule::All || item.required)
}

/// The first blockers among `items`, which come in display order.
pub fn blockers<'a>(
    items: impl IntoIterator<Item = &'a Item>,
    rule: CompletionRule,
) -> impl Iterator<Item = &'a Item> {
    items
        .into_iter()
        .filter(move |item| is_blocker(item, rule))
        .take(MAX_BLOCKERS)
}

/// Counts the items, whose order does not matter.
pub fn count<'a>(items: impl IntoIterator<Item = &'a Item>) -> Counts {
    let mut counts = Counts::default();
    for item in items.into_iter().filter(|item| item.counts()) {
        counts.total += 1;
        match item.status {
            Status::Done => counts.done += 1,
            Status::NotApplicable => counts.not_applicable += 1,
            Status::Open => {
                counts.open += 1;
                counts.required_open += u32::from(item.required);
            }
        }
    }
    counts
}

/// State and counts of a list, without its blockers.
#[must_use]
pub fn of_items(list: &Checklist) -> (State, Counts) {
    let items = list.items.iter().map(|item| &**item);
    let counts = count(items);
    let state = counts.state(list.completion_rule(), list.waived.is_some());
    (state, counts)
}

/// State, counts and blockers of a list.
#[must_use]
pub fn of(list: &Checklist) -> Progress {
    let rule = list.completion_rule();
    let (state, counts) = of_items(list);
    // Those of a waived list are what was waived.
    let blockers = if matches!(state, State::Open | State::Waived) {
        blockers(order::display(list), rule)
            .map(|item| item.id)
            .collect()
    } else {
        Vec::new()
    };
    Progress {
        state,
        counts,
        blockers,
    }
}
