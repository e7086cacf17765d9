//! What views show besides the list: plain data for the control and for each row.
//!
//! Independent of rendering. Input is stored here too, so that rendering a row again does not lose it.

use checklist_shared::ItemId;
use checklist_shared::checklist::ListMark;
use checklist_shared::item::Status;
use checklist_shared::progress::{Counts, State};
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::RefreshChange;

use super::bulk::SkipReason;
use super::details::DetailsForm;
use super::history::History;
use super::item_fields::Details;
use super::list::ListState;
use super::notice::{Notice, RejectionReason};
use super::pasting::Pasted;

use super::search::Search;
use super::seen::SeenItem;
use super::selecting::SelectionSummary;
use super::support::SupportForm;
use super::visibility::VisibilityView;

/// Whether there is a list to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The list is being loaded.
    #[default]
    Loading,
    /// The list is loaded.
    Ready,
    /// It could not be loaded.
    Failed(RejectionReason),
}

/// The content of header and footer.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The state.
    pub state: State,
    /// The counts.
    pub counts: Counts,
    /// The first blockers.
    pub blockers: Vec<(ItemId, String)>,
    /// The number of all blockers.
    pub blocking: u32,
    /// The list's name.
    pub title: Option<String>,
    /// Whether there is something to undo.
    pub can_undo: bool,
    /// Whether there is something to redo.
    pub can_redo: bool,
    /// Items that still fit in, once there are few.
    pub room: Option<u32>,
}

impl Summary {
    /// The summary of a list.
    #[must_use]
    pub fn of(state: &ListState) -> Self {
        let (reached, counts) = state.progress();
        let blocking = counts.blocking(state.list.completion_rule());
        let used = u32::try_from(state.list.used()).unwrap_or(u32::MAX);
        let max = u32::try_from(state.meta.limits.items).unwrap_or(u32::MAX);
        let warn_at = u32::try_from(state.meta.limits.warn_at()).unwrap_or(u32::MAX);
        Self {
            state: reached,
            counts,
            blockers: state.blockers(),
            blocking,
            title: state.meta.title.clone(),
            can_undo: !state.undo.is_empty(),
            can_redo: state.undo.can_redo(),
            room: (used >= warn_at && state.meta.loaded).then(|| max.saturating_sub(used)),
        }
    }
}

/// The content of the strips below the header.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    /// A newer template version.
    pub update: Option<TemplateUpdate>,
    /// The lock.
    pub locked: Option<ListMark>,
    /// The waiver.
    pub waived: Option<ListMark>,
    /// Whether operations wait because the server cannot be reached.
    pub offline: bool,
    /// What is to be known of sending, in a sentence; empty where there is nothing.
    pub sending: String,
    /// Whether there is no object yet.
    pub draft: bool,
}

/// One row, besides its item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Whether help is shown.
    pub help: bool,
    /// What is open in the row. What is typed is noted here without drawing.
    pub panel: Panel,
    /// The item as it is drawn while something is edited in the row.
    pub seen: Option<SeenItem>,
    /// What was changed in a form of details that was left, and the version that it is based on.
    pub unsaved: Option<(Details, u64)>,
    /// The notice at the row.
    pub notice: Option<Notice>,
    /// Whether the row is selected.
    pub selected: bool,
    /// What somebody else has just done here; shown for a moment.
    pub fresh: Option<RecentChange>,
}

/// What somebody else has just done to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentChange {
    /// The person's name.
    pub who: String,
    /// Whether it was checked; else anything else was changed.
    pub checked: bool,
    /// The change that it belongs to, so that both are removed together.
    pub news: u32,
}

/// What is open in a row. Contains the input, so that rendering the row again does not lose it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// No editor is open.
    #[default]
    Closed,
    /// The menu; `true`: above the button, because there is no space below.
    Menu(bool),
    /// The text, and the version that it is based on.
    Text(String, u64),
    /// Note, assignee and due date.
    Details(Box<DetailsForm>),
    /// Why it does not apply, or has another status than its signal says; which status; whether a
    /// missing reason was complained about.
    Reason(String, Status, bool),
    /// What the item is done with; whether something missing was complained about.
    Support(Box<SupportForm>, bool),
    /// The position to move to, as typed.
    Position(String),
    /// The history of the item.
    History(History),
}

impl Panel {
    /// Whether somebody types into it, so that the row is not drawn again for what others do.
    #[must_use]
    pub const fn is_edited(&self) -> bool {
        !matches!(self, Self::Closed | Self::Menu(_) | Self::History(_))
    }
}

/// A message about the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Something was refused and there is no row to say it at.
    pub refused: Option<RejectionReason>,
    /// The texts of the last deleted items, and the operation, for the undo button next to them.
    pub deleted: Option<(Vec<String>, String)>,
    /// The items that a bulk action skipped.
    pub left_out: Option<SkipReason>,
    /// Why nothing went to the journal.
    pub journal: Option<String>,
    /// No token is to be had, and nothing is sent before there is one.
    pub sign_in: bool,
}

/// Who is on the list besides this person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Those who are known by name.
    pub named: Vec<String>,
    /// The number of further people.
    pub more: u32,
}

/// The dry run of a refresh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Review {
    /// The review is not open.
    #[default]
    Closed,
    /// Postponed until there is another version.
    NotNow(u32),
    /// The dry run is in flight.
    Asked,
    /// What would change, and the revision that this is about.
    Shown(Vec<RefreshChange>, u64),
}

/// The form that waives a list, or revokes its waiver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaiverForm {
    /// Whether it revokes.
    pub revokes: bool,
    /// The reason, as typed.
    pub reason: String,
    /// Whether a missing reason was complained about.
    pub is_missing: bool,
}

/// Everything that one control shows, but for its rows and what may be done.
#[derive(Clone, Debug, Default)]
pub struct CardState {
    /// Whether there is a list.
    pub phase: Phase,
    /// Header and footer.
    pub summary: Summary,
    /// The hidden rows.
    pub view: VisibilityView,
    /// The search.
    pub search: Search,
    /// The selection.
    pub selected: SelectionSummary,
    /// The strips.
    pub strip: Strip,
    /// The messages about the list.
    pub messages: Messages,
    /// The dry run.
    pub review: Review,
    /// Where the field for a new item is open; `None` inside means the end of the list.
    pub adding: Option<Option<ItemId>>,
    /// The text in the field for a new item.
    pub new_text: String,
    /// The form of a waiver, while it is open.
    pub waiving: Option<WaiverForm>,
    /// Lines that were pasted and are asked about.
    pub pasted: Option<Pasted>,
    /// The people on the list.
    pub others: Presence,
    /// Whether the list of a compact control is open.
    pub opened: bool,
    /// The text of the live region.
    pub spoken: String,
}
