//! Waiting for something to become true, instead of sleeping and hoping.
//!
//! Called wherever a test waits for another process: a server that starts, a page that draws.

use std::time::{Duration, Instant};

/// How long anything may take before a test gives up on it.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Asks until there is an answer; gives it.
///
/// # Panics
/// When there is none after [`PATIENCE`]; `what` says what was waited for.
#[track_caller]
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(
            start.elapsed() < PATIENCE,
            "waited {PATIENCE:?} in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The same, leaving the words to the caller.
///
/// # Errors
/// When there is no answer after [`PATIENCE`].
pub fn until_or<T>(mut ask: impl FnMut() -> Option<T>) -> Result<T, ()> {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return Ok(answer);
        }
        if start.elapsed() >= PATIENCE {
            return Err(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
