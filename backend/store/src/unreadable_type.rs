//! The error for a type whose stored row cannot be read.
//!
//! It is about the lists of that type only; the log has the reason, callers get the name.

/// A type whose row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored type '{name}' cannot be read: {reason}")]
pub struct UnreadableType {
    /// The name of the type.
    pub name: String,
    /// What is wrong with its row, for the log.
    pub reason: String,
}
