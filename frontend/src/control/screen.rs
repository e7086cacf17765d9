//! What views show, beside the list itself: one value for the control and one for each row.
//!
//! A tick changes the value of its row and that of the control, and both are drawn again; what
//! is alike on the page stays as it is. Written by the controller after every change, read by
//! `components`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use checklist_shared::ItemId;
use checklist_shared::checklist::Lock;
use checklist_shared::progress::{Counts, State};
use checklist_shared::wire::list::TemplateUpdate;

use super::arrange::arrange;
use super::mode::Mode;
use super::shown::Shown;
use crate::components::element::Key;
use crate::state::list::{Affected, ListState};
use crate::state::notice::{Details, Notice, Refusal};
use crate::state::served::ServedChange;

/// Whether there is a list to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// On its way.
    #[default]
    Loading,
    /// There.
    Ready,
    /// It could not be loaded.
    Failed(Refusal),
}

/// What header and footer show.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The state.
    pub state: State,
    /// The counts.
    pub counts: Counts,
    /// What keeps the list from being complete.
    pub blockers: Vec<(ItemId, String)>,
    /// How many block in all.
    pub blocking: u32,
    /// The list's name.
    pub title: Option<String>,
    /// Whether something can be taken back.
    pub can_undo: bool,
    /// Items that still fit in, once there are few.
    pub room: Option<u32>,
}

/// What the strips under the head say.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    /// A newer template version.
    pub update: Option<TemplateUpdate>,
    /// The lock.
    pub locked: Option<Lock>,
    /// Whether operations wait because the server cannot be reached.
    pub offline: bool,
    /// Whether there is no object yet.
    pub draft: bool,
}

/// The group of what the template no longer has.
pub const RETIRED: Key = (None, u32::MAX);

/// One row, beside its item.
#[derive(Default)]
pub struct Row {
    /// Whether help is shown.
    pub help: bool,
    /// What is open in the row. What is typed is noted here without drawing.
    pub panel: Panel,
    /// What the person is told here.
    pub notice: Option<Notice>,
    /// What somebody else has just done here; shown for a moment.
    pub fresh: Option<Fresh>,
}

/// What somebody else has just done to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// Who.
    pub who: String,
    /// Whether it was checked; else anything else was changed.
    pub checked: bool,
    /// Which piece of news it came with, so that it goes with it.
    pub news: u32,
}

/// What is open in a row. Holds what was typed, so that nothing that is drawn anew loses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// Nothing.
    #[default]
    Closed,
    /// The menu; `true`: above the button, because there is no room below.
    Menu(bool),
    /// The text, and the version that it is based on.
    Text(String, u64),
    /// Note, assignee and due date, and the version that they are based on.
    Details(Details, u64),
    /// Why it does not apply; whether a missing reason was complained about.
    Reason(String, bool),
    /// Where to move.
    Position(String),
}

/// A field of the details editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The note.
    Note,
    /// The assignee.
    Assignee,
    /// The due date.
    Due,
}

/// What the person is told about the list.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// Something was refused and there is no row to say it at.
    pub refused: Option<Refusal>,
    /// The text of what was deleted last, and the operation; the undo is beside it.
    pub deleted: Option<(String, String)>,
    /// Why nothing went to the journal.
    pub journal: Option<String>,
    /// Sign-in is needed before anything more is sent.
    pub sign_in: bool,
}

/// Who is on the list beside this person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Those who are known by name.
    pub named: Vec<String>,
    /// How many more there are.
    pub more: u32,
}

/// The dry run of a refresh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Review {
    /// Not asked for.
    #[default]
    Closed,
    /// Put off until another version comes.
    NotNow(u32),
    /// On its way.
    Asked,
    /// What would change, and the revision that this is about.
    Shown(Vec<ServedChange>, u64),
}

/// Everything that one control shows, but for its rows.
#[derive(Default)]
pub struct Face {
    /// What may be done, and in which words.
    pub mode: Mode,
    /// Whether there is a list.
    pub phase: Phase,
    /// Header and footer.
    pub summary: Summary,
    /// What the strips say.
    pub strip: Strip,
    /// What is told about the list.
    pub messages: Messages,
    /// The dry run.
    pub review: Review,
    /// Where the field for a new item is open; `None` inside means the end of the list.
    pub adding: Option<Option<ItemId>>,
    /// What was typed into it.
    pub new_text: String,
    /// Who else is on the list.
    pub others: Others,
    /// Whether the list of a compact control is open.
    pub opened: bool,
    /// What the live region says.
    pub spoken: String,
}

/// Rows that are drawn at once: more than a screen holds. In longer lists what follows is drawn
/// bit by bit, in moments when the browser has nothing else to do.
pub const AT_ONCE: usize = 100;
/// Rows of a long list that are put together.
pub const BLOCK: usize = 50;

/// The groups of a list in order, each with its rows: sections by their item, what stands
/// outside of them by a number, and [`RETIRED`].
pub type Groups = Vec<(Key, Vec<ItemId>)>;

/// How many rows there are.
#[must_use]
pub fn count_of(groups: &Groups) -> usize {
    groups.iter().map(|(_, rows)| rows.len()).sum()
}

/// A row that is held, by its item.
type Held = (ItemId, Rc<Shown<Row>>);

/// Everything that one control shows.
#[derive(Default)]
pub struct Screen {
    /// All but the rows.
    pub face: Shown<Face>,
    /// Which rows there are, and where.
    pub groups: Shown<Groups>,
    /// How many of them, from the top, are drawn so far.
    pub drawn: Shown<usize>,
    rows: RefCell<Vec<Held>>,
    /// Where a row was found last.
    found: Cell<usize>,
}

impl Screen {
    /// Nothing is on it any more.
    pub fn clear(&self) {
        self.face.note(|face| *face = Face::default());
        self.groups.note(Groups::clear);
        self.rows.take();
        self.found.set(0);
    }

    /// The row of an item. Rows are asked for one after the other most of the time, so looking
    /// begins behind the one that was found last.
    #[must_use]
    #[inline(never)]
    pub fn row(&self, id: ItemId) -> Option<Rc<Shown<Row>>> {
        let rows = self.rows.borrow();
        let (before, after) = rows.split_at_checked(self.found.get())?;
        let of_item = |(there, _): &&Held| *there == id;
        let held = after.iter().chain(before).position(|row| of_item(&row))?;
        let at = (self.found.get() + held) % rows.len();
        self.found.set(at);
        rows.get(at).map(|(_, row)| Rc::clone(row))
    }

    /// The rows that somebody is typing into.
    #[must_use]
    pub fn edited(&self) -> Vec<ItemId> {
        let is_edited = |row: &Row| !matches!(row.panel, Panel::Closed | Panel::Menu(_));
        let rows = self.rows.borrow();
        let edited = rows.iter().filter(|(_, row)| row.read(is_edited));
        edited.map(|(id, _)| *id).collect()
    }

    /// Draws the rows that are affected, and the counts.
    pub fn draw(&self, state: &ListState, affected: &Affected) {
        if affected.structural {
            self.arrange(state);
        }
        for id in &affected.ids {
            if let Some(row) = self.row(*id) {
                row.change(|_| {});
            }
        }
    }

    fn arrange(&self, state: &ListState) {
        let rows: Vec<Held> = state
            .order()
            .iter()
            .map(|id| (*id, self.row(*id).unwrap_or_default()))
            .collect();
        self.rows.replace(rows);
        self.found.set(0);
        let groups = arrange(state);
        let is_long = count_of(&groups) > AT_ONCE;
        self.drawn
            .note(|drawn| *drawn = AT_ONCE.max(if is_long { *drawn } else { 0 }));
        self.groups.change(|shown| *shown = groups);
    }

    /// Whether some rows are not drawn yet.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.drawn.read(|drawn| *drawn) < self.groups.read(count_of)
    }

    /// Draws so many rows more.
    pub fn draw_more(&self, rows: usize) {
        self.drawn.change(|drawn| *drawn += rows);
    }
}
