//! The vault: encrypts secrets for other systems, so that a database or its backup alone discloses
//! none.
//!
//! [`keys`] reads the key file, [`seal`] encrypts and decrypts. A ciphertext is bound to its
//! tenant, connection and origin: if it is moved to another row, or its row gets another origin, it
//! cannot be decrypted.

pub mod keys;
mod seal;

pub use keys::{KeyFileError, VaultKeys};
pub use seal::{Binding, HandleSeal, SealError};
