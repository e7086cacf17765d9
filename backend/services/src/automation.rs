//! Refreshes lists when a version with `RefreshPolicy: Auto` is published.
//!
//! Runs in the background, one list at a time, on behalf of the person who published. Never changes
//! locked or completed lists. A list that fails does not stop the others: it is logged and retried
//! with exponential backoff. A refresh that a shutdown interrupts resumes at the next start.

use std::time::Duration;

use checklist_auth::Principal;
use checklist_shared::context::Context;
use checklist_shared::item::Actor;
use checklist_shared::problem::ProblemCode;
use checklist_store::error::ServiceResult;
use checklist_store::store::PendingRefresh;

use super::checklist::refresh_automatically;
use crate::app::App;

/// The page size of the scan.
const PAGE: u32 = 100;

/// The first pause before failed lists are retried. Doubles with each attempt.
const PAUSE: Duration = Duration::from_secs(1);

/// The upper limit of the pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// The result of refreshing the lists that follow a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshProgress {
    /// The number of changed lists.
    pub changed: u64,
    /// The lists that failed.
    pub failed: Vec<Context>,
}

/// Starts a refresh in the background.
pub(super) fn start(app: &App, pending: PendingRefresh) {
    let app = app.clone();
    tokio::spawn(async move { finish(&app, pending).await });
}

/// Resumes the refreshes that a shutdown interrupted.
///
/// # Errors
/// The store failed.
pub(super) async fn resume(app: &App) -> ServiceResult<()> {
    for pending in app.store().pending_refreshes().await? {
        start(app, pending);
    }
    Ok(())
}

/// Runs until every list is refreshed, or a newer version supersedes this one.
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

/// Whether a newer version supersedes this one, or another node has finished it.
async fn is_over(app: &App, pending: &PendingRefresh) -> bool {
    let left = app.store().pending_refreshes().await;
    left.is_ok_and(|left| !left.contains(pending))
}

/// Refreshes all lists and skips those that fail. If none failed, the version is no longer pending.
///
/// # Errors
/// The store could not list them.
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

/// Retries lists that failed before.
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

/// Refreshes one list, or records its failure.
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
            // Interactive requests take precedence.
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
    let actor = Actor {
        on_behalf_of: pending.published_by.clone().map(Box::new),
        ..Actor::server("automation", "Automation")
    };
    Principal::of_program(&pending.tenant, actor)
}
