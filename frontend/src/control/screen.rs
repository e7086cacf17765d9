//! The signals that views follow, one for each row and a few for the list.
//!
//! A tick sets the signals of one row and the counts; rows that come, go or move set the list
//! of their group. Written by the controller after every change, read by `components`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use checklist_shared::checklist::Lock;
use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::progress::{Counts, State};
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::{ItemId, Timestamp};

use super::mode::Mode;
use super::shown::Shown;
use crate::state::list::{Affected, ListState, text_of};
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// Rows under one heading, or under none.
#[derive(Default)]
pub struct Group {
    /// Its rows, without the heading.
    pub rows: Shown<Vec<Key>>,
    /// Done, and all that count; for the heading.
    pub tally: Shown<(u32, u32)>,
}

/// What a list of views is keyed by: the groups of a list, and the rows of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A row of a group.
    Row(ItemId),
    /// A section.
    Section(ItemId),
    /// Rows outside of sections; counted, because they may stand between sections.
    Loose(u32),
    /// Rows that the template no longer has.
    Retired,
}

impl Key {
    /// The item behind the key, if there is one.
    #[must_use]
    pub const fn item(self) -> Option<ItemId> {
        match self {
            Self::Row(id) | Self::Section(id) => Some(id),
            Self::Loose(_) | Self::Retired => None,
        }
    }
}

/// One row.
pub struct Row {
    /// The item as shown.
    pub item: Shown<Item>,
    /// Not confirmed by the server yet.
    pub pending: Shown<bool>,
    /// Whether help is shown.
    pub help: Shown<bool>,
    /// What is open in the row. What is typed is noted here without drawing.
    pub panel: Shown<Panel>,
    /// What the person is told here.
    pub notice: Shown<Option<Notice>>,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// Everything that one control shows.
#[derive(Default)]
pub struct Screen {
    /// What may be done, and in which words.
    pub mode: Shown<Mode>,
    /// Whether there is a list.
    pub phase: Shown<Phase>,
    /// Header and footer.
    pub summary: Shown<Summary>,
    /// What the strips say, by itself, so that a tick does not draw them.
    pub strip: Shown<Strip>,
    /// The groups in order.
    pub groups: Shown<Vec<Key>>,
    /// What is told about the list.
    pub messages: Shown<Messages>,
    /// The dry run.
    pub review: Shown<Review>,
    /// Where the field for a new item is open; `None` inside means the end of the list.
    pub adding: Shown<Option<Option<ItemId>>>,
    /// What was typed into it.
    pub new_text: Shown<String>,
    /// What the live region says.
    pub spoken: Shown<String>,
    rows: RefCell<HashMap<ItemId, Rc<Row>>>,
    held: RefCell<Vec<(Key, Rc<Group>)>>,
}

impl Screen {
    /// A screen with nothing on it, in the mode that the control starts in.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        Self {
            mode: Shown::new(mode),
            ..Self::default()
        }
    }

    /// The row of an item.
    #[must_use]
    pub fn row(&self, id: ItemId) -> Option<Rc<Row>> {
        self.rows.borrow().get(&id).cloned()
    }

    /// A group.
    #[must_use]
    pub fn group(&self, key: Key) -> Option<Rc<Group>> {
        self.held
            .borrow()
            .iter()
            .find(|(there, _)| *there == key)
            .map(|(_, group)| Rc::clone(group))
    }

    /// Draws the rows that are affected, and the counts.
    pub fn draw(&self, state: &ListState, affected: &Affected) {
        for id in &affected.ids {
            if let Some(item) = state.list.live(*id) {
                self.draw_row(state, item);
            }
        }
        if affected.structural {
            self.arrange(state);
        }
        for (_, group) in self.held.borrow().iter() {
            group.tally.set(tally(state, group));
        }
    }

    fn draw_row(&self, state: &ListState, item: &Item) {
        let mut rows = self.rows.borrow_mut();
        let row = rows.entry(item.id).or_insert_with(|| {
            Rc::new(Row {
                item: Shown::new(item.clone()),
                pending: Shown::default(),
                help: Shown::default(),
                panel: Shown::default(),
                notice: Shown::default(),
            })
        });
        // Compared by what changes with every change; comparing all fields costs more than a
        // row that is drawn once too often.
        let same = |shown: &Item| {
            let moment = shown.version == item.version && shown.modified_at == item.modified_at;
            // Another language is another text of the same version.
            moment && shown.text == item.text && shown.help == item.help
        };
        if !row.item.with_untracked(same) {
            row.item.update(|shown| shown.clone_from(item));
        }
        row.pending.set(state.is_pending(item.id));
    }

    fn arrange(&self, state: &ListState) {
        let arranged = arrange(state);
        let mut held = self.held.borrow_mut();
        held.retain(|(key, _)| arranged.iter().any(|(there, _)| there == key));
        let keys: Vec<Key> = arranged.iter().map(|(key, _)| *key).collect();
        for (key, rows) in arranged {
            match held.iter().find(|(there, _)| *there == key) {
                Some((_, group)) => group.rows.set(rows),
                None => held.push((
                    key,
                    Rc::new(Group {
                        rows: Shown::new(rows),
                        tally: Shown::default(),
                    }),
                )),
            }
        }
        drop(held);
        self.groups.set(keys);
        self.rows
            .borrow_mut()
            .retain(|id, _| state.list.live(*id).is_some());
    }
}

/// The groups of a list and their rows.
fn arrange(state: &ListState) -> Vec<(Key, Vec<Key>)> {
    let mut groups: Vec<(Key, Vec<Key>)> = Vec::new();
    let mut retired = Vec::new();
    let mut loose = 0;
    let mut section = None;
    for id in state.order() {
        let Some(item) = state.list.live(*id) else {
            continue;
        };
        if item.kind == Kind::Section {
            section = Some(item.id);
            groups.push((Key::Section(item.id), Vec::new()));
            continue;
        }
        if item.retired_at.is_some() {
            retired.push(Key::Row(item.id));
            continue;
        }
        let inside = item.parent_id.is_some() && item.parent_id == section;
        match groups.last_mut() {
            Some((Key::Section(_), rows)) if inside => rows.push(Key::Row(item.id)),
            Some((Key::Loose(_), rows)) => rows.push(Key::Row(item.id)),
            _ => {
                groups.push((Key::Loose(loose), vec![Key::Row(item.id)]));
                loose += 1;
            }
        }
    }
    // A section that the template no longer has goes when nothing is left in it.
    groups.retain(|(key, rows)| match key {
        Key::Section(id) => {
            !rows.is_empty()
                || state
                    .list
                    .live(*id)
                    .is_some_and(|item| item.retired_at.is_none())
        }
        _ => true,
    });
    if !retired.is_empty() {
        groups.push((Key::Retired, retired));
    }
    groups
}

fn tally(state: &ListState, group: &Group) -> (u32, u32) {
    group.rows.with_untracked(|rows| {
        rows.iter()
            .filter_map(|key| state.list.live(key.item()?))
            .filter(|item| item.counts())
            .fold((0, 0), |(done, all), item| match item.status {
                Status::Done => (done + 1, all + 1),
                Status::Open => (done, all + 1),
                Status::NotApplicable => (done, all),
            })
    })
}

/// What header and footer show of a state.
#[must_use]
pub fn summarize(state: &ListState) -> Summary {
    use checklist_shared::template::CompletionRule;
    let (progress, counts) = state.progress();
    let blocking = match state.list.completion_rule() {
        CompletionRule::All => counts.open,
        CompletionRule::Required => counts.required_open,
    };
    let used = u32::try_from(state.list.used()).unwrap_or(u32::MAX);
    let max = u32::try_from(state.meta.limits.items).unwrap_or(u32::MAX);
    let warn_at = u32::try_from(state.meta.limits.warn_at()).unwrap_or(u32::MAX);
    Summary {
        state: progress,
        counts,
        blockers: state.blockers(),
        blocking,
        title: state.meta.title.clone(),
        can_undo: !state.undo.is_empty(),
        room: (used >= warn_at && state.meta.loaded).then(|| max.saturating_sub(used)),
    }
}

/// The details of an item as the editor shows them.
#[must_use]
pub fn details_of(item: &Item) -> Details {
    Details {
        note: Some(item.note.clone().unwrap_or_default()),
        assignee: Some(item.assignee.clone().unwrap_or_default()),
        due: Some(item.due),
    }
}

/// The values of an item that a host is told before and after a change.
#[must_use]
pub fn value_of(item: &Item, what: &str) -> Option<String> {
    match what {
        "check" | "uncheck" | "not-applicable" => Some(
            match item.status {
                Status::Open => "Open",
                Status::Done => "Done",
                Status::NotApplicable => "NotApplicable",
            }
            .to_owned(),
        ),
        "note" => item.note.clone(),
        "assignee" => item.assignee.clone(),
        "move" => None,
        "due" => item.due.map(|due: Timestamp| crate::api::write::iso(due)),
        _ => Some(text_of(item).to_owned()),
    }
}
