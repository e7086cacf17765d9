//! Bringing lists along when a version with `RefreshPolicy: Auto` is published.
//!
//! Runs in the background, one list after the other; never touches locked or complete lists.
//! What is left when the server stops is taken up at the next start. Called by `template` and
//! `housekeeping`.

use std::time::Duration;

use checklist_shared::item::{Actor, ActorKind};
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;

use super::checklist::refresh_automatically;
use crate::app::App;
use crate::auth::{ContextScope, Credential, Principal};
use crate::error::ServiceResult;
use crate::storage::store::PendingRefresh;

/// Lists read at a time.
const PAGE: u32 = 100;

/// Begins to bring lists along, without waiting for it.
pub(super) fn start(app: &App, pending: PendingRefresh) {
    let app = app.clone();
    tokio::spawn(async move { finish(&app, pending).await });
}

/// Takes up what was left when the server stopped.
///
/// # Errors
/// The store could not be read.
pub(super) async fn resume(app: &App) -> ServiceResult<()> {
    for pending in app.store().pending_refreshes().await? {
        start(app, pending);
    }
    Ok(())
}

async fn finish(app: &App, pending: PendingRefresh) {
    match run(app, &pending).await {
        Ok(lists) => tracing::info!(
            template = pending.template,
            version = pending.version,
            lists,
            "lists brought along"
        ),
        // It stays pending, and is taken up at the next start.
        Err(error) => {
            tracing::warn!(template = pending.template, problem = ?error.problem, "lists not brought along")
        }
    }
}

/// Brings all lists along; how many have changed.
///
/// # Errors
/// The store could not do it.
pub async fn run(app: &App, pending: &PendingRefresh) -> ServiceResult<u64> {
    let automation = automation(&pending.tenant);
    let (mut after, mut changed) = (0, 0);
    loop {
        let page = app
            .store()
            .lists_behind(
                &pending.tenant,
                &pending.template,
                pending.version,
                after,
                PAGE,
            )
            .await?;
        if page.lists.is_empty() {
            break;
        }
        after = page.after;
        for context in page.lists {
            loop {
                match refresh_automatically(app, &automation, context.clone(), pending).await {
                    Ok(answer) => changed += u64::from(answer.changes.is_some()),
                    // People come first; there is no hurry here.
                    Err(error) if error.code() == ProblemCode::Busy => {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        continue;
                    }
                    Err(error)
                        if matches!(
                            error.code(),
                            ProblemCode::Locked | ProblemCode::LimitExceeded
                        ) => {}
                    Err(error) => return Err(error),
                }
                break;
            }
        }
    }
    app.store().refresh_finished(pending.clone()).await?;
    Ok(changed)
}

fn automation(tenant: &str) -> Principal {
    Principal {
        tenant: tenant.to_owned(),
        actor: Actor {
            id: "automation".to_owned(),
            name: "Automation".to_owned(),
            kind: ActorKind::Automation,
            on_behalf_of: None,
        },
        permissions: Permissions::all(),
        contexts: ContextScope::Any,
        languages: Vec::new(),
        journal: false,
        template: None,
        idempotency_scope: "automation".to_owned(),
        expires_at: None,
        credential: Credential::Own,
    }
}
