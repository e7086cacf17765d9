//! The rows of runs: a run, its computers, its steps, and what is known of a list's entries.

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Outcome, RunStep};
use tokio_postgres::Row;

use super::columns::{
    get, get_json, get_named, get_time, get_time_option, get_u32, get_u64, int, json, time,
};
use super::session::Session;
use super::trouble::Trouble;
use crate::storage::names::Named;
use crate::storage::workflows::{
    KeptChoice, KnownEntry, NewRun, RowRecord, RunRecord, Which, WhichOutcome, counts,
};

/// The columns of a run, in the order in which [`run_of`] reads them.
macro_rules! run_columns {
    () => {
        "tenant, id, list_key, state, plan, progress, total, counts, cancelling, fence, \
         revision, created_at, updated_at, ended_at"
    };
}
pub(super) use run_columns;

/// The columns of a computer, in the order in which [`row_of`] reads them.
macro_rules! computers {
    ($filter:literal) => {
        concat!(
            "SELECT place, computer, name, outcome, planned, detail, attempts, settled_at \
             FROM workflow_computer WHERE tenant = $1 AND run = $2 AND place > $3 ",
            $filter,
            " ORDER BY place LIMIT $4"
        )
    };
}

pub(super) fn run_of(row: &Row) -> Result<RunRecord, Trouble> {
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
) -> Result<Option<RunRecord>, Trouble> {
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

/// The id of the run that a list has now.
pub(super) async fn active(
    session: &mut Session,
    tenant: &str,
    list_key: &str,
) -> Result<Option<String>, Trouble> {
    let rows = session
        .query(
            "SELECT id FROM workflow_run WHERE tenant = $1 AND active = $2",
            &[&tenant, &list_key],
        )
        .await?;
    rows.first().map(|row| get(row, 0)).transpose()
}

fn named<T: Named>(row: &Row, column: usize) -> Result<Option<T>, Trouble> {
    get::<Option<&str>>(row, column)?
        .map(|_| get_named(row, column))
        .transpose()
}

fn row_of(row: &Row) -> Result<RowRecord, Trouble> {
    Ok(RowRecord {
        place: get_u32(row, 0)?,
        computer: get(row, 1)?,
        name: get(row, 2)?,
        outcome: named(row, 3)?,
        planned: named(row, 4)?,
        detail: get_json(row, 5)?,
        attempts: get_u32(row, 6)?,
        settled_at: get_time_option(row, 7)?,
    })
}

pub(super) async fn computers(
    session: &mut Session,
    tenant: &str,
    run: &str,
    which: Which,
) -> Result<Vec<RowRecord>, Trouble> {
    let (after, limit) = (which.after.map_or(-1, i64::from), i64::from(which.limit));
    let rows = match which.outcome {
        WhichOutcome::Any => {
            session
                .query(computers!(""), &[&tenant, &run, &after, &limit])
                .await?
        }
        WhichOutcome::None => {
            session
                .query(
                    computers!("AND outcome IS NULL"),
                    &[&tenant, &run, &after, &limit],
                )
                .await?
        }
        WhichOutcome::Only(outcome) => {
            session
                .query(
                    computers!("AND outcome = $5"),
                    &[&tenant, &run, &after, &limit, &outcome.name()],
                )
                .await?
        }
    };
    rows.iter().map(row_of).collect()
}

pub(super) async fn save_computers(
    session: &mut Session,
    tenant: &str,
    run: &str,
    rows: &[RowRecord],
) -> Result<(), Trouble> {
    if rows.is_empty() {
        return Ok(());
    }
    let places: Vec<i64> = rows.iter().map(|row| i64::from(row.place)).collect();
    let computers: Vec<&str> = rows.iter().map(|row| row.computer.as_str()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let outcomes: Vec<Option<&str>> = rows
        .iter()
        .map(|row| row.outcome.map(Outcome::name))
        .collect();
    let planned: Vec<Option<&str>> = rows
        .iter()
        .map(|row| row.planned.map(|planned| planned.name()))
        .collect();
    let details = rows
        .iter()
        .map(|row| json(&row.detail))
        .collect::<Result<Vec<String>, Trouble>>()?;
    let attempts: Vec<i64> = rows.iter().map(|row| i64::from(row.attempts)).collect();
    let settled: Vec<Option<i64>> = rows.iter().map(|row| time(row.settled_at)).collect();
    session
        .execute(
            "INSERT INTO workflow_computer (tenant, run, place, computer, name, outcome, planned, detail, \
                 attempts, settled_at) \
             SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], \
                 $8::text[], $9::bigint[], $10::bigint[]) \
             ON CONFLICT (tenant, run, place) DO UPDATE SET name = excluded.name, \
                 outcome = excluded.outcome, planned = excluded.planned, detail = excluded.detail, \
                 attempts = excluded.attempts, settled_at = excluded.settled_at",
            &[
                &tenant, &run, &places, &computers, &names, &outcomes, &planned, &details, &attempts,
                &settled,
            ],
        )
        .await?;
    Ok(())
}

/// Counts the outcomes anew, and notes that the run has changed.
pub(super) async fn count(
    session: &mut Session,
    tenant: &str,
    run: &str,
    now: Timestamp,
) -> Result<(), Trouble> {
    let rows = session
        .query(
            "SELECT outcome, count(*) FROM workflow_computer \
             WHERE tenant = $1 AND run = $2 AND outcome IS NOT NULL GROUP BY outcome",
            &[&tenant, &run],
        )
        .await?;
    let found = rows
        .iter()
        .map(|row| Ok((get_named(row, 0)?, get_u32(row, 1)?)))
        .collect::<Result<Vec<(Outcome, u32)>, Trouble>>()?;
    session
        .execute(
            "UPDATE workflow_run SET counts = $3, revision = revision + 1, updated_at = $4 \
             WHERE tenant = $1 AND id = $2",
            &[&tenant, &run, &json(&counts(&found))?, &now.as_millis()],
        )
        .await?;
    Ok(())
}

pub(super) async fn steps(
    session: &mut Session,
    tenant: &str,
    run: &str,
) -> Result<Vec<RunStep>, Trouble> {
    let rows = session
        .query(
            "SELECT number, name, detail, started_at, ended_at FROM workflow_step \
             WHERE tenant = $1 AND run = $2 ORDER BY number",
            &[&tenant, &run],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(RunStep {
                number: get_u32(row, 0)?,
                name: get(row, 1)?,
                detail: get(row, 2)?,
                started_at: get_time(row, 3)?,
                ended_at: get_time_option(row, 4)?,
            })
        })
        .collect()
}

pub(super) async fn save_step(
    session: &mut Session,
    tenant: &str,
    run: &str,
    step: &RunStep,
) -> Result<(), Trouble> {
    session
        .execute(
            "INSERT INTO workflow_step (tenant, run, number, name, detail, started_at, ended_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (tenant, run, number) DO UPDATE SET detail = excluded.detail, \
                 ended_at = excluded.ended_at",
            &[
                &tenant,
                &run,
                &i64::from(step.number),
                &step.name,
                &step.detail,
                &step.started_at.as_millis(),
                &time(step.ended_at),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn entries(
    session: &mut Session,
    tenant: &str,
    list: &str,
) -> Result<Vec<KnownEntry>, Trouble> {
    let rows = session
        .query(
            "SELECT key, item_id, adopted FROM workflow_entry WHERE tenant = $1 AND list_key = $2",
            &[&tenant, &list],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(KnownEntry {
                key: get(row, 0)?,
                item_id: get(row, 1)?,
                adopted: get(row, 2)?,
            })
        })
        .collect()
}

pub(super) async fn save_entries(
    session: &mut Session,
    tenant: &str,
    list: &str,
    entries: &[KnownEntry],
    gone: &[String],
) -> Result<(), Trouble> {
    if !entries.is_empty() {
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        let items: Vec<i64> = entries.iter().map(|entry| entry.item_id).collect();
        let adopted: Vec<bool> = entries.iter().map(|entry| entry.adopted).collect();
        session
            .execute(
                "INSERT INTO workflow_entry (tenant, list_key, key, item_id, adopted) \
                 SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::boolean[]) \
                 ON CONFLICT (tenant, list_key, key) DO UPDATE SET item_id = excluded.item_id, \
                     adopted = excluded.adopted",
                &[&tenant, &list, &keys, &items, &adopted],
            )
            .await?;
    }
    if !gone.is_empty() {
        session
            .execute(
                "DELETE FROM workflow_entry WHERE tenant = $1 AND list_key = $2 AND key = ANY($3)",
                &[&tenant, &list, &gone],
            )
            .await?;
    }
    Ok(())
}

pub(super) async fn choices(
    session: &mut Session,
    tenant: &str,
    list: &str,
) -> Result<Vec<KeptChoice>, Trouble> {
    let rows = session
        .query(
            "SELECT computer, item_id FROM workflow_choice WHERE tenant = $1 AND list_key = $2",
            &[&tenant, &list],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(KeptChoice {
                computer: get(row, 0)?,
                item_id: get(row, 1)?,
            })
        })
        .collect()
}

pub(super) async fn save_choices(
    session: &mut Session,
    tenant: &str,
    list: &str,
    choices: &[KeptChoice],
) -> Result<(), Trouble> {
    for choice in choices {
        session
            .execute(
                "INSERT INTO workflow_choice (tenant, list_key, computer, item_id) \
                 VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (tenant, list_key, computer) DO UPDATE SET item_id = excluded.item_id",
                &[&tenant, &list, &choice.computer, &choice.item_id],
            )
            .await?;
    }
    Ok(())
}

/// Writes a run that is new; whether its list was free for it, and its operation.
pub(super) async fn insert_run(session: &mut Session, new: &NewRun) -> Result<bool, Trouble> {
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
