//! The effects that [`update`](super::update()) returns.
//!
//! Effects run in order. An effect without data reads the model at the time it runs,
//! because a listener of the host may have called back in between.

use checklist_shared::wire::history::GetItemHistory;
use checklist_shared::{Context, ItemId};

use super::list::DirtyRows;
use super::message::{GuardedAction, Timer, WaiterId};
use super::operation::Operation;
use super::visibility::ViewChoice;
use crate::port::{ChangeDetail, ErrorDetail, TokenReason};

/// One thing to do.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Render rows and their order.
    Draw(DirtyRows),
    /// The same for other people's changes: the focus stays where it is.
    DrawCalmly(DirtyRows),
    /// Draw a row whose notice, editor or mark has changed.
    DrawRow(ItemId),
    /// Render everything outside the rows.
    DrawFace,
    /// Notify the host of the state, if it has changed.
    Publish,
    /// Ask the host whether this may happen; if so, it returns as `Msg::Allowed`.
    Ask(Box<GuardedAction>),
    /// Tell the host what a person has changed.
    Changed(ChangeDetail),
    /// Tell the host what went wrong.
    Error(ErrorDetail),
    /// The same for the notice of a row, with the code of the problem.
    ErrorAtRow(String, ItemId),
    /// Answer somebody who waits.
    Answer(WaiterId, Result<(), ErrorDetail>),

    /// Read a list or a template; the answer carries the number.
    Read(u32, Source),
    /// Read what has changed since that revision.
    ReadChanges(u32, Context, u64),
    /// Learn from the token who reads.
    Identify(u32, Context),
    /// Send an operation.
    Send(Context, Box<Operation>, TokenReason),
    /// Ask what a refresh to that version would change, seen from that revision.
    DryRun(Context, Option<u32>, u64),

    /// Ask the host for people whose names start with that; the answer carries row and number.
    FindPeople(Option<ItemId>, u32, String),
    /// Read a page of an item's history.
    ReadHistory(Box<GetItemHistory>),

    /// Look for what this person has left unsent in this list.
    Recall,
    /// Keep an operation until it is confirmed.
    Store(Box<Operation>),
    /// Remove that operation: it was confirmed, rejected or undone.
    Discard(String),

    /// Look for what this person has chosen to see of this list.
    RecallView,
    /// Store the viewer's choice.
    StoreView(ViewChoice),

    /// Say a sentence to those who do not see the change.
    Say(String),
    /// Say the notice of a row.
    SayRow(ItemId),
    /// Put the focus somewhere.
    Focus(Focus),
    /// Tell after so many milliseconds that they have passed.
    Wait(u32, Timer),
}

/// The data that a read loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The list of an object.
    List(Context),
    /// A template that is shown as a list.
    Template(String),
    /// The template of a type, for a purpose.
    Type(String, String),
}

/// The target of the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// A row.
    Row(ItemId),
    /// Something in a row.
    InRow(ItemId, &'static str),
    /// The first thing in the control that fits.
    First(&'static str),
    /// The first open item.
    FirstOpen,
}
