//! Reads the audit trail, signs it, proves it, and verifies it.

pub mod checkpoints;
pub mod keys;
mod lists;
pub mod note;
pub mod proofs;
mod tree;
mod verify;

pub use verify::{Break, Trusted, Verdict, verify};

use checklist_auth::Principal;
use checklist_shared::administration::Action;
use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::{AuditBreak, AuditPage, AuditRow, AuditVerification};
use checklist_store::administration::Act;
pub use checklist_store::administration::Target;
use checklist_store::error::ServiceResult;

use super::access;
use super::log_search::{LogPage, LogQuery, search};
use crate::app::App;

/// Reads a page of rows.
///
/// # Errors
/// `PermissionDenied`.
pub async fn page(app: &App, principal: &Principal, query: LogQuery) -> ServiceResult<AuditPage> {
    access::require_permission(principal, Permission::Audit)?;
    let read = async |filter| {
        let AuditPage { rows, cursor, more } = app.store().audit(&principal.tenant, filter).await?;
        Ok(LogPage { rows, cursor, more })
    };
    let found = search(
        principal,
        &query,
        read,
        |sought, row: &AuditRow| {
            sought.is_of(row.event.as_ref(), row.operation_id.as_deref())
                && sought.fits(&row.actor, row.event.as_slice(), "", row.act.as_ref())
        },
        |row| row.sequence,
    )
    .await?;
    Ok(AuditPage {
        rows: found.rows,
        cursor: found.cursor,
        more: found.more,
    })
}

/// Notes in the audit trail that the caller has exported a log as a file.
///
/// # Errors
/// The store failed.
pub async fn note_export(app: &App, principal: &Principal, log: Target) -> ServiceResult<()> {
    record(app, principal, log, Action::Exported).await
}

/// Notes in the audit trail that the caller has read it, where the server is told to.
///
/// # Errors
/// The store failed.
pub async fn note_read(app: &App, principal: &Principal) -> ServiceResult<()> {
    if !app.audit_reads() {
        return Ok(());
    }
    record(app, principal, Target::AuditTrail, Action::Read).await
}

async fn record(
    app: &App,
    principal: &Principal,
    log: Target,
    action: Action,
) -> ServiceResult<()> {
    let act = Act::new(principal.stamp(app.clock().now()), log, action);
    Ok(app.store().record_act(&principal.tenant, act).await?)
}

/// Verifies the whole trail of the caller's tenant. The result reveals data of every list, so
/// the credential has to cover all of them.
///
/// # Errors
/// `PermissionDenied`.
pub async fn verification(app: &App, principal: &Principal) -> ServiceResult<AuditVerification> {
    proofs::require_whole_trail(principal)?;
    let verdicts = verify(app, Some(&principal.tenant), &Trusted::default()).await?;
    let verdict = verdicts.into_iter().next();
    Ok(AuditVerification {
        rows: verdict.as_ref().map_or(0, |verdict| verdict.rows),
        signed: verdict.as_ref().map_or(0, |verdict| verdict.signed),
        broken: verdict
            .and_then(|verdict| verdict.broken)
            .map(|broken| AuditBreak {
                sequence: broken.sequence,
                reason: broken.reason,
            }),
        at: app.clock().now(),
    })
}
