//! One pass over the computers of a run without an outcome: establish, read, decide, request
//! confirmations, write.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use checklist_runtime::clock;
use checklist_runtime::failpoint;
use checklist_shared::computer::ComputerStatus;
use checklist_shared::export::{Inventory, ListState, PlannedWrite, guard};
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Outcome, RunState, Waiting, WaitingReason};
use checklist_store::workflows::{ExportedEntry, RowRecord, RunRowFilter, RunWrite, SiteOutage};

use super::check::check;
use super::decide::{Facts, RowDecision, decide, fail, reason, settle, unknown};
use super::leased_run::{LeasedRun, PassError, WORTH_TELLING, after};
use super::retry::is_temporary;
use super::{establish, read, write};

/// The most rows in one write to the store.
const ROWS: usize = 500;
/// The number of failed passes in a row after which a run fails.
const PASSES: u32 = 6;
/// The shortest pause between two passes, and the longest unless the site requests a longer one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));

/// The result of a pass.
pub(super) enum PassResult {
    /// The run has this state now, and everything is stored.
    In(RunState),
    /// Another pass is needed, not before this time.
    Again(Timestamp),
}

/// Runs a pass. Everything but the state of the run is stored when it returns.
pub(super) async fn pass(held: &mut LeasedRun) -> Result<PassResult, PassError> {
    let before = held.settled;
    let ended = match run_pass(held).await {
        Ok(end) => return Ok(end),
        Err(ended) => ended,
    };
    match ended {
        PassError::Cancelled => {
            held.run.progress.away = None;
            held.run.progress.waiting = None;
            cancel(held).await?;
            Ok(PassResult::In(RunState::Cancelled))
        }
        PassError::Away(error, asked) => {
            let is_first_step = held.step().is_some_and(|step| step.name == "Establish");
            held.end(error.problem.detail.clone()).await?;
            wait_for_site(held, before, error.problem, asked, is_first_step).await
        }
        PassError::Refused(error) => {
            held.run.progress.away = None;
            let asked = error
                .retry_after
                .map(|seconds| Duration::from_secs(seconds.into()));
            let detail = error.problem.detail.clone();
            held.end(detail).await?;
            if is_temporary(error.code()) && !is_exhausted(held, before) {
                return Ok(next_pass(held, asked, &error.problem));
            }
            give_up(held, &error.problem).await?;
            held.run.progress.problem = Some(error.problem);
            Ok(PassResult::In(RunState::Failed))
        }
        other => Err(other),
    }
}

/// Releases the run until the next try to reach the site. Fails the run if the site has been away
/// for too long.
async fn wait_for_site(
    held: &mut LeasedRun,
    before: usize,
    problem: Problem,
    asked: Option<Duration>,
    is_first_step: bool,
) -> Result<PassResult, PassError> {
    let now = held.outside.now();
    let policy = held.outside.retries();
    let step = is_first_step.then_some(held.run.progress.steps);
    let known = held.run.progress.away.take();
    // An outcome since then shows that the site was reachable.
    let known = known.filter(|_| held.settled == before);
    let away = known.unwrap_or_else(|| SiteOutage {
        since: now,
        give_up_at: after(now, policy.give_up_after),
        tries: 0,
        step,
    });
    let away = SiteOutage {
        tries: away.tries.saturating_add(1),
        step,
        ..away
    };
    let pause = policy.pause(away.tries - 1, clock::fraction());
    let asked_until = asked.map(|asked| after(now, asked + Duration::from_millis(1)));
    if now >= away.give_up_at || asked_until.is_some_and(|until| until > away.give_up_at) {
        let problem = too_long_away(&problem, &away, asked_until);
        held.run.progress.waiting = None;
        give_up(held, &problem).await?;
        held.run.progress.problem = Some(problem);
        return Ok(PassResult::In(RunState::Failed));
    }
    let until = after(now, pause).max(asked_until.unwrap_or(now));
    let until = until.min(away.give_up_at);
    held.run.progress.waiting = Some(Waiting {
        reason: match problem.code {
            ProblemCode::Throttled => WaitingReason::Throttled,
            _ => WaitingReason::SiteUnreachable,
        },
        detail: sentence(&problem),
        since: away.since,
        until,
        give_up_at: Some(away.give_up_at),
    });
    held.run.progress.away = Some(away);
    Ok(PassResult::Again(until))
}

fn sentence(problem: &Problem) -> String {
    let detail = problem.detail.clone();
    detail.unwrap_or_else(|| problem.title.clone())
}

/// The problem of a run that has waited too long for the site.
fn too_long_away(problem: &Problem, away: &SiteOutage, asked_until: Option<Timestamp>) -> Problem {
    let said = sentence(problem);
    let detail = match asked_until.filter(|until| *until > away.give_up_at) {
        Some(until) => format!(
            "{said} It asks to be left alone until {until}, and the run waits for it until {} at most.",
            away.give_up_at
        ),
        None => format!(
            "{said} The site has been away since {}, for longer than a run waits for it.",
            away.since
        ),
    };
    Problem {
        detail: Some(detail),
        ..problem.clone()
    }
}

/// Schedules another pass, after a pause that is reported.
fn next_pass(held: &mut LeasedRun, asked: Option<Duration>, problem: &Problem) -> PassResult {
    let now = held.outside.now();
    let pause = pause(held, asked);
    let until = after(now, pause);
    held.run.progress.waiting = (pause >= WORTH_TELLING).then(|| Waiting {
        reason: WaitingReason::Retry,
        detail: sentence(problem),
        since: now,
        until,
        give_up_at: None,
    });
    PassResult::Again(until)
}

/// Counts an interrupted pass; returns whether there were too many in a row.
fn is_exhausted(held: &mut LeasedRun, before: usize) -> bool {
    if held.settled > before {
        held.run.progress.failures = 0;
    }
    held.run.progress.failures += 1;
    held.run.progress.failures >= PASSES
}

fn pause(held: &LeasedRun, asked: Option<Duration>) -> Duration {
    let failures = held.run.progress.failures.saturating_sub(1).min(10);
    let grown = PAUSES.0 * 2_u32.pow(failures);
    grown.min(PAUSES.1).max(asked.unwrap_or_default())
}

async fn run_pass(held: &mut LeasedRun) -> Result<PassResult, PassError> {
    let before = held.settled;
    failpoint::reach("claimed").await;
    held.not_cancelled()?;
    let now = held.outside.now();
    let waiting = held.run.progress.waiting.as_ref();
    if let Some(waiting) =
        waiting.filter(|it| it.reason == WaitingReason::Throttled && it.until > now)
    {
        // The server process that received the site's request to wait has ended meanwhile.
        return Ok(PassResult::Again(waiting.until));
    }
    let rows = open(held).await?;
    failpoint::reach("loaded").await;
    if rows.is_empty() {
        return complete(held).await;
    }
    let list = establish::establish(held).await?;
    let (facts_rows, inventory, computers) = inventory(held, rows).await?;
    let keys = computers
        .keys()
        .map(|id| inventory.key(id))
        .collect::<HashSet<_>>();
    let mut read = read::read(held, &list, &keys).await?;

    held.begin("Decide", PhraseCode::StepComparing.english())
        .await?;
    failpoint::reach("decide.begun").await;
    let store = held.outside.store();
    let (tenant, list_key) = (&held.run.tenant, &held.run.list_key);
    let known = store.known_entries(tenant, list_key).await?;
    let choices = store.run_choices(tenant, list_key).await?;
    let known: HashMap<String, ExportedEntry> = known
        .into_iter()
        .map(|entry| (entry.key.clone(), entry))
        .collect();
    // That a scrapped computer has no entry is certain only if the list was read completely and no
    // entry is known.
    let shown = read.keys();
    let missing = computers
        .values()
        .filter(|computer| computer.status == ComputerStatus::Scrapped)
        .map(|computer| inventory.key(&computer.id))
        .filter(|key| !shown.contains(key))
        .map(|key| (key, known.get(&key.to_string()).map(|entry| entry.item_id)))
        .filter(|(_, item_id)| read.is_short || item_id.is_some())
        .collect();
    read::look_for(held, &list, &mut read, &missing).await?;
    let facts = Facts {
        now: held.outside.now(),
        list: &list,
        read: &read,
        computers,
        inventory: &inventory,
        match_fields: &held.run.plan.match_fields,
        choices: choices
            .into_iter()
            .map(|choice| (choice.computer, choice.item_id))
            .collect(),
        known,
        list_url: held.run.progress.list_url.clone(),
    };
    let (mut decisions, linkage) = decide(&facts, facts_rows);
    failpoint::reach("decide.decided").await;
    let deleted = held.run.counts.deleted;
    let state = ListState {
        own_entries: linkage.own_entries,
        made_by_hand: linkage.made_by_hand,
        deleted,
        list_confirmed: held.run.progress.first_run_confirmed,
    };
    let planned: Vec<PlannedWrite> = decisions
        .iter()
        .filter_map(|decision| decision.write.as_ref())
        .map(|write| PlannedWrite {
            action: write.action,
            adopted: write.adopted,
            confirmed: write.confirmed,
        })
        .collect();
    let gate = guard(&planned, state);
    if held.run.plan.dry_run {
        check(held, &list, &read, &mut decisions, &gate.open).await?;
        store_would_be(held, decisions).await?;
        return complete(held).await;
    }
    let mut now = Vec::new();
    let mut stored = Vec::new();
    let mut may = gate.open.iter();
    for decision in decisions {
        let opens = decision.write.is_some() && may.next().copied().unwrap_or(false);
        if opens {
            now.push(decision);
        } else {
            stored.push(decision);
        }
    }
    store_decisions(held, stored, now.len(), &mut None).await?;
    failpoint::reach("decide.stored").await;

    let left = write::write(held, &list, now).await?;
    if left.unclear > 0 {
        let problem = left.problem.unwrap_or_else(unknown);
        if left.is_site_away {
            return wait_for_site(held, before, problem, left.pause, false).await;
        }
        held.run.progress.away = None;
        if is_exhausted(held, before) {
            give_up_on_sent(held, &problem).await?;
            return Ok(PassResult::Again(held.outside.now()));
        }
        return Ok(next_pass(held, left.pause, &problem));
    }
    held.run.progress.failures = 0;
    held.run.progress.away = None;
    let Some(confirmation) = gate.confirmation else {
        return complete(held).await;
    };
    failpoint::reach("gate.waits").await;
    held.run.progress.confirmation = Some(confirmation);
    held.begin(
        "Confirm",
        Phrase::of(PhraseCode::StepConfirming)
            .with("adoptions", confirmation.adoptions)
            .with("deletions", confirmation.deletes)
            .sentence(),
    )
    .await?;
    Ok(PassResult::In(RunState::AwaitingConfirmation))
}

/// The computers without an outcome; also refreshes the counts.
async fn open(held: &mut LeasedRun) -> Result<Vec<RowRecord>, PassError> {
    let store = held.outside.store();
    let (tenant, id) = (&held.run.tenant, &held.run.id);
    let rows = store
        .run_computers(tenant, id, RunRowFilter::open())
        .await?;
    if let Some(run) = store.run(tenant, id).await? {
        held.run.counts = run.counts;
    }
    held.run.progress.confirmation = None;
    Ok(rows)
}

type Computers = std::collections::HashMap<String, checklist_shared::computer::Computer>;

/// The current computers of the rows, and names and serial numbers of the whole inventory.
async fn inventory(
    held: &LeasedRun,
    rows: Vec<RowRecord>,
) -> Result<(Vec<RowRecord>, Inventory, Computers), PassError> {
    let store = held.outside.store();
    let tenant = &held.run.tenant;
    let ids: Vec<String> = rows.iter().map(|row| row.computer.clone()).collect();
    let found = store.computers_by_id(tenant, ids).await?;
    let mut inventory = Inventory::new(tenant.clone());
    for one in store.names_and_serials(tenant).await? {
        inventory.insert(&one.id, one.serial_number.as_deref(), &one.name);
    }
    let computers = found
        .into_iter()
        .map(|record| (record.computer.id.clone(), record.computer))
        .collect();
    Ok((rows, inventory, computers))
}

/// Stores decisions without a write: outcomes, and what needs a confirmation.
async fn store_decisions(
    held: &mut LeasedRun,
    decisions: Vec<RowDecision>,
    writes: usize,
    detail: &mut Option<String>,
) -> Result<(), PassError> {
    let total = decisions.len();
    let mut rest = decisions.into_iter();
    loop {
        let mut write = RunWrite::default();
        for decision in rest.by_ref().take(ROWS) {
            write.entries.extend(decision.entry);
            write.gone.extend(decision.gone);
            let mut row = decision.row;
            if row.outcome.is_none() {
                row.detail.reason = Some("Waits to be confirmed.".to_owned());
            }
            write.rows.push(row);
        }
        if write.rows.is_empty() {
            break;
        }
        held.write(write).await?;
    }
    let said = detail.take().unwrap_or_else(|| {
        Phrase::of(PhraseCode::StepDecided)
            .with("n", total + writes)
            .with("writes", writes)
            .sentence()
    });
    held.end(Some(said)).await
}

/// Stores the results of a dry run.
async fn store_would_be(
    held: &mut LeasedRun,
    mut decisions: Vec<RowDecision>,
) -> Result<(), PassError> {
    let now = held.outside.now();
    for decision in &mut decisions {
        decision.entry = None;
        decision.gone = None;
        if let Some(write) = decision.write.take() {
            let why = reason(write.action, &decision.row.detail.changed);
            settle(&mut decision.row, now, write.action.outcome(), why);
        }
    }
    let mut said = Some(format!(
        "Decided {} computers; nothing is written in a dry run.",
        decisions.len()
    ));
    store_decisions(held, decisions, 0, &mut said).await
}

async fn complete(held: &mut LeasedRun) -> Result<PassResult, PassError> {
    failpoint::reach("end.begun").await;
    held.run.progress.away = None;
    held.run.progress.waiting = None;
    held.end(None).await?;
    Ok(PassResult::In(RunState::Completed))
}

/// Skips the computers without an outcome.
async fn cancel(held: &mut LeasedRun) -> Result<(), PassError> {
    let now = held.outside.now();
    held.end(Some(PhraseCode::StepStopped.english().to_owned()))
        .await?;
    finish_rows(held, |row| {
        if row.detail.sent {
            fail(row, now, unknown());
        } else {
            settle(row, now, Outcome::Skipped, "The run was cancelled.");
        }
    })
    .await
}

/// Fails the computers without an outcome.
async fn give_up(held: &mut LeasedRun, problem: &Problem) -> Result<(), PassError> {
    let now = held.outside.now();
    finish_rows(held, |row| fail(row, now, problem.clone())).await
}

/// Fails the computers whose writes were sent repeatedly, but not those that wait for a
/// confirmation.
async fn give_up_on_sent(held: &mut LeasedRun, problem: &Problem) -> Result<(), PassError> {
    let now = held.outside.now();
    finish_rows(held, |row| {
        if row.detail.sent {
            let own = row.detail.problem.clone();
            fail(row, now, own.unwrap_or_else(|| problem.clone()));
        }
    })
    .await
}

async fn finish_rows(
    held: &mut LeasedRun,
    mut finish: impl FnMut(&mut RowRecord),
) -> Result<(), PassError> {
    let mut rows = open(held).await?;
    rows.iter_mut().for_each(&mut finish);
    for rows in rows.chunks(ROWS) {
        let rows = rows.to_vec();
        held.write(RunWrite {
            rows,
            ..RunWrite::default()
        })
        .await?;
    }
    Ok(())
}
