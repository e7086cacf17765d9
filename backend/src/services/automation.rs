//! Bringing lists along when a version with `RefreshPolicy: Auto` is published.
//!
//! Runs in the background, one list after the other, in the name of whoever published; never
//! touches locked or complete lists. A list that fails does not stop the others: it is named in
//! the log and tried again, after longer and longer pauses. What is left when the server stops is
//! taken up at the next start.

use std::time::Duration;

use checklist_shared::context::Context;
use checklist_shared::item::Actor;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;

use super::checklist::refresh_automatically;
use crate::app::App;
use crate::auth::{ContextScope, Credential, Principal};
use crate::error::ServiceResult;
use crate::storage::store::PendingRefresh;

/// Lists read at a time.
const PAGE: u32 = 100;

/// How long until lists that failed are tried again; twice as long each time,
const PAUSE: Duration = Duration::from_secs(1);

/// and not longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// How far lists were brought along.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshProgress {
    /// How many have changed.
    pub changed: u64,
    /// Those that failed.
    pub failed: Vec<Context>,
}

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

/// Goes on until every list is brought along, or a newer version takes the place of this one.
async fn finish(app: &App, pending: PendingRefresh) {
    let (template, version) = (pending.template.as_str(), pending.version);
    let (mut pause, mut changed, mut failed) = (PAUSE, 0, None);
    loop {
        let progress = match failed.take() {
            None => run(app, &pending).await,
            Some(lists) => try_again(app, &pending, lists).await,
        };
        match progress {
            Ok(progress) => {
                changed += progress.changed;
                if progress.failed.is_empty() {
                    tracing::info!(template, version, lists = changed, "lists brought along");
                    return;
                }
                let lists = progress.failed.len();
                tracing::warn!(
                    template,
                    version,
                    lists,
                    ?pause,
                    "lists not brought along yet"
                );
                failed = Some(progress.failed);
            }
            Err(error) => {
                tracing::warn!(template, version, ?pause, problem = ?error.problem, "lists not brought along yet");
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
        if is_over(app, &pending).await {
            return;
        }
    }
}

/// Whether a newer version has taken its place, or another node has come to its end.
async fn is_over(app: &App, pending: &PendingRefresh) -> bool {
    let left = app.store().pending_refreshes().await;
    left.is_ok_and(|left| !left.contains(pending))
}

/// Brings all lists along, each that can be. The version is no longer pending when none has
/// failed.
///
/// # Errors
/// The store could not be asked which lists there are.
pub async fn run(app: &App, pending: &PendingRefresh) -> ServiceResult<RefreshProgress> {
    let automation = automation(pending);
    let mut progress = RefreshProgress::default();
    let mut after = 0;
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
            bring_along(app, &automation, pending, context, &mut progress).await;
        }
    }
    close(app, pending, progress).await
}

/// The same for lists that have failed before.
async fn try_again(
    app: &App,
    pending: &PendingRefresh,
    lists: Vec<Context>,
) -> ServiceResult<RefreshProgress> {
    let automation = automation(pending);
    let mut progress = RefreshProgress::default();
    for context in lists {
        bring_along(app, &automation, pending, context, &mut progress).await;
    }
    close(app, pending, progress).await
}

async fn close(
    app: &App,
    pending: &PendingRefresh,
    progress: RefreshProgress,
) -> ServiceResult<RefreshProgress> {
    if progress.failed.is_empty() {
        app.store().refresh_finished(pending.clone()).await?;
    }
    Ok(progress)
}

/// Brings one list along, or notes that it has failed.
async fn bring_along(
    app: &App,
    automation: &Principal,
    pending: &PendingRefresh,
    context: Context,
    progress: &mut RefreshProgress,
) {
    loop {
        match refresh_automatically(app, automation, context.clone(), pending).await {
            Ok(answer) => progress.changed += u64::from(answer.changes.is_some()),
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
            Err(error) => {
                tracing::warn!(
                    tenant = pending.tenant,
                    object_type = context.object_type,
                    object_id = context.object_id,
                    purpose = context.purpose,
                    template = pending.template,
                    version = pending.version,
                    problem = ?error.code(),
                    "a checklist was not brought along"
                );
                progress.failed.push(context);
            }
        }
        return;
    }
}

fn automation(pending: &PendingRefresh) -> Principal {
    Principal {
        tenant: pending.tenant.clone(),
        actor: Actor {
            on_behalf_of: pending.published_by.clone().map(Box::new),
            ..Actor::server("automation", "Automation")
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
