//! Tenants: created, disabled and listed by the operator.
//!
//! Only the command line calls this: no call of the API crosses tenants.

use checklist_auth::Principal;
use checklist_shared::limits::Limits;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_store::directory::{DirectoryChange, Tenant};
use checklist_store::error::{ServiceError, ServiceResult};

use crate::app::App;

/// Lists all tenants.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App) -> ServiceResult<Vec<Tenant>> {
    Ok(app.store().tenants().await?)
}

/// Whether a tenant is registered, or has any data.
///
/// # Errors
/// The store failed.
pub async fn exists(app: &App, id: &str) -> ServiceResult<bool> {
    Ok(app.store().has_tenant(id).await?)
}

/// Creates or changes a tenant. Arguments that are `None` leave their field unchanged.
///
/// # Errors
/// `InvalidRequest` for an id that no token could contain.
pub async fn put(
    app: &App,
    id: &str,
    name: Option<String>,
    disabled: Option<bool>,
) -> ServiceResult<Tenant> {
    let length = id.chars().count();
    if length == 0 || length > Limits::IDENTIFIER || id.chars().any(char::is_control) {
        return Err(ServiceError::new(
            ProblemCode::InvalidRequest,
            "A tenant's id has 1 to 200 characters and no control characters.",
        ));
    }
    let known = list(app).await?.into_iter().find(|tenant| tenant.id == id);
    let is_known = known.is_some();
    let before = known.unwrap_or_else(|| Tenant {
        id: id.to_owned(),
        name: id.to_owned(),
        epoch: Timestamp::from_millis(0),
        disabled: false,
        created_at: app.clock().now(),
    });
    let tenant = Tenant {
        name: name.unwrap_or(before.name),
        disabled: disabled.unwrap_or(before.disabled),
        ..before
    };
    // Credentials that were issued before a tenant was disabled stay invalid when it is enabled
    // again.
    let written = Tenant {
        epoch: if is_known {
            app.clock().now()
        } else {
            tenant.epoch
        },
        ..tenant.clone()
    };
    let stamp = Principal::operator(id).stamp(app.clock().now());
    app.trust_cache()
        .change(DirectoryChange::PutTenant(written), stamp)
        .await?;
    Ok(tenant)
}
