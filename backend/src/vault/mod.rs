//! The vault: seals what authenticates towards other systems, so that a database alone, or a
//! backup of it, opens nothing.
//!
//! [`keys`] reads the key file, [`seal`] seals and opens. A sealed secret is bound to its tenant,
//! its connection and its origin: moved to another row, or left in a row whose address was changed,
//! it no longer opens.

pub mod keys;
mod seal;

pub use keys::{KeyFileError, VaultKeys};
pub use seal::{Binding, HandleSeal, SealError};
