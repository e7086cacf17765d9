//! What the trail says of a list: which items it has, their statuses, and whether it is waived.
//!
//! Reads events without their words, so it works after those were deleted. An item that no event
//! names is as the template made it: there, and open.

use std::collections::BTreeMap;

use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::{Item, Status};

/// A list as its events tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    items: BTreeMap<ItemId, State>,
    is_waived: bool,
    /// The closed runs, in their order.
    closed: Vec<Self>,
}

/// An item as its events tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    status: Status,
    is_live: bool,
}

/// What is not as the trail says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The status in the list, and by the trail.
    Status(ItemId, Status, Status),
    /// It is in the list, and by the trail it is deleted.
    Back(ItemId),
    /// It is deleted or gone, and by the trail it is in the list.
    Missing(ItemId),
    /// The list is waived, and by the trail it is not.
    Waived,
    /// The list is not waived, and by the trail it is.
    NotWaived,
}

impl Replay {
    /// Takes the next event of the list.
    pub fn take(&mut self, event: &Event) {
        match event.what {
            What::Waived => self.is_waived = true,
            What::WaiverRevoked => self.is_waived = false,
            What::StartedAgain => {
                let mut closed = std::mem::take(self);
                self.closed = std::mem::take(&mut closed.closed);
                self.closed.push(closed);
            }
            _ => {}
        }
        let Some(id) = event.item_id else { return };
        let state = self.items.entry(id).or_insert(State {
            status: Status::Open,
            is_live: true,
        });
        match event.what {
            What::Checked => state.status = Status::Done,
            What::MarkedNotApplicable => state.status = Status::NotApplicable,
            What::Reopened => state.status = Status::Open,
            What::Deleted => state.is_live = false,
            What::Added | What::Restored => state.is_live = true,
            What::Confirmed
            | What::ReasonChanged
            | What::TextChanged
            | What::NoteChanged
            | What::AssigneeChanged
            | What::DueChanged
            | What::KindChanged
            | What::RequiredChanged
            | What::HelpChanged
            | What::Proposed
            | What::ProposalDeclined
            | What::Signalled
            | What::Moved
            | What::Retired
            | What::FollowedTemplate
            | What::Created
            | What::Refreshed
            | What::Locked
            | What::Unlocked
            | What::FactsChanged
            | What::Waived
            | What::WaiverRevoked
            | What::StartedAgain
            | What::Undone => {}
        }
    }

    /// What the trail says of the closed runs, the first one first.
    #[must_use]
    pub fn closed_runs(&self) -> &[Self] {
        &self.closed
    }

    /// The items of the list that are not as the trail says, and those that it lacks.
    #[must_use]
    pub fn differences(&self, list: &Checklist) -> Vec<Difference> {
        let there = |id: &ItemId| list.items.iter().any(|item| item.id == *id);
        let gone = self
            .items
            .iter()
            .filter(|(id, state)| state.is_live && !there(id));
        let gone = gone.map(|(id, _)| Difference::Missing(*id));
        let other = list.items.iter().filter_map(|item| self.difference(item));
        let waiver = match (list.waived.is_some(), self.is_waived) {
            (true, false) => Some(Difference::Waived),
            (false, true) => Some(Difference::NotWaived),
            _ => None,
        };
        other.chain(gone).chain(waiver).collect()
    }

    fn difference(&self, item: &Item) -> Option<Difference> {
        let state = self.items.get(&item.id).copied();
        let State { status, is_live } = state.unwrap_or(State {
            status: Status::Open,
            is_live: true,
        });
        match (item.is_live(), is_live) {
            (true, false) => Some(Difference::Back(item.id)),
            (false, true) => Some(Difference::Missing(item.id)),
            _ if item.status != status => Some(Difference::Status(item.id, item.status, status)),
            _ => None,
        }
    }
}
