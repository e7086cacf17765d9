//! Runs of workflows: one per list, one lease at a time, writes by its holder only.
//!
//! Part of the conformance suite.

use checklist_shared::administration::{Action, Subject};
use checklist_shared::item::Actor;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState, RunStep};
use checklist_store::Store;
use checklist_store::initiator::Initiator;
use checklist_store::workflows::{
    BeginRunOutcome, ExportedEntry, Lease, LeaseStatus, NewRun, OutcomeFilter, Requeue,
    RequeueOutcome, RunPlan, RunProgress, RunRecord, RunRowFilter, RunWrite, StoredChoice,
};

use super::World;

/// A run for that list.
pub fn new(id: &str, list: &str, operation: Option<(&str, u8)>) -> NewRun {
    NewRun {
        tenant: "acme".to_owned(),
        id: id.to_owned(),
        list_key: list.to_owned(),
        operation: operation.map(|(name, body)| (name.to_owned(), [body; 32])),
        plan: RunPlan {
            connection: "c".to_owned(),
            connection_name: "Intranet".to_owned(),
            list: "Computers".to_owned(),
            key_column: "SyncKey".to_owned(),
            key_column_named: false,
            field_map: Vec::new(),
            match_fields: Vec::new(),
            dry_run: false,
            actor: Actor::person("ada", "Ada"),
            standing: Initiator::Operator,
        },
        progress: RunProgress::default(),
        computers: (0..3)
            .map(|number| (format!("c-{number}"), format!("PC-{number}")))
            .collect(),
        at: at(0),
    }
}

pub(super) const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000 + seconds * 1_000)
}

pub(super) fn hold(run: &RunRecord, seconds: i64) -> Lease {
    Lease {
        tenant: run.tenant.clone(),
        id: run.id.clone(),
        fence: run.fence,
        now: at(seconds),
    }
}

/// A write that sets that state and gives the run back.
pub(super) fn release(state: RunState) -> RunWrite {
    RunWrite {
        state: Some(state),
        release: Some(at(1)),
        ..RunWrite::default()
    }
}

impl World {
    pub(super) fn store(&self) -> &dyn Store {
        self.app.store()
    }

    pub(super) async fn begin_run(&self, run: NewRun) -> BeginRunOutcome {
        self.store()
            .begin_run(run)
            .await
            .expect("the store answers")
    }

    pub(super) async fn claim(&self, worker: &str, now: i64, until: i64) -> Option<RunRecord> {
        let claimed = self.store().claim_run(worker, None, at(now), at(until));
        claimed.await.expect("the store answers")
    }

    pub(super) async fn write_run(&self, hold: Lease, write: RunWrite) -> LeaseStatus {
        self.store()
            .write_run(hold, write)
            .await
            .expect("the store answers")
    }
}

pub async fn a_list_has_one_run_until_that_has_ended(world: &World) {
    assert!(matches!(
        world.begin_run(new("1", "x", None)).await,
        BeginRunOutcome::New(_)
    ));
    match world.begin_run(new("2", "x", None)).await {
        BeginRunOutcome::Busy(id) => assert_eq!(id, "1"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        world.begin_run(new("3", "y", None)).await,
        BeginRunOutcome::New(_)
    ));
    let mut elsewhere = new("1", "x", None);
    elsewhere.tenant = "other".to_owned();
    assert!(matches!(
        world.begin_run(elsewhere).await,
        BeginRunOutcome::New(_)
    ));
    let run = world.claim("w", 0, 10).await.expect("one is due");
    let ended = release(RunState::Completed);
    world.write_run(hold(&run, 1), ended).await;
    let after = world
        .store()
        .run(&run.tenant, &run.id)
        .await
        .expect("it answers");
    assert_eq!(after.expect("it is there").ended_at, Some(at(1)));
    let mut next = new("4", &run.list_key, None);
    next.tenant.clone_from(&run.tenant);
    assert!(matches!(
        world.begin_run(next).await,
        BeginRunOutcome::New(_)
    ));
}

pub async fn an_operation_begins_one_run(world: &World) {
    world.begin_run(new("1", "x", Some(("op", 1)))).await;
    match world.begin_run(new("2", "x", Some(("op", 1)))).await {
        BeginRunOutcome::Same(run) => assert_eq!(run.id, "1"),
        other => panic!("{other:?}"),
    }
    let other = world.begin_run(new("2", "y", Some(("op", 2)))).await;
    assert!(
        matches!(other, BeginRunOutcome::OperationReused),
        "{other:?}"
    );
}

pub async fn a_run_is_held_by_one_worker_until_its_lease_ends(world: &World) {
    world.begin_run(new("1", "x", None)).await;
    let first = world.claim("one", 0, 10).await.expect("it is due");
    assert_eq!((first.state, first.fence), (RunState::Running, 1));
    assert!(
        world.claim("two", 9, 19).await.is_none(),
        "somebody holds it"
    );
    let longer = world.store().extend_lease(hold(&first, 9), at(20)).await;
    assert_eq!(
        longer.expect("it answers"),
        LeaseStatus::Active { cancelling: false }
    );
    assert!(
        world.claim("two", 15, 25).await.is_none(),
        "it was extended"
    );
    let second = world
        .claim("two", 20, 30)
        .await
        .expect("the lease has ended");
    assert_eq!(second.fence, 2);
    let late = world.store().extend_lease(hold(&first, 21), at(40)).await;
    assert_eq!(late.expect("it answers"), LeaseStatus::Lost);
}

pub async fn whoever_lost_a_run_writes_nothing(world: &World) {
    world.begin_run(new("1", "x", None)).await;
    let first = world.claim("one", 0, 10).await.expect("it is due");
    let second = world
        .claim("two", 10, 20)
        .await
        .expect("the lease has ended");
    let mut rows = world
        .store()
        .run_computers("acme", "1", RunRowFilter::open())
        .await
        .expect("it answers");
    assert_eq!(rows.len(), 3);
    rows.truncate(1);
    rows[0].outcome = Some(Outcome::Created);
    rows[0].settled_at = Some(at(11));
    let write = RunWrite {
        state: Some(RunState::Failed),
        rows,
        step: Some(RunStep {
            number: 1,
            name: "Read".to_owned(),
            detail: "Reads.".to_owned(),
            started_at: at(11),
            ended_at: None,
        }),
        entries: vec![ExportedEntry {
            key: "k".to_owned(),
            item_id: 7,
            adopted: false,
        }],
        ..RunWrite::default()
    };
    let refused = world.write_run(hold(&first, 11), write.clone()).await;
    assert_eq!(refused, LeaseStatus::Lost);
    let untouched = world.store().run("acme", "1").await.expect("it answers");
    assert_eq!(untouched.as_ref(), Some(&second));
    let known = world.store().known_entries("acme", "x").await;
    assert!(known.expect("it answers").is_empty());
    assert!(
        world
            .store()
            .run_steps("acme", "1")
            .await
            .expect("it answers")
            .is_empty()
    );

    let write = RunWrite {
        state: None,
        ..write
    };
    assert_eq!(
        world.write_run(hold(&second, 12), write).await,
        LeaseStatus::Active { cancelling: false }
    );
    let run = world
        .store()
        .run("acme", "1")
        .await
        .expect("it answers")
        .expect("it is there");
    assert_eq!((run.counts.created, run.state), (1, RunState::Running));
    assert!(run.revision > second.revision);
    let known = world
        .store()
        .known_entries("acme", "x")
        .await
        .expect("it answers");
    assert_eq!((known.len(), known[0].item_id), (1, 7));
    let created = RunRowFilter {
        after: None,
        limit: 10,
        outcome: OutcomeFilter::Only(Outcome::Created),
    };
    let rows = world
        .store()
        .run_computers("acme", "1", created)
        .await
        .expect("it answers");
    assert_eq!(
        (rows.len(), rows[0].place, rows[0].name.as_str()),
        (1, 0, "PC-0")
    );
    let rest = world
        .store()
        .run_computers("acme", "1", RunRowFilter::open())
        .await;
    assert_eq!(rest.expect("it answers").len(), 2);
}

pub async fn a_run_that_waits_is_due_when_somebody_answers_or_stops_it(world: &World) {
    world.begin_run(new("1", "x", None)).await;
    let run = world.claim("one", 0, 10).await.expect("it is due");
    let waits = release(RunState::AwaitingConfirmation);
    world.write_run(hold(&run, 1), waits.clone()).await;
    assert!(world.claim("one", 5, 15).await.is_none(), "it waits");
    let waiting = world
        .store()
        .run("acme", "1")
        .await
        .expect("it answers")
        .expect("it is there");
    let mut rows = world
        .store()
        .run_computers("acme", "1", RunRowFilter::open())
        .await
        .expect("it answers");
    rows[1].planned = Some(PlannedAction::Delete);
    rows[1].detail.confirmed = Some((PlannedAction::Delete, 9));
    let answer = Requeue {
        tenant: "acme".to_owned(),
        id: "1".to_owned(),
        revision: waiting.revision,
        progress: RunProgress {
            first_run_confirmed: true,
            ..RunProgress::default()
        },
        rows,
        choices: vec![StoredChoice {
            computer: "c-0".to_owned(),
            item_id: None,
        }],
        stamp: super::stamp_at(at(6)),
        action: Action::Confirmed,
    };
    let stale = Requeue {
        revision: answer.revision - 1,
        ..answer.clone()
    };
    let refused = world.store().requeue_run(stale).await.expect("it answers");
    assert!(matches!(refused, RequeueOutcome::Changed), "{refused:?}");
    let done = world.store().requeue_run(answer).await.expect("it answers");
    assert!(matches!(done, RequeueOutcome::Done(_)), "{done:?}");
    let run = world.claim("one", 6, 16).await.expect("it goes on");
    assert!(run.progress.first_run_confirmed);
    let rows = world
        .store()
        .run_computers("acme", "1", RunRowFilter::open())
        .await
        .expect("it answers");
    assert_eq!(rows[1].detail.confirmed, Some((PlannedAction::Delete, 9)));
    let choices = world
        .store()
        .run_choices("acme", "x")
        .await
        .expect("it answers");
    assert_eq!((choices.len(), choices[0].item_id), (1, None));

    world.write_run(hold(&run, 7), waits).await;
    let stopped = world
        .store()
        .cancel_run("acme", "1", super::stamp_at(at(8)))
        .await
        .expect("it answers");
    assert!(stopped.expect("it is there").cancelling);
    let run = world.claim("one", 8, 18).await.expect("it is due at once");
    assert!(run.cancelling);
    // Each of these acts is a row, and the refused one is none.
    let acts = world.acts(&super::admin()).await;
    let acts = acts
        .iter()
        .filter(|act| act.subject == Subject::WorkflowRun);
    let acts: Vec<_> = acts.map(|act| (act.id.as_str(), act.action)).collect();
    let expected = [Action::Started, Action::Confirmed, Action::Cancelled];
    assert_eq!(acts, expected.map(|action| ("1", action)));
}

pub async fn runs_of_other_tenants_are_not_there(world: &World) {
    world.begin_run(new("1", "x", None)).await;
    world.begin_run(new("2", "y", None)).await;
    let store = world.store();
    assert!(store.run("other", "1").await.expect("it answers").is_none());
    assert!(
        store
            .cancel_run("other", "1", super::stamp_at(at(1)))
            .await
            .expect("it answers")
            .is_none()
    );
    assert!(
        store
            .runs("other", None, 10)
            .await
            .expect("it answers")
            .is_empty()
    );
    let rows = store
        .run_computers("other", "1", RunRowFilter::open())
        .await;
    assert!(rows.expect("it answers").is_empty());
    let ids: Vec<String> = store
        .runs("acme", None, 10)
        .await
        .expect("it answers")
        .into_iter()
        .map(|run| run.id)
        .collect();
    assert_eq!(ids, ["2", "1"], "the newest first");
    let rest = store.runs("acme", Some("2"), 10).await.expect("it answers");
    assert_eq!(rest.len(), 1);
}
