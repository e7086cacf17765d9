//! Check: predicts in a dry run which writes would fail.
//!
//! Only reads. The client of site lists validates values and people as it does before a write.
//! Unique columns are checked against the list as it was read, in the order and with the retries of
//! a real run, so that a dry run and the run after it have the same outcomes.

use std::collections::HashMap;

use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::wire::workflow::PlannedAction;
use site_lists::{ItemChange, ListPermissions, ObjectExpressionParameter};

use super::decide::{RowDecision, fail};
use super::establish::PreparedList;
use super::leased_run::{LeasedRun, PassError};
use super::read::ReadList;
use super::value::unique_forms;
use super::write::{ORDER, TRIES_REFUSED};

/// The number of changes that are checked between two looks for a cancellation.
const AT_ONCE: usize = 100;

/// Fails the decisions whose writes would fail. `open` has an entry for each write, in their order:
/// whether it needs no confirmation.
pub(super) async fn check(
    held: &LeasedRun,
    list: &PreparedList,
    read: &ReadList,
    decisions: &mut [RowDecision],
    open: &[bool],
) -> Result<(), PassError> {
    let now = held.outside.now();
    let mut open = open.iter();
    let mut writes: Vec<(usize, bool)> = Vec::new();
    for (index, decision) in decisions.iter().enumerate() {
        if decision.write.is_some() {
            writes.push((index, open.next().copied().unwrap_or(false)));
        }
    }
    for some in writes.chunks(AT_ONCE) {
        held.not_cancelled()?;
        let changes: Vec<ItemChange> = some
            .iter()
            .filter_map(|(index, _)| decisions[*index].write.as_ref())
            .map(|write| write.change.clone())
            .collect();
        let asked = list.site.check(&list.list, &changes);
        let checked = held.asking(&list.site, asked).await?;
        let checked = checked.map_err(|error| held.pass_error(&error))?;
        for ((index, _), checked) in some.iter().zip(checked) {
            let decision = &mut decisions[*index];
            let problem = match checked {
                Err(error) => Some(held.outside.site_refusal(&error).problem),
                Ok(()) => forbidden(list.rights, decision),
            };
            if let Some(problem) = problem {
                fail(&mut decision.row, now, problem);
                decision.write = None;
            }
        }
    }
    writes.retain(|(index, _)| decisions[*index].write.is_some());
    for (index, problem) in duplicates(list, read, decisions, &writes) {
        fail(&mut decisions[index].row, now, problem);
        decisions[index].write = None;
    }
    Ok(())
}

/// The problem of a write that the connection's user has no permission for.
fn forbidden(rights: Option<ListPermissions>, decision: &RowDecision) -> Option<Problem> {
    let rights = rights?;
    let (may, what) = match decision.write.as_ref()?.action {
        PlannedAction::Create => (rights.can_add, "add"),
        PlannedAction::Update | PlannedAction::Adopt => (rights.can_edit, "edit"),
        PlannedAction::Delete => (rights.can_delete, "delete"),
    };
    let why = || format!("The connection's account may not {what} entries of the list.");
    (!may).then(|| Problem::new(ProblemCode::SiteForbidden, why()))
}

/// What holds a value: an entry of the list, or a computer of the run that would get an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Item(i64),
    New(usize),
}

/// A value of a unique column: the index of the column in the map, and a normal form of the value.
type ColumnValue = (usize, String);

/// The values of the unique columns after the writes so far.
#[derive(Default)]
struct Values {
    holders: HashMap<ColumnValue, Vec<Holder>>,
    of: HashMap<(Holder, usize), Vec<String>>,
}

impl Values {
    fn put(&mut self, holder: Holder, column: usize, forms: Vec<String>) {
        self.take_away(holder, column);
        for form in &forms {
            let key = (column, form.clone());
            self.holders.entry(key).or_default().push(holder);
        }
        self.of.insert((holder, column), forms);
    }

    fn take_away(&mut self, holder: Holder, column: usize) {
        for form in self.of.remove(&(holder, column)).unwrap_or_default() {
            if let Some(holders) = self.holders.get_mut(&(column, form)) {
                holders.retain(|other| *other != holder);
            }
        }
    }

    /// Another holder of one of these values.
    fn other(&self, holder: Holder, column: usize, forms: &[String]) -> Option<Holder> {
        forms.iter().find_map(|form| {
            let holders = self.holders.get(&(column, form.clone()))?;
            holders.iter().copied().find(|other| *other != holder)
        })
    }
}

/// The writes that would fail because their value is already in a unique column.
fn duplicates(
    list: &PreparedList,
    read: &ReadList,
    decisions: &[RowDecision],
    writes: &[(usize, bool)],
) -> Vec<(usize, Problem)> {
    let unique: Vec<usize> = (0..list.bound.len())
        .filter(|place| list.bound[*place].column.unique)
        .collect();
    if unique.is_empty() {
        return Vec::new();
    }
    let mut values = Values::default();
    for (item_id, column, value) in &read.unique_values {
        let forms = unique_forms(&list.bound[*column].column, value);
        values.put(Holder::Item(*item_id), *column, forms);
    }
    let mut refused = Vec::new();
    // Writes that need a confirmation come after all others.
    for opens in [true, false] {
        let mut left: Vec<usize> = ORDER
            .iter()
            .flat_map(|action| {
                let of_kind = move |index: &usize| {
                    let write = decisions[*index].write.as_ref();
                    write.is_some_and(|write| write.action == *action)
                };
                let mine = writes.iter().filter(|(_, open)| *open == opens);
                mine.map(|(index, _)| *index).filter(of_kind)
            })
            .collect();
        for _ in 0..TRIES_REFUSED {
            let before = left.len();
            left.retain(|index| write_one(list, &unique, &mut values, decisions, *index).is_some());
            if left.is_empty() || left.len() == before {
                break;
            }
        }
        for index in left {
            let problem = write_one(list, &unique, &mut values, decisions, index);
            refused.extend(problem.map(|problem| (index, problem)));
        }
    }
    refused
}

/// Applies a write to the values, or returns why it would fail.
fn write_one(
    list: &PreparedList,
    unique: &[usize],
    values: &mut Values,
    decisions: &[RowDecision],
    index: usize,
) -> Option<Problem> {
    let write = decisions[index].write.as_ref()?;
    let (holder, fields): (Holder, &[ObjectExpressionParameter]) = match &write.change {
        ItemChange::Add { fields } => (Holder::New(index), fields),
        ItemChange::Edit { id, fields, .. } => (Holder::Item(*id), fields),
        ItemChange::Delete { id, .. } | ItemChange::Recycle { id } => {
            for column in unique {
                values.take_away(Holder::Item(*id), *column);
            }
            return None;
        }
    };
    let mut taken = Vec::new();
    for place in unique {
        let column = &list.bound[*place].column;
        let given = fields
            .iter()
            .find(|field| field.name == column.internal_name);
        let Some(given) = given else { continue };
        let forms = unique_forms(column, &given.value);
        if let Some(other) = values.other(holder, *place, &forms) {
            let whose = match other {
                Holder::Item(id) => format!("entry {id} of the list holds it"),
                Holder::New(index) => {
                    format!("the entry of {} would hold it", decisions[index].row.name)
                }
            };
            return Some(Problem::new(
                ProblemCode::SiteDuplicate,
                format!(
                    "The column {} takes no value twice, and {whose} already: {}.",
                    column.internal_name, given.value
                ),
            ));
        }
        taken.push((*place, forms));
    }
    for (place, forms) in taken {
        values.put(holder, place, forms);
    }
    None
}
