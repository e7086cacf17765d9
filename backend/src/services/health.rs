//! Whether the server can do its work: the store answers a small question.

use checklist_shared::problem::ProblemCode;

use crate::app::App;
use crate::error::{ServiceError, ServiceResult};

/// Reads something from the store.
///
/// # Errors
/// `Busy` while that fails, whatever the reason.
pub async fn ready(app: &App) -> ServiceResult<()> {
    match app.store().types("").await {
        Ok(_) => Ok(()),
        Err(_) => Err(
            ServiceError::new(ProblemCode::Busy, "The database does not answer.").retry_after(1),
        ),
    }
}
