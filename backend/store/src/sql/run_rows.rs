//! The parts of a run: its computers, its steps, and the known entries of a list.

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Outcome, RunStep};

use super::{Row, Session, json, values};
use crate::store::StoreError;
use crate::workflows::{
    ExportedEntry, OutcomeFilter, RowRecord, RunRowFilter, StoredChoice, counts,
};

/// The computers of a run after a position that match a filter.
macro_rules! computers {
    ($filter:literal) => {
        concat!(
            "SELECT place, computer, name, outcome, planned, detail, attempts, settled_at
             FROM workflow_computer WHERE tenant = $1 AND run = $2 AND place > $3 ",
            $filter,
            " ORDER BY place LIMIT $4"
        )
    };
}

fn computer_of(row: &Row) -> Result<RowRecord, StoreError> {
    Ok(RowRecord {
        place: row.get_u32(0)?,
        computer: row.get_text(1)?.to_owned(),
        name: row.get_text(2)?.to_owned(),
        outcome: row.get_named_option(3)?,
        planned: row.get_named_option(4)?,
        detail: row.get_json(5)?,
        attempts: row.get_u32(6)?,
        settled_at: row.get_time_option(7)?,
    })
}

pub(crate) async fn computers<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
    which: RunRowFilter,
) -> Result<Vec<RowRecord>, StoreError> {
    let mut parameters = values![tenant, run, which.after.map_or(-1, i64::from), which.limit];
    let sql = match which.outcome {
        OutcomeFilter::Any => computers!(""),
        OutcomeFilter::None => computers!("AND outcome IS NULL"),
        OutcomeFilter::Only(outcome) => {
            parameters.push(outcome.name().into());
            computers!("AND outcome = $5")
        }
    };
    let rows = session.query(sql, parameters).await?;
    rows.iter().map(computer_of).collect()
}

pub(crate) async fn save_computers<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
    rows: &[RowRecord],
) -> Result<(), StoreError> {
    let details = rows
        .iter()
        .map(|row| json(&row.detail))
        .collect::<Result<Vec<String>, _>>()?;
    let written: Vec<_> = rows
        .iter()
        .zip(&details)
        .map(|(row, detail)| {
            values![
                tenant,
                run,
                row.place,
                &row.computer,
                &row.name,
                row.outcome.map(Outcome::name),
                row.planned.map(|planned| planned.name()),
                detail,
                row.attempts,
                row.settled_at,
            ]
        })
        .collect();
    session
        .execute_each(
            "INSERT INTO workflow_computer
                 (tenant, run, place, computer, name, outcome, planned, detail, attempts, settled_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (tenant, run, place) DO UPDATE
             SET name = excluded.name, outcome = excluded.outcome, planned = excluded.planned,
                 detail = excluded.detail, attempts = excluded.attempts,
                 settled_at = excluded.settled_at",
            &written,
        )
        .await?;
    Ok(())
}

/// Counts the outcomes again, and increments the run's revision.
pub(crate) async fn count<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let rows = session
        .query(
            "SELECT outcome, count(*) FROM workflow_computer
             WHERE tenant = $1 AND run = $2 AND outcome IS NOT NULL GROUP BY outcome",
            values![tenant, run],
        )
        .await?;
    let outcomes = rows
        .iter()
        .map(|row| Ok((row.get_named(0)?, row.get_u32(1)?)))
        .collect::<Result<Vec<(Outcome, u32)>, StoreError>>()?;
    let counted = json(&counts(&outcomes))?;
    session
        .execute(
            "UPDATE workflow_run SET counts = $3, revision = revision + 1, updated_at = $4
             WHERE tenant = $1 AND id = $2",
            values![tenant, run, &counted, now],
        )
        .await?;
    Ok(())
}

pub(crate) async fn steps<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
) -> Result<Vec<RunStep>, StoreError> {
    let rows = session
        .query(
            "SELECT number, name, detail, started_at, ended_at FROM workflow_step
             WHERE tenant = $1 AND run = $2 ORDER BY number",
            values![tenant, run],
        )
        .await?;
    let steps = rows.iter().map(|row| {
        Ok(RunStep {
            number: row.get_u32(0)?,
            name: row.get_text(1)?.to_owned(),
            detail: row.get_text(2)?.to_owned(),
            started_at: row.get_time(3)?,
            ended_at: row.get_time_option(4)?,
        })
    });
    steps.collect()
}

pub(crate) async fn save_step<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
    step: &RunStep,
) -> Result<(), StoreError> {
    let parameters = values![
        tenant,
        run,
        step.number,
        &step.name,
        &step.detail,
        step.started_at,
        step.ended_at,
    ];
    session
        .execute(
            "INSERT INTO workflow_step (tenant, run, number, name, detail, started_at, ended_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (tenant, run, number) DO UPDATE
             SET detail = excluded.detail, ended_at = excluded.ended_at",
            parameters,
        )
        .await?;
    Ok(())
}

pub(crate) async fn entries<S: Session>(
    session: &mut S,
    tenant: &str,
    list: &str,
) -> Result<Vec<ExportedEntry>, StoreError> {
    let rows = session
        .query(
            "SELECT key, item_id, adopted FROM workflow_entry WHERE tenant = $1 AND list_key = $2",
            values![tenant, list],
        )
        .await?;
    let entries = rows.iter().map(|row| {
        Ok(ExportedEntry {
            key: row.get_text(0)?.to_owned(),
            item_id: row.get_i64(1)?,
            adopted: row.get_bool(2)?,
        })
    });
    entries.collect()
}

pub(crate) async fn save_entries<S: Session>(
    session: &mut S,
    tenant: &str,
    list: &str,
    entries: &[ExportedEntry],
    gone: &[String],
) -> Result<(), StoreError> {
    let written: Vec<_> = entries
        .iter()
        .map(|entry| values![tenant, list, &entry.key, entry.item_id, entry.adopted])
        .collect();
    session
        .execute_each(
            "INSERT INTO workflow_entry (tenant, list_key, key, item_id, adopted)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant, list_key, key) DO UPDATE
             SET item_id = excluded.item_id, adopted = excluded.adopted",
            &written,
        )
        .await?;
    let deleted: Vec<_> = gone.iter().map(|key| values![tenant, list, key]).collect();
    session
        .execute_each(
            "DELETE FROM workflow_entry WHERE tenant = $1 AND list_key = $2 AND key = $3",
            &deleted,
        )
        .await?;
    Ok(())
}

pub(crate) async fn choices<S: Session>(
    session: &mut S,
    tenant: &str,
    list: &str,
) -> Result<Vec<StoredChoice>, StoreError> {
    let rows = session
        .query(
            "SELECT computer, item_id FROM workflow_choice WHERE tenant = $1 AND list_key = $2",
            values![tenant, list],
        )
        .await?;
    let choices = rows.iter().map(|row| {
        Ok(StoredChoice {
            computer: row.get_text(0)?.to_owned(),
            item_id: row.get_i64_option(1)?,
        })
    });
    choices.collect()
}

pub(crate) async fn save_choices<S: Session>(
    session: &mut S,
    tenant: &str,
    list: &str,
    choices: &[StoredChoice],
) -> Result<(), StoreError> {
    let written: Vec<_> = choices
        .iter()
        .map(|choice| values![tenant, list, &choice.computer, choice.item_id])
        .collect();
    session
        .execute_each(
            "INSERT INTO workflow_choice (tenant, list_key, computer, item_id)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (tenant, list_key, computer) DO UPDATE SET item_id = excluded.item_id",
            &written,
        )
        .await?;
    Ok(())
}
