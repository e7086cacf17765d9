//! Imports into the inventory: previewed by a dry run, and written completely or not at all.
//!
//! Rows come as JSON, or as CSV through `sheet`. Each row keeps its position, so that errors can
//! point at it.

use std::collections::HashMap;

use checklist_auth::Principal;
use checklist_shared::computer::Computer;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::wire::computers::{ImportAnswer, ImportChange, ImportOutcome};
use checklist_store::error::{ServiceError, ServiceResult};

use super::row::{MOST_ROWS, ReadRow};
use super::sheet;
use crate::access::FieldErrors;
use crate::app::App;
use crate::sites::need_sites;

/// The maximum number of rows that an answer lists.
const MOST_TOLD: usize = 1_000;
/// The maximum number of errors that a problem lists.
const MOST_ERRORS: usize = 100;

/// The rows of an import.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Computers from a JSON body.
    Computers(Vec<Computer>),
    /// A CSV table.
    Csv(Vec<u8>),
}

/// Imports rows, or with a dry run only reports the changes.
///
/// # Errors
/// `PermissionDenied`; `InvalidRequest` if the rows cannot be parsed, or if one of them is invalid
/// and this is no dry run: then nothing is written. `LimitExceeded` for too many rows.
pub async fn run(
    app: &App,
    principal: &Principal,
    rows: Rows,
    dry_run: bool,
) -> ServiceResult<ImportAnswer> {
    need_sites(principal)?;
    let of_file = matches!(rows, Rows::Csv(_));
    let mut rows = match rows {
        Rows::Computers(computers) => (1..)
            .zip(computers)
            .map(|(place, computer)| ReadRow::of(place, computer))
            .collect(),
        Rows::Csv(bytes) => sheet::read(&bytes)?,
    };
    let mut faults = FieldErrors::default();
    faults.batch("/Computers", rows.len(), MOST_ROWS);
    faults.refuse()?;
    refuse_doubles(&mut rows, of_file);
    let wrong = rows.iter().any(|row| row.computer.is_err());
    if wrong && !dry_run {
        return Err(refusal(&rows, of_file));
    }
    let good: Vec<Computer> = rows
        .iter()
        .filter_map(|row| row.computer.clone().ok())
        .collect();
    let before = if dry_run {
        existing_computers(app, &principal.tenant, &good).await?
    } else {
        let store = app.store();
        store
            .put_computers(&principal.tenant, good, principal.stamp(app.clock().now()))
            .await?
    };
    let answer = answer_of(rows, before, dry_run);
    if !dry_run {
        tracing::info!(
            tenant = principal.tenant,
            by = principal.actor.identity(),
            created = answer.created,
            updated = answer.updated,
            unchanged = answer.unchanged,
            "computers imported"
        );
    }
    Ok(answer)
}

/// Marks repeated ids as errors: it is unclear which row is meant.
fn refuse_doubles(rows: &mut [ReadRow], of_file: bool) {
    let mut seen: HashMap<String, u32> = HashMap::with_capacity(rows.len());
    for row in rows.iter_mut().filter(|row| !row.id.is_empty()) {
        let Some(first) = seen.insert(row.id.clone(), row.place) else {
            continue;
        };
        seen.insert(row.id.clone(), first);
        let place = if of_file { "line" } else { "row" };
        let fault = FieldError::new(
            "/Id",
            FieldErrorCode::Duplicate,
            format!("The id '{}' stands in {place} {first} already.", row.id),
        );
        match &mut row.computer {
            Ok(_) => row.computer = Err(vec![fault]),
            Err(faults) => faults.push(fault),
        }
    }
}

/// The stored computers with these ids, in the same order.
async fn existing_computers(
    app: &App,
    tenant: &str,
    computers: &[Computer],
) -> ServiceResult<Vec<Option<Computer>>> {
    let ids: Vec<String> = computers.iter().map(|one| one.id.clone()).collect();
    let found = app.store().computers_by_id(tenant, ids).await?;
    let mut found: HashMap<String, Computer> = found
        .into_iter()
        .map(|record| (record.computer.id.clone(), record.computer))
        .collect();
    Ok(computers.iter().map(|one| found.remove(&one.id)).collect())
}

fn answer_of(rows: Vec<ReadRow>, before: Vec<Option<Computer>>, dry_run: bool) -> ImportAnswer {
    let mut answer = ImportAnswer {
        dry_run,
        rows: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        ..ImportAnswer::default()
    };
    let mut before = before.into_iter();
    let mut changes = Vec::new();
    for row in rows {
        let mut change = ImportChange {
            row: row.place,
            id: row.id,
            name: row.name,
            outcome: ImportOutcome::Failed,
            fields: Vec::new(),
            errors: Vec::new(),
        };
        match row.computer {
            Err(errors) => {
                answer.failed += 1;
                change.errors = errors;
                answer.changes.push(change);
            }
            Ok(computer) => {
                let old = before.next().flatten();
                if old.as_ref() == Some(&computer) {
                    answer.unchanged += 1;
                    continue;
                }
                if old.is_some() {
                    answer.updated += 1;
                    change.outcome = ImportOutcome::Updated;
                } else {
                    answer.created += 1;
                    change.outcome = ImportOutcome::Created;
                }
                if changes.len() < MOST_TOLD {
                    change.fields = Computer::changes(old.as_ref(), &computer);
                    changes.push(change);
                }
            }
        }
    }
    answer.changes.append(&mut changes);
    answer.changes.truncate(MOST_TOLD);
    answer
}

/// The problem with every field error. Pointers are JSON pointers, or for a file its lines.
fn refusal(rows: &[ReadRow], of_file: bool) -> ServiceError {
    let mut errors = Vec::new();
    let mut wrong = 0_usize;
    for row in rows {
        let Err(faults) = &row.computer else { continue };
        wrong += 1;
        for fault in faults {
            let (pointer, detail) = if of_file {
                let detail = format!("Line {}: {}", row.place, fault.detail);
                (format!("/{}{}", row.place, fault.pointer), detail)
            } else {
                let index = row.place.saturating_sub(1);
                (
                    format!("/Computers/{index}{}", fault.pointer),
                    fault.detail.clone(),
                )
            };
            errors.push(FieldError::new(pointer, fault.code, detail));
        }
    }
    errors.truncate(MOST_ERRORS);
    let rows = if wrong == 1 {
        "One row is wrong".to_owned()
    } else {
        format!("{wrong} rows are wrong")
    };
    ServiceError::fields(
        ProblemCode::InvalidRequest,
        format!("{rows}; nothing was imported."),
        errors,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::computer::ComputerStatus;

    fn row(place: u32, id: &str) -> ReadRow {
        ReadRow::of(place, Computer::new(id, "PC", ComputerStatus::InUse))
    }

    #[test]
    fn the_second_row_of_an_id_is_the_wrong_one() {
        let mut rows = [row(1, "a"), row(2, "b"), row(3, "a"), row(4, "a")];
        refuse_doubles(&mut rows, true);
        let told: Vec<Option<String>> = rows
            .iter()
            .map(|row| row.computer.as_ref().err().map(|it| it[0].detail.clone()))
            .collect();
        let again = Some("The id 'a' stands in line 1 already.".to_owned());
        assert_eq!(told, [None, None, again.clone(), again]);
    }

    #[test]
    fn an_answer_tells_wrong_rows_first_and_no_more_than_a_thousand() {
        let mut rows: Vec<ReadRow> = (1..=1_500).map(|n| row(n, &format!("c-{n}"))).collect();
        rows.push(row(1_501, ""));
        let before = vec![None; 1_500];
        let answer = answer_of(rows, before, true);
        assert_eq!(
            (answer.rows, answer.created, answer.failed),
            (1_501, 1_500, 1)
        );
        assert_eq!(answer.changes.len(), 1_000);
        assert_eq!(answer.changes[0].row, 1_501);
        assert_eq!(answer.changes[1].row, 1);
    }
}
