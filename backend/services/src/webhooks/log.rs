//! The log of deliveries, and sending one again.

use checklist_auth::Principal;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::webhooks::{
    DeliveryState, WebhookAttempt, WebhookDeliveriesPage, WebhookDelivery, WebhookDeliveryAnswer,
    WebhookEvent,
};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::webhooks::{AttemptRecord, DeliveryFilter, DeliveryRecord};

use super::canonical;
use crate::access::{self, FieldErrors};
use crate::app::App;
use crate::listing::Cursor;

/// The name in its cursors.
const LIST: &str = "WebhookDeliveries";
/// The maximum page size, and the default.
const PAGE: u32 = 200;
const USUAL: u32 = 50;

/// Filters and pagination of deliveries.
#[derive(Clone, Debug, Default)]
pub struct DeliveryQuery {
    /// `Next` of the previous page.
    pub after: Option<String>,
    /// The page size: 1 to 200, 50 if absent.
    pub limit: Option<u32>,
    /// Deliveries to this webhook only.
    pub webhook: Option<String>,
    /// Deliveries in this state only.
    pub state: Option<DeliveryState>,
    /// Deliveries of this event only.
    pub event: Option<WebhookEvent>,
}

/// Lists the tenant's deliveries, newest first.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn page(
    app: &App,
    principal: &Principal,
    part: DeliveryQuery,
) -> ServiceResult<WebhookDeliveriesPage> {
    access::need_admin(principal)?;
    let mut faults = FieldErrors::default();
    let limit = faults.page_size(part.limit, USUAL, PAGE);
    let after = Cursor::after(LIST, part.after.as_deref(), &mut faults);
    faults.refuse()?;
    let filter = DeliveryFilter {
        after,
        limit: limit + 1,
        webhook: part.webhook.as_deref().map(canonical),
        state: part.state,
        event: part.event,
    };
    let mut found = app.store().deliveries(&principal.tenant, filter).await?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    Ok(WebhookDeliveriesPage {
        next: (found.last().filter(|_| more)).map(|last| last.id.encode(LIST)),
        deliveries: found.into_iter().map(to_wire).collect(),
    })
}

/// Reads a delivery with its attempts.
///
/// # Errors
/// `PermissionDenied`, `DeliveryNotFound`.
pub async fn get(
    app: &App,
    principal: &Principal,
    id: &str,
) -> ServiceResult<WebhookDeliveryAnswer> {
    access::need_admin(principal)?;
    let id = canonical(id);
    let found = app.store().delivery(&principal.tenant, &id).await?;
    let (record, attempts) = found.ok_or_else(not_found)?;
    Ok(WebhookDeliveryAnswer {
        body: record.body.clone(),
        delivery: to_wire(record),
        attempt_log: attempts.into_iter().map(attempt).collect(),
    })
}

/// Sends a delivery again under its id, with the full number of attempts.
///
/// # Errors
/// `PermissionDenied`, `DeliveryNotFound`.
pub async fn replay(app: &App, principal: &Principal, id: &str) -> ServiceResult<WebhookDelivery> {
    access::need_admin(principal)?;
    let (id, stamp) = (canonical(id), principal.stamp(app.clock().now()));
    let replayed = app.store().replay_delivery(&principal.tenant, &id, stamp);
    let record = replayed.await?.ok_or_else(not_found)?;
    tracing::info!(
        tenant = principal.tenant,
        id,
        by = principal.actor.identity(),
        "webhook delivery replayed"
    );
    Ok(to_wire(record))
}

/// Reads a delivery without its attempts.
pub(super) async fn one(app: &App, tenant: &str, id: &str) -> ServiceResult<WebhookDelivery> {
    let found = app.store().delivery(tenant, id).await?;
    found
        .map(|(record, _)| to_wire(record))
        .ok_or_else(not_found)
}

fn not_found() -> ServiceError {
    ServiceError::new(ProblemCode::DeliveryNotFound, "There is no such delivery.")
}

fn to_wire(record: DeliveryRecord) -> WebhookDelivery {
    let waits = record.state == DeliveryState::Pending;
    WebhookDelivery {
        id: record.id,
        webhook: record.webhook,
        event: record.event,
        state: record.state,
        attempts: record.attempts,
        last_status: record.last_status,
        last_failure: record.last_failure,
        next_attempt_at: Some(record.due_at).filter(|_| waits),
        created_at: record.created_at,
        settled_at: record.settled_at,
    }
}

fn attempt(record: AttemptRecord) -> WebhookAttempt {
    WebhookAttempt {
        number: record.number,
        at: record.at,
        millis: record.millis,
        status: record.status,
        failure: record.failure,
        request: record.request,
        response: record.response,
    }
}
