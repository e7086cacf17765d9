//! Webhooks: events for other systems, signed according to Standard Webhooks, delivered at least
//! once.
//!
//! `attempt_counts` counts attempts for metrics. `write` creates and changes webhooks, `secrets` holds their signing secrets, `log` shows
//! deliveries and restarts them. `sender` sends them: `attempt` is one request, `signature` its
//! headers, `schedule` the time of the next one. The store inserts deliveries in the transaction of
//! their change (`docs/adr/0014-*`).

mod attempt;
pub mod attempt_counts;
mod exchange;
pub mod log;
mod schedule;
mod secrets;
pub mod sender;
mod signature;
pub mod write;

use checklist_auth::Principal;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::webhooks::{Webhook, Webhooks};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::keyset::Keyset;
use checklist_store::webhooks::WebhookRecord;

use super::access;
use super::listing::{self, ListQuery};
use crate::app::App;

pub(crate) use secrets::no_vault;
pub use secrets::{opens, reseal};

/// Lists a page of the tenant's webhooks, by name; searches name and address. A tenant has a few
/// dozen, so all of them are read.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<Webhooks> {
    access::need_admin(principal)?;
    let key = |record: &WebhookRecord| (record.name.to_lowercase(), record.id.clone());
    let read = |page: Keyset<(String, String)>| async move {
        let mut records = app.store().webhooks(&principal.tenant).await?;
        records.retain(|record| key(record) > page.after);
        records.sort_by_key(key);
        records.truncate(usize::try_from(page.limit).unwrap_or(usize::MAX));
        Ok(records)
    };
    let (records, next) = listing::page("Webhooks", query, read, key, |record, words| {
        words.stand_in([record.name.as_str(), &record.url])
    })
    .await?;
    Ok(Webhooks {
        webhooks: records.into_iter().map(|one| to_wire(app, one)).collect(),
        next,
    })
}

/// Reads one webhook.
///
/// # Errors
/// `PermissionDenied`, `WebhookNotFound`.
pub async fn get(app: &App, principal: &Principal, id: &str) -> ServiceResult<Webhook> {
    access::need_admin(principal)?;
    Ok(to_wire(app, find_record(app, &principal.tenant, id).await?))
}

async fn find_record(app: &App, tenant: &str, id: &str) -> ServiceResult<WebhookRecord> {
    let record = app.store().webhook(tenant, &canonical(id)).await?;
    record.ok_or_else(not_found)
}

/// The canonical form of an id. Text that is no UUID matches nothing.
fn canonical(id: &str) -> String {
    uuid::Uuid::try_parse(id).map_or_else(|_| id.to_owned(), |id| id.to_string())
}

fn not_found() -> ServiceError {
    ServiceError::new(ProblemCode::WebhookNotFound, "There is no such webhook.")
}

fn to_wire(app: &App, record: WebhookRecord) -> Webhook {
    // Secrets that cannot be decrypted are reported by each attempt.
    let secrets = secrets::open(app, &record).ok();
    Webhook {
        old_secret_until: secrets.and_then(|secrets| secrets.old_until(app.clock().now())),
        id: record.id,
        name: record.name,
        url: record.url,
        events: record.events,
        enabled: record.enabled,
        off_because: record.off_because,
        failing_since: record.failing_since,
        created_by: record.created_by,
        created_at: record.created_at,
        updated_at: record.updated_at,
        revision: record.revision,
    }
}
