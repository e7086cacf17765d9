//! What is allowed in a request and perhaps not meant. Nothing is refused because of it.

use serde::{Deserialize, Serialize};

/// Something that is allowed and perhaps not meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Warning {
    /// For programs.
    pub code: WarningCode,
    /// JSON pointer (RFC 6901) into the template, where one was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// For people.
    pub detail: String,
}

/// What may not have been meant, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum WarningCode {
    /// Only required items count, and there is none.
    NoRequiredItem,
    /// Only required items count, and each of them has a condition.
    RequiredItemsAreConditional,
    /// The template has no item to resolve.
    NoItems,
    /// Each item has a condition.
    ItemsAreConditional,
    /// A text lacks a language that others have.
    LanguageMissing,
    /// An item is due as soon as its list begins.
    DueAtOnce,
    /// One that only a newer server knows.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl WarningCode {
    /// The sentence of [`WarningCode::NoRequiredItem`].
    pub const NO_REQUIRED_ITEM: &str = "The completion rule is Required and no item is required, so the list is complete with every item open.";
}
