//! A run while a worker holds its lease. All writes go through here, and fail once another worker
//! has claimed the run.
//!
//! The lease is extended concurrently with the work. If that could not be done in time, the next
//! chunk is not sent and the pass stops.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{RunStep, Waiting, WaitingReason};
use checklist_store::error::ServiceError;
use checklist_store::store::StoreError;
use checklist_store::workflows::{Lease, LeaseStatus, RunProgress, RunRecord, RunWrite};
use site_lists::{Site, SiteError};
use tokio::sync::Notify;

use super::workflow_services::WorkflowServices;

/// The duration of a lease; a worker loses the run if it does not extend it.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// How often the lease is extended.
const EVERY: Duration = Duration::from_millis(2_500);

/// How often to check whether the site has requested a wait.
const LOOK: Duration = Duration::from_millis(250);
/// Shorter waits are not reported.
pub(super) const WORTH_TELLING: Duration = Duration::from_secs(1);

/// Why a pass was interrupted.
pub(super) enum PassError {
    /// Another worker has claimed the run.
    Lost,
    /// The store does not answer.
    Store(StoreError),
    /// A cancellation was requested.
    Cancelled,
    /// The site, or a guard in front of it, has rejected a request.
    Refused(ServiceError),
    /// The site is away; with the wait that it has requested, if any.
    Away(Box<ServiceError>, Option<Duration>),
}

impl From<StoreError> for PassError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ServiceError> for PassError {
    fn from(error: ServiceError) -> Self {
        Self::Refused(error)
    }
}

/// The state of the lease, shared by the worker and the task that extends it.
pub(super) struct LeaseState {
    until: Mutex<Instant>,
    lost: AtomicBool,
    cancelling: AtomicBool,
    lost_wake_up: Notify,
}

impl LeaseState {
    fn new(from: Instant) -> Self {
        Self {
            until: Mutex::new(from + LEASE),
            lost: AtomicBool::new(false),
            cancelling: AtomicBool::new(false),
            lost_wake_up: Notify::new(),
        }
    }

    fn extend_from(&self, from: Instant) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = from + LEASE;
    }

    fn lose(&self) {
        self.lost.store(true, Ordering::Release);
        self.lost_wake_up.notify_waiters();
    }

    fn holds(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        !self.lost.load(Ordering::Acquire) && Instant::now() < until
    }
}

/// A run whose lease this worker holds.
pub(super) struct LeasedRun {
    /// The services that it needs.
    pub(super) outside: Arc<dyn WorkflowServices>,
    /// The run. `progress` is changed here and stored with the next write.
    pub(super) run: RunRecord,
    /// The number of outcomes since this was created.
    pub(super) settled: usize,
    lease: Arc<LeaseState>,
    step: Option<RunStep>,
    slot: IdleSlot,
}

/// Counts a worker's idle runs, those that only wait. They do not count towards the limit of
/// concurrent runs.
#[derive(Clone, Debug, Default)]
pub(super) struct IdleRuns(Arc<AtomicUsize>);

impl IdleRuns {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

/// Whether a run is counted as idle.
struct IdleSlot {
    idle: IdleRuns,
    is_idle: AtomicBool,
}

impl IdleSlot {
    fn set_idle(&self, is_idle: bool) {
        match (self.is_idle.swap(is_idle, Ordering::AcqRel), is_idle) {
            (false, true) => drop(self.idle.0.fetch_add(1, Ordering::AcqRel)),
            (true, false) => drop(self.idle.0.fetch_sub(1, Ordering::AcqRel)),
            _ => {}
        }
    }
}

impl Drop for IdleSlot {
    fn drop(&mut self) {
        self.set_idle(false);
    }
}

impl LeasedRun {
    /// A run that was claimed at `from`.
    pub(super) fn new(
        outside: Arc<dyn WorkflowServices>,
        run: RunRecord,
        from: Instant,
        idle: IdleRuns,
    ) -> Self {
        let lease = LeaseState::new(from);
        lease.cancelling.store(run.cancelling, Ordering::Release);
        let slot = IdleSlot {
            idle,
            is_idle: AtomicBool::new(false),
        };
        // Until the site answers again, it is not known whether there is anything to do.
        slot.set_idle(run.progress.away.is_some());
        Self {
            slot,
            outside,
            run,
            settled: 0,
            lease: Arc::new(lease),
            step: None,
        }
    }

    fn hold(&self) -> Lease {
        hold_of(&self.run, self.outside.now())
    }

    /// Extends the lease periodically; ends when the lease is lost.
    pub(super) fn keep(&self) -> impl Future<Output = ()> + Send + 'static {
        let outside = Arc::clone(&self.outside);
        let lease = Arc::clone(&self.lease);
        let run = self.run.clone();
        async move {
            loop {
                tokio::time::sleep(EVERY).await;
                let from = Instant::now();
                let now = outside.now();
                let until = after(now, LEASE);
                match outside
                    .store()
                    .extend_lease(hold_of(&run, now), until)
                    .await
                {
                    Ok(LeaseStatus::Active { cancelling }) => {
                        lease.cancelling.fetch_or(cancelling, Ordering::AcqRel);
                        lease.extend_from(from);
                    }
                    Ok(LeaseStatus::Lost) => return lease.lose(),
                    Err(error) => {
                        tracing::warn!(%error, run = run.id, "a lease could not be extended");
                        if !lease.holds() {
                            return lease.lose();
                        }
                    }
                }
            }
        }
    }

    /// Reads from the site, and stops if the lease is lost or a cancellation is requested. Reports
    /// a wait that the site has requested.
    pub(super) async fn asking<T>(
        &self,
        site: &Site,
        work: impl Future<Output = T>,
    ) -> Result<T, PassError> {
        self.until_done(site, work, true).await
    }

    /// As [`Self::asking`], for a write. A write that was sent is not cancelled, because its result
    /// would be unknown.
    pub(super) async fn unless_lost<T>(
        &self,
        site: &Site,
        work: impl Future<Output = T>,
    ) -> Result<T, PassError> {
        self.until_done(site, work, false).await
    }

    async fn until_done<T>(
        &self,
        site: &Site,
        work: impl Future<Output = T>,
        can_stop: bool,
    ) -> Result<T, PassError> {
        let lost = self.lease.lost_wake_up.notified();
        self.still_ours()?;
        let was_idle = self.slot.is_idle.load(Ordering::Acquire);
        let mut is_shown = false;
        tokio::pin!(work, lost);
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                () = &mut lost => return Err(PassError::Lost),
                () = tokio::time::sleep(LOOK) => {}
            }
            if can_stop {
                self.not_cancelled()?;
            }
            let left = site.throttled_for();
            match left.filter(|left| is_shown || *left >= WORTH_TELLING) {
                Some(left) if !is_shown => {
                    is_shown = true;
                    self.slot.set_idle(true);
                    self.show(Some(self.throttle_state(left))).await?;
                }
                None if is_shown => {
                    is_shown = false;
                    self.slot.set_idle(was_idle);
                    self.show(self.run.progress.waiting.clone()).await?;
                }
                _ => {}
            }
        };
        if is_shown {
            self.slot.set_idle(was_idle);
            self.show(self.run.progress.waiting.clone()).await?;
        }
        Ok(done)
    }

    fn throttle_state(&self, left: Duration) -> Waiting {
        let now = self.outside.now();
        let away = self.run.progress.away.as_ref();
        Waiting {
            reason: WaitingReason::Throttled,
            detail: "The site asks to be left alone for a while.".to_owned(),
            since: away.map_or(now, |away| away.since),
            until: after(now, left),
            give_up_at: away.map(|away| away.give_up_at),
        }
    }

    /// Stores what the run waits for, if anything.
    async fn show(&self, waiting: Option<Waiting>) -> Result<(), PassError> {
        let progress = RunProgress {
            waiting,
            ..self.run.progress.clone()
        };
        let write = RunWrite {
            progress: Some(progress),
            ..RunWrite::default()
        };
        match self.outside.store().write_run(self.hold(), write).await? {
            LeaseStatus::Active { cancelling } => {
                self.lease.cancelling.fetch_or(cancelling, Ordering::AcqRel);
                Ok(())
            }
            LeaseStatus::Lost => {
                self.lease.lose();
                Err(PassError::Lost)
            }
        }
    }

    /// Clears the outage: the site has answered.
    pub(super) fn site_answered(&mut self) {
        self.run.progress.waiting = None;
        self.slot.set_idle(false);
    }

    /// Maps an error of a site, and detects an outage.
    pub(super) fn pass_error(&self, error: &SiteError) -> PassError {
        let refused = self.outside.site_refusal(error);
        if error.is_site_away() {
            PassError::Away(Box::new(refused), error.retry_after())
        } else {
            PassError::Refused(refused)
        }
    }

    /// Fails without a valid lease, for example after the process was suspended.
    pub(super) fn still_ours(&self) -> Result<(), PassError> {
        if self.lease.holds() {
            Ok(())
        } else {
            Err(PassError::Lost)
        }
    }

    /// Fails if a cancellation was requested.
    pub(super) fn not_cancelled(&self) -> Result<(), PassError> {
        if self.lease.cancelling.load(Ordering::Acquire) {
            return Err(PassError::Cancelled);
        }
        Ok(())
    }

    /// Writes; returns whether a cancellation was requested.
    pub(super) async fn write(&mut self, write: RunWrite) -> Result<bool, PassError> {
        let settled = write
            .rows
            .iter()
            .filter(|row| row.outcome.is_some())
            .count();
        let write = RunWrite {
            progress: Some(self.run.progress.clone()),
            ..write
        };
        match self.outside.store().write_run(self.hold(), write).await? {
            LeaseStatus::Active { cancelling } => {
                self.lease.cancelling.fetch_or(cancelling, Ordering::AcqRel);
                self.settled += settled;
                Ok(cancelling)
            }
            LeaseStatus::Lost => {
                self.lease.lose();
                Err(PassError::Lost)
            }
        }
    }

    /// Begins a step and ends the one before it.
    pub(super) async fn begin(
        &mut self,
        name: &str,
        detail: impl Into<String>,
    ) -> Result<(), PassError> {
        self.end(None).await?;
        self.run.progress.steps += 1;
        let step = RunStep {
            number: self.run.progress.steps,
            name: name.to_owned(),
            detail: detail.into(),
            started_at: self.outside.now(),
            ended_at: None,
        };
        self.step = Some(step.clone());
        self.write(RunWrite {
            step: Some(step),
            ..RunWrite::default()
        })
        .await?;
        Ok(())
    }

    /// Begins a step, or repeats the present one if there was no progress since: a site that is
    /// away for a day makes one step.
    pub(super) async fn begin_again(
        &mut self,
        name: &str,
        detail: impl Into<String>,
    ) -> Result<(), PassError> {
        let away = self.run.progress.away.as_ref();
        if away.is_some_and(|away| away.step == Some(self.run.progress.steps)) {
            self.end(None).await?;
            self.run.progress.steps -= 1;
        }
        self.begin(name, detail).await
    }

    /// The present step.
    pub(super) fn step(&self) -> Option<&RunStep> {
        self.step.as_ref()
    }

    /// Ends the present step, with its result.
    pub(super) async fn end(&mut self, detail: Option<String>) -> Result<(), PassError> {
        let Some(mut step) = self.step.take() else {
            return Ok(());
        };
        step.ended_at = Some(self.outside.now());
        step.detail = detail.unwrap_or(step.detail);
        self.write(RunWrite {
            step: Some(step),
            ..RunWrite::default()
        })
        .await?;
        Ok(())
    }
}

/// The lease of a run, for a write at `now`.
pub(super) fn hold_of(run: &RunRecord, now: Timestamp) -> Lease {
    Lease {
        tenant: run.tenant.clone(),
        id: run.id.clone(),
        fence: run.fence,
        now,
    }
}

/// Adds a duration to a time.
pub(super) fn after(now: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_add(millis))
}
