//! What is wrong with one field of a request, with a pointer to it.

use serde::{Deserialize, Serialize};

use crate::phrase::Phrase;

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FieldError {
    /// JSON pointer (RFC 6901) into the request's body.
    pub pointer: String,
    /// For programs.
    pub code: FieldErrorCode,
    /// For people.
    pub detail: String,
    /// The same as a code, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Box<Phrase>>,
}

impl FieldError {
    /// A field error.
    #[must_use]
    pub fn new(
        pointer: impl Into<String>,
        code: FieldErrorCode,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            pointer: pointer.into(),
            code,
            detail: detail.into(),
            phrase: None,
        }
    }

    /// The same about a field of something that stands at this pointer.
    #[must_use]
    pub fn below(mut self, pointer: &str) -> Self {
        self.pointer.insert_str(0, pointer);
        self
    }

    /// A field error that is said by a phrase.
    #[must_use]
    pub fn said(pointer: impl Into<String>, code: FieldErrorCode, phrase: Phrase) -> Self {
        Self {
            phrase: Some(Box::new(phrase.clone())),
            ..Self::new(pointer, code, phrase.sentence())
        }
    }
}

/// What is wrong with a field, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum FieldErrorCode {
    /// It has to be there.
    Required,
    /// It has the wrong type or form.
    Invalid,
    /// There is no such field.
    UnknownField,
    /// It is too long or there are too many.
    LimitExceeded,
    /// It stands there twice.
    Duplicate,
    /// Changing text or place needs the version it is based on.
    BaseVersionRequired,
}
