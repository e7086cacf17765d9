//! Webhooks and their deliveries in a store.
//!
//! Part of the conformance suite.

use checklist_services::housekeeping;
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent, WebhookMessage};
use checklist_store::administration::Cause;
use checklist_store::connections::{SaveOutcome, SealedSecret};
use checklist_store::webhooks::{
    AttemptResult, ClaimedDelivery, Deactivation, DeliveryFilter, DeliveryLease, DeliveryRecord,
    DueWebhook, WebhookRecord,
};

use super::{World, anna, new, stamp, stamp_at, status};

fn at(world: &World, seconds: i64) -> Timestamp {
    let now = world.app.clock().now().as_millis();
    Timestamp::from_millis(now + seconds * 1_000)
}

pub(super) fn record(
    world: &World,
    tenant: &str,
    id: &str,
    events: &[WebhookEvent],
) -> WebhookRecord {
    WebhookRecord {
        tenant: tenant.to_owned(),
        id: id.to_owned(),
        name: format!("Desk {id}"),
        url: "https://desk.example/hooks".to_owned(),
        origin: "https://desk.example".to_owned(),
        events: events.to_vec(),
        enabled: true,
        off_because: None,
        failing_since: None,
        sealed: SealedSecret {
            key_id: "one".to_owned(),
            bytes: vec![0, 1, 2, 255],
        },
        created_by: "Ada".to_owned(),
        revision: 1,
        created_at: at(world, 0),
        updated_at: at(world, 0),
    }
}

const COMPLETED: &[WebhookEvent] = &[WebhookEvent::ChecklistCompleted];

pub(super) async fn keep(world: &World, record: &WebhookRecord) {
    let kept = world
        .app
        .store()
        .add_webhook(record.clone(), 50, stamp())
        .await;
    assert!(kept.expect("a store"));
}

pub(super) async fn deliveries(world: &World, tenant: &str) -> Vec<DeliveryRecord> {
    let filter = DeliveryFilter {
        limit: 100,
        ..DeliveryFilter::default()
    };
    let found = world.app.store().deliveries(tenant, filter).await;
    found.expect("a page")
}

async fn due(world: &World, seconds: i64) -> Vec<DueWebhook> {
    let found = world.app.store().due_webhooks(at(world, seconds)).await;
    found.expect("a store")
}

/// Claims deliveries of acme's webhook `1` for thirty seconds.
async fn claim(world: &World, limit: u32, seconds: i64) -> Vec<ClaimedDelivery> {
    let desk = DueWebhook {
        tenant: "acme".to_owned(),
        id: "1".to_owned(),
        origin: "https://desk.example".to_owned(),
    };
    let (now, until) = (at(world, seconds), at(world, seconds + 30));
    let claimed = world.app.store().claim_deliveries(&desk, limit, now, until);
    claimed.await.expect("a store")
}

fn settled(
    world: &World,
    held: &DeliveryLease,
    failure: Option<&str>,
    again: Option<i64>,
) -> AttemptResult {
    AttemptResult {
        tenant: "acme".to_owned(),
        webhook: "1".to_owned(),
        held: held.clone(),
        at: at(world, 0),
        millis: 12,
        status: Some(if failure.is_some() { 503 } else { 204 }),
        failure: failure.map(str::to_owned),
        request: None,
        response: None,
        again_at: again.map(|seconds| at(world, seconds)),
        now: at(world, 1),
        turn_off: None,
    }
}

async fn settle(world: &World, settled: AttemptResult) -> bool {
    let written = world.app.store().settle_attempt(settled).await;
    written.expect("a store")
}

/// Completes a list of one item this many times, and reopens it in between.
async fn complete(world: &World, times: usize) {
    let added = world
        .add(&anna(), &note(), None, vec![new("Call back")])
        .await;
    added.expect("added");
    for round in 0..times {
        if round > 0 {
            reopen(world).await;
        }
        // Later deliveries need later ids.
        world.clock.advance_seconds(1);
        world.tick(&anna(), &note(), "Call back").await;
    }
}

async fn reopen(world: &World) {
    world.clock.advance_seconds(1);
    let id = world.item(&note(), "Call back").await.id;
    let open = vec![status(id, Status::Open)];
    let reopened = world.update(&anna(), &note(), None, open).await;
    reopened.expect("reopened");
}

/// A list without a template.
fn note() -> Context {
    Context::new("note", "N-1", "")
}

pub async fn a_webhook_is_kept_as_it_is_and_is_its_tenants_own(world: &World) {
    let store = world.app.store();
    let desk = record(world, "acme", "1", COMPLETED);
    keep(world, &desk).await;
    keep(world, &record(world, "beta", "1", &WebhookEvent::ALL)).await;
    let full = store
        .add_webhook(record(world, "acme", "2", COMPLETED), 1, stamp())
        .await;
    assert!(!full.expect("a store"), "the tenant has as many as it may");
    assert_eq!(
        store.webhooks("acme").await.expect("a list"),
        std::slice::from_ref(&desk)
    );
    assert_eq!(
        store.webhook("acme", "1").await.expect("a store"),
        Some(desk.clone())
    );
    assert_eq!(store.webhook("gamma", "1").await.expect("a store"), None);
    let changed = WebhookRecord {
        url: "https://other.example/".to_owned(),
        origin: "https://other.example".to_owned(),
        events: WebhookEvent::ALL.to_vec(),
        enabled: false,
        off_because: Some("gone".to_owned()),
        failing_since: Some(at(world, 5)),
        revision: 2,
        updated_at: at(world, 6),
        ..desk.clone()
    };
    let save = async |record: &WebhookRecord| {
        store
            .save_webhook(record.clone(), Cause::Upkeep)
            .await
            .expect("a store")
    };
    assert_eq!(save(&changed).await, SaveOutcome::Done);
    assert_eq!(
        store.webhook("acme", "1").await.expect("a store"),
        Some(changed.clone())
    );
    assert_eq!(save(&changed).await, SaveOutcome::Changed);
    let nobodys = WebhookRecord {
        id: "9".to_owned(),
        ..changed
    };
    assert_eq!(save(&nobodys).await, SaveOutcome::Missing);
    assert!(
        !store
            .delete_webhook("gamma", "1", stamp())
            .await
            .expect("a store")
    );
    assert!(
        store
            .delete_webhook("acme", "1", stamp())
            .await
            .expect("a store")
    );
    assert!(
        !store
            .delete_webhook("acme", "1", stamp())
            .await
            .expect("a store")
    );
    assert_eq!(store.webhooks("beta").await.expect("a list").len(), 1);
}

pub async fn an_event_is_kept_with_its_change_for_each_webhook_that_asked(world: &World) {
    keep(world, &record(world, "acme", "1", COMPLETED)).await;
    let of_lists = [
        WebhookEvent::ChecklistCompleted,
        WebhookEvent::ChecklistReopened,
        WebhookEvent::JournalEntry,
        WebhookEvent::TemplatePublished,
    ];
    keep(world, &record(world, "acme", "2", &of_lists)).await;
    keep(
        world,
        &record(world, "acme", "3", &[WebhookEvent::TemplatePublished]),
    )
    .await;
    let off = WebhookRecord {
        enabled: false,
        ..record(world, "acme", "4", &WebhookEvent::ALL)
    };
    keep(world, &off).await;
    keep(world, &record(world, "beta", "1", &WebhookEvent::ALL)).await;
    complete(world, 2).await;
    let mut kept: Vec<(String, WebhookEvent)> = deliveries(world, "acme")
        .await
        .into_iter()
        .map(|one| (one.webhook, one.event))
        .collect();
    kept.sort_by_key(|(webhook, event)| (webhook.clone(), event.name()));
    let (completed, reopened) = (
        WebhookEvent::ChecklistCompleted,
        WebhookEvent::ChecklistReopened,
    );
    let expected = [
        ("1", completed),
        ("1", completed),
        ("2", completed),
        ("2", completed),
        ("2", reopened),
    ];
    assert_eq!(
        kept,
        expected.map(|(webhook, event)| (webhook.to_owned(), event))
    );
    assert!(deliveries(world, "beta").await.is_empty());
    let newest = deliveries(world, "acme").await.remove(0);
    let message: WebhookMessage = serde_json::from_str(&newest.body).expect("a message");
    assert_eq!(message.data.id, newest.id);
    assert_eq!(message.data.revision, Some(4));
    let context = message.data.context.expect("a list");
    assert_eq!(
        Context::new(&context.object_type, &context.object_id, &context.purpose),
        note()
    );
}

pub async fn a_webhook_that_is_turned_off_on_or_deleted_counts_from_the_next_change_on(
    world: &World,
) {
    let store = world.app.store();
    let desk = record(world, "acme", "1", COMPLETED);
    complete(world, 1).await;
    keep(world, &desk).await;
    let again = async || {
        reopen(world).await;
        world.tick(&anna(), &note(), "Call back").await;
        deliveries(world, "acme").await.len()
    };
    assert_eq!(again().await, 1);
    let off = WebhookRecord {
        enabled: false,
        revision: 2,
        ..desk.clone()
    };
    assert_eq!(
        store
            .save_webhook(off, Cause::Upkeep)
            .await
            .expect("a store"),
        SaveOutcome::Done
    );
    assert_eq!(again().await, 1);
    let on = WebhookRecord {
        revision: 3,
        ..desk
    };
    assert_eq!(
        store
            .save_webhook(on, Cause::Upkeep)
            .await
            .expect("a store"),
        SaveOutcome::Done
    );
    assert_eq!(again().await, 2);
    assert!(
        store
            .delete_webhook("acme", "1", stamp())
            .await
            .expect("a store")
    );
    assert_eq!(again().await, 0, "its deliveries have gone with it");
}

pub async fn a_delivery_is_one_senders_until_its_lease_ends(world: &World) {
    keep(world, &record(world, "acme", "1", COMPLETED)).await;
    complete(world, 3).await;
    assert_eq!(due(world, 0).await.len(), 1);
    let two = claim(world, 2, 0).await;
    assert_eq!(two.len(), 2, "the limit holds");
    assert_eq!(claim(world, 9, 0).await.len(), 1);
    assert!(claim(world, 9, 29).await.is_empty() && due(world, 29).await.is_empty());
    let later = claim(world, 9, 30).await;
    assert_eq!(later.len(), 3);
    let (early, late) = (
        &two[0].held,
        later.iter().find(|one| one.held.id == two[0].held.id),
    );
    let late = &late.expect("the same delivery").held;
    assert!(
        !settle(world, settled(world, early, None, None)).await,
        "it was overtaken"
    );
    assert!(settle(world, settled(world, late, None, None)).await);
    let store = world.app.store();
    let (delivered, attempts) = store
        .delivery("acme", &late.id)
        .await
        .expect("a store")
        .expect("it");
    assert_eq!(delivered.state, DeliveryState::Delivered);
    assert_eq!(
        (delivered.attempts, attempts.len(), attempts[0].status),
        (1, 1, Some(204))
    );
    store
        .release_deliveries("acme", vec![later[2].held.clone()])
        .await
        .expect("a store");
    let given_back = later[2].held.id != late.id;
    assert_eq!(claim(world, 9, 31).await.len(), usize::from(given_back));
    assert!(
        store
            .delivery("beta", &late.id)
            .await
            .expect("a store")
            .is_none()
    );
}

pub async fn what_was_not_taken_waits_and_begins_anew_when_it_is_replayed(world: &World) {
    keep(world, &record(world, "acme", "1", COMPLETED)).await;
    complete(world, 1).await;
    let store = world.app.store();
    let claimed = claim(world, 9, 0).await.remove(0);
    assert!(settle(world, settled(world, &claimed.held, Some("no"), Some(60))).await);
    let desk = store
        .webhook("acme", "1")
        .await
        .expect("a store")
        .expect("it");
    assert_eq!(desk.failing_since, Some(at(world, 0)));
    assert!(claim(world, 9, 59).await.is_empty());
    let again = claim(world, 9, 60).await.remove(0);
    assert_eq!(again.tries, 1);
    assert!(settle(world, settled(world, &again.held, Some("never"), None)).await);
    let given_up = deliveries(world, "acme").await.remove(0);
    assert_eq!(given_up.state, DeliveryState::Failed);
    assert_eq!(given_up.last_failure.as_deref(), Some("never"));
    assert_eq!(given_up.settled_at, Some(at(world, 1)));
    assert!(due(world, 9_999).await.is_empty());
    let replayed = store
        .replay_delivery("acme", &given_up.id, stamp_at(at(world, 100)))
        .await;
    let replayed = replayed.expect("a store").expect("it");
    assert_eq!(
        (replayed.state, replayed.settled_at),
        (DeliveryState::Pending, None)
    );
    assert_eq!(
        store
            .replay_delivery("beta", &given_up.id, stamp_at(at(world, 100)))
            .await
            .expect("a store"),
        None
    );
    let once_more = claim(world, 9, 100).await.remove(0);
    assert_eq!((once_more.tries, &once_more.body), (0, &claimed.body));
    assert!(settle(world, settled(world, &once_more.held, None, None)).await);
    let desk = store
        .webhook("acme", "1")
        .await
        .expect("a store")
        .expect("it");
    assert_eq!(desk.failing_since, None);
    let (_, attempts) = store
        .delivery("acme", &given_up.id)
        .await
        .expect("a store")
        .expect("it");
    let numbers: Vec<u32> = attempts.iter().map(|attempt| attempt.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

pub async fn a_webhook_that_takes_nothing_for_days_is_turned_off(world: &World) {
    keep(world, &record(world, "acme", "1", COMPLETED)).await;
    complete(world, 2).await;
    let claimed = claim(world, 2, 0).await;
    let off = |since: i64| Deactivation {
        because: "nothing was taken".to_owned(),
        failing_since: Some(at(world, since)),
    };
    let lately = AttemptResult {
        turn_off: Some(off(-1)),
        ..settled(world, &claimed[0].held, Some("no"), None)
    };
    assert!(settle(world, lately).await);
    let store = world.app.store();
    let desk = store
        .webhook("acme", "1")
        .await
        .expect("a store")
        .expect("it");
    assert!(desk.enabled, "it has failed for a moment only");
    let for_days = AttemptResult {
        turn_off: Some(off(0)),
        ..settled(world, &claimed[1].held, Some("no"), None)
    };
    assert!(settle(world, for_days).await);
    let desk = store
        .webhook("acme", "1")
        .await
        .expect("a store")
        .expect("it");
    assert_eq!((desk.enabled, desk.revision), (false, 2));
    assert_eq!(desk.off_because.as_deref(), Some("nothing was taken"));
    reopen(world).await;
    world.tick(&anna(), &note(), "Call back").await;
    assert_eq!(
        deliveries(world, "acme").await.len(),
        2,
        "nothing more is kept for it"
    );
}

pub async fn deliveries_are_removed_after_thirty_days(world: &World) {
    keep(world, &record(world, "acme", "1", COMPLETED)).await;
    complete(world, 1).await;
    let day = 24 * 60 * 60;
    world.clock.advance_seconds(29 * day);
    housekeeping::purge(&world.app).await.expect("purged");
    assert_eq!(deliveries(world, "acme").await.len(), 1);
    world.clock.advance_seconds(2 * day);
    housekeeping::purge(&world.app).await.expect("purged");
    assert!(deliveries(world, "acme").await.is_empty());
}
