//! The worker of a node: claims due runs, executes several concurrently, and releases them when the
//! server stops.
//!
//! Intents are stored before they are sent, so a worker may be killed at any point. The store wakes
//! it when a run may be due. It also polls, for runs that become due, for expired leases and for
//! lost wake-ups.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

use checklist_runtime::failpoint;
use checklist_runtime::spans;
use checklist_shared::wire::workflow::RunState;
use checklist_store::job_notifier::JobNotifier;
use checklist_store::workflows::{RunRecord, RunWrite};

use super::leased_run::{IdleRuns, LEASE, LeasedRun, PassError, after, hold_of};
use super::pass::{PassResult, pass};
use super::workflow_services::WorkflowServices;

/// How often it polls without a wake-up.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The most concurrent runs, apart from idle ones.
const AT_ONCE: usize = 4;
/// The pause after an error of the store.
const STORE_PAUSE: Duration = Duration::from_secs(3);

/// Executes runs.
pub struct Worker {
    outside: Arc<dyn WorkflowServices>,
    notifier: Arc<JobNotifier>,
    poll_interval: Duration,
    name: String,
    only: Option<String>,
}

impl Worker {
    /// A worker with that name. A store has one worker that waits for its wake-ups.
    #[must_use]
    pub fn new(outside: Arc<dyn WorkflowServices>, name: impl Into<String>) -> Self {
        Self {
            notifier: outside.store().job_notifier(),
            outside,
            poll_interval: POLL_INTERVAL,
            name: name.into(),
            only: None,
        }
    }

    /// Sets how often it polls without a wake-up.
    #[must_use]
    pub fn polling_every(self, poll_interval: Duration) -> Self {
        Self {
            poll_interval,
            ..self
        }
    }

    /// Restricts the worker to a single run.
    #[must_use]
    pub fn only(self, run: impl Into<String>) -> Self {
        Self {
            only: Some(run.into()),
            ..self
        }
    }

    /// Works until `stop` is set.
    pub async fn work(self, mut stop: watch::Receiver<bool>) {
        let mut runs: JoinSet<String> = JoinSet::new();
        let mut held: HashMap<String, (RunRecord, AbortHandle)> = HashMap::new();
        let idle = IdleRuns::default();
        loop {
            while runs.len().saturating_sub(idle.count()) < AT_ONCE {
                let Some((run, from)) = self.claim().await else {
                    break;
                };
                let id = run.id.clone();
                tracing::info!(run = id, "a run is taken up");
                let work =
                    LeasedRun::new(Arc::clone(&self.outside), run.clone(), from, idle.clone());
                let ended = id.clone();
                let task = runs.spawn(async move {
                    carry_out(work).await;
                    ended
                });
                held.insert(id, (run, task));
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = self.notifier.notified() => {}
                () = tokio::time::sleep(self.poll_interval) => {}
                Some(ended) = runs.join_next() => match ended {
                    Ok(id) => drop(held.remove(&id)),
                    Err(error) => {
                        tracing::error!(%error, "a run came to a bad end");
                        held.retain(|_, (_, task)| !task.is_finished());
                    }
                },
            }
        }
        runs.shutdown().await;
        for (run, _) in held.into_values() {
            self.let_go(&run).await;
        }
    }

    async fn claim(&self) -> Option<(RunRecord, Instant)> {
        let from = Instant::now();
        let now = self.outside.now();
        let store = self.outside.store();
        let claimed = store.claim_run(&self.name, self.only.as_deref(), now, after(now, LEASE));
        match claimed.await {
            Ok(run) => run.map(|run| (run, from)),
            Err(error) => {
                tracing::warn!(%error, "no run could be looked for");
                None
            }
        }
    }

    /// Releases a run, so that the next worker need not wait for the lease to expire.
    async fn let_go(&self, run: &RunRecord) {
        let now = self.outside.now();
        let write = RunWrite {
            release: Some(now),
            ..RunWrite::default()
        };
        let done = self
            .outside
            .store()
            .write_run(hold_of(run, now), write)
            .await;
        if let Err(error) = done {
            tracing::debug!(%error, run = run.id, "a run was not let go");
        }
    }
}

/// Extends a lease until it is dropped, so that a pass that panics does not keep its run.
struct LeaseRenewal(JoinHandle<()>);

impl Drop for LeaseRenewal {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn carry_out(mut held: LeasedRun) {
    let id = held.run.id.clone();
    let keeping = LeaseRenewal(tokio::spawn(held.keep()));
    let ended = spans::working("pass of a run", once(&mut held)).await;
    drop(keeping);
    match ended {
        Ok(state) => tracing::info!(run = id, state = state.name(), "a run was let go"),
        Err(PassError::Lost) => tracing::warn!(run = id, "another worker has taken the run over"),
        Err(ended) => {
            if let PassError::Store(error) = &ended {
                tracing::warn!(run = id, %error, "the store does not answer; a run is left for later");
            }
            let release = RunWrite {
                release: Some(after(held.outside.now(), STORE_PAUSE)),
                ..RunWrite::default()
            };
            // On an error the lease expires by itself.
            let _ = held.write(release).await;
        }
    }
}

/// Runs one pass and stores its result. Releases the run, perhaps until the next pass is due.
async fn once(held: &mut LeasedRun) -> Result<RunState, PassError> {
    let now = held.outside.now();
    let (state, due) = match pass(held).await? {
        PassResult::In(state) => (state, now),
        PassResult::Again(due) => (RunState::Running, due),
    };
    held.write(RunWrite {
        state: Some(state),
        release: Some(due),
        ..RunWrite::default()
    })
    .await?;
    failpoint::reach(match state {
        RunState::AwaitingConfirmation => "gate.stored",
        _ => "end.stored",
    })
    .await;
    Ok(state)
}
