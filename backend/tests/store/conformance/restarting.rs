//! A restart: what the next server finds in the same database.
//!
//! The test of each database opens its servers.

use checklist_services::checklist;
use checklist_shared::wire::write::Undo;

use super::{World, anna, body, incident, new};

pub async fn everything_is_as_it_was_after_a_restart(open: impl AsyncFn() -> World) {
    let world = open().await;
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world
        .add(&anna(), &incident(), Some("op"), vec![new("mine")])
        .await
        .expect("added");
    let before = world.read(&anna(), &incident()).await;
    world.app.close().await.expect("closed");
    let world = open().await;
    assert_eq!(world.read(&anna(), &incident()).await, before);
    let undo = Undo::new(incident(), "op".into());
    checklist::undo(&world.app, &anna(), undo, body())
        .await
        .expect("undone after the restart");
    assert_eq!(world.broken().await, None);
}
