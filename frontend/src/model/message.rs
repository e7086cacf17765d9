//! The messages: everything that [`update`](super::update()) handles.
//!
//! Plain data. What the model cannot compute itself (time, randomness, new ids) is passed next to a
//! message as [`MessageContext`].

use std::rc::Rc;

use checklist_shared::ItemId;
use checklist_shared::item::{Actor, Status};
use checklist_shared::proposal::Decision;
use checklist_shared::wire::history::ItemHistory;
use checklist_shared::wire::write::{RefreshChange, WriteOutcome};

use super::bulk::Bulk;
use super::draft::StoredDraft;
use super::dragging::DropPosition;
use super::error::Error;
use super::item_fields::DetailField;
use super::operation::{Action, Operation};
use super::selecting::SelectionChange;
use super::served::ServedList;
use super::sync::Connection;
use super::unsent::UnsentStorage;
use super::view_data::{Panel, Presence};
use super::visibility::ViewChoice;
use crate::port::{CancelableEvent, Person, Settings};

/// Somebody who waits for an answer, by a number of the runtime's.
pub type WaiterId = u32;

/// The inputs that accompany each message: new ones every time.
#[derive(Clone, Copy, Debug)]
pub struct MessageContext {
    /// Milliseconds since 1970.
    pub now: i64,
    /// From 0 to 255, by chance.
    pub chance: u8,
    /// An id for an operation.
    pub operation: ItemId,
    /// An id for an item.
    pub item: ItemId,
}

/// An event that the model handles.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The control begins: with a list that a server has drawn, else by loading.
    Begin(Option<Box<ServedList>>),
    /// Other settings, and the language of the page for those that name none.
    Configure(Rc<Settings>, String),
    /// Somebody wants everything to be sent, and to know when it is.
    Flush(WaiterId),
    /// Somebody wants the list to be read again.
    Refresh(WaiterId),
    /// A form was reset.
    Reset,
    /// What was done in a draft before its page was left.
    BringBack(StoredDraft),
    /// A form waits for the queue for so long that a person notices; or no longer.
    SubmitWaits(bool),
    /// The page is about to be printed; or has been.
    Print(bool),
    /// The element has left the page.
    End,

    /// A person does something in the view.
    Do(UserAction),
    /// The host has been asked and has not stopped it.
    Allowed(Box<GuardedAction>),

    /// The whole list, and who the token says is reading it.
    ListRead(u32, Result<Box<ServedList>, Error>, Option<Actor>),
    /// The changes since the last read.
    ChangesRead(u32, Result<Box<ServedList>, Error>),
    /// Who the token says is reading a list that a server has drawn.
    Identified(u32, Actor),
    /// A token speaks for somebody else than the person whose list this is.
    OtherPerson,
    /// What was not sent when a page of this person was left.
    Recalled(Vec<Operation>),
    /// Where operations that are not sent yet are kept.
    Stored(UnsentStorage),
    /// What this person has chosen to see of this list on an earlier page.
    ViewRecalled(ViewChoice),
    /// The answer to the operation of that id.
    Answered(String, Result<WriteOutcome, Error>),
    /// A page of an item's history, from that place on.
    HistoryRead(ItemId, Option<u64>, Result<ItemHistory, Error>),
    /// People whom the host has found for a field of that row, by the number of the question.
    PeopleFound(Option<ItemId>, u32, Result<Vec<Person>, String>),
    /// What a refresh would change, seen from that revision.
    Reviewed(u64, Result<Vec<RefreshChange>, Error>),

    /// A change of the list from the live stream.
    Heard(Box<Change>),
    /// The people on the list.
    Present(Presence),
    /// Whether the stream of changes is open, or why not.
    Stream(Connection),
    /// The page is looked at again.
    Back,
    /// The network is there again.
    Online,
    /// A time has passed.
    Over(Timer),
}

/// An action of a person.
#[derive(Clone, Debug)]
pub enum UserAction {
    /// Sets the status, with the reason of "not applicable".
    SetStatus(ItemId, Status, Option<String>),
    /// Accepts or declines the proposal of an item.
    Decide(ItemId, Decision),
    /// Adds an item at the end of the list or of a section.
    Add(String, Option<ItemId>),
    /// Pastes lines, for the end of the list or of a section.
    Paste(String, Option<ItemId>),
    /// Adds the pasted lines, with these ids.
    AddPasted(Vec<ItemId>),
    /// Puts the pasted lines into the field as one.
    PasteAsOne,
    /// Adds none of the pasted lines.
    DropPaste,
    /// Deletes an item.
    Delete(ItemId),
    /// Moves an item by one step, up or down.
    MoveBy(ItemId, bool),
    /// Drops an item that was dragged.
    Drop(ItemId, DropPosition),
    /// Opens the text in its place.
    EditText(ItemId),
    /// Opens note, assignee and due date.
    EditDetails(ItemId, DetailField),
    /// Offers people for a field of a row, or of the bar of a selection: whose names begin like that, or
    /// nobody any more.
    Suggest(Option<ItemId>, DetailField, Option<String>),
    /// Goes to the next of them, or up to the one before.
    StepSuggestion(Option<ItemId>, bool),
    /// Opens the history of an item.
    OpenHistory(ItemId),
    /// Goes on with what is older in it.
    MoreHistory(ItemId),
    /// Opens the question for the reason of a status.
    AskReason(ItemId, Status),
    /// Opens the question for evidence and answer, without which the item is not done.
    AskSupport(ItemId),
    /// Opens what was typed into a change that did not happen.
    EditAgain(ItemId),
    /// Stores what was typed into what is open in a row.
    Save(ItemId, Panel),
    /// Opens something in a row; the selector says what of it takes the focus.
    Open(ItemId, Panel, &'static str),
    /// Leaves what is open in a row; a form of details keeps what was changed in it.
    Close(ItemId),
    /// Takes the notice of a row away.
    Dismiss(ItemId),
    /// Keeps the own text against somebody else's.
    KeepMine(ItemId),
    /// Takes the template's text instead of one's own.
    UseTemplateText(ItemId),
    /// Takes back the last operation, or that one.
    Undo(Option<String>),
    /// Redoes the last undone operation.
    Redo,
    /// Asks what the template's new version would bring.
    Review,
    /// Takes over what was shown.
    ApplyRefresh,
    /// Waives the list for that reason, or revokes its waiver.
    Waive(String, bool),
    /// Loads again after a failure.
    LoadAgain,
    /// Tries to send again now.
    TryAgain,
    /// Hides what is done, or shows it again.
    HideDone(bool),
    /// Collapses a section, or expands it again.
    Collapse(ItemId, bool),
    /// Shows the rows with those words alone.
    Search(String),
    /// Shows a row that is about to get the focus.
    Reveal(ItemId),
    /// Changes which rows are selected.
    Pick(SelectionChange),
    /// Does something to all that is selected.
    Bulk(Bulk),
    /// Checks every item of a section, or unchecks it.
    CheckSection(ItemId, bool),
}

/// An action that the host may stop, and what follows when it does not.
#[derive(Clone, Debug)]
pub struct GuardedAction {
    /// The cancelable event that precedes it.
    pub before: CancelableEvent,
    /// The action.
    pub action: Action,
    /// The follow-up of the action.
    pub then: FollowUp,
}

/// The follow-up of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// There is no follow-up.
    Nothing,
    /// The new status of the item is said, or that it waits for a second person.
    SayStatus(ItemId, Status),
    /// A proposal was accepted, which set that status, or declined; the row takes the focus, because
    /// the buttons are gone.
    SayDecision(ItemId, Option<Status>),
    /// An item was added.
    SayAdded,
    /// So many items were added at once.
    SayManyAdded(u32),
    /// The text of the item that was deleted, and the row that takes the focus.
    OfferUndo(String, Option<ItemId>),
    /// How many were changed is said; the row takes the focus where they are gone.
    SayMany(Option<ItemId>),
    /// "Saved." is said once the server has it.
    SaySaved,
    /// The new place is said.
    SayPlace(ItemId),
    /// The review is closed.
    CloseReview,
    /// The form of the waiver is closed.
    CloseWaiver,
}

/// A change of the list from the live stream.
#[derive(Clone, Debug)]
pub struct Change {
    /// As GetItems would have answered it.
    pub list: ServedList,
    /// The revision that it builds on.
    pub since: Option<u64>,
    /// There is no telling what has changed.
    pub reset: bool,
    /// The operation that has made it.
    pub operation: Option<String>,
}

/// A time that passes, with the number under which it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Until an operation is sent again.
    Retry(u32),
    /// Until a list that could not be loaded is asked for again.
    Load(u32),
    /// Until those who wait for the queue are answered at the latest.
    Flush(u32),
    /// Until the host is asked for people, after the last letter.
    Suggest(Option<ItemId>, u32),
    /// Until the reader sees that people are being loaded.
    SuggestSlow(Option<ItemId>, u32),
    /// While a row shows what somebody has just done.
    Fresh(u32),
}
