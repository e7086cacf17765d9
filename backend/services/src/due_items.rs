//! Announces open items as due or overdue (`item.due`, `item.overdue`).
//!
//! Every node does; the store sees to it that each item is announced once. All state is in the store, so
//! the work may be stopped or killed at any point, and what became due meanwhile is announced afterwards.

use std::time::Duration;

use checklist_shared::time::Timestamp;
use checklist_store::error::ServiceResult;
use tokio::sync::watch;

use crate::app::App;

/// The longest pause: an item may get an earlier due date than the one that is waited for.
const EVERY: Duration = Duration::from_secs(5);
/// The most items of one transaction, so that other writes can run in between.
const AT_ONCE: u32 = 200;

/// Announces until it is stopped.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    loop {
        let pass = async {
            let pause = match announce(&app).await {
                Ok(None) => EVERY,
                Ok(Some(next)) => until(next, app.clock().now()).min(EVERY),
                Err(error) => {
                    tracing::warn!(problem = ?error.problem, "no due items could be looked for");
                    EVERY
                }
            };
            tokio::time::sleep(pause).await;
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = pass => {}
        }
    }
}

fn until(next: Timestamp, now: Timestamp) -> Duration {
    let millis = next.as_millis().saturating_sub(now.as_millis());
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

/// Announces a batch of each tenant's items; returns when there may be more to announce, unless no
/// item waits. A tenant whose items cannot be announced does not stop the others.
///
/// # Errors
/// The store could not tell whose items wait.
pub async fn announce(app: &App) -> ServiceResult<Option<Timestamp>> {
    let now = app.clock().now();
    let mut next = None;
    let mut look_at = |time: Timestamp| next = Some(next.map_or(time, |next| time.min(next)));
    for waiting in app.store().due_tenants().await? {
        if waiting.look_at > now {
            look_at(waiting.look_at);
            continue;
        }
        let announced = app
            .store()
            .announce_due_items(&waiting.tenant, now, AT_ONCE);
        match announced.await {
            // There may be another batch, also where this one left out items that were locked.
            Ok(1..) => look_at(now),
            Ok(0) => {}
            Err(error) => {
                tracing::warn!(tenant = waiting.tenant, %error, "due items were not announced");
            }
        }
    }
    Ok(next)
}
