//! Why the store does not do what it was asked; both protocols put it in their own words.
//!
//! Made by the store, read by `rest::error` and `graph::error`.

/// Something that is not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Something that must be named has no name.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// A list has that title already.
    #[error("a list with that title exists")]
    ListExists,
    /// A column has that name already.
    #[error("a field named {0} exists")]
    FieldExists(String),
    /// A column that is part of every list, or that others need.
    #[error("the field {0} cannot be deleted")]
    FieldStays(String),
    /// A column of a kind that this server does not know.
    #[error("there is no field type {0}")]
    UnknownKind(String),
    /// Rows already hold one value twice, or the kind of the column allows no unique values.
    #[error("the field {0} cannot be made unique")]
    CannotBeUnique(String),
    /// A unique column holds that value already.
    #[error("duplicate values in {0}")]
    Duplicate(String),
    /// Nothing of that name can be written.
    #[error("there is no property {0}")]
    UnknownProperty(String),
    /// The value is of another shape than the column's.
    #[error("{field} expects {expected}")]
    WrongType {
        field: String,
        /// The name of the expected type, e.g. `Edm.Double`.
        expected: &'static str,
    },
    /// The value has the right shape but is not allowed.
    #[error("{field}: {reason}")]
    Invalid { field: String, reason: String },
    /// No person or group has that number.
    #[error("user {0} does not exist")]
    UnknownPerson(u32),
    /// The item has been written since.
    #[error("version {given} is not {current}")]
    Stale { given: String, current: String },
}
