//! The rows of runs. The computers and steps of a run are in `storage::sql`.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{Column, get_json, get_time, get_time_option, get_u32, get_u64, int, json};
use crate::workflows::{RunRecord, counts};

/// The columns of a run, in the order in which [`run_of`] reads them.
pub(super) const RUN: &str = "tenant, id, list_key, state, plan, progress, total, counts, cancelling, fence, \
                              revision, created_at, updated_at, ended_at";

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

/// The id of the active run of a list.
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

/// Inserts a run.
pub(super) fn insert_run(connection: &Connection, new: &crate::workflows::NewRun) -> Result<()> {
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
