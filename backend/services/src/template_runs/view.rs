//! Converts runs of `ApplyTemplate` and their lists for callers.

use checklist_shared::wire::apply::{AppliedList, TemplateRun};
use checklist_store::template_runs::{RunListRecord, TemplateRunRecord};

pub(super) fn run(record: TemplateRunRecord) -> TemplateRun {
    TemplateRun {
        id: record.id,
        template: record.plan.template,
        template_version: record.plan.version,
        state: record.state,
        total: record.total,
        settled: record.counts.settled(),
        counts: record.counts,
        stopping: record.stopping && !record.state.has_ended(),
        problem: record.problem,
        started_by: record.plan.actor.name,
        created_at: record.created_at,
        updated_at: record.updated_at,
        ended_at: record.ended_at,
    }
}

pub(super) fn list(record: RunListRecord) -> AppliedList {
    AppliedList {
        index: record.place,
        context: record.context,
        outcome: record.outcome,
        items: record.items,
        problem: record.problem,
    }
}
