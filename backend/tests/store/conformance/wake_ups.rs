//! Wake-ups of the worker by its own store: with every commit that may have made a run due, and
//! with no other.
//!
//! Part of the conformance suite. `wake_up` has the tests with several nodes.

use checklist_shared::administration::Action;
use checklist_shared::wire::workflow::RunState;
use checklist_store::workflows::{Requeue, RequeueOutcome, RunProgress};
use futures_util::FutureExt as _;

use super::World;
use super::workflows::{at, hold, new, release};

pub async fn whatever_makes_a_run_due_wakes_the_worker_and_nothing_else_does(world: &World) {
    let notifier = world.store().job_notifier();
    let is_woken = || notifier.notified().now_or_never().is_some();
    assert!(!is_woken());
    world.begin_run(new("1", "x", Some(("op", 1)))).await;
    assert!(is_woken(), "a run was begun");
    world.begin_run(new("2", "x", Some(("op", 1)))).await;
    world.begin_run(new("3", "x", None)).await;
    assert!(!is_woken(), "a repeat, and a list that has a run");

    let run = world.claim("one", 0, 10).await.expect("it is due");
    let waits = release(RunState::AwaitingConfirmation);
    world.write_run(hold(&run, 1), waits.clone()).await;
    assert!(!is_woken(), "it waits for a person");
    let waiting = world.store().run("acme", "1").await.expect("it answers");
    let answer = Requeue {
        tenant: "acme".to_owned(),
        id: "1".to_owned(),
        revision: waiting.expect("it is there").revision,
        progress: RunProgress::default(),
        rows: Vec::new(),
        choices: Vec::new(),
        stamp: super::stamp_at(at(2)),
        action: Action::Confirmed,
    };
    let requeue = async || world.store().requeue_run(answer.clone()).await;
    let requeued = requeue().await.expect("it answers");
    assert!(matches!(requeued, RequeueOutcome::Done(_)), "{requeued:?}");
    assert!(is_woken(), "a person has answered");
    let stale = requeue().await.expect("it answers");
    assert!(matches!(stale, RequeueOutcome::Changed), "{stale:?}");
    assert!(!is_woken(), "the answer came too late");

    let run = world.claim("one", 3, 13).await.expect("it goes on");
    world.write_run(hold(&run, 4), waits).await;
    let cancel = async |tenant: &str| {
        world
            .store()
            .cancel_run(tenant, "1", super::stamp_at(at(5)))
            .await
    };
    cancel("other").await.expect("it answers");
    assert!(!is_woken(), "the run is another tenant's");
    cancel("acme").await.expect("it answers");
    assert!(is_woken(), "a person has stopped it");
    cancel("acme").await.expect("it answers");
    assert!(!is_woken(), "it was stopped already");
}
