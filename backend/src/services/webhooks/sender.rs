//! Sends what waits: looks for deliveries that are due, a few at once for each receiver, so that
//! one that does not answer holds up nobody else's.
//!
//! A delivery is held by a lease and a fence while it is sent; a node that dies loses it to
//! another one, or to its own next life. What is done is in the store, so a sender may end
//! anywhere. Deliveries go out in no certain order. Started by `cli::serve`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use super::{attempt, schedule};
use crate::app::App;
use crate::error::ServiceResult;
use crate::storage::webhooks::{ClaimedDelivery, DeliveryLease, DueWebhook, WebhookRecord};
use crate::telemetry;

/// How often it looks, whoever rings.
const EVERY: Duration = Duration::from_millis(500);
/// How long it waits after the store did not answer.
const STORE_PAUSE: Duration = Duration::from_secs(3);
/// How long a delivery is held: longer than an attempt can take.
const LEASE: Duration = Duration::from_secs(18);
/// Requests at once, to one origin and in all.
const TO_ONE: usize = 4;
const IN_ALL: usize = 64;

/// A delivery on its way.
struct InFlightDelivery {
    tenant: String,
    origin: String,
    held: DeliveryLease,
}

/// Sends until it is told to stop; gives back what it has not sent then.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    let bell = app.store().outbox();
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
            () = bell.notified() => {}
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

/// Takes as much as may be sent at once, and sends it.
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
    let settled = telemetry::working("deliver to a webhook", sending).await;
    let (id, status) = (settled.held.id.clone(), settled.status);
    if let Some(failure) = &settled.failure {
        tracing::info!(
            id,
            webhook = settled.webhook,
            failure,
            "a webhook was not taken"
        );
    }
    match app.store().settle_attempt(settled).await {
        Ok(true) => tracing::debug!(id, status, "a webhook was sent"),
        Ok(false) => tracing::warn!(id, "another sender has taken a delivery over"),
        // Its lease ends, and it is sent once more.
        Err(error) => tracing::warn!(id, %error, "what became of a delivery was not stored"),
    }
}

fn forget(held: &mut HashMap<Id, InFlightDelivery>, ended: Result<(Id, ()), JoinError>) {
    let id = match ended {
        Ok((id, ())) => id,
        // Its lease ends by itself.
        Err(error) => {
            tracing::error!(%error, "sending came to a bad end");
            error.id()
        }
    };
    held.remove(&id);
}

/// Whoever comes next need not wait for the leases to end.
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
