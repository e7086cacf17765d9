//! Webhooks and their deliveries, for administrators.
//!
//! `services::webhooks` checks permissions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use checklist_services::webhooks::log::{self, DeliveryQuery};
use checklist_services::webhooks::{self, write};
use checklist_shared::wire::webhooks::{
    DeliveryState, PutWebhook, RotateSecret, Webhook, WebhookDeliveriesPage, WebhookDelivery,
    WebhookDeliveryAnswer, WebhookEvent, WebhookWithSecret, Webhooks,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Body, Caller, MaybeBody, Parameters, Segment};
use super::listing::ListParameters;
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

/// Which deliveries.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct DeliveryParameters {
    /// The `Next` of the page before.
    after: Option<String>,
    /// How many, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// To this webhook only.
    webhook: Option<String>,
    /// In this state only.
    state: Option<DeliveryState>,
    /// Of this event only.
    event: Option<WebhookEvent>,
}

/// The tenant's webhooks, without their secrets.
///
/// A page of them, by name, found by name and address.
#[utoipa::path(get, path = "", operation_id = "ListWebhooks", tag = "Webhooks", params(ListParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "A page of webhooks.", body = Webhooks)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<Webhooks>, ProblemResponse> {
    Ok(Json(
        webhooks::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// Make a webhook.
///
/// The answer is the one place that tells its `Secret`. Every event that happens from now on is
/// sent at least once, in no certain order, and tried again for about three days.
#[utoipa::path(post, path = "", operation_id = "CreateWebhook", tag = "Webhooks", request_body = PutWebhook,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The webhook with its secret.", body = WebhookWithSecret)))]
pub async fn create(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<PutWebhook>,
) -> Result<Json<WebhookWithSecret>, ProblemResponse> {
    Ok(Json(write::create(&web.app, &caller, request).await?))
}

/// One webhook, without its secret.
#[utoipa::path(get, path = "/{id}", operation_id = "GetWebhook", tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The webhook.", body = Webhook)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<Webhook>, ProblemResponse> {
    Ok(Json(webhooks::get(&web.app, &caller, &id).await?))
}

/// Change a webhook; its secret stays.
///
/// What waits while it is off is sent when it is on again.
#[utoipa::path(put, path = "/{id}", operation_id = "PutWebhook", tag = "Webhooks", request_body = PutWebhook,
    params(("id" = String, Path, description = "The webhook's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The webhook.", body = Webhook)))]
pub async fn put(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Body(request): Body<PutWebhook>,
) -> Result<Json<Webhook>, ProblemResponse> {
    Ok(Json(write::put(&web.app, &caller, &id, request).await?))
}

/// Delete a webhook, and everything that waits for it.
#[utoipa::path(delete, path = "/{id}", operation_id = "DeleteWebhook", tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "It is gone.")))]
pub async fn delete(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<StatusCode, ProblemResponse> {
    write::delete(&web.app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Give a webhook a new secret.
///
/// The answer is the one place that tells it. For `KeepOldForHours` every delivery carries two
/// signatures, one by each secret, so that the receiver can change over without a gap.
#[utoipa::path(post, path = "/{id}/RotateSecret", operation_id = "RotateWebhookSecret", tag = "Webhooks",
    request_body = Option<RotateSecret>,
    params(("id" = String, Path, description = "The webhook's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The webhook with its new secret.", body = WebhookWithSecret)))]
pub async fn rotate(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    MaybeBody(request): MaybeBody<RotateSecret>,
) -> Result<Json<WebhookWithSecret>, ProblemResponse> {
    Ok(Json(write::rotate(&web.app, &caller, &id, request).await?))
}

/// Send a test event.
///
/// It goes the way of all events; what becomes of it is read at its delivery.
#[utoipa::path(post, path = "/{id}/Test", operation_id = "TestWebhook", tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 202, description = "The delivery, which is going to be sent.", body = WebhookDelivery)))]
pub async fn test(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<(StatusCode, Json<WebhookDelivery>), ProblemResponse> {
    let delivery = write::test(&web.app, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery)))
}

/// Deliveries of the last thirty days, the newest first.
#[utoipa::path(get, path = "", operation_id = "ListWebhookDeliveries", tag = "Webhooks", params(DeliveryParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "A page of deliveries.", body = WebhookDeliveriesPage)))]
pub async fn deliveries(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(wanted): Parameters<DeliveryParameters>,
) -> Result<Json<WebhookDeliveriesPage>, ProblemResponse> {
    let part = DeliveryQuery {
        after: wanted.after,
        limit: wanted.limit,
        webhook: wanted.webhook,
        state: wanted.state,
        event: wanted.event,
    };
    Ok(Json(log::page(&web.app, &caller, part).await?))
}

/// One delivery, with its body and its attempts.
#[utoipa::path(get, path = "/{id}", operation_id = "GetWebhookDelivery", tag = "Webhooks",
    params(("id" = String, Path, description = "The delivery's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The delivery.", body = WebhookDeliveryAnswer)))]
pub async fn delivery(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<WebhookDeliveryAnswer>, ProblemResponse> {
    Ok(Json(log::get(&web.app, &caller, &id).await?))
}

/// Send a delivery again.
///
/// Whatever became of it: it keeps its id and its body, and is tried as often as a new one.
#[utoipa::path(post, path = "/{id}/Replay", operation_id = "ReplayWebhookDelivery", tag = "Webhooks",
    params(("id" = String, Path, description = "The delivery's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 202, description = "The delivery, which is going to be sent.", body = WebhookDelivery)))]
pub async fn replay(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<(StatusCode, Json<WebhookDelivery>), ProblemResponse> {
    let delivery = log::replay(&web.app, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery)))
}
