//! Errors of Graph: a status, a code in words, a sentence.
//!
//! Made all over `graph`; faults make theirs here too.

use serde_json::json;

use crate::clock;
use crate::request::Answer;
use crate::store::Refusal;

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphError {
    pub status: u16,
    pub code: String,
    pub message: String,
}

/// What most of `graph` gives.
pub type Graph<T> = Result<T, GraphError>;

impl GraphError {
    /// An error.
    #[must_use]
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.into(),
        }
    }

    /// The request makes no sense.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalidRequest", message)
    }

    /// The request cannot be read.
    #[must_use]
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// A part of the address that means nothing.
    #[must_use]
    pub fn no_segment(name: &str) -> Self {
        Self::bad(format!("Resource not found for the segment '{name}'."))
    }

    /// There is no such item.
    #[must_use]
    pub fn no_item() -> Self {
        Self::new(404, "itemNotFound", "The specified item is not found.")
    }

    /// There is no such list.
    #[must_use]
    pub fn no_list() -> Self {
        Self::new(404, "itemNotFound", "The specified list was not found")
    }

    /// There is no such site.
    #[must_use]
    pub fn no_site() -> Self {
        Self::new(404, "itemNotFound", "Requested site could not be found")
    }

    /// A method that the address does not take.
    #[must_use]
    pub fn no_method() -> Self {
        Self::new(
            405,
            "BadRequest",
            "Specified HTTP method is not allowed for the request target.",
        )
    }

    /// A column that is not indexed was asked for.
    #[must_use]
    pub fn not_indexed(name: &str) -> Self {
        Self::invalid(format!(
            "Field '{name}' cannot be referenced in filter or orderby as it is not indexed. Provide the 'Prefer: HonorNonIndexedQueriesWarningMayFailRandomly' header to allow this, but be warned that such queries may fail on large lists."
        ))
    }

    /// A filter that cannot be read.
    #[must_use]
    pub fn filter() -> Self {
        Self::invalid("Invalid filter clause")
    }

    /// More rows than a query without an index may look at.
    #[must_use]
    pub fn threshold() -> Self {
        Self::new(
            500,
            "generalException",
            "The attempted operation is prohibited because it exceeds the list view threshold.",
        )
    }

    /// Why the store refused.
    #[must_use]
    pub fn refused(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::ListExists => Self::new(409, "nameAlreadyExists", "Name already exists"),
            Refusal::FieldExists(_) => Self::new(409, "nameAlreadyExists", "Name already exists"),
            Refusal::Stale { .. } => Self::new(
                412,
                "resourceModified",
                "The resource has changed since the caller last read it; usually an eTag mismatch",
            ),
            Refusal::Duplicate(_) => Self::new(
                400,
                "invalidRequest",
                "One of the provided arguments is not acceptable: the value is not unique.",
            ),
            Refusal::UnknownProperty(name) => {
                Self::invalid(format!("Field '{name}' is not recognized"))
            }
            Refusal::WrongType { .. } | Refusal::UnknownPerson(_) | Refusal::Invalid { .. } => {
                Self::invalid(format!("Invalid request: {refusal}"))
            }
            Refusal::FieldStays(_) => Self::new(403, "accessDenied", "Access denied"),
            Refusal::Empty(_) | Refusal::UnknownKind(_) | Refusal::CannotBeUnique(_) => {
                Self::invalid(refusal.to_string())
            }
        }
    }

    /// The answer.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let id = clock::new_id();
        let body = json!({"error": {"code": self.code, "message": self.message, "innerError": {
            "date": clock::written(clock::now()).trim_end_matches('Z'),
            "request-id": id, "client-request-id": id}}});
        Answer::json(self.status, "application/json", &body)
    }
}
