//! Items that are announced as due or overdue: each due date once, whatever happens to the item.
//!
//! Part of the conformance suite.

use std::collections::BTreeMap;

use checklist_services::{checklist, due_items, housekeeping};
use checklist_shared::Context;
use checklist_shared::due::Due;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::patch::Patch;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::runs::StartAgain;
use checklist_shared::wire::webhooks::{WebhookEvent, WebhookMessage};
use checklist_shared::wire::write::{AddItem, UpdateItem};

use super::webhooks::{deliveries, keep, record};
use super::{World, anna, body, five, incident, new, refreshing, status};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// Open items of an earlier version, with an id as the database writes bytes: one was due long ago,
/// one will be, and one is not due at all.
pub fn open_items(id: &str) -> String {
    format!(
        "INSERT INTO open_item (tenant, checklist, id, assignee, due) VALUES
            ('acme', 1, {id}, NULL, 1763640000000), ('acme', 2, {id}, NULL, 253402300799999),
            ('acme', 3, {id}, 'Ben', 9223372036854775807)"
    )
}

const BOTH: &[WebhookEvent] = &[WebhookEvent::ItemDue, WebhookEvent::ItemOverdue];

/// A list without a template.
fn note() -> Context {
    Context::new("note", "N-1", "")
}

/// A moment from now.
fn after(world: &World, seconds: i64) -> Due {
    let now = world.app.clock().now().as_millis();
    Due::At(Timestamp::from_millis(now + seconds * 1_000))
}

async fn add(world: &World, list: &Context, text: &str, due: Due) {
    let item = AddItem {
        due: Some(due),
        ..new(text)
    };
    let added = world.add(&anna(), list, None, vec![item]).await;
    added.expect("added");
}

async fn change(world: &World, list: &Context, text: &str, change: impl Fn(&mut UpdateItem)) {
    let id = world.item(list, text).await.id;
    let mut update = UpdateItem::of(id);
    change(&mut update);
    let changed = world.update(&anna(), list, None, vec![update]).await;
    changed.expect("changed");
}

async fn move_to(world: &World, text: &str, due: Due) {
    change(world, &note(), text, |item| item.due = Patch::Set(due)).await;
}

async fn set(world: &World, text: &str, new: Status) {
    let id = world.item(&note(), text).await.id;
    let set = vec![status(id, new)];
    let set = world.update(&anna(), &note(), None, set).await;
    set.expect("set");
}

/// Announces what is to be announced after so many seconds more.
async fn wait(world: &World, seconds: i64) {
    world.clock.advance_seconds(seconds);
    let now = world.app.clock().now();
    while due_items::announce(&world.app).await.expect("a store") == Some(now) {}
}

/// What acme's webhooks were told, with how many items.
async fn told(world: &World) -> BTreeMap<&'static str, usize> {
    let mut told = BTreeMap::new();
    for delivery in deliveries(world, "acme").await {
        let message: WebhookMessage = serde_json::from_str(&delivery.body).expect("a message");
        *told.entry(delivery.event.name()).or_default() += message.data.items.len();
    }
    told
}

fn overdue(times: usize) -> BTreeMap<&'static str, usize> {
    BTreeMap::from([("item.overdue", times)])
}

async fn listen(world: &World) {
    keep(world, &record(world, "acme", "1", BOTH)).await;
}

/// Adds items that are overdue, and of which a webhook wants to be told.
pub async fn add_overdue<const N: usize>(world: &World, texts: [&str; N]) -> [ItemId; N] {
    listen(world).await;
    let mut ids = [ItemId::from_bytes([0; 16]); N];
    for (id, text) in ids.iter_mut().zip(texts) {
        add(world, &note(), text, after(world, HOUR)).await;
        *id = world.item(&note(), text).await.id;
    }
    world.clock.advance_seconds(HOUR + 1);
    ids
}

/// Announces what is to be announced now; returns how often each item was announced so far.
pub async fn announced(world: &World) -> BTreeMap<ItemId, usize> {
    wait(world, 0).await;
    let mut times = BTreeMap::new();
    for delivery in deliveries(world, "acme").await {
        let message: WebhookMessage = serde_json::from_str(&delivery.body).expect("a message");
        for id in message.data.items {
            *times.entry(id).or_default() += 1;
        }
    }
    times
}

pub async fn an_item_is_announced_once_when_it_is_overdue(world: &World) {
    listen(world).await;
    keep(world, &record(world, "beta", "1", BOTH)).await;
    add(world, &note(), "Call back", after(world, HOUR)).await;
    wait(world, HOUR).await;
    assert_eq!(told(world).await, BTreeMap::new(), "at its last moment");
    wait(world, 1).await;
    wait(world, 1).await;
    wait(world, 40 * DAY).await;
    let all = deliveries(world, "acme").await;
    assert_eq!(all.len(), 1);
    let message: WebhookMessage = serde_json::from_str(&all[0].body).expect("a message");
    let id = world.item(&note(), "Call back").await.id;
    assert_eq!(
        (message.event, message.data.items),
        (WebhookEvent::ItemOverdue, vec![id])
    );
    assert_eq!((message.data.revision, message.data.state), (Some(1), None));
    assert_eq!(message.data.context.expect("a list").object_id, "N-1");
    assert!(deliveries(world, "beta").await.is_empty());
}

pub async fn what_was_due_in_a_closed_run_is_not_announced(world: &World) {
    listen(world).await;
    add(world, &note(), "Call back", after(world, HOUR)).await;
    let request = StartAgain::new(note(), "Monday".to_owned(), None);
    let started = checklist::start_again(&world.app, &anna(), request, body()).await;
    assert_eq!(started.expect("started").run, Some(2));
    wait(world, 40 * DAY).await;
    assert_eq!(told(world).await, BTreeMap::new());
}

pub async fn who_asked_for_overdue_items_alone_is_told_of_nothing_else(world: &World) {
    keep(world, &record(world, "acme", "1", &BOTH[1..])).await;
    with_notice(world, "PT2H").await;
    add(world, &incident(), "Order a disk", after(world, HOUR)).await;
    wait(world, 1).await;
    assert_eq!(told(world).await, BTreeMap::new());
    wait(world, HOUR).await;
    assert_eq!(told(world).await, overdue(1));
}

pub async fn what_is_resolved_moved_or_deleted_before_is_not_announced(world: &World) {
    listen(world).await;
    for text in ["Done", "Moved", "Cleared", "Deleted", "Open"] {
        add(world, &note(), text, after(world, HOUR)).await;
    }
    set(world, "Done", Status::Done).await;
    move_to(world, "Moved", after(world, DAY)).await;
    change(world, &note(), "Cleared", |item| item.due = Patch::Clear).await;
    let id = world.item(&note(), "Deleted").await.id;
    world
        .delete(&anna(), &note(), None, vec![id])
        .await
        .expect("deleted");
    wait(world, HOUR + 1).await;
    assert_eq!(told(world).await, overdue(1), "the one that is still open");
    wait(world, DAY).await;
    assert_eq!(told(world).await, overdue(2), "and the one that was moved");
}

pub async fn a_due_date_that_moves_is_announced_anew_and_one_that_was_announced_is_not(
    world: &World,
) {
    listen(world).await;
    let (first, second) = (after(world, HOUR), after(world, 3 * HOUR));
    add(world, &note(), "Call back", first).await;
    wait(world, 2 * HOUR).await;
    move_to(world, "Call back", second).await;
    wait(world, 2 * HOUR).await;
    assert_eq!(told(world).await, overdue(2));
    for due in [first, second, first] {
        move_to(world, "Call back", due).await;
        wait(world, HOUR).await;
    }
    assert_eq!(told(world).await, overdue(2), "there and back");
}

pub async fn an_item_that_is_reopened_is_not_announced_again(world: &World) {
    listen(world).await;
    for text in ["Told", "Resolved"] {
        add(world, &note(), text, after(world, HOUR)).await;
    }
    set(world, "Resolved", Status::Done).await;
    wait(world, 2 * HOUR).await;
    set(world, "Told", Status::Done).await;
    set(world, "Told", Status::Open).await;
    change(world, &note(), "Told", |item| {
        item.assignee = Patch::Set("Ben".into())
    })
    .await;
    wait(world, HOUR).await;
    assert_eq!(told(world).await, overdue(1));
    set(world, "Resolved", Status::Open).await;
    wait(world, HOUR).await;
    assert_eq!(
        told(world).await,
        overdue(2),
        "it was never told of, and is overdue now"
    );
}

pub async fn a_day_is_over_for_everybody_when_it_has_ended_in_utc(world: &World) {
    listen(world).await;
    let now = world.app.clock().now().as_millis();
    let today = checklist_shared::date::Date::from_days(now.div_euclid(DAY * 1_000));
    add(world, &note(), "Today", Due::Day(today)).await;
    let rest = DAY - now.rem_euclid(DAY * 1_000) / 1_000;
    wait(world, rest - 1).await;
    assert_eq!(
        told(world).await,
        BTreeMap::new(),
        "a second before midnight"
    );
    wait(world, 1).await;
    assert_eq!(told(world).await, overdue(1), "at midnight");
}

async fn with_notice(world: &World, notice: &str) {
    world.with_incidents().await;
    publish(world, notice).await;
}

async fn publish(world: &World, notice: &str) {
    let mut template = Template {
        due_notice: Some(notice.to_owned()),
        ..five()
    };
    // No due dates but those of the cases.
    for item in &mut template.items {
        item.due_offset = None;
    }
    world.publish(template).await;
}

pub async fn an_item_is_announced_as_due_as_long_before_as_its_template_says(world: &World) {
    listen(world).await;
    with_notice(world, "PT2H").await;
    add(world, &incident(), "Order a disk", after(world, 3 * HOUR)).await;
    add(world, &note(), "No template", after(world, 3 * HOUR)).await;
    wait(world, HOUR - 1).await;
    assert_eq!(told(world).await, BTreeMap::new());
    wait(world, 1).await;
    wait(world, HOUR).await;
    let due = BTreeMap::from([("item.due", 1)]);
    assert_eq!(told(world).await, due);
    wait(world, HOUR + 1).await;
    let both = BTreeMap::from([("item.due", 1), ("item.overdue", 2)]);
    assert_eq!(told(world).await, both);
}

async fn refresh(world: &World) {
    let request = refreshing::refresh(incident());
    let refreshed = checklist::refresh_items(&world.app, &anna(), request, body()).await;
    refreshed.expect("refreshed");
}

pub async fn a_list_has_the_notice_of_the_version_that_it_follows(world: &World) {
    listen(world).await;
    with_notice(world, "PT1H").await;
    add(world, &incident(), "Order a disk", after(world, DAY)).await;
    publish(world, "PT20H").await;
    wait(world, 10 * HOUR).await;
    assert_eq!(
        told(world).await,
        BTreeMap::new(),
        "it follows the older one"
    );
    refresh(world).await;
    wait(world, 1).await;
    assert_eq!(told(world).await, BTreeMap::from([("item.due", 1)]));
    publish(world, "PT1H").await;
    refresh(world).await;
    wait(world, 13 * HOUR + HOUR / 2).await;
    assert_eq!(
        told(world).await,
        BTreeMap::from([("item.due", 1)]),
        "once is enough"
    );
}

pub async fn a_server_that_was_down_announces_what_became_due_meanwhile_in_batches(world: &World) {
    listen(world).await;
    for list in 0..3 {
        let items = (0..150).map(|at| AddItem {
            due: Some(after(world, HOUR)),
            ..new(&format!("Item {at}"))
        });
        let list = Context::new("note", &format!("N-{list}"), "");
        let added = world.add(&anna(), &list, None, items.collect()).await;
        added.expect("added");
    }
    wait(world, DAY).await;
    wait(world, DAY).await;
    assert_eq!(told(world).await, overdue(450));
    let largest = deliveries(world, "acme").await.into_iter().map(|delivery| {
        let message: WebhookMessage = serde_json::from_str(&delivery.body).expect("a message");
        message.data.items.len()
    });
    assert!(largest.max() <= Some(200));
}

pub async fn without_a_webhook_items_count_as_announced_and_purged_ones_leave_nothing(
    world: &World,
) {
    for text in ["Kept", "Purged"] {
        add(world, &note(), text, after(world, HOUR)).await;
    }
    wait(world, DAY).await;
    listen(world).await;
    for text in ["Kept", "Purged"] {
        change(world, &note(), text, |item| {
            item.assignee = Patch::Set("Ben".into())
        })
        .await;
    }
    wait(world, DAY).await;
    assert_eq!(told(world).await, BTreeMap::new());
    let id = world.item(&note(), "Purged").await.id;
    world
        .delete(&anna(), &note(), None, vec![id])
        .await
        .expect("deleted");
    world.clock.advance_seconds(31 * DAY);
    housekeeping::purge(&world.app).await.expect("purged");
    assert!(
        world
            .app
            .store()
            .due_tenants()
            .await
            .expect("a store")
            .is_empty()
    );
}
