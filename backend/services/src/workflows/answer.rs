//! A person's answer to a run: confirms what it waits for, or retries.
//!
//! Confirmation is per computer and entry: anything else that the next pass finds needs a new one.

use checklist_auth::Principal;
use checklist_shared::administration::Action;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::wire::workflow::{ConfirmRun, Outcome, PlannedAction, Run, RunState};
use checklist_store::error::ServiceResult;
use checklist_store::store::Stamp;
use checklist_store::workflows::{
    OutcomeFilter, Requeue, RequeueOutcome, RowRecord, RunProgress, RunRecord, RunRowFilter,
    StoredChoice,
};

use super::record::{find_record, run_changed, run_in_progress};
use super::view;
use crate::access::FieldErrors;
use crate::app::App;
use crate::sites::need_sites;

/// Confirms what a run waits for; computers that are not confirmed are skipped. For ambiguous
/// computers entries may be chosen even after the run has ended; they are then retried.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`, `InvalidRequest`; `RunChanged` if it waits for something
/// else, `RunInProgress` if its list has another run by now.
pub async fn confirm(
    app: &App,
    principal: &Principal,
    id: &str,
    request: ConfirmRun,
) -> ServiceResult<Run> {
    need_sites(principal)?;
    let run = find_record(app, principal, id).await?;
    let waits = run.state == RunState::AwaitingConfirmation;
    if !waits && (!run.state.is_final() || request.choices.is_empty()) {
        return Err(run_changed("The run does not wait for a confirmation."));
    }
    let asked = run.progress.confirmation.unwrap_or_default();
    for (said, shown) in [
        (request.adoptions, asked.adoptions),
        (request.deletes, asked.deletes),
    ] {
        if waits && said.is_some_and(|said| said != shown) {
            return Err(run_changed(
                "The run waits for something else by now; look at it again.",
            ));
        }
    }
    let rows = all(app, &run).await?;
    let (choices, mut chosen) = apply_choices(&rows, &request)?;
    let now = app.clock().now();
    let mut answered = Vec::new();
    for mut row in rows {
        let Some(planned) = row.planned.filter(|_| waits && row.outcome.is_none()) else {
            continue;
        };
        let this = row.detail.item_id.map(|item| (planned, item));
        let confirmed = match planned {
            // An entry that a person has chosen needs no further confirmation. A confirmation does
            // not apply to a different entry that has taken the place of the confirmed one.
            PlannedAction::Adopt | PlannedAction::Delete
                if this.is_some() && row.detail.confirmed == this =>
            {
                continue;
            }
            PlannedAction::Adopt => request.adoptions.is_some(),
            PlannedAction::Delete => request.deletes.is_some(),
            PlannedAction::Create | PlannedAction::Update => continue,
        };
        if confirmed {
            row.detail.confirmed = this;
        } else {
            row.outcome = Some(Outcome::Skipped);
            row.planned = None;
            row.settled_at = Some(now);
            row.detail.reason = Some("It was not confirmed.".to_owned());
        }
        answered.push(row);
    }
    answered.append(&mut chosen);
    let progress = RunProgress {
        // A person who chooses among a list's entries has seen that it is the right list.
        first_run_confirmed: true,
        ..run.progress.resumed()
    };
    let stamp = principal.stamp(now);
    again(
        app,
        (stamp, Action::Confirmed),
        run,
        progress,
        answered,
        choices,
    )
    .await
}

/// Retries the computers that have failed, were ambiguous or were skipped.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`; `RunChanged` if it has not ended or there is nothing to
/// retry, `RunInProgress` if its list has another run by now.
pub async fn retry_failed(app: &App, principal: &Principal, id: &str) -> ServiceResult<Run> {
    need_sites(principal)?;
    let run = find_record(app, principal, id).await?;
    if !run.state.is_final() {
        return Err(run_changed("The run has not ended yet."));
    }
    let mut rows = all(app, &run).await?;
    rows.retain(|row| {
        matches!(
            row.outcome,
            Some(Outcome::Failed | Outcome::Ambiguous | Outcome::Skipped)
        )
    });
    if rows.is_empty() {
        return Err(run_changed("Nothing of this run is left to try."));
    }
    rows.iter_mut().for_each(reopen);
    let progress = run.progress.resumed();
    let stamp = principal.stamp(app.clock().now());
    again(
        app,
        (stamp, Action::Retried),
        run,
        progress,
        rows,
        Vec::new(),
    )
    .await
}

fn reopen(row: &mut RowRecord) {
    row.outcome = None;
    row.planned = None;
    row.settled_at = None;
    row.attempts = 0;
    row.detail = checklist_store::workflows::RowDetail::default();
}

async fn all(app: &App, run: &RunRecord) -> ServiceResult<Vec<RowRecord>> {
    let which = RunRowFilter {
        after: None,
        limit: u32::MAX,
        outcome: OutcomeFilter::Any,
    };
    Ok(app
        .store()
        .run_computers(&run.tenant, &run.id, which)
        .await?)
}

/// The choices, and the computers that are retried because of them.
fn apply_choices(
    rows: &[RowRecord],
    request: &ConfirmRun,
) -> ServiceResult<(Vec<StoredChoice>, Vec<RowRecord>)> {
    let mut faults = FieldErrors::default();
    let mut choices = Vec::new();
    let mut reopened: Vec<RowRecord> = Vec::new();
    for (index, choice) in request.choices.iter().enumerate() {
        let row = rows.iter().find(|row| {
            row.computer == choice.computer_id && row.outcome == Some(Outcome::Ambiguous)
        });
        let Some(row) = row else {
            faults.say(
                format!("/Choices/{index}/ComputerId"),
                FieldErrorCode::Invalid,
                "The run has no ambiguous computer of this id.",
            );
            continue;
        };
        if reopened.iter().any(|other| other.place == row.place) {
            faults.say(
                format!("/Choices/{index}/ComputerId"),
                FieldErrorCode::Duplicate,
                "There are two choices for this computer.",
            );
            continue;
        }
        let is_candidate = |item: i64| {
            row.detail
                .candidates
                .iter()
                .any(|found| found.item_id == item)
        };
        if choice.item_id.is_some_and(|item| !is_candidate(item)) {
            faults.say(
                format!("/Choices/{index}/ItemId"),
                FieldErrorCode::Invalid,
                "This is none of the entries that it could be.",
            );
            continue;
        }
        choices.push(StoredChoice {
            computer: choice.computer_id.clone(),
            item_id: choice.item_id,
        });
        let mut row = row.clone();
        reopen(&mut row);
        reopened.push(row);
    }
    faults.refuse()?;
    Ok((choices, reopened))
}

async fn again(
    app: &App,
    (stamp, action): (Stamp, Action),
    run: RunRecord,
    progress: RunProgress,
    rows: Vec<RowRecord>,
    choices: Vec<StoredChoice>,
) -> ServiceResult<Run> {
    let requeue = Requeue {
        tenant: run.tenant,
        id: run.id,
        revision: run.revision,
        progress,
        rows,
        choices,
        stamp,
        action,
    };
    match app.store().requeue_run(requeue).await? {
        RequeueOutcome::Done(run) => Ok(view::run(*run)),
        RequeueOutcome::Changed => Err(run_changed(
            "The run has changed meanwhile; look at it again.",
        )),
        RequeueOutcome::Busy(id) => Err(run_in_progress(id)),
    }
}
