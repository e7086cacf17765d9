//! The stream of a run: its current state, and each change until it ends.
//!
//! Polls the store, so that every node sends the same.

use std::time::{Duration, Instant};

use checklist_auth::{CredentialCheck, Principal};
use checklist_live::{Subscription, SubscriptionRequest};
use checklist_shared::wire::workflow::Run;
use checklist_store::error::ServiceResult;

use super::record::find_record;
use super::view;
use crate::app::App;
use crate::live::{self, subscribe_error};
use crate::sites::need_sites;

/// The polling interval.
const EVERY: Duration = Duration::from_millis(400);
/// The idle time after which a heartbeat is sent.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long the result of a credential check is trusted.
const TRUST: Duration = Duration::from_secs(2);

/// A stream of one run.
pub struct RunStream {
    app: App,
    principal: Principal,
    standing: Box<dyn CredentialCheck>,
    /// The slot among the streams of this node.
    place: Subscription,
    id: String,
    sent_revision: Option<u64>,
    ended: bool,
    judged: Instant,
    spoke: Instant,
}

/// An event of the stream.
pub enum RunEvent {
    /// The current state of the run.
    Run(Box<Run>),
    /// No change; keeps the connection alive.
    Heartbeat,
}

/// Opens the stream of a run.
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
    let run = find_record(app, &principal, id).await?;
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
        .map_err(subscribe_error)?;
    let now = Instant::now();
    Ok(RunStream {
        app: app.clone(),
        principal,
        standing,
        place,
        id: run.id,
        sent_revision: None,
        ended: false,
        judged: now,
        spoke: now,
    })
}

impl RunStream {
    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<RunEvent> {
        if self.ended {
            return None;
        }
        loop {
            if !self.stands().await {
                return None;
            }
            let Ok(run) = find_record(&self.app, &self.principal, &self.id).await else {
                return None;
            };
            if self.sent_revision != Some(run.revision) {
                self.sent_revision = Some(run.revision);
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

    /// Whether the stream may go on: the server is not stopping, and the credential is valid.
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
