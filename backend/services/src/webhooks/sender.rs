//! The webhook sender: polls for due deliveries and limits the requests per receiver, so that one
//! slow receiver does not delay the others.
//!
//! A delivery in flight is protected by a lease and a fence; if a node dies, another sender takes
//! it over when the lease expires. All state is in the store, so a sender may be killed at any
//! point. The order of deliveries is undefined.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use checklist_runtime::spans;
use checklist_store::error::ServiceResult;
use checklist_store::webhooks::{ClaimedDelivery, DeliveryLease, DueWebhook, WebhookRecord};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use super::{attempt, schedule};
use crate::app::App;

/// The polling interval, in addition to wake-ups.
const EVERY: Duration = Duration::from_millis(500);
/// The pause after an error of the store.
const STORE_PAUSE: Duration = Duration::from_secs(3);
/// The duration of a lease: longer than an attempt can take.
const LEASE: Duration = Duration::from_secs(18);
/// The maximum number of concurrent requests, per origin and in total.
const TO_ONE: usize = 4;
const IN_ALL: usize = 64;

struct InFlightDelivery {
    tenant: String,
    origin: String,
    held: DeliveryLease,
}

/// Sends until it is stopped, then releases the deliveries that it has not sent.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    let wake_up = app.store().outbox();
    let mut sending: JoinSet<()> = JoinSet::new();
    let mut held: HashMap<Id, InFlightDelivery> = HashMap::new();
    loop {
        let pause = match begin(&app, &mut sending, &mut held).await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(problem = ?error.problem, "no deliveries could be looked for");
                STORE_PAUSE
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            () = wake_up.notified() => {}
            () = tokio::time::sleep(pause) => {}
            Some(ended) = sending.join_next_with_id() => {
                let mut ended = Some(ended);
                while let Some(one) = ended {
                    forget(&mut held, one);
                    ended = sending.try_join_next_with_id();
                }
            }
        }
    }
    sending.shutdown().await;
    give_back(&app, held).await;
}

/// Claims as many deliveries as the limits permit, and sends them.
async fn begin(
    app: &App,
    sending: &mut JoinSet<()>,
    held: &mut HashMap<Id, InFlightDelivery>,
) -> ServiceResult<()> {
    if held.len() >= IN_ALL {
        return Ok(());
    }
    for due in app.store().due_webhooks(app.clock().now()).await? {
        let to_one = held.values().filter(|one| one.origin == due.origin).count();
        let free = (TO_ONE.saturating_sub(to_one)).min(IN_ALL.saturating_sub(held.len()));
        if free == 0 {
            continue;
        }
        let Some(webhook) = app.store().webhook(&due.tenant, &due.id).await? else {
            continue;
        };
        let webhook = Arc::new(webhook);
        for claimed in claim(app, &due, free).await? {
            let one = InFlightDelivery {
                tenant: due.tenant.clone(),
                origin: due.origin.clone(),
                held: claimed.held.clone(),
            };
            let (app, webhook) = (app.clone(), Arc::clone(&webhook));
            let task = sending.spawn(async move { send(&app, &webhook, claimed).await });
            held.insert(task.id(), one);
        }
    }
    Ok(())
}

async fn claim(app: &App, due: &DueWebhook, free: usize) -> ServiceResult<Vec<ClaimedDelivery>> {
    let now = app.clock().now();
    let free = u32::try_from(free).unwrap_or(u32::MAX);
    let until = schedule::after(now, LEASE);
    Ok(app.store().claim_deliveries(due, free, now, until).await?)
}

async fn send(app: &App, webhook: &WebhookRecord, claimed: ClaimedDelivery) {
    let sending = attempt::send(app, webhook, claimed);
    let settled = spans::working("deliver to a webhook", sending).await;
    let (id, status) = (settled.held.id.clone(), settled.status);
    if let Some(failure) = &settled.failure {
        tracing::info!(
            id,
            webhook = settled.webhook,
            failure,
            "a webhook was not taken"
        );
    }
    let state = settled.state();
    match app.store().settle_attempt(settled).await {
        Ok(true) => {
            app.attempts().record(state);
            tracing::debug!(id, status, "a webhook was sent");
        }
        Ok(false) => tracing::warn!(id, "another sender has taken a delivery over"),
        // The lease expires and the delivery is sent again.
        Err(error) => tracing::warn!(id, %error, "what became of a delivery was not stored"),
    }
}

fn forget(held: &mut HashMap<Id, InFlightDelivery>, ended: Result<(Id, ()), JoinError>) {
    let id = match ended {
        Ok((id, ())) => id,
        // The lease expires by itself.
        Err(error) => {
            tracing::error!(%error, "sending came to a bad end");
            error.id()
        }
    };
    held.remove(&id);
}

/// Releases leases early, so that the next sender need not wait until they expire.
async fn give_back(app: &App, held: HashMap<Id, InFlightDelivery>) {
    let mut by_tenant: HashMap<String, Vec<DeliveryLease>> = HashMap::new();
    for one in held.into_values() {
        by_tenant.entry(one.tenant).or_default().push(one.held);
    }
    for (tenant, held) in by_tenant {
        if let Err(error) = app.store().release_deliveries(&tenant, held).await {
            tracing::debug!(%error, "deliveries were not given back");
        }
    }
}
