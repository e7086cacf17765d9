//! Readiness: the store answers a small query.

use checklist_shared::problem::ProblemCode;
use checklist_store::error::{ServiceError, ServiceResult};

use crate::app::App;

/// Queries the store.
///
/// # Errors
/// `Busy` if the query fails, for any reason.
pub async fn ready(app: &App) -> ServiceResult<()> {
    match app.store().types("").await {
        Ok(_) => Ok(()),
        Err(_) => Err(
            ServiceError::new(ProblemCode::Busy, "The database does not answer.").retry_after(1),
        ),
    }
}
