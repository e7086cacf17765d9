//! Who has begun something that outlives the request: a run, or a one-time link for an administrator.

use serde::{Deserialize, Serialize};

use super::directory::SecretHash;

/// The credential of the person or program that has begun it, to check later whether it is still
/// permitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Initiator {
    /// The operator of the server.
    Operator,
    /// An API key, by the SHA-256 of its secret.
    ApiKey(SecretHash),
    /// A registered person.
    Person {
        /// Who vouches for the person, if it is known.
        issuer: Option<String>,
        /// The person's subject there.
        subject: String,
    },
}
