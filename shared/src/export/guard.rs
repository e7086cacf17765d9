//! Which writes need a person's confirmation.
//!
//! Adoptions change entries that somebody made, deleted entries cannot be inspected any more, and
//! the first run on somebody's list may be on the wrong list.

use crate::wire::workflow::{Confirmation, PlannedAction};

/// More deletes than this always wait.
pub const MANY_DELETES: u32 = 50;

/// From how many deletes on a share of more than a fifth of our entries waits.
pub const SHARE_COUNTS_FROM: u32 = 10;

/// A write that the engine has in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedWrite {
    /// What the write does.
    pub action: PlannedAction,
    /// For a delete: whether the entry was made by hand once. One of which nobody knows that an
    /// export made it counts as well: a lost database must not make deletes easy.
    pub adopted: bool,
    /// Whether a person has confirmed this very action on this very entry, or has chosen it.
    pub confirmed: bool,
}

/// The list that is written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListState {
    /// Entries that carry a key of ours, in all.
    pub own_entries: u32,
    /// Entries without a key.
    pub made_by_hand: u32,
    /// Entries that this run has deleted already.
    pub deleted: u32,
    /// Whether a person has confirmed anything in this run, so that the list is the right one.
    pub list_confirmed: bool,
}

/// The writes that may start, and those that need a confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// One for each planned write: whether it may be written now.
    pub open: Vec<bool>,
    /// What a person is asked for, when something has to wait.
    pub confirmation: Option<Confirmation>,
}

/// Says which of the writes may begin now, and what has to be confirmed before the others.
///
/// * The first run on a list that has entries without a key and none of ours writes nothing.
/// * An adoption waits, unless it was confirmed or chosen.
/// * A delete waits when its entry was adopted, and all of them wait when the run deletes more
///   than [`MANY_DELETES`], or at least [`SHARE_COUNTS_FROM`] and more than a fifth of our
///   entries. What the run has deleted before counts.
///
/// ```
/// use checklist_shared::export::{ListState, PlannedWrite, guard};
/// use checklist_shared::wire::workflow::PlannedAction;
/// let delete = PlannedWrite { action: PlannedAction::Delete, adopted: false, confirmed: false };
/// let list = ListState { own_entries: 60, ..ListState::default() };
/// assert_eq!(guard(&[delete; 12], list).confirmation, None);
/// let asked = guard(&[delete; 13], list).confirmation.unwrap();
/// assert_eq!((asked.deletes, asked.own_entries), (13, 60));
/// ```
#[must_use]
pub fn guard(writes: &[PlannedWrite], list: ListState) -> Gate {
    let is_first_run = list.made_by_hand > 0
        && list.own_entries == 0
        && !list.list_confirmed
        && !writes.is_empty();
    let is_delete = |write: &&PlannedWrite| write.action == PlannedAction::Delete;
    let deletes = count(writes.iter().filter(is_delete).count()).saturating_add(list.deleted);
    let own = u64::from(list.own_entries) + u64::from(list.deleted);
    let many_deletes =
        deletes > MANY_DELETES || (deletes >= SHARE_COUNTS_FROM && u64::from(deletes) * 5 > own);

    let waits = |write: &PlannedWrite| {
        !write.confirmed
            && match write.action {
                PlannedAction::Create | PlannedAction::Update => false,
                PlannedAction::Adopt => true,
                PlannedAction::Delete => write.adopted || many_deletes,
            }
    };
    let waiting = |action: PlannedAction, adopted: bool| {
        let those = writes
            .iter()
            .filter(|write| write.action == action && waits(write) && (write.adopted || !adopted));
        count(those.count())
    };
    let confirmation = Confirmation {
        adoptions: waiting(PlannedAction::Adopt, false),
        deletes: waiting(PlannedAction::Delete, false),
        adopted_deletes: waiting(PlannedAction::Delete, true),
        own_entries: list.own_entries,
        first_run: is_first_run,
    };
    let something_waits = is_first_run || confirmation.adoptions > 0 || confirmation.deletes > 0;
    Gate {
        open: writes
            .iter()
            .map(|write| !is_first_run && !waits(write))
            .collect(),
        confirmation: something_waits.then_some(confirmation),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
