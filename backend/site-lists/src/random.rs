//! Randomness: ids of requests, multipart boundaries, jitter. The only source in this crate.

use uuid::{Builder, Uuid};

/// A random id.
pub(crate) fn uuid() -> Uuid {
    Builder::from_random_bytes(bytes()).into_uuid()
}

/// Random bytes. Where the system has none to give, they are zeros: nothing here is a secret
/// that has to resist guessing.
#[expect(
    clippy::disallowed_methods,
    reason = "everybody else asks this function"
)]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        tracing::warn!(%error, "the system gives no random bytes");
    }
    bytes
}

/// A number from 0 up to, but not including, 1.
pub(crate) fn fraction() -> f64 {
    f64::from(u32::from_le_bytes(bytes())) / (f64::from(u32::MAX) + 1.0)
}
