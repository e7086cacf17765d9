//! Items that are found and announced while rows of resolved items wait to be removed.
//!
//! Part of the conformance suite.

use std::collections::{BTreeMap, BTreeSet};

use checklist_services::{checklist, due_items, find_items, open_item_sweep};
use checklist_shared::Context;
use checklist_shared::due::Due;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::find::{DueRange, FindItems, FoundItems, ItemFilter};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::runs::StartAgain;
use checklist_shared::wire::webhooks::{WebhookEvent, WebhookMessage};
use checklist_shared::wire::write::{AddItem, UpdateItem};
use checklist_store::found_items::{ItemOrder, ItemPosition, ItemSearch, NEVER};
use checklist_store::scope::ContextScope;

use super::webhooks::{deliveries, keep, record};
use super::{World, anna, body, new, status};

const HOUR: i64 = 3_600;

fn list(number: u64) -> Context {
    Context::new("note", &number.to_string(), "")
}

fn after(world: &World, seconds: i64) -> Due {
    let now = world.app.clock().now().as_millis();
    Due::At(Timestamp::from_millis(now + seconds * 1_000))
}

/// Adds items for Ben, each due in an hour.
async fn add(world: &World, list: &Context, count: usize) -> Vec<ItemId> {
    let items = (0..count).map(|at| AddItem {
        assignee: Some("ben".into()),
        due: Some(after(world, HOUR)),
        ..new(&format!("Item {at}"))
    });
    let added = world.add(&anna(), list, None, items.collect()).await;
    added.expect("added");
    let items = world.read(&anna(), list).await.items.unwrap_or_default();
    items.iter().map(|item| item.id).collect()
}

async fn set(world: &World, list: &Context, ids: &[ItemId], new: Status) {
    for ids in ids.chunks(200) {
        let set = ids.iter().map(|id| status(*id, new)).collect();
        let set = world.update(&anna(), list, None, set).await;
        set.expect("set");
    }
}

/// Adds items that are resolved, and whose rows wait to be removed.
pub async fn add_resolved(world: &World) -> Vec<ItemId> {
    let ids = add(world, &list(1), 3).await;
    set(world, &list(1), &ids, Status::Done).await;
    ids
}

async fn sweep(world: &World) {
    let swept = open_item_sweep::sweep(&world.app, "acme").await;
    swept.expect("swept");
}

async fn announce(world: &World) {
    let now = world.app.clock().now();
    while due_items::announce(&world.app).await.expect("a store") == Some(now) {}
}

async fn wait(world: &World, seconds: i64) {
    world.clock.advance_seconds(seconds);
    announce(world).await;
}

/// How many rows with a due date there are, whether their items are open or not.
async fn rows(world: &World) -> usize {
    let search = ItemSearch {
        order: ItemOrder::Due { until: NEVER },
        scope: ContextScope::Any,
        object_type: None,
        after: ItemPosition::at_or_after(i64::MIN),
        limit: 10_000,
    };
    let rows = world.app.store().find_items("acme", search).await;
    rows.expect("rows").len()
}

async fn ask(world: &World, filter: ItemFilter, limit: u32) -> FoundItems {
    let request = FindItems {
        filter,
        limit: Some(limit),
        ..FindItems::default()
    };
    let found = find_items::find(&world.app, &anna(), request).await;
    found.expect("found")
}

fn for_ben() -> ItemFilter {
    ItemFilter {
        assignee: Some("ben".to_owned()),
        ..ItemFilter::default()
    }
}

/// How often each item was announced as overdue.
async fn announced(world: &World) -> BTreeMap<ItemId, usize> {
    let mut times = BTreeMap::new();
    for delivery in deliveries(world, "acme").await {
        let message: WebhookMessage = serde_json::from_str(&delivery.body).expect("a message");
        for item in message.data.items {
            *times.entry(item).or_default() += 1;
        }
    }
    times
}

async fn listen(world: &World) {
    keep(
        world,
        &record(world, "acme", "1", &[WebhookEvent::ItemOverdue]),
    )
    .await;
}

pub async fn a_row_outlives_its_tick_until_it_is_swept_and_not_a_change_of_the_item(world: &World) {
    let ids = add(world, &list(1), 5).await;
    set(world, &list(1), &ids[..3], Status::Done).await;
    assert_eq!(rows(world).await, 5, "a tick leaves its row");
    set(world, &list(1), &ids[..1], Status::Open).await;
    let mut update = UpdateItem::of(ids[1]);
    update.due = Patch::Set(after(world, 2 * HOUR));
    let changed = world.update(&anna(), &list(1), None, vec![update]).await;
    changed.expect("changed");
    assert_eq!(rows(world).await, 4, "another change takes it away");
    sweep(world).await;
    assert_eq!(rows(world).await, 3, "those of open items stay");
    assert_eq!(ask(world, for_ben(), 50).await.items.len(), 3);
    set(world, &list(1), &ids, Status::Open).await;
    assert_eq!(rows(world).await, 5, "who is opened again is back");
    assert_eq!(ask(world, for_ben(), 50).await.items.len(), 5);
}

pub async fn resolved_items_before_those_that_are_due_keep_nobody_from_being_announced(
    world: &World,
) {
    listen(world).await;
    let resolved = [
        add(world, &list(1), 200).await,
        add(world, &list(2), 200).await,
    ];
    let open = add(world, &list(3), 1).await;
    for (at, ids) in resolved.iter().enumerate() {
        set(world, &list(1 + at as u64), ids, Status::Done).await;
    }
    wait(world, HOUR + 1).await;
    assert_eq!(announced(world).await, BTreeMap::from([(open[0], 1)]));
    assert_eq!(rows(world).await, 1, "whoever met a row has removed it");
    set(world, &list(1), &resolved[0][..1], Status::Open).await;
    announce(world).await;
    let both = BTreeMap::from([(open[0], 1), (resolved[0][0], 1)]);
    assert_eq!(announced(world).await, both, "late, and opened again");
}

pub async fn a_page_of_open_items_is_full_behind_resolved_ones_and_counts_none_of_them(
    world: &World,
) {
    let resolved = add(world, &list(1), 200).await;
    add(world, &list(2), 3).await;
    set(world, &list(1), &resolved, Status::Done).await;
    let page = ask(world, for_ben(), 2).await;
    assert_eq!((page.items.len(), page.at_least), (2, 3));
    let page = ask(world, for_ben(), 3).await;
    assert_eq!((page.items.len(), page.at_least), (3, 3));
    assert_eq!(page.next, None);
}

pub async fn a_sweep_that_was_interrupted_goes_on_and_takes_no_row_of_an_open_item(world: &World) {
    let store = world.app.store();
    let ids = add(world, &list(1), 4).await;
    set(world, &list(1), &ids, Status::Done).await;
    let batch = store.open_item_sweep("acme", 1_000).await.expect("a batch");
    assert_eq!(batch.resolved.len(), 4);
    set(world, &list(1), &ids[..1], Status::Open).await;
    let some = batch.resolved[..3].to_vec();
    store
        .remove_open_items("acme", some)
        .await
        .expect("removed");
    assert!((1..=2).contains(&rows(world).await), "one is open");
    sweep(world).await;
    assert_eq!(rows(world).await, 1);
    let again = store.open_item_sweep("acme", 1_000).await.expect("a batch");
    assert_eq!((again.after, again.resolved), (again.newest, Vec::new()));
}

pub async fn the_trail_is_swept_in_parts_and_each_part_by_one_node(world: &World) {
    let store = world.app.store();
    for number in 0..3 {
        let ids = add(world, &list(number), 1).await;
        set(world, &list(number), &ids, Status::Done).await;
    }
    let mut parts = 0;
    loop {
        let batch = store.open_item_sweep("acme", 2).await.expect("a batch");
        if batch.after == batch.newest {
            break;
        }
        assert!(batch.until - batch.after <= 2 && batch.resolved.len() <= 2);
        let rows = batch.resolved;
        store
            .remove_open_items("acme", rows)
            .await
            .expect("removed");
        for expected in [true, false] {
            let moved = store.open_items_swept("acme", batch.after, batch.until);
            assert_eq!(moved.await.expect("a store"), expected);
        }
        parts += 1;
    }
    assert!(parts >= 3);
    assert_eq!(rows(world).await, 0);
}

pub async fn items_that_are_ticked_and_opened_during_sweeps_of_two_nodes_are_found(world: &World) {
    let ids = add(world, &list(1), 12).await;
    let toggle = async |ids: &[ItemId]| {
        for round in 0..15 {
            let new = [Status::Done, Status::Open][round % 2];
            set(world, &list(1), ids, new).await;
        }
    };
    let sweeps = async || {
        for _ in 0..20 {
            sweep(world).await;
        }
    };
    // They begin open and end done, but for the last ones.
    tokio::join!(
        toggle(&ids[..4]),
        toggle(&ids[4..8]),
        async {
            toggle(&ids[8..]).await;
            set(world, &list(1), &ids[8..], Status::Open).await;
        },
        sweeps(),
        sweeps(),
    );
    let open: BTreeSet<ItemId> = ids[8..].iter().copied().collect();
    let found = ask(world, for_ben(), 50).await;
    let found: BTreeSet<ItemId> = found.items.iter().map(|found| found.item.id).collect();
    assert_eq!(found, open);
    sweep(world).await;
    assert_eq!(rows(world).await, 4);
}

/// Numbers that look random, always the same from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("small")
    }
}

const LISTS: u64 = 3;

/// Every open item, by a look at all lists.
async fn scan(world: &World) -> Vec<ItemView> {
    let mut open = Vec::new();
    for number in 0..LISTS {
        let items = world.read(&anna(), &list(number)).await.items;
        open.extend(items.into_iter().flatten().filter(|item| {
            item.kind == Kind::Item && item.status == Status::Open && item.retired_at.is_none()
        }));
    }
    open
}

fn is_over(item: &ItemView, world: &World) -> bool {
    let now = world.app.clock().now();
    item.due.is_some_and(|due| due.end() < now)
}

/// Does something to an item of a list, or looks after the tables. Returns what it was.
async fn step(world: &World, numbers: &mut Numbers) -> &'static str {
    let of = list(numbers.below(LISTS as usize) as u64);
    let items = world.read(&anna(), &of).await.items.unwrap_or_default();
    let Some(item) = (!items.is_empty()).then(|| items[numbers.below(items.len())].id) else {
        add(world, &of, 3).await;
        return "add";
    };
    let mut update = UpdateItem::of(item);
    let what = match numbers.below(12) {
        0..=2 => {
            update.status = Some(Status::Done);
            "tick"
        }
        3 | 4 => {
            update.status = Some(Status::Open);
            "open"
        }
        5 => {
            update.assignee = [
                Patch::Set("ben".into()),
                Patch::Set("cleo".into()),
                Patch::Clear,
            ][numbers.below(3)]
            .clone();
            update.status = Some([Status::Done, Status::Open][numbers.below(2)]);
            "assign"
        }
        6 => {
            let due = after(world, HOUR * numbers.below(4) as i64 - HOUR);
            update.due = [Patch::Set(due), Patch::Clear][numbers.below(2)].clone();
            "move"
        }
        7 => {
            let deleted = world.delete(&anna(), &of, None, vec![item]).await;
            deleted.expect("deleted");
            return "delete";
        }
        8 => {
            let deleted = world.deleted(&anna(), &of).await;
            if let Some(item) = deleted.first() {
                let restored = world.restore(&anna(), &of, vec![item.id]).await;
                restored.expect("restored");
            }
            return "restore";
        }
        9 => {
            sweep(world).await;
            return "sweep";
        }
        10 => {
            world.clock.advance_seconds(HOUR / 2 + 1);
            return "wait";
        }
        _ if numbers.below(4) == 0 => {
            let request = StartAgain::new(of, "again".to_owned(), None);
            let started = checklist::start_again(&world.app, &anna(), request, body()).await;
            started.expect("started");
            return "start again";
        }
        _ => {
            add(world, &of, 1).await;
            return "add";
        }
    };
    let changed = world.update(&anna(), &of, None, vec![update]).await;
    changed.expect("changed");
    what
}

pub async fn after_any_sequence_what_is_found_and_announced_is_what_a_look_at_all_lists_tells(
    world: &World,
) {
    listen(world).await;
    let mut numbers = Numbers(17);
    let mut steps = Vec::new();
    let mut told = BTreeSet::new();
    for _ in 0..150 {
        steps.push(step(world, &mut numbers).await);
        let open = scan(world).await;
        for (filter, is_wanted) in wanted() {
            let found = ask(world, filter, 200).await;
            let dues = found.items.iter().map(|one| one.item.due);
            let dues: Vec<i64> = dues
                .map(|due| due.map_or(NEVER, |due| due.end().as_millis()))
                .collect();
            assert!(dues.is_sorted(), "{dues:?} after {steps:?}");
            let found: BTreeSet<ItemId> = found.items.iter().map(|one| one.item.id).collect();
            let expected = open.iter().filter(|item| is_wanted(item, world));
            let expected: BTreeSet<ItemId> = expected.map(|item| item.id).collect();
            assert_eq!(found, expected, "after {steps:?}");
        }
        announce(world).await;
        told.extend(
            open.iter()
                .filter(|item| is_over(item, world))
                .map(|item| (item.id, item.due.map(Due::end))),
        );
        let mut times = BTreeMap::new();
        for (item, _) in &told {
            *times.entry(*item).or_insert(0_usize) += 1;
        }
        assert_eq!(announced(world).await, times, "after {steps:?}");
    }
    sweep(world).await;
    let open = scan(world).await;
    let due = open.iter().filter(|item| item.due.is_some()).count();
    assert_eq!(rows(world).await, due, "after {steps:?}");
    let kinds: BTreeSet<_> = steps.into_iter().collect();
    assert_eq!(kinds.len(), 10, "{kinds:?}");
}

type IsWanted = fn(&ItemView, &World) -> bool;

/// Questions along each order of the table, and what fits.
fn wanted() -> [(ItemFilter, IsWanted); 3] {
    let everything = DueRange {
        after: Some(Timestamp::from_millis(0)),
        before: None,
    };
    [
        (for_ben(), |item, _| {
            item.assignee.as_ref().is_some_and(|who| who.id == "ben")
        }),
        (
            ItemFilter {
                due: Some(everything),
                ..ItemFilter::default()
            },
            |item, _| item.due.is_some(),
        ),
        (
            ItemFilter {
                late: Some(true),
                ..ItemFilter::default()
            },
            is_over,
        ),
    ]
}
