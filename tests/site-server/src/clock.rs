//! The time and chance of this server: the only file that asks the machine for either.
//!
//! Everything that is stored or answered takes its dates and ids from here.

use jiff::Timestamp;
use uuid::Uuid;

/// The present time, to the second: the protocol knows no smaller part.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "everything else in this crate asks here"
)]
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// A new random id.
#[must_use]
pub fn new_id() -> Uuid {
    let mut bytes = [0; 16];
    fill(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// Random bytes, in hexadecimal.
#[must_use]
pub fn random_hex(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    fill(&mut random);
    random.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn fill(bytes: &mut [u8]) {
    // Without chance there is no server worth running; it has nothing to lose yet.
    getrandom::fill(bytes).expect("the operating system has random numbers");
}

/// A date as the protocol writes it: `2026-01-02T03:04:05Z`.
#[must_use]
pub fn written(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
