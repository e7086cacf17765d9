//! Applies the server's answer to an operation, or its rejection.
//!
//! The server's items win; pending operations are applied on top of them again. A conflict or an
//! error becomes a notice at its row, which includes what was typed.

use checklist_shared::problem::ItemProblemCode as Code;
use checklist_shared::wire::write::{Outcome, WriteOutcome, WriteResult};
use checklist_shared::{Item, ItemId};

use super::{DirtyRows, ListState, text_of};
use crate::model::notice::{Attribution, Notice, RejectionReason, TypedText};
use crate::model::operation::{Action, Operation};

/// What became of an operation, for the rows, the host and the reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationOutcome {
    /// Rows to draw again.
    pub affected: DirtyRows,
    /// Notices for rows.
    pub notices: Vec<(ItemId, Notice)>,
    /// What to say about the list: the row is not there (any more) to say it at.
    pub refused: Option<RejectionReason>,
    /// The code of the first problem, for hosts.
    pub problem: Option<(String, ItemId)>,
    /// The texts of those of several items that were not changed.
    pub left_out: Vec<String>,
    /// The text of an item that could not be added, to be offered again.
    pub unadded: Option<String>,
    /// Whether the server's list has changes that the answer does not contain.
    pub refetch: bool,
    /// Why nothing was written to the journal.
    pub journal_reason: Option<String>,
}

impl ListState {
    /// Takes in the answer to the operation in flight.
    pub fn confirm(&mut self, answer: WriteOutcome, now: i64) -> OperationOutcome {
        let Some(operation) = self.queue.finish() else {
            return OperationOutcome::default();
        };
        let known = self.list.revision;
        let mut adopted = OperationOutcome::default();
        let mut news = Vec::new();
        // Undo and refresh change more than their results report.
        let sweeping = operation.action.is_step();
        let mut changed = sweeping;
        for result in answer.results {
            changed |= matches!(
                result.outcome,
                Outcome::Created | Outcome::Updated | Outcome::Deleted | Outcome::Restored
            );
            if matches!(result.outcome, Outcome::Conflict | Outcome::Failed) {
                self.explain(&operation.action, &result, &mut adopted);
            }
            match (result.outcome, result.item) {
                (_, Some(view)) => {
                    let item = Item::from(view);
                    self.remember_text(&item);
                    news.push((result.id, Some(item)));
                }
                (Outcome::Deleted, None) => {
                    let gone = Action::Delete(result.id).affected_items(&self.list);
                    news.extend(gone.into_iter().map(|id| (id, None)));
                }
                (Outcome::Created | Outcome::Updated | Outcome::Restored, None) => {
                    adopted.refetch = true;
                }
                (Outcome::Unchanged | Outcome::Conflict | Outcome::Failed, None) => {
                    // Gone on the server: a later answer must not find it here again.
                    adopted.refetch |= !operation.action.is_addition();
                }
            }
        }
        if changed {
            adopted.journal_reason = answer.journal.reason;
        } else {
            self.undo.forget(&operation.id);
        }
        // The first write gives every item the due date that none of them could have before.
        adopted.refetch |= known == 0 && changed;
        // Another revision than the one that this operation made means that somebody else has
        // written too; the old revision is kept then, because the next read asks for what came
        // after it. So it is when items beside those of the answer were given other keys.
        if !sweeping && !answer.rebalanced && answer.revision <= known + u64::from(changed) {
            self.list.revision = answer.revision.max(known);
        } else {
            adopted.refetch = true;
        }
        // Sorting thousands of rows after every tick would be felt; most answers move nothing.
        let moves = sweeping
            || news
                .iter()
                .any(|(id, item)| self.changes_place(*id, item.as_ref()))
            || self
                .queue
                .actions()
                .iter()
                .any(|action| action.is_structural());
        adopted.affected.ids = self.settle(news, now);
        adopted.affected.structural = moves;
        if moves {
            self.reorder();
        }
        adopted
    }

    /// The operation in flight was refused as a whole, for good: takes it back.
    pub fn reject(&mut self, refusal: RejectionReason, now: i64) -> OperationOutcome {
        let Some(operation) = self.queue.finish() else {
            return OperationOutcome::default();
        };
        self.undo.forget(&operation.id);
        self.undo.forget_undone(&operation.id);
        let mut adopted = OperationOutcome {
            refetch: true,
            ..OperationOutcome::default()
        };
        let row = operation
            .action
            .item()
            .filter(|_| !operation.action.is_addition());
        match row {
            Some(id) => adopted.notices.push((
                id,
                Notice::Refused(refusal, TypedText::of(&operation.action)),
            )),
            None => {
                adopted.refused = Some(refusal);
                adopted.unadded = text_not_added(&operation);
            }
        }
        adopted.affected = self.resettle(now);
        adopted
    }

    /// Whether the server's item makes a row appear, disappear or move.
    fn changes_place(&self, id: ItemId, item: Option<&Item>) -> bool {
        match (self.list.live(id), item) {
            (Some(shown), Some(item)) => {
                shown.sort_key != item.sort_key
                    || shown.parent_id != item.parent_id
                    || shown.retired_at != item.retired_at
            }
            (None, None) => false,
            _ => true,
        }
    }

    fn explain(&self, action: &Action, result: &WriteResult, adopted: &mut OperationOutcome) {
        let Some(problem) = &result.problem else {
            return;
        };
        adopted
            .problem
            .get_or_insert_with(|| (problem.code.name().to_owned(), result.id));
        let present = result.item.clone().map(Item::from);
        if action.is_bulk() {
            let here = present.as_ref().or_else(|| self.list.any(result.id));
            let text = here.map(|item| text_of(item).to_owned());
            adopted.left_out.push(text.unwrap_or_default());
        }
        let notice = match (problem.code, present.as_ref()) {
            (Code::StatusConflict, Some(item)) => {
                Notice::StatusTaken(item.status, Attribution::status_of(item))
            }
            (Code::WordingConflict, item) => {
                Notice::WordingChanged(item.map(Attribution::last_of).unwrap_or_default())
            }
            (Code::TextConflict | Code::BaseVersionAhead, Some(item)) => {
                match TypedText::of(action) {
                    Some(TypedText::Text(mine)) => Notice::TextTaken {
                        mine,
                        theirs: text_of(item).to_owned(),
                        attribution: Attribution::last_of(item),
                    },
                    typed => Notice::FieldTaken(Attribution::last_of(item), typed),
                }
            }
            (Code::FieldConflict, Some(item)) => {
                Notice::FieldTaken(Attribution::last_of(item), TypedText::of(action))
            }
            (Code::Unknown, _) => Notice::Refused(
                RejectionReason::Other(problem.detail.clone()),
                TypedText::of(action),
            ),
            (code, _) => Notice::Refused(RejectionReason::of_item(code), TypedText::of(action)),
        };
        match (notice, action) {
            // There is no row to say it at.
            (Notice::Refused(refusal, _), Action::Add(_, item)) => {
                adopted.refused = Some(refusal);
                adopted.unadded = Some(item.text.clone());
            }
            // Lines that did not come in are offered together.
            (Notice::Refused(refusal, _), Action::AddAll(items)) => {
                adopted.refused = Some(refusal);
                let item = items.iter().find(|item| item.id == Some(result.id));
                let text = adopted.unadded.get_or_insert_default();
                text.push_str(item.map_or("", |item| &item.text));
                text.push('\n');
            }
            // Among several it is named with those that were not changed.
            (Notice::Refused(RejectionReason::ItemGone, _), action) if action.is_bulk() => {}
            (Notice::Refused(RejectionReason::ItemGone, typed), _) => {
                adopted.refused = Some(RejectionReason::ItemGone);
                // What was written for it is offered to be added instead.
                if let Some(TypedText::Text(text)) = typed {
                    adopted.unadded = Some(text);
                }
            }
            (notice, _) => adopted.notices.push((result.id, notice)),
        }
    }
}

fn text_not_added(operation: &Operation) -> Option<String> {
    match &operation.action {
        Action::Add(_, item) => Some(item.text.clone()),
        Action::AddAll(items) => {
            let lines = items.iter().map(|item| [item.text.as_str(), "\n"].concat());
            Some(lines.collect())
        }
        _ => None,
    }
}
