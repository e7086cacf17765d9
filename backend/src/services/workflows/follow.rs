//! The stream of a run: the run as it is, and again whenever it has changed, until it has ended.
//!
//! Polled from the store, so that it tells the same on every node. Turned into a body by `http`.

use std::time::{Duration, Instant};

use checklist_shared::wire::workflow::Run;

use super::{found, need_sites, view};
use crate::app::App;
use crate::auth::{CredentialCheck, Principal};
use crate::error::ServiceResult;
use crate::live::{Subscription, SubscriptionRequest};
use crate::services::live::{self, refused};

/// How often it looks.
const EVERY: Duration = Duration::from_millis(400);
/// How long it is silent at most.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long a credential is believed.
const TRUST: Duration = Duration::from_secs(2);

/// A run that somebody follows.
pub struct RunStream {
    app: App,
    principal: Principal,
    standing: Box<dyn CredentialCheck>,
    /// A place among the streams of this node.
    place: Subscription,
    id: String,
    told: Option<u64>,
    ended: bool,
    judged: Instant,
    spoke: Instant,
}

/// Something to tell.
pub enum RunEvent {
    /// The run as it is now.
    Run(Box<Run>),
    /// Nothing, but the stream is alive.
    Heartbeat,
}

/// Follows a run.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`, `TooManyRequests`, `Busy`.
pub async fn follow(
    app: &App,
    principal: Principal,
    standing: Box<dyn CredentialCheck>,
    id: &str,
) -> ServiceResult<RunStream> {
    need_sites(&principal)?;
    let run = found(app, &principal, id).await?;
    let place = app
        .hub()
        .subscribe(
            SubscriptionRequest {
                tenant: &principal.tenant,
                caller: &principal.idempotency_scope,
                person: None,
                lists: Vec::new(),
            },
            || live::source(app),
        )
        .map_err(refused)?;
    let now = Instant::now();
    Ok(RunStream {
        app: app.clone(),
        principal,
        standing,
        place,
        id: run.id,
        told: None,
        ended: false,
        judged: now,
        spoke: now,
    })
}

impl RunStream {
    /// What there is to tell next; `None` at the end.
    pub async fn next(&mut self) -> Option<RunEvent> {
        if self.ended {
            return None;
        }
        loop {
            if !self.stands().await {
                return None;
            }
            let Ok(run) = found(&self.app, &self.principal, &self.id).await else {
                return None;
            };
            if self.told != Some(run.revision) {
                self.told = Some(run.revision);
                self.ended = run.state.is_final();
                self.spoke = Instant::now();
                return Some(RunEvent::Run(Box::new(view::run(run))));
            }
            if self.spoke.elapsed() >= HEARTBEAT {
                self.spoke = Instant::now();
                return Some(RunEvent::Heartbeat);
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Whether the reader may hear more: the server is not stopping, and the credential is good.
    async fn stands(&mut self) -> bool {
        let now = self.app.clock().now();
        let ended = self.principal.expires_at.is_some_and(|end| end <= now);
        if ended || self.place.mailbox.is_over() {
            return false;
        }
        if self.judged.elapsed() >= TRUST {
            self.judged = Instant::now();
            return self.standing.holds().await;
        }
        true
    }
}
