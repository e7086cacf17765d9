//! Problems: errors on the wire, with codes that programs and people can act on.
//!
//! A whole request fails with a [`Problem`] (RFC 9457 `application/problem+json`), a single item
//! of a batch with an [`ItemProblem`].

mod code;
mod field;
mod item;
mod warning;

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use code::ProblemCode;
pub use field::{FieldError, FieldErrorCode};
pub use item::{ItemProblem, ItemProblemCode};
pub use warning::{Warning, WarningCode};

/// What kind of problem it is, for those who know none but HTTP's: always `about:blank`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AboutBlank;

impl Serialize for AboutBlank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("about:blank")
    }
}

impl<'de> Deserialize<'de> for AboutBlank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| Self)
    }
}

/// `application/problem+json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Always `about:blank`; the code says which problem it is.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: AboutBlank,
    /// Short and the same for every occurrence.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time, a sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// For programs.
    #[serde(rename = "Code")]
    pub code: ProblemCode,
    /// All field errors at once.
    #[serde(rename = "Errors", default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// What a remote site said, where one was asked.
    #[serde(rename = "Site", default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Box<SiteRefusal>>,
    /// The run that a refusal is about.
    #[serde(rename = "Run", default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<str>>,
    /// How many checklists use what cannot be deleted (`InUse`).
    #[serde(rename = "Lists", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub lists: Option<NonZeroU32>,
}

impl Problem {
    /// A problem with a sentence about this occurrence.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            kind: AboutBlank,
            title: code.title().to_owned(),
            status: code.status(),
            detail: Some(detail.into()),
            code,
            errors: Vec::new(),
            site: None,
            run: None,
            lists: None,
        }
    }

    /// The same with field errors.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<FieldError>) -> Self {
        self.errors = errors;
        self
    }
}

/// What a remote site said when it refused something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SiteRefusal {
    /// The HTTP status of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The code that it gives the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_code: Option<String>,
    /// The id under which its operators find the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What a person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The field it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The names it is about: users that are not known, columns that go by one name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// After a conflict: the version that the item has now.
    #[serde(rename = "ETag", default, skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
}
