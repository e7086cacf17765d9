//! Rejected requests of AddItems, UpdateItems, DeleteItems and Lock: limits, locks, permissions,
//! and lists of others.
//!
//! Part of the conformance suite.

use checklist_services::checklist;
use checklist_shared::Context;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::progress::State;
use checklist_shared::wire::write::{AddItem, LockList, Outcome, RefreshItems, Undo, UpdateItem};

use super::{
    World, anna, ben, body, incident, new, not_applied, on, only, person, pointers, status,
};

pub async fn over_a_limit_nothing_changes_at_all(world: &World) {
    let list = Context::new("note", "1", "");
    let hundred = |from: usize| {
        (from..from + 100)
            .map(|index| new(&format!("item {index}")))
            .collect::<Vec<_>>()
    };
    world
        .add(&anna(), &list, None, hundred(0))
        .await
        .expect("added");
    let mut more = hundred(100);
    more.push(new("one too many"));
    let refused = world
        .add(&anna(), &list, None, more)
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::LimitExceeded);
    assert_eq!(refused.problem.errors[0].pointer, "/Items/100");
    let after = world.read(&anna(), &list).await;
    assert_eq!((after.revision, after.counts.total), (1, 100));

    let long = AddItem {
        note: Some("n".repeat(1_001)),
        ..new(&"t".repeat(1_001))
    };
    let refused = world
        .add(&anna(), &list, None, vec![new("fine"), long])
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::LimitExceeded);
    assert_eq!(pointers(&refused), ["/Items/1/Text", "/Items/1/Note"]);
    let refused = world
        .add(&anna(), &list, None, vec![new("x"); 201])
        .await
        .expect_err("refused");
    assert_eq!(
        (refused.code(), refused.problem.errors[0].pointer.as_str()),
        (ProblemCode::LimitExceeded, "/Items")
    );
    assert_eq!(world.read(&anna(), &list).await.revision, 1);
}

pub async fn an_object_has_at_most_twenty_lists(world: &World) {
    let list = |purpose: usize| Context::new("note", "1", &purpose.to_string());
    for purpose in 0..20 {
        world
            .add(&anna(), &list(purpose), None, vec![new("x")])
            .await
            .expect("added");
    }
    let refused = world
        .add(&anna(), &list(20), None, vec![new("x")])
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::LimitExceeded);
    world
        .add(&anna(), &list(3), None, vec![new("y")])
        .await
        .expect("an existing list takes more");
    world
        .add(
            &anna(),
            &Context::new("note", "2", ""),
            None,
            vec![new("x")],
        )
        .await
        .expect("another object");
}

pub async fn a_locked_list_refuses_every_path_until_it_is_unlocked(world: &World) {
    world.with_incidents().await;
    world
        .update(
            &anna(),
            &incident(),
            Some("before"),
            vec![status(
                world.item(&incident(), "Call back").await.id,
                Status::Done,
            )],
        )
        .await
        .expect("ticked");
    let lock = |locked| LockList {
        language: None,
        context: incident(),
        locked,
        reason: locked.then(|| "audit".to_owned()),
        operation_id: None,
    };
    let answer = checklist::lock(&world.app, &anna(), lock(true), body())
        .await
        .expect("locked");
    assert_eq!(
        answer
            .locked
            .as_ref()
            .and_then(|lock| lock.reason.as_deref()),
        Some("audit")
    );
    let again = checklist::lock(&world.app, &ben(), lock(true), body())
        .await
        .expect("answered");
    assert_eq!(again.locked.map(|lock| lock.by.id).as_deref(), Some("anna"));
    assert_eq!(again.revision, answer.revision);

    let id = world.item(&incident(), "Tell the team").await.id;
    let refresh = RefreshItems::new(incident(), None, false, None);
    let undo = Undo::new(incident(), "before".into());
    let dry = RefreshItems {
        language: None,
        dry_run: true,
        ..refresh.clone()
    };
    let refusals = [
        world
            .update(&anna(), &incident(), None, vec![status(id, Status::Done)])
            .await,
        world.add(&anna(), &incident(), None, vec![new("x")]).await,
        world.delete(&anna(), &incident(), None, vec![id]).await,
        world.restore(&anna(), &incident(), vec![id]).await,
        checklist::refresh_items(&world.app, &anna(), refresh, body()).await,
        checklist::refresh_items(&world.app, &anna(), dry, body()).await,
        checklist::undo(&world.app, &anna(), undo, body()).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.expect_err("refused").code(), ProblemCode::Locked);
    }
    assert!(world.read(&anna(), &incident()).await.locked.is_some());
    checklist::lock(&world.app, &anna(), lock(false), body())
        .await
        .expect("unlocked");
    world
        .update(&anna(), &incident(), None, vec![status(id, Status::Done)])
        .await
        .expect("ticked");
}

pub async fn an_unknown_and_a_foreign_item_are_told_alike(world: &World) {
    world.with_incidents().await;
    let other = Context::new("incident", "INC-2", "");
    world.tick(&anna(), &other, "Call back").await;
    let foreign = world.item(&other, "Call back").await.id;
    let unknown = ItemId::from_millis_and_random(1, [1; 10]);
    let items = vec![status(foreign, Status::Open), status(unknown, Status::Open)];
    let answer = world.update(&anna(), &incident(), None, items).await;
    let answer = not_applied(answer);
    let problems: Vec<_> = answer
        .results
        .iter()
        .map(|result| result.problem.clone())
        .collect();
    assert_eq!(problems[0], problems[1]);
    assert_eq!(
        problems[0].as_ref().map(|problem| problem.code),
        Some(ItemProblemCode::ItemNotFound)
    );
    let answer = world
        .delete(&anna(), &incident(), None, vec![foreign])
        .await;
    assert_eq!(not_applied(answer).results[0].outcome, Outcome::Failed);
    assert_eq!(world.read(&anna(), &other).await.counts.done, 1);
}

pub async fn tenants_do_not_see_each_other(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let mut stranger = anna();
    stranger.tenant = "globex".into();
    stranger.permissions = Role::Admin.permissions();
    let theirs = world.read(&stranger, &incident()).await;
    assert_eq!((theirs.revision, theirs.state), (0, State::Empty));
    let named = Context {
        template_id: Some("five".into()),
        ..incident()
    };
    let code = world
        .try_read(&stranger, &named)
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::TemplateNotFound);
    assert!(world.audit(&stranger).await.is_empty());
    world
        .add(&stranger, &incident(), None, vec![new("theirs")])
        .await
        .expect("added");
    assert_eq!(world.read(&anna(), &incident()).await.revision, 1);
    assert_eq!(world.audit(&stranger).await[0].sequence, 1);
}

pub async fn a_caller_without_the_calls_permission_is_refused_as_a_whole(world: &World) {
    world.with_incidents().await;
    let reader = person("rosa", Role::Reader);
    let id = world.item(&incident(), "Call back").await.id;
    let edit = UpdateItem {
        note: Patch::Set("x".into()),
        ..UpdateItem::of(id)
    };
    let refusals = [
        world
            .update(&reader, &incident(), None, vec![status(id, Status::Done)])
            .await,
        world
            .update(
                &person("cleo", Role::Checker),
                &incident(),
                None,
                vec![edit.clone()],
            )
            .await,
        world.add(&reader, &incident(), None, vec![new("x")]).await,
        world.delete(&reader, &incident(), None, vec![id]).await,
    ];
    for refusal in refusals {
        assert_eq!(
            refusal.expect_err("refused").code(),
            ProblemCode::PermissionDenied
        );
    }
    // A caller with permissions for some of the items gets a result for each item.
    let items = vec![status(id, Status::Done), edit];
    let answer = world
        .update(&person("cleo", Role::Checker), &incident(), None, items)
        .await
        .expect("answered");
    let outcomes: Vec<_> = answer.results.iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [Outcome::Updated, Outcome::Failed]);
}

pub async fn taking_back_somebody_elses_tick_needs_its_own_permission(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let id = world.item(&incident(), "Call back").await.id;
    let checker = person("cleo", Role::Checker);
    let answer = world
        .update(&checker, &incident(), None, vec![status(id, Status::Open)])
        .await;
    let problem = not_applied(answer).results[0]
        .problem
        .as_ref()
        .map(|problem| problem.code);
    assert_eq!(problem, Some(ItemProblemCode::PermissionDenied));
    let may = only(checker, &[Permission::Check, Permission::UncheckOthers]);
    let answer = world
        .update(&may, &incident(), None, vec![status(id, Status::Open)])
        .await
        .expect("answered");
    assert_eq!(answer.results[0].outcome, Outcome::Updated);
}

pub async fn a_context_outside_the_credential_is_not_found(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    let elsewhere = on(anna(), &Context::new("incident", "INC-2", ""));
    let code =
        |refusal: checklist_store::error::ServiceResult<_>| refusal.expect_err("refused").code();
    let tick = world
        .update(
            &elsewhere,
            &incident(),
            None,
            vec![status(id, Status::Done)],
        )
        .await;
    assert_eq!(code(tick), ProblemCode::ContextNotFound);
    let add = world
        .add(&elsewhere, &incident(), None, vec![new("x")])
        .await;
    assert_eq!(code(add), ProblemCode::ContextNotFound);
}
