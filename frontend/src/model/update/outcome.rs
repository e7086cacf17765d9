//! The consequences of an operation's result: rendering, announcements, events for the host.
//!
//! `list` applies the answer itself; here person and host are notified, once.

use checklist_shared::ItemId;

use crate::model::bulk::SkipReason;
use crate::model::effect::Effect;
use crate::model::list::adopt::OperationOutcome;
use crate::model::operation::Operation;
use crate::model::state::Model;
use crate::port::ErrorDetail;

impl Model {
    /// Renders the result of an operation, announces it and notifies the host.
    pub(super) fn adopt(&mut self, operation: &Operation, adopted: OperationOutcome) {
        let is_step = operation.action.is_step() && adopted.refused.is_none();
        self.keep_unsent();
        self.draw(adopted.affected.clone());
        let explained = !adopted.notices.is_empty() || adopted.refused.is_some();
        self.say_saved(&operation.id, !explained);
        for (id, notice) in adopted.notices.clone() {
            if operation.action.is_bulk() {
                self.show_at_row(id, notice);
            } else {
                self.note_at_row(id, notice);
            }
        }
        if let Some(left) = SkipReason::of(adopted.left_out.clone()) {
            self.say_left_out(left);
        }
        if let Some(refusal) = &adopted.refused {
            self.say(refusal.sentence(self.texts()));
            self.ask_waiver_again(&operation.action);
        }
        self.show_adopted(&adopted);
        self.publish();
        if let Some((code, item)) = adopted.problem {
            self.error_at_row(code, item);
        }
        if is_step {
            // Said when the list was read, because only then the count is right.
            self.reading.step = Some(operation.clone());
        }
        if adopted.refetch || is_step {
            self.read();
        }
    }

    fn error_at_row(&mut self, code: String, item: ItemId) {
        self.effects.push(Effect::ErrorAtRow(code.clone(), item));
        self.flush.failed.get_or_insert(ErrorDetail {
            code,
            status: 422,
            message: String::new(),
            item: Some(item),
        });
    }

    fn show_adopted(&mut self, adopted: &OperationOutcome) {
        let told = self.journal_told;
        let journal = adopted.journal_reason.clone().filter(|_| !told);
        self.journal_told |= journal.is_some();
        let messages = &mut self.card.messages;
        messages.refused = adopted.refused.clone().or(messages.refused.take());
        messages.journal = journal.or(messages.journal.take());
        let unadded = adopted.unadded.as_deref();
        if let Some(lines) = unadded.filter(|text| text.contains('\n')) {
            self.paste_again(lines);
        } else if let Some(text) = unadded {
            // Typed text is never lost; what is being typed now comes first, though.
            if self.card.new_text.is_empty() {
                text.clone_into(&mut self.card.new_text);
            }
            self.card.adding.get_or_insert(None);
        }
        self.effects.push(Effect::DrawFace);
    }
}
