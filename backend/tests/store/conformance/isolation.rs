//! An unreadable list among readable ones: calls on several lists still work for the others.
//!
//! The test of each database corrupts a value of the list [`BAD`] with SQL between the steps.

use std::time::Duration;

use checklist_auth::{CredentialCheck, Principal};
use checklist_services::automation;
use checklist_services::checklist::GetItemsAnswer;
use checklist_services::live::{self, LiveStream};
use checklist_shared::Context;
use checklist_shared::event::What;
use checklist_shared::item::{Actor, Status};
use checklist_shared::patch::Patch;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::list::{GetItems, ListResult};
use checklist_shared::wire::live::OpenEvents;

use super::following::Good;
use super::refreshing::{pending_refreshes, publish_to_follow};
use super::{World, anna, ben, five, new, status};

/// The object of the list whose rows are corrupted.
pub const BAD: &str = "2";

/// SQL that corrupts a text of the list, and SQL that repairs it.
pub const SPOIL: &str = "UPDATE item SET text = '{' WHERE template_key = 'a' AND checklist = \
     (SELECT number FROM checklist WHERE object_id = '2')";
pub const MEND: &str = "UPDATE item SET text = '{\"en\":\"Call back\"}' WHERE template_key = 'a' \
     AND checklist = (SELECT number FROM checklist WHERE object_id = '2')";

/// The timeout of each wait.
const PATIENCE: Duration = Duration::from_secs(30);

fn list(id: &str) -> Context {
    Context::new("incident", id, "")
}

fn lists() -> Vec<Context> {
    ["1", BAD, "3"].map(list).into()
}

/// Writes three lists.
pub async fn prepare(world: &World) {
    world.with_incidents().await;
    for list in lists() {
        world.tick(&anna(), &list, "Tell the team").await;
    }
}

/// The template version of each list in a batch, or the code of its problem.
async fn versions(world: &World) -> Vec<Result<Option<u32>, ProblemCode>> {
    let request = GetItems {
        contexts: Some(lists()),
        ..GetItems::default()
    };
    let answer = world.ask(&anna(), request).await.expect("an answer");
    let GetItemsAnswer::Many(answers) = answer else {
        panic!("three were asked for")
    };
    let results = answers.results.into_iter().map(|result| match result {
        ListResult::List(list) => Ok(list.template_version),
        ListResult::Problem(problem) => Err(problem.code),
    });
    results.collect()
}

async fn follow(world: &World) -> LiveStream {
    let request = OpenEvents {
        contexts: lists(),
        last_event_id: None,
        language: None,
    };
    let standing: Box<dyn CredentialCheck> = Box::new(Good);
    live::open(&world.app, anna(), standing, request, false)
        .await
        .expect("a stream")
}

/// Waits for an event about that list; skips earlier chunks of the stream.
async fn is_told(stream: &mut LiveStream, event: &str, id: &str) {
    let (event, id) = (
        format!("event: {event}\n"),
        format!("\"ObjectId\":\"{id}\""),
    );
    let told = async {
        loop {
            let chunk = stream.next().await.expect("the stream goes on");
            let text = std::str::from_utf8(&chunk).expect("text");
            if text.contains(&event) && text.contains(&id) {
                return;
            }
        }
    };
    let told = tokio::time::timeout(PATIENCE, told).await;
    assert!(told.is_ok(), "{event} {id}");
}

/// With the list corrupted and nothing of it cached.
pub async fn others_go_on(world: &World, mend: impl AsyncFnOnce()) {
    let failed = Err(ProblemCode::Internal);
    assert_eq!(versions(world).await, [Ok(Some(1)), failed, Ok(Some(1))]);

    let mut stream = follow(world).await;
    is_told(&mut stream, "list", "1").await;
    is_told(&mut stream, "problem", BAD).await;
    is_told(&mut stream, "list", "3").await;

    // Written concurrently, perhaps in the same batch.
    let id = world.item(&list("1"), "Go home").await.id;
    let tick = |context: Context| async move {
        let items = vec![status(id, Status::Done)];
        world.update(&ben(), &context, None, items).await
    };
    let add = |context: Context| async move {
        let added = world.add(&ben(), &context, None, vec![new("more")]).await;
        added.map(|_| ()).map_err(|error| error.code())
    };
    let (one, bad, three, ticked) = tokio::join!(
        add(list("1")),
        add(list(BAD)),
        add(list("3")),
        tick(list("1")),
    );
    assert_eq!((one, three), (Ok(()), Ok(())));
    assert_eq!(bad, Err(ProblemCode::Internal));
    assert!(ticked.is_ok());
    is_told(&mut stream, "items", "3").await;

    // A new version refreshes the others, and this one once it can be read again.
    let before = world.audit(&super::admin()).await.len();
    let pending = publish_to_follow(world, five()).await;
    let progress = automation::run(&world.app, &pending).await.expect("run");
    assert_eq!(progress.failed, [list(BAD)]);
    assert_eq!(versions(world).await, [Ok(Some(2)), failed, Ok(Some(2))]);
    assert_eq!(pending_refreshes(world).await, [pending]);
    for row in world.audit(&super::admin()).await.split_off(before) {
        assert_eq!(row.actor.id, "automation");
        let for_whom = row.actor.on_behalf_of.map(|actor| *actor);
        assert_eq!(for_whom, Some(super::admin().actor), "{:?}", row.event);
    }

    mend().await;
    is_told(&mut stream, "list", BAD).await;
    let brought = async {
        while !pending_refreshes(world).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let brought = tokio::time::timeout(PATIENCE, brought).await;
    assert!(brought.is_ok(), "the list that failed is tried again");
    assert_eq!(versions(world).await, [Ok(Some(2)); 3]);
}

/// A program's changes for one person do not continue the journal entry of its changes for another.
pub async fn what_was_done_for_two_people_makes_two_entries(world: &World) {
    world.with_incidents().await;
    let program = |whom: &str| Principal {
        actor: Actor {
            on_behalf_of: Some(Box::new(Actor::person(whom, whom))),
            ..Actor::person("program", "Program")
        },
        journal: true,
        ..anna()
    };
    for (whom, text) in [
        ("zoe", "Call back"),
        ("zoe", "Go home"),
        ("yan", "Tell the team"),
        ("zoe", "Tidy up"),
    ] {
        world.tick(&program(whom), &list("1"), text).await;
    }
    let entries = world.journal(&anna(), 0).await;
    let whom = |entry: &checklist_shared::wire::admin::JournalEntry| {
        let whom = entry.actor.on_behalf_of.as_ref();
        whom.map(|actor| actor.id.clone()).unwrap_or_default()
    };
    let whom: Vec<String> = entries.iter().map(whom).collect();
    assert_eq!(whom, ["zoe", "yan", "zoe"]);
}

/// A reported case: sort keys before the first row run out, and the gap after it is used.
pub async fn many_moves_to_one_place_leave_room_everywhere(world: &World) {
    world.with_incidents().await;
    let context = list("1");
    let item = world.item(&context, "Tell the team").await;
    let mut versions = std::collections::HashMap::new();
    let other = world.item(&context, "Write it down").await;
    for round in 0..140 {
        let moved = if round % 2 == 0 { &item } else { &other };
        let first = world
            .read(&anna(), &context)
            .await
            .items
            .unwrap_or_default()[0]
            .id;
        let base = versions.entry(moved.id).or_insert(moved.version);
        let update = checklist_shared::wire::write::UpdateItem {
            base_version: Some(*base),
            before_id: Patch::Set(first),
            ..checklist_shared::wire::write::UpdateItem::of(moved.id)
        };
        let answer = world.update(&anna(), &context, None, vec![update]).await;
        let result = answer.expect("moved").results.remove(0);
        *base = result.item.map_or(*base, |item| item.version);
    }
    let first = world
        .read(&anna(), &context)
        .await
        .items
        .unwrap_or_default()[0]
        .clone();
    assert_eq!(first.text, "Write it down");
    let behind = |text: &str| checklist_shared::wire::write::AddItem {
        after_id: Some(first.id),
        ..new(text)
    };
    for text in ["one", "two", "three"] {
        let added = world.add(&anna(), &context, None, vec![behind(text)]).await;
        added.expect("there is room");
    }
    let seen = world.read(&anna(), &context).await;
    assert_eq!(
        super::texts(&seen)[..5],
        ["Write it down", "three", "two", "one", "Tell the team"]
    );
    let rows = world.audit(&super::admin()).await;
    let moved = rows
        .iter()
        .filter(|row| row.event.as_ref().map(|event| event.what) == Some(What::Moved));
    assert_eq!(moved.count(), 140);
}
