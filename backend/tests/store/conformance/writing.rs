//! AddItems, UpdateItems, DeleteItems and Lock: what is stored.
//!
//! Part of the conformance suite.

use checklist_services::checklist;
use checklist_shared::Context;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Kind, Origin, Status};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::progress::State;
use checklist_shared::wire::write::{AddItem, AppliedShare, Outcome, UpdateItem, UpdateItems};
use std::collections::BTreeSet;

use super::{World, anna, ben, body, five, incident, new, not_applied, person, status, texts};

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
                let request = UpdateItems::new(incident(), false, vec![status(id, Status::Done)]);
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
    let created = created.iter().filter(|row| {
        row.event.as_ref().map(|event| event.what) == Some(checklist_shared::event::What::Created)
    });
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
    assert_eq!(item.status_by.expect("somebody").id, "anna");
    assert_eq!(world.read(&anna(), &incident()).await.revision, 1);
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
    let taken = world.add(&anna(), &list, None, vec![other]).await;
    assert_eq!(
        not_applied(taken).results[0]
            .problem
            .as_ref()
            .map(|problem| problem.code),
        Some(ItemProblemCode::IdTaken)
    );
    // Computed ids are reserved for template items.
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
        (
            shown.note.as_deref(),
            shown.assignee.as_ref().map(|who| who.name.as_str()),
            shown.due
        ),
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
