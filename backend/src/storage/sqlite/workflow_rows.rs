//! The rows of runs: a run, its computers, its steps, and what is known of a list's entries.

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Outcome, RunStep};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{
    Column, get_json, get_time, get_time_option, get_u32, get_u64, int, json, time,
};
use crate::storage::workflows::{
    KeptChoice, KnownEntry, RowRecord, RunRecord, Which, WhichOutcome, counts,
};

/// The columns of a run, in the order in which [`run_of`] reads them.
pub(super) const RUN: &str = "tenant, id, list_key, state, plan, progress, total, counts, cancelling, fence, \
                              revision, created_at, updated_at, ended_at";

/// The columns of a computer, in the order in which [`row_of`] reads them.
const COMPUTER: &str = "place, computer, name, outcome, planned, detail, attempts, settled_at";

pub(super) fn run_of(row: &Row<'_>) -> Result<RunRecord> {
    Ok(RunRecord {
        tenant: row.get(0)?,
        id: row.get(1)?,
        list_key: row.get(2)?,
        state: row.get::<_, Column<_>>(3)?.0,
        plan: get_json(row, 4)?,
        progress: get_json(row, 5)?,
        total: get_u32(row, 6)?,
        counts: get_json(row, 7)?,
        cancelling: row.get(8)?,
        fence: get_u64(row, 9)?,
        revision: get_u64(row, 10)?,
        created_at: get_time(row, 11)?,
        updated_at: get_time(row, 12)?,
        ended_at: get_time_option(row, 13)?,
    })
}

pub(super) fn run(connection: &Connection, tenant: &str, id: &str) -> Result<Option<RunRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {RUN} FROM workflow_run WHERE tenant = ?1 AND id = ?2"
        ))?
        .query_row([tenant, id], run_of)
        .optional()
}

/// The id of the run that a list has now.
pub(super) fn active(
    connection: &Connection,
    tenant: &str,
    list_key: &str,
) -> Result<Option<String>> {
    connection
        .prepare_cached("SELECT id FROM workflow_run WHERE tenant = ?1 AND active = ?2")?
        .query_row([tenant, list_key], |row| row.get(0))
        .optional()
}

fn row_of(row: &Row<'_>) -> Result<RowRecord> {
    Ok(RowRecord {
        place: get_u32(row, 0)?,
        computer: row.get(1)?,
        name: row.get(2)?,
        outcome: row.get::<_, Option<Column<_>>>(3)?.map(|column| column.0),
        planned: row.get::<_, Option<Column<_>>>(4)?.map(|column| column.0),
        detail: get_json(row, 5)?,
        attempts: get_u32(row, 6)?,
        settled_at: get_time_option(row, 7)?,
    })
}

pub(super) fn computers(
    connection: &Connection,
    tenant: &str,
    run: &str,
    which: Which,
) -> Result<Vec<RowRecord>> {
    let (filter, outcome) = match which.outcome {
        WhichOutcome::Any => ("", None),
        WhichOutcome::None => ("AND outcome IS NULL", None),
        WhichOutcome::Only(outcome) => ("AND outcome = ?5", Some(outcome.name())),
    };
    let after = which.after.map_or(-1, i64::from);
    let sql = format!(
        "SELECT {COMPUTER} FROM workflow_computer
         WHERE tenant = ?1 AND run = ?2 AND place > ?3 {filter} ORDER BY place LIMIT ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    match outcome {
        Some(outcome) => statement
            .query_map(params![tenant, run, after, which.limit, outcome], row_of)?
            .collect(),
        None => statement
            .query_map(params![tenant, run, after, which.limit], row_of)?
            .collect(),
    }
}

pub(super) fn save_computers(
    connection: &Connection,
    tenant: &str,
    run: &str,
    rows: &[RowRecord],
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO workflow_computer (tenant, run, place, computer, name, outcome, planned, detail, attempts, settled_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (tenant, run, place) DO UPDATE SET name = excluded.name, outcome = excluded.outcome,
             planned = excluded.planned, detail = excluded.detail, attempts = excluded.attempts,
             settled_at = excluded.settled_at",
    )?;
    for row in rows {
        statement.execute(params![
            tenant,
            run,
            row.place,
            row.computer,
            row.name,
            row.outcome.map(Outcome::name),
            row.planned.map(|planned| planned.name()),
            json(&row.detail)?,
            row.attempts,
            time(row.settled_at)
        ])?;
    }
    Ok(())
}

/// Counts the outcomes anew, and notes that the run has changed.
pub(super) fn count(
    connection: &Connection,
    tenant: &str,
    run: &str,
    now: Timestamp,
) -> Result<()> {
    let found: Vec<(Outcome, u32)> = connection
        .prepare_cached(
            "SELECT outcome, count(*) FROM workflow_computer
             WHERE tenant = ?1 AND run = ?2 AND outcome IS NOT NULL GROUP BY outcome",
        )?
        .query_map([tenant, run], |row| {
            Ok((row.get::<_, Column<_>>(0)?.0, row.get(1)?))
        })?
        .collect::<Result<_>>()?;
    connection
        .prepare_cached(
            "UPDATE workflow_run SET counts = ?3, revision = revision + 1, updated_at = ?4
             WHERE tenant = ?1 AND id = ?2",
        )?
        .execute(params![
            tenant,
            run,
            json(&counts(&found))?,
            now.as_millis()
        ])?;
    Ok(())
}

pub(super) fn steps(connection: &Connection, tenant: &str, run: &str) -> Result<Vec<RunStep>> {
    connection
        .prepare_cached(
            "SELECT number, name, detail, started_at, ended_at FROM workflow_step
             WHERE tenant = ?1 AND run = ?2 ORDER BY number",
        )?
        .query_map([tenant, run], |row| {
            Ok(RunStep {
                number: get_u32(row, 0)?,
                name: row.get(1)?,
                detail: row.get(2)?,
                started_at: get_time(row, 3)?,
                ended_at: get_time_option(row, 4)?,
            })
        })?
        .collect()
}

pub(super) fn save_step(
    connection: &Connection,
    tenant: &str,
    run: &str,
    step: &RunStep,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO workflow_step (tenant, run, number, name, detail, started_at, ended_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (tenant, run, number) DO UPDATE SET detail = excluded.detail, ended_at = excluded.ended_at",
        )?
        .execute(params![
            tenant,
            run,
            step.number,
            step.name,
            step.detail,
            step.started_at.as_millis(),
            time(step.ended_at)
        ])?;
    Ok(())
}

pub(super) fn entries(
    connection: &Connection,
    tenant: &str,
    list: &str,
) -> Result<Vec<KnownEntry>> {
    connection
        .prepare_cached(
            "SELECT key, item_id, adopted FROM workflow_entry WHERE tenant = ?1 AND list_key = ?2",
        )?
        .query_map([tenant, list], |row| {
            Ok(KnownEntry {
                key: row.get(0)?,
                item_id: row.get(1)?,
                adopted: row.get(2)?,
            })
        })?
        .collect()
}

pub(super) fn save_entries(
    connection: &Connection,
    tenant: &str,
    list: &str,
    entries: &[KnownEntry],
    gone: &[String],
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO workflow_entry (tenant, list_key, key, item_id, adopted) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (tenant, list_key, key) DO UPDATE SET item_id = excluded.item_id, adopted = excluded.adopted",
    )?;
    for entry in entries {
        statement.execute(params![
            tenant,
            list,
            entry.key,
            entry.item_id,
            entry.adopted
        ])?;
    }
    let mut statement = connection.prepare_cached(
        "DELETE FROM workflow_entry WHERE tenant = ?1 AND list_key = ?2 AND key = ?3",
    )?;
    for key in gone {
        statement.execute([tenant, list, key])?;
    }
    Ok(())
}

pub(super) fn choices(
    connection: &Connection,
    tenant: &str,
    list: &str,
) -> Result<Vec<KeptChoice>> {
    connection
        .prepare_cached(
            "SELECT computer, item_id FROM workflow_choice WHERE tenant = ?1 AND list_key = ?2",
        )?
        .query_map([tenant, list], |row| {
            Ok(KeptChoice {
                computer: row.get(0)?,
                item_id: row.get(1)?,
            })
        })?
        .collect()
}

pub(super) fn save_choices(
    connection: &Connection,
    tenant: &str,
    list: &str,
    choices: &[KeptChoice],
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO workflow_choice (tenant, list_key, computer, item_id) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (tenant, list_key, computer) DO UPDATE SET item_id = excluded.item_id",
    )?;
    for choice in choices {
        statement.execute(params![tenant, list, choice.computer, choice.item_id])?;
    }
    Ok(())
}

/// Writes a run that is new.
pub(super) fn insert_run(
    connection: &Connection,
    new: &crate::storage::workflows::NewRun,
) -> Result<()> {
    let (operation, body) = match &new.operation {
        Some((operation, body)) => (Some(operation), Some(body)),
        None => (None, None),
    };
    connection
        .prepare_cached(
            "INSERT INTO workflow_run (tenant, id, list_key, active, operation, operation_body, state, plan,
                 progress, total, counts, due_at, revision, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?3, ?4, ?5, 'Queued', ?6, ?7, ?8, ?9, ?10, 1, ?10, ?10)",
        )?
        .execute(params![
            new.tenant,
            new.id,
            new.list_key,
            operation,
            body,
            json(&new.plan)?,
            json(&new.progress)?,
            int(new.computers.len() as u64),
            json(&counts(&[]))?,
            new.at.as_millis()
        ])?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO workflow_computer (tenant, run, place, computer, name, detail) VALUES (?1, ?2, ?3, ?4, ?5, '{}')",
    )?;
    for (place, (computer, name)) in new.computers.iter().enumerate() {
        statement.execute(params![
            new.tenant,
            new.id,
            int(place as u64),
            computer,
            name
        ])?;
    }
    Ok(())
}
