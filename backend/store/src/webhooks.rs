//! Webhooks, their deliveries and the outcome of each attempt.
//!
//! The store itself creates deliveries, in the transaction of the change (`outbox`). A sender
//! claims a delivery with a lease and a fence: each claim increases the fence, and the store
//! rejects writes with an older one. Every method is one transaction. Records of other tenants are
//! invisible.

use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::{
    DeliveryState, WebhookEvent, WebhookRequest, WebhookResponse,
};
use tokio::sync::Notify;

use super::act::Cause;
use super::connections::{SaveOutcome, SealedSecret};
use super::store::{Reply, Stamp};

/// Webhooks and their deliveries.
pub trait Webhooks: Send + Sync {
    /// The tenant's webhooks, by name.
    fn webhooks<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<WebhookRecord>>;

    /// One of the tenant's webhooks.
    fn webhook<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<WebhookRecord>>;

    /// Adds a webhook, unless the tenant has `most` already. Registers the tenant if necessary.
    fn add_webhook(&self, record: WebhookRecord, most: u32, stamp: Stamp) -> Reply<'_, bool>;

    /// Saves a webhook if its stored revision is the one before the record's (optimistic locking).
    fn save_webhook(&self, record: WebhookRecord, cause: Cause) -> Reply<'_, SaveOutcome>;

    /// Deletes a webhook with its deliveries; returns whether there was one.
    fn delete_webhook<'a>(&'a self, tenant: &'a str, id: &'a str, stamp: Stamp) -> Reply<'a, bool>;

    /// The tenant's deliveries, newest first.
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

    /// Adds a delivery that no change has made; `false` if the webhook does not exist.
    fn add_delivery<'a>(
        &'a self,
        tenant: &'a str,
        delivery: NewDelivery,
        stamp: Stamp,
    ) -> Reply<'a, bool>;

    /// Restarts a delivery, whatever its outcome was, and returns it.
    fn replay_delivery<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, Option<DeliveryRecord>>;

    /// The webhooks of all tenants with due deliveries.
    fn due_webhooks(&self, now: Timestamp) -> Reply<'_, Vec<DueWebhook>>;

    /// Claims the longest-waiting deliveries of a webhook that is on. The caller's lease ends at
    /// `until`.
    fn claim_deliveries<'a>(
        &'a self,
        due: &'a DueWebhook,
        limit: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Vec<ClaimedDelivery>>;

    /// Writes the result of an attempt; `false` if another sender has claimed the delivery since.
    fn settle_attempt(&self, settled: AttemptResult) -> Reply<'_, bool>;

    /// Releases claimed deliveries that were not sent.
    fn release_deliveries<'a>(&'a self, tenant: &'a str, held: Vec<DeliveryLease>)
    -> Reply<'a, ()>;

    /// Ends the leases of an earlier process, if no other process can hold one: a file belongs to
    /// one server. Does nothing if several nodes share the store.
    fn end_stale_deliveries(&self) -> Reply<'_, ()>;

    /// Removes deliveries from before that time, whatever their outcome; returns how many.
    fn purge_deliveries(&self, before: Timestamp) -> Reply<'_, u64>;

    /// Notified when this node commits a delivery. Deliveries of other nodes are found by polling.
    fn outbox(&self) -> Arc<Notify>;
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRecord {
    /// The tenant that owns it.
    pub tenant: String,
    /// Its id, a UUID.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The URL that receives the events.
    pub url: String,
    /// The origin of that URL.
    pub origin: String,
    /// The events that it subscribes to.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why the server turned it off.
    pub off_because: Option<String>,
    /// The time of the first failed attempt since the last successful one.
    pub failing_since: Option<Timestamp>,
    /// The encrypted signing secret.
    pub sealed: SealedSecret,
    /// The display name of its creator.
    pub created_by: String,
    /// Incremented by every change.
    pub revision: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A delivery to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// Its id, a UUIDv7.
    pub id: String,
    /// The id of the webhook.
    pub webhook: String,
    /// The event.
    pub event: WebhookEvent,
    /// The request body.
    pub body: String,
    /// When the event happened.
    pub at: Timestamp,
}

/// A stored delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// Its id, a UUIDv7.
    pub id: String,
    /// The id of the webhook.
    pub webhook: String,
    /// The event.
    pub event: WebhookEvent,
    /// The request body.
    pub body: String,
    /// Its state.
    pub state: DeliveryState,
    /// The number of attempts.
    pub attempts: u32,
    /// The HTTP status of the last answer.
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    pub last_failure: Option<String>,
    /// When the next attempt is due, while it is pending.
    pub due_at: Timestamp,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When it was accepted or given up.
    pub settled_at: Option<Timestamp>,
}

/// Which deliveries to read.
#[derive(Clone, Debug, Default)]
pub struct DeliveryFilter {
    /// The page starts after this id, with older deliveries.
    pub after: Option<String>,
    /// The maximum number of deliveries.
    pub limit: u32,
    /// Only deliveries to that webhook.
    pub webhook: Option<String>,
    /// Only deliveries in that state.
    pub state: Option<DeliveryState>,
    /// Only deliveries of that event.
    pub event: Option<WebhookEvent>,
}

/// An attempt of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// Counted from 1.
    pub number: u32,
    /// When it began.
    pub at: Timestamp,
    /// Its duration in milliseconds.
    pub millis: u64,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// Why it failed.
    pub failure: Option<String>,
    /// What was sent, without what authenticates.
    pub request: Option<WebhookRequest>,
    /// What was answered, without what authenticates.
    pub response: Option<WebhookResponse>,
}

/// A webhook with due deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueWebhook {
    /// The tenant.
    pub tenant: String,
    /// The id of the webhook.
    pub id: String,
    /// The origin of its URL.
    pub origin: String,
}

/// A claimed delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// The claim.
    pub held: DeliveryLease,
    /// The request body.
    pub body: String,
    /// The number of attempts since it was created or replayed.
    pub tries: u32,
}

/// The claim on a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryLease {
    /// The id of the delivery.
    pub id: String,
    /// The fence of the claim.
    pub fence: u64,
}

/// The result of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptResult {
    /// The tenant.
    pub tenant: String,
    /// The id of the webhook.
    pub webhook: String,
    /// The claim on the delivery.
    pub held: DeliveryLease,
    /// When the attempt began.
    pub at: Timestamp,
    /// Its duration in milliseconds.
    pub millis: u64,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// Why it failed; `None` if it was accepted.
    pub failure: Option<String>,
    /// What was sent, without what authenticates; `None` if nothing was.
    pub request: Option<WebhookRequest>,
    /// What was answered, without what authenticates.
    pub response: Option<WebhookResponse>,
    /// When the next attempt is due; `None` if it was accepted or is given up.
    pub again_at: Option<Timestamp>,
    /// The time of this write.
    pub now: Timestamp,
    /// Turns the webhook off.
    pub turn_off: Option<Deactivation>,
}

impl AttemptResult {
    /// The new state of the delivery.
    #[must_use]
    pub const fn state(&self) -> DeliveryState {
        match (&self.failure, self.again_at) {
            (None, _) => DeliveryState::Delivered,
            (Some(_), Some(_)) => DeliveryState::Pending,
            (Some(_), None) => DeliveryState::Failed,
        }
    }
}

/// The reason and condition for turning a webhook off.
#[derive(Clone, Debug)]
pub struct Deactivation {
    /// The reason, as a sentence for people.
    pub because: String,
    /// Turns it off only if no attempt has succeeded since then.
    pub failing_since: Option<Timestamp>,
}

/// A lower bound for the ids of all deliveries that were created since that moment, in text order.
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
    use checklist_runtime::clock::new_item_id;

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
