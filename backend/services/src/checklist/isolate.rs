//! Contains a failure to the list that causes it.
//!
//! Work on many lists (a batch, a stream, an automatic refresh) runs each list through `isolate`. A
//! list that cannot be read, or on which the rules panic, becomes a logged problem of that list,
//! and the others continue.

use std::panic::{AssertUnwindSafe, catch_unwind};

use checklist_runtime::panics;
use checklist_shared::context::Context;
use checklist_shared::problem::ProblemCode;

use checklist_store::error::{ServiceError, ServiceResult};

/// Runs work on one list and converts a panic to an error.
///
/// # Errors
/// The error of the work, or `Internal` after a panic.
pub fn isolate<T>(
    tenant: &str,
    context: &Context,
    work: impl FnOnce() -> ServiceResult<T>,
) -> ServiceResult<T> {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        tracing::error!(panic = panics::text(panic.as_ref()), "the rules panicked");
        Err(ServiceError::new(
            ProblemCode::Internal,
            "The server failed at this checklist. Its log says more.",
        ))
    });
    if let Err(error) = &outcome
        && error.code() == ProblemCode::Internal
    {
        tracing::error!(
            tenant,
            object_type = context.object_type,
            object_id = context.object_id,
            purpose = context.purpose,
            "a checklist failed"
        );
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_at_one_list_is_a_problem_of_that_list() {
        let context = Context::new("incident", "1", "");
        let lists = [1_u32, 0, 2].map(|divisor| {
            isolate("acme", &context, || {
                Ok(10_u32.checked_div(divisor).expect("a number"))
            })
        });
        let codes = lists.map(|outcome| outcome.map_err(|error| error.code()));
        assert_eq!(codes, [Ok(10), Err(ProblemCode::Internal), Ok(5)]);
    }
}
