//! Converts runs and their computers for callers.

use checklist_shared::wire::workflow::{COMPUTER_EXPORT, Run, RunComputer, RunState};

use checklist_store::workflows::{RowRecord, RunRecord, settled};

pub(super) fn run(record: RunRecord) -> Run {
    let RunRecord { plan, progress, .. } = record;
    Run {
        id: record.id,
        workflow: COMPUTER_EXPORT.to_owned(),
        state: record.state,
        service_connection: plan.connection,
        connection_name: plan.connection_name,
        list: plan.list,
        list_url: progress.list_url,
        key_column: plan.key_column,
        field_map: plan.field_map,
        match_fields: plan.match_fields,
        dry_run: plan.dry_run,
        total: record.total,
        settled: settled(&record.counts),
        counts: record.counts,
        confirmation: progress
            .confirmation
            .filter(|_| record.state == RunState::AwaitingConfirmation),
        waiting: progress
            .waiting
            .filter(|_| record.state == RunState::Running && !record.cancelling),
        problem: progress
            .problem
            .filter(|_| record.state == RunState::Failed),
        cancelling: record.cancelling && !record.state.is_final(),
        started_by: plan.actor.name,
        revision: record.revision,
        created_at: record.created_at,
        updated_at: record.updated_at,
        ended_at: record.ended_at,
    }
}

pub(super) fn computer(row: RowRecord) -> RunComputer {
    let detail = row.detail;
    RunComputer {
        index: row.place,
        computer_id: row.computer,
        name: row.name,
        outcome: row.outcome,
        planned: row.planned.filter(|_| row.outcome.is_none()),
        reason: detail.reason,
        problem: detail.problem,
        changed: detail.changed,
        item_id: detail.item_id,
        web_url: detail.web_url,
        candidates: detail.candidates,
        attempts: row.attempts,
        settled_at: row.settled_at,
    }
}
