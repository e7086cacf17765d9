//! What a person can do: every action, from the question to the host to the first drawing.
//!
//! Each asks the host, shows the change by the same rules that the server uses, tells the host,
//! says it and starts sending. Called by `components` and `keyboard`.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::{AddItem, UpdateItem};
use leptos::prelude::*;

use super::Controller;
use super::mode::Mode;
use super::port::{Before, ChangeDetail};
use crate::browser;
use crate::model::list::text_of;
use crate::model::notice::{Notice, Refusal, Typed};
use crate::model::operation::{Action, Operation};

impl Controller {
    /// The item as it is shown.
    pub(crate) fn item(&self, id: ItemId) -> Option<Item> {
        self.with_state(|state| state.live(id).cloned())
    }

    pub(crate) fn mode(&self) -> Mode {
        self.screen().mode.get_untracked()
    }

    /// Sets the status. Nothing happens when it is that already.
    pub(crate) fn set_status(&self, id: ItemId, status: Status, reason: Option<String>) -> bool {
        let Some(item) = self.item(id) else {
            return false;
        };
        if !self.mode().check {
            return false;
        }
        let mut update = based_on(&item);
        update.status = Some(status);
        if status == Status::NotApplicable {
            update.reason = reason.map_or(Patch::Clear, Patch::Set);
        }
        if status != Status::Open {
            update.seen_text_hash = self.with_state(|state| state.seen_hash(&item));
        }
        let done = self.act(Before::Check, Action::Update(Box::new(update)));
        if done {
            let texts = self.texts();
            let said = match status {
                Status::Done => texts.said_checked(),
                Status::Open => texts.said_opened(),
                Status::NotApplicable => texts.said_not_applicable(),
            };
            self.announce_with_count(said);
        }
        done
    }

    /// Adds an item at the end of the list or of a section. The field stays for the next one.
    pub(crate) fn add(&self, text: &str, section: Option<ItemId>) {
        let text = text.trim();
        if text.is_empty() || !self.mode().add {
            return;
        }
        let id = browser::new_id();
        let item = AddItem {
            id: Some(id),
            text: text.to_owned(),
            kind: Default::default(),
            parent_id: section,
            after_id: None,
            before_id: None,
            required: false,
            help: None,
            note: None,
            assignee: None,
            due: None,
        };
        if self.act(Before::Edit, Action::Add(id, Box::new(item))) {
            self.show(|face| face.new_text.clear());
            self.announce_with_count(self.texts().said_added());
        }
    }

    /// Deletes an item; the undo is offered without a clock.
    pub(crate) fn delete(&self, id: ItemId) {
        let Some(item) = self.item(id) else { return };
        if !self.mode().delete || item.retired_at.is_some() {
            return;
        }
        let next = self.neighbour(id);
        if !self.act(Before::Delete, Action::Delete(id)) {
            return;
        }
        let text = text_of(&item).to_owned();
        let operation = self.with_state(|state| state.queue.last_id());
        self.show(|face| {
            face.messages.deleted = operation.map(|operation| (text, operation));
        });
        self.announce_with_count(self.texts().said_deleted());
        match next {
            Some(next) => self.focus_row(next),
            None => self.focus_on(".add input, .add button, .messages button"),
        }
    }

    /// Does it: asks, shows, tells, sends. `false` when the host or the rules said no.
    pub(super) fn act(&self, before: Before, action: Action) -> bool {
        let id = action.item();
        if !self.host().before(before, id) {
            return false;
        }
        let what = action.what();
        let old = id
            .and_then(|id| self.item(id))
            .and_then(|item| value_of(&item, what));
        let typed = Typed::of(&action);
        let operation = Operation {
            id: browser::new_id().to_text(),
            action,
        };
        let shown = self
            .inner()
            .state
            .borrow_mut()
            .dispatch(operation, browser::now());
        match shown {
            Ok(Some(affected)) => self.draw(&affected),
            Ok(None) => return false,
            Err(code) => {
                let refusal = Refusal::of_item(code);
                match id.filter(|id| self.screen().row(*id).is_some()) {
                    Some(id) => self.say_at_row(id, Notice::Refused(refusal, typed)),
                    None => {
                        self.announce(refusal.sentence(self.texts()));
                        self.show(|face| face.messages.refused = Some(refusal));
                    }
                }
                return false;
            }
        }
        if let Some(id) = id {
            // The person has gone on; what was told about the last change is over.
            self.show_row(id, |row| row.notice = None);
        }
        self.remember();
        self.publish();
        let new = id
            .and_then(|id| self.item(id))
            .and_then(|item| value_of(&item, what));
        self.host().user_change(ChangeDetail {
            what,
            item: id,
            before: old,
            after: new,
        });
        self.send();
        true
    }
}

/// An update on the version that is shown.
pub(super) fn based_on(item: &Item) -> UpdateItem {
    let mut update = UpdateItem::of(item.id);
    update.base_version = Some(item.version);
    update
}

/// The values of an item that a host is told before and after a change.
#[must_use]
fn value_of(item: &Item, what: &str) -> Option<String> {
    match what {
        "check" | "uncheck" | "not-applicable" => Some(item.status.name().to_owned()),
        "note" => item.note.clone(),
        "assignee" => item.assignee.clone(),
        "move" => None,
        "due" => item.due.map(|due| due.to_string()),
        _ => Some(text_of(item).to_owned()),
    }
}
