//! The audit trail: reading it, and proving that nobody has edited it.
//!
//! Called by the handler of `GET /Audit` and by the command `audit verify`.

use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::AuditPage;

use super::access;
use super::journal::{LogQuery, filter};
use crate::app::App;
use crate::audit::Verdict;
use crate::auth::Principal;
use crate::error::ServiceResult;

/// A page of rows, oldest first.
///
/// # Errors
/// `PermissionDenied`.
pub async fn page(app: &App, principal: &Principal, query: LogQuery) -> ServiceResult<AuditPage> {
    access::need(principal, Permission::Audit)?;
    Ok(app
        .store()
        .audit(&principal.tenant, filter(principal, query))
        .await?)
}

/// Walks the whole chain of each tenant, or of one, and reports the first broken row.
///
/// # Errors
/// The store could not be read.
pub async fn verify(app: &App, tenant: Option<&str>) -> ServiceResult<Vec<Verdict>> {
    Ok(app.store().verify_audit(tenant).await?)
}
