//! The only place that reads the wall clock and draws random numbers.
//!
//! Everything else is told the time, so that tests can say what time it is. Held by `App`,
//! asked by the services.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;

/// Says what time it is.
pub trait Clock: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "everything else is told the time by this"
    )]
    fn now(&self) -> Timestamp {
        // A clock before 1970 is a broken clock; the epoch is as good an answer as any.
        let millis = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis());
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still until it is moved; for tests of what takes minutes or days.
#[derive(Debug)]
pub struct SettableClock(AtomicI64);

impl SettableClock {
    /// A clock that stands at `start`.
    #[must_use]
    pub const fn new(start: Timestamp) -> Self {
        Self(AtomicI64::new(start.as_millis()))
    }

    /// Moves it on.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }
}

impl Clock for SettableClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Fills `bytes` with randomness fit for keys.
///
/// # Errors
/// The operating system has no random numbers.
pub fn random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    getrandom::fill(bytes)
}

/// A number from 0 up to, but not including, 1: for pauses that are not to be everybody's. It is 0
/// where the operating system has no random numbers.
#[must_use]
pub fn fraction() -> f64 {
    let mut bytes = [0; 4];
    let _ = random(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
}

/// A new UUIDv7 for an item whose client chose none.
///
/// # Errors
/// The operating system has no random numbers.
pub fn new_item_id(now: Timestamp) -> Result<ItemId, getrandom::Error> {
    let mut random = [0; 10];
    getrandom::fill(&mut random)?;
    Ok(ItemId::from_millis_and_random(
        u64::try_from(now.as_millis()).unwrap_or(0),
        random,
    ))
}
