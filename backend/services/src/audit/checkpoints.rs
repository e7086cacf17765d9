//! Signs checkpoints of the audit trails: half a minute after something was written, or as soon as
//! a thousand rows wait.
//!
//! A checkpoint is signed only if the tree contains the one of the checkpoint before: the server
//! itself puts its name under no history that was rewritten. Each number is given out once, so of
//! several nodes one makes a checkpoint.

use std::collections::HashMap;
use std::time::Duration;

use checklist_store::audit::Checkpoint;
use checklist_store::error::ServiceResult;
use checklist_store::feed::{Announcement, Commit, Feed};
use checklist_store::store::StoreError;
use tokio::sync::broadcast::error::TryRecvError;

use super::note::TreeHead;
use super::{keys, tree};
use crate::app::App;
use crate::base_url::BaseUrl;

/// How often the feed is read.
const STEP: Duration = Duration::from_secs(1);
/// How many steps lie between two looks at every trail. What the feed does not tell, such as acts
/// of administration, has its checkpoint by then.
const STEPS: u32 = 30;
/// So many rows do not wait for that.
const MOST_ROWS: u64 = 1_000;

/// Runs until the future is dropped.
pub async fn run(app: App, base: BaseUrl) {
    if app.vault().is_none() {
        tracing::warn!(
            "no checkpoints of the audit trail are signed, because there is no --vault-key to keep their key"
        );
        return;
    }
    let mut feed = app.store().commits();
    let mut signed = HashMap::new();
    let mut steps = tokio::time::interval(STEP);
    for step in 0_u32.. {
        steps.tick().await;
        let grown = grown(&mut feed);
        let tenants = if step.is_multiple_of(STEPS) || grown.is_none() {
            match app.store().audited_tenants().await {
                Ok(tenants) => tenants,
                Err(error) => {
                    tracing::warn!(%error, "no checkpoint was made");
                    continue;
                }
            }
        } else {
            let waits = |(tenant, newest): (String, u64)| {
                let signed = signed.get(&tenant).copied().unwrap_or(0);
                (newest >= signed + MOST_ROWS).then_some(tenant)
            };
            grown.into_iter().flatten().filter_map(waits).collect()
        };
        for tenant in tenants {
            match make(&app, &tenant, &base).await {
                Ok(Some(size)) => drop(signed.insert(tenant, size)),
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(tenant, problem = ?error.problem, "no checkpoint was made");
                }
            }
        }
    }
}

/// The newest row of each tenant that the feed tells of; `None` if it has lost some.
pub(crate) fn grown(feed: &mut Feed) -> Option<HashMap<String, u64>> {
    let mut newest = HashMap::new();
    loop {
        match feed.try_recv().as_deref() {
            Ok(Announcement::Commits(commits)) => {
                for commit in commits {
                    if let Commit::List { list, sequence, .. } = commit {
                        let known = newest.entry(list.tenant.clone()).or_insert(0);
                        *known = (*sequence).max(*known);
                    }
                }
            }
            Ok(Announcement::Presence(..)) => {}
            Ok(Announcement::Gap) | Err(TryRecvError::Lagged(_)) => return None,
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(newest),
        }
    }
}

/// Signs a checkpoint of the tenant's trail as it is now, if it has grown since the last one.
/// Returns the size of the newest checkpoint; `None` without a vault.
///
/// # Errors
/// The store failed, the key cannot be opened, or the trail is not the one of the last checkpoint.
pub async fn make(app: &App, tenant: &str, base: &BaseUrl) -> ServiceResult<Option<u64>> {
    let signed = |state: &Option<Checkpoint>| state.as_ref().map_or(0, |last| last.size);
    let before = app.store().audit_tree(tenant).await?;
    if before.size == signed(&before.checkpoint) {
        return Ok(Some(before.size));
    }
    let Some((key, origin)) = keys::signing(app, tenant, base).await? else {
        return Ok(None);
    };
    // A first key is a row, too. Meanwhile another node may have signed.
    let state = app.store().audit_tree(tenant).await?;
    let size = state.size;
    if size == signed(&state.checkpoint) {
        return Ok(Some(size));
    }
    tree::complete_tiles(app, tenant, &state).await?;
    if let Some(last) = &state.checkpoint {
        let verifiers = keys::verifiers(app, tenant).await?;
        let then = TreeHead::open(&last.note, &verifiers)
            .map_err(|error| broken(&format!("its last checkpoint is not ours: {error}")))?;
        if then.size > size || tree::root(app, tenant, then.size).await? != then.root {
            return Err(broken("its rows are not those of its last checkpoint").into());
        }
    }
    let head = TreeHead {
        origin,
        size,
        root: tree::root(app, tenant, size).await?,
    };
    let checkpoint = Checkpoint {
        number: state.checkpoint.map_or(0, |last| last.number) + 1,
        size,
        at: app.clock().now(),
        note: head.sign(&key),
    };
    app.store().add_checkpoint(tenant, checkpoint).await?;
    Ok(Some(size))
}

fn broken(why: &str) -> StoreError {
    StoreError::Broken(format!("the audit trail was altered: {why}"))
}
