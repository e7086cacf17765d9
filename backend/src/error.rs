//! What a service answers when it cannot do what was asked.
//!
//! Made by `services` and `storage`, turned into `application/problem+json` by `http`.

use checklist_shared::problem::{FieldError, Problem, ProblemCode};
use checklist_shared::wire::write::WriteResult;
use serde::{Deserialize, Serialize};

/// A refusal, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceError {
    /// The problem itself.
    pub problem: Problem,
    /// Seconds after which a repeat makes sense (`Retry-After`).
    pub retry_after: Option<u32>,
    /// For an atomic request that was not applied: what stood in the way, item by item. Sent
    /// as the further members `Results` and `Revision` of the problem.
    pub not_applied: Option<Box<NotApplied>>,
}

/// What stood in the way of an atomic request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotApplied {
    /// The list's revision, which did not move.
    pub revision: u64,
    /// One entry for each item of the request.
    pub results: Vec<WriteResult>,
}

/// What services return.
pub type ServiceResult<T> = Result<T, ServiceError>;

impl ServiceError {
    /// A refusal with a sentence about this occurrence.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            problem: Problem::new(code, detail),
            retry_after: None,
            not_applied: None,
        }
    }

    /// A refusal for what is wrong with single fields.
    #[must_use]
    pub fn fields(code: ProblemCode, detail: impl Into<String>, errors: Vec<FieldError>) -> Self {
        Self {
            problem: Problem::new(code, detail).with_errors(errors),
            retry_after: None,
            not_applied: None,
        }
    }

    /// A refusal for what is decided by a type whose row cannot be read.
    #[must_use]
    pub fn unreadable_type(name: &str) -> Self {
        Self::new(
            ProblemCode::TypeUnreadable,
            format!(
                "What is stored of the type '{name}' cannot be read. It works again when the type is written anew: \
                 PUT Types/{name} with Classes, Templates and AlwaysJournal."
            ),
        )
    }

    /// The same with the time after which a repeat makes sense.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Whether a repeat of the same operation shall hear the same again: the list's state stood
    /// in the way, or the request itself. What depends on the caller's rights is asked anew.
    #[must_use]
    pub const fn is_remembered(&self) -> bool {
        matches!(self.problem.status, 409 | 422)
    }

    /// Which problem it is.
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        self.problem.code
    }
}
