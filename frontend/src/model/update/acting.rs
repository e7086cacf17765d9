//! What a person does to items: checking, adding, deleting, and the steps common to all actions.
//!
//! Each action asks the host, applies the change by the rules that the server uses, notifies the host
//! and starts sending.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::proposal::Decision;
use checklist_shared::text::text_hash;
use checklist_shared::wire::write::AddItem;

use crate::model::effect::{Effect, Focus};
use crate::model::item_fields::DetailField;
use crate::model::list::text_of;
use crate::model::message::{FollowUp, GuardedAction};
use crate::model::moves;
use crate::model::notice::{Notice, RejectionReason, TypedText};
use crate::model::operation::{Action, Operation, based_on, new_item};
use crate::model::state::Model;
use crate::model::support::StatusSupport;
use crate::model::view_data::Review;
use crate::port::{CancelableEvent, ChangeDetail};

impl Model {
    /// Sets the status. Nothing happens when it is that already.
    pub(super) fn set_status(&mut self, id: ItemId, status: Status, given: StatusSupport) {
        let Some(item) = self.item(id).filter(|_| self.mode.check) else {
            return;
        };
        let mut update = based_on(&item);
        update.status = Some(status);
        given.put_into(&mut update, &item, status);
        if status != Status::Open {
            update.seen_text_hash = self.read_hash(&item);
        }
        let action = Action::Update(Box::new(update));
        self.ask(
            CancelableEvent::Check,
            action,
            FollowUp::SayStatus(id, status),
        );
    }

    /// The hash of the wording that the person has read: under an open form the one that it was opened with,
    /// because the row is not drawn meanwhile. The server refuses an outdated one.
    fn read_hash(&self, item: &Item) -> Option<String> {
        let seen = self.rows.get(item.id).and_then(|row| row.seen.as_ref());
        match seen.and_then(|seen| seen.text_in(self.mode.tag)) {
            Some(text) if text != text_of(item) => Some(text_hash(text)),
            _ => self.list.seen_hash(item),
        }
    }

    /// Accepts or declines what is proposed. Nothing happens when it is decided by now.
    pub(super) fn decide(&mut self, id: ItemId, decision: Decision) {
        let Some(item) = self.item(id).filter(|_| self.mode.check) else {
            return;
        };
        let Some(proposed) = item.open_proposal().map(|open| open.status) else {
            return;
        };
        let status = (decision == Decision::Accept).then_some(proposed);
        let mut update = based_on(&item);
        update.proposal = Some(decision);
        update.status = status;
        if status.is_some_and(|status| status != Status::Open) {
            update.seen_text_hash = self.read_hash(&item);
        }
        let action = Action::Update(Box::new(update));
        let then = FollowUp::SayDecision(id, status);
        self.ask(CancelableEvent::Check, action, then);
    }

    /// Adds an item at the end of the list or of a section. The field stays for the next one.
    pub(super) fn add(&mut self, text: &str, section: Option<ItemId>) {
        let text = text.trim();
        if text.is_empty() || !self.mode.add {
            return;
        }
        if let Some(section) = section {
            self.expand(section);
        }
        let id = self.given.item;
        let item = AddItem {
            parent_id: section,
            ..new_item(id, text)
        };
        let action = Action::Add(id, Box::new(item));
        self.ask(CancelableEvent::Edit, action, FollowUp::SayAdded);
    }

    /// Deletes an item; the undo is offered without a clock.
    pub(super) fn delete(&mut self, id: ItemId) {
        let Some(item) = self.item(id).filter(|item| item.retired_at.is_none()) else {
            return;
        };
        if !self.mode.delete {
            return;
        }
        let next = moves::neighbor(&self.list, id).filter(|next| !self.is_folded(*next));
        let next = next.or_else(|| self.neighbor_drawn(id));
        let then = FollowUp::OfferUndo(text_of(&item).to_owned(), next);
        self.ask(CancelableEvent::Delete, Action::Delete(id), then);
    }

    /// Asks the host, which may stop it.
    pub(super) fn ask(&mut self, before: CancelableEvent, action: Action, then: FollowUp) {
        self.effects.push(Effect::Ask(Box::new(GuardedAction {
            before,
            action,
            then,
        })));
    }

    /// Does what the host has not stopped.
    pub(super) fn act(&mut self, act: GuardedAction) {
        let GuardedAction { action, then, .. } = act;
        let (id, what) = (action.item(), action.what());
        let old = self.value_of(id, what);
        let typed = TypedText::of(&action);
        // What a person does something to stays in sight, also where it is not what is searched for.
        let touched = action.affected_items(&self.list.list);
        let items = action.ids();
        let operation = Operation {
            id: self.given.operation.to_text(),
            action,
        };
        let operation_id = operation.id.clone();
        match self.list.dispatch(operation, self.given.now) {
            Ok(Some(affected)) => {
                self.show_while_searching(&touched);
                self.draw(affected);
            }
            Ok(None) => return,
            Err(code) => {
                self.refuse(id, RejectionReason::of_item(code), typed);
                return;
            }
        }
        if let Some(id) = id {
            // The person continues, so the notice about the last change ends.
            self.rows.change(id, |row| row.notice = None);
            self.effects.push(Effect::DrawRow(id));
        }
        self.keep_unsent();
        self.publish();
        self.effects.push(Effect::Changed(ChangeDetail {
            what,
            item: id,
            items,
            before: old,
            after: self.value_of(id, what),
        }));
        self.follow(then, operation_id);
        self.send();
    }

    /// The rules say no before the server is asked.
    pub(super) fn refuse(
        &mut self,
        id: Option<ItemId>,
        refusal: RejectionReason,
        typed: Option<TypedText>,
    ) {
        match id.filter(|id| self.is_drawn(*id)) {
            Some(id) => self.note_at_row(id, Notice::Refused(refusal, typed)),
            None => {
                self.say(refusal.sentence(self.texts()));
                self.card.messages.refused = Some(refusal);
                self.effects.push(Effect::DrawFace);
            }
        }
    }

    pub(super) fn awaits_second(&self, id: ItemId) -> bool {
        (self.list.live(id)).is_some_and(Item::awaits_confirmation)
    }

    fn takes_second(&self, id: ItemId) -> bool {
        (self.list.live(id)).is_some_and(|item| item.second_person)
    }

    fn follow(&mut self, then: FollowUp, operation: String) {
        match then {
            FollowUp::Nothing => {}
            FollowUp::SayStatus(id, _) if self.awaits_second(id) => {
                self.say(self.texts().awaits_second().to_owned());
            }
            FollowUp::SayStatus(_, status) => self.say_status(status),
            FollowUp::SayDecision(id, status) => {
                match status {
                    Some(status) => self.say_status(status),
                    None if self.takes_second(id) => self.say_status(Status::Open),
                    None => self.say(self.texts().said_declined().to_owned()),
                }
                self.effects.push(Effect::Focus(Focus::Row(id)));
            }
            FollowUp::SayAdded => {
                self.card.new_text.clear();
                self.effects.push(Effect::DrawFace);
                self.say_with_count(self.texts().said_added());
            }
            FollowUp::SayManyAdded(count) => self.say_many_added(count),
            FollowUp::SayMany(next) => self.after_bulk_change(next, operation),
            FollowUp::OfferUndo(text, next) => {
                self.card.messages.deleted = Some((vec![text], operation));
                self.effects.push(Effect::DrawFace);
                self.say_with_count(self.texts().said_deleted());
                self.effects.push(Effect::Focus(next.map_or(
                    Focus::First(".add input, .add button, .messages button"),
                    Focus::Row,
                )));
            }
            FollowUp::SaySaved => self.unsaid.push(operation),
            FollowUp::SayPlace(id) => self.say_place(id),
            FollowUp::CloseReview => {
                self.card.review = Review::Closed;
                self.effects.push(Effect::DrawFace);
                self.effects.push(Effect::Focus(Focus::FirstOpen));
            }
            FollowUp::CloseWaiver => {
                self.card.waiving = None;
                self.effects.push(Effect::DrawFace);
                self.effects.push(Effect::Focus(Focus::FirstOpen));
            }
        }
    }

    /// The value of an item that events report before and after a change.
    fn value_of(&self, id: Option<ItemId>, what: &str) -> Option<String> {
        let item = self.list.live(id?)?;
        match what {
            "check" | "uncheck" | "not-applicable" => {
                let status = match item.status {
                    Status::Open => "Open",
                    Status::Done => "Done",
                    Status::NotApplicable => "NotApplicable",
                };
                Some(status.to_owned())
            }
            "move" => None,
            _ => {
                let mut fields = DetailField::ALL.into_iter();
                match fields.find(|field| field.what() == what) {
                    Some(field) => field.value(item),
                    None => Some(text_of(item).to_owned()),
                }
            }
        }
    }
}
