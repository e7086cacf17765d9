//! Finds the stored record of a connection.
//!
//! Invariant: an id counts in any spelling of its UUID.

use checklist_shared::problem::ProblemCode;
use checklist_store::connections::ConnectionRecord;
use checklist_store::error::{ServiceError, ServiceResult};

use crate::app::App;

/// Finds a connection by its id, in any spelling of the UUID.
pub(super) async fn find_record(
    app: &App,
    tenant: &str,
    id: &str,
) -> ServiceResult<ConnectionRecord> {
    let record = app.store().connection(tenant, &canonical(id)).await?;
    record.ok_or_else(not_found)
}

/// The canonical form of an id. Text that is no UUID matches nothing.
pub(super) fn canonical(id: &str) -> String {
    uuid::Uuid::try_parse(id).map_or_else(|_| id.to_owned(), |id| id.to_string())
}

pub(super) fn not_found() -> ServiceError {
    ServiceError::new(
        ProblemCode::ConnectionNotFound,
        "There is no such service connection.",
    )
}
