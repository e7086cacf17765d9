//! Finds the stored record of a run, and says why one cannot be changed.
//!
//! Invariant: a run of another tenant is answered like one that does not exist.

use checklist_auth::Principal;
use checklist_shared::problem::ProblemCode;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::workflows::RunRecord;

use crate::app::App;

pub(super) async fn find_record(
    app: &App,
    principal: &Principal,
    id: &str,
) -> ServiceResult<RunRecord> {
    let run = app.store().run(&principal.tenant, id).await?;
    run.ok_or_else(missing)
}

pub(super) fn missing() -> ServiceError {
    ServiceError::new(ProblemCode::RunNotFound, "There is no such run.")
}

pub(super) fn run_changed(why: &str) -> ServiceError {
    ServiceError::new(ProblemCode::RunChanged, why)
}

pub(super) fn run_in_progress(id: String) -> ServiceError {
    let mut error = ServiceError::new(
        ProblemCode::RunInProgress,
        format!(
            "The list has a run that has not ended yet: {id}. Wait for it, confirm it or cancel it."
        ),
    );
    error.problem.run = Some(id.into());
    error
}
