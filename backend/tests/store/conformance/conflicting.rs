//! Concurrent changes: which parts of a request conflict, what the answer says, and what happens to
//! the other parts.
//!
//! Part of the conformance suite.

use checklist_services::checklist;
use checklist_shared::item::{Basis, Status};
use checklist_shared::patch::Patch;
use checklist_shared::problem::{FieldErrorCode, ItemProblemCode, ProblemCode};
use checklist_shared::wire::write::{AppliedShare, Outcome, UpdateItem, UpdateItems};

use super::{World, anna, ben, body, incident, not_applied, status};

pub async fn a_tick_that_saw_another_wording_is_a_conflict_and_brings_the_present_item(
    world: &World,
) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    let stale = UpdateItem {
        seen_text_hash: Some(checklist_shared::text::text_hash("Call forth")),
        ..status(item.id, Status::Done)
    };
    let answer = world.update(&anna(), &incident(), None, vec![stale]).await;
    let answer = not_applied(answer);
    assert_eq!(answer.revision, 0);
    assert_eq!(answer.results[0].outcome, Outcome::Conflict);
    assert_eq!(
        answer.results[0]
            .item
            .as_ref()
            .map(|item| item.text.as_str()),
        Some("Call back")
    );
    let seen = UpdateItem {
        seen_text_hash: Some(item.text_hash),
        ..status(item.id, Status::Done)
    };
    let answer = world
        .update(&anna(), &incident(), None, vec![seen])
        .await
        .expect("ticked");
    let attested = answer.results[0]
        .item
        .as_ref()
        .and_then(|item| item.attested.clone());
    assert_eq!(attested.map(|attested| attested.basis), Some(Basis::Seen));
}

pub async fn text_and_place_without_a_base_version_refuse_the_whole_request(world: &World) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    let text = UpdateItem {
        text: Patch::Set("Ring back".into()),
        ..UpdateItem::of(item.id)
    };
    let place = UpdateItem {
        after_id: Patch::Clear,
        ..UpdateItem::of(item.id)
    };
    let tick = status(item.id, Status::Done);
    let refused = world
        .update(&anna(), &incident(), None, vec![tick, text, place])
        .await
        .expect_err("refused");
    assert_eq!(refused.problem.status, 422);
    let told: Vec<_> = refused
        .problem
        .errors
        .iter()
        .map(|error| (error.pointer.as_str(), error.code))
        .collect();
    assert_eq!(
        told,
        [
            ("/Items/1/BaseVersion", FieldErrorCode::BaseVersionRequired),
            ("/Items/2/BaseVersion", FieldErrorCode::BaseVersionRequired)
        ]
    );
    assert_eq!(world.read(&anna(), &incident()).await.revision, 0);
}

pub async fn texts_conflict_when_the_text_has_changed_and_not_when_it_was_ticked(world: &World) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    world.tick(&ben(), &incident(), "Call back").await;
    let edit = |text: &str| UpdateItem {
        text: Patch::Set(text.into()),
        base_version: Some(item.version),
        ..UpdateItem::of(item.id)
    };
    let first = world
        .update(&anna(), &incident(), None, vec![edit("Ring back")])
        .await
        .expect("edited");
    assert_eq!(first.results[0].outcome, Outcome::Updated);
    let second = world
        .update(&ben(), &incident(), None, vec![edit("Phone")])
        .await;
    let second = not_applied(second);
    assert_eq!(second.results[0].outcome, Outcome::Conflict);
    assert_eq!(
        second.results[0]
            .item
            .as_ref()
            .map(|item| item.text.as_str()),
        Some("Ring back")
    );
}

pub async fn an_atomic_request_is_applied_whole_or_not_at_all(world: &World) {
    world.with_incidents().await;
    let good = world.item(&incident(), "Call back").await.id;
    let bad = world.item(&incident(), "Tell the team").await.id;
    let request = |operation: &str, other: Status| UpdateItems {
        operation_id: Some(operation.to_owned()),
        ..UpdateItems::new(
            incident(),
            true,
            vec![status(good, Status::Done), status(bad, other)],
        )
    };
    let hash = body();
    let half = request("half", Status::NotApplicable);
    let refused = checklist::update_items(&world.app, &anna(), half.clone(), hash)
        .await
        .expect_err("refused");
    assert_eq!(
        (refused.code(), refused.problem.status),
        (ProblemCode::NotApplied, 409)
    );
    let told = refused.not_applied.clone().expect("results");
    assert_eq!(told.revision, 0);
    assert_eq!(told.results[0].outcome, Outcome::Unchanged);
    let problem = told.results[1].problem.as_ref().map(|problem| problem.code);
    assert_eq!(problem, Some(ItemProblemCode::NotApplicableNotAllowed));
    assert_eq!(world.read(&anna(), &incident()).await.revision, 0);
    // A repeat gets the same answer, and still nothing is half applied.
    let again = checklist::update_items(&world.app, &anna(), half, hash)
        .await
        .expect_err("refused");
    assert_eq!(again, refused);
    assert_eq!(world.read(&anna(), &incident()).await.revision, 0);
    let answer =
        checklist::update_items(&world.app, &anna(), request("whole", Status::Done), body())
            .await
            .expect("applied");
    assert_eq!((answer.applied, answer.counts.done), (AppliedShare::All, 2));
}

pub async fn a_partly_refused_request_changes_the_rest(world: &World) {
    world.with_incidents().await;
    let good = world.item(&incident(), "Call back").await.id;
    let reasonless = world.item(&incident(), "Write it down").await.id;
    let items = vec![
        status(good, Status::Done),
        status(reasonless, Status::NotApplicable),
    ];
    let answer = world
        .update(&anna(), &incident(), None, items)
        .await
        .expect("answered");
    assert_eq!((answer.applied, answer.revision), (AppliedShare::Some, 1));
    let problem = answer.results[1]
        .problem
        .as_ref()
        .map(|problem| problem.code);
    assert_eq!(problem, Some(ItemProblemCode::ReasonRequired));
    let reasoned = UpdateItem {
        reason: Patch::Set("Nothing new".into()),
        ..status(reasonless, Status::NotApplicable)
    };
    let answer = world
        .update(&anna(), &incident(), None, vec![reasoned])
        .await
        .expect("answered");
    assert_eq!((answer.counts.not_applicable, answer.counts.total), (1, 5));
}
