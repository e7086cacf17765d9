//! AddItems, UpdateItems, DeleteItems and Lock: what is stored, and what is refused.
//! Part of the suite that every store has to pass; run by the file of each database beside it.

use std::collections::BTreeSet;

use checklist_server::services::checklist;
use checklist_shared::Context;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Basis, Kind, Origin, Status};
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::{FieldErrorCode, ItemProblemCode, ProblemCode};
use checklist_shared::progress::State;
use checklist_shared::wire::write::{
    AddItem, AppliedShare, LockList, Outcome, RefreshItems, Undo, UpdateItem, UpdateItems,
};

use super::{World, anna, ben, body, five, incident, new, on, only, person, status, texts};

pub async fn the_first_write_stores_the_whole_list_under_the_projected_ids(world: &World) {
    world.with_incidents().await;
    let projected = world.read(&anna(), &incident()).await;
    let answer = world.tick(&anna(), &incident(), "Call back").await;
    assert_eq!((answer.revision, answer.applied), (1, AppliedShare::All));
    assert_eq!(answer.results[0].outcome, Outcome::Updated);
    let stored = world.read(&anna(), &incident()).await;
    assert_eq!(stored.revision, 1);
    assert_eq!(stored.counts.done, 1);
    let pairs = projected
        .items
        .unwrap_or_default()
        .into_iter()
        .zip(stored.items.unwrap_or_default());
    for (before, after) in pairs {
        assert_eq!(
            (before.id, &before.sort_key, before.parent_id),
            (after.id, &after.sort_key, after.parent_id)
        );
        if before.text != "Call back" {
            assert_eq!(
                (before.version, before.status),
                (after.version, after.status)
            );
        }
    }
}

pub async fn two_first_writers_make_one_set_of_items(world: &World) {
    world.with_incidents().await;
    let list = world
        .read(&anna(), &incident())
        .await
        .items
        .unwrap_or_default();
    let ticks = list
        .iter()
        .filter(|item| item.kind == Kind::Item)
        .map(|item| item.id)
        .map(|id| {
            let app = world.app.clone();
            tokio::spawn(async move {
                let request = UpdateItems {
                    context: incident(),
                    operation_id: None,
                    atomic: false,
                    items: vec![status(id, Status::Done)],
                    log_in_journal: None,
                };
                checklist::update_items(
                    &app,
                    &person(&id.to_string(), Role::Editor),
                    request,
                    body(),
                )
                .await
            })
        });
    let mut revisions = BTreeSet::new();
    for tick in ticks.collect::<Vec<_>>() {
        revisions.insert(tick.await.expect("ran").expect("ticked").revision);
    }
    assert_eq!(revisions, (1..=5).collect());
    let stored = world.read(&anna(), &incident()).await;
    assert_eq!(stored.items.as_ref().map(Vec::len), Some(6));
    assert!(stored.completed);
    let created = world.audit(&super::admin()).await;
    let created = created
        .iter()
        .filter(|row| row.event.what == checklist_shared::event::What::Created);
    assert_eq!(created.count(), 1);
}

pub async fn a_tick_in_a_list_of_one_is_completed_and_taking_it_back_is_not(world: &World) {
    let list = Context::new("note", "1", "");
    let added = world
        .add(&anna(), &list, None, vec![new("only")])
        .await
        .expect("added");
    let done = world.tick(&anna(), &list, "only").await;
    assert_eq!((done.state, done.completed), (State::Complete, true));
    let id = added.results[0].id;
    let open = world
        .update(&anna(), &list, None, vec![status(id, Status::Open)])
        .await
        .expect("opened");
    assert_eq!((open.state, open.completed), (State::Open, false));
    assert_eq!(open.blockers.len(), 1);
}

pub async fn a_status_that_is_set_already_stays_the_first_actors(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let again = world.tick(&ben(), &incident(), "Call back").await;
    assert_eq!(
        (again.results[0].outcome, again.revision),
        (Outcome::Unchanged, 1)
    );
    let item = world.item(&incident(), "Call back").await;
    assert_eq!(item.status_by.map(|by| by.id).as_deref(), Some("anna"));
    assert_eq!(world.read(&anna(), &incident()).await.revision, 1);
}

pub async fn a_tick_that_saw_another_wording_is_a_conflict_and_brings_the_present_item(
    world: &World,
) {
    world.with_incidents().await;
    let item = world.item(&incident(), "Call back").await;
    let stale = UpdateItem {
        seen_text_hash: Some(checklist_shared::text::text_hash("Call forth")),
        ..status(item.id, Status::Done)
    };
    let answer = world
        .update(&anna(), &incident(), None, vec![stale])
        .await
        .expect("answered");
    assert_eq!((answer.applied, answer.revision), (AppliedShare::None, 0));
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

pub async fn items_without_a_place_follow_each_other_in_the_order_of_the_request(world: &World) {
    let list = Context::new("note", "1", "");
    let start = world
        .add(
            &anna(),
            &list,
            None,
            vec![new("one"), new("two"), new("three")],
        )
        .await
        .expect("added");
    let two = start.results[1].id;
    let pasted = vec![
        AddItem {
            after_id: Some(two),
            ..new("two and a bit")
        },
        new("two and a half"),
    ];
    world
        .add(&anna(), &list, None, pasted)
        .await
        .expect("added");
    let section = AddItem {
        kind: Kind::Section,
        ..new("section")
    };
    let section = world
        .add(&anna(), &list, None, vec![section])
        .await
        .expect("added")
        .results[0]
        .id;
    let inside = vec![
        AddItem {
            parent_id: Some(section),
            ..new("inside")
        },
        new("outside again"),
    ];
    world
        .add(&anna(), &list, None, inside)
        .await
        .expect("added");
    assert_eq!(
        texts(&world.read(&anna(), &list).await),
        [
            "one",
            "two",
            "two and a bit",
            "two and a half",
            "three",
            "section",
            "inside",
            "outside again"
        ]
    );
}

pub async fn a_client_may_choose_the_id_and_send_the_item_again(world: &World) {
    let list = Context::new("note", "1", "");
    let id = ItemId::from_millis_and_random(1_700_000_000_000, [7; 10]);
    let item = AddItem {
        id: Some(id),
        ..new("mine")
    };
    let first = world
        .add(&anna(), &list, None, vec![item.clone()])
        .await
        .expect("added");
    assert_eq!(
        (first.results[0].id, first.results[0].outcome),
        (id, Outcome::Created)
    );
    assert_eq!(
        first.results[0].item.as_ref().map(|item| item.origin),
        Some(Origin::Local)
    );
    let again = world
        .add(&anna(), &list, None, vec![item])
        .await
        .expect("answered");
    assert_eq!(
        (again.results[0].outcome, again.revision),
        (Outcome::Unchanged, 1)
    );
    let other = AddItem {
        id: Some(id),
        ..new("another")
    };
    let taken = world
        .add(&anna(), &list, None, vec![other])
        .await
        .expect("answered");
    assert_eq!(
        taken.results[0]
            .problem
            .as_ref()
            .map(|problem| problem.code),
        Some(ItemProblemCode::IdTaken)
    );
    // Computed ids are the templates'.
    let computed = AddItem {
        id: Some(ItemId::projected(&list, "key")),
        ..new("squatter")
    };
    let refused = world
        .add(&anna(), &list, None, vec![computed])
        .await
        .expect_err("refused");
    assert_eq!(refused.problem.errors[0].pointer, "/Items/0/Id");
}

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
    let pointers: Vec<_> = refused
        .problem
        .errors
        .iter()
        .map(|error| error.pointer.as_str())
        .collect();
    assert_eq!(pointers, ["/Items/1/Text", "/Items/1/Note"]);
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
        .await
        .expect("answered");
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
        context: incident(),
        operation_id: Some(operation.to_owned()),
        atomic: true,
        items: vec![status(good, Status::Done), status(bad, other)],
        log_in_journal: None,
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
    // A repeat hears the same, and still nothing is half done.
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
    let refresh = RefreshItems {
        context: incident(),
        to_version: None,
        dry_run: false,
        expected_revision: None,
        operation_id: None,
        log_in_journal: None,
    };
    let undo = Undo {
        context: incident(),
        undoes: "before".into(),
        operation_id: None,
        log_in_journal: None,
    };
    let dry = RefreshItems {
        dry_run: true,
        ..refresh.clone()
    };
    let refusals = [
        world
            .update(&anna(), &incident(), None, vec![status(id, Status::Done)])
            .await,
        world.add(&anna(), &incident(), None, vec![new("x")]).await,
        world.delete(&anna(), &incident(), None, vec![id]).await,
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
    let answer = world
        .update(&anna(), &incident(), None, items)
        .await
        .expect("answered");
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
        .await
        .expect("answered");
    assert_eq!(answer.results[0].outcome, Outcome::Failed);
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
    // One who may do a part of it is told item by item.
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
        .await
        .expect("answered");
    let problem = answer.results[0]
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
        |refusal: checklist_server::error::ServiceResult<_>| refusal.expect_err("refused").code();
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

pub async fn deleting_a_section_takes_its_items_along(world: &World) {
    world.with_incidents().await;
    let section = world.item(&incident(), "After").await.id;
    let inside = world.item(&incident(), "Tidy up").await.id;
    let answer = world
        .delete(&anna(), &incident(), None, vec![section, inside])
        .await
        .expect("deleted");
    let outcomes: Vec<_> = answer.results.iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [Outcome::Deleted, Outcome::Deleted]);
    assert_eq!(
        texts(&world.read(&anna(), &incident()).await),
        ["Call back", "Write it down", "Tell the team"]
    );
    let again = world
        .delete(&anna(), &incident(), None, vec![section])
        .await
        .expect("answered");
    assert_eq!(
        (again.results[0].outcome, again.revision),
        (Outcome::Unchanged, 1)
    );
}

pub async fn everything_about_an_item_comes_back_as_it_was_written(world: &World) {
    world.publish(five()).await;
    let list = Context {
        template_id: Some("five".into()),
        ..Context::new("note", "1", "p")
    };
    let due = "2027-01-02T03:04:05Z".parse().expect("a time");
    let item = AddItem {
        required: true,
        help: Some("**Help**".into()),
        note: Some("a note".into()),
        assignee: Some("cleo".into()),
        due: Some(due),
        ..new("  everything  ")
    };
    let added = world
        .add(&anna(), &list, None, vec![item])
        .await
        .expect("added");
    let id = added.results[0].id;
    let moved = UpdateItem {
        base_version: Some(1),
        before_id: Patch::Set(world.item(&list, "Call back").await.id),
        text: Patch::Set("reworded".into()),
        ..status(id, Status::Done)
    };
    let answer = world
        .update(&anna(), &list, None, vec![moved])
        .await
        .expect("changed");
    let shown = answer.results[0].item.clone().expect("the item");
    let read = world.read(&anna(), &list).await.items.unwrap_or_default();
    assert_eq!(read[0], shown);
    assert_eq!(
        (shown.text.as_str(), shown.help.as_deref()),
        ("reworded", Some("**Help**"))
    );
    assert_eq!(
        (shown.note.as_deref(), shown.assignee.as_deref(), shown.due),
        (Some("a note"), Some("cleo"), Some(due))
    );
    assert_eq!(
        (shown.status, shown.version, shown.required),
        (Status::Done, 2, true)
    );
    assert_eq!(
        shown.status_by.as_ref().map(|by| by.name.as_str()),
        Some("anna Example")
    );
}
