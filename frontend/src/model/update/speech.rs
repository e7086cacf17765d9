//! The texts of announcements, and the progress of the list in words.
//!
//! Nothing is announced as saved before the server has stored it.

use checklist_shared::ItemId;
use checklist_shared::item::{ActorKind, Item, Status};

use crate::i18n::{fill, plural};
use crate::model::effect::Effect;
use crate::model::list::text_of;
use crate::model::notice::Notice;
use crate::model::operation::{Action, Operation};
use crate::model::sentences::count_sentence;
use crate::model::served::ServedList;
use crate::model::state::Model;
use crate::model::sync::Connection;
use crate::model::view_data::Summary;

impl Model {
    /// Announces a sentence.
    pub(super) fn say(&mut self, sentence: String) {
        self.effects.push(Effect::Say(sentence));
    }

    /// Says what a person has done, and how far the list is now; and that it is not saved yet,
    /// while it cannot be.
    pub(super) fn say_with_count(&mut self, sentence: &str) {
        let summary = Summary::of(&self.list);
        let count = count_sentence(&summary, self.mode.words);
        let mut said = [sentence, &count].join(" ");
        if self.connection() != Connection::Online && !self.list.queue.is_empty() {
            said = [said.trim_end(), self.texts().not_saved_yet()].join(" ");
        }
        self.say(said.trim().to_owned());
    }

    /// Says the new status of an item.
    pub(super) fn say_status(&mut self, status: Status) {
        let texts = self.texts();
        self.say_with_count(match status {
            Status::Done => texts.said_checked(),
            Status::Open => texts.said_opened(),
            Status::NotApplicable => texts.said_not_applicable(),
        });
    }

    /// Says that a step of the server's is done.
    pub(super) fn say_step(&mut self, operation: &Operation) {
        let texts = self.texts();
        match operation.action {
            Action::Undo(_) => self.say_with_count(texts.said_undone()),
            Action::Redo(_) => self.say_with_count(texts.said_redone()),
            Action::Refresh { .. } => self.say_with_count(texts.said_refreshed()),
            Action::Waive { revoke: true, .. } => self.say_with_count(texts.said_waiver_revoked()),
            // The count says it.
            Action::Waive { .. } => self.say_with_count(""),
            _ => {}
        }
    }

    /// Says "Saved." of an operation that has waited for that, unless it was not to be.
    pub(super) fn say_saved(&mut self, id: &str, is_saved: bool) {
        let waiting = self.unsaid.len();
        self.unsaid.retain(|unsaid| unsaid != id);
        if is_saved && self.unsaid.len() < waiting {
            self.say(self.texts().said_saved().to_owned());
        }
    }

    /// Says what is wrong with the connection, and what becomes of unsent changes.
    pub(super) fn say_connection(&mut self) {
        let texts = self.texts();
        let problem = match self.connection() {
            Connection::NoToken => texts.error_sign_in(),
            Connection::Offline | Connection::Online => "",
        };
        let said = [problem, &self.unsent_sentence()].join(" ");
        if !said.trim().is_empty() {
            self.say(said.trim().to_owned());
        }
    }

    /// Puts a notice at a row and says it.
    pub(super) fn note_at_row(&mut self, id: ItemId, notice: Notice) {
        if self.show_at_row(id, notice) {
            self.effects.push(Effect::SayRow(id));
        }
    }

    /// Puts a notice at a row, if it is there: one of several that are said together.
    pub(super) fn show_at_row(&mut self, id: ItemId, notice: Notice) -> bool {
        let is_drawn = self.is_drawn(id);
        if is_drawn {
            self.rows.change(id, |row| row.notice = Some(notice));
            self.effects.push(Effect::DrawRow(id));
        }
        is_drawn
    }

    /// What others have done, in a sentence with the person's name.
    #[must_use]
    pub(super) fn sentence_of(&self, who: &str, served: &ServedList) -> String {
        let texts = self.texts();
        let said = |text: &str, item: &Item| fill(text, &[("who", who), ("text", text_of(item))]);
        let items = || served.items.iter();
        // The first write of a list brings all that its template has in it.
        let of_people = |item: &&Item| item.modified_by.kind != ActorKind::Program;
        let mut changed: Vec<&Item> = items().filter(of_people).collect();
        if changed.is_empty() {
            changed = items().collect();
        }
        match (changed.as_slice(), served.removed.as_slice()) {
            ([item], []) => said(self.item_sentence(item), item),
            ([], [id]) => match self.list.live(*id) {
                Some(item) => said(texts.other_deleted(), item),
                None => fill(texts.said_changed(), &[("who", who)]),
            },
            (items, removed) => {
                let count = u32::try_from(items.len() + removed.len()).unwrap_or(u32::MAX);
                plural(self.mode.words, texts.other_many(), count, &[("who", who)])
            }
        }
    }

    /// The sentence for what has become of one item.
    fn item_sentence(&self, item: &Item) -> &'static str {
        let texts = self.texts();
        let Some(before) = self.list.live(item.id) else {
            return texts.other_added();
        };
        if before.status == item.status {
            return texts.other_changed();
        }
        match item.status {
            Status::Done => texts.other_checked(),
            Status::Open => texts.other_opened(),
            Status::NotApplicable => texts.other_not_applicable(),
        }
    }
}
