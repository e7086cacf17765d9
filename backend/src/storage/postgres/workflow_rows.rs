//! The rows of runs. The computers and steps of a run are in `storage::sql`.

use tokio_postgres::Row;

use super::columns::{
    get, get_json, get_named, get_time, get_time_option, get_u32, get_u64, int, json,
};
use super::error::PostgresError;
use super::session::Session;
use crate::workflows::{NewRun, RunRecord, counts};

/// The columns of a run, in the order in which [`run_of`] reads them.
macro_rules! run_columns {
    () => {
        "tenant, id, list_key, state, plan, progress, total, counts, cancelling, fence, \
         revision, created_at, updated_at, ended_at"
    };
}
pub(super) use run_columns;

pub(super) fn run_of(row: &Row) -> Result<RunRecord, PostgresError> {
    Ok(RunRecord {
        tenant: get(row, 0)?,
        id: get(row, 1)?,
        list_key: get(row, 2)?,
        state: get_named(row, 3)?,
        plan: get_json(row, 4)?,
        progress: get_json(row, 5)?,
        total: get_u32(row, 6)?,
        counts: get_json(row, 7)?,
        cancelling: get(row, 8)?,
        fence: get_u64(row, 9)?,
        revision: get_u64(row, 10)?,
        created_at: get_time(row, 11)?,
        updated_at: get_time(row, 12)?,
        ended_at: get_time_option(row, 13)?,
    })
}

pub(super) async fn run(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<RunRecord>, PostgresError> {
    let rows = session
        .query(
            concat!(
                "SELECT ",
                run_columns!(),
                " FROM workflow_run WHERE tenant = $1 AND id = $2"
            ),
            &[&tenant, &id],
        )
        .await?;
    rows.first().map(run_of).transpose()
}

/// The id of the active run of a list.
pub(super) async fn active(
    session: &mut Session,
    tenant: &str,
    list_key: &str,
) -> Result<Option<String>, PostgresError> {
    let rows = session
        .query(
            "SELECT id FROM workflow_run WHERE tenant = $1 AND active = $2",
            &[&tenant, &list_key],
        )
        .await?;
    rows.first().map(|row| get(row, 0)).transpose()
}

/// Inserts a run; `false` if its list has an active run, or its operation exists.
pub(super) async fn insert_run(session: &mut Session, new: &NewRun) -> Result<bool, PostgresError> {
    let (operation, body) = match &new.operation {
        Some((operation, body)) => (Some(operation), Some(body.as_slice())),
        None => (None, None),
    };
    let written = session
        .execute(
            "INSERT INTO workflow_run (tenant, id, list_key, active, operation, operation_body, state, \
                 plan, progress, total, counts, due_at, revision, created_at, updated_at) \
             VALUES ($1, $2, $3, $3, $4, $5, 'Queued', $6, $7, $8, $9, $10, 1, $10, $10) \
             ON CONFLICT DO NOTHING",
            &[
                &new.tenant,
                &new.id,
                &new.list_key,
                &operation,
                &body,
                &json(&new.plan)?,
                &json(&new.progress)?,
                &int(new.computers.len() as u64),
                &json(&counts(&[]))?,
                &new.at.as_millis(),
            ],
        )
        .await?;
    if written == 0 {
        return Ok(false);
    }
    let ids: Vec<&str> = new.computers.iter().map(|(id, _)| id.as_str()).collect();
    let names: Vec<&str> = new
        .computers
        .iter()
        .map(|(_, name)| name.as_str())
        .collect();
    session
        .execute(
            "INSERT INTO workflow_computer (tenant, run, place, computer, name, detail) \
             SELECT $1, $2, place - 1, computer, name, '{}' \
             FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS new (computer, name, place)",
            &[&new.tenant, &new.id, &ids, &names],
        )
        .await?;
    Ok(true)
}
