//! What goes wrong with one list stays with that list.
//!
//! Whoever works on many lists at once (a batch, a stream, an automatic refresh) does it for each
//! through here: a list that cannot be read, and one at which the rules panic, becomes a problem
//! of its own, the log names it, and the others go on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use checklist_shared::context::Context;
use checklist_shared::problem::ProblemCode;

use crate::error::{ServiceError, ServiceResult};

/// Does the work on one list; a panic is a problem like any other.
///
/// # Errors
/// What the work refuses, or `Internal` after a panic.
pub fn isolate<T>(
    tenant: &str,
    context: &Context,
    work: impl FnOnce() -> ServiceResult<T>,
) -> ServiceResult<T> {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        tracing::error!(
            panic = text.unwrap_or("without a text"),
            "the rules panicked"
        );
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
