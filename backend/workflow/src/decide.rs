//! Decide: what each computer needs, from the list as it was just read.
//!
//! The shared rules match computers with entries; here a match becomes an outcome or a write.
//! Writes of an earlier pass whose result is unknown are resolved by comparison: if a create was
//! sent and the entry exists now, it was created.

use std::collections::{BTreeMap, HashMap};

use checklist_shared::computer::{Computer, ComputerField, ComputerStatus};
use checklist_shared::export::{Inventory, Link, Linkage, Subject, SyncKey, link};
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Candidate, Outcome, PlannedAction};
use checklist_store::workflows::{ExportedEntry, RowDetail, RowRecord};
use serde_json::Value;
use site_lists::{ItemChange, ObjectExpressionParameter};

use super::establish::PreparedList;
use super::read::{EntrySnapshot, ReadList};
use super::value::{column_value, is_same};

/// The input of a decision.
pub(super) struct Facts<'a> {
    pub(super) now: Timestamp,
    pub(super) list: &'a PreparedList,
    pub(super) read: &'a ReadList,
    /// The current computers, by id.
    pub(super) computers: HashMap<String, Computer>,
    pub(super) inventory: &'a Inventory,
    pub(super) match_fields: &'a [ComputerField],
    /// People's choices.
    pub(super) choices: BTreeMap<String, Option<i64>>,
    /// The entries that exports have created or adopted, by key.
    pub(super) known: HashMap<String, ExportedEntry>,
    /// The URL of the list, for links to its entries.
    pub(super) list_url: Option<String>,
}

/// The decision on a computer.
pub(super) struct RowDecision {
    /// Its row, with an outcome or a planned action.
    pub(super) row: RowRecord,
    /// The write to send.
    pub(super) write: Option<IntendedWrite>,
    /// An entry whose number has become known.
    pub(super) entry: Option<ExportedEntry>,
    /// The key of an entry that no longer exists.
    pub(super) gone: Option<String>,
}

/// A write to send.
pub(super) struct IntendedWrite {
    pub(super) action: PlannedAction,
    pub(super) change: ItemChange,
    pub(super) key: String,
    /// For a delete: whether no export is known to have created the entry.
    pub(super) adopted: bool,
    pub(super) confirmed: bool,
}

/// Decides on all rows, in their order. Also returns what the rules found out about the whole list.
pub(super) fn decide(facts: &Facts<'_>, rows: Vec<RowRecord>) -> (Vec<RowDecision>, Linkage) {
    let mut subjects = Vec::with_capacity(rows.len());
    for row in &rows {
        if let Some(computer) = facts.computers.get(&row.computer) {
            subjects.push(Subject::of(computer));
        }
    }
    let linkage = link(
        facts.inventory,
        &subjects,
        &facts.read.entries,
        facts.match_fields,
        &facts.choices,
    );
    let mut links = linkage.links.iter();
    let decisions = rows
        .into_iter()
        .map(|row| match facts.computers.get(&row.computer) {
            Some(computer) => {
                let link = links.next().unwrap_or(&Link::Nothing);
                facts.decision(row, computer, link)
            }
            None => decide_outcome(
                row,
                facts.now,
                Outcome::Failed,
                "The inventory has no such computer.",
            ),
        })
        .collect();
    (decisions, linkage)
}

/// Sets the outcome of a row.
pub(super) fn settle(
    row: &mut RowRecord,
    now: Timestamp,
    outcome: Outcome,
    reason: impl Into<String>,
) {
    row.outcome = Some(outcome);
    row.planned = None;
    row.settled_at = Some(now);
    row.detail.reason = Some(reason.into());
    row.detail.sent = false;
    row.detail.confirmed = None;
    if !matches!(outcome, Outcome::Failed | Outcome::Skipped) {
        row.detail.problem = None;
    }
}

/// Sets the outcome of a row to failed.
pub(super) fn fail(row: &mut RowRecord, now: Timestamp, problem: Problem) {
    let reason = problem
        .detail
        .clone()
        .unwrap_or_else(|| problem.title.clone());
    settle(row, now, Outcome::Failed, reason);
    row.detail.problem = Some(problem);
}

fn decide_outcome(
    mut row: RowRecord,
    now: Timestamp,
    outcome: Outcome,
    reason: impl Into<String>,
) -> RowDecision {
    settle(&mut row, now, outcome, reason);
    RowDecision {
        row,
        write: None,
        entry: None,
        gone: None,
    }
}

/// The reason for an action, as a sentence.
pub(super) fn reason(action: PlannedAction, changed: &[String]) -> String {
    match action {
        PlannedAction::Create => "It had no entry.".to_owned(),
        PlannedAction::Update => format!("Changed: {}.", changed.join(", ")),
        PlannedAction::Adopt if changed.is_empty() => {
            "An entry made by hand is its own.".to_owned()
        }
        PlannedAction::Adopt => {
            format!(
                "An entry made by hand is its own; changed: {}.",
                changed.join(", ")
            )
        }
        PlannedAction::Delete => "It is scrapped.".to_owned(),
    }
}

impl Facts<'_> {
    fn decision(&self, mut row: RowRecord, computer: &Computer, link: &Link) -> RowDecision {
        row.name.clone_from(&computer.name);
        // What an earlier pass has sent. The current list tells whether it succeeded.
        let sent = row.planned.filter(|_| row.detail.sent);
        row.detail = RowDetail {
            sent: row.detail.sent,
            problem: row.detail.problem.take(),
            confirmed: row.detail.confirmed.take(),
            ..RowDetail::default()
        };
        let key = self.inventory.key(&computer.id);
        let scrapped = computer.status == ComputerStatus::Scrapped;
        match link {
            Link::Nothing if scrapped => self.decide_absent(row, key, sent),
            Link::Nothing => self.create(row, computer, key),
            Link::Own { item_id } if scrapped => self.delete(row, key, *item_id),
            Link::Own { item_id } => self.keep_own(row, computer, key, *item_id, sent),
            Link::Adopt {
                item_id,
                matched_by,
                chosen,
            } => self.adopt(row, computer, key, *item_id, *matched_by, *chosen),
            Link::Ambiguous { why, candidates } => {
                row.detail.candidates = candidates
                    .iter()
                    .map(|found| self.candidate(found.item_id, found.matched_by))
                    .collect();
                decide_outcome(row, self.now, Outcome::Ambiguous, why.sentence())
            }
        }
    }

    fn candidate(&self, item_id: i64, matched_by: ComputerField) -> Candidate {
        let seen = self.read.seen.get(&item_id);
        Candidate {
            item_id,
            title: seen.map(|seen| seen.title.clone()).unwrap_or_default(),
            matched_by,
            web_url: self.url(item_id),
        }
    }

    fn url(&self, item_id: i64) -> Option<String> {
        let seen = self.read.seen.get(&item_id);
        seen.and_then(|seen| seen.web_url.clone())
            .or_else(|| url_of(self.list_url.as_deref(), item_id))
    }

    /// Decides on a scrapped computer without an entry, which an earlier pass may have deleted.
    fn decide_absent(
        &self,
        row: RowRecord,
        key: SyncKey,
        sent: Option<PlannedAction>,
    ) -> RowDecision {
        let mut decision = if sent == Some(PlannedAction::Delete) {
            decide_outcome(row, self.now, Outcome::Deleted, "It is scrapped.")
        } else {
            decide_outcome(
                row,
                self.now,
                Outcome::NotPresent,
                "It is scrapped, and has no entry.",
            )
        };
        decision.gone = Some(key.to_string());
        decision
    }

    fn create(&self, mut row: RowRecord, computer: &Computer, key: SyncKey) -> RowDecision {
        let mut fields = self.key_field(key);
        for bound in &self.list.bound {
            let value = column_value(computer.value(bound.field), &bound.column);
            if value.is_null() && bound.column.required && !bound.column.has_default {
                return self.without_required(row, &bound.column.internal_name);
            }
            if !value.is_null() {
                row.detail.changed.push(bound.column.internal_name.clone());
                let name = bound.column.internal_name.clone();
                fields.push(ObjectExpressionParameter::new(name, value));
            }
        }
        let change = ItemChange::Add { fields };
        plan_write(row, PlannedAction::Create, change, key, false, false)
    }

    /// Decides on a computer that has no value for a required column. Sites accept such entries
    /// from programs, but then nobody can save them in the browser.
    fn without_required(&self, mut row: RowRecord, column: &str) -> RowDecision {
        let why =
            format!("The column {column} requires a value, and the computer has none for it.");
        row.detail.changed.clear();
        fail(
            &mut row,
            self.now,
            Problem::new(ProblemCode::InvalidValue, why),
        );
        RowDecision {
            row,
            write: None,
            entry: None,
            gone: None,
        }
    }

    fn key_field(&self, key: SyncKey) -> Vec<ObjectExpressionParameter> {
        self.list
            .key_column
            .iter()
            .map(|column| ObjectExpressionParameter::new(column.clone(), key.to_string()))
            .collect()
    }

    fn delete(&self, mut row: RowRecord, key: SyncKey, item_id: i64) -> RowDecision {
        row.detail.item_id = Some(item_id);
        row.detail.web_url = self.url(item_id);
        let known = self.known.get(&key.to_string());
        // An entry counts as adopted if no export is known to have created it, or if the list could
        // not be read completely.
        let adopted = self.read.is_short
            || known.is_none_or(|entry| entry.adopted || entry.item_id != item_id);
        let confirmed = row.detail.confirmed == Some((PlannedAction::Delete, item_id));
        let change = ItemChange::Recycle { id: item_id };
        plan_write(row, PlannedAction::Delete, change, key, adopted, confirmed)
    }

    fn keep_own(
        &self,
        mut row: RowRecord,
        computer: &Computer,
        key: SyncKey,
        item_id: i64,
        sent: Option<PlannedAction>,
    ) -> RowDecision {
        row.detail.item_id = Some(item_id);
        row.detail.web_url = self.url(item_id);
        let seen = self.read.seen.get(&item_id);
        let changes = self.changes(computer, seen);
        let known = self.known.contains_key(&key.to_string());
        // An entry that was already known was not created by the earlier write.
        let sent = sent.filter(|sent| !(known && *sent == PlannedAction::Create));
        let entry = match sent {
            Some(PlannedAction::Create) => Some(false),
            Some(PlannedAction::Adopt) => Some(true),
            _ => None,
        };
        let entry = entry.map(|adopted| ExportedEntry {
            key: key.to_string(),
            item_id,
            adopted,
        });
        if changes.is_empty() {
            let mut decision = match sent {
                Some(
                    action @ (PlannedAction::Create | PlannedAction::Update | PlannedAction::Adopt),
                ) => {
                    let changed = std::mem::take(&mut row.detail.changed);
                    let why = match action {
                        PlannedAction::Update => "It was changed.".to_owned(),
                        _ => reason(action, &changed),
                    };
                    decide_outcome(row, self.now, action.outcome(), why)
                }
                _ => decide_outcome(
                    row,
                    self.now,
                    Outcome::Unchanged,
                    "Its entry is as it should be.",
                ),
            };
            decision.entry = entry;
            return decision;
        }
        let mut decision = self.edit(
            row,
            PlannedAction::Update,
            key,
            item_id,
            changes,
            Vec::new(),
        );
        decision.entry = entry;
        decision
    }

    fn adopt(
        &self,
        mut row: RowRecord,
        computer: &Computer,
        key: SyncKey,
        item_id: i64,
        matched_by: Option<ComputerField>,
        chosen: bool,
    ) -> RowDecision {
        row.detail.item_id = Some(item_id);
        row.detail.web_url = self.url(item_id);
        if chosen {
            row.detail.confirmed = Some((PlannedAction::Adopt, item_id));
        }
        let by = matched_by.unwrap_or(ComputerField::Id);
        row.detail.candidates = vec![self.candidate(item_id, by)];
        let changes = self.changes(computer, self.read.seen.get(&item_id));
        let key_field = self.key_field(key);
        self.edit(row, PlannedAction::Adopt, key, item_id, changes, key_field)
    }

    fn edit(
        &self,
        mut row: RowRecord,
        action: PlannedAction,
        key: SyncKey,
        item_id: i64,
        changes: Vec<(String, Value)>,
        mut fields: Vec<ObjectExpressionParameter>,
    ) -> RowDecision {
        let required = |name: &str| {
            let mut bound = self.list.bound.iter();
            bound.any(|bound| bound.column.required && bound.column.internal_name == name)
        };
        let emptied = changes
            .iter()
            .find(|(name, value)| value.is_null() && required(name));
        if let Some((name, _)) = emptied {
            return self.without_required(row, name);
        }
        row.detail.changed = changes.iter().map(|(name, _)| name.clone()).collect();
        for (name, value) in changes {
            fields.push(ObjectExpressionParameter::new(name, value));
        }
        let change = ItemChange::Edit {
            id: item_id,
            fields,
            etag: self
                .read
                .seen
                .get(&item_id)
                .and_then(|seen| seen.etag.clone()),
        };
        let confirmed = row.detail.confirmed == Some((action, item_id));
        plan_write(
            row,
            action,
            change,
            key,
            action == PlannedAction::Adopt,
            confirmed,
        )
    }

    /// The columns that have to change, with their new values.
    fn changes(&self, computer: &Computer, seen: Option<&EntrySnapshot>) -> Vec<(String, Value)> {
        let mut changes = Vec::new();
        for (index, bound) in self.list.bound.iter().enumerate() {
            let value = column_value(computer.value(bound.field), &bound.column);
            let held = seen.and_then(|seen| seen.values.get(index));
            if !is_same(&bound.column, &value, held.unwrap_or(&Value::Null)) {
                changes.push((bound.column.internal_name.clone(), value));
            }
        }
        changes
    }
}

fn plan_write(
    mut row: RowRecord,
    action: PlannedAction,
    change: ItemChange,
    key: SyncKey,
    adopted: bool,
    confirmed: bool,
) -> RowDecision {
    // The earlier write is resolved, and a new one is planned.
    row.detail.sent = false;
    row.planned = Some(action);
    row.detail.reason = None;
    RowDecision {
        write: Some(IntendedWrite {
            action,
            change,
            key: key.to_string(),
            adopted,
            confirmed,
        }),
        row,
        entry: None,
        gone: None,
    }
}

/// The URL of an entry for people.
pub(super) fn url_of(list_url: Option<&str>, item_id: i64) -> Option<String> {
    let base = list_url?.trim_end_matches('/');
    Some(format!("{base}/DispForm.aspx?ID={item_id}"))
}

/// The problem of a computer whose write may or may not have succeeded.
pub(super) fn unknown() -> Problem {
    Problem::new(
        ProblemCode::OutcomeUnknown,
        "It is unknown whether its last change was carried out; the next run looks.",
    )
}
