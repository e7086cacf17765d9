//! Write: sends the decided writes in chunks. Stores the intent before a chunk and the outcomes
//! after it.
//!
//! A write with an unknown result, or one that may succeed later, keeps its intent and gets no
//! outcome: the next pass reads the list again.

use std::time::Duration;

use checklist_runtime::failpoint::{self, Position};
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::Problem;
use checklist_shared::wire::workflow::PlannedAction;
use checklist_store::workflows::{ExportedEntry, RowRecord, RunWrite};
use site_lists::{ErrorKind, ItemOutcome, SiteError};

use super::decide::{IntendedWrite, RowDecision, fail, reason, settle, url_of};
use super::establish::PreparedList;
use super::leased_run::{LeasedRun, PassError};

/// The most computers in a chunk: as many as fit into one batch request.
const CHUNK: usize = 100;
/// The number of tries after which a computer fails, whatever the error.
const TRIES: u32 = 6;
/// The number of tries if the site rejects a write without a reason.
pub(super) const TRIES_REFUSED: u32 = 3;

/// The kinds of writes, in the order in which they are sent: deletes come last.
pub(super) const ORDER: [PlannedAction; 4] = [
    PlannedAction::Update,
    PlannedAction::Adopt,
    PlannedAction::Create,
    PlannedAction::Delete,
];

/// What the writes left undone.
#[derive(Default)]
pub(super) struct WriteSummary {
    /// The number of computers that still have no outcome.
    pub(super) unclear: usize,
    /// The wait that the site has requested.
    pub(super) pause: Option<Duration>,
    /// The last problem.
    pub(super) problem: Option<Problem>,
    /// Whether that was an outage: nothing more was sent then.
    pub(super) is_site_away: bool,
    /// The number of changes that were sent, whatever their results.
    sent: usize,
}

/// Sends the writes.
pub(super) async fn write(
    held: &mut LeasedRun,
    list: &PreparedList,
    decisions: Vec<RowDecision>,
) -> Result<WriteSummary, PassError> {
    let mut left = WriteSummary::default();
    let total = decisions.len();
    if total == 0 {
        return Ok(left);
    }
    let sending = Phrase::of(PhraseCode::StepSending).with("n", total);
    held.begin("Write", sending.sentence()).await?;
    let mut of_kind: [Vec<(RowRecord, IntendedWrite)>; 4] = Default::default();
    let mut learnt = RunWrite::default();
    for decision in decisions {
        learnt.entries.extend(decision.entry);
        let Some(intended) = decision.write else {
            continue;
        };
        let kind = ORDER.iter().position(|action| *action == intended.action);
        of_kind[kind.unwrap_or_default()].push((decision.row, intended));
    }
    if !learnt.entries.is_empty() {
        held.write(learnt).await?;
    }
    let size = failpoint::chunk().unwrap_or(CHUNK).clamp(1, CHUNK);
    for (action, mut writes) in ORDER.into_iter().zip(of_kind) {
        let chunks = writes.len().div_ceil(size);
        for number in 0..chunks {
            if left.is_site_away {
                left.unclear += writes.len();
                break;
            }
            let rest = writes.split_off(writes.len().min(size));
            let chunk = std::mem::replace(&mut writes, rest);
            let position = Position::of(number, chunks);
            carry_out(held, list, action, position, chunk, &mut left).await?;
        }
    }
    let sent = match (left.sent == total, left.unclear) {
        (true, 0) => PhraseCode::StepSent,
        (true, _) => PhraseCode::StepSentUnclear,
        (false, 0) => PhraseCode::StepSentSome,
        (false, _) => PhraseCode::StepSentSomeUnclear,
    };
    let mut detail = Phrase::of(sent)
        .with("n", left.sent)
        .with("total", total)
        .with("unclear", left.unclear)
        .sentence();
    if let (true, Some(problem)) = (left.is_site_away, &left.problem) {
        let why = problem.detail.as_deref().unwrap_or(&problem.title);
        detail.push_str(&format!(" {why}"));
    }
    held.end(Some(detail)).await?;
    failpoint::reach("write.done").await;
    Ok(left)
}

async fn carry_out(
    held: &mut LeasedRun,
    list: &PreparedList,
    action: PlannedAction,
    position: Position,
    chunk: Vec<(RowRecord, IntendedWrite)>,
    left: &mut WriteSummary,
) -> Result<(), PassError> {
    failpoint::reach_chunk(action, position, "chosen").await;
    held.not_cancelled()?;
    let mut changes = Vec::with_capacity(chunk.len());
    let mut rows = Vec::with_capacity(chunk.len());
    let mut keys = Vec::with_capacity(chunk.len());
    for (mut row, intended) in chunk {
        row.detail.sent = true;
        row.attempts += 1;
        rows.push(row);
        changes.push(intended.change);
        keys.push(intended.key);
    }
    let intents = RunWrite {
        rows: rows.clone(),
        ..RunWrite::default()
    };
    if held.write(intents).await? {
        // A cancellation was requested before the chunk was sent.
        rows.iter_mut().for_each(|row| row.detail.sent = false);
        let unsent = RunWrite {
            rows,
            ..RunWrite::default()
        };
        held.write(unsent).await?;
        return Err(PassError::Cancelled);
    }
    failpoint::reach_chunk(action, position, "intended").await;
    held.still_ours()?;
    let site = list.site.clone();
    // The next pass resolves all unclear writes with a single read.
    let done = held
        .unless_lost(&site, site.change(&list.list, &changes, None))
        .await?;
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            // The error concerns the whole chunk, and nothing was sent.
            for row in &mut rows {
                row.detail.sent = false;
                row.attempts -= 1;
            }
            held.write(RunWrite {
                rows,
                ..RunWrite::default()
            })
            .await?;
            return Err(held.pass_error(&error));
        }
    };
    failpoint::reach_chunk(action, position, "sent").await;
    let mut write = RunWrite::default();
    for ((mut row, key), outcome) in rows.into_iter().zip(keys).zip(done) {
        match outcome {
            Ok(outcome) => {
                left.sent += 1;
                note(held, &mut row, action, key, &outcome, &mut write);
            }
            Err(error) => refuse(held, &mut row, &error, left),
        }
        write.rows.push(row);
    }
    held.write(write).await?;
    failpoint::reach_chunk(action, position, "settled").await;
    Ok(())
}

/// Records a write that succeeded.
fn note(
    held: &LeasedRun,
    row: &mut RowRecord,
    action: PlannedAction,
    key: String,
    outcome: &ItemOutcome,
    write: &mut RunWrite,
) {
    let why = reason(action, &row.detail.changed);
    settle(row, held.outside.now(), action.outcome(), why);
    row.detail.candidates.clear();
    row.detail.item_id = Some(outcome.id);
    match action {
        PlannedAction::Delete => {
            row.detail.web_url = None;
            write.gone.push(key);
        }
        PlannedAction::Update => {}
        PlannedAction::Create | PlannedAction::Adopt => {
            if row.detail.web_url.is_none() {
                let list = held.run.progress.list_url.as_deref();
                row.detail.web_url = url_of(list, outcome.id);
            }
            write.entries.push(ExportedEntry {
                key,
                item_id: outcome.id,
                adopted: action == PlannedAction::Adopt,
            });
        }
    }
}

/// Records a write that failed, or whose result is unknown.
fn refuse(held: &LeasedRun, row: &mut RowRecord, error: &SiteError, left: &mut WriteSummary) {
    let problem = held.outside.site_refusal(error).problem;
    let is_answered = error.status().is_some();
    if is_answered || error.kind() == ErrorKind::OutcomeUnknown {
        left.sent += 1;
    }
    if error.is_site_away() {
        left.is_site_away = true;
        if error.kind() != ErrorKind::OutcomeUnknown {
            // It was not carried out, and the next pass finds the entry unchanged. That does not
            // count as a try.
            row.attempts = row.attempts.saturating_sub(1);
        }
    }
    let tries = match error.kind() {
        ErrorKind::AmbiguousField
        | ErrorKind::FieldNotFound
        | ErrorKind::Forbidden
        | ErrorKind::InvalidValue
        | ErrorKind::NotSupported
        | ErrorKind::UnknownUser
        | ErrorKind::UnsupportedFieldType => 0,
        ErrorKind::Rejected | ErrorKind::Failed | ErrorKind::Duplicate => TRIES_REFUSED,
        _ => TRIES,
    };
    if row.attempts >= tries && !error.is_site_away() {
        fail(row, held.outside.now(), problem);
        return;
    }
    left.unclear += 1;
    left.pause = left.pause.max(error.retry_after());
    left.problem = Some(problem.clone());
    row.detail.problem = Some(problem);
}
