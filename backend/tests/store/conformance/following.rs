//! A store's announcements of commits, the changes since a moment, and the streams that use both.
//!
//! Part of the conformance suite.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use checklist_auth::{CredentialCheck, Principal};
use checklist_services::housekeeping;
use checklist_services::live::{self, LiveStream};
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::patch::Patch;
use checklist_shared::wire::live::OpenEvents;
use checklist_shared::wire::write::UpdateItem;
use checklist_store::feed::{Announcement, ChangesSince, Commit, ListProgress};
use checklist_store::list_key::ListKey;

use super::{World, anna, ben, incident, new, not_applied, status, template_of};

/// The timeout of each wait.
const PATIENCE: Duration = Duration::from_secs(20);

/// A credential that stays valid.
pub struct Good;

impl CredentialCheck for Good {
    fn holds(&mut self) -> Pin<Box<dyn Future<Output = bool> + Send + '_>> {
        Box::pin(async { true })
    }
}

async fn follow(world: &World, caller: Principal, id: Option<&str>) -> LiveStream {
    let request = OpenEvents {
        contexts: vec![incident()],
        last_event_id: id.map(str::to_owned),
        language: None,
    };
    live::open(&world.app, caller, Box::new(Good), request, false)
        .await
        .expect("a stream")
}

/// The names of the events up to the next id, and the id.
async fn up_to_id(stream: &mut LiveStream) -> (Vec<String>, String) {
    let mut names = Vec::new();
    loop {
        let chunk = tokio::time::timeout(PATIENCE, stream.next()).await;
        let chunk = chunk.expect("something is said").expect("no end");
        let text = std::str::from_utf8(&chunk).expect("text");
        if let Some(id) = text.strip_prefix("id: ") {
            return (names, id.trim().to_owned());
        }
        let events = text.lines().filter_map(|line| line.strip_prefix("event: "));
        names.extend(events.map(str::to_owned));
    }
}

async fn since(world: &World, lists: &[Context], after: u64) -> ChangesSince {
    let store = world.app.store();
    store
        .changes_since("acme", lists.to_vec(), after)
        .await
        .expect("told")
}

pub async fn a_commit_is_told_when_it_can_be_read(world: &World) {
    world.with_incidents().await;
    let mut feed = world.app.store().commits();
    let answer = world
        .add(&anna(), &incident(), Some("mine"), vec![new("Extra")])
        .await
        .expect("added");
    let told = tokio::time::timeout(PATIENCE, feed.recv()).await;
    let newest = since(world, &[], 0).await.newest;
    let expected = Commit::List {
        list: ListKey::of("acme", &incident()),
        revision: answer.revision,
        sequence: newest,
        operation: Some("mine".to_owned()),
    };
    assert_eq!(
        *told.expect("in time").expect("told"),
        Announcement::Commits(vec![expected])
    );
}

pub async fn nothing_is_told_of_what_changed_nothing(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let mut feed = world.app.store().commits();
    world.tick(&ben(), &incident(), "Call back").await;
    let nobody = UpdateItem::of(checklist_shared::ItemId::from_millis_and_random(1, [7; 10]));
    let answer = world.update(&anna(), &incident(), None, vec![nobody]).await;
    not_applied(answer);
    world.tick(&anna(), &incident(), "Tell the team").await;
    let told = tokio::time::timeout(PATIENCE, feed.recv()).await;
    let told = told.expect("in time").expect("told");
    let Announcement::Commits(commits) = &*told else {
        panic!("{told:?}")
    };
    assert!(
        matches!(commits[..], [Commit::List { revision: 2, .. }]),
        "{commits:?}"
    );
}

pub async fn a_published_template_is_told(world: &World) {
    let mut feed = world.app.store().commits();
    world.publish(super::five()).await;
    let told = tokio::time::timeout(PATIENCE, feed.recv()).await;
    let expected = Commit::Template {
        tenant: "acme".to_owned(),
        id: "five".to_owned(),
    };
    assert_eq!(
        *told.expect("in time").expect("told"),
        Announcement::Commits(vec![expected])
    );
}

pub async fn changes_since_an_id_name_the_revision_to_go_on_from(world: &World) {
    world.with_incidents().await;
    let other = Context::new("incident", "INC-2", "");
    let never = Context::new("incident", "INC-3", "");
    let lists = [incident(), other.clone(), never];
    let start = since(world, &lists, 0).await;
    assert_eq!(
        start.newest,
        super::SET_UP,
        "what administrators did counts"
    );
    assert_eq!(start.lists, [ListProgress::Unchanged; 3]);

    world.tick(&anna(), &incident(), "Call back").await;
    let first = since(world, &lists, 0).await;
    assert_eq!(
        first.lists,
        [
            ListProgress::After(0),
            ListProgress::Unchanged,
            ListProgress::Unchanged
        ]
    );
    // One operation with two rows, then one on another list, then one more.
    let two = ["Write it down", "Tell the team"];
    let mut updates = Vec::new();
    for text in two {
        updates.push(status(world.item(&incident(), text).await.id, Status::Done));
    }
    world
        .update(&anna(), &incident(), None, updates)
        .await
        .expect("ticked");
    world.tick(&anna(), &other, "Call back").await;
    world.tick(&anna(), &incident(), "Go home").await;
    let now = since(world, &lists, first.newest).await;
    assert_eq!(
        now.lists,
        [
            ListProgress::After(1),
            ListProgress::After(0),
            ListProgress::Unchanged
        ]
    );
    assert_eq!(
        since(world, &lists, now.newest).await.lists,
        [ListProgress::Unchanged; 3]
    );
    assert_eq!(
        since(world, &lists, now.newest + 1).await.lists,
        [ListProgress::Unknown; 3],
        "nobody can have seen that"
    );
    let foreign = world.app.store().changes_since("other", lists.to_vec(), 0);
    assert_eq!(
        foreign.await.expect("told"),
        ChangesSince {
            newest: 0,
            lists: vec![ListProgress::Unchanged; 3]
        }
    );
}

pub async fn a_history_that_is_too_long_to_walk_counts_as_gone(world: &World) {
    world.with_incidents().await;
    let many: Vec<_> = (0..190).map(|n| new(&format!("Item {n}"))).collect();
    world
        .add(&anna(), &incident(), None, many)
        .await
        .expect("added");
    let start = since(world, &[incident()], 0).await.newest;
    let list = world.read(&anna(), &incident()).await;
    let ids: Vec<_> = list.items.iter().flatten().map(|item| item.id).collect();
    for round in 0..11 {
        let updates = ids.iter().map(|id| UpdateItem {
            note: Patch::Set(format!("round {round}")),
            ..UpdateItem::of(*id)
        });
        world
            .update(&anna(), &incident(), None, updates.collect())
            .await
            .expect("noted");
    }
    let lists = [incident()];
    assert_eq!(
        since(world, &lists, start).await.lists,
        [ListProgress::Unknown]
    );
    let newest = since(world, &lists, 0).await.newest;
    assert_eq!(
        since(world, &lists, newest - 1).await.lists,
        [ListProgress::After(11)]
    );
}

pub async fn a_stream_tells_what_others_do(world: &World) {
    world.with_incidents().await;
    let mut stream = follow(world, anna(), None).await;
    assert_eq!(up_to_id(&mut stream).await.0, ["list"]);
    world.tick(&ben(), &incident(), "Call back").await;
    assert_eq!(up_to_id(&mut stream).await.0, ["items", "list"]);
    world
        .publish(template_of("five", serde_json::json!([])))
        .await;
    let chunk = stream.next().await.expect("the new version");
    assert!(chunk.starts_with(b"event: template\n"));
}

pub async fn what_was_purged_meanwhile_is_told_as_a_reset(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let (_, id) = up_to_id(&mut follow(world, anna(), None).await).await;
    let gone = world.item(&incident(), "Go home").await.id;
    world
        .delete(&anna(), &incident(), None, vec![gone])
        .await
        .expect("deleted");
    let (told, _) = up_to_id(&mut follow(world, anna(), Some(&id)).await).await;
    assert_eq!(told, ["removed", "locked", "waived", "list"]);
    world.clock.advance_seconds(31 * 24 * 60 * 60);
    housekeeping::purge(&world.app).await.expect("purged");
    let (told, _) = up_to_id(&mut follow(world, anna(), Some(&id)).await).await;
    assert_eq!(told, ["reset", "locked", "waived", "list"]);
}
