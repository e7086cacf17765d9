//! Webhooks: where events go, each event on its way, and what became of it.
//!
//! The part of a store that webhooks live in. Deliveries are made by the store itself, in the
//! transaction of the change that they tell of (`outbox`). Whoever sends one holds it by a lease
//! and a fence: claiming raises the fence, and what an earlier holder still wants to write is
//! refused. Every method is one transaction; what is another tenant's is not there.

use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use tokio::sync::Notify;

use super::administration::Cause;
use super::connections::{SaveOutcome, SealedSecret};
use super::store::{Reply, Stamp};

/// Webhooks and their deliveries.
pub trait Webhooks: Send + Sync {
    /// The tenant's webhooks, by name.
    fn webhooks<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<WebhookRecord>>;

    /// One of the tenant's webhooks.
    fn webhook<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<WebhookRecord>>;

    /// Keeps a new webhook, unless the tenant has `most` already. A tenant that was never written
    /// is written along.
    fn add_webhook(&self, record: WebhookRecord, most: u32, stamp: Stamp) -> Reply<'_, bool>;

    /// Keeps a webhook whose revision is still the one before the record's.
    fn save_webhook(&self, record: WebhookRecord, cause: Cause) -> Reply<'_, SaveOutcome>;

    /// Forgets a webhook and all its deliveries; whether there was one.
    fn delete_webhook<'a>(&'a self, tenant: &'a str, id: &'a str, stamp: Stamp) -> Reply<'a, bool>;

    /// The tenant's deliveries, the newest first.
    fn deliveries<'a>(
        &'a self,
        tenant: &'a str,
        filter: DeliveryFilter,
    ) -> Reply<'a, Vec<DeliveryRecord>>;

    /// One of the tenant's deliveries, with its attempts.
    fn delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<(DeliveryRecord, Vec<AttemptRecord>)>>;

    /// Keeps a delivery that no change has made; `false` when its webhook is not there.
    fn add_delivery<'a>(
        &'a self,
        tenant: &'a str,
        delivery: NewDelivery,
        stamp: Stamp,
    ) -> Reply<'a, bool>;

    /// Lets a delivery begin anew, whatever became of it; as it is then.
    fn replay_delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<DeliveryRecord>>;

    /// The webhooks of all tenants that have something to send.
    fn due_webhooks(&self, now: Timestamp) -> Reply<'_, Vec<DueWebhook>>;

    /// Takes what has waited longest for a webhook that is on: it is the caller's until `until`.
    fn claim_deliveries<'a>(
        &'a self,
        due: &'a DueWebhook,
        limit: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Vec<ClaimedDelivery>>;

    /// Writes what came of an attempt; `false` when somebody else has the delivery by now.
    fn settle_attempt(&self, settled: AttemptResult) -> Reply<'_, bool>;

    /// Gives back what was claimed and not sent.
    fn release_deliveries<'a>(&'a self, tenant: &'a str, held: Vec<DeliveryLease>)
    -> Reply<'a, ()>;

    /// Ends the leases of an earlier life, where nobody else can hold one: a file that belongs to
    /// one server alone. Does nothing where several nodes share the store.
    fn end_stale_deliveries(&self) -> Reply<'_, ()>;

    /// Removes deliveries of before that time, whatever became of them; how many.
    fn purge_deliveries(&self, before: Timestamp) -> Reply<'_, u64>;

    /// Rung when something to send was committed here. What other nodes commit is found by
    /// looking.
    fn outbox(&self) -> Arc<Notify>;
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRecord {
    /// Whose.
    pub tenant: String,
    /// Its id, a UUID.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Where events are sent.
    pub url: String,
    /// The origin of that.
    pub origin: String,
    /// Which events.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why the server has turned it off.
    pub off_because: Option<String>,
    /// When the first attempt failed after the last one that did not.
    pub failing_since: Option<Timestamp>,
    /// What deliveries are signed with.
    pub sealed: SealedSecret,
    /// The name of whoever made it.
    pub created_by: String,
    /// Grows with every change.
    pub revision: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// A delivery that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// Its id, a UUIDv7.
    pub id: String,
    /// To which webhook.
    pub webhook: String,
    /// Which event.
    pub event: WebhookEvent,
    /// What is sent.
    pub body: String,
    /// When the event happened.
    pub at: Timestamp,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// Its id.
    pub id: String,
    /// To which webhook.
    pub webhook: String,
    /// Which event.
    pub event: WebhookEvent,
    /// What is sent.
    pub body: String,
    /// How far it is.
    pub state: DeliveryState,
    /// How often it was sent.
    pub attempts: u32,
    /// The last answer's status.
    pub last_status: Option<u16>,
    /// Why the last attempt came to nothing.
    pub last_failure: Option<String>,
    /// When it is sent next, while it is pending.
    pub due_at: Timestamp,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When it was taken or given up.
    pub settled_at: Option<Timestamp>,
}

/// Which deliveries to read.
#[derive(Clone, Debug, Default)]
pub struct DeliveryFilter {
    /// Older than this one.
    pub after: Option<String>,
    /// How many at most.
    pub limit: u32,
    /// To that webhook only.
    pub webhook: Option<String>,
    /// In that state only.
    pub state: Option<DeliveryState>,
    /// Of that event only.
    pub event: Option<WebhookEvent>,
}

/// An attempt of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// Counts from 1.
    pub number: u32,
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The answer's status.
    pub status: Option<u16>,
    /// Why it came to nothing.
    pub failure: Option<String>,
}

/// A webhook with something to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueWebhook {
    /// Whose.
    pub tenant: String,
    /// Which.
    pub id: String,
    /// The origin that it leads to.
    pub origin: String,
}

/// A delivery in the hands of whoever sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// What is known of it by.
    pub held: DeliveryLease,
    /// What is sent.
    pub body: String,
    /// How often it was tried since it was made or replayed.
    pub tries: u32,
}

/// By what the holder of a delivery is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryLease {
    /// The delivery.
    pub id: String,
    /// What the claim has raised.
    pub fence: u64,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptResult {
    /// Whose.
    pub tenant: String,
    /// The webhook.
    pub webhook: String,
    /// The delivery, and who sends it.
    pub held: DeliveryLease,
    /// When the attempt began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The answer's status.
    pub status: Option<u16>,
    /// Why it came to nothing; `None` when it was taken.
    pub failure: Option<String>,
    /// When it is tried again; `None` when it was taken or is given up.
    pub again_at: Option<Timestamp>,
    /// When that is written.
    pub now: Timestamp,
    /// Turns the webhook off.
    pub turn_off: Option<Deactivation>,
}

impl AttemptResult {
    /// What the delivery has come to.
    #[must_use]
    pub const fn state(&self) -> DeliveryState {
        match (&self.failure, self.again_at) {
            (None, _) => DeliveryState::Delivered,
            (Some(_), Some(_)) => DeliveryState::Pending,
            (Some(_), None) => DeliveryState::Failed,
        }
    }
}

/// Turning a webhook off.
#[derive(Clone, Debug)]
pub struct Deactivation {
    /// Why, a sentence for people.
    pub because: String,
    /// Only when nothing has succeeded since then.
    pub failing_since: Option<Timestamp>,
}

/// What the ids of all deliveries made since that moment come after, in the order of texts.
pub(super) fn ids_begin_at(time: Timestamp) -> String {
    let millis = u64::try_from(time.as_millis()).unwrap_or(0);
    format!(
        "{:08x}-{:04x}",
        (millis >> 16) & 0xffff_ffff,
        millis & 0xffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::new_item_id;

    #[test]
    fn ids_are_in_the_order_of_their_time() {
        let at = |millis| Timestamp::from_millis(millis);
        let noon = 1_763_640_000_000;
        for (made, since, is_older) in [(0, 1, true), (0, 0, false), (70_000, 69_999, false)] {
            let id = new_item_id(at(noon + made)).expect("an id").to_string();
            assert_eq!(
                id < ids_begin_at(at(noon + since)),
                is_older,
                "{made} {since}"
            );
        }
    }
}
