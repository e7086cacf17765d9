//! Applies other people's changes as they arrive.
//!
//! Each change has the form of a GetItems answer; if one does not follow the known revision, the list
//! is read instead. A row that is being edited is not touched until its editor is closed.

use checklist_shared::item::{ActorKind, Status};
use checklist_shared::{Item, ItemId};

use crate::i18n::actor::name_of;
use crate::model::effect::Effect;
use crate::model::list::DirtyRows;
use crate::model::message::{Change, Timer};
use crate::model::notice::RejectionReason;
use crate::model::served::ServedList;
use crate::model::state::Model;
use crate::model::sync::{Connection, SyncProblem};
use crate::model::view_data::{Presence, RecentChange};

/// Milliseconds for which a row shows what somebody has just done; the style sheet fades it.
const SHOWN: u32 = 5_000;

/// What is older by the clock of this machine is not called "just now", in milliseconds.
const RECENT: i64 = 120_000;

impl Model {
    /// A change of the list, or its state as the stream has begun.
    pub(super) fn receive_change(&mut self, change: Change) {
        if !self.is_ready() {
            return;
        }
        let Change {
            mut list,
            since,
            reset,
            operation,
        } = change;
        let mine = self.list.list.revision;
        // The items of a list that was never written are those of its template.
        let other_template =
            list.revision == 0 && self.list.list.template.as_ref() != Some(&list.template);
        if reset || other_template {
            self.load();
        } else if list.revision < mine || self.is_own(operation.as_deref()) {
            // Known already, or known as soon as the answer is here.
        } else if list.revision > mine && since.is_none_or(|since| since > mine) {
            self.read();
        } else {
            list.delta = true;
            if list.revision == mine {
                list.items.clear();
                list.removed.clear();
            }
            self.apply_served(list);
        }
    }

    /// Shows what has changed, and says what that was and whose doing.
    pub(super) fn apply_served(&mut self, served: ServedList) {
        let said = self
            .changed_by(&served)
            .map(|who| self.sentence_of(&who, &served));
        if served.delta {
            self.mark_fresh(&served.items);
        }
        self.show_served(served);
        self.publish();
        if let Some(said) = said {
            self.say_with_count(&said);
        }
    }

    /// Who else is on the list: the complete list each time. Empty if the host hides presence, in
    /// the element and in Leptos alike.
    pub(super) fn present(&mut self, mut others: Presence) {
        if self.settings.hide_presence {
            others = Presence::default();
        }
        if self.card.others != others {
            self.card.others = others;
            self.effects.push(Effect::DrawFace);
        }
    }

    /// The stream is open, or cannot be opened.
    pub(super) fn stream(&mut self, connection: Connection) {
        let cut_off = match connection {
            Connection::Online => None,
            Connection::Offline => Some(SyncProblem::Unreachable),
            Connection::NoToken => Some(SyncProblem::NoToken),
        };
        if self.cut_off == cut_off {
            return;
        }
        let before = self.connection();
        self.cut_off = cut_off;
        self.publish();
        self.forget_sign_in(before);
        if cut_off.is_none() {
            self.wake();
            self.send();
            return;
        }
        // There is no knowing who is there any more.
        self.present(Presence::default());
        if self.connection() != before {
            self.say_connection();
        }
    }

    /// Whether the change is that of the operation which is on its way.
    fn is_own(&self, operation: Option<&str>) -> bool {
        let first = self.list.queue.iter().next();
        first.is_some_and(|first| operation == Some(first.id.as_str()))
    }

    /// The name of the person who made the change, unless it was this person in another tab.
    fn changed_by(&self, served: &ServedList) -> Option<String> {
        if !served.delta {
            return None;
        }
        let items = served.items.iter();
        // What a template has brought along was not the doing of it.
        let last = items.max_by_key(|item| {
            let somebody = item.modified_by.kind != ActorKind::Program;
            (somebody, item.modified_at)
        });
        match last.map(|item| &item.modified_by) {
            Some(by) => (!self.list.me.is_same(by)).then(|| name_of(by, self.texts())),
            None => (!served.removed.is_empty()).then(|| self.texts().somebody().to_owned()),
        }
    }

    /// Renders other people's changes, except in rows that are being edited: they would move while
    /// the person types.
    pub(super) fn draw_calmly(&mut self, mut affected: DirtyRows) {
        affected.structural |= self.concerns_hidden(&affected);
        affected.ids.extend(self.list.compare_assignees());
        let edited = self.rows.edited_rows();
        if !edited.is_empty() {
            self.held_back = true;
            affected.structural = false;
            let list = &self.list;
            affected
                .ids
                .retain(|id| !edited.contains(id) && list.live(*id).is_some());
        }
        self.arrange(&affected);
        self.effects.push(Effect::DrawCalmly(affected));
    }

    /// Draws what was held back, when nothing is edited any more.
    pub(super) fn draw_held_back(&mut self) {
        if self.rows.edited_rows().is_empty() && std::mem::take(&mut self.held_back) {
            self.draw(DirtyRows {
                ids: self.list.order().to_vec(),
                structural: true,
            });
        }
    }

    /// What was typed for an item that somebody has deleted meanwhile is kept to be added.
    pub(super) fn keep_typed(&mut self, text: &str) {
        self.say(RejectionReason::ItemGone.sentence(self.texts()));
        self.card.messages.refused = Some(RejectionReason::ItemGone);
        if self.card.new_text.is_empty() && !text.is_empty() {
            text.clone_into(&mut self.card.new_text);
            self.card.adding.get_or_insert(None);
        }
        self.effects.push(Effect::DrawFace);
    }

    /// Whether there is such a row on the screen.
    pub(super) fn is_drawn(&self, id: ItemId) -> bool {
        self.list.live(id).is_some() || self.rows.get(id).is_some()
    }

    /// The row after a row that is on the screen, else the one before.
    pub(super) fn neighbor_drawn(&self, id: ItemId) -> Option<ItemId> {
        let rows = self.groups.iter().flat_map(|(_, rows)| rows);
        let mut rows = rows.filter(|row| **row == id || !self.card.search.hides(**row));
        let mut before = None;
        while let Some(row) = rows.next() {
            if *row == id {
                return rows.next().copied().or(before);
            }
            before = Some(*row);
        }
        None
    }

    /// Notes at each row who else has just changed it.
    fn mark_fresh(&mut self, items: &[Item]) {
        let news = self.next_number();
        let edited = self.rows.edited_rows();
        let mut is_marked = false;
        for item in items {
            let by = &item.modified_by;
            let others = by.kind != ActorKind::Program
                && !by.is_same(&self.list.me)
                && !edited.contains(&item.id);
            if !others || self.given.now - item.modified_at.as_millis() > RECENT {
                continue;
            }
            let fresh = RecentChange {
                who: name_of(by, self.texts()),
                checked: item.status == Status::Done && item.status_at == Some(item.modified_at),
                news,
            };
            // Drawn with the change itself.
            self.rows.change(item.id, |row| row.fresh = Some(fresh));
            is_marked = true;
        }
        if is_marked {
            self.effects.push(Effect::Wait(SHOWN, Timer::Fresh(news)));
        }
    }
}
