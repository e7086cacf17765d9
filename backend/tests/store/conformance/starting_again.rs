//! Lists that start again: one transaction, whatever else is written at the same time.

use checklist_services::checklist;
use checklist_shared::item::Status;
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::runs::{GetRuns, StartAgain};
use checklist_shared::wire::write::WriteAnswer;
use checklist_store::error::ServiceResult;

use super::{World, anna, ben, body, incident, status, texts};

async fn again(world: &World, run: Option<u32>) -> ServiceResult<WriteAnswer> {
    let request = StartAgain::new(incident(), "Monday".to_owned(), run);
    checklist::start_again(&world.app, &anna(), request, body()).await
}

async fn run(world: &World, number: u32) -> ListAnswer {
    let request = GetItems {
        context: Some(incident()),
        run: Some(number),
        ..GetItems::default()
    };
    match checklist::get_items(&world.app, &anna(), request).await {
        Ok(checklist::GetItemsAnswer::One(list)) => *list,
        other => panic!("{other:?}"),
    }
}

async fn numbers(world: &World, before: Option<u32>) -> (Vec<u32>, Option<u32>) {
    let request = GetRuns {
        context: incident(),
        before,
    };
    let told = checklist::runs(&world.app, &anna(), request).await;
    let told = told.expect("runs");
    let numbers = told.runs.iter().map(|run| run.run.number);
    (numbers.collect(), told.next)
}

pub async fn what_is_written_beside_a_start_is_in_the_run_that_it_saw(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let item = world.item(&incident(), "Tell the team").await.id;
    for round in 1..20_u32 {
        let wanted = if round % 2 == 1 {
            Status::Done
        } else {
            Status::Open
        };
        let (ben, list) = (ben(), incident());
        let change = world.update(&ben, &list, None, vec![status(item, wanted)]);
        let (changed, started) = tokio::join!(change, again(world, Some(round)));
        assert_eq!(started.expect("started").run, Some(round + 1));
        let closed = run(world, 1).await;
        let items = closed.items.as_deref().unwrap_or_default();
        let is = items
            .iter()
            .find(|one| one.id == item)
            .map(|one| one.status);
        // Only the first run has that item: whoever comes too late is told so.
        match (round, changed) {
            (1, Ok(_)) => assert_eq!(is, Some(Status::Done)),
            (1, Err(_)) => assert_eq!(is, Some(Status::Open)),
            (_, changed) => assert!(changed.is_err(), "round {round}"),
        }
    }
    let list = world.read(&anna(), &incident()).await;
    assert_eq!(list.counts.done, 0, "{:?}", texts(&list));
    assert_eq!(list.run.map(|run| run.number), Some(20));
}

pub async fn runs_are_read_page_by_page_and_each_has_its_items(world: &World) {
    world.with_incidents().await;
    for _ in 0..60 {
        again(world, None).await.expect("started");
    }
    let (first, next) = numbers(world, None).await;
    assert_eq!(first, (12..=61).rev().collect::<Vec<_>>());
    assert_eq!(next, Some(12));
    let (rest, end) = numbers(world, next).await;
    assert_eq!((rest, end), ((1..12).rev().collect(), None));
    let list = world.read(&anna(), &incident()).await;
    let closed = run(world, 30).await;
    assert_eq!(texts(&closed), texts(&list));
    let ids = |list: &ListAnswer| -> Vec<_> {
        let items = list.items.as_deref().unwrap_or_default().iter();
        items.map(|item| item.id).collect()
    };
    assert!(ids(&closed).iter().all(|id| !ids(&list).contains(id)));
}
