//! The only code that reads the wall clock and the random number generator.
//!
//! Everything else takes the time as an argument, so that tests control it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "everything else gets the time from here"
    )]
    fn now(&self) -> Timestamp {
        // A clock before 1970 is misconfigured; the epoch serves as well as any other time.
        let millis = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis());
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }
}

/// A clock that only tests advance, for timeouts of minutes or days.
#[derive(Debug)]
pub struct SettableClock(AtomicI64);

impl SettableClock {
    /// A clock that starts at `start`.
    #[must_use]
    pub const fn new(start: Timestamp) -> Self {
        Self(AtomicI64::new(start.as_millis()))
    }

    /// Advances the clock.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }
}

impl Clock for SettableClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// No key could be generated: the operating system has no random numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gave no randomness for a key")]
pub struct NoKey;

/// Fills `bytes` with cryptographically secure random numbers.
///
/// # Errors
/// The operating system has no random numbers.
#[expect(
    clippy::disallowed_methods,
    reason = "everybody else asks this function"
)]
pub fn random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    getrandom::fill(bytes)
}

/// A random number in `0.0..1.0`, for jitter. 0 if the operating system has no random numbers.
#[must_use]
pub fn fraction() -> f64 {
    let mut bytes = [0; 4];
    let _ = random(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
}

/// A new UUIDv7, for an item whose client has not chosen an id.
///
/// # Errors
/// The operating system has no random numbers.
pub fn new_item_id(now: Timestamp) -> Result<ItemId, getrandom::Error> {
    let mut bytes = [0; 10];
    random(&mut bytes)?;
    Ok(ItemId::from_millis_and_random(
        u64::try_from(now.as_millis()).unwrap_or(0),
        bytes,
    ))
}
