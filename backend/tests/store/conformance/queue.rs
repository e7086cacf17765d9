//! The queue of writing calls: what it accepts and refuses, and what becomes of the calls beside one
//! that fails.
//!
//! Part of the conformance suite.

use std::sync::mpsc;
use std::time::Duration;

use checklist_services::checklist;
use checklist_shared::Context;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::write::AddItems;
use checklist_store::error::ServiceError;
use checklist_store::store::{Decide, ListRequest, ListWrite, Purpose, StoreError};

use super::{World, admin, anna, body, incident, new};

/// A call that changes the list of most cases as the function decides.
pub fn write(decide: Decide) -> ListWrite {
    let caller = anna();
    ListWrite {
        tenant: caller.tenant,
        wanted: ListRequest {
            context: incident(),
            fallback: None,
            purpose: Purpose::Change,
        },
        operation: None,
        undoes: None,
        permissions: caller.permissions,
        now: "2026-11-20T09:00:00Z".parse().expect("a time"),
        decide,
    }
}

pub async fn a_panic_inside_a_transaction_takes_nothing_else_with_it(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let panics = write(Box::new(|_, _| panic!("on purpose")));
    let outcome = world.app.store().write_list(panics).await;
    assert!(matches!(outcome, Err(StoreError::Broken(_))));
    let answer = world.tick(&anna(), &incident(), "Tell the team").await;
    assert_eq!((answer.revision, answer.counts.done), (2, 2));
    assert_eq!(world.broken().await, None);
}

pub async fn a_full_queue_says_busy_and_what_was_accepted_is_done(world: &World) {
    // Blocks the writer of the tenant; all later calls are queued.
    let (open_the_gate, gate) = mpsc::channel::<()>();
    let (inside, waiting) = mpsc::channel::<()>();
    let waits = write(Box::new(move |_, _| {
        inside.send(()).expect("told");
        gate.recv().expect("opened");
        Err(ServiceError::new(ProblemCode::Locked, "only waiting"))
    }));
    let app = world.app.clone();
    let blocked = tokio::spawn(async move { app.store().write_list(waits).await });
    let begun = tokio::task::spawn_blocking(move || waiting.recv_timeout(Duration::from_secs(10)));
    begun.await.expect("ran").expect("the writer waits");
    let add = |index: usize| {
        let app = world.app.clone();
        async move {
            let request =
                AddItems::new(Context::new("note", &index.to_string(), ""), vec![new("x")]);
            checklist::add_items(&app, &anna(), request, body()).await
        }
    };
    let tasks: Vec<_> = (0..1_200).map(|index| tokio::spawn(add(index))).collect();
    // The writer is blocked, so the tasks that end were rejected, and only because the queue is
    // full.
    let refused = async {
        while tasks.iter().filter(|task| task.is_finished()).count() < 176 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), refused)
        .await
        .expect("some are refused");
    open_the_gate.send(()).expect("opened");
    let decided = blocked.await.expect("ran").expect("answered");
    assert!(decided.is_err(), "it only waited");
    let (mut done, mut busy) = (0, 0);
    for task in tasks {
        match task.await.expect("ran") {
            Ok(answer) => {
                assert_eq!(answer.revision, 1);
                done += 1;
            }
            Err(error) => {
                assert_eq!(
                    (error.code(), error.retry_after.is_some()),
                    (ProblemCode::Busy, true)
                );
                busy += 1;
            }
        }
    }
    assert_eq!((done, busy), (1_024, 176));
    assert_eq!(
        world.audit(&admin()).await.len(),
        500,
        "one page of the trail"
    );
}

pub async fn after_closing_nothing_is_accepted(world: &World) {
    world.app.close().await.expect("closed");
    let refused = world
        .add(&anna(), &incident(), None, vec![new("x")])
        .await
        .expect_err("refused");
    assert_eq!(
        (refused.code(), refused.retry_after),
        (ProblemCode::Busy, Some(5))
    );
}
