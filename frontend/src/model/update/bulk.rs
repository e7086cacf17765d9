//! One action on several items at once: one operation, one undo.
//!
//! Only what the person may change is sent; items that were skipped, here or by the server, are named
//! by their texts, and the rest is done. A selection larger than one call can carry is rejected as a
//! whole.

use checklist_shared::ItemId;
use checklist_shared::assignee::Assignee;
use checklist_shared::change::allowed::{may_delete, may_set_status, takes_support};
use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use crate::i18n::{Plural, plural};
use crate::model::bulk::{Bulk, SkipReason};
use crate::model::effect::{Effect, Focus};
use crate::model::list::{ListState, text_of};
use crate::model::message::FollowUp;
use crate::model::operation::{Action, based_on};
use crate::model::state::Model;
use crate::port::CancelableEvent;

impl Model {
    /// Checks or unchecks every item of a section, as far as the person may; of a search those
    /// that are found.
    pub(super) fn check_section(&mut self, section: ItemId, is_checked: bool) {
        let (items, search) = (self.list.order().iter().copied(), &self.card.search);
        let inside = |id: &ItemId| {
            let item = self.list.live(*id);
            item.is_some_and(|item| item.parent_id == Some(section) && !search.hides(item.id))
        };
        let ids = items.filter(inside).collect();
        self.check_all(ids, is_checked);
    }

    /// Does something to all that is selected.
    pub(super) fn change_selected(&mut self, bulk: Bulk) {
        let ids = self.selected_rows();
        match bulk {
            Bulk::Check(is_checked) => self.check_all(ids, is_checked),
            Bulk::Assign(who) => self.assign_all(ids, &who),
            Bulk::Delete => self.delete_all(ids),
        }
    }

    fn check_all(&mut self, ids: Vec<ItemId>, is_checked: bool) {
        let (from, to) = if is_checked {
            (Status::Open, Status::Done)
        } else {
            (Status::Done, Status::Open)
        };
        // What waits for a second person is confirmed one by one, not in passing.
        let is_meant = |item: &Item| {
            item.kind == Kind::Item && item.status == from && !item.awaits_confirmation()
        };
        let items = self.live_items(ids, is_meant);
        let (me, permissions) = (&self.list.me, self.list.meta.permissions);
        let may_check = self.mode.check;
        // Evidence, an answer, and the reason to override a signal are of one item.
        let needs_more =
            |item: &Item| (is_checked && takes_support(item)) || item.would_override(to);
        let may =
            |item: &Item| may_check && !needs_more(item) && may_set_status(item, me, permissions);
        let (items, left) = items.into_iter().partition(may);
        let updates = self.updates(items, |state, item, update| {
            update.status = Some(to);
            if to == Status::Done {
                update.seen_text_hash = state.seen_hash(item);
            }
        });
        let texts = self.texts();
        let text = if is_checked {
            texts.said_many_checked()
        } else {
            texts.said_many_opened()
        };
        self.ask_all(
            CancelableEvent::Check,
            Action::UpdateAll(updates),
            left,
            text,
        );
    }

    fn assign_all(&mut self, ids: Vec<ItemId>, who: &Assignee) {
        let items = self.live_items(ids, |item| item.kind == Kind::Item);
        let items = if self.mode.edit { items } else { Vec::new() };
        let wanted = who.tidy();
        let is_changed =
            |item: &Item| Assignee::is_changed(item.assignee.as_ref(), wanted.as_ref());
        let others = items.into_iter().filter(is_changed);
        let updates = self.updates(others.collect(), |_, _, update| {
            update.assignee = wanted.clone().map_or(Patch::Clear, Patch::Set);
        });
        self.card.selected.assignee = None;
        self.effects.push(Effect::DrawFace);
        self.effects
            .push(Effect::Focus(Focus::First(".selection .assign")));
        let text = self.texts().said_many_assigned();
        self.ask_all(
            CancelableEvent::Edit,
            Action::UpdateAll(updates),
            Vec::new(),
            text,
        );
    }

    fn delete_all(&mut self, ids: Vec<ItemId>) {
        let items = self.live_items(ids, |_| true);
        let (list, permissions) = (&self.list.list, self.list.meta.permissions);
        let may_delete_any = self.mode.delete;
        let may = |item: &Item| may_delete_any && may_delete(list, item.id, permissions);
        let (items, left): (Vec<Item>, Vec<Item>) = items.into_iter().partition(may);
        let ids = items.into_iter().map(|item| item.id).collect();
        let text = self.texts().many_deleted();
        self.ask_all(CancelableEvent::Delete, Action::DeleteAll(ids), left, text);
    }

    fn live_items(&self, ids: Vec<ItemId>, is_meant: impl Fn(&Item) -> bool) -> Vec<Item> {
        let items = ids.into_iter().filter_map(|id| self.item(id));
        let there = items.filter(|item| item.retired_at.is_none());
        there.filter(is_meant).collect()
    }

    fn updates(
        &self,
        items: Vec<Item>,
        change: impl Fn(&ListState, &Item, &mut UpdateItem),
    ) -> Vec<UpdateItem> {
        let updates = items.iter().map(|item| {
            let mut update = based_on(item);
            change(&self.list, item, &mut update);
            update
        });
        updates.collect()
    }

    /// Asks the host about each of them, and says what is left out.
    fn ask_all(&mut self, before: CancelableEvent, action: Action, left: Vec<Item>, text: Plural) {
        let most = self.list.meta.limits.batch;
        let left = left.iter().map(|item| text_of(item).to_owned());
        self.card.messages.left_out = SkipReason::of(left.collect());
        let is_too_much = action.ids().len() > most;
        if is_too_much {
            self.say_left_out(SkipReason::AtOnce(u32::try_from(most).unwrap_or(u32::MAX)));
            return;
        }
        self.effects.push(Effect::DrawFace);
        if action.ids().is_empty() {
            self.say_count(text, 0);
        } else {
            let next = self.row_beside(&action.ids());
            self.ask(before, action, FollowUp::SayMany(next));
        }
    }

    /// What follows when several items were changed by that operation.
    pub(super) fn after_bulk_change(&mut self, next: Option<ItemId>, operation: String) {
        let done = self.list.queue.iter().find(|one| one.id == operation);
        let Some(action) = done.map(|one| one.action.clone()) else {
            return;
        };
        if let Action::DeleteAll(ids) = &action {
            let gone = ids.iter().filter_map(|id| self.list.list.any(*id));
            let texts = gone.map(|item| text_of(item).to_owned()).collect();
            self.card.messages.deleted = Some((texts, operation));
            self.effects.push(Effect::DrawFace);
            let nowhere = Focus::First(".add input, .add button, .messages button");
            self.effects
                .push(Effect::Focus(next.map_or(nowhere, Focus::Row)));
        }
        let texts = self.texts();
        let text = match (&action, action.what()) {
            (Action::DeleteAll(_), _) => texts.many_deleted(),
            (_, "check") => texts.said_many_checked(),
            (_, "uncheck") => texts.said_many_opened(),
            _ => texts.said_many_assigned(),
        };
        let ids = action.ids();
        let waits = ids.iter().filter(|id| self.awaits_second(**id)).count();
        if waits > 0 {
            self.say(self.texts().awaits_second().to_owned());
        }
        self.say_count(text, ids.len() - waits);
    }

    /// The first row behind those that is shown and stays, else the last before them.
    fn row_beside(&self, gone: &[ItemId]) -> Option<ItemId> {
        let rows = self.selectable_rows();
        let at = rows.iter().position(|id| gone.contains(id))?;
        let (before, after) = rows.split_at(at);
        let next = after.iter().find(|id| !gone.contains(id));
        next.or_else(|| before.last()).copied()
    }

    fn say_count(&mut self, text: Plural, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let said = plural(self.mode.words, text, count, &[]);
        let left = self.card.messages.left_out.as_ref();
        let left = left.map(|left| left.sentence(self.mode.words));
        self.say_with_count([&said, " ", &left.unwrap_or_default()].concat().trim_end());
    }

    /// Tells what was left out of several items.
    pub(super) fn say_left_out(&mut self, left: SkipReason) {
        self.say(left.sentence(self.mode.words));
        self.card.messages.left_out = Some(left);
        self.effects.push(Effect::DrawFace);
    }
}
