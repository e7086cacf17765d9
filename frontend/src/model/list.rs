//! The list as displayed: the server's items, with the pending operations applied on top.
//!
//! Owns the queue, the overlay and the undo stack, so that the three cannot disagree.
//! `adopt` applies answers and rejections.

pub mod adopt;

use std::cell::Cell;
use std::sync::Arc;

use checklist_shared::assignee::{Assignee, ambiguous_names};
use checklist_shared::change::Session;
use checklist_shared::change::allowed::{may_be_info, may_change_definition, needed_to_redefine};
use checklist_shared::definition::{DefinitionField as Field, DefinitionFields};
use checklist_shared::item::{Actor, Kind};
use checklist_shared::limits::Limits;
use checklist_shared::order;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::progress::{self, Counts, State};
use checklist_shared::text::{Text, text_hash};
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::{Checklist, Context, Item, ItemId, Timestamp};

use super::operation::{Action, Operation};
use super::optimistic::Overlay;
use super::queue::Queue;
use super::served::ServedList;
use super::undo::{RedoStep, UndoStack};

/// What is known about the list besides its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// Whether items have come at all.
    pub loaded: bool,
    /// The list's name.
    pub title: Option<String>,
    /// The changes of a newer template version, as numbers.
    pub update: Option<TemplateUpdate>,
    /// The number of the run, if it is a closed one.
    pub run: Option<u32>,
    /// The reader's permissions.
    pub permissions: Permissions,
    /// The limits of the list.
    pub limits: Limits,
}

/// The rows that have to be rendered again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirtyRows {
    /// Rows whose content may have changed.
    pub ids: Vec<ItemId>,
    /// Whether rows may have come, gone or changed places.
    pub structural: bool,
}

/// The list on the screen.
#[derive(Debug)]
pub struct ListState {
    /// The items as shown, the server's and the waiting operations' together.
    pub list: Checklist,
    /// Everything besides the items.
    pub meta: Meta,
    /// The pending operations.
    pub queue: Queue,
    /// The operations that the person can undo.
    pub undo: UndoStack,
    /// Who the person is, as far as the token says.
    pub me: Actor,
    overlay: Overlay,
    /// The texts as served: a tick claims the hash of one only while that text is shown.
    served_texts: Vec<(ItemId, String)>,
    /// The names that several assignees of the list have.
    pub ambiguous_names: Vec<String>,
    /// Display order, kept because counting blockers needs it after every tick.
    order: Vec<ItemId>,
    /// The index of the last lookup, where the next one starts.
    found: Cell<usize>,
}

/// What an undo amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoStep {
    /// There is nothing to undo.
    Nothing,
    /// The operation had not been sent: it is gone.
    Withdrawn(Operation, DirtyRows),
    /// The server has to undo the operation of that id.
    Ask(String),
}

impl ListState {
    /// A list of which nothing is known yet.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self {
            list: Checklist::empty(context, Timestamp::from_millis(0)),
            meta: Meta::default(),
            queue: Queue::default(),
            undo: UndoStack::default(),
            me: Actor::person("", ""),
            overlay: Overlay::default(),
            served_texts: Vec::new(),
            ambiguous_names: Vec::new(),
            order: Vec::new(),
            found: Cell::new(0),
        }
    }

    /// Shows an operation and puts it into the queue. `None`: everything is as wanted already.
    ///
    /// # Errors
    /// Why the rules refuse it; nothing has changed.
    pub fn dispatch(
        &mut self,
        operation: Operation,
        now: i64,
    ) -> Result<Option<DirtyRows>, ItemProblemCode> {
        let ids = operation.action.affected_items(&self.list);
        let structural = operation.action.is_structural() && !operation.action.is_step();
        let session = session(&self.me, &self.meta, now);
        if !self
            .overlay
            .show(&mut self.list, &operation.action, &session)?
        {
            return Ok(None);
        }
        let id = operation.id.clone();
        match operation.action {
            Action::Undo(_) => self.undo.push_undone(RedoStep::ByServer(id)),
            Action::Redo(_) => self.undo.push_again(id),
            // Revoking takes it back, with a reason of its own.
            Action::Waive { .. } => {}
            _ => self.undo.push(id),
        }
        self.queue.push(operation);
        if structural {
            self.reorder();
        }
        Ok(Some(DirtyRows { ids, structural }))
    }

    /// Takes up an operation from before a reload. What the rules refuse by now waits all the same:
    /// the server refuses it too, and says whose doing that is, so nothing is lost unseen.
    pub fn take_up(&mut self, operation: Operation, now: i64) -> Option<DirtyRows> {
        let shown = self.dispatch(operation.clone(), now);
        // What is as wanted already may be so only because one before it is not shown.
        let is_superfluous = shown == Ok(None) && self.queue.is_empty();
        let affected = shown.unwrap_or_default();
        if affected.is_none() && !is_superfluous {
            self.queue.push(operation);
        }
        affected
    }

    /// Takes in what GetItems answered.
    pub fn load(&mut self, served: ServedList, now: i64) -> DirtyRows {
        let full = !served.delta;
        self.list.revision = served.revision;
        self.list.template = Some(served.template);
        self.list.locked = served.locked;
        self.list.waived = served.waived;
        self.meta = Meta {
            loaded: true,
            title: served.title,
            update: served.update,
            run: served.run,
            permissions: served.permissions,
            limits: served.limits,
        };
        if full {
            self.served_texts.clear();
        }
        let mut news = Vec::with_capacity(served.items.len());
        for item in served.items {
            if !full {
                self.remember_text(&item);
            } else if !served.is_draft {
                self.push_text(&item);
            }
            news.push((item.id, Some(item)));
        }
        let mut ids: Vec<ItemId> = news.iter().map(|(id, _)| *id).collect();
        if full {
            // Everything at once: a search for each of ten thousand items would be felt.
            self.list.items = news
                .into_iter()
                .filter_map(|(_, item)| item.map(Arc::new))
                .collect();
            self.overlay = Overlay::default();
            news = Vec::new();
        } else {
            news.extend(served.removed.into_iter().map(|id| (id, None)));
        }
        ids.extend(self.settle(news, now));
        self.reorder();
        ids.extend(self.compare_assignees());
        DirtyRows {
            ids,
            structural: true,
        }
    }

    /// Takes the person's last operation back, here if it was not sent yet.
    pub fn undo(&mut self, now: i64) -> UndoStep {
        match self.undo.pop() {
            Some(id) => self.take_back(id, now),
            None => UndoStep::Nothing,
        }
    }

    /// Takes a certain operation of the person's back, whatever was done since.
    pub fn undo_operation(&mut self, id: &str, now: i64) -> UndoStep {
        if !self.undo.forget(id) {
            return UndoStep::Nothing;
        }
        self.take_back(id.to_owned(), now)
    }

    fn take_back(&mut self, id: String, now: i64) -> UndoStep {
        match self.queue.withdraw(&id) {
            Some(operation) => {
                let affected = self.resettle(now);
                // An undo or a redo that was not sent leaves nothing behind.
                if !operation.action.is_step() {
                    self.undo.push_undone(RedoStep::Here(operation.clone()));
                }
                UndoStep::Withdrawn(operation, affected)
            }
            None => UndoStep::Ask(id),
        }
    }

    /// Forgets every operation that was not sent yet.
    pub fn reset(&mut self, now: i64) -> DirtyRows {
        for operation in self.queue.clear_unsent() {
            self.undo.forget(&operation.id);
            self.undo.forget_undone(&operation.id);
        }
        self.resettle(now)
    }

    /// State and counts; `Unknown` until items have come.
    #[must_use]
    pub fn progress(&self) -> (State, Counts) {
        if self.meta.loaded {
            progress::of_items(&self.list)
        } else {
            (State::Unknown, Counts::default())
        }
    }

    /// The same without what still waits for the server.
    #[must_use]
    pub fn confirmed_progress(&self) -> (State, Counts) {
        if self.queue.is_empty() || !self.meta.loaded {
            return self.progress();
        }
        progress::of_items(&self.overlay.confirmed_list(&self.list))
    }

    /// The first items that keep the list from being complete, with their texts.
    #[must_use]
    pub fn blockers(&self) -> Vec<(ItemId, String)> {
        let rule = self.list.completion_rule();
        let items = self.order.iter().filter_map(|id| self.live(*id));
        progress::blockers(items, rule)
            .map(|item| (item.id, text_of(item).to_owned()))
            .collect()
    }

    /// The ids of all rows, in display order.
    #[must_use]
    pub fn order(&self) -> &[ItemId] {
        &self.order
    }

    /// The hash that a tick of this item sends: of the text that is on the screen. The items of
    /// a draft have none, because no server has served them.
    #[must_use]
    pub fn seen_hash(&self, item: &Item) -> Option<String> {
        let (_, text) = self.served_texts.iter().find(|(id, _)| *id == item.id)?;
        (text == text_of(item)).then(|| text_hash(text))
    }

    /// The item of that id, unless it is deleted. Items are asked for one after the other most of
    /// the time, so looking begins at the one that was found last.
    #[must_use]
    #[inline(never)]
    pub fn live(&self, id: ItemId) -> Option<&Item> {
        let items = &self.list.items;
        let (before, after) = items.split_at(self.found.get().min(items.len()));
        let ahead = after.iter().chain(before).position(|item| item.id == id)?;
        let at = (before.len() + ahead) % items.len();
        self.found.set(at);
        items
            .get(at)
            .map(|item| &**item)
            .filter(|item| item.is_live())
    }

    /// What of the item's definition the person may change.
    #[must_use]
    pub fn changeable(&self, item: &Item) -> DefinitionFields {
        let may_have = |kind, required| {
            let needed = needed_to_redefine(item, kind, required);
            self.meta.permissions.holds(needed)
        };
        let may_change = |field: &Field| {
            may_change_definition(&self.list, item, *field)
                && match field {
                    Field::Help => true,
                    // Also where all items count: it protects from deletion.
                    Field::Required => item.kind == Kind::Item && may_have(item.kind, false),
                    Field::Kind => may_be_info(item) && may_have(Kind::Info, item.required),
                }
        };
        Field::ALL.into_iter().filter(may_change).collect()
    }

    /// Whether a change of this item is not confirmed yet.
    #[must_use]
    pub fn is_pending(&self, id: ItemId) -> bool {
        self.overlay.covers(id)
    }

    fn remember_text(&mut self, item: &Item) {
        self.served_texts.retain(|(id, _)| *id != item.id);
        self.push_text(item);
    }

    /// The same for an item that is known to be new here, without a search.
    fn push_text(&mut self, item: &Item) {
        self.served_texts.push((item.id, text_of(item).to_owned()));
    }

    fn settle(&mut self, news: Vec<(ItemId, Option<Item>)>, now: i64) -> Vec<ItemId> {
        let waiting = self.queue.actions();
        let session = session(&self.me, &self.meta, now);
        self.overlay
            .settle(&mut self.list, news, &waiting, &session)
    }

    fn resettle(&mut self, now: i64) -> DirtyRows {
        let ids = self.settle(Vec::new(), now);
        self.reorder();
        DirtyRows {
            ids,
            structural: true,
        }
    }

    /// Finds the names that do not tell assignees apart. Returns the rows that say more or less because
    /// of it than before.
    pub fn compare_assignees(&mut self) -> Vec<ItemId> {
        let items = || self.list.items.iter().filter(|item| item.is_live());
        let names = ambiguous_names(items().filter_map(|item| item.assignee.as_ref()));
        if names == self.ambiguous_names {
            return Vec::new();
        }
        let before = &self.ambiguous_names;
        let is_concerned = |who: &Assignee| who.distinction(before) != who.distinction(&names);
        let concerned = items().filter(|item| item.assignee.as_ref().is_some_and(is_concerned));
        let ids = concerned.map(|item| item.id).collect();
        self.ambiguous_names = names;
        ids
    }

    fn reorder(&mut self) {
        self.order = order::display(&self.list)
            .into_iter()
            .map(|item| item.id)
            .collect();
    }
}

/// The text of an item; here it is always in one language.
#[must_use]
pub fn text_of(item: &Item) -> &str {
    resolve(&item.text)
}

/// The one wording of a text that was served for one language.
#[must_use]
pub fn resolve(text: &Text) -> &str {
    text.resolve(&[])
}

fn session<'a>(me: &'a Actor, meta: &'a Meta, now: i64) -> Session<'a> {
    Session {
        actor: me,
        permissions: meta.permissions,
        now: Timestamp::from_millis(now),
        limits: &meta.limits,
        languages: &[],
    }
}
