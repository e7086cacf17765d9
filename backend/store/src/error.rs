//! The error type of services.
//!
//! `services` and `storage` create it, `http` converts it to `application/problem+json`.

use std::num::NonZeroU32;

use checklist_shared::problem::{FieldError, Problem, ProblemCode};
use checklist_shared::wire::write::WriteResult;
use serde::{Deserialize, Serialize};

/// An error, ready to be sent as a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceError {
    /// The body of the response.
    pub problem: Problem,
    /// Seconds for the header `Retry-After`.
    pub retry_after: Option<u32>,
    /// Details of an atomic request that was not applied. Sent as the extension members `Results`
    /// and `Revision` of the problem.
    pub not_applied: Option<Box<NotApplied>>,
}

/// The outcomes of an atomic request that was not applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotApplied {
    /// The list's unchanged revision.
    pub revision: u64,
    /// One entry per item of the request.
    pub results: Vec<WriteResult>,
}

/// The result type of services.
pub type ServiceResult<T> = Result<T, ServiceError>;

impl ServiceError {
    /// An error with a sentence about this occurrence.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            problem: Problem::new(code, detail),
            retry_after: None,
            not_applied: None,
        }
    }

    /// An error about single fields of a request.
    #[must_use]
    pub fn fields(code: ProblemCode, detail: impl Into<String>, errors: Vec<FieldError>) -> Self {
        Self {
            problem: Problem::new(code, detail).with_errors(errors),
            retry_after: None,
            not_applied: None,
        }
    }

    /// An error about a type whose stored row cannot be parsed.
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

    /// An error about something that is not deleted because this many lists use it, or others do.
    #[must_use]
    pub fn in_use(detail: String, lists: u64) -> Self {
        let mut error = Self::new(ProblemCode::InUse, detail);
        let lists = u32::try_from(lists).unwrap_or(u32::MAX);
        error.problem.lists = NonZeroU32::new(lists);
        error
    }

    /// Sets the seconds for the header `Retry-After`.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Whether the idempotency record keeps this error, so that a repeat gets it again: it is about
    /// the list's state or the request itself. Errors that depend on the caller's permissions are
    /// evaluated again.
    #[must_use]
    pub const fn is_remembered(&self) -> bool {
        matches!(self.problem.status, 409 | 422)
    }

    /// The code of the problem.
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        self.problem.code
    }
}
