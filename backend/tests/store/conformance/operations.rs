//! Idempotency records and undo.
//!
//! Part of the conformance suite.

use checklist_auth::Principal;
use checklist_services::checklist;
use checklist_shared::Context;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::write::{
    LockList, Outcome, Undo, UpdateItem, UpdateItems, WriteAnswer,
};
use checklist_store::error::ServiceResult;

use super::{World, anna, ben, body, incident, new, only, person, status, template_of, texts};

const DAY: i64 = 24 * 60 * 60;

/// Ticks the item in the operation `op`, with a body of that hash.
async fn tick(
    world: &World,
    principal: &Principal,
    id: ItemId,
    hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    let request = UpdateItems {
        operation_id: Some("op".to_owned()),
        ..UpdateItems::new(incident(), false, vec![status(id, Status::Done)])
    };
    checklist::update_items(&world.app, principal, request, hash).await
}

async fn undo(
    world: &World,
    principal: &Principal,
    undoes: &str,
    operation: &str,
) -> ServiceResult<WriteAnswer> {
    let request = Undo {
        operation_id: Some(operation.to_owned()),
        ..Undo::new(incident(), undoes.to_owned())
    };
    checklist::undo(&world.app, principal, request, body()).await
}

pub async fn a_repeat_gets_the_same_answer_and_has_no_second_effect(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    let hash = body();
    let first = tick(world, &anna(), id, hash).await.expect("ticked");
    world
        .update(&ben(), &incident(), None, vec![status(id, Status::Open)])
        .await
        .expect("opened");
    let again = tick(world, &anna(), id, hash).await.expect("answered");
    assert_eq!(first, again);
    let list = world.read(&anna(), &incident()).await;
    assert_eq!((list.revision, list.counts.done), (2, 0));
}

pub async fn twenty_repeats_at_once_have_one_effect(world: &World) {
    let list = Context::new("note", "1", "");
    let hash = body();
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (app, context) = (world.app.clone(), list.clone());
            tokio::spawn(async move {
                let request = checklist_shared::wire::write::AddItems {
                    language: None,
                    context,
                    operation_id: Some("add".into()),
                    items: vec![new("once")],
                    log_in_journal: None,
                };
                checklist::add_items(&app, &anna(), request, hash).await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.expect("ran").expect("answered"));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "every repeat gets the same answer");
    assert_eq!(texts(&world.read(&anna(), &list).await), ["once"]);
}

pub async fn another_body_under_the_same_id_is_refused(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    tick(world, &anna(), id, body()).await.expect("ticked");
    let refused = tick(world, &anna(), id, body()).await.expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::OperationIdReused);
}

pub async fn the_same_id_of_another_caller_call_or_list_is_another_operation(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    let hash = body();
    tick(world, &anna(), id, hash).await.expect("ticked");
    let theirs = tick(world, &ben(), id, hash).await.expect("answered");
    assert_eq!(theirs.results[0].outcome, Outcome::Unchanged);
    world
        .add(&anna(), &incident(), Some("op"), vec![new("x")])
        .await
        .expect("another call");
    let elsewhere = Context::new("incident", "INC-2", "");
    world
        .add(&anna(), &elsewhere, Some("op"), vec![new("x")])
        .await
        .expect("another list");
    let mut stranger = anna();
    stranger.tenant = "globex".into();
    world
        .add(&stranger, &incident(), Some("op"), vec![new("x")])
        .await
        .expect("another tenant");
}

pub async fn the_permission_is_asked_for_again_before_a_replay(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    let hash = body();
    tick(world, &anna(), id, hash).await.expect("ticked");
    let reader = only(anna(), &[Permission::Read]);
    let refused = tick(world, &reader, id, hash).await.expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::PermissionDenied);
    let elsewhere = super::on(anna(), &Context::new("incident", "INC-2", ""));
    let refused = tick(world, &elsewhere, id, hash)
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::ContextNotFound);
}

pub async fn a_part_of_the_permissions_is_not_enough_for_a_replay(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    let note = UpdateItem {
        note: Patch::Set("seen".into()),
        ..UpdateItem::of(id)
    };
    let changes = vec![status(id, Status::Done), note];
    let request = UpdateItems {
        operation_id: Some("op".to_owned()),
        ..UpdateItems::new(incident(), false, changes)
    };
    let hash = body();
    checklist::update_items(&world.app, &anna(), request.clone(), hash)
        .await
        .expect("changed");
    let checker = only(anna(), &[Permission::Read, Permission::Check]);
    let refused = checklist::update_items(&world.app, &checker, request, hash)
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::PermissionDenied);
}

pub async fn an_operation_is_forgotten_after_a_day(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    tick(world, &anna(), id, body()).await.expect("ticked");
    world.clock.advance_seconds(DAY + 1);
    let answer = tick(world, &anna(), id, body()).await.expect("answered");
    assert_eq!(answer.results[0].outcome, Outcome::Unchanged);
}

pub async fn every_kind_of_change_can_be_taken_back_and_that_again(world: &World) {
    world.with_incidents().await;
    world.tick(&ben(), &incident(), "Tell the team").await;
    let start = world.read(&anna(), &incident()).await;
    let item = world.item(&incident(), "Call back").await;
    let last = world.item(&incident(), "Tell the team").await;
    let changed = UpdateItem {
        base_version: Some(item.version),
        text: Patch::Set("Ring back".into()),
        note: Patch::Set("tomorrow".into()),
        after_id: Patch::Set(last.id),
        ..status(item.id, Status::Done)
    };
    world
        .update(&anna(), &incident(), Some("change"), vec![changed])
        .await
        .expect("changed");
    world
        .add(&anna(), &incident(), Some("add"), vec![new("extra")])
        .await
        .expect("added");
    let section = world.item(&incident(), "After").await.id;
    world
        .delete(&anna(), &incident(), Some("delete"), vec![section])
        .await
        .expect("deleted");
    let end = world.read(&anna(), &incident()).await;
    assert_eq!(
        texts(&end),
        ["Write it down", "Tell the team", "Ring back", "extra"]
    );

    for operation in ["delete", "add", "change"] {
        undo(world, &anna(), operation, &format!("undo {operation}"))
            .await
            .expect("undone");
    }
    let back = world.read(&anna(), &incident()).await;
    let state = |list: &checklist_shared::wire::list::ListAnswer| -> Vec<_> {
        let items = list.items.iter().flatten();
        items
            .map(|item| {
                (
                    item.text.clone(),
                    item.status,
                    item.note.clone(),
                    item.parent_id,
                )
            })
            .collect()
    };
    assert_eq!(state(&back), state(&start));
    for operation in ["change", "add", "delete"] {
        undo(
            world,
            &anna(),
            &format!("undo {operation}"),
            &format!("redo {operation}"),
        )
        .await
        .expect("undone");
    }
    assert_eq!(state(&world.read(&anna(), &incident()).await), state(&end));
}

pub async fn what_others_have_built_on_cannot_be_taken_back(world: &World) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    tick(world, &anna(), item.id, body()).await.expect("ticked");
    let note = UpdateItem {
        note: Patch::Set("done at noon".into()),
        ..UpdateItem::of(item.id)
    };
    world
        .update(&ben(), &incident(), None, vec![note])
        .await
        .expect("noted");
    let refused = undo(world, &anna(), "op", "undo")
        .await
        .expect_err("refused");
    assert_eq!(
        (refused.code(), refused.problem.status),
        (ProblemCode::CannotUndo, 409)
    );
    assert!(
        refused
            .problem
            .detail
            .unwrap_or_default()
            .contains("Call back")
    );
    assert_eq!(world.read(&anna(), &incident()).await.counts.done, 1);
}

pub async fn an_undo_is_refused_for_what_is_unknown_empty_or_somebody_elses(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    tick(world, &anna(), id, body()).await.expect("ticked");
    let code = |refusal: ServiceResult<WriteAnswer>| refusal.expect_err("refused").code();
    assert_eq!(
        code(undo(world, &anna(), "never", "1").await),
        ProblemCode::CannotUndo
    );
    assert_eq!(
        code(undo(world, &ben(), "op", "2").await),
        ProblemCode::CannotUndo
    );
    let lock = LockList {
        language: None,
        context: incident(),
        locked: true,
        reason: None,
        operation_id: Some("lock".into()),
    };
    checklist::lock(&world.app, &anna(), lock.clone(), body())
        .await
        .expect("locked");
    let unlock = LockList {
        language: None,
        locked: false,
        operation_id: None,
        ..lock
    };
    checklist::lock(&world.app, &anna(), unlock, body())
        .await
        .expect("unlocked");
    assert_eq!(
        code(undo(world, &anna(), "lock", "3").await),
        ProblemCode::CannotUndo
    );
    world.clock.advance_seconds(DAY + 1);
    assert_eq!(
        code(undo(world, &anna(), "op", "4").await),
        ProblemCode::CannotUndo
    );
}

pub async fn taking_back_needs_the_permission_for_each_effect(world: &World) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    let changed = UpdateItem {
        note: Patch::Set("x".into()),
        ..status(item.id, Status::Done)
    };
    world
        .update(&anna(), &incident(), Some("both"), vec![changed])
        .await
        .expect("changed");
    let checker = person("anna", Role::Checker);
    let refused = undo(world, &checker, "both", "1")
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::PermissionDenied);
    let both = only(anna(), &[Permission::Check, Permission::Edit]);
    undo(world, &both, "both", "2").await.expect("undone");
    assert_eq!(world.item(&incident(), "Call back").await.note, None);
}

pub async fn a_refresh_is_one_undo_step(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&anna(), &incident(), "Tidy up").await;
    let before = world.read(&anna(), &incident()).await;
    world
        .publish(template_of(
            "five",
            serde_json::json!([
                {"Key": "c", "Text": {"en": "Tell everybody"}},
                {"Key": "a", "Text": {"en": "Call back at once"}, "OnTextChange": "Reopen"},
                {"Key": "n", "Text": {"en": "New"}},
            ]),
        ))
        .await;
    let request = checklist_shared::wire::write::RefreshItems {
        language: None,
        context: incident(),
        to_version: None,
        dry_run: false,
        expected_revision: None,
        operation_id: Some("refresh".into()),
        log_in_journal: None,
    };
    checklist::refresh_items(&world.app, &anna(), request, body())
        .await
        .expect("refreshed");
    assert_ne!(
        texts(&world.read(&anna(), &incident()).await),
        texts(&before)
    );
    let refused = undo(world, &person("anna", Role::Checker), "refresh", "1")
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::PermissionDenied);
    undo(world, &anna(), "refresh", "2").await.expect("undone");
    let after = world.read(&anna(), &incident()).await;
    assert_eq!(texts(&after), texts(&before));
    assert_eq!(
        (after.template_version, after.counts),
        (before.template_version, before.counts)
    );
}
