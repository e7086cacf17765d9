//! RestoreItems: deleted items can be restored within their retention, and what the logs say of it.
//!
//! Part of the conformance suite.

use checklist_services::{checklist, housekeeping};
use checklist_shared::ItemId;
use checklist_shared::event::What;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::wire::write::{Outcome, RefreshItems, RestoreItems, Undo};

use super::{World, admin, anna, ben, body, five, incident, not_applied, texts};

const DAY: i64 = 24 * 60 * 60;

/// Deletes the item with that English text.
async fn delete(world: &World, text: &str) -> ItemId {
    let id = world.item(&incident(), text).await.id;
    let deleted = world.delete(&anna(), &incident(), None, vec![id]).await;
    deleted.expect("deleted");
    id
}

pub async fn what_was_deleted_comes_back_when_the_operation_is_long_forgotten(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Tidy up").await;
    let before = world.read(&anna(), &incident()).await;
    let section = delete(world, "After").await;
    world.clock.advance_seconds(29 * DAY);
    housekeeping::purge(&world.app).await.expect("purged");

    let deleted = world.deleted(&ben(), &incident()).await;
    let named: Vec<_> = deleted.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(named, ["After", "Tidy up", "Go home"]);
    for item in &deleted {
        assert_eq!(
            item.deleted_by.as_ref().map(|by| by.id.as_str()),
            Some("anna")
        );
        let (at, until) = (
            item.deleted_at.expect("when"),
            item.restorable_until.expect("until"),
        );
        assert_eq!(until.as_millis() - at.as_millis(), 30 * DAY * 1_000);
    }
    let answer = world
        .restore(&ben(), &incident(), vec![section])
        .await
        .expect("restored");
    assert!(
        answer
            .results
            .iter()
            .all(|result| result.outcome == Outcome::Restored)
    );
    assert_eq!(answer.results.len(), 3);
    let after = world.read(&anna(), &incident()).await;
    assert_eq!(
        (texts(&after), after.counts),
        (texts(&before), before.counts)
    );
    assert!(world.deleted(&ben(), &incident()).await.is_empty());
    let delta = world
        .read_since(&anna(), &incident(), Some(answer.revision - 1))
        .await;
    assert_eq!(
        delta.expect("changes").items.map(|items| items.len()),
        Some(3)
    );
    let rows = world.audit(&admin()).await;
    let row = rows.last().expect("a row");
    assert_eq!(
        (
            row.event.as_ref().map(|event| event.what),
            row.actor.id.as_str()
        ),
        (Some(What::Restored), "ben")
    );
}

pub async fn what_was_purged_does_not_come_back(world: &World) {
    world.with_incidents().await;
    let gone = delete(world, "Tidy up").await;
    world.clock.advance_seconds(31 * DAY);
    housekeeping::purge(&world.app).await.expect("purged");
    let answer = world.restore(&anna(), &incident(), vec![gone]).await;
    let problem = not_applied(answer).results.remove(0).problem;
    assert_eq!(
        problem.map(|problem| problem.code),
        Some(ItemProblemCode::ItemNotFound)
    );
    // A restored item is not purged because it once was deleted.
    let kept = delete(world, "Go home").await;
    world
        .restore(&anna(), &incident(), vec![kept])
        .await
        .expect("restored");
    world.clock.advance_seconds(31 * DAY);
    assert_eq!(
        housekeeping::purge(&world.app).await.expect("purged").items,
        0
    );
    assert!(texts(&world.read(&anna(), &incident()).await).contains(&"Go home"));
}

pub async fn a_restore_is_remembered_and_taken_back(world: &World) {
    world.with_incidents().await;
    let gone = delete(world, "Tidy up").await;
    let deleted = world.deleted(&anna(), &incident()).await;
    let request = RestoreItems {
        operation_id: Some("back".to_owned()),
        ..RestoreItems::new(incident(), vec![gone])
    };
    let hash = body();
    let first = checklist::restore_items(&world.app, &ben(), request.clone(), hash).await;
    let again = checklist::restore_items(&world.app, &ben(), request, hash).await;
    assert_eq!(first.expect("restored"), again.expect("restored"));
    let undo = Undo::new(incident(), "back".to_owned());
    checklist::undo(&world.app, &ben(), undo, body())
        .await
        .expect("undone");
    let after = world.deleted(&anna(), &incident()).await;
    let who_and_when = |items: &[checklist_shared::wire::item::ItemView]| {
        (
            items[0].id,
            items[0].deleted_at,
            items[0].deleted_by.clone(),
        )
    };
    assert_eq!(who_and_when(&after), who_and_when(&deleted));
}

pub async fn a_restored_item_follows_the_version_of_its_list(world: &World) {
    world.with_incidents().await;
    let gone = delete(world, "Tidy up").await;
    let mut next = five();
    next.items[4].text =
        checklist_shared::text::LanguageMap::new([("en".to_owned(), "Tidy well".to_owned())]);
    world.publish(next).await;
    let refresh = RefreshItems::new(incident(), None, false, None);
    checklist::refresh_items(&world.app, &anna(), refresh, body())
        .await
        .expect("refreshed");
    let answer = world
        .restore(&anna(), &incident(), vec![gone])
        .await
        .expect("restored");
    let item = answer.results[0]
        .item
        .as_ref()
        .map(|item| item.text.as_str());
    assert_eq!(item, Some("Tidy well"));
}
